#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "feed/description.h"
#include "feed/yaml_reader.h"

namespace forebay {

// A text with the place to blame for it: in the description, or in the pipeline whose option it is.
struct BoundText {
  std::string text;
  ConfigPlace place;
};

// The value of the word that the text is, of pairs of words and values; invalid_config with the
// words that there are for any other text.
template <class Words>
auto choose_word(const BoundText& text, const Words& words)
    -> Result<std::remove_cvref_t<decltype(words.begin()->second)>> {
  std::vector<std::string> allowed;
  for (const auto& [word, value] : words) {
    if (word == text.text) return value;
    allowed.push_back(word);
  }
  return text.place.not_allowed(text.text, allowed);
}

using BoundMap = std::vector<std::pair<std::string, std::vector<BoundText>>>;

// Puts a pipeline's options into the places where a description says `{option: NAME}`, and
// remembers which options there are. Without options (a description is only looked at) every option
// that must be given has its own name for a value.
class OptionBinder {
 public:
  OptionBinder(std::string_view feed, const Options* options) : feed_(feed), options_(options) {}

  // A value that may be `{option: NAME, default: …}`; such an option may be left out: then its
  // default, else nothing.
  Result<std::vector<BoundText>> texts(const YamlValue& value);
  // The one text of such a value. An option without default must be given.
  Result<BoundText> text(const YamlValue& value);
  // What a pipeline's option chooses: {by: {option: NAME}, when: {word: value, …}} gives the value
  // of the word, and so on while that chooses again; `word` is the first one. Any other value is
  // its own choice, and `word` is empty.
  struct Choice {
    YamlValue value;
    std::string word;
  };
  Result<Choice> choose(const YamlValue& value);
  // An option that every feed or this kind of feed has: what the pipeline gives, else nothing.
  Result<std::optional<BoundText>> common(const std::string& name);
  Result<std::optional<std::vector<BoundText>>> common_list(const std::string& name);
  // The same for a mapping whose values are texts or lists of them, in its order.
  Result<std::optional<BoundMap>> common_map(const std::string& name);
  // An option as it was given, of a kind that its reader knows; nullptr: it was not.
  const OptionValue* raw(const std::string& name);
  // Such a mapping as a description writes it.
  static Result<BoundMap> map_of(const YamlValue& value);

  static bool is_option(const YamlValue& value) { return value.find("option").has_value(); }
  bool only_looking() const { return options_ == nullptr; }

  // What else the description is bound to: the companions that it names, the table for which its
  // rows' key is wanted, and the tables that have one of their own.
  std::vector<std::string> companions;
  std::string table;
  std::vector<std::string> keyed;

  // invalid_config for an option that nothing asked for, with the nearest that there is.
  Status check_all_known() const;
  std::vector<std::string> known() const { return {known_.begin(), known_.end()}; }
  std::vector<std::string> needed() const { return {needed_.begin(), needed_.end()}; }

 private:
  Result<std::optional<std::vector<BoundText>>> given(const std::string& name, bool list);
  void note_options(const YamlValue& value);

  std::string feed_;
  const Options* options_;
  std::set<std::string> known_;
  std::set<std::string> needed_;
};

}  // namespace forebay
