/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_UML_GUEST_TRACE_H
#define FAA_UML_GUEST_TRACE_H

struct job;

/**
 * guest_trace_begin - copy the kernel's trace events of the driver to the file of the job, if it
 * asks for them, until guest_trace_end()
 */
void guest_trace_begin(const struct job *job);

/** guest_trace_end - copy what is left, before the driver is unloaded */
void guest_trace_end(const struct job *job);

#endif
