/* SPDX-License-Identifier: GPL-2.0-only OR MIT */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM faa

#if !defined(__FAA_TRACE_H__) || defined(TRACE_HEADER_MULTI_READ)
#define __FAA_TRACE_H__

#include <linux/dma-fence.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

#include <drm/faa_drm.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_job.h"
#include "faa_queue.h"
#include "faa_timeline.h"
#include "faa_vm.h"

/*
 * Documentation/driver.rst describes the events. Their names, and the names, types and meanings of
 * their fields stay as they are; fields are only added.
 */

TRACE_EVENT(faa_job_submit,
	TP_PROTO(const struct faa_job *job),
	TP_ARGS(job),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u32, vm)
		__field(u32, slot)
		__field(u64, stream_va)
		__field(u32, stream_bytes)
	),
	TP_fast_assign(
		__entry->ctx = job->queue->timeline->context;
		__entry->seqno = job->seqno;
		__entry->vm = job->queue->vm->serial;
		__entry->slot = job->slot;
		__entry->stream_va = job->stream_va;
		__entry->stream_bytes = job->stream_bytes;
	),
	TP_printk("ctx=%llu seqno=%llu vm=%u group=%llu slot=%u stream=0x%llx bytes=%u",
		  __entry->ctx, __entry->seqno, __entry->vm,
		  __entry->seqno - __entry->slot, __entry->slot, __entry->stream_va,
		  __entry->stream_bytes)
);

TRACE_EVENT(faa_job_wait,
	TP_PROTO(const struct faa_job *job, const struct dma_fence *fence),
	TP_ARGS(job, fence),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u64, fence_ctx)
		__field(u64, fence_seqno)
	),
	TP_fast_assign(
		__entry->ctx = job->queue->timeline->context;
		__entry->seqno = job->seqno;
		__entry->fence_ctx = fence->context;
		__entry->fence_seqno = fence->seqno;
	),
	TP_printk("ctx=%llu seqno=%llu fence_ctx=%llu fence_seqno=%llu", __entry->ctx,
		  __entry->seqno, __entry->fence_ctx, __entry->fence_seqno)
);

TRACE_EVENT(faa_job_ready,
	TP_PROTO(const struct faa_job *job),
	TP_ARGS(job),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
	),
	TP_fast_assign(
		__entry->ctx = job->queue->timeline->context;
		__entry->seqno = job->seqno;
	),
	TP_printk("ctx=%llu seqno=%llu", __entry->ctx, __entry->seqno)
);

TRACE_EVENT(faa_job_run,
	TP_PROTO(const struct faa_queue *queue, const struct faa_fence *fence),
	TP_ARGS(queue, fence),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u32, hwq)
		__field(u32, slot)
	),
	TP_fast_assign(
		__entry->ctx = queue->timeline->context;
		__entry->seqno = fence->seqno;
		__entry->hwq = queue->hwq->index;
		__entry->slot = fence->slot;
	),
	TP_printk("ctx=%llu seqno=%llu hwq=%u group=%llu slot=%u", __entry->ctx,
		  __entry->seqno, __entry->hwq, __entry->seqno - __entry->slot,
		  __entry->slot)
);

TRACE_EVENT(faa_job_start,
	TP_PROTO(const struct faa_queue *queue, u64 seqno, u64 cycle, u64 ns),
	TP_ARGS(queue, seqno, cycle, ns),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u64, cycle)
		__field(u64, ns)
	),
	TP_fast_assign(
		__entry->ctx = queue->timeline->context;
		__entry->seqno = seqno;
		__entry->cycle = cycle;
		__entry->ns = ns;
	),
	TP_printk("ctx=%llu seqno=%llu cycle=%llu ns=%llu", __entry->ctx, __entry->seqno,
		  __entry->cycle, __entry->ns)
);

TRACE_EVENT(faa_job_done,
	TP_PROTO(const struct faa_queue *queue, const struct faa_fence *fence, u32 code,
		 u64 elements, u64 cycle),
	TP_ARGS(queue, fence, code, elements, cycle),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u32, code)
		__field(u64, elements)
		__field(u64, cycle)
	),
	TP_fast_assign(
		__entry->ctx = queue->timeline->context;
		__entry->seqno = fence->seqno;
		__entry->code = code;
		__entry->elements = elements;
		__entry->cycle = cycle;
	),
	TP_printk("ctx=%llu seqno=%llu code=%u elements=%llu cycle=%llu", __entry->ctx,
		  __entry->seqno, __entry->code, __entry->elements, __entry->cycle)
);

TRACE_EVENT(faa_job_fence,
	TP_PROTO(const struct dma_fence *fence, int error),
	TP_ARGS(fence, error),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u64, seqno)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->ctx = fence->context;
		__entry->seqno = fence->seqno;
		__entry->error = error;
	),
	TP_printk("ctx=%llu seqno=%llu error=%d", __entry->ctx, __entry->seqno,
		  __entry->error)
);

TRACE_EVENT(faa_bind_submit,
	TP_PROTO(u32 vm, const struct dma_fence *fence, u32 ops, u32 waits),
	TP_ARGS(vm, fence, ops, waits),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(u64, ctx)
		__field(u64, seqno)
		__field(u32, ops)
		__field(u32, waits)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->ctx = fence->context;
		__entry->seqno = fence->seqno;
		__entry->ops = ops;
		__entry->waits = waits;
	),
	TP_printk("vm=%u ctx=%llu seqno=%llu ops=%u waits=%u", __entry->vm, __entry->ctx,
		  __entry->seqno, __entry->ops, __entry->waits)
);

TRACE_EVENT(faa_bind_done,
	TP_PROTO(u32 vm, const struct dma_fence *fence, int error),
	TP_ARGS(vm, fence, error),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(u64, ctx)
		__field(u64, seqno)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->ctx = fence->context;
		__entry->seqno = fence->seqno;
		__entry->error = error;
	),
	TP_printk("vm=%u ctx=%llu seqno=%llu error=%d", __entry->vm, __entry->ctx,
		  __entry->seqno, __entry->error)
);

TRACE_EVENT(faa_vm_fault,
	TP_PROTO(u32 vm, u32 queue, u64 seqno, u32 code, u64 va),
	TP_ARGS(vm, queue, seqno, code, va),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(u32, queue)
		__field(u64, seqno)
		__field(u32, code)
		__field(u64, va)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->queue = queue;
		__entry->seqno = seqno;
		__entry->code = code;
		__entry->va = va;
	),
	TP_printk("vm=%u queue_id=%u seqno=%llu code=%u va=0x%llx", __entry->vm,
		  __entry->queue, __entry->seqno, __entry->code, __entry->va)
);

TRACE_EVENT(faa_vm_bind,
	TP_PROTO(u32 vm, const struct drm_faa_vm_bind_op *op, int ret),
	TP_ARGS(vm, op, ret),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(u32, op)
		__field(u32, flags)
		__field(u64, va)
		__field(u64, size)
		__field(int, ret)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->op = op->op;
		__entry->flags = op->flags;
		__entry->va = op->va;
		__entry->size = op->size;
		__entry->ret = ret;
	),
	TP_printk("vm=%u op=%u flags=0x%x va=0x%llx size=0x%llx ret=%d", __entry->vm,
		  __entry->op, __entry->flags, __entry->va, __entry->size, __entry->ret)
);

TRACE_EVENT(faa_userptr_invalidate,
	TP_PROTO(u32 vm, unsigned long first, unsigned long last, unsigned int event),
	TP_ARGS(vm, first, last, event),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(unsigned long, first)
		__field(unsigned long, last)
		__field(unsigned int, event)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->first = first;
		__entry->last = last;
		__entry->event = event;
	),
	TP_printk("vm=%u first=0x%lx last=0x%lx event=%u", __entry->vm,
		  __entry->first, __entry->last, __entry->event)
);

TRACE_EVENT(faa_tlb_invalidate,
	TP_PROTO(u32 vmid, u64 first, u64 last, u32 serial),
	TP_ARGS(vmid, first, last, serial),
	TP_STRUCT__entry(
		__field(u32, vmid)
		__field(u64, first)
		__field(u64, last)
		__field(u32, serial)
	),
	TP_fast_assign(
		__entry->vmid = vmid;
		__entry->first = first;
		__entry->last = last;
		__entry->serial = serial;
	),
	TP_printk("vmid=%u first=0x%llx last=0x%llx serial=%u", __entry->vmid,
		  __entry->first, __entry->last, __entry->serial)
);

TRACE_EVENT(faa_vm_piece,
	TP_PROTO(u32 vm, u64 va, u64 size),
	TP_ARGS(vm, va, size),
	TP_STRUCT__entry(
		__field(u32, vm)
		__field(u64, va)
		__field(u64, size)
	),
	TP_fast_assign(
		__entry->vm = vm;
		__entry->va = va;
		__entry->size = size;
	),
	TP_printk("vm=%u va=0x%llx size=0x%llx", __entry->vm, __entry->va,
		  __entry->size)
);

DECLARE_EVENT_CLASS(faa_hwq,
	TP_PROTO(unsigned int queue, unsigned int hwq),
	TP_ARGS(queue, hwq),
	TP_STRUCT__entry(
		__field(unsigned int, queue)
		__field(unsigned int, hwq)
	),
	TP_fast_assign(
		__entry->queue = queue;
		__entry->hwq = hwq;
	),
	TP_printk("queue=%u hwq=%u", __entry->queue, __entry->hwq)
);

DEFINE_EVENT(faa_hwq, faa_queue_attach,
	TP_PROTO(unsigned int queue, unsigned int hwq),
	TP_ARGS(queue, hwq)
);

DEFINE_EVENT(faa_hwq, faa_queue_leave,
	TP_PROTO(unsigned int queue, unsigned int hwq),
	TP_ARGS(queue, hwq)
);

TRACE_EVENT(faa_queue_stop,
	TP_PROTO(const struct faa_queue *queue, unsigned int hwq, int reason, int how),
	TP_ARGS(queue, hwq, reason, how),
	TP_STRUCT__entry(
		__field(u64, ctx)
		__field(u32, hwq)
		__field(int, reason)
		__field(int, how)
	),
	TP_fast_assign(
		__entry->ctx = queue->timeline->context;
		__entry->hwq = hwq;
		__entry->reason = reason;
		__entry->how = how;
	),
	TP_printk("ctx=%llu hwq=%u reason=%d how=%d", __entry->ctx, __entry->hwq,
		  __entry->reason, __entry->how)
);

TRACE_EVENT(faa_cu_reset,
	TP_PROTO(u32 cu, u32 hwq),
	TP_ARGS(cu, hwq),
	TP_STRUCT__entry(
		__field(u32, cu)
		__field(u32, hwq)
	),
	TP_fast_assign(
		__entry->cu = cu;
		__entry->hwq = hwq;
	),
	TP_printk("cu=%u hwq=%u", __entry->cu, __entry->hwq)
);

TRACE_EVENT(faa_device_reset,
	TP_PROTO(int rung, int ret, const char *what),
	TP_ARGS(rung, ret, what),
	TP_STRUCT__entry(
		__field(int, rung)
		__field(int, ret)
		__string(what, what)
	),
	TP_fast_assign(
		__entry->rung = rung;
		__entry->ret = ret;
		__assign_str(what);
	),
	TP_printk("rung=%d ret=%d what=\"%s\"", __entry->rung, __entry->ret,
		  __get_str(what))
);

TRACE_EVENT(faa_device_pause,
	TP_PROTO(const struct faa_device *faa),
	TP_ARGS(faa),
	TP_STRUCT__entry(
		__string(dev, dev_name(faa->drm.dev))
	),
	TP_fast_assign(
		__assign_str(dev);
	),
	TP_printk("dev=%s", __get_str(dev))
);

TRACE_EVENT(faa_device_resume,
	TP_PROTO(const struct faa_device *faa, int ret, const char *what),
	TP_ARGS(faa, ret, what),
	TP_STRUCT__entry(
		__string(dev, dev_name(faa->drm.dev))
		__field(int, ret)
		__string(what, what)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->ret = ret;
		__assign_str(what);
	),
	TP_printk("dev=%s ret=%d what=\"%s\"", __get_str(dev), __entry->ret,
		  __get_str(what))
);

TRACE_EVENT(faa_device_lost,
	TP_PROTO(const char *what),
	TP_ARGS(what),
	TP_STRUCT__entry(
		__string(what, what)
	),
	TP_fast_assign(
		__assign_str(what);
	),
	TP_printk("what=\"%s\"", __get_str(what))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE faa_trace
#include <trace/define_trace.h>
