#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bind-as-found.sh: in the guest, bind the driver to a device that may access memory already, as after kexec.
# tests/kselftest/probe-order.py tells by the device's record what the driver did.
set -eu
device=$(readlink -f /sys/bus/pci/drivers/faa/*:*:*)
echo "${device##*/}" >/sys/bus/pci/drivers/faa/unbind
# Memory decoding and bus mastering; one byte, which the kernel itself does not write.
printf '\006' | dd of="$device/config" bs=1 seek=4 conv=notrunc status=none
echo "${device##*/}" >/sys/bus/pci/drivers/faa/bind
[ -e "$device/drm" ]
