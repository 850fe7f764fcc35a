# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # cache and work: of the script
#
# For scripts that build a kernel in $cache, $work being the directory of the build.

keep_days=30

die() {
	echo "kernel: $*" >&2
	exit 1
}

# Runs the rest of the script exclusively among all callers with the same argument.
lock() {
	mkdir -p "$cache/lock"
	exec 9>"$cache/lock/$1"
	if ! flock -n 9; then
		echo "kernel: waiting for another process that builds the same" >&2
		flock 9
	fi
}

# Symbols of a fragment that have another value in the final configuration.
check_config() {
	awk '
		function parse(line) {
			if (match(line, /^# CONFIG_[A-Za-z0-9_]+ is not set/)) {
				split(line, part, " "); key = part[2]; value = "n"; return 1
			}
			if (match(line, /^CONFIG_[A-Za-z0-9_]+=/)) {
				key = substr(line, 1, RLENGTH - 1); value = substr(line, RLENGTH + 1); return 1
			}
			return 0
		}
		FNR == NR { if (parse($0)) got[key] = value; next }
		parse($0) {
			is = key in got ? got[key] : "n"
			if (is != value) { printf "  %s should be %s and is %s\n", key, value, is; bad = 1 }
		}
		END { exit bad }' "$1" "$2"
}

# Keeps the files that run and that module builds read: no objects, no second copy of the kernel.
prune() {
	mkdir "$work/modules"
	find "$work" -name '*.ko' -not -path "$work/modules/*" -exec cp -t "$work/modules" {} +
	strip --strip-debug "$work"/modules/*.ko
	rm -f "$work/vmlinux" "$work"/vmlinux.* "$work"/.tmp_vmlinux*
	find "$work" -not -path "$work/scripts/*" -not -path "$work/modules/*" \
		\( -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \) -delete
}

# Removes results that were not used for $keep_days days. Another process may remove the same.
expire() {
	find "$cache/kernel" "$cache/src" -mindepth 1 -maxdepth 1 -type d -mtime +"$keep_days" -exec rm -rf {} + 2>/dev/null || true
}
