#include "base/json_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace forebay {
namespace {

using Json = nlohmann::json;

// Builds the value from the parser's events, so that fields named twice and depth are seen.
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back().value.contains(name)) {
      problem_ = fmt::format("{} has the field \"{}\" twice", place(), name);
      return false;
    }
    open_.back().name = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& error) override {
    // The library's text begins with "[json.exception.…] parse error at …: "; the rest is for
    // people.
    std::string_view what = error.what();
    std::size_t colon = what.find(": ");
    problem_ = fmt::format("no JSON at byte {}: {}", position,
                           colon == what.npos ? what : what.substr(colon + 2));
    return false;
  }

  Json take() { return std::move(result_); }
  const std::string& problem() const { return problem_; }

 private:
  struct Open {
    Json value;
    std::string name;  // of the field that comes next, in an object
  };

  std::string place() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      path += open_[i].value.is_array() ? fmt::format("/{}", open_[i].value.size())
                                        : fmt::format("/{}", open_[i].name);
    }
    return path.empty() ? "the outermost object" : path;
  }

  bool add(Json value) {
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.push_back(std::move(value));
    } else {
      open_.back().value.emplace(std::move(open_.back().name), std::move(value));
    }
    return true;
  }

  bool open(Json value) {
    if (open_.size() >= kMaxDocumentDepth) {
      problem_ = fmt::format("is nested deeper than {} levels", kMaxDocumentDepth);
      return false;
    }
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  std::vector<Open> open_;
  Json result_;
  std::string problem_;
};

}  // namespace

Result<Json> read_json(std::string_view text, const std::string& object) {
  auto damaged = [&](std::string cause) {
    return fail({.code = ErrorCode::damaged,
                 .operation = "read document",
                 .object = object,
                 .cause = std::move(cause)});
  };
  if (text.size() > kMaxDocumentBytes) {
    return damaged(fmt::format("has {} bytes, more than {}", text.size(), kMaxDocumentBytes));
  }
  // The library takes a NUL byte for the end of the text.
  if (std::size_t nul = text.find('\0'); nul != text.npos) {
    return damaged(fmt::format("no JSON at byte {}: a NUL byte", nul + 1));
  }
  Builder builder;
  // The library promises not to throw from here but for what the handler throws; memory remains.
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return damaged(builder.problem());
  return builder.take();
}

const Json* json_at(const Json& value, std::string_view path) {
  const Json* at = &value;
  while (at != nullptr && path.starts_with('/')) {
    path.remove_prefix(1);
    std::string_view raw = path.substr(0, path.find('/'));
    path.remove_prefix(raw.size());
    std::string name;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      bool escape = raw[i] == '~' && i + 1 < raw.size() && (raw[i + 1] == '0' || raw[i + 1] == '1');
      name += !escape ? raw[i] : raw[++i] == '1' ? '/' : '~';
    }
    if (at->is_object()) {
      auto field = at->find(name);
      at = field == at->end() ? nullptr : &*field;
    } else if (at->is_array() && !name.empty() && name.size() < 10 &&
               name.find_first_not_of("0123456789") == name.npos && std::stoul(name) < at->size()) {
      at = &(*at)[std::stoul(name)];
    } else {
      at = nullptr;
    }
  }
  return at;
}

std::string json_name(const Json* value) {
  if (value == nullptr) return "nothing";
  if (value->is_object()) return "an object";
  if (value->is_array()) return "an array";
  if (value->is_null()) return "null";
  std::string text = value->dump(-1, ' ', true, Json::error_handler_t::replace);
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return text;
  // Cutting an escape in half does no harm in a message.
  return text.substr(0, kLongest) + "…\"";
}

}  // namespace forebay
