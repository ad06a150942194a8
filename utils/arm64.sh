# shellcheck shell=bash
# The other architecture: Clang makes everything for arm64, and qemu runs it. Not g++: its
# cross compiler and g++-multilib, which other tests need, exclude each other.
# Sourced by utils/dev, after utils/suites.sh.
# shellcheck disable=SC2154
#
#   arm64/       below the cache of suites: Debian 12's packages for arm64, unpacked
#   arm64-apt/   beside it: the lists of packages
#
# No program of it is known to the kernel outside of a namespace.
Arm64=$SuitesCache/arm64
Arm64Majors=(14 19)
Arm64Suites=(unit-shm "${Arm64Majors[@]/#/lit-clang-}")

arm64_obstacle() {
  suites_obstacle
  # Since Linux 6.7 a user namespace has its own list of what an emulator runs.
  unshare --user --map-root-user --mount mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null ||
    echo "this kernel has no binfmt_misc for namespaces"
}

# What is linked, and the Clangs, which are tested with or have a package.
arm64_packages() {
  tool_packages | tr ' ' '\n' | sed -n '/^lib\|^zlib\|^nlohmann/p'
  clang_packages "${Majors[@]}"
  echo libgtest-dev libgmock-dev
}

# arm64_apt COMMAND...: apt for a Debian of that architecture that has no package yet.
arm64_apt() {
  local State=$Arm64-apt
  mkdir -p "$State/lists/partial" "$State/archives/partial"
  : >"$State/status"
  apt-get -q -y --no-install-recommends -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o Dir::State::status="$State/status" -o Dir::State::lists="$State/lists" \
    -o Dir::Cache::archives="$State/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=5 -o Debug::NoLocking=1 "$@"
}

# arm64_known PACKAGE-FILE: is entered as installed, which dpkg asks for, and dpkg-shlibdeps, which
# looks from outside, so files of libraries have their names there.
arm64_known() {
  local Info=$Arm64.new/var/lib/dpkg/info Name Kind=foreign Part
  Name=$(dpkg-deb -f "$1" Package)
  for Part in symbols shlibs; do
    dpkg-deb -I "$1" "$Part" >"$Info/$Name:arm64.$Part" 2>/dev/null && Kind=same || rm "$Info/$Name:arm64.$Part"
  done
  [[ $Kind == foreign ]] ||
    dpkg-deb --fsys-tarfile "$1" | tar -t | sed "s|/$||; s|^\.\(/usr\)\?|$Arm64/usr|" >"$Info/$Name:arm64.list"
  printf '%s\nStatus: install ok installed\nMulti-Arch: %s\nMaintainer: none\nDescription: none\n\n' \
    "$(dpkg-deb -f "$1" Package Version Architecture)" $Kind >>"$Info/../status"
}

# Nothing is configured there: compilers and libraries need only be in their places.
arm64_root() {
  local Folder File
  rm -rf "$Arm64.new"
  # shellcheck disable=SC2046 # one word per package is meant
  arm64_apt update && arm64_apt --download-only install $(arm64_packages) || return
  for Folder in bin lib sbin; do
    mkdir -p "$Arm64.new/usr/$Folder"
    ln -s "usr/$Folder" "$Arm64.new/$Folder"
  done
  mkdir -p "$Arm64.new/var/lib/dpkg/info"
  echo 1 >"$Arm64.new/var/lib/dpkg/info/format"
  for File in "$Arm64-apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$File" | tar -x -C "$Arm64.new" --keep-directory-symlink || return
    arm64_known "$File"
  done
  # Links that begin at / would lead out of it.
  find "$Arm64.new/usr" -type l -lname '/*' | while read -r File; do
    ln -sfnr "$Arm64.new$(readlink "$File")" "$File"
  done
  rm -rf "$Arm64-apt/archives" "$Arm64"
  arm64_packages >"$Arm64.new/var/lib/dpkg/instantrace-packages"
  mv "$Arm64.new" "$Arm64"
}

# in_arm64 COMMAND...: where the kernel starts that architecture's programs by qemu.
in_arm64() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --user --map-root-user --mount bash -c '
    set -e
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    # 64-bit ELF, little-endian; a program or a library; EM_AARCH64.
    Magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    Mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    printf %s ":aarch64:M:0:$Magic:$Mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
    exec "$@"' bash env QEMU_LD_PREFIX="$Arm64" "$@"
}

# make_arm64: what is missing of it.
make_arm64() {
  local Why
  Why=$(arm64_obstacle)
  [[ -z $Why ]] || { say "arm64: $Why" >&2; return 1; }
  cross_packages() {
    tool_packages
    clang_packages "$NewestMajor"
    echo binutils-aarch64-linux-gnu dpkg-dev python3 qemu-user-static
  }
  can_install cross_packages && install_missing || return
  cmp -s <(arm64_packages) "$Arm64/var/lib/dpkg/instantrace-packages" ||
    step arm64-root "unpacking what is built and tested with for arm64" arm64_root
}

# configure_arm64 FOLDER MAJORS OPTION...
configure_arm64() {
  cmake --preset whole -B "$1" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    "-DCMAKE_CXX_COMPILER=clang++-$NewestMajor" -DCMAKE_CXX_COMPILER_TARGET=aarch64-linux-gnu \
    -DCMAKE_SYSROOT="$Arm64" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
    -DINSTANTRACE_LLVM_PREFIX="$Arm64/usr/lib/llvm-" "-DINSTANTRACE_CLANG_MAJORS=${2// /;}" \
    -DINSTANTRACE_REQUIRE_ALL_CLANGS=ON "${@:3}"
}

# The tool writes its manual pages once it is built, and so has to run there.
build_arm64() {
  configure_arm64 build/arm64 "${Arm64Majors[*]}" -DINSTANTRACE_UNIT_TESTS=OFF \
    -DINSTANTRACE_TOOL_OPTIONS=-O0 "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG" &&
    in_arm64 cmake --build build/arm64 -j "$Jobs" --target instantrace instantrace-agreement instantrace-make-buffer \
      instantrace_loader "${Arm64Majors[@]/#/instantrace_clang_}" instantrace_shm_tests
}

# Results are build/arm64/test-results/SUITE.json.
test_arm64() {
  local Suite
  make_arm64 || return
  step arm64-build "building for arm64, with Clang ${Arm64Majors[*]}" build_arm64 || return
  rm -rf build/arm64/test-results
  mkdir -p build/arm64/test-results
  for Suite in "${Arm64Suites[@]}"; do
    step "arm64-$Suite" "testing $Suite on arm64" in_arm64 \
      ctest --test-dir build/arm64 --output-on-failure -R "^$Suite\$" || say "$Suite on arm64: failed"
  done
}

# Packages in build/packages/arm64, which apt could install on a Debian 12 of that architecture.
# What is installed below a folder runs under qemu.
package_arm64() {
  local Build=build/packages/arm64
  configure_arm64 "$Build" "${Majors[*]}" -DBUILD_TESTING=OFF -DCPACK_DEBIAN_PACKAGE_ARCHITECTURE=arm64 \
    "-DCPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS=$Arm64/usr/lib/aarch64-linux-gnu" &&
    in_arm64 cmake --build "$Build" -j "$Jobs" &&
    rm -f "$Build"/*.deb &&
    DPKG_ADMINDIR=$Arm64/var/lib/dpkg cpack --config "$Build/CPackConfig.cmake" -G DEB -B "$Build" &&
    arm64_apt update && arm64_apt -s install "$Root/$Build"/*.deb &&
    check_packages "$NewestMajor" in_arm64 env DPKG_ADMINDIR="$Arm64/var/lib/dpkg" \
      python3 -B test/packaging/Inputs/install-packages.py "$Build/CPackConfig.cmake" "$Build" "$Build/check" "$Arm64/usr/lib/llvm-"
}
