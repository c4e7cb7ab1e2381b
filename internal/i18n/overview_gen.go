// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// OverviewAlike is "{n, plural, one {# job fails} other {# jobs fail}} alike".
func (l Lang) OverviewAlike(n int) string {
	if l == Chinese {
		return number(n) + " 个作业以相同原因失败"
	}
	if n == 1 {
		return number(n) + " job fails alike"
	}
	return number(n) + " jobs fail alike"
}

// OverviewAttention is "Needs attention".
func (l Lang) OverviewAttention() string {
	if l == Chinese {
		return "需要处理"
	}
	return "Needs attention"
}

// OverviewAttentionSub is "failures grouped by their message".
func (l Lang) OverviewAttentionSub() string {
	if l == Chinese {
		return "失败按消息归并"
	}
	return "failures grouped by their message"
}

// OverviewBadCron is "Bad cron".
func (l Lang) OverviewBadCron() string {
	if l == Chinese {
		return "Cron 错误"
	}
	return "Bad cron"
}

// OverviewCalm is "No job fails, is late or down.".
func (l Lang) OverviewCalm() string {
	if l == Chinese {
		return "没有失败、延迟或已下线的作业。"
	}
	return "No job fails, is late or down."
}

// OverviewCalmEmpty is "No job is registered in this namespace yet. Start an agent; its jobs appear here by themselves.".
func (l Lang) OverviewCalmEmpty() string {
	if l == Chinese {
		return "此命名空间中尚无作业注册。启动实例后，其作业会自动显示在这里。"
	}
	return "No job is registered in this namespace yet. Start an agent; its jobs appear here by themselves."
}

// OverviewCalmUnknown is "Every job has live instances and a readable configuration. Whether runs fail is not known: their history cannot be read.".
func (l Lang) OverviewCalmUnknown() string {
	if l == Chinese {
		return "所有作业都有存活的实例，配置均可读取。无法得知运行是否失败：历史无法读取。"
	}
	return "Every job has live instances and a readable configuration. Whether runs fail is not known: their history cannot be read."
}

// OverviewExecutions is "{n, plural, one {# execution} other {# executions}}".
func (l Lang) OverviewExecutions(n int) string {
	if l == Chinese {
		return number(n) + " 次执行"
	}
	if n == 1 {
		return number(n) + " execution"
	}
	return number(n) + " executions"
}

// OverviewFailures is "Recent failures".
func (l Lang) OverviewFailures() string {
	if l == Chinese {
		return "最近失败"
	}
	return "Recent failures"
}

// OverviewFailuresAll is "All failures".
func (l Lang) OverviewFailuresAll() string {
	if l == Chinese {
		return "全部失败"
	}
	return "All failures"
}

// OverviewFailuresNone is "No failed run is on record.".
func (l Lang) OverviewFailuresNone() string {
	if l == Chinese {
		return "没有失败的运行记录。"
	}
	return "No failed run is on record."
}

// OverviewLost is "Runs were lost: their instances left during them, and no other run has made up for them so far.".
func (l Lang) OverviewLost() string {
	if l == Chinese {
		return "运行丢失：实例在运行中离开，至今没有其他运行补上。"
	}
	return "Runs were lost: their instances left during them, and no other run has made up for them so far."
}

// OverviewMore is "{n, number} more; see all jobs, the worst first".
func (l Lang) OverviewMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 项；查看全部作业（最需处理的在前）"
	}
	return number(n) + " more; see all jobs, the worst first"
}

// OverviewNamesMore is "{names} and {n, number} more".
func (l Lang) OverviewNamesMore(names string, n int) string {
	if l == Chinese {
		return names + " 等，另有 " + number(n) + " 个"
	}
	return names + " and " + number(n) + " more"
}

// OverviewShard is "shard {item}".
func (l Lang) OverviewShard(item string) string {
	if l == Chinese {
		return "分片 " + item
	}
	return "shard " + item
}

// OverviewUpcoming is "Next fires".
func (l Lang) OverviewUpcoming() string {
	if l == Chinese {
		return "即将触发"
	}
	return "Next fires"
}

// OverviewUpcomingNone is "No job is due to fire.".
func (l Lang) OverviewUpcomingNone() string {
	if l == Chinese {
		return "没有即将触发的作业。"
	}
	return "No job is due to fire."
}
