#pragma once

#include <gtest/gtest.h>

#include "pch.h"
