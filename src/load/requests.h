#pragma once

#include "store/object_store.h"

namespace forebay {

inline RequestCounts& operator+=(RequestCounts& sum, const RequestCounts& more) {
  sum.list += more.list;
  sum.get += more.get;
  sum.head += more.head;
  sum.other += more.other;
  return sum;
}

// Those made since `before`.
inline RequestCounts operator-(const RequestCounts& after, const RequestCounts& before) {
  return {.list = after.list - before.list,
          .get = after.get - before.get,
          .head = after.head - before.head,
          .other = after.other - before.other};
}

}  // namespace forebay
