// From the text of a pattern to the steps of its automaton.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/time_text.h"
#include "feed/pattern_machine.h"

namespace forebay {
namespace {

using Bytes = std::bitset<256>;

Bytes one(char c) { return Bytes().set(static_cast<unsigned char>(c)); }
Bytes any() { return Bytes().set(); }
Bytes within_segment() { return any() & ~one('/'); }

Bytes digits() {
  Bytes bytes;
  for (char c = '0'; c <= '9'; ++c) bytes |= one(c);
  return bytes;
}

Bytes hex_digits() {
  Bytes bytes = digits();
  for (char c = 'a'; c <= 'f'; ++c) bytes |= one(c) | one(static_cast<char>(c - 'a' + 'A'));
  return bytes;
}

bool is_name(std::string_view name) {
  auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, word);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { machine_.text = text; }

  Result<Pattern::Machine> run() {
    if (text_.empty()) return wrong("is empty");
    if (text_.size() > kMaxPatternBytes) {
      return wrong(fmt::format("is longer than {} bytes", kMaxPatternBytes));
    }
    while (at_ < text_.size()) {
      RETURN_IF_ERROR(part());
      if (machine_.steps.size() > kMaxPatternSteps) return wrong("is too complicated");
    }
    machine_.finish();
    return std::move(machine_);
  }

 private:
  std::unexpected<Error> wrong(const std::string& what, std::string hint = {}) const {
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "read pattern",
                 .object = fmt::format("\"{}\"", text_),
                 .cause = what,
                 .hint = std::move(hint)});
  }
  std::unexpected<Error> wrong_here(const std::string& what, std::string hint = {}) const {
    return wrong(fmt::format("{} (at character {})", what, at_ + 1), std::move(hint));
  }
  bool ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void add(PatternStep step) { machine_.steps.push_back(step); }
  void add_literal(char c, int label = -1) { add({.bytes = one(c), .label = label}); }

  Status part() {
    char c = text_[at_];
    if (ahead("{{") || ahead("}}")) {
      add_literal(c);
      at_ += 2;
    } else if (c == '{') {
      return capture();
    } else if (c == '}') {
      return wrong_here("has a } that closes nothing", "write }} for a literal brace");
    } else if (c == '*') {
      return wildcard();
    } else if (c == '?' || c == '[' || c == ']') {
      return wrong_here(fmt::format("uses {}, which has no meaning yet", c),
                        "use * for any text within a segment, or give a list of patterns");
    } else {
      add_literal(c);
      ++at_;
    }
    return {};
  }

  // Wildcards in a row say nothing more than one of them, but cost time squared.
  Status wildcard() {
    bool after_wildcard = wildcard_end_ == at_ && at_ > 0;
    bool at_segment = at_ == 0 || text_[at_ - 1] == '/';
    bool folders = at_segment && ahead("**/");
    if (after_wildcard && (folders || !after_folders_)) {
      return wrong_here("has two wildcards in a row");
    }
    if (folders) {
      // (anything and a slash) or nothing; the anything may be empty, since a source without a
      // slash at its end gives keys that begin with one.
      add({.skip = 1, .other_skip = 3});
      add({.bytes = any(), .repeats = true, .skip = 1});
      add_literal('/');
      at_ += 3;
    } else if (ahead("**")) {
      add({.bytes = any(), .repeats = true, .skip = 1});
      at_ += 2;
    } else {
      add({.bytes = within_segment(), .repeats = true, .skip = 1});
      ++at_;
    }
    wildcard_end_ = at_;
    after_folders_ = folders;
    return {};
  }

  Status capture() {
    std::size_t close = text_.find('}', at_);
    if (close == text_.npos) {
      return wrong_here("has a { that is never closed", "write {{ for a literal brace");
    }
    std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    std::size_t colon = inside.find(':');
    std::string name(inside.substr(0, colon));
    if (!is_name(name)) {
      return wrong_here(fmt::format("has a capture named \"{}\"", name),
                        "a name is letters, digits and _; alternatives are a list of patterns");
    }
    if (std::ranges::find(machine_.captures, name, &PatternCapture::name) !=
        machine_.captures.end()) {
      return wrong_here(fmt::format("captures {{{}}} twice", name));
    }
    PatternCapture capture{.name = name, .first_label = labels_};
    std::string_view type = colon == inside.npos ? "" : inside.substr(colon + 1);
    RETURN_IF_ERROR(capture_steps(type, colon != inside.npos, text_.substr(close + 1), capture));
    capture.end_label = labels_;
    machine_.captures.push_back(std::move(capture));
    at_ = close + 1;
    return {};
  }

  Status capture_steps(std::string_view type, bool has_type, std::string_view rest,
                       PatternCapture& capture) {
    if (!has_type) {
      add({.bytes = within_segment(), .label = labels_++, .repeats = true});
    } else if (type == "short") {
      if (rest.empty() || std::string_view("{*").contains(rest[0])) {
        return wrong_here("has a :short capture with no character after it to end at");
      }
      add({.bytes = within_segment() & ~one(rest[0]), .label = labels_++, .repeats = true});
    } else if (type == "path") {
      add({.bytes = any(), .label = labels_++, .repeats = true});
    } else if (type == "int" || type == "hex") {
      capture.type = CaptureType::number;
      capture.base = type == "int" ? 10 : 16;
      add({.bytes = type == "int" ? digits() : hex_digits(), .label = labels_++, .repeats = true});
    } else if (type.contains('%')) {
      return time_steps(type, capture);
    } else {
      return wrong_here(fmt::format("gives {{{}}} the type \"{}\"", capture.name, type),
                        "allowed: short, path, int, hex, or a time such as %Y-%m-%d");
    }
    return {};
  }

  // Each directive gets a label of its own, so that "%-m%-d", where 111 is two dates, is found
  // ambiguous like any other pattern.
  Status time_steps(std::string_view format, PatternCapture& capture) {
    if (!valid_time_format(format)) {
      return wrong_here(fmt::format("gives {{{}}} the time format \"{}\"", capture.name, format),
                        "allowed: %Y %m %d %H %M %S %j %f %s %-m %-d %-H %-M %-S %%; the whole "
                        "date must be named, %Y or %s");
    }
    capture.type = CaptureType::time;
    capture.time_format = format;
    for (std::size_t i = 0; i < format.size(); ++i) {
      int label = labels_++;
      if (format[i] != '%') {
        add_literal(format[i], label);
        continue;
      }
      char directive = format[++i];
      bool unpadded = directive == '-';
      if (unpadded) directive = format[++i];
      if (directive == '%') {
        add_literal('%', label);
      } else if (directive == 's') {
        add({.bytes = digits(), .label = label, .repeats = true});
      } else {
        int least = unpadded || directive == 'f' ? 1
                    : directive == 'Y'           ? 4
                    : directive == 'j'           ? 3
                                                 : 2;
        int most = unpadded ? 2 : directive == 'f' ? 9 : least;
        for (int n = 0; n < most; ++n) {
          add({.bytes = digits(), .label = label, .skip = n >= least ? 1 : 0});
        }
      }
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int labels_ = 0;
  std::size_t wildcard_end_ = 0;  // where the last wildcard ended, and whether it was "**/"
  bool after_folders_ = false;
  Pattern::Machine machine_;
};

}  // namespace

Result<Pattern::Machine> parse_pattern(std::string_view text) { return Parser(text).run(); }

void Pattern::Machine::finish() {
  reach.assign(steps.size() + 1, {});
  for (std::size_t i = steps.size() + 1; i-- > 0;) {
    std::vector<std::uint16_t> here = {static_cast<std::uint16_t>(i)};
    if (i < steps.size()) {
      for (int jump : {steps[i].skip, steps[i].other_skip}) {
        if (jump > 0)
          here.insert(here.end(), reach[i + static_cast<std::size_t>(jump)].begin(),
                      reach[i + static_cast<std::size_t>(jump)].end());
      }
    }
    std::ranges::sort(here);
    here.erase(std::unique(here.begin(), here.end()), here.end());
    reach[i] = std::move(here);
  }
  literal_prefix.clear();
  for (const PatternStep& step : steps) {
    if (step.label >= 0 || step.skip > 0 || step.bytes.count() != 1) break;
    literal_prefix += static_cast<char>(step.bytes._Find_first());
  }
  literal_suffix.clear();
  std::size_t begin = steps.size();  // where the literal end begins
  while (begin > 0 && !steps[begin - 1].repeats && steps[begin - 1].bytes.count() == 1 &&
         steps[begin - 1].skip == 0) {
    --begin;
  }
  // No jump from before it may land inside.
  for (std::size_t i = 0; i < begin; ++i) {
    for (const std::uint16_t reached : reach[i]) begin = std::max<std::size_t>(begin, reached);
  }
  for (; begin < steps.size(); ++begin)
    literal_suffix += static_cast<char>(steps[begin].bytes._Find_first());
}

}  // namespace forebay
