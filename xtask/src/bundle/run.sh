#!/usr/bin/env bash
# Runs this bundle on a machine with a GPU; `./run.sh --help` says what it can be asked.
# Logs and summary.json go to $OUT where that is set, else to ./log.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
[ -d "$here/bin" ] || tar -xJf "$here/programs.tar.xz" -C "$here"
exec "$here/bin/xtask" run-bundle --bundle "$here" "$@"
