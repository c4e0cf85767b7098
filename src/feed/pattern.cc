#include "feed/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/time_text.h"
#include "feed/pattern_machine.h"

namespace forebay {
namespace {

// The steps that may come next before each byte of a key, all in one vector.
class Run {
 public:
  Run(const Pattern::Machine& machine, std::string_view key)
      : machine_(machine), key_(key), stamps_(machine.end() + 1, 0) {
    starts_.reserve(key.size() + 2);
    active_.reserve(4 * key.size() + 8);
  }

  // The label of every byte, or nothing if the key does not have this shape.
  std::optional<std::vector<int>> labels() {
    starts_.push_back(0);
    enter(0, 1);
    for (std::size_t i = 0; i < key_.size(); ++i) {
      std::size_t begin = starts_.back();
      std::size_t end = active_.size();
      starts_.push_back(end);
      for (std::size_t at = begin; at < end; ++at) advance(active_[at], i);
      if (active_.size() == end) return std::nullopt;
    }
    if (std::find(active_.begin() + static_cast<std::ptrdiff_t>(starts_.back()), active_.end(),
                  machine_.end()) == active_.end()) {
      return std::nullopt;
    }
    return walk_back();
  }

 private:
  // Adds what is reached from `step` without a byte; the stamp marks what is in the set already.
  void enter(std::size_t step, std::uint32_t stamp) {
    for (std::uint16_t reached : machine_.reach[step]) {
      if (stamps_[reached] == stamp) continue;
      stamps_[reached] = stamp;
      active_.push_back(reached);
    }
  }

  bool takes(std::size_t step, std::size_t i) const {
    return step != machine_.end() &&
           machine_.steps[step].bytes.test(static_cast<unsigned char>(key_[i]));
  }

  void advance(std::size_t step, std::size_t i) {
    if (!takes(step, i)) return;
    auto stamp = static_cast<std::uint32_t>(i + 2);
    enter(step + 1, stamp);
    if (machine_.steps[step].repeats) enter(step, stamp);
  }

  bool leads_to(std::size_t step, std::size_t target) const {
    auto reaches = [&](std::size_t from) {
      return std::ranges::binary_search(machine_.reach[from], static_cast<std::uint16_t>(target));
    };
    return reaches(step + 1) || (machine_.steps[step].repeats && reaches(step));
  }

  // Any way back will do, since all of them give the same labels.
  std::vector<int> walk_back() const {
    std::vector<int> labels(key_.size());
    std::size_t target = machine_.end();
    for (std::size_t i = key_.size(); i-- > 0;) {
      std::size_t at = starts_[i];
      while (!takes(active_[at], i) || !leads_to(active_[at], target)) ++at;
      target = active_[at];
      labels[i] = machine_.steps[target].label;
    }
    return labels;
  }

  const Pattern::Machine& machine_;
  std::string_view key_;
  std::vector<std::uint32_t> stamps_;
  std::vector<std::uint16_t> active_;
  std::vector<std::size_t> starts_;  // of the set before byte i
};

std::optional<CaptureValue> read_capture(const PatternCapture& capture, std::string_view text) {
  switch (capture.type) {
    case CaptureType::text: return CaptureValue(std::string(text));
    case CaptureType::number: {
      std::uint64_t number = 0;
      auto read = std::from_chars(text.data(), text.data() + text.size(), number, capture.base);
      if (read.ec != std::errc()) return std::nullopt;
      return CaptureValue(number);
    }
    case CaptureType::time: {
      std::optional<Time> time = parse_time(text, capture.time_format);
      if (!time) return std::nullopt;
      return CaptureValue(*time);
    }
  }
  std::unreachable();
}

}  // namespace

const CaptureValue* Captures::find(std::string_view name) const {
  for (const auto& [known, value] : values) {
    if (known == name) return &value;
  }
  return nullptr;
}

Result<Pattern> Pattern::parse(std::string_view text) {
  ASSIGN_OR_RETURN(Machine machine, parse_pattern(text));
  if (auto key = find_ambiguous_key(machine)) {
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "read pattern",
                 .object = fmt::format("\"{}\"", text),
                 .cause = fmt::format("reads \"{}\" in two ways", *key),
                 .hint =
                     "separate captures by text that they cannot contain; {name:short} ends at "
                     "the first occurrence of the character after it, {name:int} takes digits"});
  }
  return Pattern(std::make_shared<const Machine>(std::move(machine)));
}

std::optional<Captures> Pattern::match(std::string_view key) const {
  if (!key.starts_with(machine_->literal_prefix) || !key.ends_with(machine_->literal_suffix))
    return std::nullopt;
  std::optional<std::vector<int>> labels = Run(*machine_, key).labels();
  if (!labels) return std::nullopt;
  Captures captures;
  for (const PatternCapture& capture : machine_->captures) {
    auto mine = [&](int label) {
      return label >= capture.first_label && label < capture.end_label;
    };
    auto begin = std::ranges::find_if(*labels, mine);
    auto end = std::find_if_not(begin, labels->end(), mine);
    std::string_view text = key.substr(begin - labels->begin(), end - begin);
    std::optional<CaptureValue> value = read_capture(capture, text);
    if (!value) return std::nullopt;
    captures.values.emplace_back(capture.name, std::move(*value));
  }
  return captures;
}

const std::string& Pattern::literal_prefix() const { return machine_->literal_prefix; }
const std::string& Pattern::text() const { return machine_->text; }

std::vector<std::string> Pattern::capture_names() const {
  std::vector<std::string> names;
  for (const PatternCapture& capture : machine_->captures) names.push_back(capture.name);
  return names;
}

std::optional<CaptureType> Pattern::capture_type(std::string_view name) const {
  auto capture = std::ranges::find(machine_->captures, name, &PatternCapture::name);
  if (capture == machine_->captures.end()) return std::nullopt;
  return capture->type;
}

const std::string* Pattern::time_format(std::string_view name) const {
  auto capture = std::ranges::find(machine_->captures, name, &PatternCapture::name);
  bool is_time = capture != machine_->captures.end() && capture->type == CaptureType::time;
  return is_time ? &capture->time_format : nullptr;
}

bool Pattern::within_one_folder() const {
  auto rest = machine_->steps.begin() + static_cast<std::ptrdiff_t>(literal_prefix().size());
  return std::none_of(rest, machine_->steps.end(),
                      [](const PatternStep& step) { return step.bytes.test('/'); });
}

std::size_t Pattern::literal_bytes() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      machine_->steps, [](const PatternStep& step) { return step.bytes.count() == 1; }));
}

std::optional<std::string> Pattern::first_capture() const {
  std::size_t next = machine_->literal_prefix.size();
  if (next >= machine_->end() || machine_->steps[next].label < 0) return std::nullopt;
  int label = machine_->steps[next].label;
  for (const PatternCapture& capture : machine_->captures) {
    if (label >= capture.first_label && label < capture.end_label) return capture.name;
  }
  return std::nullopt;
}

}  // namespace forebay
