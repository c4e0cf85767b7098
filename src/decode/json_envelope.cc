#include "decode/json_envelope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/glob.h"
#include "decode/byte_source.h"

namespace forebay {

class JsonEnvelope::FieldSink final : public RowSink {
 public:
  explicit FieldSink(Fields& fields) : fields_(fields) {}
  Result<std::size_t> add_column(std::string_view name) override {
    names_.emplace_back(name);
    return names_.size() - 1;
  }
  void set(std::size_t column, std::string_view value, TextOrigin origin) override {
    fields_[names_[column]] = {std::string(value), origin};
  }
  Status end_row() override { return {}; }

 private:
  Fields& fields_;
  std::vector<std::string> names_;
};

class JsonEnvelope::RootSink final : public RowSink {
 public:
  explicit RootSink(JsonEnvelope& envelope) : envelope_(envelope) {}
  Result<std::size_t> add_column(std::string_view name) override {
    for (const RecordColumn& taken : envelope_.shape_.record) {
      if (taken.name == name && !taken.absent)
        return fail(undecodable(envelope_.object_,
                                fmt::format("row {}: it has a field \"{}\" itself, and one of that "
                                            "name is taken from the record",
                                            envelope_.row_, name),
                                "choose another name in decode.record"));
    }
    return envelope_.column_of(std::string(name));
  }
  void set(std::size_t column, std::string_view value, TextOrigin origin) override {
    envelope_.set_in_row_.insert(column);
    envelope_.rows_.set(column, value, origin);
  }
  Status end_row() override { return {}; }

 private:
  JsonEnvelope& envelope_;
};

JsonEnvelope::JsonEnvelope(const JsonShape& shape, const std::string& object, RowSink& rows)
    : shape_(shape), object_(object), rows_(rows) {}

Result<std::size_t> JsonEnvelope::add_column(std::string_view name) {
  names_.emplace_back(name);
  return names_.size() - 1;
}

void JsonEnvelope::set(std::size_t column, std::string_view value, TextOrigin origin) {
  record_[names_[column]] = {std::string(value), origin};
}

Status JsonEnvelope::end_row() {
  ++row_;
  if (!is_wanted()) {
    record_.clear();
    return {};
  }
  RETURN_IF_ERROR(read_root());
  RETURN_IF_ERROR(set_record());
  record_.clear();
  set_in_row_.clear();
  return rows_.end_row();
}

bool JsonEnvelope::is_wanted() const {
  return std::ranges::all_of(shape_.only, [this](const RecordFilter& filter) {
    const auto value = at(filter.path);
    return value && std::ranges::any_of(filter.values, [&](const std::string& allowed) {
             return matches_glob(allowed, value->text);
           });
  });
}

// One item of a list, by its number from 0. A number that is not whole is none: here it may have
// lost digits.
std::optional<JsonEnvelope::Field> JsonEnvelope::item(const std::string& list,
                                                      const std::string& number) {
  std::size_t at = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  const Json items = Json::parse(list, nullptr, false);
  if (!items.is_array() || at >= items.size() || items[at].is_null() ||
      items[at].is_number_float()) {
    return std::nullopt;
  }
  const Json& value = items[at];
  if (value.is_string()) return Field{value.get<std::string>(), TextOrigin::string};
  return Field{value.dump(), value.is_structured() ? TextOrigin::nested : TextOrigin::scalar};
}

// What the record has at this path, unless that is null or not there.
std::optional<JsonEnvelope::Field> JsonEnvelope::at(const std::vector<std::string>& path) const {
  Fields deeper;
  const Fields* fields = &record_;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto found = fields->find(path[i]);
    if (found == fields->end()) return std::nullopt;
    if (i + 1 == path.size()) return found->second;
    if (i + 2 == path.size() && found->second.text.starts_with('['))
      return item(found->second.text, path.back());
    if (!found->second.is_object()) return std::nullopt;
    Fields next;
    FieldSink sink(next);
    RowBuilder builder(false, sink);
    Json::sax_parse(found->second.text, &builder);
    deeper = std::move(next);
    fields = &deeper;
  }
  return std::nullopt;
}

Status JsonEnvelope::read_root() {
  RootSink sink(*this);
  if (shape_.roots.empty()) {
    for (const std::string& name : names_) {
      const auto field = record_.find(name);
      // A column that only other records have is none of these rows'.
      if (!shape_.only.empty() && field == record_.end()) continue;
      ASSIGN_OR_RETURN(const std::size_t column, sink.add_column(name));
      if (field != record_.end()) sink.set(column, field->second.text, field->second.origin);
    }
    return {};
  }
  for (const auto& path : shape_.roots) {
    const auto root = at(path);
    if (!root || !root->is_object()) continue;
    RowBuilder builder(false, sink);
    if (Json::sax_parse(root->text, &builder)) return {};
    if (builder.error()) return fail(*builder.error());
    return fail(undecodable(object_, fmt::format("row {}: {}", row_, builder.problem())));
  }
  if (shape_.may_lack_root) return {};
  std::vector<std::string> names;
  for (const auto& path : shape_.roots) names.push_back(fmt::format("/{}", fmt::join(path, "/")));
  return fail(undecodable(
      object_, fmt::format("row {}: none of {} is an object", row_, fmt::join(names, ", "))));
}

Status JsonEnvelope::set_record() {
  for (const RecordColumn& wanted : shape_.record) {
    ASSIGN_OR_RETURN(const std::size_t column, column_of(wanted.name));
    if (wanted.absent && set_in_row_.contains(column)) continue;
    const auto value = at(wanted.path);
    if (wanted.is_null) {
      rows_.set(column, value ? "false" : "true", TextOrigin::scalar);
    } else if (value) {
      rows_.set(column, value->text, value->origin);
    }
  }
  return {};
}

Result<std::size_t> JsonEnvelope::column_of(const std::string& name) {
  const auto known = columns_.find(name);
  if (known != columns_.end()) return known->second;
  ASSIGN_OR_RETURN(const std::size_t column, rows_.add_column(name));
  columns_.emplace(name, column);
  return column;
}

}  // namespace forebay
