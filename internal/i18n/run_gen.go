// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RunAlike is "{n, plural, one {# other shard of this run failed alike} other {# other shards of this run failed alike}}".
func (l Lang) RunAlike(n int) string {
	if l == Chinese {
		return "本次运行中另有 " + number(n) + " 个分片以相同原因失败"
	}
	if n == 1 {
		return number(n) + " other shard of this run failed alike"
	}
	return number(n) + " other shards of this run failed alike"
}

// RunAttempt is "Attempt".
func (l Lang) RunAttempt() string {
	if l == Chinese {
		return "尝试"
	}
	return "Attempt"
}

// RunAttempts is "Attempts".
func (l Lang) RunAttempts() string {
	if l == Chinese {
		return "尝试次数"
	}
	return "Attempts"
}

// RunAttemptsValue is "{m, number} for {n, plural, one {# shard} other {# shards}}".
func (l Lang) RunAttemptsValue(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片共 " + number(m) + " 次"
	}
	if n == 1 {
		return number(m) + " for " + number(n) + " shard"
	}
	return number(m) + " for " + number(n) + " shards"
}

// RunDuration is "Duration".
func (l Lang) RunDuration() string {
	if l == Chinese {
		return "耗时"
	}
	return "Duration"
}

// RunEarlier is "Earlier run".
func (l Lang) RunEarlier() string {
	if l == Chinese {
		return "上一次运行"
	}
	return "Earlier run"
}

// RunEnded is "Ended".
func (l Lang) RunEnded() string {
	if l == Chinese {
		return "结束"
	}
	return "Ended"
}

// RunFacts is "Facts".
func (l Lang) RunFacts() string {
	if l == Chinese {
		return "概况"
	}
	return "Facts"
}

// RunFailedOver is "Failed over".
func (l Lang) RunFailedOver() string {
	if l == Chinese {
		return "失效转移"
	}
	return "Failed over"
}

// RunGrouped is "Grouped by job and second".
func (l Lang) RunGrouped() string {
	if l == Chinese {
		return "按作业与秒归并"
	}
	return "Grouped by job and second"
}

// RunGroupedText is "These executions do not say which run they belong to, as those of Java engines and of older agents do not. They are shown together because they began in the same second; what began later, such as a failover, is a run of its own.".
func (l Lang) RunGroupedText() string {
	if l == Chinese {
		return "这些执行没有注明所属的运行（Java 引擎和旧版本的实例都不写入）。它们在同一秒开始，因此归在一起；之后才开始的执行（例如失效转移）单独成为一次运行。"
	}
	return "These executions do not say which run they belong to, as those of Java engines and of older agents do not. They are shown together because they began in the same second; what began later, such as a failover, is a run of its own."
}

// RunId is "Run".
func (l Lang) RunId() string {
	if l == Chinese {
		return "运行编号"
	}
	return "Run"
}

// RunInstance is "Instance".
func (l Lang) RunInstance() string {
	if l == Chinese {
		return "实例"
	}
	return "Instance"
}

// RunInstances is "Instances".
func (l Lang) RunInstances() string {
	if l == Chinese {
		return "实例"
	}
	return "Instances"
}

// RunInstancesLost is "{n, number}, {m, plural, one {# shard} other {# shards}} lost".
func (l Lang) RunInstancesLost(n int, m int) string {
	if l == Chinese {
		return number(n) + "，丢失 " + number(m) + " 个分片"
	}
	if m == 1 {
		return number(n) + ", " + number(m) + " shard lost"
	}
	return number(n) + ", " + number(m) + " shards lost"
}

// RunLacks is "The trace database lacks columns".
func (l Lang) RunLacks() string {
	if l == Chinese {
		return "事件追踪数据库缺少列"
	}
	return "The trace database lacks columns"
}

// RunLacksText is "JOB_EXECUTION_LOG has no {columns}: nothing says which run an execution belongs to. `console migrate` adds them; until then executions are grouped by job and second.".
func (l Lang) RunLacksText(columns string) string {
	if l == Chinese {
		return "JOB_EXECUTION_LOG 没有 " + columns + "，无法得知执行属于哪次运行。运行 `console migrate` 可添加；在此之前按作业与秒归并。"
	}
	return "JOB_EXECUTION_LOG has no " + columns + ": nothing says which run an execution belongs to. `console migrate` adds them; until then executions are grouped by job and second."
}

// RunLane is "Shard {item}, {state}".
func (l Lang) RunLane(item string, state string) string {
	if l == Chinese {
		return "分片 " + item + "，" + state
	}
	return "Shard " + item + ", " + state
}

// RunLater is "Later run".
func (l Lang) RunLater() string {
	if l == Chinese {
		return "下一次运行"
	}
	return "Later run"
}

// RunLegendCancelled is "cancelled".
func (l Lang) RunLegendCancelled() string {
	if l == Chinese {
		return "已取消"
	}
	return "cancelled"
}

// RunLegendFailed is "attempt failed".
func (l Lang) RunLegendFailed() string {
	if l == Chinese {
		return "尝试失败"
	}
	return "attempt failed"
}

// RunLegendFailover is "failed over".
func (l Lang) RunLegendFailover() string {
	if l == Chinese {
		return "失效转移"
	}
	return "failed over"
}

// RunLegendLost is "lost".
func (l Lang) RunLegendLost() string {
	if l == Chinese {
		return "丢失"
	}
	return "lost"
}

// RunLegendOk is "succeeded".
func (l Lang) RunLegendOk() string {
	if l == Chinese {
		return "成功"
	}
	return "succeeded"
}

// RunLegendRunning is "running".
func (l Lang) RunLegendRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "running"
}

// RunLegendWait is "waited".
func (l Lang) RunLegendWait() string {
	if l == Chinese {
		return "等待"
	}
	return "waited"
}

// RunLostText is "No end was recorded: its instance is gone, or the shard has begun again since.".
func (l Lang) RunLostText() string {
	if l == Chinese {
		return "没有记录到结束：实例已不在，或该分片此后又开始执行。"
	}
	return "No end was recorded: its instance is gone, or the shard has begun again since."
}

// RunNoLanes is "lanes {value} is unknown (use all)".
func (l Lang) RunNoLanes(value string) string {
	if l == Chinese {
		return "未知的 lanes：" + value + "（可用 all）"
	}
	return "lanes " + value + " is unknown (use all)"
}

// RunNoMessage is "The attempt failed without a message.".
func (l Lang) RunNoMessage() string {
	if l == Chinese {
		return "该次尝试失败，未留下消息。"
	}
	return "The attempt failed without a message."
}

// RunNoNumber is "shard {value} is not a number".
func (l Lang) RunNoNumber(value string) string {
	if l == Chinese {
		return value + " 不是分片号"
	}
	return "shard " + value + " is not a number"
}

// RunNoShard is "shard {value} is no shard of this run".
func (l Lang) RunNoShard(value string) string {
	if l == Chinese {
		return "shard " + value + " 不是本次运行的分片"
	}
	return "shard " + value + " is no shard of this run"
}

// RunOthers is "{n, plural, one {# more shard succeeded} other {# more shards succeeded}}".
func (l Lang) RunOthers(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个分片成功"
	}
	if n == 1 {
		return number(n) + " more shard succeeded"
	}
	return number(n) + " more shards succeeded"
}

// RunOthersAlike is "Runs that failed alike".
func (l Lang) RunOthersAlike() string {
	if l == Chinese {
		return "以相同原因失败的运行"
	}
	return "Runs that failed alike"
}

// RunResult is "Result".
func (l Lang) RunResult() string {
	if l == Chinese {
		return "结果"
	}
	return "Result"
}

// RunScheduled is "Scheduled".
func (l Lang) RunScheduled() string {
	if l == Chinese {
		return "计划时间"
	}
	return "Scheduled"
}

// RunShard is "Shard".
func (l Lang) RunShard() string {
	if l == Chinese {
		return "分片"
	}
	return "Shard"
}

// RunShardOf is "Shard {item}".
func (l Lang) RunShardOf(item string) string {
	if l == Chinese {
		return "分片 " + item
	}
	return "Shard " + item
}

// RunShowAll is "Show all".
func (l Lang) RunShowAll() string {
	if l == Chinese {
		return "全部显示"
	}
	return "Show all"
}

// RunSkew is "Skew".
func (l Lang) RunSkew() string {
	if l == Chinese {
		return "偏斜"
	}
	return "Skew"
}

// RunSkewValue is "slowest / median {ratio}".
func (l Lang) RunSkewValue(ratio string) string {
	if l == Chinese {
		return "最慢 / 中位数 " + ratio
	}
	return "slowest / median " + ratio
}

// RunSlowestFirst is "slowest first".
func (l Lang) RunSlowestFirst() string {
	if l == Chinese {
		return "最慢的在前"
	}
	return "slowest first"
}

// RunSoFar is "{span} so far".
func (l Lang) RunSoFar(span string) string {
	if l == Chinese {
		return "已运行 " + span
	}
	return span + " so far"
}

// RunStarted is "Started".
func (l Lang) RunStarted() string {
	if l == Chinese {
		return "开始"
	}
	return "Started"
}

// RunStateFailed is "Failed".
func (l Lang) RunStateFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "Failed"
}

// RunStateLost is "Lost".
func (l Lang) RunStateLost() string {
	if l == Chinese {
		return "丢失"
	}
	return "Lost"
}

// RunStateRunning is "Running".
func (l Lang) RunStateRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "Running"
}

// RunStateSuccess is "Succeeded".
func (l Lang) RunStateSuccess() string {
	if l == Chinese {
		return "成功"
	}
	return "Succeeded"
}

// RunSub is "{n, plural, one {# shard} other {# shards}}".
func (l Lang) RunSub(n int) string {
	if l == Chinese {
		return number(n) + " 个分片"
	}
	if n == 1 {
		return number(n) + " shard"
	}
	return number(n) + " shards"
}

// RunSubCancelled is "{m, number} of {n, plural, one {# shard} other {# shards}} cancelled".
func (l Lang) RunSubCancelled(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片中有 " + number(m) + " 个已取消"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " shard cancelled"
	}
	return number(m) + " of " + number(n) + " shards cancelled"
}

// RunSubFailed is "{m, number} of {n, plural, one {# shard} other {# shards}} failed".
func (l Lang) RunSubFailed(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片中有 " + number(m) + " 个失败"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " shard failed"
	}
	return number(m) + " of " + number(n) + " shards failed"
}

// RunSubLeft is "{m, number} of {n, plural, one {# shard} other {# shards}} left".
func (l Lang) RunSubLeft(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片中还剩 " + number(m) + " 个"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " shard left"
	}
	return number(m) + " of " + number(n) + " shards left"
}

// RunSubLost is "{m, number} of {n, plural, one {# shard} other {# shards}} lost".
func (l Lang) RunSubLost(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个分片中有 " + number(m) + " 个丢失"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " shard lost"
	}
	return number(m) + " of " + number(n) + " shards lost"
}

// RunTimeline is "Timeline".
func (l Lang) RunTimeline() string {
	if l == Chinese {
		return "时间线"
	}
	return "Timeline"
}

// RunTimelineLabel is "{n, plural, one {# shard} other {# shards}} over {span}; the table of each shard has the same.".
func (l Lang) RunTimelineLabel(n int, span string) string {
	if l == Chinese {
		return span + " 内的 " + number(n) + " 个分片；各分片的表格内容相同。"
	}
	if n == 1 {
		return number(n) + " shard over " + span + "; the table of each shard has the same."
	}
	return number(n) + " shards over " + span + "; the table of each shard has the same."
}

// RunTitle is "{job}: run of {time}".
func (l Lang) RunTitle(job string, time string) string {
	if l == Chinese {
		return job + "：" + time + " 的运行"
	}
	return job + ": run of " + time
}

// RunTrail is "Status trail".
func (l Lang) RunTrail() string {
	if l == Chinese {
		return "状态轨迹"
	}
	return "Status trail"
}

// RunTrailMore is "{n, number} earlier steps are not shown".
func (l Lang) RunTrailMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 条更早的状态未显示"
	}
	return number(n) + " earlier steps are not shown"
}

// RunTrailNone is "No step was recorded.".
func (l Lang) RunTrailNone() string {
	if l == Chinese {
		return "没有记录任何状态。"
	}
	return "No step was recorded."
}

// RunTrigger is "Trigger".
func (l Lang) RunTrigger() string {
	if l == Chinese {
		return "触发方式"
	}
	return "Trigger"
}

// RunTriggerApi is "API".
func (l Lang) RunTriggerApi() string {
	if l == Chinese {
		return "API"
	}
	return "API"
}

// RunTriggerFailover is "Failover".
func (l Lang) RunTriggerFailover() string {
	if l == Chinese {
		return "失效转移"
	}
	return "Failover"
}

// RunTriggerManual is "Manual".
func (l Lang) RunTriggerManual() string {
	if l == Chinese {
		return "手动"
	}
	return "Manual"
}

// RunTriggerMisfire is "Misfire".
func (l Lang) RunTriggerMisfire() string {
	if l == Chinese {
		return "错过重执行"
	}
	return "Misfire"
}

// RunTriggerRetry is "Retry".
func (l Lang) RunTriggerRetry() string {
	if l == Chinese {
		return "重试"
	}
	return "Retry"
}

// RunTriggerSchedule is "Schedule".
func (l Lang) RunTriggerSchedule() string {
	if l == Chinese {
		return "定时"
	}
	return "Schedule"
}

// RunTriggerUnknown is "Not recorded".
func (l Lang) RunTriggerUnknown() string {
	if l == Chinese {
		return "未记录"
	}
	return "Not recorded"
}

// RunTruncated is "The run has more executions than are shown".
func (l Lang) RunTruncated() string {
	if l == Chinese {
		return "该运行的执行多于此处显示的数量"
	}
	return "The run has more executions than are shown"
}

// RunTruncatedText is "The first {n, number} are shown; the list of executions has them all.".
func (l Lang) RunTruncatedText(n int) string {
	if l == Chinese {
		return "此处显示前 " + number(n) + " 条；执行明细中有全部记录。"
	}
	return "The first " + number(n) + " are shown; the list of executions has them all."
}

// RunUnknown is "unknown".
func (l Lang) RunUnknown() string {
	if l == Chinese {
		return "未知"
	}
	return "unknown"
}
