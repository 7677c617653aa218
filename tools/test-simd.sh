#!/bin/sh
# Runs the tests of the query core at the SIMD levels of other processors: NEON under QEMU, the simd128 of WebAssembly
# under Node.js. Skips, and says so, what this machine lacks the tools for. `--bench` compares the speed of simd128 with
# that of the portable level, too. What is needed:
#
# - the standard library of the targets: `rustup target add aarch64-unknown-linux-gnu wasm32-wasip1`; or, where rustup
#   cannot download it, Debian's rustc-web, cargo-web and rust-web-src, which build it, with lld-19 and wasi-libc
# - NEON: qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross (names of Debian's packages)
# - simd128: Node.js 20 or later
set -eu
case "${1:-}" in
    '') bench= ;;
    --bench) bench=yes ;;
    *) echo 'usage: tools/test-simd.sh [--bench]' >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null 2>&1; }
skip() { printf 'skipped: %s\n' "$*"; }

# Whether the default compiler has the standard library of a target.
has_std() { [ -n "$(find "$(rustc --print target-libdir --target "$1")" -name 'libstd-*' 2>/dev/null)" ]; }

debian_sources=/usr/lib/rustlib/src/rust/library/std
can_build_std() { [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -d "$debian_sources" ]; }

# for_target TARGET COMMAND ARGUMENT...: cargo, with the standard library that the target has or can be given. Optimized:
# otherwise the emulated tests take many minutes. With panics that unwind, as tests have them: of the release profile, whose panics
# abort, a standard library of its own would be built beside that of the tests.
folder=target/simd
for_target() {
    target=$1
    command=$2
    shift 2
    set -- "$command" -p ironlands-sim-core --profile bindings --locked --target "$target" --target-dir "$folder" "$@"
    if has_std "$target"; then
        cargo "$@"
    else
        # With the compiler of the same version: rustc 1.95.0 makes 34 errors of the `core` of 1.96.0, whose intrinsics it
        # does not know.
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo -Zbuild-std=std,panic_abort "$@"
    fi
}

# The operations of each level one at a time, and queries at all levels against each other and against plain loops.
test_target() {
    for_target "$1" test --lib simd
    for_target "$1" test --test triangles -- agreement:: exact::
}

test_neon() {
    target=aarch64-unknown-linux-gnu
    has_std $target || can_build_std || { skip "NEON: no standard library for $target"; return; }
    has qemu-aarch64 || { skip 'NEON: no qemu-aarch64'; return; }
    has aarch64-linux-gnu-gcc || { skip 'NEON: no aarch64-linux-gnu-gcc'; return; }
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    # Emulated, some tests take fewer queries.
    runner='qemu-aarch64 -L /usr/aarch64-linux-gnu -E IRONLANDS_EMULATED=1'
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$runner"
    test_target $target
}

test_simd128() {
    target=wasm32-wasip1
    has node || { skip 'simd128: no Node.js'; return; }
    debian=
    if ! has_std $target; then
        library=/usr/lib/wasm32-wasi
        can_build_std && has wasm-ld-19 && [ -e $library/libc.a ] ||
            { skip "simd128: no standard library for $target"; return; }
        # What the library lacks is in tools/wasi.mjs.
        debian="-Clinker=wasm-ld-19 -Clink-self-contained=no -Clink-arg=--import-undefined"
        debian="$debian -Clink-arg=$library/crt1-command.o -Lnative=$library"
    fi
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Ctarget-feature=+simd128 $debian"
    export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/tools/wasi.mjs"
    test_target $target
    [ -n "$bench" ] || return 0
    # Optimized from the start: else the first rounds run what Node.js compiles in a hurry.
    export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings --no-liftoff $PWD/tools/wasi.mjs"
    for_target $target run --example simd_levels
    # Where a browser lacks simd128: here the compiler cannot vectorize the portable level either.
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$debian"
    folder=target/simd-plain
    for_target $target run --example simd_levels
}

test_neon
test_simd128
