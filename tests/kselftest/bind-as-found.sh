#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bind-as-found.sh: in the guest, bind the driver to a device that may access memory already, as
# after kexec. tests/kselftest/probe-order.py checks the driver's accesses in the device's record.
set -eu
device=$(readlink -f /sys/bus/pci/drivers/faa/*:*:*)
echo "${device##*/}" >/sys/bus/pci/drivers/faa/unbind
# Memory decoding and bus mastering; one byte, a size of write that the kernel does not use here.
printf '\006' | dd of="$device/config" bs=1 seek=4 conv=notrunc status=none
echo "${device##*/}" >/sys/bus/pci/drivers/faa/bind
[ -e "$device/drm" ]
