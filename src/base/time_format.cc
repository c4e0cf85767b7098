#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "base/time_fields.h"
#include "base/time_text.h"

// The strftime-like half of base/time_text.h.
namespace forebay {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using time_fields::Fields;
using time_fields::Reader;
using time_fields::to_fields;
using time_fields::to_time;

// The range of %s: year 1 to year 9999.
constexpr std::int64_t kFirstSecond = -62'135'596'800;
constexpr std::int64_t kLastSecond = 253'402'300'799;

// One piece of a format: a directive, or a character that stands for itself.
struct Piece {
  char directive = '\0';  // '\0': a literal
  bool unpadded = false;
  std::string_view text;  // as it stands in the format
};

// Takes the next piece off `format`. nullopt: a directive that does not exist.
std::optional<Piece> next_piece(std::string_view& format) {
  std::size_t size = 1;
  Piece piece;
  if (format[0] == '%') {
    piece.unpadded = format.size() > 2 && format[1] == '-';
    size = piece.unpadded ? 3 : 2;
    if (format.size() < size) return std::nullopt;
    piece.directive = format[size - 1];
    const std::string_view known = piece.unpadded ? "mdHMS" : "YmdHMSjfs%";
    if (known.find(piece.directive) == std::string_view::npos) return std::nullopt;
  }
  piece.text = format.substr(0, size);
  format.remove_prefix(size);
  return piece;
}

// The fields of one parse; each may be set once, or again to the same value.
class Collected {
 public:
  bool set(char directive, std::int64_t value) {
    auto& slot = slots_[kOrder.find(directive)];
    if (slot && *slot != value) return false;
    slot = value;
    return true;
  }

  std::optional<Time> time() const {
    if (const auto epoch = get('s')) {
      if (*epoch < kFirstSecond || *epoch > kLastSecond) return std::nullopt;
      const Time whole{seconds(*epoch)};
      return agrees_with(to_fields(whole)) ? std::optional(whole + fraction()) : std::nullopt;
    }
    Fields f;
    if (!get('Y')) return std::nullopt;
    f.year = field('Y', 0);
    f.month = field('m', 1);
    f.day = field('d', 1);
    f.hour = field('H', 0);
    f.minute = field('M', 0);
    f.second = field('S', 0);
    auto time = to_time(f);
    if (!time || !get('j')) return time ? std::optional(*time + fraction()) : std::nullopt;
    if (field('j', 0) < 1 || f.year < 1) return std::nullopt;
    if (!get('m') && !get('d')) *time += days(field('j', 1) - 1);
    return agrees_with(to_fields(*time)) ? std::optional(*time + fraction()) : std::nullopt;
  }

 private:
  static constexpr std::string_view kOrder = "YmdHMSjfs";

  std::optional<std::int64_t> get(char directive) const { return slots_[kOrder.find(directive)]; }
  int field(char directive, int otherwise) const {
    return static_cast<int>(get(directive).value_or(otherwise));
  }
  Duration fraction() const { return Duration(get('f').value_or(0)); }

  bool agrees_with(const Fields& f) const {
    const Fields first{.year = f.year};
    const auto year_day = std::chrono::duration_cast<days>(
        *to_time({.year = f.year, .month = f.month, .day = f.day}) - *to_time(first));
    return get('Y').value_or(f.year) == f.year && get('m').value_or(f.month) == f.month &&
           get('d').value_or(f.day) == f.day && get('H').value_or(f.hour) == f.hour &&
           get('M').value_or(f.minute) == f.minute && get('S').value_or(f.second) == f.second &&
           get('j').value_or(year_day.count() + 1) == year_day.count() + 1;
  }

  std::array<std::optional<std::int64_t>, 9> slots_{};
};

void append_piece(std::string& out, const Piece& piece, const Fields& f, Time time) {
  const auto two = [&](int value) {
    out += piece.unpadded ? fmt::format("{}", value) : fmt::format("{:02}", value);
  };
  const auto from_epoch = time.time_since_epoch();
  switch (piece.directive) {
    case 'Y': out += fmt::format("{:04}", f.year); break;
    case 'm': two(f.month); break;
    case 'd': two(f.day); break;
    case 'H': two(f.hour); break;
    case 'M': two(f.minute); break;
    case 'S': two(f.second); break;
    case 'j': {
      const auto year = std::chrono::year{f.year} / 1 / 1;
      const auto day = std::chrono::floor<days>(time) - std::chrono::sys_days(year);
      out += fmt::format("{:03}", day.count() + 1);
      break;
    }
    case 'f': out += fmt::format("{:06}", f.micros); break;
    case 's': out += fmt::format("{}", std::chrono::floor<seconds>(from_epoch).count()); break;
    case '%': out += '%'; break;
    default: out += piece.text;
  }
}

}  // namespace

bool valid_time_format(std::string_view format) {
  bool dated = false;
  while (!format.empty()) {
    const auto piece = next_piece(format);
    if (!piece) return false;
    dated = dated || piece->directive == 'Y' || piece->directive == 's';
  }
  return dated;
}

std::optional<Time> parse_time_prefix(std::string_view text, std::string_view format,
                                      std::size_t* used) {
  Reader in(text);
  Collected collected;
  while (!format.empty()) {
    const auto piece = next_piece(format);
    if (!piece) return std::nullopt;
    const std::size_t least = piece->unpadded ? 1 : 2;
    std::int64_t value = 0;
    switch (piece->directive) {
      case '\0': in.literal(piece->text); break;
      case '%': in.literal("%"); break;
      case 'Y': value = in.number(4, 4); break;
      case 'j': value = in.number(3, 3); break;
      case 'f': value = in.fraction(); break;
      case 's': value = in.epoch_seconds(); break;
      default: value = in.number(least, 2);
    }
    if (!in.ok()) return std::nullopt;
    const bool field = piece->directive != '\0' && piece->directive != '%';
    if (field && !collected.set(piece->directive, value)) return std::nullopt;
  }
  *used = in.used();
  return collected.time();
}

std::optional<Time> parse_time(std::string_view text, std::string_view format) {
  std::size_t used = 0;
  const auto time = parse_time_prefix(text, format, &used);
  return used == text.size() ? time : std::nullopt;
}

std::string format_time(Time time, std::string_view format) {
  const Fields f = to_fields(time);
  std::string out;
  while (!format.empty()) {
    if (const auto piece = next_piece(format)) {
      append_piece(out, *piece, f, time);
    } else {
      out += format.front();
      format.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace forebay
