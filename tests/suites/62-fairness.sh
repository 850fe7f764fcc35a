#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 600
# kernel
#
# Queues that wait for a compute unit, with short job limits: none is killed for waiting, and each
# is served. C model.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

kselftest --engine=model --mem=512M --check-log --module-args="job_timeout_ms=1000 job_limit_ms=1000" -- fairness
