#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Subjects of commits since the rule exists: "area: imperative summary", at most 72 columns, no full
# stop, with a body unless the commit changes documents alone.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 1
since=${1:-be2753d}

# An archive or a shallow clone has no history to check.
git rev-parse -q --verify "$since^{commit}" >/dev/null 2>&1 || { echo "no history since $since"; exit 0; }

bad=0
complain() { # commit, text
	echo "${1:0:12}: $2"
	bad=1
}

count=0
while IFS= read -r -d '' record; do
	count=$((count + 1))
	{ read -r commit; IFS= read -r subject; read -r -d '' body; } <<<"$record"
	[ "${#subject}" -le 72 ] || complain "$commit" "${#subject} columns, at most 72: $subject"
	[[ $subject =~ ^[a-zA-Z0-9_.,/\ -]+:\ [a-zA-Z] ]] || complain "$commit" "no area: $subject"
	[[ ! $subject =~ \.$ ]] || complain "$commit" "a full stop at the end: $subject"
	# "adds", "added", "adding": the imperative has none of these endings, but for words like
	# "process" and "need".
	first=${subject#*: }
	first=${first%% *}
	[[ ! $first =~ ^[a-z]+([^s]s|ing|[^e]ed)$ || $first =~ ^(bring|embed|feed|need)$ ]] ||
		complain "$commit" "not imperative: $subject"
	[ -n "$body" ] ||
		[ -z "$(git diff-tree --no-commit-id --name-only -r "$commit" | grep -vE '^Documentation/.*\.rst$|\.md$')" ] ||
		complain "$commit" "changes more than documents, and its message has no body: $subject"
done < <(git log -z --no-merges --format='%H%n%s%n%b' "$since..HEAD")
echo "$count commits"
exit $bad
