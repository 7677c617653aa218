# Sourced by ./run and ./test: makes sure that what a fresh machine may lack is there, and touches nothing else.
#
# - a C linker, which cargo needs
# - with the argument `headless`, for the tests: a C++ compiler, which the fuzz targets are linked with
# - a Vulkan driver: Mesa's software driver (lavapipe), only if the machine has no Vulkan driver at all
# - with the argument `window` and a display: the libraries that a window loads at run time
# Only Linux needs any of it; macOS and Windows draw through Metal and Direct3D 12.

say() { printf 'ironlands setup: %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else
        say "root rights are needed for: $*"
        return 1
    fi
}

# install_packages WHAT-FOR APT-NAMES DNF-NAMES PACMAN-NAMES ZYPPER-NAMES
install_packages() {
    say "installing $1 with the system's package manager"
    if command -v apt-get >/dev/null 2>&1; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $2 >&2
    elif command -v dnf >/dev/null 2>&1; then as_root dnf install -y -q $3 >&2
    elif command -v pacman >/dev/null 2>&1; then as_root pacman -S --needed --noconfirm $4 >&2
    elif command -v zypper >/dev/null 2>&1; then as_root zypper --non-interactive install $5 >&2
    else
        say "no known package manager here; please install $1 by hand"
        return 1
    fi
}

has_vulkan_driver() {
    [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return 0
    for folder in /usr/share /usr/local/share /etc /usr/local/etc \
        "${XDG_DATA_HOME:-$HOME/.local/share}" "${XDG_CONFIG_HOME:-$HOME/.config}"; do
        for driver in "$folder"/vulkan/icd.d/*.json; do
            [ -e "$driver" ] && return 0
        done
    done
    # NixOS keeps its drivers in a place of its own.
    [ -d /run/opengl-driver/share/vulkan/icd.d ]
}

has_library() {
    for folder in /lib /lib64 /usr/lib /usr/lib64 /usr/local/lib /lib/*-linux-gnu /usr/lib/*-linux-gnu \
        /run/opengl-driver/lib; do
        [ -e "$folder/$1" ] && return 0
    done
    command -v ldconfig >/dev/null 2>&1 && ldconfig -p 2>/dev/null | grep -q -F "$1"
}

ensure_rust() {
    command -v cargo >/dev/null 2>&1 && return 0
    if [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH="$HOME/.cargo/bin:$PATH"
        export PATH
        return 0
    fi
    say "Rust is not installed. Install the stable toolchain with rustup (https://rustup.rs), then run this again."
    return 1
}

ensure_linker() {
    command -v cc >/dev/null 2>&1 ||
        install_packages "a C linker" "gcc libc6-dev" gcc gcc gcc
}

ensure_cpp_compiler() {
    command -v c++ >/dev/null 2>&1 ||
        install_packages "a C++ compiler" g++ gcc-c++ gcc gcc-c++
}

ensure_vulkan() {
    if has_vulkan_driver && has_library libvulkan.so.1; then return 0; fi
    if has_vulkan_driver; then
        install_packages "the Vulkan loader" libvulkan1 vulkan-loader vulkan-icd-loader libvulkan1
    else
        install_packages "Mesa's software Vulkan driver" "mesa-vulkan-drivers libvulkan1" \
            "mesa-vulkan-drivers vulkan-loader" "vulkan-swrast vulkan-icd-loader" "libvulkan_lvp libvulkan1"
    fi
}

ensure_window_libraries() {
    if [ -n "${WAYLAND_DISPLAY:-}${WAYLAND_SOCKET:-}" ]; then ensure_wayland_libraries || return; fi
    if [ -n "${DISPLAY:-}" ]; then ensure_x11_libraries; fi
}

ensure_wayland_libraries() {
    for library in libwayland-client.so.0 libxkbcommon.so.0; do
        if ! has_library "$library"; then
            install_packages "the Wayland libraries of a window" \
                "libwayland-client0 libxkbcommon0" \
                "libwayland-client libxkbcommon" \
                "wayland libxkbcommon" \
                "libwayland-client0 libxkbcommon0"
            return
        fi
    done
}

ensure_x11_libraries() {
    for library in libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxkbcommon-x11.so.0; do
        if ! has_library "$library"; then
            install_packages "the X11 libraries of a window" \
                "libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0" \
                "libX11 libX11-xcb libXcursor libXi libxkbcommon-x11" \
                "libx11 libxcursor libxi libxkbcommon-x11" \
                "libX11-6 libX11-xcb1 libXcursor1 libXi6 libxkbcommon-x11-0"
            return
        fi
    done
}

ensure_rust || exit 2
if [ "$(uname -s)" = Linux ]; then
    ensure_linker || exit 2
    ensure_vulkan || exit 2
    if [ "${1:-}" = headless ]; then ensure_cpp_compiler || exit 2; fi
    if [ "${1:-}" = window ]; then ensure_window_libraries || exit 2; fi
fi
