// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RunsAny is "any".
func (l Lang) RunsAny() string {
	if l == Chinese {
		return "任意"
	}
	return "any"
}

// RunsAnyTime is "Clear selection".
func (l Lang) RunsAnyTime() string {
	if l == Chinese {
		return "清除所选时间"
	}
	return "Clear selection"
}

// RunsApply is "Apply".
func (l Lang) RunsApply() string {
	if l == Chinese {
		return "应用"
	}
	return "Apply"
}

// RunsBar is "{from} to {to}: {began} began, {failed} failed or lost".
func (l Lang) RunsBar(from string, to string, began string, failed string) string {
	if l == Chinese {
		return from + " 至 " + to + "：开始 " + began + "，失败或丢失 " + failed
	}
	return from + " to " + to + ": " + began + " began, " + failed + " failed or lost"
}

// RunsCause is "Error".
func (l Lang) RunsCause() string {
	if l == Chinese {
		return "错误"
	}
	return "Error"
}

// RunsCauseHint is "any part of it".
func (l Lang) RunsCauseHint() string {
	if l == Chinese {
		return "其中任意部分"
	}
	return "any part of it"
}

// RunsClear is "Clear".
func (l Lang) RunsClear() string {
	if l == Chinese {
		return "清除"
	}
	return "Clear"
}

// RunsCount is "{n, plural, one {# run} other {# runs}} on this page".
func (l Lang) RunsCount(n int) string {
	if l == Chinese {
		return "本页 " + number(n) + " 次运行"
	}
	if n == 1 {
		return number(n) + " run on this page"
	}
	return number(n) + " runs on this page"
}

// RunsDurations is "Durations".
func (l Lang) RunsDurations() string {
	if l == Chinese {
		return "耗时分布"
	}
	return "Durations"
}

// RunsDurationsLabel is "Half of the executions took at most {p50}, 95 of 100 at most {p95}, 99 of 100 at most {p99}".
func (l Lang) RunsDurationsLabel(p50 string, p95 string, p99 string) string {
	if l == Chinese {
		return "一半的执行不超过 " + p50 + "，95% 不超过 " + p95 + "，99% 不超过 " + p99
	}
	return "Half of the executions took at most " + p50 + ", 95 of 100 at most " + p95 + ", 99 of 100 at most " + p99
}

// RunsDurationsNewest is "of the newest {n, number} executions".
func (l Lang) RunsDurationsNewest(n int) string {
	if l == Chinese {
		return "最近 " + number(n) + " 次执行"
	}
	return "of the newest " + number(n) + " executions"
}

// RunsDurationsNone is "No execution of this selection has ended.".
func (l Lang) RunsDurationsNone() string {
	if l == Chinese {
		return "所选范围内没有已结束的执行。"
	}
	return "No execution of this selection has ended."
}

// RunsDurationsSub is "of {n, number} executions".
func (l Lang) RunsDurationsSub(n int) string {
	if l == Chinese {
		return "共 " + number(n) + " 次执行"
	}
	return "of " + number(n) + " executions"
}

// RunsEmpty is "No run matches.".
func (l Lang) RunsEmpty() string {
	if l == Chinese {
		return "没有匹配的运行。"
	}
	return "No run matches."
}

// RunsEmptyAll is "Show all runs".
func (l Lang) RunsEmptyAll() string {
	if l == Chinese {
		return "显示所有运行"
	}
	return "Show all runs"
}

// RunsEmptyText is "Try a longer time range, or fewer filters. Times are UTC.".
func (l Lang) RunsEmptyText() string {
	if l == Chinese {
		return "可放宽时间范围或减少筛选条件。时间均为 UTC。"
	}
	return "Try a longer time range, or fewer filters. Times are UTC."
}

// RunsExportCsv is "Export CSV".
func (l Lang) RunsExportCsv() string {
	if l == Chinese {
		return "导出 CSV"
	}
	return "Export CSV"
}

// RunsExportJson is "JSON".
func (l Lang) RunsExportJson() string {
	if l == Chinese {
		return "JSON"
	}
	return "JSON"
}

// RunsFacets is "Filters with counts".
func (l Lang) RunsFacets() string {
	if l == Chinese {
		return "带计数的筛选"
	}
	return "Filters with counts"
}

// RunsFilter is "Filter".
func (l Lang) RunsFilter() string {
	if l == Chinese {
		return "筛选"
	}
	return "Filter"
}

// RunsFrom is "From, UTC".
func (l Lang) RunsFrom() string {
	if l == Chinese {
		return "起始（UTC）"
	}
	return "From, UTC"
}

// RunsGroupedNote is "Runs whose trigger is not recorded were grouped by job and second: their executions do not say which run they belong to.".
func (l Lang) RunsGroupedNote() string {
	if l == Chinese {
		return "触发方式未记录的运行按作业与秒归并：其执行没有注明所属的运行。"
	}
	return "Runs whose trigger is not recorded were grouped by job and second: their executions do not say which run they belong to."
}

// RunsInstance is "Instance".
func (l Lang) RunsInstance() string {
	if l == Chinese {
		return "实例"
	}
	return "Instance"
}

// RunsJob is "Job".
func (l Lang) RunsJob() string {
	if l == Chinese {
		return "作业"
	}
	return "Job"
}

// RunsKeyBefore is "the day before".
func (l Lang) RunsKeyBefore() string {
	if l == Chinese {
		return "前一天"
	}
	return "the day before"
}

// RunsKeyBegan is "began".
func (l Lang) RunsKeyBegan() string {
	if l == Chinese {
		return "开始"
	}
	return "began"
}

// RunsKeyFailed is "failed or lost".
func (l Lang) RunsKeyFailed() string {
	if l == Chinese {
		return "失败或丢失"
	}
	return "failed or lost"
}

// RunsKeyNow is "this selection".
func (l Lang) RunsKeyNow() string {
	if l == Chinese {
		return "所选范围"
	}
	return "this selection"
}

// RunsLevel is "Level".
func (l Lang) RunsLevel() string {
	if l == Chinese {
		return "层级"
	}
	return "Level"
}

// RunsLevelExecutions is "Executions".
func (l Lang) RunsLevelExecutions() string {
	if l == Chinese {
		return "执行明细"
	}
	return "Executions"
}

// RunsLevelRuns is "Runs".
func (l Lang) RunsLevelRuns() string {
	if l == Chinese {
		return "运行"
	}
	return "Runs"
}

// RunsLevelStatus is "Status trail".
func (l Lang) RunsLevelStatus() string {
	if l == Chinese {
		return "状态轨迹"
	}
	return "Status trail"
}

// RunsLookFurther is "Look further".
func (l Lang) RunsLookFurther() string {
	if l == Chinese {
		return "继续查找"
	}
	return "Look further"
}

// RunsLostNote is "Shard lost: no end was recorded".
func (l Lang) RunsLostNote() string {
	if l == Chinese {
		return "分片丢失：没有记录到结束"
	}
	return "Shard lost: no end was recorded"
}

// RunsMatch is "Job name".
func (l Lang) RunsMatch() string {
	if l == Chinese {
		return "作业名"
	}
	return "Job name"
}

// RunsMatchExact is "is".
func (l Lang) RunsMatchExact() string {
	if l == Chinese {
		return "等于"
	}
	return "is"
}

// RunsMatchPrefix is "begins with".
func (l Lang) RunsMatchPrefix() string {
	if l == Chinese {
		return "开头为"
	}
	return "begins with"
}

// RunsMessage is "Message".
func (l Lang) RunsMessage() string {
	if l == Chinese {
		return "消息"
	}
	return "Message"
}

// RunsMoreFilters is "More filters".
func (l Lang) RunsMoreFilters() string {
	if l == Chinese {
		return "更多筛选"
	}
	return "More filters"
}

// RunsMoreValues is "{n, number} more".
func (l Lang) RunsMoreValues(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个"
	}
	return number(n) + " more"
}

// RunsNLost is "{n, number} lost".
func (l Lang) RunsNLost(n int) string {
	if l == Chinese {
		return "丢失 " + number(n)
	}
	return number(n) + " lost"
}

// RunsNOk is "{n, number} ok".
func (l Lang) RunsNOk(n int) string {
	if l == Chinese {
		return "成功 " + number(n)
	}
	return number(n) + " ok"
}

// RunsNewest is "Newest".
func (l Lang) RunsNewest() string {
	if l == Chinese {
		return "最新"
	}
	return "Newest"
}

// RunsNoSteps is "No step was recorded.".
func (l Lang) RunsNoSteps() string {
	if l == Chinese {
		return "没有记录任何状态。"
	}
	return "No step was recorded."
}

// RunsNoStepsAll is "Show all steps".
func (l Lang) RunsNoStepsAll() string {
	if l == Chinese {
		return "显示全部状态"
	}
	return "Show all steps"
}

// RunsOlder is "Older".
func (l Lang) RunsOlder() string {
	if l == Chinese {
		return "更早"
	}
	return "Older"
}

// RunsOverTime is "Over time".
func (l Lang) RunsOverTime() string {
	if l == Chinese {
		return "时间分布"
	}
	return "Over time"
}

// RunsOverTimeLabel is "Executions from {from} to {to}: {n, number} began, {m, number} of them failed or were lost".
func (l Lang) RunsOverTimeLabel(from string, to string, n int, m int) string {
	if l == Chinese {
		return from + " 至 " + to + "：开始 " + number(n) + " 次执行，其中 " + number(m) + " 次失败或丢失"
	}
	return "Executions from " + from + " to " + to + ": " + number(n) + " began, " + number(m) + " of them failed or were lost"
}

// RunsOverTimeMost is "a bar counts {n, number} at most".
func (l Lang) RunsOverTimeMost(n int) string {
	if l == Chinese {
		return "每柱最多计 " + number(n) + " 次"
	}
	return "a bar counts " + number(n) + " at most"
}

// RunsOverTimeSub is "executions by when they began; drag across bars to select".
func (l Lang) RunsOverTimeSub() string {
	if l == Chinese {
		return "按开始时间统计的执行数；拖过柱形即可选择"
	}
	return "executions by when they began; drag across bars to select"
}

// RunsPartial is "No match so far.".
func (l Lang) RunsPartial() string {
	if l == Chinese {
		return "目前没有匹配。"
	}
	return "No match so far."
}

// RunsPartialText is "The executions looked through have none; there are more.".
func (l Lang) RunsPartialText() string {
	if l == Chinese {
		return "已查找的执行中没有匹配，还有更多。"
	}
	return "The executions looked through have none; there are more."
}

// RunsRange is "Time range".
func (l Lang) RunsRange() string {
	if l == Chinese {
		return "时间范围"
	}
	return "Time range"
}

// RunsRangeAll is "all".
func (l Lang) RunsRangeAll() string {
	if l == Chinese {
		return "全部"
	}
	return "all"
}

// RunsRows is "Rows".
func (l Lang) RunsRows() string {
	if l == Chinese {
		return "行数"
	}
	return "Rows"
}

// RunsSearchHint is "Part of a job's name, or a filter such as state:failed job:mail* cause:timeout ran:<1d".
func (l Lang) RunsSearchHint() string {
	if l == Chinese {
		return "作业名的一部分，或筛选，例如 state:failed job:mail* cause:timeout ran:<1d"
	}
	return "Part of a job's name, or a filter such as state:failed job:mail* cause:timeout ran:<1d"
}

// RunsSearchLabel is "Search runs".
func (l Lang) RunsSearchLabel() string {
	if l == Chinese {
		return "搜索运行"
	}
	return "Search runs"
}

// RunsSelected is "Runs in the selection: {count}".
func (l Lang) RunsSelected(count string) string {
	if l == Chinese {
		return "所选范围内 " + count + " 次运行"
	}
	return "Runs in the selection: " + count
}

// RunsShardsLabel is "{n, plural, one {# shard} other {# shards}}: {failed, number} failed, {lost, number} lost, {running, number} running".
func (l Lang) RunsShardsLabel(n int, failed int, lost int, running int) string {
	if l == Chinese {
		return number(n) + " 个分片：失败 " + number(failed) + "，丢失 " + number(lost) + "，运行中 " + number(running)
	}
	if n == 1 {
		return number(n) + " shard: " + number(failed) + " failed, " + number(lost) + " lost, " + number(running) + " running"
	}
	return number(n) + " shards: " + number(failed) + " failed, " + number(lost) + " lost, " + number(running) + " running"
}

// RunsStarted is "Range means".
func (l Lang) RunsStarted() string {
	if l == Chinese {
		return "范围含义"
	}
	return "Range means"
}

// RunsStartedAny is "ran in it".
func (l Lang) RunsStartedAny() string {
	if l == Chinese {
		return "在其间运行"
	}
	return "ran in it"
}

// RunsStartedIn is "began in it".
func (l Lang) RunsStartedIn() string {
	if l == Chinese {
		return "在其间开始"
	}
	return "began in it"
}

// RunsState is "State".
func (l Lang) RunsState() string {
	if l == Chinese {
		return "状态"
	}
	return "State"
}

// RunsTableDuration is "Duration".
func (l Lang) RunsTableDuration() string {
	if l == Chinese {
		return "耗时"
	}
	return "Duration"
}

// RunsTableError is "First error".
func (l Lang) RunsTableError() string {
	if l == Chinese {
		return "首个错误"
	}
	return "First error"
}

// RunsTableRun is "Run".
func (l Lang) RunsTableRun() string {
	if l == Chinese {
		return "运行"
	}
	return "Run"
}

// RunsTableShards is "Shards".
func (l Lang) RunsTableShards() string {
	if l == Chinese {
		return "分片"
	}
	return "Shards"
}

// RunsTime is "Time".
func (l Lang) RunsTime() string {
	if l == Chinese {
		return "时间"
	}
	return "Time"
}

// RunsTitle is "Runs".
func (l Lang) RunsTitle() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
}

// RunsTo is "To, UTC".
func (l Lang) RunsTo() string {
	if l == Chinese {
		return "截止（UTC）"
	}
	return "To, UTC"
}

// RunsTook is "Duration at least".
func (l Lang) RunsTook() string {
	if l == Chinese {
		return "至少耗时"
	}
	return "Duration at least"
}

// RunsTrigger is "Trigger".
func (l Lang) RunsTrigger() string {
	if l == Chinese {
		return "触发方式"
	}
	return "Trigger"
}

// RunsTryAgain is "Try again".
func (l Lang) RunsTryAgain() string {
	if l == Chinese {
		return "重试"
	}
	return "Try again"
}

// RunsUnavailable is "This part could not be read".
func (l Lang) RunsUnavailable() string {
	if l == Chinese {
		return "该部分无法读取"
	}
	return "This part could not be read"
}

// RunsVerdictFaster is "{name} {less} shorter than the day before".
func (l Lang) RunsVerdictFaster(name string, less string) string {
	if l == Chinese {
		return name + " 比前一天短 " + less
	}
	return name + " " + less + " shorter than the day before"
}

// RunsVerdictNone is "Nothing ran the day before to compare with".
func (l Lang) RunsVerdictNone() string {
	if l == Chinese {
		return "前一天没有可比较的执行"
	}
	return "Nothing ran the day before to compare with"
}

// RunsVerdictSame is "As the day before".
func (l Lang) RunsVerdictSame() string {
	if l == Chinese {
		return "与前一天相同"
	}
	return "As the day before"
}

// RunsVerdictSlower is "{name} {more} longer than the day before".
func (l Lang) RunsVerdictSlower(name string, more string) string {
	if l == Chinese {
		return name + " 比前一天长 " + more
	}
	return name + " " + more + " longer than the day before"
}
