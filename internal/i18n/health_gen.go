// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// HealthBecause is "{what}: {cause}.".
func (l Lang) HealthBecause(what string, cause string) string {
	if l == Chinese {
		return what + "：" + cause + "。"
	}
	return what + ": " + cause + "."
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

// HealthIsHealthy is "The job is as it should be.".
func (l Lang) HealthIsHealthy() string {
	if l == Chinese {
		return "作业正常。"
	}
	return "The job is as it should be."
}

// HealthIsHeld is "Nothing is wrong, but {name} holds the schedule: fire times pass without a run.".
func (l Lang) HealthIsHeld(name string) string {
	if l == Chinese {
		return "没有问题，但调度由 " + name + " 暂停：触发时间到来时不运行。"
	}
	return "Nothing is wrong, but " + name + " holds the schedule: fire times pass without a run."
}

// HealthIsItemsOff is "The job runs; {n, plural, one {# shard is} other {# shards are}} switched off.".
func (l Lang) HealthIsItemsOff(n int) string {
	if l == Chinese {
		return "作业正常运行；" + number(n) + " 个分片已禁用。"
	}
	if n == 1 {
		return "The job runs; " + number(n) + " shard is switched off."
	}
	return "The job runs; " + number(n) + " shards are switched off."
}

// HealthIsLate is "The job was due at {time}, and no run has started.".
func (l Lang) HealthIsLate(time string) string {
	if l == Chinese {
		return "作业应于 " + time + " 触发，但没有运行开始。"
	}
	return "The job was due at " + time + ", and no run has started."
}

// HealthIsLateResharding is "The job was due at {time}, and no run has started: shards have no live owner.".
func (l Lang) HealthIsLateResharding(time string) string {
	if l == Chinese {
		return "作业应于 " + time + " 触发，但没有运行开始：有分片没有存活的所属实例。"
	}
	return "The job was due at " + time + ", and no run has started: shards have no live owner."
}

// HealthIsLost is "An instance left during a run: {n, plural, one {# shard was lost, and nobody has begun it again} other {# shards were lost, and nobody has begun them again}}.".
func (l Lang) HealthIsLost(n int) string {
	if l == Chinese {
		return "有实例在运行中离开：" + number(n) + " 个分片丢失，尚未重新执行。"
	}
	if n == 1 {
		return "An instance left during a run: " + number(n) + " shard was lost, and nobody has begun it again."
	}
	return "An instance left during a run: " + number(n) + " shards were lost, and nobody has begun them again."
}

// HealthIsNever is "Nothing is wrong, and the history has no run of this job.".
func (l Lang) HealthIsNever() string {
	if l == Chinese {
		return "未发现问题，历史中没有该作业的运行。"
	}
	return "Nothing is wrong, and the history has no run of this job."
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

// HealthIsUnreadable is "The configuration cannot be used: {cause}.".
func (l Lang) HealthIsUnreadable(cause string) string {
	if l == Chinese {
		return "配置无法使用：" + cause + "。"
	}
	return "The configuration cannot be used: " + cause + "."
}

// HealthLastRun is "In the last run {what}".
func (l Lang) HealthLastRun(what string) string {
	if l == Chinese {
		return "最近一次运行中" + what
	}
	return "In the last run " + what
}

// HealthLastRuns is "The last {runs} failed; in the newest {what}".
func (l Lang) HealthLastRuns(runs string, what string) string {
	if l == Chinese {
		return runs + "运行失败；最近一次中 " + what
	}
	return "The last " + runs + " failed; in the newest " + what
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

// HealthUnreadable is "Unreadable".
func (l Lang) HealthUnreadable() string {
	if l == Chinese {
		return "配置错误"
	}
	return "Unreadable"
}

// HealthWhyDown is "no instance".
func (l Lang) HealthWhyDown() string {
	if l == Chinese {
		return "无实例"
	}
	return "no instance"
}

// HealthWhyFailing is "{runs} · {what}".
func (l Lang) HealthWhyFailing(runs string, what string) string {
	if l == Chinese {
		return runs + " · " + what
	}
	return runs + " · " + what
}

// HealthWhyHeld is "held".
func (l Lang) HealthWhyHeld() string {
	if l == Chinese {
		return "已暂停"
	}
	return "held"
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

// HealthWhyLate is "no run started".
func (l Lang) HealthWhyLate() string {
	if l == Chinese {
		return "未开始运行"
	}
	return "no run started"
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

// HealthWhyNever is "never ran".
func (l Lang) HealthWhyNever() string {
	if l == Chinese {
		return "从未运行"
	}
	return "never ran"
}

// HealthWhyReading is "still being read".
func (l Lang) HealthWhyReading() string {
	if l == Chinese {
		return "仍在读取"
	}
	return "still being read"
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
