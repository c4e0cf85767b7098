#pragma once

#include "engine/column_type.h"
#include "feed/type_name.h"

namespace forebay {

// The type that a description or a pipeline means by a name.
ColumnType column_type(const TypeName& name);

}  // namespace forebay
