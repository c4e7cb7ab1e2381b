// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// CardsAcknowledge is "Acknowledge".
func (l Lang) CardsAcknowledge() string {
	if l == Chinese {
		return "确认"
	}
	return "Acknowledge"
}

// CardsAcknowledged is "{n, plural, one {# loss was acknowledged.} other {# losses were acknowledged.}}".
func (l Lang) CardsAcknowledged(n int) string {
	if l == Chinese {
		return "已确认 " + number(n) + " 个丢失的实例。"
	}
	if n == 1 {
		return number(n) + " loss was acknowledged."
	}
	return number(n) + " losses were acknowledged."
}

// CardsChanges is "Recent changes".
func (l Lang) CardsChanges() string {
	if l == Chinese {
		return "最近变更"
	}
	return "Recent changes"
}

// CardsChangesNone is "Nobody changed anything yet.".
func (l Lang) CardsChangesNone() string {
	if l == Chinese {
		return "尚无变更。"
	}
	return "Nobody changed anything yet."
}

// CardsChangesSub is "what operators changed last".
func (l Lang) CardsChangesSub() string {
	if l == Chinese {
		return "操作员最近的变更"
	}
	return "what operators changed last"
}

// CardsDisabled is "disabled in all jobs".
func (l Lang) CardsDisabled() string {
	if l == Chinese {
		return "在所有作业中禁用"
	}
	return "disabled in all jobs"
}

// CardsEnded is "{n, plural, one {execution} other {executions}}".
func (l Lang) CardsEnded(n int) string {
	if l == Chinese {
		return "次执行"
	}
	if n == 1 {
		return "execution"
	}
	return "executions"
}

// CardsFailed is "failed".
func (l Lang) CardsFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "failed"
}

// CardsFast is "{n, plural, one {# job that fires more than once a minute is counted by its rate.} other {# jobs that fire more than once a minute are counted by their rate.}}".
func (l Lang) CardsFast(n int) string {
	if l == Chinese {
		return number(n) + " 个每分钟触发多次的作业按频率估算。"
	}
	if n == 1 {
		return number(n) + " job that fires more than once a minute is counted by its rate."
	}
	return number(n) + " jobs that fire more than once a minute are counted by their rate."
}

// CardsFires is "Next 24 h".
func (l Lang) CardsFires() string {
	if l == Chinese {
		return "未来 24 小时"
	}
	return "Next 24 h"
}

// CardsFiresColumn is "{from} to {to}: {fires}".
func (l Lang) CardsFiresColumn(from string, to string, fires string) string {
	if l == Chinese {
		return from + " 至 " + to + "：" + fires
	}
	return from + " to " + to + ": " + fires
}

// CardsFiresLabel is "Fires of the next 24 hours: {total}, most of them from {peak}".
func (l Lang) CardsFiresLabel(total string, peak string) string {
	if l == Chinese {
		return "未来 24 小时的触发：" + total + "，高峰在 " + peak
	}
	return "Fires of the next 24 hours: " + total + ", most of them from " + peak
}

// CardsFiresNone is "No job is due to fire in the next 24 hours.".
func (l Lang) CardsFiresNone() string {
	if l == Chinese {
		return "未来 24 小时没有作业触发。"
	}
	return "No job is due to fire in the next 24 hours."
}

// CardsFiresSub is "fires per 15 min, UTC".
func (l Lang) CardsFiresSub() string {
	if l == Chinese {
		return "每 15 分钟的触发次数，UTC"
	}
	return "fires per 15 min, UTC"
}

// CardsFiresTotal is "{n, plural, one {# fire} other {# fires}}".
func (l Lang) CardsFiresTotal(n int) string {
	if l == Chinese {
		return number(n) + " 次触发"
	}
	if n == 1 {
		return number(n) + " fire"
	}
	return number(n) + " fires"
}

// CardsFleet is "Fleet".
func (l Lang) CardsFleet() string {
	if l == Chinese {
		return "服务器与实例"
	}
	return "Fleet"
}

// CardsFleetBox is "{ip}: {jobs}".
func (l Lang) CardsFleetBox(ip string, jobs string) string {
	if l == Chinese {
		return ip + "：" + jobs
	}
	return ip + ": " + jobs
}

// CardsFleetDown is "The servers cannot be read now.".
func (l Lang) CardsFleetDown() string {
	if l == Chinese {
		return "目前无法读取服务器。"
	}
	return "The servers cannot be read now."
}

// CardsFleetMore is "{n, number} more".
func (l Lang) CardsFleetMore(n int) string {
	if l == Chinese {
		return "另外 " + number(n) + " 台"
	}
	return number(n) + " more"
}

// CardsFleetNone is "No server has registered yet.".
func (l Lang) CardsFleetNone() string {
	if l == Chinese {
		return "尚无服务器注册。"
	}
	return "No server has registered yet."
}

// CardsFleetOpen is "Open fleet".
func (l Lang) CardsFleetOpen() string {
	if l == Chinese {
		return "打开服务器列表"
	}
	return "Open fleet"
}

// CardsFleetSum is "{servers} · {instances}".
func (l Lang) CardsFleetSum(servers string, instances string) string {
	if l == Chinese {
		return servers + " · " + instances
	}
	return servers + " · " + instances
}

// CardsGap is "not recorded".
func (l Lang) CardsGap() string {
	if l == Chinese {
		return "无记录"
	}
	return "not recorded"
}

// CardsJobs is "{n, plural, one {# job} other {# jobs}}.".
func (l Lang) CardsJobs(n int) string {
	if l == Chinese {
		return number(n) + " 个作业。"
	}
	if n == 1 {
		return number(n) + " job."
	}
	return number(n) + " jobs."
}

// CardsLoad is "jobs".
func (l Lang) CardsLoad() string {
	if l == Chinese {
		return "作业"
	}
	return "jobs"
}

// CardsLostChip is "Instance left".
func (l Lang) CardsLostChip() string {
	if l == Chinese {
		return "实例离开"
	}
	return "Instance left"
}

// CardsLostMany is "{n, plural, one {# instance was lost} other {# instances were lost}}".
func (l Lang) CardsLostMany(n int) string {
	if l == Chinese {
		return number(n) + " 个实例丢失"
	}
	if n == 1 {
		return number(n) + " instance was lost"
	}
	return number(n) + " instances were lost"
}

// CardsLostPlain is "it left without an orderly stop".
func (l Lang) CardsLostPlain() string {
	if l == Chinese {
		return "没有正常停止就离开了"
	}
	return "it left without an orderly stop"
}

// CardsLostReason is "it was running {shards, plural, one {# shard} other {# shards}}".
func (l Lang) CardsLostReason(shards int) string {
	if l == Chinese {
		return "当时正在运行 " + number(shards) + " 个分片"
	}
	if shards == 1 {
		return "it was running " + number(shards) + " shard"
	}
	return "it was running " + number(shards) + " shards"
}

// CardsNeed is "{n, plural, one {# needs attention.} other {# need attention.}}".
func (l Lang) CardsNeed(n int) string {
	if l == Chinese {
		return number(n) + " 个需要处理。"
	}
	if n == 1 {
		return number(n) + " needs attention."
	}
	return number(n) + " need attention."
}

// CardsNoResults is "Nobody has counted yet; results appear within a minute.".
func (l Lang) CardsNoResults() string {
	if l == Chinese {
		return "尚未统计，结果会在一分钟内出现。"
	}
	return "Nobody has counted yet; results appear within a minute."
}

// CardsNow is "now {time}".
func (l Lang) CardsNow(time string) string {
	if l == Chinese {
		return "现在 " + time
	}
	return "now " + time
}

// CardsOffline is "offline".
func (l Lang) CardsOffline() string {
	if l == Chinese {
		return "离线"
	}
	return "offline"
}

// CardsOk is "succeeded".
func (l Lang) CardsOk() string {
	if l == Chinese {
		return "成功"
	}
	return "succeeded"
}

// CardsOnDemand is "opened on demand".
func (l Lang) CardsOnDemand() string {
	if l == Chinese {
		return "按需连接"
	}
	return "opened on demand"
}

// CardsOpenAndLost is "{lost}; {open}".
func (l Lang) CardsOpenAndLost(lost string, open string) string {
	if l == Chinese {
		return lost + "；" + open
	}
	return lost + "; " + open
}

// CardsOpenReason is "{n, plural, one {# shard waits for an owner} other {# shards wait for an owner}}".
func (l Lang) CardsOpenReason(n int) string {
	if l == Chinese {
		return number(n) + " 个分片等待分配"
	}
	if n == 1 {
		return number(n) + " shard waits for an owner"
	}
	return number(n) + " shards wait for an owner"
}

// CardsPeak is "Peak: {from} to {to}, {fires}.".
func (l Lang) CardsPeak(from string, to string, fires string) string {
	if l == Chinese {
		return "高峰：" + from + " 至 " + to + "，" + fires + "。"
	}
	return "Peak: " + from + " to " + to + ", " + fires + "."
}

// CardsRegistries is "Registries".
func (l Lang) CardsRegistries() string {
	if l == Chinese {
		return "注册中心"
	}
	return "Registries"
}

// CardsResults is "Results, last 24 h".
func (l Lang) CardsResults() string {
	if l == Chinese {
		return "最近 24 小时结果"
	}
	return "Results, last 24 h"
}

// CardsResultsHour is "{from} to {to}: {ok, number} succeeded, {bad, number} failed".
func (l Lang) CardsResultsHour(from string, to string, ok int, bad int) string {
	if l == Chinese {
		return from + " 至 " + to + "：成功 " + number(ok) + "，失败 " + number(bad)
	}
	return from + " to " + to + ": " + number(ok) + " succeeded, " + number(bad) + " failed"
}

// CardsResultsLabel is "Executions that ended in the last 24 hours: {ok, number} succeeded, {bad, number} failed".
func (l Lang) CardsResultsLabel(ok int, bad int) string {
	if l == Chinese {
		return "最近 24 小时结束的执行：成功 " + number(ok) + "，失败 " + number(bad)
	}
	return "Executions that ended in the last 24 hours: " + number(ok) + " succeeded, " + number(bad) + " failed"
}

// CardsResultsOpen is "Open in Runs".
func (l Lang) CardsResultsOpen() string {
	if l == Chinese {
		return "在运行记录中打开"
	}
	return "Open in Runs"
}

// CardsResultsSub is "executions that ended, per hour, UTC".
func (l Lang) CardsResultsSub() string {
	if l == Chinese {
		return "每小时结束的执行，UTC"
	}
	return "executions that ended, per hour, UTC"
}

// CardsResultsUnknown is "{from} to {to}: not recorded".
func (l Lang) CardsResultsUnknown(from string, to string) string {
	if l == Chinese {
		return from + " 至 " + to + "：无记录"
	}
	return from + " to " + to + ": not recorded"
}

// CardsServers is "{n, plural, one {# server} other {# servers}}".
func (l Lang) CardsServers(n int) string {
	if l == Chinese {
		return number(n) + " 台服务器"
	}
	if n == 1 {
		return number(n) + " server"
	}
	return number(n) + " servers"
}

// CardsSettings is "Settings".
func (l Lang) CardsSettings() string {
	if l == Chinese {
		return "设置"
	}
	return "Settings"
}

// CardsShare is "Jobs by state: {parts}".
func (l Lang) CardsShare(parts string) string {
	if l == Chinese {
		return "按状态统计的作业：" + parts
	}
	return "Jobs by state: " + parts
}

// CardsUncounted is "{n, plural, one {# job is still to be counted.} other {# jobs are still to be counted.}}".
func (l Lang) CardsUncounted(n int) string {
	if l == Chinese {
		return number(n) + " 个作业尚未统计。"
	}
	if n == 1 {
		return number(n) + " job is still to be counted."
	}
	return number(n) + " jobs are still to be counted."
}
