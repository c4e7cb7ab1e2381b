// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// JobsActions is "Actions".
func (l Lang) JobsActions() string {
	if l == Chinese {
		return "操作"
	}
	return "Actions"
}

// JobsAll is "All".
func (l Lang) JobsAll() string {
	if l == Chinese {
		return "全部"
	}
	return "All"
}

// JobsBarFailed is "{n, plural, one {# shard} other {# shards}} failed".
func (l Lang) JobsBarFailed(n int) string {
	if l == Chinese {
		return number(n) + " 个分片失败"
	}
	if n == 1 {
		return number(n) + " shard failed"
	}
	return number(n) + " shards failed"
}

// JobsBarFailedLost is "{n, plural, one {# shard} other {# shards}} failed, {lost, number} lost".
func (l Lang) JobsBarFailedLost(n int, lost int) string {
	if l == Chinese {
		return number(n) + " 个分片失败，" + number(lost) + " 个丢失"
	}
	if n == 1 {
		return number(n) + " shard failed, " + number(lost) + " lost"
	}
	return number(n) + " shards failed, " + number(lost) + " lost"
}

// JobsBarLost is "{n, plural, one {# shard} other {# shards}} lost".
func (l Lang) JobsBarLost(n int) string {
	if l == Chinese {
		return number(n) + " 个分片丢失"
	}
	if n == 1 {
		return number(n) + " shard lost"
	}
	return number(n) + " shards lost"
}

// JobsBarOk is "succeeded".
func (l Lang) JobsBarOk() string {
	if l == Chinese {
		return "成功"
	}
	return "succeeded"
}

// JobsBarRunning is "running".
func (l Lang) JobsBarRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "running"
}

// JobsClear is "Clear".
func (l Lang) JobsClear() string {
	if l == Chinese {
		return "清除"
	}
	return "Clear"
}

// JobsEmpty is "No jobs in this namespace yet.".
func (l Lang) JobsEmpty() string {
	if l == Chinese {
		return "此命名空间中还没有作业。"
	}
	return "No jobs in this namespace yet."
}

// JobsEmptyText is "A job appears here as soon as an agent registers it. If agents run already, check that they use the namespace {name}.".
func (l Lang) JobsEmptyText(name string) string {
	if l == Chinese {
		return "实例注册作业后，作业会显示在这里。如果实例已在运行，请检查它们使用的命名空间是否为 " + name + "。"
	}
	return "A job appears here as soon as an agent registers it. If agents run already, check that they use the namespace " + name + "."
}

// JobsFilters is "Filters".
func (l Lang) JobsFilters() string {
	if l == Chinese {
		return "筛选条件"
	}
	return "Filters"
}

// JobsInstancesShort is "Inst.".
func (l Lang) JobsInstancesShort() string {
	if l == Chinese {
		return "实例"
	}
	return "Inst."
}

// JobsJob is "Job".
func (l Lang) JobsJob() string {
	if l == Chinese {
		return "作业"
	}
	return "Job"
}

// JobsLastRun is "Last run".
func (l Lang) JobsLastRun() string {
	if l == Chinese {
		return "上次运行"
	}
	return "Last run"
}

// JobsLastRuns is "Last runs".
func (l Lang) JobsLastRuns() string {
	if l == Chinese {
		return "最近运行"
	}
	return "Last runs"
}

// JobsLateBy is "late by {span}".
func (l Lang) JobsLateBy(span string) string {
	if l == Chinese {
		return "已延迟 " + span
	}
	return "late by " + span
}

// JobsMoved is "{n, plural, one {# job} other {# jobs}} changed place".
func (l Lang) JobsMoved(n int) string {
	if l == Chinese {
		return number(n) + " 个作业位置有变"
	}
	if n == 1 {
		return number(n) + " job changed place"
	}
	return number(n) + " jobs changed place"
}

// JobsNFailed is "{n, number} failed".
func (l Lang) JobsNFailed(n int) string {
	if l == Chinese {
		return "失败 " + number(n)
	}
	return number(n) + " failed"
}

// JobsNOk is "{n, number} succeeded".
func (l Lang) JobsNOk(n int) string {
	if l == Chinese {
		return "成功 " + number(n)
	}
	return number(n) + " succeeded"
}

// JobsNRunning is "{n, number} running".
func (l Lang) JobsNRunning(n int) string {
	if l == Chinese {
		return "运行中 " + number(n)
	}
	return number(n) + " running"
}

// JobsNext is "Next".
func (l Lang) JobsNext() string {
	if l == Chinese {
		return "下一页"
	}
	return "Next"
}

// JobsNextFire is "Next fire".
func (l Lang) JobsNextFire() string {
	if l == Chinese {
		return "下次触发"
	}
	return "Next fire"
}

// JobsNoCron is "none".
func (l Lang) JobsNoCron() string {
	if l == Chinese {
		return "无"
	}
	return "none"
}

// JobsNoFireBadCron is "cron unreadable".
func (l Lang) JobsNoFireBadCron() string {
	if l == Chinese {
		return "Cron 无法解析"
	}
	return "cron unreadable"
}

// JobsNoFireBadZone is "time zone unreadable".
func (l Lang) JobsNoFireBadZone() string {
	if l == Chinese {
		return "时区无法解析"
	}
	return "time zone unreadable"
}

// JobsNoFireDisabled is "disabled".
func (l Lang) JobsNoFireDisabled() string {
	if l == Chinese {
		return "已禁用"
	}
	return "disabled"
}

// JobsNoFireHeld is "held".
func (l Lang) JobsNoFireHeld() string {
	if l == Chinese {
		return "已暂停"
	}
	return "held"
}

// JobsNoFireNever is "never again".
func (l Lang) JobsNoFireNever() string {
	if l == Chinese {
		return "不再触发"
	}
	return "never again"
}

// JobsNoFireNoCron is "on trigger only".
func (l Lang) JobsNoFireNoCron() string {
	if l == Chinese {
		return "仅手动触发"
	}
	return "on trigger only"
}

// JobsNoFireNoInstance is "no instance".
func (l Lang) JobsNoFireNoInstance() string {
	if l == Chinese {
		return "没有实例可运行"
	}
	return "no instance"
}

// JobsNoFireUnknown is "unknown".
func (l Lang) JobsNoFireUnknown() string {
	if l == Chinese {
		return "未知"
	}
	return "unknown"
}

// JobsNoMatch is "No job matches {text}.".
func (l Lang) JobsNoMatch(text string) string {
	if l == Chinese {
		return "没有匹配 " + text + " 的作业。"
	}
	return "No job matches " + text + "."
}

// JobsNoMatchText is "The search looks at names and descriptions.".
func (l Lang) JobsNoMatchText() string {
	if l == Chinese {
		return "搜索范围是名称和描述。"
	}
	return "The search looks at names and descriptions."
}

// JobsNoneInState is "No job is in the state {state}.".
func (l Lang) JobsNoneInState(state string) string {
	if l == Chinese {
		return "没有状态为“" + state + "”的作业。"
	}
	return "No job is in the state " + state + "."
}

// JobsPrevious is "Previous".
func (l Lang) JobsPrevious() string {
	if l == Chinese {
		return "上一页"
	}
	return "Previous"
}

// JobsRange is "{from}–{to} of {n, plural, one {# job} other {# jobs}}".
func (l Lang) JobsRange(from string, to string, n int) string {
	if l == Chinese {
		return from + "–" + to + " / " + number(n) + " 个作业"
	}
	if n == 1 {
		return from + "–" + to + " of " + number(n) + " job"
	}
	return from + "–" + to + " of " + number(n) + " jobs"
}

// JobsResort is "Re-sort".
func (l Lang) JobsResort() string {
	if l == Chinese {
		return "重新排序"
	}
	return "Re-sort"
}

// JobsRows is "Rows".
func (l Lang) JobsRows() string {
	if l == Chinese {
		return "每页行数"
	}
	return "Rows"
}

// JobsSchedule is "Schedule".
func (l Lang) JobsSchedule() string {
	if l == Chinese {
		return "调度"
	}
	return "Schedule"
}

// JobsSearch is "Search".
func (l Lang) JobsSearch() string {
	if l == Chinese {
		return "搜索"
	}
	return "Search"
}

// JobsSearchHint is "Name, description, or a filter such as state:failing last:lost ran:<1d".
func (l Lang) JobsSearchHint() string {
	if l == Chinese {
		return "名称、描述，或筛选，例如 state:failing last:lost ran:<1d"
	}
	return "Name, description, or a filter such as state:failing last:lost ran:<1d"
}

// JobsSearchLabel is "Search by name or description, or with a filter".
func (l Lang) JobsSearchLabel() string {
	if l == Chinese {
		return "按名称或描述搜索，或使用筛选"
	}
	return "Search by name or description, or with a filter"
}

// JobsServersOff is "{n, plural, one {# server} other {# servers}} off".
func (l Lang) JobsServersOff(n int) string {
	if l == Chinese {
		return number(n) + " 台服务器已禁用"
	}
	if n == 1 {
		return number(n) + " server off"
	}
	return number(n) + " servers off"
}

// JobsShards is "Shards".
func (l Lang) JobsShards() string {
	if l == Chinese {
		return "分片"
	}
	return "Shards"
}

// JobsShardsOff is "{n, plural, one {# shard} other {# shards}} off".
func (l Lang) JobsShardsOff(n int) string {
	if l == Chinese {
		return number(n) + " 个分片已禁用"
	}
	if n == 1 {
		return number(n) + " shard off"
	}
	return number(n) + " shards off"
}

// JobsShowAll is "Show all jobs".
func (l Lang) JobsShowAll() string {
	if l == Chinese {
		return "显示全部作业"
	}
	return "Show all jobs"
}

// JobsShowEveryState is "Show every state".
func (l Lang) JobsShowEveryState() string {
	if l == Chinese {
		return "显示所有状态"
	}
	return "Show every state"
}

// JobsState is "State".
func (l Lang) JobsState() string {
	if l == Chinese {
		return "状态"
	}
	return "State"
}

// JobsStrip is "Last {n, plural, one {# run} other {# runs}}: {parts}".
func (l Lang) JobsStrip(n int, parts string) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次运行：" + parts
	}
	if n == 1 {
		return "Last " + number(n) + " run: " + parts
	}
	return "Last " + number(n) + " runs: " + parts
}

// JobsStripNone is "no runs".
func (l Lang) JobsStripNone() string {
	if l == Chinese {
		return "没有运行"
	}
	return "no runs"
}

// JobsStripOne is "One run: {how}".
func (l Lang) JobsStripOne(how string) string {
	if l == Chinese {
		return "1 次运行：" + how
	}
	return "One run: " + how
}

// JobsUnknownSelect is "select {value} is unknown (use all)".
func (l Lang) JobsUnknownSelect(value string) string {
	if l == Chinese {
		return "未知的 select：" + value + "（可用 all）"
	}
	return "select " + value + " is unknown (use all)"
}

// JobsViews is "Views".
func (l Lang) JobsViews() string {
	if l == Chinese {
		return "视图"
	}
	return "Views"
}

// JobsWindow is "Jobs that fire between {from} and {to}, {zone}".
func (l Lang) JobsWindow(from string, to string, zone string) string {
	if l == Chinese {
		return "在 " + from + " 到 " + to + "（" + zone + "）之间触发的作业"
	}
	return "Jobs that fire between " + from + " and " + to + ", " + zone
}

// JobsWindowText is "A job that is disabled or has no instance does not fire. Write fires:02:00-03:00@Asia/Shanghai for another time zone than UTC.".
func (l Lang) JobsWindowText() string {
	if l == Chinese {
		return "已禁用或没有实例的作业不会触发。如需 UTC 以外的时区，请写 fires:02:00-03:00@Asia/Shanghai。"
	}
	return "A job that is disabled or has no instance does not fire. Write fires:02:00-03:00@Asia/Shanghai for another time zone than UTC."
}

// JobsWithout is "Remove {filter}".
func (l Lang) JobsWithout(filter string) string {
	if l == Chinese {
		return "移除 " + filter
	}
	return "Remove " + filter
}

// JobsZoneOfAgent is "instance's time zone".
func (l Lang) JobsZoneOfAgent() string {
	if l == Chinese {
		return "实例时区"
	}
	return "instance's time zone"
}
