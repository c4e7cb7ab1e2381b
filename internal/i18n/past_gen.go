// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// PastAround is "What happened around it".
func (l Lang) PastAround() string {
	if l == Chinese {
		return "前后发生的事件"
	}
	return "What happened around it"
}

// PastAroundNone is "Nothing is on record.".
func (l Lang) PastAroundNone() string {
	if l == Chinese {
		return "没有记录。"
	}
	return "Nothing is on record."
}

// PastAt is "At (UTC)".
func (l Lang) PastAt() string {
	if l == Chinese {
		return "时间（UTC）"
	}
	return "At (UTC)"
}

// PastBack is "How it is now".
func (l Lang) PastBack() string {
	if l == Chinese {
		return "查看当前状态"
	}
	return "How it is now"
}

// PastBadTime is "{text} is not a time. Write 2006-01-02T15:04 in UTC, or with a zone.".
func (l Lang) PastBadTime(text string) string {
	if l == Chinese {
		return text + " 不是有效时间。请按 2006-01-02T15:04（UTC）填写，或带上时区。"
	}
	return text + " is not a time. Write 2006-01-02T15:04 in UTC, or with a zone."
}

// PastBusy is "Its run of {run} was still running.".
func (l Lang) PastBusy(run string) string {
	if l == Chinese {
		return run + " 的运行仍在进行。"
	}
	return "Its run of " + run + " was still running."
}

// PastDisabled is "The job was disabled since {time}, by {who}.".
func (l Lang) PastDisabled(time string, who string) string {
	if l == Chinese {
		return "作业自 " + time + " 起被 " + who + " 禁用。"
	}
	return "The job was disabled since " + time + ", by " + who + "."
}

// PastEditedSince is "The configuration was changed since, so it's unknown whether the job was due.".
func (l Lang) PastEditedSince() string {
	if l == Chinese {
		return "配置此后被修改过，无法得知当时是否应触发。"
	}
	return "The configuration was changed since, so it's unknown whether the job was due."
}

// PastEventsSince is "Instances are remembered since {time} only.".
func (l Lang) PastEventsSince(time string) string {
	if l == Chinese {
		return "实例变化仅从 " + time + " 起记录。"
	}
	return "Instances are remembered since " + time + " only."
}

// PastFailed is "The job was due at {fire} and ran: {failed, number} of {shards, number} shards failed.".
func (l Lang) PastFailed(fire string, failed int, shards int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中 " + number(failed) + " 个失败。"
	}
	return "The job was due at " + fire + " and ran: " + number(failed) + " of " + number(shards) + " shards failed."
}

// PastFuture is "{time} has not passed yet.".
func (l Lang) PastFuture(time string) string {
	if l == Chinese {
		return time + " 尚未到来。"
	}
	return time + " has not passed yet."
}

// PastGo is "Explain".
func (l Lang) PastGo() string {
	if l == Chinese {
		return "诊断"
	}
	return "Explain"
}

// PastGrouped is "Runs of Java engines do not name their fire time; they were grouped by the second in which they began.".
func (l Lang) PastGrouped() string {
	if l == Chinese {
		return "Java 引擎的执行不记录触发时间，按开始的秒归为一次运行。"
	}
	return "Runs of Java engines do not name their fire time; they were grouped by the second in which they began."
}

// PastHeld is "Its schedule was held since {time}, by {who}.".
func (l Lang) PastHeld(time string, who string) string {
	if l == Chinese {
		return "调度自 " + time + " 起由 " + who + " 暂停。"
	}
	return "Its schedule was held since " + time + ", by " + who + "."
}

// PastLeft is "{instance} left at {time}.".
func (l Lang) PastLeft(instance string, time string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 离开。"
	}
	return instance + " left at " + time + "."
}

// PastLost is "The job was due at {fire} and ran: {lost, number} of {shards, number} shards was lost.".
func (l Lang) PastLost(fire string, lost int, shards int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中 " + number(lost) + " 个丢失。"
	}
	return "The job was due at " + fire + " and ran: " + number(lost) + " of " + number(shards) + " shards was lost."
}

// PastMissed is "The job was due at {fire} and did not run.".
func (l Lang) PastMissed(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，但没有运行。"
	}
	return "The job was due at " + fire + " and did not run."
}

// PastNoCron is "Whether the job was due at {at} is not known: its schedule cannot be read.".
func (l Lang) PastNoCron(at string) string {
	if l == Chinese {
		return "无法判断作业在 " + at + " 是否应触发：调度无法读取。"
	}
	return "Whether the job was due at " + at + " is not known: its schedule cannot be read."
}

// PastNoEvents is "Which instances lived then is not remembered.".
func (l Lang) PastNoEvents() string {
	if l == Chinese {
		return "没有记住当时存活的实例。"
	}
	return "Which instances lived then is not remembered."
}

// PastNoReason is "Why it did not run is not known: nothing on record tells. Look into the log of the instances.".
func (l Lang) PastNoReason() string {
	if l == Chinese {
		return "未运行的原因未知：没有任何记录说明。请查看实例日志。"
	}
	return "Why it did not run is not known: nothing on record tells. Look into the log of the instances."
}

// PastNoReasonShards is "Why the other shards took no part isn't known: nothing on record explains it.".
func (l Lang) PastNoReasonShards() string {
	if l == Chinese {
		return "其余分片为何没有参与不得而知：没有任何记录说明。"
	}
	return "Why the other shards took no part isn't known: nothing on record explains it."
}

// PastNoRecord is "No run of {fire} is on record.".
func (l Lang) PastNoRecord(fire string) string {
	if l == Chinese {
		return "没有 " + fire + " 的运行记录。"
	}
	return "No run of " + fire + " is on record."
}

// PastNoRecords is "Who disabled or changed the job is shown to operators only.".
func (l Lang) PastNoRecords() string {
	if l == Chinese {
		return "谁禁用或修改了作业只对操作员显示。"
	}
	return "Who disabled or changed the job is shown to operators only."
}

// PastNoSchedule is "The job was not due at {at}: it has no schedule and runs when it is triggered.".
func (l Lang) PastNoSchedule(at string) string {
	if l == Chinese {
		return "作业在 " + at + " 不应触发：它没有调度，仅手动触发。"
	}
	return "The job was not due at " + at + ": it has no schedule and runs when it is triggered."
}

// PastNobody is "No instance lived.".
func (l Lang) PastNobody() string {
	if l == Chinese {
		return "没有存活的实例。"
	}
	return "No instance lived."
}

// PastNotCovered is "There may have been one: no runs of the job are on record from before and after that time.".
func (l Lang) PastNotCovered() string {
	if l == Chinese {
		return "是否运行过无从得知：该时间前后都没有该作业的运行记录。"
	}
	return "There may have been one: no runs of the job are on record from before and after that time."
}

// PastNotDue is "The job was not due at {at}.".
func (l Lang) PastNotDue(at string) string {
	if l == Chinese {
		return "作业在 " + at + " 不应触发。"
	}
	return "The job was not due at " + at + "."
}

// PastNotDueSince is "The job was not due at {at}; the last fire time before was {fire}.".
func (l Lang) PastNotDueSince(at string, fire string) string {
	if l == Chinese {
		return "作业在 " + at + " 不应触发；此前最近的触发时间是 " + fire + "。"
	}
	return "The job was not due at " + at + "; the last fire time before was " + fire + "."
}

// PastNotYet is "The job did not exist at {at}: its configuration was created at {created}.".
func (l Lang) PastNotYet(at string, created string) string {
	if l == Chinese {
		return "作业在 " + at + " 还不存在：其配置创建于 " + created + "。"
	}
	return "The job did not exist at " + at + ": its configuration was created at " + created + "."
}

// PastOn is "The job was not due at {at}; its run of {run} was running.".
func (l Lang) PastOn(at string, run string) string {
	if l == Chinese {
		return "作业在 " + at + " 不应触发；" + run + " 的运行当时正在进行。"
	}
	return "The job was not due at " + at + "; its run of " + run + " was running."
}

// PastOpenRun is "Open the run".
func (l Lang) PastOpenRun() string {
	if l == Chinese {
		return "打开运行"
	}
	return "Open the run"
}

// PastPartial is "The job was due at {fire} and ran in part: {n, number} of {shards, number} shards.".
func (l Lang) PastPartial(fire string, n int, shards int) string {
	if l == Chinese {
		return "作业应于 " + fire + " 触发，只运行了一部分：" + number(shards) + " 个分片中的 " + number(n) + " 个。"
	}
	return "The job was due at " + fire + " and ran in part: " + number(n) + " of " + number(shards) + " shards."
}

// PastRan is "The job was due at {fire} and ran: all its shards succeeded.".
func (l Lang) PastRan(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：全部分片成功。"
	}
	return "The job was due at " + fire + " and ran: all its shards succeeded."
}

// PastReadySince is "Its configuration, an enabled server and an instance are as they are now since {time}.".
func (l Lang) PastReadySince(time string) string {
	if l == Chinese {
		return "其配置、已启用的服务器和实例自 " + time + " 起才是现在的状态。"
	}
	return "Its configuration, an enabled server and an instance are as they are now since " + time + "."
}

// PastReasons is "Why, as far as is known".
func (l Lang) PastReasons() string {
	if l == Chinese {
		return "已知原因"
	}
	return "Why, as far as is known"
}

// PastRunBegan is "A run began: {shards}.".
func (l Lang) PastRunBegan(shards string) string {
	if l == Chinese {
		return "运行开始：" + shards + "。"
	}
	return "A run began: " + shards + "."
}

// PastRunEnded is "A run ended: {state}.".
func (l Lang) PastRunEnded(state string) string {
	if l == Chinese {
		return "运行结束：" + state + "。"
	}
	return "A run ended: " + state + "."
}

// PastRunning is "The job was due at {fire}, and that run goes on.".
func (l Lang) PastRunning(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，该次运行仍在进行。"
	}
	return "The job was due at " + fire + ", and that run goes on."
}

// PastScheduleChanged is "The configuration was changed at {time} by {who}, after the time asked for.".
func (l Lang) PastScheduleChanged(time string, who string) string {
	if l == Chinese {
		return who + " 在所查时间之后的 " + time + " 修改了配置。"
	}
	return "The configuration was changed at " + time + " by " + who + ", after the time asked for."
}

// PastScheduleNow is "Whether it was due is computed by the schedule of today; what it was then is not on record.".
func (l Lang) PastScheduleNow() string {
	if l == Chinese {
		return "是否应触发按现在的调度计算；当时的调度没有记录。"
	}
	return "Whether it was due is computed by the schedule of today; what it was then is not on record."
}

// PastServerOff is "{server} was switched off at {time}, by {who}.".
func (l Lang) PastServerOff(server string, time string, who string) string {
	if l == Chinese {
		return server + " 于 " + time + " 被 " + who + " 禁用。"
	}
	return server + " was switched off at " + time + ", by " + who + "."
}

// PastShardOff is "Shard {shard} was switched off at {time}, by {who}.".
func (l Lang) PastShardOff(shard string, time string, who string) string {
	if l == Chinese {
		return "分片 " + shard + " 于 " + time + " 被 " + who + " 禁用。"
	}
	return "Shard " + shard + " was switched off at " + time + ", by " + who + "."
}

// PastStopped is "Its instances were stopped at {time}, by {who}.".
func (l Lang) PastStopped(time string, who string) string {
	if l == Chinese {
		return "其实例于 " + time + " 被 " + who + " 终止。"
	}
	return "Its instances were stopped at " + time + ", by " + who + "."
}

// PastTitle is "Explain a past time".
func (l Lang) PastTitle() string {
	if l == Chinese {
		return "诊断过去的时间"
	}
	return "Explain a past time"
}

// PastUnknown is "What is not known".
func (l Lang) PastUnknown() string {
	if l == Chinese {
		return "未知的内容"
	}
	return "What is not known"
}

// PastUnreadable is "What the job did at {at} is not known: the history cannot be read.".
func (l Lang) PastUnreadable(at string) string {
	if l == Chinese {
		return "无法得知作业在 " + at + " 的情况：历史无法读取。"
	}
	return "What the job did at " + at + " is not known: the history cannot be read."
}

// PastUnserved is "No run of {fire} is on record, and whether an instance served the job then is not known.".
func (l Lang) PastUnserved(fire string) string {
	if l == Chinese {
		return "没有 " + fire + " 的运行记录，当时是否有实例为该作业服务也未知。"
	}
	return "No run of " + fire + " is on record, and whether an instance served the job then is not known."
}

// PastUses is "Uses recorded runs, the audit, and what the console remembers of instances.".
func (l Lang) PastUses() string {
	if l == Chinese {
		return "依据运行记录、审计日志以及控制台记住的实例变化。"
	}
	return "Uses recorded runs, the audit, and what the console remembers of instances."
}
