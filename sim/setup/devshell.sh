#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# devshell.sh [COMMAND...]: a shell, or COMMAND, that finds the programs, library, headers, Python
# package and completion of the build directory $FAA_BUILD (default: build/) before others.
set -euo pipefail

top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
build=$(readlink -f "${FAA_BUILD:-$top/build}")
[ -x "$build/bin/faa-run" ] || {
	echo "devshell: there is no $build/bin/faa-run; 'make devshell' builds it" >&2
	exit 1
}

# Prepends directory $2 to the variable $1.
prepend() {
	export "$1=$2${!1:+:${!1}}"
}

prepend PATH "$build/bin"
prepend LD_LIBRARY_PATH "$build/lib"
prepend PKG_CONFIG_PATH "$build/lib/pkgconfig"
prepend PYTHONPATH "$build/lib/python3/dist-packages"
prepend XDG_DATA_DIRS "$build/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
export FAA_BUILD=$build

[ "$#" -eq 0 ] || exec "$@"
# The user's settings come first; the prompt shows that this is the shell of faa.
exec bash --rcfile <(cat ~/.bashrc 2>/dev/null; cat <<'END'
PS1="(faa) ${PS1:-\$ }"
[ ! -e /usr/share/bash-completion/bash_completion ] || . /usr/share/bash-completion/bash_completion
END
) -i
