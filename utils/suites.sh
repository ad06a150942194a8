# shellcheck shell=bash
# Debian's other suites, each in a folder of its own, for the Clangs that Debian 12 does
# not have. Sourced by utils/dev, whose Root and Jobs it uses.
# shellcheck disable=SC2154
#
#   cache:   INSTANTRACE_SUITES_CACHE, else ~/.cache/instantrace/suites; kept between runs
#   trixie/  made by debootstrap, with packages by apt; sid/ has those of experimental, too
#
# A folder is entered by chroot in a mount namespace: nothing is mounted outside of it.
# The checkout is /checkout/src there, and build/suites/NAME is the build.
SuitesCache=${INSTANTRACE_SUITES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/instantrace/suites}

# The Clangs of a folder, of plugin/clang-majors.txt.
suite_majors() {
  local In="$1"
  [[ $In != sid ]] || In='sid\|experimental'
  sed -n "s/^\([0-9]*\) \($In\)$/\1/p" plugin/clang-majors.txt
}

# Why no suite can be had here; nothing where it can.
suites_obstacle() {
  local Free
  if [[ $(id -u) != 0 ]]; then
    echo "only root can make one"
  elif ! command -v apt-get >/dev/null; then
    echo "this is not a Debian system"
  elif ! unshare --mount true 2>/dev/null; then
    echo "mount namespaces are not allowed here"
  else
    mkdir -p "$SuitesCache"
    Free=$(df --output=avail -BG "$SuitesCache" | tail -1 | tr -dc 0-9)
    [[ $Free -ge 6 ]] || echo "$SuitesCache has $Free GB free, and 6 are needed"
  fi
}

# in_suite NAME COMMAND...
in_suite() {
  local Dir=$SuitesCache/$1
  shift
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --propagation private bash -c '
    set -e
    Dir=$1 Root=$2; shift 2
    mount -t proc proc "$Dir/proc"
    mount --rbind /dev "$Dir/dev"
    mkdir -p "$Dir/checkout/src"
    mount --bind "$Root" "$Dir/checkout/src"
    if [[ -d $Root/../shared ]]; then
      mkdir -p "$Dir/checkout/shared"
      mount --bind -o ro "$Root/../shared" "$Dir/checkout/shared"
    fi
    exec chroot "$Dir" /usr/bin/env -i HOME="$HOME" TERM=dumb LANG=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive LIT_OPTS="${LIT_OPTS:-}" "$@"' bash "$Dir" "$Root" "$@"
}

# Where this system gets its own packages.
debian_site() {
  local Sites
  # shellcheck disable=SC2016 # apt's own variables
  mapfile -t Sites < <(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' \
    'Created-By: Packages' 'Codename: bookworm' | sed -n 's/ main$//p')
  [[ ${#Sites[@]} != 0 ]] || { echo "apt has no lists of Debian 12" >&2; return 1; }
  echo "${Sites[0]}"
}

# suite_folder NAME: the least of a Debian. What an earlier run did not finish begins anew.
suite_folder() {
  local Dir=$SuitesCache/$1 Site
  Site=$(debian_site) || return
  rm -rf "$Dir.new"
  unshare --mount --propagation private \
    debootstrap --variant=minbase --components=main "$1" "$Dir.new" "$Site" || return
  # A mirror may be a snapshot, whose lists say that they have expired.
  cat >"$Dir.new/etc/apt/apt.conf.d/90instantrace" <<'END'
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "5";
APT::Install-Recommends "false";
DPkg::Options:: "--force-unsafe-io";
END
  apt-config dump | grep -i '^Acquire::.*proxy' >>"$Dir.new/etc/apt/apt.conf.d/90instantrace" || true
  [[ $1 != sid ]] || echo "deb $Site experimental main" >"$Dir.new/etc/apt/sources.list.d/experimental.list"
  mv "$Dir.new" "$Dir"
}

# suite_packages NAME MAJOR...: those that the tool, the plugin and their tests need there.
suite_packages() {
  tool_packages
  clang_packages "${@:2}"
  echo dpkg-dev g++ git python3 file gdb strace valgrind zstd libgtest-dev libgmock-dev
  echo libboost-dev libeigen3-dev librange-v3-dev # the corpus
  if [[ $1 == trixie ]]; then echo llvm-19-tools; else echo llvm-21-tools; fi
}

# install_in_suite NAME MAJOR...
install_in_suite() {
  local Dir=$SuitesCache/$1
  cp /etc/resolv.conf "$Dir/etc/"
  # shellcheck disable=SC2046 # one word per package is meant
  in_suite "$1" apt-get update && in_suite "$1" apt-get install -y $(suite_packages "$@") || return
  # Debian's Clang 18 records the command line with -g, and so says that it has -fplugin.
  local Config=$Dir/usr/lib/llvm-18/bin
  [[ ! -d $Config ]] || echo -gno-record-command-line | tee "$Config/clang.cfg" >"$Config/clang++.cfg"
  suite_packages "$@" >"$Dir/etc/instantrace-packages"
}

# make_suite NAME MAJOR...: what is missing of it.
make_suite() {
  local Name=$1 Dir=$SuitesCache/$1
  if [[ ! -d $Dir ]]; then
    command -v debootstrap >/dev/null ||
      step debootstrap "installing debootstrap" apt_install debootstrap || return
    step "suite-$Name" "making a folder of Debian $Name" suite_folder "$Name" || return
  fi
  cmp -s <(suite_packages "$@") "$Dir/etc/instantrace-packages" ||
    step "suite-$Name-packages" "installing what Clang ${*:2} needs there" install_in_suite "$@"
}

# build_suite NAME MAJOR...: with that suite's own g++ and CMake, what is tested there.
build_suite() {
  local Name=$1 All
  shift
  All=$(IFS=';' && echo "$*")
  in_suite "$Name" cmake -S /checkout/src -B "/checkout/src/build/suites/$Name" --preset whole \
    "-DINSTANTRACE_CLANG_MAJORS=$All" -DINSTANTRACE_REQUIRE_ALL_CLANGS=ON -DINSTANTRACE_UNIT_TESTS=OFF \
    -DINSTANTRACE_TOOL_OPTIONS=-O0 "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG" &&
    in_suite "$Name" cmake --build "/checkout/src/build/suites/$Name" -j "$Jobs" --target \
      instantrace instantrace-agreement instantrace-make-buffer instantrace_index_library instantrace_loader \
      "${@/#/instantrace_clang_}"
}

# test_suite NAME MAJOR...: results are lit-clang-MAJOR.json and packages.json in
# build/suites/NAME/test-results.
test_suite() {
  local Name=$1 Major Build=/checkout/src/build/suites/$1
  make_suite "$@" || return
  step "suite-$Name-build" "building for Clang ${*:2} in Debian $Name" build_suite "$@" || return
  shift
  rm -rf "build/suites/$Name/test-results"
  mkdir -p "build/suites/$Name/test-results"
  for Major; do
    step "test-$Name-$Major" "testing Clang $Major in Debian $Name" in_suite "$Name" \
      ctest --test-dir "$Build" --output-on-failure -R "^lit-clang-$Major\$" ||
      say "lit-clang-$Major: failed"
  done
  step "test-$Name-packages" "testing packages in Debian $Name" in_suite "$Name" "$Build/test/lit" "${@: -1}" \
    --output "$Build/test-results/packages.json" /checkout/src/test/packaging/debian-packages.test ||
    say "packages-$Name: failed"
}

# check_packages MAJOR COMMAND...: COMMAND runs install-packages.py on packages; what it prints
# is expected of those of Debian 12, too. They have the extension for VS Code where npm is.
check_packages() {
  local Prefixes=CHECK
  ! command -v npm >/dev/null || Prefixes+=,VSCODE
  "${@:2}" | FileCheck-19 test/packaging/debian-packages.test "-DMAJOR=$1" "--check-prefixes=$Prefixes"
}

# package_suite NAME: packages in build/packages/NAME, which apt there could install, for
# each Clang that this Debian has.
# shellcheck disable=SC2016 # expanded there
package_suite() {
  local Name=$1 Build=/checkout/src/build/packages/$1 Has
  mapfile -t Has < <(in_suite "$Name" sh -c 'for M; do apt-cache show clang-$M >/dev/null 2>&1 && echo "$M"; done' \
    sh $(sed -n 's/^\([0-9]*\).*/\1/p' plugin/clang-majors.txt))
  # shellcheck disable=SC2046 # one word per package is meant
  in_suite "$Name" apt-get install -y $(clang_packages "${Has[@]}") &&
    in_suite "$Name" cmake -S /checkout/src -B "$Build" --preset whole -DBUILD_TESTING=OFF \
      "-DINSTANTRACE_CLANG_MAJORS=$(IFS=';' && echo "${Has[*]}")" -DINSTANTRACE_REQUIRE_ALL_CLANGS=ON &&
    in_suite "$Name" cmake --build "$Build" -j "$Jobs" &&
    rm -f "build/packages/$Name"/*.deb &&
    in_suite "$Name" cpack --config "$Build/CPackConfig.cmake" -G DEB -B "$Build" &&
    in_suite "$Name" sh -c 'apt-get install -s "$1"/*.deb' sh "$Build" &&
    check_packages "${Has[-1]}" in_suite "$Name" python3 -B /checkout/src/test/packaging/Inputs/install-packages.py \
      "$Build/CPackConfig.cmake" "$Build" "$Build/check" /usr/lib/llvm-
}

# vscode_extension: goes into the packages of the tool.
vscode_extension() {
  local Folder=utils/integration/vscode
  npm ci --silent --ignore-scripts --prefix "$Folder" && npm run package --prefix "$Folder"
}

# package NAME...: of Debian suites, or of Debian 12 for arm64.
package() {
  local Name
  [[ $# -gt 0 ]] || set -- trixie sid arm64
  checking_packages() { echo llvm-19-tools; }
  can_install checking_packages && install_missing || return
  if command -v npm >/dev/null; then
    step package-vscode "building the extension for VS Code" vscode_extension || return
  else
    say "npm is not here: the extension for VS Code is not built"
  fi
  for Name; do
    if [[ $Name == arm64 ]]; then
      make_arm64 && step package-arm64 "making packages for Debian 12 on arm64, and checking them" package_arm64 || return
    else
      # shellcheck disable=SC2046 # one word per major is meant
      make_suite "$Name" $(suite_majors "$Name") &&
        step "package-$Name" "making packages for Debian $Name, and checking them" package_suite "$Name" || return
    fi
    ls "build/packages/$Name"/*.deb
  done
}

suites() {
  local Name Why
  Why=$(suites_obstacle)
  if [[ -n $Why ]]; then
    say "no suite: $Why" >&2
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  say "in $SuitesCache; about 8 GB and 5 minutes the first time"
  for Name in trixie sid; do
    # shellcheck disable=SC2046 # one word per major is meant
    make_suite "$Name" $(suite_majors "$Name") || return
    say "Debian $Name: Clang $(suite_majors "$Name" | tr '\n' ' ')($(du -sh "$SuitesCache/$Name" | cut -f1))"
  done
}
