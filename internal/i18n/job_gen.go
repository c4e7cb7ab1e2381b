// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// JobAgentGo is "Go agent {version}".
func (l Lang) JobAgentGo(version string) string {
	if l == Chinese {
		return "Go 代理 " + version
	}
	return "Go agent " + version
}

// JobAgentJava is "Java agent".
func (l Lang) JobAgentJava() string {
	if l == Chinese {
		return "Java 代理"
	}
	return "Java agent"
}

// JobAgentNoRecorder is "records no runs".
func (l Lang) JobAgentNoRecorder() string {
	if l == Chinese {
		return "不记录运行"
	}
	return "records no runs"
}

// JobAssigning is "The leader is assigning shards right now".
func (l Lang) JobAssigning() string {
	if l == Chinese {
		return "主节点正在分配分片"
	}
	return "The leader is assigning shards right now"
}

// JobAssigningText is "No new run starts until it is done; this usually takes less than a second.".
func (l Lang) JobAssigningText() string {
	if l == Chinese {
		return "完成之前不会开始新的运行，通常不到一秒。"
	}
	return "No new run starts until it is done; this usually takes less than a second."
}

// JobBlocked is "Doesn't run".
func (l Lang) JobBlocked() string {
	if l == Chinese {
		return "不运行"
	}
	return "Doesn't run"
}

// JobClass is "Class".
func (l Lang) JobClass() string {
	if l == Chinese {
		return "类"
	}
	return "Class"
}

// JobConfig is "Configuration".
func (l Lang) JobConfig() string {
	if l == Chinese {
		return "配置"
	}
	return "Configuration"
}

// JobConfigError is "The stored configuration cannot be read".
func (l Lang) JobConfigError() string {
	if l == Chinese {
		return "存储的配置无法读取"
	}
	return "The stored configuration cannot be read"
}

// JobCronError is "This schedule cannot be read".
func (l Lang) JobCronError() string {
	if l == Chinese {
		return "该调度无法解析"
	}
	return "This schedule cannot be read"
}

// JobDisabled is "Disabled".
func (l Lang) JobDisabled() string {
	if l == Chinese {
		return "已禁用"
	}
	return "Disabled"
}

// JobDurations is "Durations".
func (l Lang) JobDurations() string {
	if l == Chinese {
		return "耗时"
	}
	return "Durations"
}

// JobDurationsChange is "against p50".
func (l Lang) JobDurationsChange() string {
	if l == Chinese {
		return "相对 p50"
	}
	return "against p50"
}

// JobDurationsCompare is "Compare 7 days".
func (l Lang) JobDurationsCompare() string {
	if l == Chinese {
		return "对比 7 天"
	}
	return "Compare 7 days"
}

// JobDurationsLabel is "Durations of the last {n, plural, one {run} other {# runs}}: half took at most {p50}, 95 of 100 at most {p95}".
func (l Lang) JobDurationsLabel(n int, p50 string, p95 string) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次运行的耗时：半数不超过 " + p50 + "，95% 不超过 " + p95
	}
	if n == 1 {
		return "Durations of the last run: half took at most " + p50 + ", 95 of 100 at most " + p95
	}
	return "Durations of the last " + number(n) + " runs: half took at most " + p50 + ", 95 of 100 at most " + p95
}

// JobDurationsLast is "last".
func (l Lang) JobDurationsLast() string {
	if l == Chinese {
		return "最近一次"
	}
	return "last"
}

// JobDurationsSub is "{n, plural, one {the last run} other {the last # runs}}".
func (l Lang) JobDurationsSub(n int) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次运行"
	}
	if n == 1 {
		return "the last run"
	}
	return "the last " + number(n) + " runs"
}

// JobFacts is "Facts".
func (l Lang) JobFacts() string {
	if l == Chinese {
		return "概况"
	}
	return "Facts"
}

// JobFailedOverTo is "Failed over to {instance}".
func (l Lang) JobFailedOverTo(instance string) string {
	if l == Chinese {
		return "已失效转移到 " + instance
	}
	return "Failed over to " + instance
}

// JobFailover is "Failover".
func (l Lang) JobFailover() string {
	if l == Chinese {
		return "失效转移"
	}
	return "Failover"
}

// JobFiresDisabled is "The job is disabled: these fires pass without a run.".
func (l Lang) JobFiresDisabled() string {
	if l == Chinese {
		return "作业已禁用：到时不会运行。"
	}
	return "The job is disabled: these fires pass without a run."
}

// JobFiresEnded is "Because of schedule.until, the schedule ended on {time}.".
func (l Lang) JobFiresEnded(time string) string {
	if l == Chinese {
		return "调度已于 " + time + " 结束（schedule.until）。"
	}
	return "Because of schedule.until, the schedule ended on " + time + "."
}

// JobFiresHeld is "The schedule is held: these fires pass without a run.".
func (l Lang) JobFiresHeld() string {
	if l == Chinese {
		return "调度已暂停：到时不会运行。"
	}
	return "The schedule is held: these fires pass without a run."
}

// JobFiresNobody is "No instance is alive: these fires pass without a run.".
func (l Lang) JobFiresNobody() string {
	if l == Chinese {
		return "没有存活的实例：到时不会运行。"
	}
	return "No instance is alive: these fires pass without a run."
}

// JobFiresOver is "The schedule has no fire left.".
func (l Lang) JobFiresOver() string {
	if l == Chinese {
		return "该调度不会再触发。"
	}
	return "The schedule has no fire left."
}

// JobHerd is "{time} fires together with {n, plural, one {# other job} other {# other jobs}}.".
func (l Lang) JobHerd(time string, n int) string {
	if l == Chinese {
		return time + " 与另外 " + number(n) + " 个作业同时触发。"
	}
	if n == 1 {
		return time + " fires together with " + number(n) + " other job."
	}
	return time + " fires together with " + number(n) + " other jobs."
}

// JobHerdOpen is "Jobs of this minute".
func (l Lang) JobHerdOpen() string {
	if l == Chinese {
		return "该分钟触发的作业"
	}
	return "Jobs of this minute"
}

// JobIdle is "Idle".
func (l Lang) JobIdle() string {
	if l == Chinese {
		return "空闲"
	}
	return "Idle"
}

// JobInstances is "Instances".
func (l Lang) JobInstances() string {
	if l == Chinese {
		return "实例数"
	}
	return "Instances"
}

// JobLabel is "Label".
func (l Lang) JobLabel() string {
	if l == Chinese {
		return "标签"
	}
	return "Label"
}

// JobLastExecution is "Last execution".
func (l Lang) JobLastExecution() string {
	if l == Chinese {
		return "最近执行"
	}
	return "Last execution"
}

// JobLeader is "Leader".
func (l Lang) JobLeader() string {
	if l == Chinese {
		return "主节点"
	}
	return "Leader"
}

// JobLeaderTag is "leader".
func (l Lang) JobLeaderTag() string {
	if l == Chinese {
		return "主节点"
	}
	return "leader"
}

// JobLost is "Lost".
func (l Lang) JobLost() string {
	if l == Chinese {
		return "丢失"
	}
	return "Lost"
}

// JobLostText is "The instance that ran it has left; it waits for failover or for its next fire.".
func (l Lang) JobLostText() string {
	if l == Chinese {
		return "运行它的实例已离开；等待失效转移或下次触发。"
	}
	return "The instance that ran it has left; it waits for failover or for its next fire."
}

// JobMenuTrigger is "Trigger with a reason…".
func (l Lang) JobMenuTrigger() string {
	if l == Chinese {
		return "填写原因后触发…"
	}
	return "Trigger with a reason…"
}

// JobMenuYaml is "Configuration as YAML".
func (l Lang) JobMenuYaml() string {
	if l == Chinese {
		return "以 YAML 查看配置"
	}
	return "Configuration as YAML"
}

// JobMisfire is "Misfire".
func (l Lang) JobMisfire() string {
	if l == Chinese {
		return "错过任务重执行"
	}
	return "Misfire"
}

// JobMisfireText is "The shard missed a fire time, which wasn't made up for yet.".
func (l Lang) JobMisfireText() string {
	if l == Chinese {
		return "该分片错过了一次触发，尚未补跑。"
	}
	return "The shard missed a fire time, which wasn't made up for yet."
}

// JobMisfireWaiting is "Misfire waiting".
func (l Lang) JobMisfireWaiting() string {
	if l == Chinese {
		return "等待错过重执行"
	}
	return "Misfire waiting"
}

// JobMonitor is "Monitor execution".
func (l Lang) JobMonitor() string {
	if l == Chinese {
		return "监控执行状态"
	}
	return "Monitor execution"
}

// JobMore is "{n, number} more".
func (l Lang) JobMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个"
	}
	return number(n) + " more"
}

// JobNoExecution is "No execution recorded yet.".
func (l Lang) JobNoExecution() string {
	if l == Chinese {
		return "尚无执行记录。"
	}
	return "No execution recorded yet."
}

// JobNoExecutionText is "Runs appear here when the agents write to the console's trace database.".
func (l Lang) JobNoExecutionText() string {
	if l == Chinese {
		return "实例写入控制台的事件追踪数据库后，运行会显示在这里。"
	}
	return "Runs appear here when the agents write to the console's trace database."
}

// JobNoProcess is "offline, no process of this job runs here".
func (l Lang) JobNoProcess() string {
	if l == Chinese {
		return "离线，此处没有该作业的进程"
	}
	return "offline, no process of this job runs here"
}

// JobNoSchedule is "No schedule: this job runs only when it is triggered.".
func (l Lang) JobNoSchedule() string {
	if l == Chinese {
		return "没有调度：该作业仅在触发时运行。"
	}
	return "No schedule: this job runs only when it is triggered."
}

// JobNoServer is "No server has registered for this job.".
func (l Lang) JobNoServer() string {
	if l == Chinese {
		return "尚无服务器注册该作业。"
	}
	return "No server has registered for this job."
}

// JobNoServerText is "Start a process that contains it, in this namespace.".
func (l Lang) JobNoServerText() string {
	if l == Chinese {
		return "请在此命名空间中启动包含它的进程。"
	}
	return "Start a process that contains it, in this namespace."
}

// JobNoShard is "No shard has been assigned yet.".
func (l Lang) JobNoShard() string {
	if l == Chinese {
		return "尚未分配分片。"
	}
	return "No shard has been assigned yet."
}

// JobNoShardText is "The leader assigns shards when the job fires for the first time.".
func (l Lang) JobNoShardText() string {
	if l == Chinese {
		return "作业首次触发时由主节点分配分片。"
	}
	return "The leader assigns shards when the job fires for the first time."
}

// JobNoShards is "no shard".
func (l Lang) JobNoShards() string {
	if l == Chinese {
		return "没有分片"
	}
	return "no shard"
}

// JobNone is "none".
func (l Lang) JobNone() string {
	if l == Chinese {
		return "无"
	}
	return "none"
}

// JobNotEnabled is "Not enabled".
func (l Lang) JobNotEnabled() string {
	if l == Chinese {
		return "未启用"
	}
	return "Not enabled"
}

// JobNotEnabledText is "The server's node holds {data}.".
func (l Lang) JobNotEnabledText(data string) string {
	if l == Chinese {
		return "该服务器的节点内容为 " + data + "。"
	}
	return "The server's node holds " + data + "."
}

// JobNotListed is "Not listed".
func (l Lang) JobNotListed() string {
	if l == Chinese {
		return "未列出"
	}
	return "Not listed"
}

// JobNotListedText is "The instance is alive but its server has no entry.".
func (l Lang) JobNotListedText() string {
	if l == Chinese {
		return "实例存活，但其服务器没有记录。"
	}
	return "The instance is alive but its server has no entry."
}

// JobOffline is "Offline".
func (l Lang) JobOffline() string {
	if l == Chinese {
		return "离线"
	}
	return "Offline"
}

// JobOn is "on".
func (l Lang) JobOn() string {
	if l == Chinese {
		return "于"
	}
	return "on"
}

// JobOnline is "Online".
func (l Lang) JobOnline() string {
	if l == Chinese {
		return "在线"
	}
	return "Online"
}

// JobOwner is "Owner".
func (l Lang) JobOwner() string {
	if l == Chinese {
		return "所属实例"
	}
	return "Owner"
}

// JobP95Of is "95 of 100 of the last {n, plural, one {execution} other {# executions}} took at most so long".
func (l Lang) JobP95Of(n int) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次执行中 95% 不超过此耗时"
	}
	if n == 1 {
		return "95 of 100 of the last execution took at most so long"
	}
	return "95 of 100 of the last " + number(n) + " executions took at most so long"
}

// JobParameter is "Parameter".
func (l Lang) JobParameter() string {
	if l == Chinese {
		return "参数"
	}
	return "Parameter"
}

// JobRecentRuns is "Recent runs".
func (l Lang) JobRecentRuns() string {
	if l == Chinese {
		return "最近运行"
	}
	return "Recent runs"
}

// JobRefusedExclude is "left out by schedule.exclude".
func (l Lang) JobRefusedExclude() string {
	if l == Chinese {
		return "被 schedule.exclude 排除"
	}
	return "left out by schedule.exclude"
}

// JobRefusedFrom is "before schedule.from".
func (l Lang) JobRefusedFrom() string {
	if l == Chinese {
		return "早于 schedule.from"
	}
	return "before schedule.from"
}

// JobRefusedMany is "{n, number} times, {why}".
func (l Lang) JobRefusedMany(n int, why string) string {
	if l == Chinese {
		return "共 " + number(n) + " 个时间，" + why
	}
	return number(n) + " times, " + why
}

// JobRefusedMore is "more than {n, number} times, {why}".
func (l Lang) JobRefusedMore(n int, why string) string {
	if l == Chinese {
		return "超过 " + number(n) + " 个时间，" + why
	}
	return "more than " + number(n) + " times, " + why
}

// JobRefusedUntil is "not before schedule.until".
func (l Lang) JobRefusedUntil() string {
	if l == Chinese {
		return "不早于 schedule.until"
	}
	return "not before schedule.until"
}

// JobReshard is "Shards will be assigned again before the next run".
func (l Lang) JobReshard() string {
	if l == Chinese {
		return "下次运行前将重新分配分片"
	}
	return "Shards will be assigned again before the next run"
}

// JobReshardText is "A server or instance came or went, or the configuration changed. It happens at the next fire; Trigger makes it happen now.".
func (l Lang) JobReshardText() string {
	if l == Chinese {
		return "有服务器或实例加入或离开，或配置已更改。将在下次触发时进行；触发作业可立即进行。"
	}
	return "A server or instance came or went, or the configuration changed. It happens at the next fire; Trigger makes it happen now."
}

// JobRuleExclude is "Not on".
func (l Lang) JobRuleExclude() string {
	if l == Chinese {
		return "不触发的日期"
	}
	return "Not on"
}

// JobRuleExcludeMore is "{list} and {n, number} more".
func (l Lang) JobRuleExcludeMore(list string, n int) string {
	if l == Chinese {
		return list + " 等，另有 " + number(n) + " 项"
	}
	return list + " and " + number(n) + " more"
}

// JobRuleFrom is "From".
func (l Lang) JobRuleFrom() string {
	if l == Chinese {
		return "开始"
	}
	return "From"
}

// JobRuleJitter is "Jitter".
func (l Lang) JobRuleJitter() string {
	if l == Chinese {
		return "抖动"
	}
	return "Jitter"
}

// JobRuleJitterNote is "put off by up to so much, by all agents alike".
func (l Lang) JobRuleJitterNote() string {
	if l == Chinese {
		return "最多推迟这么久，各实例相同"
	}
	return "put off by up to so much, by all agents alike"
}

// JobRuleUntil is "Until".
func (l Lang) JobRuleUntil() string {
	if l == Chinese {
		return "结束"
	}
	return "Until"
}

// JobSchedule is "Schedule".
func (l Lang) JobSchedule() string {
	if l == Chinese {
		return "调度"
	}
	return "Schedule"
}

// JobScheduleEdit is "Edit".
func (l Lang) JobScheduleEdit() string {
	if l == Chinese {
		return "编辑"
	}
	return "Edit"
}

// JobScheduleOpen is "Configuration".
func (l Lang) JobScheduleOpen() string {
	if l == Chinese {
		return "配置"
	}
	return "Configuration"
}

// JobScheduleUnknown is "Unknown: the stored configuration cannot be read.".
func (l Lang) JobScheduleUnknown() string {
	if l == Chinese {
		return "未知：存储的配置无法读取。"
	}
	return "Unknown: the stored configuration cannot be read."
}

// JobServer is "Server".
func (l Lang) JobServer() string {
	if l == Chinese {
		return "服务器"
	}
	return "Server"
}

// JobServers is "Servers".
func (l Lang) JobServers() string {
	if l == Chinese {
		return "服务器"
	}
	return "Servers"
}

// JobServersOnline is "{n, number} of {m, number} online".
func (l Lang) JobServersOnline(n int, m int) string {
	if l == Chinese {
		return number(n) + "/" + number(m) + " 在线"
	}
	return number(n) + " of " + number(m) + " online"
}

// JobShard is "Shard".
func (l Lang) JobShard() string {
	if l == Chinese {
		return "分片"
	}
	return "Shard"
}

// JobShardList is "{n, plural, one {shard} other {shards}} {list}".
func (l Lang) JobShardList(n int, list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	if n == 1 {
		return "shard " + list
	}
	return "shards " + list
}

// JobShardParameters is "Shard parameters".
func (l Lang) JobShardParameters() string {
	if l == Chinese {
		return "分片参数"
	}
	return "Shard parameters"
}

// JobShardRange is "{from}–{to} of {n, plural, one {# shard} other {# shards}}".
func (l Lang) JobShardRange(from string, to string, n int) string {
	if l == Chinese {
		return from + "–" + to + " / " + number(n) + " 个分片"
	}
	if n == 1 {
		return from + "–" + to + " of " + number(n) + " shard"
	}
	return from + "–" + to + " of " + number(n) + " shards"
}

// JobSince is "since".
func (l Lang) JobSince() string {
	if l == Chinese {
		return "开始于"
	}
	return "since"
}

// JobState is "State".
func (l Lang) JobState() string {
	if l == Chinese {
		return "状态"
	}
	return "State"
}

// JobStrategy is "Strategy".
func (l Lang) JobStrategy() string {
	if l == Chinese {
		return "分片策略"
	}
	return "Strategy"
}

// JobSwitchedOff is "off".
func (l Lang) JobSwitchedOff() string {
	if l == Chinese {
		return "关"
	}
	return "off"
}

// JobSwitchedOn is "on".
func (l Lang) JobSwitchedOn() string {
	if l == Chinese {
		return "开"
	}
	return "on"
}

// JobType is "Type".
func (l Lang) JobType() string {
	if l == Chinese {
		return "类型"
	}
	return "Type"
}

// JobUnassigned is "Unassigned".
func (l Lang) JobUnassigned() string {
	if l == Chinese {
		return "未分配"
	}
	return "Unassigned"
}

// JobUnassignedLeft is "its instance {instance} is not live".
func (l Lang) JobUnassignedLeft(instance string) string {
	if l == Chinese {
		return "所属实例 " + instance + " 不在线"
	}
	return "its instance " + instance + " is not live"
}

// JobUnassignedText is "no instance owns it yet".
func (l Lang) JobUnassignedText() string {
	if l == Chinese {
		return "尚未分配给任何实例"
	}
	return "no instance owns it yet"
}

// JobUnusual is "The configuration is unusual".
func (l Lang) JobUnusual() string {
	if l == Chinese {
		return "配置不常见"
	}
	return "The configuration is unusual"
}

// JobUnusualText is "{what} It stays as it is until somebody changes it.".
func (l Lang) JobUnusualText(what string) string {
	if l == Chinese {
		return what + " 在有人修改之前保持不变。"
	}
	return what + " It stays as it is until somebody changes it."
}

// JobZoneAssumed is "The job names no time zone, so every agent uses its own. These instants are computed with this console's zone, {zone}.".
func (l Lang) JobZoneAssumed(zone string) string {
	if l == Chinese {
		return "作业没有指定时区，各实例使用自己的时区。以上时间按控制台的时区 " + zone + " 计算。"
	}
	return "The job names no time zone, so every agent uses its own. These instants are computed with this console's zone, " + zone + "."
}
