// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// PastAfterUntil is "The schedule ended at {value} (schedule.until).".
func (l Lang) PastAfterUntil(value string) string {
	if l == Chinese {
		return "调度已于 " + value + " 结束（schedule.until）。"
	}
	return "The schedule ended at " + value + " (schedule.until)."
}

// PastAgentZone is "The job names no time zone: its agents use {zone} today, and may have used another one.".
func (l Lang) PastAgentZone(zone string) string {
	if l == Chinese {
		return "作业没有指定时区：其代理目前使用 " + zone + "，当时可能不同。"
	}
	return "The job names no time zone: its agents use " + zone + " today, and may have used another one."
}

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

// PastBackfilled is "A backfill of that time was requested at {time}, by {who}.".
func (l Lang) PastBackfilled(time string, who string) string {
	if l == Chinese {
		return who + " 于 " + time + " 请求了补跑该时间。"
	}
	return "A backfill of that time was requested at " + time + ", by " + who + "."
}

// PastBadTime is "{text} is not a time. Write 2006-01-02T15:04 in UTC, or with a zone.".
func (l Lang) PastBadTime(text string) string {
	if l == Chinese {
		return text + " 不是有效时间。请按 2006-01-02T15:04（UTC）填写，或带上时区。"
	}
	return text + " is not a time. Write 2006-01-02T15:04 in UTC, or with a zone."
}

// PastBeforeFrom is "The schedule begins at {value} (schedule.from).".
func (l Lang) PastBeforeFrom(value string) string {
	if l == Chinese {
		return "调度从 " + value + " 开始（schedule.from）。"
	}
	return "The schedule begins at " + value + " (schedule.from)."
}

// PastBegan is "A run began at {time}. Nothing on record names its fire time.".
func (l Lang) PastBegan(time string) string {
	if l == Chinese {
		return "有一次运行始于 " + time + "，没有记录说明它对应的触发时间。"
	}
	return "A run began at " + time + ". Nothing on record names its fire time."
}

// PastBehind is "The clock of an agent is {behind} behind, so it may not have come to that time yet.".
func (l Lang) PastBehind(behind string) string {
	if l == Chinese {
		return "有代理的时钟慢 " + behind + "，可能尚未到达该时间。"
	}
	return "The clock of an agent is " + behind + " behind, so it may not have come to that time yet."
}

// PastBusy is "Its run of {run} was still running.".
func (l Lang) PastBusy(run string) string {
	if l == Chinese {
		return run + " 的运行仍在进行。"
	}
	return "Its run of " + run + " was still running."
}

// PastCancelled is "The job was due at {fire} and ran: {n, number} of {shards, number} shards {n, plural, one {was} other {were}} cancelled.".
func (l Lang) PastCancelled(fire string, n int, shards int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中 " + number(n) + " 个被取消。"
	}
	if n == 1 {
		return "The job was due at " + fire + " and ran: " + number(n) + " of " + number(shards) + " shards was cancelled."
	}
	return "The job was due at " + fire + " and ran: " + number(n) + " of " + number(shards) + " shards were cancelled."
}

// PastCancelledRetried is "The job was due at {fire} and ran: {n, number} of {shards, number} shards {n, plural, one {was} other {were}} cancelled at first, and the run at {time} succeeded.".
func (l Lang) PastCancelledRetried(fire string, n int, shards int, time string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中起初有 " + number(n) + " 个被取消，" + time + " 的运行成功。"
	}
	if n == 1 {
		return "The job was due at " + fire + " and ran: " + number(n) + " of " + number(shards) + " shards was cancelled at first, and the run at " + time + " succeeded."
	}
	return "The job was due at " + fire + " and ran: " + number(n) + " of " + number(shards) + " shards were cancelled at first, and the run at " + time + " succeeded."
}

// PastClockBegan is "A run began at {time}, by the clock of an agent that may be {behind} behind.".
func (l Lang) PastClockBegan(time string, behind string) string {
	if l == Chinese {
		return "有一次运行开始于 " + time + "，按可能慢 " + behind + " 的代理时钟。"
	}
	return "A run began at " + time + ", by the clock of an agent that may be " + behind + " behind."
}

// PastClockBehind is "The clock of an agent is {behind} behind. The fire times and times of its runs are by that clock, so they may have been later.".
func (l Lang) PastClockBehind(behind string) string {
	if l == Chinese {
		return "有代理的时钟慢 " + behind + "。其运行的触发时间与起止时间均按该时钟，实际可能更晚。"
	}
	return "The clock of an agent is " + behind + " behind. The fire times and times of its runs are by that clock, so they may have been later."
}

// PastClocks is "Something happened within {n, number} minutes of that time. The clocks of agents, the console and ZooKeeper may differ, so it may have happened before or after.".
func (l Lang) PastClocks(n int) string {
	if l == Chinese {
		return "该时间前后 " + number(n) + " 分钟内有事件发生。代理、控制台与 ZooKeeper 的时钟可能不一致，事件可能在此之前或之后。"
	}
	return "Something happened within " + number(n) + " minutes of that time. The clocks of agents, the console and ZooKeeper may differ, so it may have happened before or after."
}

// PastCreatedAgain is "It isn't known how the job ran at {at}: its configuration was created later, at {created}, and a job of this name existed before.".
func (l Lang) PastCreatedAgain(at string, created string) string {
	if l == Chinese {
		return "无法得知作业在 " + at + " 的情况：其配置创建于之后的 " + created + "，此前曾存在同名作业。"
	}
	return "It isn't known how the job ran at " + at + ": its configuration was created later, at " + created + ", and a job of this name existed before."
}

// PastDisabled is "The job was disabled since {time}, by {who}.".
func (l Lang) PastDisabled(time string, who string) string {
	if l == Chinese {
		return "作业自 " + time + " 起被 " + who + " 禁用。"
	}
	return "The job was disabled since " + time + ", by " + who + "."
}

// PastEditedAbout is "The configuration was changed at {time}, a moment before, so it's unknown whether the job was due.".
func (l Lang) PastEditedAbout(time string) string {
	if l == Chinese {
		return "配置在此前片刻（" + time + "）被修改过，无法得知当时是否应触发。"
	}
	return "The configuration was changed at " + time + ", a moment before, so it's unknown whether the job was due."
}

// PastEditedSince is "The configuration was changed since, last at {time}, so it's unknown whether the job was due.".
func (l Lang) PastEditedSince(time string) string {
	if l == Chinese {
		return "配置此后被修改过，最近一次在 " + time + "，无法得知当时是否应触发。"
	}
	return "The configuration was changed since, last at " + time + ", so it's unknown whether the job was due."
}

// PastElsewhere is "The run is of {instance}, which hasn't served this job here: it may be of another namespace that shares the history.".
func (l Lang) PastElsewhere(instance string) string {
	if l == Chinese {
		return "该运行来自 " + instance + "，而它在此处没有服务过该作业：它可能属于共用同一历史库的另一个命名空间。"
	}
	return "The run is of " + instance + ", which hasn't served this job here: it may be of another namespace that shares the history."
}

// PastEventsSince is "Instances are remembered since {time} only.".
func (l Lang) PastEventsSince(time string) string {
	if l == Chinese {
		return "实例变化仅从 " + time + " 起记录。"
	}
	return "Instances are remembered since " + time + " only."
}

// PastExcluded is "{day} is excluded (schedule.exclude: {value}).".
func (l Lang) PastExcluded(day string, value string) string {
	if l == Chinese {
		return day + " 被排除（schedule.exclude：" + value + "）。"
	}
	return day + " is excluded (schedule.exclude: " + value + ")."
}

// PastFailed is "The job was due at {fire}, and {failed, number} of {shards, number} shards of its run failed.".
func (l Lang) PastFailed(fire string, failed int, shards int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，其运行的 " + number(shards) + " 个分片中 " + number(failed) + " 个失败。"
	}
	return "The job was due at " + fire + ", and " + number(failed) + " of " + number(shards) + " shards of its run failed."
}

// PastFuture is "{time} has not passed yet.".
func (l Lang) PastFuture(time string) string {
	if l == Chinese {
		return time + " 尚未到来。"
	}
	return time + " has not passed yet."
}

// PastGap is "Instances were not seen between {from} and {until}. What happened in between was noticed at its end.".
func (l Lang) PastGap(from string, until string) string {
	if l == Chinese {
		return from + " 至 " + until + " 期间未能查看实例。期间发生的事在结束时才被发现。"
	}
	return "Instances were not seen between " + from + " and " + until + ". What happened in between was noticed at its end."
}

// PastGapSince is "Instances are not seen since {from}.".
func (l Lang) PastGapSince(from string) string {
	if l == Chinese {
		return "自 " + from + " 起未能查看实例。"
	}
	return "Instances are not seen since " + from + "."
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

// PastLate is "Its first shard began only at {time}.".
func (l Lang) PastLate(time string) string {
	if l == Chinese {
		return "它的第一个分片直到 " + time + " 才开始。"
	}
	return "Its first shard began only at " + time + "."
}

// PastLateRows is "That was a few minutes ago, and runs may be recorded late.".
func (l Lang) PastLateRows() string {
	if l == Chinese {
		return "该时间刚过去几分钟，运行记录可能尚未写入。"
	}
	return "That was a few minutes ago, and runs may be recorded late."
}

// PastLeft is "{instance} left at {time}.".
func (l Lang) PastLeft(instance string, time string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 离开。"
	}
	return instance + " left at " + time + "."
}

// PastLossNoticed is "The loss of {instance} was noticed at {time}. A run that it had begun may not be on record.".
func (l Lang) PastLossNoticed(instance string, time string) string {
	if l == Chinese {
		return time + " 发现 " + instance + " 已丢失，其已开始的运行可能没有记录。"
	}
	return "The loss of " + instance + " was noticed at " + time + ". A run that it had begun may not be on record."
}

// PastLossUnknown is "Whether an instance was lost at that time or soon after isn't remembered. A run that it had begun may not be on record.".
func (l Lang) PastLossUnknown() string {
	if l == Chinese {
		return "没有记住当时或稍后是否有实例丢失，其已开始的运行可能没有记录。"
	}
	return "Whether an instance was lost at that time or soon after isn't remembered. A run that it had begun may not be on record."
}

// PastLost is "The job was due at {fire}, and {lost, number} of {shards, number} shards of its run was lost.".
func (l Lang) PastLost(fire string, lost int, shards int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中 " + number(lost) + " 个丢失。"
	}
	return "The job was due at " + fire + ", and " + number(lost) + " of " + number(shards) + " shards of its run was lost."
}

// PastMadeUp is "The fire time was made up for at {time}.".
func (l Lang) PastMadeUp(time string) string {
	if l == Chinese {
		return "该触发时间已在 " + time + " 补上。"
	}
	return "The fire time was made up for at " + time + "."
}

// PastMadeUpBy is "The job was due at {fire}. No run of that fire time is on record, and it was made up for at {time}.".
func (l Lang) PastMadeUpBy(fire string, time string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，没有该触发时间的运行记录，已在 " + time + " 补上。"
	}
	return "The job was due at " + fire + ". No run of that fire time is on record, and it was made up for at " + time + "."
}

// PastMayBeBusy is "The end of its run of {run} isn't on record, so it may have been running then.".
func (l Lang) PastMayBeBusy(run string) string {
	if l == Chinese {
		return "没有 " + run + " 的运行的结束记录，当时它可能仍在运行。"
	}
	return "The end of its run of " + run + " isn't on record, so it may have been running then."
}

// PastMissed is "The job was due at {fire} and did not run.".
func (l Lang) PastMissed(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，但没有运行。"
	}
	return "The job was due at " + fire + " and did not run."
}

// PastMoreRuns is "There were more runs about that time than can be read here.".
func (l Lang) PastMoreRuns() string {
	if l == Chinese {
		return "该时间前后的运行太多，无法全部读取。"
	}
	return "There were more runs about that time than can be read here."
}

// PastNoCron is "Whether it was due isn't known, because its schedule or its time zone cannot be read.".
func (l Lang) PastNoCron() string {
	if l == Chinese {
		return "无法判断当时是否应触发：调度或时区无法读取。"
	}
	return "Whether it was due isn't known, because its schedule or its time zone cannot be read."
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

// PastNoZone is "Whether it was due isn't known, because neither the job nor each of its agents names a time zone.".
func (l Lang) PastNoZone() string {
	if l == Chinese {
		return "无法判断当时是否应触发：作业没有指定时区，它的代理也没有全部报告时区。"
	}
	return "Whether it was due isn't known, because neither the job nor each of its agents names a time zone."
}

// PastNobody is "No instance lived.".
func (l Lang) PastNobody() string {
	if l == Chinese {
		return "没有存活的实例。"
	}
	return "No instance lived."
}

// PastNotCovered is "There may have been one: the job doesn't have runs on record both from before that time and from after it.".
func (l Lang) PastNotCovered() string {
	if l == Chinese {
		return "可能运行过：该作业并非在该时间之前和之后都有运行记录。"
	}
	return "There may have been one: the job doesn't have runs on record both from before that time and from after it."
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

// PastNotYet is "Nothing is known of the job at {at}: its configuration was created later, at {created}.".
func (l Lang) PastNotYet(at string, created string) string {
	if l == Chinese {
		return "无法得知作业在 " + at + " 的情况：其配置在此之后创建，创建时间为 " + created + "。"
	}
	return "Nothing is known of the job at " + at + ": its configuration was created later, at " + created + "."
}

// PastObstacle is "{instance} has announced since {time} that it can't run the job: {reason}.".
func (l Lang) PastObstacle(instance string, time string, reason string) string {
	if l == Chinese {
		return instance + " 自 " + time + " 起报告无法运行该作业：" + reason + "。"
	}
	return instance + " has announced since " + time + " that it can't run the job: " + reason + "."
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

// PastOutage is "The console could not reach ZooKeeper for a time between {from} and {until}. Perhaps the agents could not, either.".
func (l Lang) PastOutage(from string, until string) string {
	if l == Chinese {
		return from + " 至 " + until + " 之间，控制台有一段时间无法连接 ZooKeeper，代理可能也无法连接。"
	}
	return "The console could not reach ZooKeeper for a time between " + from + " and " + until + ". Perhaps the agents could not, either."
}

// PastOutageSince is "The console can't reach ZooKeeper since {from}. Perhaps the agents can't, either.".
func (l Lang) PastOutageSince(from string) string {
	if l == Chinese {
		return "自 " + from + " 起，控制台无法连接 ZooKeeper，代理可能也无法连接。"
	}
	return "The console can't reach ZooKeeper since " + from + ". Perhaps the agents can't, either."
}

// PastPartial is "The job was due at {fire} and ran in part: {n, number} of {shards, number} shards.".
func (l Lang) PastPartial(fire string, n int, shards int) string {
	if l == Chinese {
		return "作业应于 " + fire + " 触发，只运行了一部分：" + number(shards) + " 个分片中的 " + number(n) + " 个。"
	}
	return "The job was due at " + fire + " and ran in part: " + number(n) + " of " + number(shards) + " shards."
}

// PastPerhaps is "An action of {time}, by {who}, may have stopped or started the job: whether it was carried out isn't on record.".
func (l Lang) PastPerhaps(time string, who string) string {
	if l == Chinese {
		return who + " 在 " + time + " 的操作可能停止或启动了作业：没有记录说明是否已执行。"
	}
	return "An action of " + time + ", by " + who + ", may have stopped or started the job: whether it was carried out isn't on record."
}

// PastRan is "The job was due at {fire} and ran: all its shards succeeded.".
func (l Lang) PastRan(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：全部分片成功。"
	}
	return "The job was due at " + fire + " and ran: all its shards succeeded."
}

// PastRanBefore is "Runs of it that are older than its configuration are on record: it was removed and made again, or its node was deleted.".
func (l Lang) PastRanBefore() string {
	if l == Chinese {
		return "有早于其配置的运行记录：作业曾被移除后重新创建，或其节点曾被删除。"
	}
	return "Runs of it that are older than its configuration are on record: it was removed and made again, or its node was deleted."
}

// PastRanSome is "The job was due at {fire} and ran: {n, plural, one {# shard is} other {# shards are}} on record. Whether others should have run, or did, isn't known.".
func (l Lang) PastRanSome(fire string, n int) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：有 " + number(n) + " 个分片的记录。其他分片是否应运行或已运行，无法得知。"
	}
	if n == 1 {
		return "The job was due at " + fire + " and ran: " + number(n) + " shard is on record. Whether others should have run, or did, isn't known."
	}
	return "The job was due at " + fire + " and ran: " + number(n) + " shards are on record. Whether others should have run, or did, isn't known."
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

// PastRecordsSince is "The audit was searched since {time} only.".
func (l Lang) PastRecordsSince(time string) string {
	if l == Chinese {
		return "审计日志仅从 " + time + " 起查找。"
	}
	return "The audit was searched since " + time + " only."
}

// PastRemoved is "The job was removed at {time}, by {who}.".
func (l Lang) PastRemoved(time string, who string) string {
	if l == Chinese {
		return "作业于 " + time + " 被 " + who + " 移除。"
	}
	return "The job was removed at " + time + ", by " + who + "."
}

// PastRestarted is "There may have been one: the runs of shard {shard, number} on record before and after that time aren't known to be of the same process, and a process started in between may have recorded nothing.".
func (l Lang) PastRestarted(shard int) string {
	if l == Chinese {
		return "可能运行过：分片 " + number(shard) + " 在该时间前后的运行记录不能确定来自同一进程，其间启动的进程可能没有留下记录。"
	}
	return "There may have been one: the runs of shard " + number(shard) + " on record before and after that time aren't known to be of the same process, and a process started in between may have recorded nothing."
}

// PastRetried is "The job was due at {fire} and ran: {n, number} of {shards, number} shards failed at first, and the retry at {time} succeeded.".
func (l Lang) PastRetried(fire string, n int, shards int, time string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，已运行：" + number(shards) + " 个分片中起初有 " + number(n) + " 个失败，" + time + " 的重试成功。"
	}
	return "The job was due at " + fire + " and ran: " + number(n) + " of " + number(shards) + " shards failed at first, and the retry at " + time + " succeeded."
}

// PastRetriedInVain is "The retry at {time} did not succeed in all of these shards.".
func (l Lang) PastRetriedInVain(time string) string {
	if l == Chinese {
		return time + " 的重试未能使这些分片全部成功。"
	}
	return "The retry at " + time + " did not succeed in all of these shards."
}

// PastRetrying is "The retry of {time} goes on.".
func (l Lang) PastRetrying(time string) string {
	if l == Chinese {
		return time + " 的重试仍在进行。"
	}
	return "The retry of " + time + " goes on."
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

// PastSeen is "From {from} until {until}, as far as the console knows: {sentence}".
func (l Lang) PastSeen(from string, until string, sentence string) string {
	if l == Chinese {
		return "自 " + from + " 至 " + until + "，据控制台所知：" + sentence
	}
	return "From " + from + " until " + until + ", as far as the console knows: " + sentence
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

// PastStoppedOn is "Its instances on {server} were stopped at {time}, by {who}.".
func (l Lang) PastStoppedOn(server string, time string, who string) string {
	if l == Chinese {
		return server + " 上的实例于 " + time + " 被 " + who + " 终止。"
	}
	return "Its instances on " + server + " were stopped at " + time + ", by " + who + "."
}

// PastTitle is "Explain a past time".
func (l Lang) PastTitle() string {
	if l == Chinese {
		return "诊断过去的时间"
	}
	return "Explain a past time"
}

// PastTooEarly is "The job is due at {fire}: it's too early to know whether it ran.".
func (l Lang) PastTooEarly(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行：现在判断是否已运行还为时过早。"
	}
	return "The job is due at " + fire + ": it's too early to know whether it ran."
}

// PastTriggerDropped is "A run was on then. An instance drops a trigger that comes while it runs.".
func (l Lang) PastTriggerDropped() string {
	if l == Chinese {
		return "当时正在运行；实例会丢弃运行期间收到的触发。"
	}
	return "A run was on then. An instance drops a trigger that comes while it runs."
}

// PastTriggered is "The job was triggered at {time}, by {who}.".
func (l Lang) PastTriggered(time string, who string) string {
	if l == Chinese {
		return "作业于 " + time + " 由 " + who + " 手动触发。"
	}
	return "The job was triggered at " + time + ", by " + who + "."
}

// PastUnended is "The job was due at {fire}, and the end of that run isn't on record, although the registry shows no running shard.".
func (l Lang) PastUnended(fire string) string {
	if l == Chinese {
		return "作业应在 " + fire + " 运行，没有该次运行的结束记录，而注册中心显示没有分片在运行。"
	}
	return "The job was due at " + fire + ", and the end of that run isn't on record, although the registry shows no running shard."
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

// PastUnrecorded is "{instance} may not record its runs.".
func (l Lang) PastUnrecorded(instance string) string {
	if l == Chinese {
		return instance + " 可能不记录运行。"
	}
	return instance + " may not record its runs."
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
