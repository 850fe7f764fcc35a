/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_WAVES_SAVE_H
#define FAA_VDEV_WAVES_SAVE_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * waves_save() - write a save file of GTKWave, which shows the chosen signals of each room of the
 * device
 * @fst: the waveform, whose signals are searched
 * @path: its name later; the save file is named after it: "x.fst" gets "x.gtkw", "x" gets "x.gtkw"
 *
 * Return: 0, -EIO (the waveform cannot be read) or another -errno.
 */
int waves_save(const char *fst, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* FAA_VDEV_WAVES_SAVE_H */
