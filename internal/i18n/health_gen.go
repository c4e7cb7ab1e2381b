// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// HealthBecause is "{what}: {cause}.".
func (l Lang) HealthBecause(what string, cause string) string {
	if l == Chinese {
		return what + "：" + cause + "。"
	}
	return what + ": " + cause + "."
}

// HealthBlocked is "Blocked".
func (l Lang) HealthBlocked() string {
	if l == Chinese {
		return "受阻"
	}
	return "Blocked"
}

// HealthBoth is "{failed} and {lost}".
func (l Lang) HealthBoth(failed string, lost string) string {
	if l == Chinese {
		return failed + "，" + lost
	}
	return failed + " and " + lost
}

// HealthDisabled is "Disabled".
func (l Lang) HealthDisabled() string {
	if l == Chinese {
		return "已禁用"
	}
	return "Disabled"
}

// HealthDown is "Down".
func (l Lang) HealthDown() string {
	if l == Chinese {
		return "已下线"
	}
	return "Down"
}

// HealthEnded is "Ended".
func (l Lang) HealthEnded() string {
	if l == Chinese {
		return "已结束"
	}
	return "Ended"
}

// HealthEnds is "{what}.".
func (l Lang) HealthEnds(what string) string {
	if l == Chinese {
		return what + "。"
	}
	return what + "."
}

// HealthFailedOn is "{shards} failed on {where}".
func (l Lang) HealthFailedOn(shards string, where string) string {
	if l == Chinese {
		return shards + " 在 " + where + " 上失败"
	}
	return shards + " failed on " + where
}

// HealthFailing is "Failing".
func (l Lang) HealthFailing() string {
	if l == Chinese {
		return "失败"
	}
	return "Failing"
}

// HealthHealthy is "Healthy".
func (l Lang) HealthHealthy() string {
	if l == Chinese {
		return "正常"
	}
	return "Healthy"
}

// HealthIdle is " It was up to {owners}.".
func (l Lang) HealthIdle(owners string) string {
	if l == Chinese {
		return "应由 " + owners + " 运行。"
	}
	return " It was up to " + owners + "."
}

// HealthIsAllItemsOff is "Every shard is switched off, so nothing of the job runs.".
func (l Lang) HealthIsAllItemsOff() string {
	if l == Chinese {
		return "所有分片均已禁用，作业不会运行。"
	}
	return "Every shard is switched off, so nothing of the job runs."
}

// HealthIsAway is "The history of runs can't be read, so it's unknown whether the last run succeeded.".
func (l Lang) HealthIsAway() string {
	if l == Chinese {
		return "运行历史不可用，无法判断最近一次运行是否成功。"
	}
	return "The history of runs can't be read, so it's unknown whether the last run succeeded."
}

// HealthIsBlocked is "Nothing of the job runs. {why}.".
func (l Lang) HealthIsBlocked(why string) string {
	if l == Chinese {
		return "作业完全没有运行。" + why + "。"
	}
	return "Nothing of the job runs. " + why + "."
}

// HealthIsCrashes is "{n, plural, one {# instance} other {# instances}} of the job were lost since {time}: their processes ended, or lost ZooKeeper.".
func (l Lang) HealthIsCrashes(n int, time string) string {
	if l == Chinese {
		return "自 " + time + " 起，该作业有 " + number(n) + " 个实例丢失：其进程已结束，或与 ZooKeeper 断开。"
	}
	if n == 1 {
		return number(n) + " instance of the job were lost since " + time + ": their processes ended, or lost ZooKeeper."
	}
	return number(n) + " instances of the job were lost since " + time + ": their processes ended, or lost ZooKeeper."
}

// HealthIsDisabled is "The job is disabled: no run starts until it is enabled.".
func (l Lang) HealthIsDisabled() string {
	if l == Chinese {
		return "作业已禁用：启用之前不会开始运行。"
	}
	return "The job is disabled: no run starts until it is enabled."
}

// HealthIsDown is "No instance of the job is registered: none has started, or all have left.".
func (l Lang) HealthIsDown() string {
	if l == Chinese {
		return "没有该作业的实例注册：尚未启动，或已全部离开。"
	}
	return "No instance of the job is registered: none has started, or all have left."
}

// HealthIsDropped is "The fire time {time} passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.".
func (l Lang) HealthIsDropped(time string) string {
	if l == Chinese {
		return "触发时间 " + time + " 到来时上一次运行尚未结束，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"
	}
	return "The fire time " + time + " passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for."
}

// HealthIsEnded is "The schedule has no fire time to come: the job runs only when it is triggered.".
func (l Lang) HealthIsEnded() string {
	if l == Chinese {
		return "调度没有后续触发时间：作业仅在手动触发时运行。"
	}
	return "The schedule has no fire time to come: the job runs only when it is triggered."
}

// HealthIsForbidden is "ZooKeeper refuses the console's credentials, so the state of the job is unknown here.".
func (l Lang) HealthIsForbidden() string {
	if l == Chinese {
		return "ZooKeeper 拒绝控制台的凭据：无法判断作业的状态。"
	}
	return "ZooKeeper refuses the console's credentials, so the state of the job is unknown here."
}

// HealthIsHealthy is "The job is as it should be.".
func (l Lang) HealthIsHealthy() string {
	if l == Chinese {
		return "作业正常。"
	}
	return "The job is as it should be."
}

// HealthIsHeld is "{name} holds the schedule: fire times pass without a run.".
func (l Lang) HealthIsHeld(name string) string {
	if l == Chinese {
		return "调度由 " + name + " 暂停：触发时间到来时不运行。"
	}
	return name + " holds the schedule: fire times pass without a run."
}

// HealthIsHeldRequests is "{name} holds requested runs: a run waits unless a person asked for it.".
func (l Lang) HealthIsHeldRequests(name string) string {
	if l == Chinese {
		return name + " 暂停了运行请求：不是由人提出的请求需等待。"
	}
	return name + " holds requested runs: a run waits unless a person asked for it."
}

// HealthIsItemsOff is "Of the shards, {n, plural, one {# is} other {# are}} switched off.".
func (l Lang) HealthIsItemsOff(n int) string {
	if l == Chinese {
		return number(n) + " 个分片已禁用。"
	}
	if n == 1 {
		return "Of the shards, " + number(n) + " is switched off."
	}
	return "Of the shards, " + number(n) + " are switched off."
}

// HealthIsLate is "The job was due at {time}, and no run of that fire time has begun.".
func (l Lang) HealthIsLate(time string) string {
	if l == Chinese {
		return "作业应于 " + time + " 触发，但没有运行开始。"
	}
	return "The job was due at " + time + ", and no run of that fire time has begun."
}

// HealthIsLateByRows is "The job was due at {time}, and no run of it is on record.".
func (l Lang) HealthIsLateByRows(time string) string {
	if l == Chinese {
		return "作业应于 " + time + " 触发，但没有该次运行的记录。"
	}
	return "The job was due at " + time + ", and no run of it is on record."
}

// HealthIsLateResharding is "The job was due at {time}, and no run of it is known: shards have no live owner.".
func (l Lang) HealthIsLateResharding(time string) string {
	if l == Chinese {
		return "作业应于 " + time + " 触发，但没有该次运行的记录：有分片没有存活的所属实例。"
	}
	return "The job was due at " + time + ", and no run of it is known: shards have no live owner."
}

// HealthIsLost is "An instance left during a run: {n, plural, one {# shard was lost, and no instance has begun it again} other {# shards were lost, and no instance has begun them again}}.".
func (l Lang) HealthIsLost(n int) string {
	if l == Chinese {
		return "有实例在运行中离开：" + number(n) + " 个分片丢失，尚未重新执行。"
	}
	if n == 1 {
		return "An instance left during a run: " + number(n) + " shard was lost, and no instance has begun it again."
	}
	return "An instance left during a run: " + number(n) + " shards were lost, and no instance has begun them again."
}

// HealthIsMissed is "{n, plural, one {The last run is} other {The last # runs are}} on record without {shards}, although switched on.".
func (l Lang) HealthIsMissed(n int, shards string) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次运行的记录中没有 " + shards + "，但并未被禁用。"
	}
	if n == 1 {
		return "The last run is on record without " + shards + ", although switched on."
	}
	return "The last " + number(n) + " runs are on record without " + shards + ", although switched on."
}

// HealthIsNever is "No run of the job is on record, and none has been due since it could run.".
func (l Lang) HealthIsNever() string {
	if l == Chinese {
		return "没有该作业的运行记录；自其可以运行以来，尚未到过触发时间。"
	}
	return "No run of the job is on record, and none has been due since it could run."
}

// HealthIsNeverTriggered is "The job runs only when it is triggered, and no run of it is on record.".
func (l Lang) HealthIsNeverTriggered() string {
	if l == Chinese {
		return "作业仅在触发时运行，目前没有任何运行记录。"
	}
	return "The job runs only when it is triggered, and no run of it is on record."
}

// HealthIsNoneEnabled is "None of the job's {n, plural, one {# instance} other {# instances}} may run shards.".
func (l Lang) HealthIsNoneEnabled(n int) string {
	if l == Chinese {
		return "已注册 " + number(n) + " 个实例，但没有一个可以运行分片。"
	}
	if n == 1 {
		return "None of the job's " + number(n) + " instance may run shards."
	}
	return "None of the job's " + number(n) + " instances may run shards."
}

// HealthIsNotRecorded is "The job was due at {time}, and no run of it is on record. Its rows may be late, or its agents may record none, so it's unknown whether it ran.".
func (l Lang) HealthIsNotRecorded(time string) string {
	if l == Chinese {
		return "作业应在 " + time + " 运行，没有其运行记录。记录可能晚到，或其代理不记录，因此无法得知是否已运行。"
	}
	return "The job was due at " + time + ", and no run of it is on record. Its rows may be late, or its agents may record none, so it's unknown whether it ran."
}

// HealthIsOneInstance is "One instance serves the job: if it's lost, no other one takes its shards over.".
func (l Lang) HealthIsOneInstance() string {
	if l == Chinese {
		return "只有一个实例服务该作业：一旦丢失，没有其他实例接管其分片。"
	}
	return "One instance serves the job: if it's lost, no other one takes its shards over."
}

// HealthIsOverrun is "{shards}: by the history still running when the fire time {time} came, unless the row of an end is late.".
func (l Lang) HealthIsOverrun(shards string, time string) string {
	if l == Chinese {
		return shards + "：按历史记录，触发时间 " + time + " 到来时仍在运行，除非结束记录晚到。"
	}
	return shards + ": by the history still running when the fire time " + time + " came, unless the row of an end is late."
}

// HealthIsPartial is "A part of the job does not run. {why}.".
func (l Lang) HealthIsPartial(why string) string {
	if l == Chinese {
		return "作业的一部分没有运行。" + why + "。"
	}
	return "A part of the job does not run. " + why + "."
}

// HealthIsPassed is "No run of the fire time {due} is on record, and none made up for it. Whether an instance served the job then isn't known: the first of the live ones came at {ready}.".
func (l Lang) HealthIsPassed(due string, ready string) string {
	if l == Chinese {
		return "没有触发时间 " + due + " 的运行记录，也没有补上。无法得知当时是否有实例服务该作业：当前存活实例中最早的于 " + ready + " 出现。"
	}
	return "No run of the fire time " + due + " is on record, and none made up for it. Whether an instance served the job then isn't known: the first of the live ones came at " + ready + "."
}

// HealthIsRanUnrecorded is "The job ran last at {time}, and the results of its runs aren't on record here.".
func (l Lang) HealthIsRanUnrecorded(time string) string {
	if l == Chinese {
		return "作业最近一次运行于 " + time + "，但此处没有其运行结果的记录。"
	}
	return "The job ran last at " + time + ", and the results of its runs aren't on record here."
}

// HealthIsReading is "The console has yet to read this job.".
func (l Lang) HealthIsReading() string {
	if l == Chinese {
		return "控制台尚未读取该作业。"
	}
	return "The console has yet to read this job."
}

// HealthIsResharding is "The shards are to be assigned: {reason}.".
func (l Lang) HealthIsResharding(reason string) string {
	if l == Chinese {
		return "分片待分配：" + reason + "。"
	}
	return "The shards are to be assigned: " + reason + "."
}

// HealthIsRunning is "A run is on: {n, plural, one {# shard has} other {# shards have}} to end.".
func (l Lang) HealthIsRunning(n int) string {
	if l == Chinese {
		return "正在运行：还有 " + number(n) + " 个分片未结束。"
	}
	if n == 1 {
		return "A run is on: " + number(n) + " shard has to end."
	}
	return "A run is on: " + number(n) + " shards have to end."
}

// HealthIsRunningByHistory is "By the history a run is on: {n, plural, one {# shard has} other {# shards have}} no end on record.".
func (l Lang) HealthIsRunningByHistory(n int) string {
	if l == Chinese {
		return "按历史记录正在运行：" + number(n) + " 个分片没有结束记录。"
	}
	if n == 1 {
		return "By the history a run is on: " + number(n) + " shard has no end on record."
	}
	return "By the history a run is on: " + number(n) + " shards have no end on record."
}

// HealthIsServersOff is "The job runs; {n, plural, one {# server is} other {# servers are}} not enabled.".
func (l Lang) HealthIsServersOff(n int) string {
	if l == Chinese {
		return "作业正常运行；" + number(n) + " 台服务器未启用。"
	}
	if n == 1 {
		return "The job runs; " + number(n) + " server is not enabled."
	}
	return "The job runs; " + number(n) + " servers are not enabled."
}

// HealthIsUnended is "The end of the run that began at {time} isn't on record, and the registry shows no running shard, so its result is unknown.".
func (l Lang) HealthIsUnended(time string) string {
	if l == Chinese {
		return "没有 " + time + " 开始的运行的结束记录，而注册中心显示没有分片在运行，因此无法得知其结果。"
	}
	return "The end of the run that began at " + time + " isn't on record, and the registry shows no running shard, so its result is unknown."
}

// HealthIsUnreadable is "The configuration cannot be used: {cause}.".
func (l Lang) HealthIsUnreadable(cause string) string {
	if l == Chinese {
		return "配置无法使用：" + cause + "。"
	}
	return "The configuration cannot be used: " + cause + "."
}

// HealthIsUnrecorded is "None of the last runs of {shards} is on record, so their results are unknown. The owner may not record its runs.".
func (l Lang) HealthIsUnrecorded(shards string) string {
	if l == Chinese {
		return "没有" + shards + "最近几次运行的记录，因此结果未知。其所有者可能不记录运行。"
	}
	return "None of the last runs of " + shards + " is on record, so their results are unknown. The owner may not record its runs."
}

// HealthIsUnserved is "The fire time {time} passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.".
func (l Lang) HealthIsUnserved(time string) string {
	if l == Chinese {
		return "触发时间 " + time + " 到来时没有实例服务该作业，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"
	}
	return "The fire time " + time + " passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for."
}

// HealthIsUnstable is "The last run on record succeeded, and {n, number} of the last {all, number} failed.".
func (l Lang) HealthIsUnstable(n int, all int) string {
	if l == Chinese {
		return "有记录的最近一次成功，但 " + number(all) + " 次中 " + number(n) + " 次失败。"
	}
	return "The last run on record succeeded, and " + number(n) + " of the last " + number(all) + " failed."
}

// HealthLastRun is "In the last run on record {what}".
func (l Lang) HealthLastRun(what string) string {
	if l == Chinese {
		return "有记录的最近一次运行中" + what
	}
	return "In the last run on record " + what
}

// HealthLastRuns is "The last {runs} on record failed; in the newest {what}".
func (l Lang) HealthLastRuns(runs string, what string) string {
	if l == Chinese {
		return "有记录的" + runs + "运行失败；最近一次中 " + what
	}
	return "The last " + runs + " on record failed; in the newest " + what
}

// HealthLate is "Late".
func (l Lang) HealthLate() string {
	if l == Chinese {
		return "延迟"
	}
	return "Late"
}

// HealthLost is "lost".
func (l Lang) HealthLost() string {
	if l == Chinese {
		return "丢失"
	}
	return "lost"
}

// HealthNever is "Never ran".
func (l Lang) HealthNever() string {
	if l == Chinese {
		return "从未运行"
	}
	return "Never ran"
}

// HealthPartFailed is "{shards} failed".
func (l Lang) HealthPartFailed(shards string) string {
	if l == Chinese {
		return shards + " 失败"
	}
	return shards + " failed"
}

// HealthPartLost is "{shards} {n, plural, one {was} other {were}} lost".
func (l Lang) HealthPartLost(shards string, n int) string {
	if l == Chinese {
		return shards + " 丢失"
	}
	if n == 1 {
		return shards + " was lost"
	}
	return shards + " were lost"
}

// HealthPartial is "Runs in part".
func (l Lang) HealthPartial() string {
	if l == Chinese {
		return "部分运行"
	}
	return "Runs in part"
}

// HealthReading is "Still reading".
func (l Lang) HealthReading() string {
	if l == Chinese {
		return "读取中"
	}
	return "Still reading"
}

// HealthResharding is "Resharding".
func (l Lang) HealthResharding() string {
	if l == Chinese {
		return "分片待调整"
	}
	return "Resharding"
}

// HealthRun is "1 run".
func (l Lang) HealthRun() string {
	if l == Chinese {
		return "1 次"
	}
	return "1 run"
}

// HealthRunning is "Running".
func (l Lang) HealthRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "Running"
}

// HealthRuns is "{n, plural, one {# run} other {# runs}}".
func (l Lang) HealthRuns(n int) string {
	if l == Chinese {
		return "连续 " + number(n) + " 次"
	}
	if n == 1 {
		return number(n) + " run"
	}
	return number(n) + " runs"
}

// HealthRunsAtLeast is "{n, number}+ runs".
func (l Lang) HealthRunsAtLeast(n int) string {
	if l == Chinese {
		return "连续 " + number(n) + "+ 次"
	}
	return number(n) + "+ runs"
}

// HealthShard is "shard {item}".
func (l Lang) HealthShard(item string) string {
	if l == Chinese {
		return "分片 " + item
	}
	return "shard " + item
}

// HealthShards is "shards {list}".
func (l Lang) HealthShards(list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	return "shards " + list
}

// HealthShardsMore is "shards {list} and {n, number} more".
func (l Lang) HealthShardsMore(list string, n int) string {
	if l == Chinese {
		return "分片 " + list + " 等，另有 " + number(n) + " 个"
	}
	return "shards " + list + " and " + number(n) + " more"
}

// HealthUnknown is "Unknown".
func (l Lang) HealthUnknown() string {
	if l == Chinese {
		return "未知"
	}
	return "Unknown"
}

// HealthUnreadable is "Unreadable".
func (l Lang) HealthUnreadable() string {
	if l == Chinese {
		return "配置错误"
	}
	return "Unreadable"
}

// HealthUnstable is "Unstable".
func (l Lang) HealthUnstable() string {
	if l == Chinese {
		return "不稳定"
	}
	return "Unstable"
}

// HealthWhyAbsent is "no configuration".
func (l Lang) HealthWhyAbsent() string {
	if l == Chinese {
		return "没有配置"
	}
	return "no configuration"
}

// HealthWhyAway is "history not read".
func (l Lang) HealthWhyAway() string {
	if l == Chinese {
		return "历史不可读"
	}
	return "history not read"
}

// HealthWhyBlocked is "cannot run".
func (l Lang) HealthWhyBlocked() string {
	if l == Chinese {
		return "无法运行"
	}
	return "cannot run"
}

// HealthWhyCrashes is "{n, plural, one {# instance} other {# instances}} lost".
func (l Lang) HealthWhyCrashes(n int) string {
	if l == Chinese {
		return number(n) + " 个实例丢失"
	}
	if n == 1 {
		return number(n) + " instance lost"
	}
	return number(n) + " instances lost"
}

// HealthWhyDown is "no instance".
func (l Lang) HealthWhyDown() string {
	if l == Chinese {
		return "无实例"
	}
	return "no instance"
}

// HealthWhyDropped is "fire time lost".
func (l Lang) HealthWhyDropped() string {
	if l == Chinese {
		return "错过触发时间"
	}
	return "fire time lost"
}

// HealthWhyEnded is "no fire time to come".
func (l Lang) HealthWhyEnded() string {
	if l == Chinese {
		return "没有后续触发时间"
	}
	return "no fire time to come"
}

// HealthWhyFailing is "{runs} · {what}".
func (l Lang) HealthWhyFailing(runs string, what string) string {
	if l == Chinese {
		return runs + " · " + what
	}
	return runs + " · " + what
}

// HealthWhyForbidden is "may not be read".
func (l Lang) HealthWhyForbidden() string {
	if l == Chinese {
		return "无权读取"
	}
	return "may not be read"
}

// HealthWhyHeld is "held".
func (l Lang) HealthWhyHeld() string {
	if l == Chinese {
		return "已暂停"
	}
	return "held"
}

// HealthWhyHeldRequests is "requests held".
func (l Lang) HealthWhyHeldRequests() string {
	if l == Chinese {
		return "请求已暂停"
	}
	return "requests held"
}

// HealthWhyItemsOff is "{n, plural, one {# shard} other {# shards}} off".
func (l Lang) HealthWhyItemsOff(n int) string {
	if l == Chinese {
		return number(n) + " 个分片已禁用"
	}
	if n == 1 {
		return number(n) + " shard off"
	}
	return number(n) + " shards off"
}

// HealthWhyLate is "fire time not run".
func (l Lang) HealthWhyLate() string {
	if l == Chinese {
		return "该次触发未运行"
	}
	return "fire time not run"
}

// HealthWhyLateResharding is "waits for resharding".
func (l Lang) HealthWhyLateResharding() string {
	if l == Chinese {
		return "等待重新分片"
	}
	return "waits for resharding"
}

// HealthWhyLost is "{n, plural, one {# shard} other {# shards}} lost".
func (l Lang) HealthWhyLost(n int) string {
	if l == Chinese {
		return number(n) + " 个分片丢失"
	}
	if n == 1 {
		return number(n) + " shard lost"
	}
	return number(n) + " shards lost"
}

// HealthWhyMayRun is "a run may be on".
func (l Lang) HealthWhyMayRun() string {
	if l == Chinese {
		return "可能在运行"
	}
	return "a run may be on"
}

// HealthWhyMissed is "{n, plural, one {# shard} other {# shards}} without a run".
func (l Lang) HealthWhyMissed(n int) string {
	if l == Chinese {
		return number(n) + " 个分片没有运行"
	}
	if n == 1 {
		return number(n) + " shard without a run"
	}
	return number(n) + " shards without a run"
}

// HealthWhyNoLeader is "no leader".
func (l Lang) HealthWhyNoLeader() string {
	if l == Chinese {
		return "没有主节点"
	}
	return "no leader"
}

// HealthWhyNoneEnabled is "no enabled instance".
func (l Lang) HealthWhyNoneEnabled() string {
	if l == Chinese {
		return "没有启用的实例"
	}
	return "no enabled instance"
}

// HealthWhyNotRecorded is "no run on record".
func (l Lang) HealthWhyNotRecorded() string {
	if l == Chinese {
		return "没有运行记录"
	}
	return "no run on record"
}

// HealthWhyOneInstance is "one instance, no failover".
func (l Lang) HealthWhyOneInstance() string {
	if l == Chinese {
		return "仅一个实例，无法失效转移"
	}
	return "one instance, no failover"
}

// HealthWhyPartial is "some shards cannot run".
func (l Lang) HealthWhyPartial() string {
	if l == Chinese {
		return "部分分片无法运行"
	}
	return "some shards cannot run"
}

// HealthWhyReading is "still being read".
func (l Lang) HealthWhyReading() string {
	if l == Chinese {
		return "仍在读取"
	}
	return "still being read"
}

// HealthWhyReassigned is "shards wait for new owners".
func (l Lang) HealthWhyReassigned() string {
	if l == Chinese {
		return "分片待重新分配"
	}
	return "shards wait for new owners"
}

// HealthWhyRefused is "its agents refuse it".
func (l Lang) HealthWhyRefused() string {
	if l == Chinese {
		return "实例拒绝该作业"
	}
	return "its agents refuse it"
}

// HealthWhyResharding is "nothing assigned yet".
func (l Lang) HealthWhyResharding() string {
	if l == Chinese {
		return "尚未分配"
	}
	return "nothing assigned yet"
}

// HealthWhyRunning is "{left, number} of {n, plural, one {# shard} other {# shards}} left".
func (l Lang) HealthWhyRunning(left int, n int) string {
	if l == Chinese {
		return "剩 " + number(left) + "/" + number(n) + " 个分片"
	}
	if n == 1 {
		return number(left) + " of " + number(n) + " shard left"
	}
	return number(left) + " of " + number(n) + " shards left"
}

// HealthWhyRunningByHistory is "{left, number} of {n, plural, one {# shard} other {# shards}} open".
func (l Lang) HealthWhyRunningByHistory(left int, n int) string {
	if l == Chinese {
		return number(left) + "/" + number(n) + " 个分片未结束"
	}
	if n == 1 {
		return number(left) + " of " + number(n) + " shard open"
	}
	return number(left) + " of " + number(n) + " shards open"
}

// HealthWhyServersOff is "{n, plural, one {# server} other {# servers}} off".
func (l Lang) HealthWhyServersOff(n int) string {
	if l == Chinese {
		return number(n) + " 台服务器已禁用"
	}
	if n == 1 {
		return number(n) + " server off"
	}
	return number(n) + " servers off"
}

// HealthWhyUnassigned is "{n, plural, one {# shard} other {# shards}} unassigned".
func (l Lang) HealthWhyUnassigned(n int) string {
	if l == Chinese {
		return number(n) + " 个分片未分配"
	}
	if n == 1 {
		return number(n) + " shard unassigned"
	}
	return number(n) + " shards unassigned"
}

// HealthWhyUnended is "end not on record".
func (l Lang) HealthWhyUnended() string {
	if l == Chinese {
		return "没有结束记录"
	}
	return "end not on record"
}

// HealthWhyUnstable is "{n, number} of {all, number} failed".
func (l Lang) HealthWhyUnstable(n int, all int) string {
	if l == Chinese {
		return number(all) + " 次中 " + number(n) + " 次失败"
	}
	return number(n) + " of " + number(all) + " failed"
}
