// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// BackfillBack is "Back to the backfills".
func (l Lang) BackfillBack() string {
	if l == Chinese {
		return "返回补跑列表"
	}
	return "Back to the backfills"
}

// BackfillBy is "by {name}".
func (l Lang) BackfillBy(name string) string {
	if l == Chinese {
		return "由 " + name + " 提交"
	}
	return "by " + name
}

// BackfillCancelEffectRest is "No further run is requested, and runs that wait are cancelled.".
func (l Lang) BackfillCancelEffectRest() string {
	if l == Chinese {
		return "不再提交新的运行，等待中的运行被取消。"
	}
	return "No further run is requested, and runs that wait are cancelled."
}

// BackfillCancelEffectRunning is "The handlers of a run under way are asked to return.".
func (l Lang) BackfillCancelEffectRunning() string {
	if l == Chinese {
		return "正在执行的运行会被要求结束。"
	}
	return "The handlers of a run under way are asked to return."
}

// BackfillCancelSubmit is "Cancel the backfill".
func (l Lang) BackfillCancelSubmit() string {
	if l == Chinese {
		return "取消补跑"
	}
	return "Cancel the backfill"
}

// BackfillCancelTitle is "Cancel the backfill of {job}?".
func (l Lang) BackfillCancelTitle(job string) string {
	if l == Chinese {
		return "取消 " + job + " 的补跑？"
	}
	return "Cancel the backfill of " + job + "?"
}

// BackfillCancelled is "{n, number} cancelled".
func (l Lang) BackfillCancelled(n int) string {
	if l == Chinese {
		return number(n) + " 个已取消"
	}
	return number(n) + " cancelled"
}

// BackfillCount is "{n, plural, one {# fire time} other {# fire times}}".
func (l Lang) BackfillCount(n int) string {
	if l == Chinese {
		return number(n) + " 个触发时间"
	}
	if n == 1 {
		return number(n) + " fire time"
	}
	return number(n) + " fire times"
}

// BackfillDid is "{n, plural, one {The backfill of # fire time has begun.} other {The backfill of # fire times has begun.}}".
func (l Lang) BackfillDid(n int) string {
	if l == Chinese {
		return "已开始补跑 " + number(n) + " 个触发时间。"
	}
	if n == 1 {
		return "The backfill of " + number(n) + " fire time has begun."
	}
	return "The backfill of " + number(n) + " fire times has begun."
}

// BackfillDidAsk is "The backfill ends as soon as the handlers of its run have returned.".
func (l Lang) BackfillDidAsk() string {
	if l == Chinese {
		return "待其运行的处理函数返回后，补跑即结束。"
	}
	return "The backfill ends as soon as the handlers of its run have returned."
}

// BackfillDidCancel is "The backfill is cancelled.".
func (l Lang) BackfillDidCancel() string {
	if l == Chinese {
		return "补跑已取消。"
	}
	return "The backfill is cancelled."
}

// BackfillDoneOf is "{done, number} of {total, number}".
func (l Lang) BackfillDoneOf(done int, total int) string {
	if l == Chinese {
		return number(done) + " / " + number(total)
	}
	return number(done) + " of " + number(total)
}

// BackfillEffectEach is "A run is requested for each fire time of the cron expression, without jitter. What the schedule leaves out gets none.".
func (l Lang) BackfillEffectEach() string {
	if l == Chinese {
		return "为 Cron 表达式的每个触发时间提交一次运行，不加抖动；被调度排除的时间不运行。"
	}
	return "A run is requested for each fire time of the cron expression, without jitter. What the schedule leaves out gets none."
}

// BackfillEffectOrder is "The oldest is first; one waits for the other, also while the job is held.".
func (l Lang) BackfillEffectOrder() string {
	if l == Chinese {
		return "从最早的开始，逐个等待；作业暂停时也会运行。"
	}
	return "The oldest is first; one waits for the other, also while the job is held."
}

// BackfillEffectPortions is "Up to {n, number} fire times. An agent requests the runs in portions; see their progress on this page, and cancel the rest there.".
func (l Lang) BackfillEffectPortions(n int) string {
	if l == Chinese {
		return "最多 " + number(n) + " 个触发时间。代理分批提交运行；可在本页查看进度，也可取消剩余部分。"
	}
	return "Up to " + number(n) + " fire times. An agent requests the runs in portions; see their progress on this page, and cancel the rest there."
}

// BackfillEffectTime is "A handler finds the fire time in ScheduledAt.".
func (l Lang) BackfillEffectTime() string {
	if l == Chinese {
		return "处理函数从 ScheduledAt 得到触发时间。"
	}
	return "A handler finds the fire time in ScheduledAt."
}

// BackfillExpired is "{n, number} expired".
func (l Lang) BackfillExpired(n int) string {
	if l == Chinese {
		return number(n) + " 个过期"
	}
	return number(n) + " expired"
}

// BackfillFailed is "{n, number} failed".
func (l Lang) BackfillFailed(n int) string {
	if l == Chinese {
		return number(n) + " 个失败"
	}
	return number(n) + " failed"
}

// BackfillFrom is "From (UTC)".
func (l Lang) BackfillFrom() string {
	if l == Chinese {
		return "从（UTC）"
	}
	return "From (UTC)"
}

// BackfillHelp is "Both are included, and both are past.".
func (l Lang) BackfillHelp() string {
	if l == Chinese {
		return "两端都包含，且都必须是过去的时间。"
	}
	return "Both are included, and both are past."
}

// BackfillLabel is "Backfill…".
func (l Lang) BackfillLabel() string {
	if l == Chinese {
		return "补跑…"
	}
	return "Backfill…"
}

// BackfillList is "Backfills".
func (l Lang) BackfillList() string {
	if l == Chinese {
		return "补跑"
	}
	return "Backfills"
}

// BackfillListSub is "the last ones of the job".
func (l Lang) BackfillListSub() string {
	if l == Chinese {
		return "此作业最近的补跑"
	}
	return "the last ones of the job"
}

// BackfillMore is "… and {n, number} more.".
func (l Lang) BackfillMore(n int) string {
	if l == Chinese {
		return "……还有 " + number(n) + " 个。"
	}
	return "… and " + number(n) + " more."
}

// BackfillNext is "Next:".
func (l Lang) BackfillNext() string {
	if l == Chinese {
		return "下一个："
	}
	return "Next:"
}

// BackfillNoSchedule is "There is nothing to backfill: {why}".
func (l Lang) BackfillNoSchedule(why string) string {
	if l == Chinese {
		return "没有可补跑的内容：" + why
	}
	return "There is nothing to backfill: " + why
}

// BackfillNoScheduleHint is "Request a run instead.".
func (l Lang) BackfillNoScheduleHint() string {
	if l == Chinese {
		return "请改为提交一次运行。"
	}
	return "Request a run instead."
}

// BackfillNone is "{job} has no backfill {id}.".
func (l Lang) BackfillNone(job string, id string) string {
	if l == Chinese {
		return job + " 没有补跑 " + id + "。"
	}
	return job + " has no backfill " + id + "."
}

// BackfillNoneHint is "The registry keeps the last 20 backfills of a job.".
func (l Lang) BackfillNoneHint() string {
	if l == Chinese {
		return "注册中心保留每个作业最近 20 次补跑。"
	}
	return "The registry keeps the last 20 backfills of a job."
}

// BackfillParallel is "Runs queued at once".
func (l Lang) BackfillParallel() string {
	if l == Chinese {
		return "同时排队的运行数"
	}
	return "Runs queued at once"
}

// BackfillParallelHelp is "1 to {most}; empty for {most}. A small number lets other requested runs of the job go in between.".
func (l Lang) BackfillParallelHelp(most string) string {
	if l == Chinese {
		return "1 到 " + most + "，留空为 " + most + "。数值越小，作业的其他运行请求越容易插入其间。"
	}
	return "1 to " + most + "; empty for " + most + ". A small number lets other requested runs of the job go in between."
}

// BackfillParamsHelp is "Of each run: one JSON object. May be empty.".
func (l Lang) BackfillParamsHelp() string {
	if l == Chinese {
		return "每次运行的参数：一个 JSON 对象，可以为空。"
	}
	return "Of each run: one JSON object. May be empty."
}

// BackfillPreview is "Preview".
func (l Lang) BackfillPreview() string {
	if l == Chinese {
		return "预览"
	}
	return "Preview"
}

// BackfillProgress is "Ended".
func (l Lang) BackfillProgress() string {
	if l == Chinese {
		return "已结束"
	}
	return "Ended"
}

// BackfillRefused is "{n, plural, one {# time gets no run} other {# times get no run}}".
func (l Lang) BackfillRefused(n int) string {
	if l == Chinese {
		return number(n) + " 个时间不运行"
	}
	if n == 1 {
		return number(n) + " time gets no run"
	}
	return number(n) + " times get no run"
}

// BackfillRefusedNow is "The backfill can't begin now: {why}".
func (l Lang) BackfillRefusedNow(why string) string {
	if l == Chinese {
		return "现在不能开始补跑：" + why
	}
	return "The backfill can't begin now: " + why
}

// BackfillRefusedNowHint is "Look at the backfills of the job.".
func (l Lang) BackfillRefusedNowHint() string {
	if l == Chinese {
		return "请查看此作业的补跑。"
	}
	return "Look at the backfills of the job."
}

// BackfillRequested is "Requested".
func (l Lang) BackfillRequested() string {
	if l == Chinese {
		return "提交时间"
	}
	return "Requested"
}

// BackfillRunning is "{n, number} running".
func (l Lang) BackfillRunning(n int) string {
	if l == Chinese {
		return number(n) + " 个运行中"
	}
	return number(n) + " running"
}

// BackfillRuns is "What became of the runs".
func (l Lang) BackfillRuns() string {
	if l == Chinese {
		return "运行结果"
	}
	return "What became of the runs"
}

// BackfillSkipped is "{n, number} skipped".
func (l Lang) BackfillSkipped(n int) string {
	if l == Chinese {
		return number(n) + " 个跳过"
	}
	return number(n) + " skipped"
}

// BackfillSpan is "from {first} to {last}".
func (l Lang) BackfillSpan(first string, last string) string {
	if l == Chinese {
		return "从 " + first + " 到 " + last
	}
	return "from " + first + " to " + last
}

// BackfillSubmit is "Request these runs".
func (l Lang) BackfillSubmit() string {
	if l == Chinese {
		return "提交这些运行"
	}
	return "Request these runs"
}

// BackfillSucceeded is "{n, number} succeeded".
func (l Lang) BackfillSucceeded(n int) string {
	if l == Chinese {
		return number(n) + " 个成功"
	}
	return number(n) + " succeeded"
}

// BackfillTimes is "Fire times".
func (l Lang) BackfillTimes() string {
	if l == Chinese {
		return "触发时间"
	}
	return "Fire times"
}

// BackfillTitle is "Backfill {job}".
func (l Lang) BackfillTitle(job string) string {
	if l == Chinese {
		return "补跑 " + job
	}
	return "Backfill " + job
}

// BackfillTo is "Up to (UTC)".
func (l Lang) BackfillTo() string {
	if l == Chinese {
		return "到（UTC）"
	}
	return "Up to (UTC)"
}

// BackfillUnknown is "{n, number} ended in an unknown state".
func (l Lang) BackfillUnknown(n int) string {
	if l == Chinese {
		return number(n) + " 个已结束但结果未知"
	}
	return number(n) + " ended in an unknown state"
}

// BackfillWaiting is "{n, number} waiting".
func (l Lang) BackfillWaiting(n int) string {
	if l == Chinese {
		return number(n) + " 个等待"
	}
	return number(n) + " waiting"
}

// BackfillWrongParallel is "Write a whole number from 1 to {most}, or nothing.".
func (l Lang) BackfillWrongParallel(most string) string {
	if l == Chinese {
		return "请填写 1 到 " + most + " 的整数，或留空。"
	}
	return "Write a whole number from 1 to " + most + ", or nothing."
}

// BackfillWrongParams is "This is not JSON.".
func (l Lang) BackfillWrongParams() string {
	if l == Chinese {
		return "这不是 JSON。"
	}
	return "This is not JSON."
}

// BackfillWrongTime is "Write a date and a time, such as 2026-11-21T08:00.".
func (l Lang) BackfillWrongTime() string {
	if l == Chinese {
		return "请填写日期和时间，例如 2026-11-21T08:00。"
	}
	return "Write a date and a time, such as 2026-11-21T08:00."
}

// BackfillZone is "The job names no time zone, so its instances use their own. These times are by the console's.".
func (l Lang) BackfillZone() string {
	if l == Chinese {
		return "作业未指定时区，各实例使用自己的时区；此处按控制台的时区计算。"
	}
	return "The job names no time zone, so its instances use their own. These times are by the console's."
}
