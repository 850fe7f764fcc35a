/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Waveforms of a verilated model
 *
 * While the model runs, only a snapshot of its state is kept, and the inputs of each cycle since. A
 * waveform is made by replaying these inputs on a second model. The last cycles before any event
 * are thus available, without the cost of writing waveforms all the time.
 *
 * A cycle is 10 ns of the waveform, so cycle C begins at 10 * C ns.
 */
#ifndef FAA_VDEV_ENGINE_WAVES_H
#define FAA_VDEV_ENGINE_WAVES_H

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "faa_engine.h"
#include "verilated.h"
#include "verilated_fst_c.h"
#include "verilated_save.h"
#include "waves_save.h"

// The state at a cycle, and the inputs of all cycles since.
template <typename Model, typename Inputs> class Window {
      public:
	Window()
	{
		fd_ = memfd_create("faa-rtl-state", MFD_CLOEXEC);
		path_ = "/proc/self/fd/" + std::to_string(fd_);
	}

	~Window()
	{
		if (fd_ >= 0)
			close(fd_);
	}

	Window(const Window &) = delete;
	Window &operator=(const Window &) = delete;

	bool ok() const
	{
		return fd_ >= 0;
	}

	void begin(Model &top, uint64_t cycle)
	{
		VerilatedSave save;

		if (ftruncate(fd_, 0))
			std::perror("faa: state of the model");
		save.open(path_);
		save << top;
		save.close();
		inputs_.clear();
		first_ = cycle;
		begun_ = true;
	}

	void add(const Inputs &in)
	{
		inputs_.push_back(in);
	}

	bool begun() const
	{
		return begun_;
	}

	size_t size() const
	{
		return inputs_.size();
	}

	// The cycle of its first and after its last inputs.
	uint64_t first() const
	{
		return first_;
	}

	uint64_t end() const
	{
		return first_ + inputs_.size();
	}

	// Restores the state of @top at the beginning of the window.
	void restore(Model &top) const
	{
		VerilatedRestore restore;

		restore.open(path_);
		restore >> top;
		restore.close();
	}

	const std::vector<Inputs> &inputs() const
	{
		return inputs_;
	}

      private:
	int fd_;
	std::string path_;
	std::vector<Inputs> inputs_;
	uint64_t first_ = 0;
	bool begun_ = false;
};

// The last trace_cycles cycles of a model, or those from trace_from to trace_to.
template <typename Model, typename Inputs> class Waves {
      public:
	using Drive = void (*)(Model &, const Inputs &);
	using Same = bool (*)(const Model &, const Model &);

	Waves(const faa_engine_config &config, Drive drive)
		: from_(config.trace_from), to_(config.trace_to), cycles_(config.trace_cycles),
		  drive_(drive), now_(new Window<Model, Inputs>), before_(new Window<Model, Inputs>)
	{
	}

	bool ok() const
	{
		return now_->ok() && before_->ok();
	}

	// The model is about to execute @cycle with these inputs.
	void add(Model &top, const Inputs &in, uint64_t cycle)
	{
		if (to_ && (cycle < from_ || cycle >= to_))
			return;
		if (!to_ && now_->size() >= cycles_) {
			std::swap(now_, before_);
			now_->begin(top, cycle);
		} else if (!now_->begun()) {
			now_->begin(top, cycle);
		}
		now_->add(in);
	}

	// Writes the waveform, and its save file. @top: the model, at @cycle, with the inputs @in.
	int write(const char *path, const Model &top, const Inputs &in, uint64_t cycle, Same same)
	{
		std::string part = std::string(path) + ".part";

		if (!now_->size())
			return -ENODATA;
		int err = replay_all(part.c_str(), top, in, cycle, same);
		if (!err)
			err = waves_save(part.c_str(), path);
		if (!err && std::rename(part.c_str(), path))
			err = -errno;
		if (err)
			unlink(part.c_str());
		return err;
	}

      private:
	static constexpr uint64_t kCycleNs = 10;

	// Verilator's own time is part of the restored state, and therefore not used.
	void replay(const Window<Model, Inputs> &window, Model &top, VerilatedFstC &fst)
	{
		uint64_t time = kCycleNs * window.first();

		window.restore(top);
		for (const Inputs &in : window.inputs()) {
			drive_(top, in);
			top.clk_i = 0;
			top.eval();
			fst.dump(time);
			top.clk_i = 1;
			top.eval();
			fst.dump(time + kCycleNs / 2);
			time += kCycleNs;
		}
	}

	int replay_all(const char *path, const Model &real, const Inputs &in, uint64_t cycle,
		       Same same)
	{
		VerilatedContext context;
		context.threads(1);
		context.traceEverOn(true);
		context.timeunit(-9);
		context.timeprecision(-9);
		Model top(&context, "TOP");
		VerilatedFstC fst;
		top.trace(&fst, 99);
		fst.set_time_unit("1ns");
		fst.set_time_resolution("1ns");
		fst.open(path);
		if (!fst.isOpen())
			return -EIO;
		if (before_->size())
			replay(*before_, top, fst);
		replay(*now_, top, fst);
		bool last = now_->end() == cycle;
		if (last) {
			drive_(top, in);
			top.clk_i = 0;
			top.eval();
			fst.dump(kCycleNs * cycle);
		}
		fst.close();
		// The replay must end in the state of the device; otherwise the waveform is wrong.
		return last && !same(top, real) ? -EIO : 0;
	}

	uint64_t from_, to_;
	size_t cycles_;
	Drive drive_;
	// The window that is being filled, and the previous, full one.
	std::unique_ptr<Window<Model, Inputs>> now_, before_;
};

#endif // FAA_VDEV_ENGINE_WAVES_H
