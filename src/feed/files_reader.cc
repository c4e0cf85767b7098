// `files:` of a description: where the files of a unit that is a document or a folder are found.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "feed/description_reader.h"

namespace forebay {
namespace {

constexpr ValueScope kDocument{.document = true};
constexpr ValueScope kEntry{.document = true, .entry = true};

class FilesReader {
 public:
  FilesReader(const YamlValue& files, OptionBinder& binder, Feed& feed)
      : files_(files), binder_(binder), feed_(feed) {}

  Status read() {
    if (feed_.unit.folder || files_.find("folder")) return read_folder();
    RETURN_IF_ERROR(files_.only({"list", "path", "table", "rows", "size", "hash", "status", "moved",
                                 "repeated", "folder", "match"}));
    if (auto match = files_.find("match"))
      return match->wrong("chooses among the files of a folder: needs `folder`");
    RETURN_IF_ERROR(read_list());
    RETURN_IF_ERROR(read_path());
    ASSIGN_OR_RETURN(YamlValue table, files_.need("table"));
    ASSIGN_OR_RETURN(rule_.table, read_value(table, binder_, kEntry));
    RETURN_IF_ERROR(check_above(table, rule_.table));
    RETURN_IF_ERROR(read_count("rows", rule_.rows));
    RETURN_IF_ERROR(read_count("size", rule_.size));
    if (auto hash = files_.find("hash")) {
      ASSIGN_OR_RETURN(rule_.hashes, read_hashes(*hash, binder_, kEntry));
    }
    if (auto status = files_.find("status")) {
      ASSIGN_OR_RETURN(rule_.status, read_file_status(*status, binder_));
    }
    if (auto moved = files_.find("moved")) {
      ASSIGN_OR_RETURN(rule_.moved, moved->text());
      RETURN_IF_ERROR(check_template(*moved, rule_.moved, feed_.unit));
      if (rule_.hashes.empty()) return moved->wrong("needs `hash`, which tells the file again");
    }
    if (auto repeated = files_.find("repeated")) {
      RETURN_IF_ERROR(repeated->word({"once"}));
      if (rule_.hashes.empty()) return repeated->wrong("needs `hash`, which tells the file again");
      rule_.once = true;
    }
    feed_.files = std::move(rule_);
    return {};
  }

 private:
  // `/files`, [`/tables`, files], `lines`, or {members: /tables, named: [texts]}.
  Status read_list() {
    ASSIGN_OR_RETURN(YamlValue list, files_.need("list"));
    if (list.is_map()) return read_members(list);
    ASSIGN_OR_RETURN(std::vector<std::string> texts, list.texts());
    if (texts.size() > 2)
      return list.wrong("must be a path, or a path and the field of its entries with the files");
    if (texts.size() == 2) rule_.below = std::move(texts[1]);
    rule_.list = std::move(texts.front());
    if (rule_.list == "lines" && rule_.below.empty()) {
      rule_.lines = true;
      rule_.list = "/lines";
    }
    if (rule_.below.starts_with('/'))
      return list.wrong(fmt::format("\"{}\" must be a field's name", rule_.below));
    if (rule_.list.starts_with('/')) return {};
    return list.wrong(
        fmt::format("\"{}\" must be a path in the document, such as /files, or lines", rule_.list));
  }

  // {lines: FORMS, others: skip}
  Status read_text_lines(const YamlValue& list, const YamlValue& lines) {
    RETURN_IF_ERROR(list.only({"lines", "others"}));
    ASSIGN_OR_RETURN(rule_.forms, read_line_forms(lines));
    rule_.lines = true;
    rule_.list = "/lines";
    const auto others = list.find("others");
    if (!others) return {};
    RETURN_IF_ERROR(others->word({"skip"}));
    rule_.pass_others = true;
    return {};
  }

  Status read_members(const YamlValue& list) {
    if (const auto lines = list.find("lines")) return read_text_lines(list, *lines);
    RETURN_IF_ERROR(list.only({"members", "named"}));
    ASSIGN_OR_RETURN(const YamlValue members, list.need("members"));
    ASSIGN_OR_RETURN(rule_.list, members.text());
    if (!rule_.list.starts_with('/'))
      return members.wrong(
          fmt::format("\"{}\" must be a path in the document, such as /tables", rule_.list));
    rule_.members = true;
    auto named = list.find("named");
    if (rule_.list == "/" && !named)
      return list.wrong("needs `named`: what else the document says are members, too");
    if (!named) return {};
    ASSIGN_OR_RETURN(rule_.named, read_distinct(*named));
    return {};
  }

  Status read_path() {
    ASSIGN_OR_RETURN(YamlValue path, files_.need("path"));
    RETURN_IF_ERROR(path.only({"field", "from", "bucket"}));
    rule_.path.from = ValueRef::From::entry;
    if (auto field = path.find("field")) {  // else the entries are texts
      ASSIGN_OR_RETURN(rule_.path.name, field->text());
    }
    ASSIGN_OR_RETURN(YamlValue from, path.need("from"));
    ASSIGN_OR_RETURN(std::string base, from.word({"bucket", "document", "source", "uri"}));
    rule_.base = base == "bucket"     ? PathBase::bucket
                 : base == "document" ? PathBase::document
                 : base == "uri"      ? PathBase::uri
                                      : PathBase::source;
    auto bucket = path.find("bucket");
    if (!bucket) return {};
    if (rule_.base != PathBase::bucket) return bucket->wrong("belongs to `from: bucket`");
    ASSIGN_OR_RETURN(rule_.bucket, read_value(*bucket, binder_, kDocument));
    return {};
  }

  Status check_above(const YamlValue& place, const ValueRef& ref) const {
    if (ref.from == ValueRef::From::above && !rule_.has_above())
      return place.wrong("there is no list above the entries: `list` has one part");
    return {};
  }

  // A flag, or no document at all: the unit is what lies in a folder.
  Status read_folder() {
    FilesRule rule;
    if (feed_.unit.folder) {
      RETURN_IF_ERROR(files_.only({"match", "table"}));
    } else {
      RETURN_IF_ERROR(files_.only({"folder", "match", "table"}));
      ASSIGN_OR_RETURN(const YamlValue folder, files_.need("folder"));
      ASSIGN_OR_RETURN(rule.folder, folder.text());
      if (!rule.folder.ends_with('/')) return folder.wrong("must end in a slash");
      RETURN_IF_ERROR(check_template(folder, rule.folder, feed_.unit));
    }
    ASSIGN_OR_RETURN(YamlValue table, files_.need("table"));
    ASSIGN_OR_RETURN(rule.table, read_value(table, binder_, {.document = !feed_.unit.folder}));
    if (auto match = files_.find("match")) {
      ASSIGN_OR_RETURN(const std::vector<BoundText> texts, binder_.texts(*match));
      if (texts.size() != 1) return match->wrong("takes one pattern");
      ASSIGN_OR_RETURN(rule.match, read_pattern(texts.front()));
    }
    feed_.files = std::move(rule);
    return {};
  }

  Status read_count(std::string_view key, std::optional<ValueRef>& count) {
    auto value = files_.find(key);
    if (!value) return {};
    ASSIGN_OR_RETURN(count, read_value(*value, binder_, kEntry));
    RETURN_IF_ERROR(check_above(*value, *count));
    const bool counts = count->from == ValueRef::From::entry ||
                        count->from == ValueRef::From::above ||
                        count->from == ValueRef::From::document;
    if (!counts) return value->wrong("must be a field or a path in the document");
    return {};
  }

  const YamlValue& files_;
  OptionBinder& binder_;
  Feed& feed_;
  FilesRule rule_;
};

}  // namespace

Status read_files(const YamlValue& files, OptionBinder& binder, Feed& feed) {
  return FilesReader(files, binder, feed).read();
}

}  // namespace forebay
