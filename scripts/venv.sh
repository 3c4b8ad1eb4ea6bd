#!/bin/sh
# Make a virtual environment in $1 with whatever this machine's Python offers for it.
set -eu
target=$1
python=${PYTHON:-python3}

fail() {
    echo "$1" >&2
    exit 1
}

command -v "$python" >/dev/null || fail "There is no $python here: install Python 3.11 or newer."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "$("$python" --version) is too old: set PYTHON to a Python 3.11 or newer."

rm -rf "$target"
"$python" -m venv "$target" >/dev/null 2>&1 && exit 0
rm -rf "$target"

# Debian keeps half of venv in a package of its own. Its pip, where there is one, gets us past that.
if "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --root-user-action=ignore --target .bootstrap virtualenv
    PYTHONPATH=.bootstrap "$python" -m virtualenv --quiet "$target" && exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing python3-venv, without which this Python cannot make an environment."
    apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
    "$python" -m venv "$target" && exit 0
fi
rm -rf "$target"
fail "This Python cannot make a virtual environment: run 'apt install python3-venv' as root."
