# The commands of the README. Everything else is `cmake --workflow --preset NAME`, see docs/HACKING.md.
.PHONY: demo build test fast bench soak fuzz format tidy clean
.DEFAULT_GOAL := build

# What ships, in build/release/forebay.
build:
	scripts/setup --build-only
	cmake --preset release
	cmake --build --preset release --parallel $$(nproc)

# Builds the program and loads a small feed in front of you.
demo: build
	scripts/demo

# Everything that must hold before a change is taken. ctest's summary is the last thing it prints.
# Suites wait for servers and disks now and then: one more than there are processors fills them.
test:
	scripts/setup
	cmake --preset release -DFOREBAY_TESTS=ON
	cmake --build --preset release --parallel $$(nproc)
	ctest --preset full --parallel $$(($$(nproc) + 1))

# The tests that take seconds.
fast:
	cmake --workflow --preset dev

bench:
	scripts/setup
	cmake --preset release -DFOREBAY_BENCH=ON
	cmake --build --preset release --parallel $$(nproc)
	bench/run

# Hours, by hand, before a release: sanitizers, and the long forms of the tests that have one.
soak:
	scripts/setup
	cmake --workflow --preset asan
	cmake --workflow --preset tsan
	$(MAKE) test
	FOREBAY_SOAK=1 ctest --preset full
	$(MAKE) fuzz SECONDS=600

# Every parser of foreign bytes under libFuzzer, so many seconds each.
SECONDS ?= 60
fuzz:
	scripts/setup --dev
	cmake --workflow --preset fuzz
	scripts/fuzz --seconds $(SECONDS)

format:
	scripts/format

tidy:
	scripts/setup --dev
	cmake --preset dev
	cmake --build --preset dev --target header_check
	cmake --workflow --preset tidy

clean:
	rm -rf build
