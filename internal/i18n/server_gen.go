// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ServerAndMore is "and {n, number} more".
func (l Lang) ServerAndMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个"
	}
	return "and " + number(n) + " more"
}

// ServerAskDisable is "Disable {target}?".
func (l Lang) ServerAskDisable(target string) string {
	if l == Chinese {
		return "禁用 " + target + "？"
	}
	return "Disable " + target + "?"
}

// ServerAskEnable is "Enable {target}?".
func (l Lang) ServerAskEnable(target string) string {
	if l == Chinese {
		return "启用 " + target + "？"
	}
	return "Enable " + target + "?"
}

// ServerAskRemove is "Remove the entry of {target}?".
func (l Lang) ServerAskRemove(target string) string {
	if l == Chinese {
		return "移除 " + target + " 的记录？"
	}
	return "Remove the entry of " + target + "?"
}

// ServerAskStop is "Stop instances of {target}?".
func (l Lang) ServerAskStop(target string) string {
	if l == Chinese {
		return "终止 " + target + " 的实例？"
	}
	return "Stop instances of " + target + "?"
}

// ServerAt is "At, UTC".
func (l Lang) ServerAt() string {
	if l == Chinese {
		return "时刻（UTC）"
	}
	return "At, UTC"
}

// ServerAtButton is "Show".
func (l Lang) ServerAtButton() string {
	if l == Chinese {
		return "查看"
	}
	return "Show"
}

// ServerAtMore is "These are the newest; more ran at that time.".
func (l Lang) ServerAtMore() string {
	if l == Chinese {
		return "仅显示最新的一部分，当时还有更多运行。"
	}
	return "These are the newest; more ran at that time."
}

// ServerAtNone is "Nothing ran here at that time.".
func (l Lang) ServerAtNone() string {
	if l == Chinese {
		return "当时此处没有运行。"
	}
	return "Nothing ran here at that time."
}

// ServerAtTitle is "Executions at {time}".
func (l Lang) ServerAtTitle(time string) string {
	if l == Chinese {
		return time + " 正在执行的分片"
	}
	return "Executions at " + time
}

// ServerBack is "Back to the server".
func (l Lang) ServerBack() string {
	if l == Chinese {
		return "返回服务器"
	}
	return "Back to the server"
}

// ServerDisabled is "Disabled".
func (l Lang) ServerDisabled() string {
	if l == Chinese {
		return "已禁用"
	}
	return "Disabled"
}

// ServerDoDisable is "Disable".
func (l Lang) ServerDoDisable() string {
	if l == Chinese {
		return "禁用"
	}
	return "Disable"
}

// ServerDoEnable is "Enable".
func (l Lang) ServerDoEnable() string {
	if l == Chinese {
		return "启用"
	}
	return "Enable"
}

// ServerDoRemove is "Remove entry".
func (l Lang) ServerDoRemove() string {
	if l == Chinese {
		return "移除记录"
	}
	return "Remove entry"
}

// ServerDoStop is "Stop instances".
func (l Lang) ServerDoStop() string {
	if l == Chinese {
		return "终止实例"
	}
	return "Stop instances"
}

// ServerDoneDisable is "Disabled {target}: {names}.".
func (l Lang) ServerDoneDisable(target string, names string) string {
	if l == Chinese {
		return "已禁用 " + target + "：" + names + "。"
	}
	return "Disabled " + target + ": " + names + "."
}

// ServerDoneEnable is "Enabled {target}: {names}.".
func (l Lang) ServerDoneEnable(target string, names string) string {
	if l == Chinese {
		return "已启用 " + target + "：" + names + "。"
	}
	return "Enabled " + target + ": " + names + "."
}

// ServerDoneNothing is "{target}: nothing was changed.".
func (l Lang) ServerDoneNothing(target string) string {
	if l == Chinese {
		return target + "：没有任何更改。"
	}
	return target + ": nothing was changed."
}

// ServerDoneRemove is "Removed the entry of {target}: {names}.".
func (l Lang) ServerDoneRemove(target string, names string) string {
	if l == Chinese {
		return "已移除 " + target + " 的记录：" + names + "。"
	}
	return "Removed the entry of " + target + ": " + names + "."
}

// ServerDoneStop is "Stopped instances of {target}: {names}.".
func (l Lang) ServerDoneStop(target string, names string) string {
	if l == Chinese {
		return "已终止 " + target + " 的实例：" + names + "。"
	}
	return "Stopped instances of " + target + ": " + names + "."
}

// ServerEffDisable is "{ip} is disabled in {n, plural, one {# job} other {# jobs}}. From the next resharding on it gets no shards of theirs; what runs now goes on.".
func (l Lang) ServerEffDisable(ip string, n int) string {
	if l == Chinese {
		return ip + " 将在 " + number(n) + " 个作业中禁用。从下次重新分片起不再分配到它们的分片；正在执行的不受影响。"
	}
	if n == 1 {
		return ip + " is disabled in " + number(n) + " job. From the next resharding on it gets no shards of theirs; what runs now goes on."
	}
	return ip + " is disabled in " + number(n) + " jobs. From the next resharding on it gets no shards of theirs; what runs now goes on."
}

// ServerEffEnable is "{ip} is enabled in {n, plural, one {# job} other {# jobs}}. It gets shards of theirs when the leaders reshard.".
func (l Lang) ServerEffEnable(ip string, n int) string {
	if l == Chinese {
		return ip + " 将在 " + number(n) + " 个作业中启用。主节点重新分片时会分配到它们的分片。"
	}
	if n == 1 {
		return ip + " is enabled in " + number(n) + " job. It gets shards of theirs when the leaders reshard."
	}
	return ip + " is enabled in " + number(n) + " jobs. It gets shards of theirs when the leaders reshard."
}

// ServerEffLastInstance is "{n, plural, one {# job has} other {# jobs have}} no other instance and will not run: {names}.".
func (l Lang) ServerEffLastInstance(n int, names string) string {
	if l == Chinese {
		return number(n) + " 个作业没有其他实例，将不再运行：" + names + "。"
	}
	if n == 1 {
		return number(n) + " job has no other instance and will not run: " + names + "."
	}
	return number(n) + " jobs have no other instance and will not run: " + names + "."
}

// ServerEffLastServer is "{n, plural, one {# job has} other {# jobs have}} no other enabled server and will not run: {names}.".
func (l Lang) ServerEffLastServer(n int, names string) string {
	if l == Chinese {
		return number(n) + " 个作业没有其他已启用的服务器，将不再运行：" + names + "。"
	}
	if n == 1 {
		return number(n) + " job has no other enabled server and will not run: " + names + "."
	}
	return number(n) + " jobs have no other enabled server and will not run: " + names + "."
}

// ServerEffNoProcess is "No process runs here: it gets shards only after one has started.".
func (l Lang) ServerEffNoProcess() string {
	if l == Chinese {
		return "此处没有进程运行：进程启动之后才会分配到分片。"
	}
	return "No process runs here: it gets shards only after one has started."
}

// ServerEffRemove is "The entry servers/{ip} is deleted in {n, plural, one {# job} other {# jobs}}. No instance and no shard is touched.".
func (l Lang) ServerEffRemove(ip string, n int) string {
	if l == Chinese {
		return "将在 " + number(n) + " 个作业中删除记录 servers/" + ip + "。不影响任何实例和分片。"
	}
	if n == 1 {
		return "The entry servers/" + ip + " is deleted in " + number(n) + " job. No instance and no shard is touched."
	}
	return "The entry servers/" + ip + " is deleted in " + number(n) + " jobs. No instance and no shard is touched."
}

// ServerEffRemoveBack is "If a process starts here again, it adds the entry itself, enabled.".
func (l Lang) ServerEffRemoveBack() string {
	if l == Chinese {
		return "如果此处再有进程启动，会自行添加记录并处于启用状态。"
	}
	return "If a process starts here again, it adds the entry itself, enabled."
}

// ServerEffRemoveDisabled is "In {n, plural, one {# job} other {# jobs}} the server is disabled; that is forgotten, too.".
func (l Lang) ServerEffRemoveDisabled(n int) string {
	if l == Chinese {
		return "服务器在 " + number(n) + " 个作业中处于禁用状态，该状态也会丢失。"
	}
	if n == 1 {
		return "In " + number(n) + " job the server is disabled; that is forgotten, too."
	}
	return "In " + number(n) + " jobs the server is disabled; that is forgotten, too."
}

// ServerEffRunning is "{n, plural, one {# shard is} other {# shards are}} running here now: what has started is not interrupted.".
func (l Lang) ServerEffRunning(n int) string {
	if l == Chinese {
		return "目前有 " + number(n) + " 个分片正在此处执行：已经开始的不会中断。"
	}
	if n == 1 {
		return number(n) + " shard is running here now: what has started is not interrupted."
	}
	return number(n) + " shards are running here now: what has started is not interrupted."
}

// ServerEffShards is "{n, plural, one {# shard is} other {# shards are}} assigned here now and will move, where another server can take them.".
func (l Lang) ServerEffShards(n int) string {
	if l == Chinese {
		return "目前有 " + number(n) + " 个分片分配在此处，将转移到能接收的其他服务器。"
	}
	if n == 1 {
		return number(n) + " shard is assigned here now and will move, where another server can take them."
	}
	return number(n) + " shards are assigned here now and will move, where another server can take them."
}

// ServerEffStop is "{n, plural, one {# instance ends} other {# instances end}} {m, number} jobs here. The processes go on, with their other jobs; only restarting them brings these jobs back.".
func (l Lang) ServerEffStop(n int, m int) string {
	if l == Chinese {
		return number(n) + " 个实例将终止此处的 " + number(m) + " 个作业。进程和其中的其他作业继续运行；只有重启进程才能恢复这些作业。"
	}
	if n == 1 {
		return number(n) + " instance ends " + number(m) + " jobs here. The processes go on, with their other jobs; only restarting them brings these jobs back."
	}
	return number(n) + " instances end " + number(m) + " jobs here. The processes go on, with their other jobs; only restarting them brings these jobs back."
}

// ServerEnabled is "Enabled".
func (l Lang) ServerEnabled() string {
	if l == Chinese {
		return "已启用"
	}
	return "Enabled"
}

// ServerFirstOf is "{from, number}–{to, number} of {n, plural, one {# job} other {# jobs}}".
func (l Lang) ServerFirstOf(from int, to int, n int) string {
	if l == Chinese {
		return "第 " + number(from) + "–" + number(to) + " 个，共 " + number(n) + " 个作业"
	}
	if n == 1 {
		return number(from) + "–" + number(to) + " of " + number(n) + " job"
	}
	return number(from) + "–" + number(to) + " of " + number(n) + " jobs"
}

// ServerHere is "Here".
func (l Lang) ServerHere() string {
	if l == Chinese {
		return "此处"
	}
	return "Here"
}

// ServerInstances is "Instances".
func (l Lang) ServerInstances() string {
	if l == Chinese {
		return "实例"
	}
	return "Instances"
}

// ServerJobs is "Jobs".
func (l Lang) ServerJobs() string {
	if l == Chinese {
		return "作业"
	}
	return "Jobs"
}

// ServerJobsSub is "{n, plural, one {# job} other {# jobs}}, worst first".
func (l Lang) ServerJobsSub(n int) string {
	if l == Chinese {
		return number(n) + " 个作业，问题最严重的在前"
	}
	if n == 1 {
		return number(n) + " job, worst first"
	}
	return number(n) + " jobs, worst first"
}

// ServerLast is "Last run here".
func (l Lang) ServerLast() string {
	if l == Chinese {
		return "此处最近运行"
	}
	return "Last run here"
}

// ServerLeads is "Leader of".
func (l Lang) ServerLeads() string {
	if l == Chinese {
		return "任主节点的作业"
	}
	return "Leader of"
}

// ServerLineDisabled is "every job is disabled here; the server gets no shards until it is enabled".
func (l Lang) ServerLineDisabled() string {
	if l == Chinese {
		return "所有作业都在此禁用；启用之前不会分配到分片"
	}
	return "every job is disabled here; the server gets no shards until it is enabled"
}

// ServerLineOffline is "no process runs here; the entry stays in {n, plural, one {# job} other {# jobs}} until it is removed".
func (l Lang) ServerLineOffline(n int) string {
	if l == Chinese {
		return "此处没有进程运行；在移除之前，记录会保留在 " + number(n) + " 个作业中"
	}
	if n == 1 {
		return "no process runs here; the entry stays in " + number(n) + " job until it is removed"
	}
	return "no process runs here; the entry stays in " + number(n) + " jobs until it is removed"
}

// ServerLineOnline is "{n, plural, one {# instance} other {# instances}}, {m, number} jobs".
func (l Lang) ServerLineOnline(n int, m int) string {
	if l == Chinese {
		return number(n) + " 个实例，" + number(m) + " 个作业"
	}
	if n == 1 {
		return number(n) + " instance, " + number(m) + " jobs"
	}
	return number(n) + " instances, " + number(m) + " jobs"
}

// ServerLineSome is "{m, number} of {n, plural, one {# job} other {# jobs}} disabled here".
func (l Lang) ServerLineSome(m int, n int) string {
	if l == Chinese {
		return number(n) + " 个作业中有 " + number(m) + " 个在此禁用"
	}
	if n == 1 {
		return number(m) + " of " + number(n) + " job disabled here"
	}
	return number(m) + " of " + number(n) + " jobs disabled here"
}

// ServerMoreInstances is "and {n, number} more".
func (l Lang) ServerMoreInstances(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个"
	}
	return "and " + number(n) + " more"
}

// ServerNamesMore is "{names} and {n, number} more".
func (l Lang) ServerNamesMore(names string, n int) string {
	if l == Chinese {
		return names + " 等，另有 " + number(n) + " 个"
	}
	return names + " and " + number(n) + " more"
}

// ServerNext is "Next".
func (l Lang) ServerNext() string {
	if l == Chinese {
		return "下一页"
	}
	return "Next"
}

// ServerNoHistory is "What ran here is not known".
func (l Lang) ServerNoHistory() string {
	if l == Chinese {
		return "此处的运行情况未知"
	}
	return "What ran here is not known"
}

// ServerNothing is "There is nothing to do".
func (l Lang) ServerNothing() string {
	if l == Chinese {
		return "无需操作"
	}
	return "There is nothing to do"
}

// ServerNothingDisable is "The server is disabled already in every job that lists it.".
func (l Lang) ServerNothingDisable() string {
	if l == Chinese {
		return "该服务器在列出它的所有作业中都已禁用。"
	}
	return "The server is disabled already in every job that lists it."
}

// ServerNothingEnable is "The server is enabled already in every job.".
func (l Lang) ServerNothingEnable() string {
	if l == Chinese {
		return "该服务器在所有作业中都已启用。"
	}
	return "The server is enabled already in every job."
}

// ServerNothingStop is "No instance is live here.".
func (l Lang) ServerNothingStop() string {
	if l == Chinese {
		return "此处没有在线的实例。"
	}
	return "No instance is live here."
}

// ServerOn is "{job} on {ip}".
func (l Lang) ServerOn(job string, ip string) string {
	if l == Chinese {
		return ip + " 上的 " + job
	}
	return job + " on " + ip
}

// ServerOpenRuns is "Open in Runs".
func (l Lang) ServerOpenRuns() string {
	if l == Chinese {
		return "在运行记录中打开"
	}
	return "Open in Runs"
}

// ServerPrevious is "Previous".
func (l Lang) ServerPrevious() string {
	if l == Chinese {
		return "上一页"
	}
	return "Previous"
}

// ServerRan is "What ran here".
func (l Lang) ServerRan() string {
	if l == Chinese {
		return "此处的运行情况"
	}
	return "What ran here"
}

// ServerRanLabel is "What ran on {ip} from {from} to {to}; the list of executions has the same".
func (l Lang) ServerRanLabel(ip string, from string, to string) string {
	if l == Chinese {
		return from + " 至 " + to + " 在 " + ip + " 上的运行情况；执行明细列表内容相同"
	}
	return "What ran on " + ip + " from " + from + " to " + to + "; the list of executions has the same"
}

// ServerRanNone is "Nothing ran here in this time.".
func (l Lang) ServerRanNone() string {
	if l == Chinese {
		return "这段时间内此处没有运行。"
	}
	return "Nothing ran here in this time."
}

// ServerRanSub is "{from}–{to} UTC, {m, number} of {n, plural, one {# job} other {# jobs}}, most executions first".
func (l Lang) ServerRanSub(from string, to string, m int, n int) string {
	if l == Chinese {
		return from + "–" + to + " UTC，" + number(n) + " 个作业中的 " + number(m) + " 个，按执行数排列"
	}
	if n == 1 {
		return from + "–" + to + " UTC, " + number(m) + " of " + number(n) + " job, most executions first"
	}
	return from + "–" + to + " UTC, " + number(m) + " of " + number(n) + " jobs, most executions first"
}

// ServerRanSubNewest is "{from}–{to} UTC, the newest executions of {m, number} of {n, plural, one {# job} other {# jobs}}".
func (l Lang) ServerRanSubNewest(from string, to string, m int, n int) string {
	if l == Chinese {
		return from + "–" + to + " UTC，" + number(n) + " 个作业中 " + number(m) + " 个的最新执行"
	}
	if n == 1 {
		return from + "–" + to + " UTC, the newest executions of " + number(m) + " of " + number(n) + " job"
	}
	return from + "–" + to + " UTC, the newest executions of " + number(m) + " of " + number(n) + " jobs"
}

// ServerReason is "Reason".
func (l Lang) ServerReason() string {
	if l == Chinese {
		return "原因"
	}
	return "Reason"
}

// ServerReasonHint is "optional, kept in the audit log".
func (l Lang) ServerReasonHint() string {
	if l == Chinese {
		return "可选，记入审计日志"
	}
	return "optional, kept in the audit log"
}

// ServerRefused is "This is not possible now".
func (l Lang) ServerRefused() string {
	if l == Chinese {
		return "目前无法操作"
	}
	return "This is not possible now"
}

// ServerRefusedLive is "{n, plural, one {# instance is} other {# instances are}} live here. Stop the instances or end the processes first: a process that runs would add the entry again.".
func (l Lang) ServerRefusedLive(n int) string {
	if l == Chinese {
		return "此处有 " + number(n) + " 个实例在线。请先终止实例或结束进程：运行中的进程会重新添加记录。"
	}
	if n == 1 {
		return number(n) + " instance is live here. Stop the instances or end the processes first: a process that runs would add the entry again."
	}
	return number(n) + " instances are live here. Stop the instances or end the processes first: a process that runs would add the entry again."
}

// ServerShards is "Shards here".
func (l Lang) ServerShards() string {
	if l == Chinese {
		return "此处的分片"
	}
	return "Shards here"
}

// ServerShardsOf is "{m, number} of {n, number}".
func (l Lang) ServerShardsOf(m int, n int) string {
	if l == Chinese {
		return number(m) + " / " + number(n)
	}
	return number(m) + " of " + number(n)
}

// ServerSince is "Since".
func (l Lang) ServerSince() string {
	if l == Chinese {
		return "注册时间"
	}
	return "Since"
}

// ServerSkipDisabled is "disabled here already".
func (l Lang) ServerSkipDisabled() string {
	if l == Chinese {
		return "已在此禁用"
	}
	return "disabled here already"
}

// ServerSkipEnabled is "enabled here already".
func (l Lang) ServerSkipEnabled() string {
	if l == Chinese {
		return "已在此启用"
	}
	return "enabled here already"
}

// ServerSkipNoInstance is "no instance here".
func (l Lang) ServerSkipNoInstance() string {
	if l == Chinese {
		return "此处没有实例"
	}
	return "no instance here"
}

// ServerSkipped is "Skips {n, plural, one {# job} other {# jobs}}: {reason}".
func (l Lang) ServerSkipped(n int, reason string) string {
	if l == Chinese {
		return "跳过 " + number(n) + " 个作业：" + reason
	}
	if n == 1 {
		return "Skips " + number(n) + " job: " + reason
	}
	return "Skips " + number(n) + " jobs: " + reason
}

// ServerSkippedOne is "Skipped {target}: {reason}".
func (l Lang) ServerSkippedOne(target string, reason string) string {
	if l == Chinese {
		return "跳过 " + target + "：" + reason
	}
	return "Skipped " + target + ": " + reason
}

// ServerSpan is "Time shown".
func (l Lang) ServerSpan() string {
	if l == Chinese {
		return "时间范围"
	}
	return "Time shown"
}

// ServerWill is "Reaches {n, plural, one {# job} other {# jobs}}".
func (l Lang) ServerWill(n int) string {
	if l == Chinese {
		return "涉及 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Reaches " + number(n) + " job"
	}
	return "Reaches " + number(n) + " jobs"
}
