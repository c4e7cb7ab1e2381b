// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// BulkAgain is "Enable again".
func (l Lang) BulkAgain() string {
	if l == Chinese {
		return "重新启用"
	}
	return "Enable again"
}

// BulkAgainAt is "or at, UTC".
func (l Lang) BulkAgainAt() string {
	if l == Chinese {
		return "或指定时间（UTC）"
	}
	return "or at, UTC"
}

// BulkAgainEffect is "The console enables the jobs at the time. If no console runs then, the next one does, up to 24 hours late; after that they stay disabled.".
func (l Lang) BulkAgainEffect() string {
	if l == Chinese {
		return "控制台会在该时间启用作业。若届时没有控制台在运行，则由下一个启动的控制台在 24 小时内补做；超过后作业保持禁用。"
	}
	return "The console enables the jobs at the time. If no console runs then, the next one does, up to 24 hours late; after that they stay disabled."
}

// BulkAgainHour is "in {n, plural, one {# hour} other {# hours}}".
func (l Lang) BulkAgainHour(n int) string {
	if l == Chinese {
		return number(n) + " 小时后"
	}
	if n == 1 {
		return "in " + number(n) + " hour"
	}
	return "in " + number(n) + " hours"
}

// BulkAgainNever is "when I do it".
func (l Lang) BulkAgainNever() string {
	if l == Chinese {
		return "由我手动启用"
	}
	return "when I do it"
}

// BulkAgainNone is "This console has no database of its own, so that it can neither enable the jobs again at a time nor take the action back.".
func (l Lang) BulkAgainNone() string {
	if l == Chinese {
		return "此控制台没有自己的数据库，因此无法定时重新启用作业，也无法撤销操作。"
	}
	return "This console has no database of its own, so that it can neither enable the jobs again at a time nor take the action back."
}

// BulkAgainWrong is "Write a time of the next 90 days, in UTC.".
func (l Lang) BulkAgainWrong() string {
	if l == Chinese {
		return "请填写未来 90 天内的时间（UTC）。"
	}
	return "Write a time of the next 90 days, in UTC."
}

// BulkAllChosen is "all {n, plural, one {# job} other {# jobs}} of this view".
func (l Lang) BulkAllChosen(n int) string {
	if l == Chinese {
		return "此视图的全部 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "all " + number(n) + " job of this view"
	}
	return "all " + number(n) + " jobs of this view"
}

// BulkAlreadyCancel is "{n, plural, one {has none that waits} other {have none that wait}}".
func (l Lang) BulkAlreadyCancel(n int) string {
	if l == Chinese {
		return "个没有等待的运行"
	}
	if n == 1 {
		return "has none that waits"
	}
	return "have none that wait"
}

// BulkAlreadyDisable is "{n, plural, one {is disabled already} other {are disabled already}}".
func (l Lang) BulkAlreadyDisable(n int) string {
	if l == Chinese {
		return "个已被禁用"
	}
	if n == 1 {
		return "is disabled already"
	}
	return "are disabled already"
}

// BulkAlreadyEnable is "{n, plural, one {is enabled already} other {are enabled already}}".
func (l Lang) BulkAlreadyEnable(n int) string {
	if l == Chinese {
		return "个已启用"
	}
	if n == 1 {
		return "is enabled already"
	}
	return "are enabled already"
}

// BulkAlreadyHold is "{n, plural, one {is held so already} other {are held so already}}".
func (l Lang) BulkAlreadyHold(n int) string {
	if l == Chinese {
		return "个已这样暂停"
	}
	if n == 1 {
		return "is held so already"
	}
	return "are held so already"
}

// BulkAlreadyLabel is "{n, plural, one {has it already} other {have it already}}".
func (l Lang) BulkAlreadyLabel(n int) string {
	if l == Chinese {
		return "个已有此标签"
	}
	if n == 1 {
		return "has it already"
	}
	return "have it already"
}

// BulkAlreadyRelease is "{n, plural, one {is not held} other {are not held}}".
func (l Lang) BulkAlreadyRelease(n int) string {
	if l == Chinese {
		return "个未被暂停"
	}
	if n == 1 {
		return "is not held"
	}
	return "are not held"
}

// BulkAsks is "{n, plural, one {# instance is asked} other {# instances are asked}}".
func (l Lang) BulkAsks(n int) string {
	if l == Chinese {
		return "将通知 " + number(n) + " 个实例"
	}
	if n == 1 {
		return number(n) + " instance is asked"
	}
	return number(n) + " instances are asked"
}

// BulkBar is "Actions on the selected jobs".
func (l Lang) BulkBar() string {
	if l == Chinese {
		return "对所选作业的操作"
	}
	return "Actions on the selected jobs"
}

// BulkCancel is "Cancel, change nothing".
func (l Lang) BulkCancel() string {
	if l == Chinese {
		return "取消，不做更改"
	}
	return "Cancel, change nothing"
}

// BulkCancelMany is "Cancel the waiting runs of {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkCancelMany(n int) string {
	if l == Chinese {
		return "取消 " + number(n) + " 个作业等待的运行？"
	}
	if n == 1 {
		return "Cancel the waiting runs of " + number(n) + " job?"
	}
	return "Cancel the waiting runs of " + number(n) + " jobs?"
}

// BulkCancelOne is "Cancel the waiting runs of {job}?".
func (l Lang) BulkCancelOne(job string) string {
	if l == Chinese {
		return "取消 " + job + " 等待的运行？"
	}
	return "Cancel the waiting runs of " + job + "?"
}

// BulkCancelWaiting is "Cancel waiting runs".
func (l Lang) BulkCancelWaiting() string {
	if l == Chinese {
		return "取消等待的运行"
	}
	return "Cancel waiting runs"
}

// BulkCancels is "{n, plural, one {# run is cancelled} other {# runs are cancelled}}".
func (l Lang) BulkCancels(n int) string {
	if l == Chinese {
		return "取消 " + number(n) + " 次运行"
	}
	if n == 1 {
		return number(n) + " run is cancelled"
	}
	return number(n) + " runs are cancelled"
}

// BulkCannot is "cannot be".
func (l Lang) BulkCannot() string {
	if l == Chinese {
		return "个无法执行"
	}
	return "cannot be"
}

// BulkClear is "Clear".
func (l Lang) BulkClear() string {
	if l == Chinese {
		return "清除"
	}
	return "Clear"
}

// BulkDisable is "Disable".
func (l Lang) BulkDisable() string {
	if l == Chinese {
		return "禁用"
	}
	return "Disable"
}

// BulkDisableMany is "Disable {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkDisableMany(n int) string {
	if l == Chinese {
		return "禁用 " + number(n) + " 个作业？"
	}
	if n == 1 {
		return "Disable " + number(n) + " job?"
	}
	return "Disable " + number(n) + " jobs?"
}

// BulkDisableOne is "Disable {job}?".
func (l Lang) BulkDisableOne(job string) string {
	if l == Chinese {
		return "禁用 " + job + "？"
	}
	return "Disable " + job + "?"
}

// BulkDisabledBy is "{user} disabled it at {time}.".
func (l Lang) BulkDisabledBy(user string, time string) string {
	if l == Chinese {
		return user + " 于 " + time + " 禁用。"
	}
	return user + " disabled it at " + time + "."
}

// BulkDisabledByWhy is "{user} disabled it at {time}: {reason}.".
func (l Lang) BulkDisabledByWhy(user string, time string, reason string) string {
	if l == Chinese {
		return user + " 于 " + time + " 禁用：" + reason + "。"
	}
	return user + " disabled it at " + time + ": " + reason + "."
}

// BulkDoneCancel is "Cancelled the waiting runs of {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneCancel(n int) string {
	if l == Chinese {
		return "已取消 " + number(n) + " 个作业等待的运行。"
	}
	if n == 1 {
		return "Cancelled the waiting runs of " + number(n) + " job."
	}
	return "Cancelled the waiting runs of " + number(n) + " jobs."
}

// BulkDoneDisable is "Disabled {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneDisable(n int) string {
	if l == Chinese {
		return "已禁用 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Disabled " + number(n) + " job."
	}
	return "Disabled " + number(n) + " jobs."
}

// BulkDoneEnable is "Enabled {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneEnable(n int) string {
	if l == Chinese {
		return "已启用 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Enabled " + number(n) + " job."
	}
	return "Enabled " + number(n) + " jobs."
}

// BulkDoneHold is "Held {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneHold(n int) string {
	if l == Chinese {
		return "已暂停 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Held " + number(n) + " job."
	}
	return "Held " + number(n) + " jobs."
}

// BulkDoneLabel is "Labelled {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneLabel(n int) string {
	if l == Chinese {
		return "已为 " + number(n) + " 个作业设置标签。"
	}
	if n == 1 {
		return "Labelled " + number(n) + " job."
	}
	return "Labelled " + number(n) + " jobs."
}

// BulkDoneRelease is "Released {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneRelease(n int) string {
	if l == Chinese {
		return "已恢复 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Released " + number(n) + " job."
	}
	return "Released " + number(n) + " jobs."
}

// BulkDoneTrigger is "Triggered {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkDoneTrigger(n int) string {
	if l == Chinese {
		return "已触发 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Triggered " + number(n) + " job."
	}
	return "Triggered " + number(n) + " jobs."
}

// BulkDownload is "Download {kind}".
func (l Lang) BulkDownload(kind string) string {
	if l == Chinese {
		return "下载 " + kind
	}
	return "Download " + kind
}

// BulkEffectCancel is "Of one job at most {n, number} runs are cancelled at once: repeat it for more. One that begins meanwhile is asked to end.".
func (l Lang) BulkEffectCancel(n int) string {
	if l == Chinese {
		return "每个作业一次最多取消 " + number(n) + " 次运行：更多请重复操作。期间开始的运行会被要求结束。"
	}
	return "Of one job at most " + number(n) + " runs are cancelled at once: repeat it for more. One that begins meanwhile is asked to end."
}

// BulkEffectDisable is "Shards that run are not interrupted. No run starts until the job is enabled.".
func (l Lang) BulkEffectDisable() string {
	if l == Chinese {
		return "正在运行的分片不会被中断。作业启用之前不再开始新的运行。"
	}
	return "Shards that run are not interrupted. No run starts until the job is enabled."
}

// BulkEffectEnable is "The jobs fire again by their schedules. Fire times that passed meanwhile are not made up for.".
func (l Lang) BulkEffectEnable() string {
	if l == Chinese {
		return "作业重新按计划触发。期间错过的触发时间不会补执行。"
	}
	return "The jobs fire again by their schedules. Fire times that passed meanwhile are not made up for."
}

// BulkEffectLabel is "The label is written into the configuration of each job. Schedules and shards stay as they are.".
func (l Lang) BulkEffectLabel() string {
	if l == Chinese {
		return "标签写入每个作业的配置，调度和分片保持不变。"
	}
	return "The label is written into the configuration of each job. Schedules and shards stay as they are."
}

// BulkEffectRestart is "An agent that starts registers its server again, which enables it.".
func (l Lang) BulkEffectRestart() string {
	if l == Chinese {
		return "实例启动时会重新注册其服务器，从而将其重新启用。"
	}
	return "An agent that starts registers its server again, which enables it."
}

// BulkEffectTrigger is "Each instance named runs its shards once, now.".
func (l Lang) BulkEffectTrigger() string {
	if l == Chinese {
		return "所列的每个实例立即将其分片运行一次。"
	}
	return "Each instance named runs its shards once, now."
}

// BulkEffectUndo is "You can take this back for ten minutes.".
func (l Lang) BulkEffectUndo() string {
	if l == Chinese {
		return "十分钟内可以撤销。"
	}
	return "You can take this back for ten minutes."
}

// BulkEnable is "Enable".
func (l Lang) BulkEnable() string {
	if l == Chinese {
		return "启用"
	}
	return "Enable"
}

// BulkEnableMany is "Enable {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkEnableMany(n int) string {
	if l == Chinese {
		return "启用 " + number(n) + " 个作业？"
	}
	if n == 1 {
		return "Enable " + number(n) + " job?"
	}
	return "Enable " + number(n) + " jobs?"
}

// BulkEnableOne is "Enable {job}?".
func (l Lang) BulkEnableOne(job string) string {
	if l == Chinese {
		return "启用 " + job + "？"
	}
	return "Enable " + job + "?"
}

// BulkEnabledAt is "The console enables it again at {time}.".
func (l Lang) BulkEnabledAt(time string) string {
	if l == Chinese {
		return "控制台将于 " + time + " 重新启用。"
	}
	return "The console enables it again at " + time + "."
}

// BulkExport is "Export YAML".
func (l Lang) BulkExport() string {
	if l == Chinese {
		return "导出 YAML"
	}
	return "Export YAML"
}

// BulkHeld is "Updates are held".
func (l Lang) BulkHeld() string {
	if l == Chinese {
		return "更新已暂停"
	}
	return "Updates are held"
}

// BulkHeldOtherwise is "{name} holds it otherwise: release it first".
func (l Lang) BulkHeldOtherwise(name string) string {
	if l == Chinese {
		return name + " 已用其他方式暂停：请先恢复"
	}
	return name + " holds it otherwise: release it first"
}

// BulkHold is "Hold".
func (l Lang) BulkHold() string {
	if l == Chinese {
		return "暂停"
	}
	return "Hold"
}

// BulkHoldMany is "Hold {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkHoldMany(n int) string {
	if l == Chinese {
		return "暂停 " + number(n) + " 个作业？"
	}
	if n == 1 {
		return "Hold " + number(n) + " job?"
	}
	return "Hold " + number(n) + " jobs?"
}

// BulkHoldOne is "Hold {job}?".
func (l Lang) BulkHoldOne(job string) string {
	if l == Chinese {
		return "暂停 " + job + "？"
	}
	return "Hold " + job + "?"
}

// BulkHolds is "{n, plural, one {# hold is written} other {# holds are written}}".
func (l Lang) BulkHolds(n int) string {
	if l == Chinese {
		return "写入 " + number(n) + " 个暂停"
	}
	if n == 1 {
		return number(n) + " hold is written"
	}
	return number(n) + " holds are written"
}

// BulkImpossible is "Not possible".
func (l Lang) BulkImpossible() string {
	if l == Chinese {
		return "无法执行"
	}
	return "Not possible"
}

// BulkJob is "Job".
func (l Lang) BulkJob() string {
	if l == Chinese {
		return "作业"
	}
	return "Job"
}

// BulkLabel is "Label".
func (l Lang) BulkLabel() string {
	if l == Chinese {
		return "标签"
	}
	return "Label"
}

// BulkLabelField is "Label".
func (l Lang) BulkLabelField() string {
	if l == Chinese {
		return "标签"
	}
	return "Label"
}

// BulkLabelHint is "empty removes the label".
func (l Lang) BulkLabelHint() string {
	if l == Chinese {
		return "留空则移除标签"
	}
	return "empty removes the label"
}

// BulkLabelMany is "Label {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkLabelMany(n int) string {
	if l == Chinese {
		return "为 " + number(n) + " 个作业设置标签？"
	}
	if n == 1 {
		return "Label " + number(n) + " job?"
	}
	return "Label " + number(n) + " jobs?"
}

// BulkLabelOne is "Label {job}?".
func (l Lang) BulkLabelOne(job string) string {
	if l == Chinese {
		return "为 " + job + " 设置标签？"
	}
	return "Label " + job + "?"
}

// BulkLabelPreview is "Preview".
func (l Lang) BulkLabelPreview() string {
	if l == Chinese {
		return "预览"
	}
	return "Preview"
}

// BulkMenuDelete is "Delete job…".
func (l Lang) BulkMenuDelete() string {
	if l == Chinese {
		return "删除作业…"
	}
	return "Delete job…"
}

// BulkMenuDisable is "Disable…".
func (l Lang) BulkMenuDisable() string {
	if l == Chinese {
		return "禁用…"
	}
	return "Disable…"
}

// BulkMenuEnable is "Enable…".
func (l Lang) BulkMenuEnable() string {
	if l == Chinese {
		return "启用…"
	}
	return "Enable…"
}

// BulkMenuExplain is "Explain".
func (l Lang) BulkMenuExplain() string {
	if l == Chinese {
		return "诊断"
	}
	return "Explain"
}

// BulkMenuStop is "Stop instances…".
func (l Lang) BulkMenuStop() string {
	if l == Chinese {
		return "终止实例…"
	}
	return "Stop instances…"
}

// BulkNoLabel is "no label".
func (l Lang) BulkNoLabel() string {
	if l == Chinese {
		return "无标签"
	}
	return "no label"
}

// BulkNone is "No job is selected.".
func (l Lang) BulkNone() string {
	if l == Chinese {
		return "没有选择作业。"
	}
	return "No job is selected."
}

// BulkNoneBack is "To the jobs".
func (l Lang) BulkNoneBack() string {
	if l == Chinese {
		return "前往作业列表"
	}
	return "To the jobs"
}

// BulkNoneText is "Select jobs in the list first.".
func (l Lang) BulkNoneText() string {
	if l == Chinese {
		return "请先在列表中选择作业。"
	}
	return "Select jobs in the list first."
}

// BulkNote is "Note".
func (l Lang) BulkNote() string {
	if l == Chinese {
		return "说明"
	}
	return "Note"
}

// BulkNothing is "There is nothing to do".
func (l Lang) BulkNothing() string {
	if l == Chinese {
		return "没有可执行的操作"
	}
	return "There is nothing to do"
}

// BulkNothingText is "None of these jobs can be changed so. The list says why.".
func (l Lang) BulkNothingText() string {
	if l == Chinese {
		return "这些作业都无法这样更改，原因见列表。"
	}
	return "None of these jobs can be changed so. The list says why."
}

// BulkOnInstances is "on {n, plural, one {# instance} other {# instances}}".
func (l Lang) BulkOnInstances(n int) string {
	if l == Chinese {
		return number(n) + " 个实例"
	}
	if n == 1 {
		return "on " + number(n) + " instance"
	}
	return "on " + number(n) + " instances"
}

// BulkOnRuns is "{n, plural, one {# run} other {# runs}}".
func (l Lang) BulkOnRuns(n int) string {
	if l == Chinese {
		return number(n) + " 次运行"
	}
	if n == 1 {
		return number(n) + " run"
	}
	return number(n) + " runs"
}

// BulkOnServers is "on {n, plural, one {# server} other {# servers}}".
func (l Lang) BulkOnServers(n int) string {
	if l == Chinese {
		return number(n) + " 台服务器"
	}
	if n == 1 {
		return "on " + number(n) + " server"
	}
	return "on " + number(n) + " servers"
}

// BulkReason is "Reason".
func (l Lang) BulkReason() string {
	if l == Chinese {
		return "原因"
	}
	return "Reason"
}

// BulkReasonHint is "shown with the job and in the audit log".
func (l Lang) BulkReasonHint() string {
	if l == Chinese {
		return "显示在作业和审计日志中"
	}
	return "shown with the job and in the audit log"
}

// BulkReasonLong is "The reason has {n, number} characters, at most {m, number} are kept.".
func (l Lang) BulkReasonLong(n int, m int) string {
	if l == Chinese {
		return "原因有 " + number(n) + " 个字符，最多保存 " + number(m) + " 个。"
	}
	return "The reason has " + number(n) + " characters, at most " + number(m) + " are kept."
}

// BulkReasonMissing is "Write a reason. Whoever finds the job disabled reads it.".
func (l Lang) BulkReasonMissing() string {
	if l == Chinese {
		return "请填写原因，发现作业被禁用的人会看到它。"
	}
	return "Write a reason. Whoever finds the job disabled reads it."
}

// BulkRelease is "Release".
func (l Lang) BulkRelease() string {
	if l == Chinese {
		return "恢复"
	}
	return "Release"
}

// BulkReleaseMany is "Release {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkReleaseMany(n int) string {
	if l == Chinese {
		return "恢复 " + number(n) + " 个作业？"
	}
	if n == 1 {
		return "Release " + number(n) + " job?"
	}
	return "Release " + number(n) + " jobs?"
}

// BulkReleaseOne is "Release {job}?".
func (l Lang) BulkReleaseOne(job string) string {
	if l == Chinese {
		return "恢复 " + job + "？"
	}
	return "Release " + job + "?"
}

// BulkReleases is "{n, plural, one {# hold ends} other {# holds end}}".
func (l Lang) BulkReleases(n int) string {
	if l == Chinese {
		return "结束 " + number(n) + " 个暂停"
	}
	if n == 1 {
		return number(n) + " hold ends"
	}
	return number(n) + " holds end"
}

// BulkResult is "Result".
func (l Lang) BulkResult() string {
	if l == Chinese {
		return "结果"
	}
	return "Result"
}

// BulkResultFailed is "refused".
func (l Lang) BulkResultFailed() string {
	if l == Chinese {
		return "个被拒绝"
	}
	return "refused"
}

// BulkResultRepeated is "The form was sent twice, and carried out once.".
func (l Lang) BulkResultRepeated() string {
	if l == Chinese {
		return "表单提交了两次，只执行了一次。"
	}
	return "The form was sent twice, and carried out once."
}

// BulkResultSame is "left as they were".
func (l Lang) BulkResultSame() string {
	if l == Chinese {
		return "个保持不变"
	}
	return "left as they were"
}

// BulkResultSub is "{user} at {time}".
func (l Lang) BulkResultSub(user string, time string) string {
	if l == Chinese {
		return user + "，" + time
	}
	return user + " at " + time
}

// BulkResultSubWhy is "{user} at {time}: {reason}".
func (l Lang) BulkResultSubWhy(user string, time string, reason string) string {
	if l == Chinese {
		return user + "，" + time + "：" + reason
	}
	return user + " at " + time + ": " + reason
}

// BulkResultUnderWay is "This is under way".
func (l Lang) BulkResultUnderWay() string {
	if l == Chinese {
		return "正在执行"
	}
	return "This is under way"
}

// BulkResultUnderWayText is "Load the page again in a moment.".
func (l Lang) BulkResultUnderWayText() string {
	if l == Chinese {
		return "请稍后重新加载此页面。"
	}
	return "Load the page again in a moment."
}

// BulkRowMenu is "More for {job}".
func (l Lang) BulkRowMenu(job string) string {
	if l == Chinese {
		return job + " 的更多操作"
	}
	return "More for " + job
}

// BulkRowTrigger is "Trigger {job}".
func (l Lang) BulkRowTrigger(job string) string {
	if l == Chinese {
		return "触发 " + job
	}
	return "Trigger " + job
}

// BulkRows is "What happens to each job".
func (l Lang) BulkRows() string {
	if l == Chinese {
		return "每个作业的变化"
	}
	return "What happens to each job"
}

// BulkRunning is "a run is on: it ends first".
func (l Lang) BulkRunning() string {
	if l == Chinese {
		return "正在运行：本次运行会先结束"
	}
	return "a run is on: it ends first"
}

// BulkSelect is "Select".
func (l Lang) BulkSelect() string {
	if l == Chinese {
		return "选择"
	}
	return "Select"
}

// BulkSelectAll is "Select all {n, number}".
func (l Lang) BulkSelectAll(n int) string {
	if l == Chinese {
		return "选择全部 " + number(n) + " 个"
	}
	return "Select all " + number(n)
}

// BulkSelectAllState is "Select all {n, number} {state}".
func (l Lang) BulkSelectAllState(n int, state string) string {
	if l == Chinese {
		return "选择全部 " + number(n) + " 个" + state + "的作业"
	}
	return "Select all " + number(n) + " " + state
}

// BulkSelectJob is "Select {job}".
func (l Lang) BulkSelectJob(job string) string {
	if l == Chinese {
		return "选择 " + job
	}
	return "Select " + job
}

// BulkSelectPage is "Select the jobs of this page".
func (l Lang) BulkSelectPage() string {
	if l == Chinese {
		return "选择本页的作业"
	}
	return "Select the jobs of this page"
}

// BulkSelected is "{n} selected".
func (l Lang) BulkSelected(n string) string {
	if l == Chinese {
		return "已选择 " + n + " 个"
	}
	return n + " selected"
}

// BulkSelectedJobs is "Selected jobs".
func (l Lang) BulkSelectedJobs() string {
	if l == Chinese {
		return "所选作业"
	}
	return "Selected jobs"
}

// BulkSkip is "Skip".
func (l Lang) BulkSkip() string {
	if l == Chinese {
		return "跳过"
	}
	return "Skip"
}

// BulkSkipCancel is "no run waits".
func (l Lang) BulkSkipCancel() string {
	if l == Chinese {
		return "没有等待的运行"
	}
	return "no run waits"
}

// BulkSkipDisable is "disabled already".
func (l Lang) BulkSkipDisable() string {
	if l == Chinese {
		return "已被禁用"
	}
	return "disabled already"
}

// BulkSkipEnable is "enabled already".
func (l Lang) BulkSkipEnable() string {
	if l == Chinese {
		return "已启用"
	}
	return "enabled already"
}

// BulkSkipHold is "held so already".
func (l Lang) BulkSkipHold() string {
	if l == Chinese {
		return "已这样暂停"
	}
	return "held so already"
}

// BulkSkipLabel is "has this label already".
func (l Lang) BulkSkipLabel() string {
	if l == Chinese {
		return "已有此标签"
	}
	return "has this label already"
}

// BulkSkipRelease is "not held".
func (l Lang) BulkSkipRelease() string {
	if l == Chinese {
		return "未被暂停"
	}
	return "not held"
}

// BulkSkipTrigger is "no instance took it".
func (l Lang) BulkSkipTrigger() string {
	if l == Chinese {
		return "没有实例接受"
	}
	return "no instance took it"
}

// BulkStay is "Stay disabled".
func (l Lang) BulkStay() string {
	if l == Chinese {
		return "保持禁用"
	}
	return "Stay disabled"
}

// BulkStayDone is "{job} stays disabled until somebody enables it.".
func (l Lang) BulkStayDone(job string) string {
	if l == Chinese {
		return job + " 将保持禁用，直到有人启用它。"
	}
	return job + " stays disabled until somebody enables it."
}

// BulkSub is "Nothing happens before you press the button".
func (l Lang) BulkSub() string {
	if l == Chinese {
		return "按下按钮之前不会有任何更改"
	}
	return "Nothing happens before you press the button"
}

// BulkSubmitCancel is "Cancel the runs of {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitCancel(n int) string {
	if l == Chinese {
		return "取消 " + number(n) + " 个作业的运行"
	}
	if n == 1 {
		return "Cancel the runs of " + number(n) + " job"
	}
	return "Cancel the runs of " + number(n) + " jobs"
}

// BulkSubmitDisable is "Disable {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitDisable(n int) string {
	if l == Chinese {
		return "禁用 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Disable " + number(n) + " job"
	}
	return "Disable " + number(n) + " jobs"
}

// BulkSubmitEnable is "Enable {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitEnable(n int) string {
	if l == Chinese {
		return "启用 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Enable " + number(n) + " job"
	}
	return "Enable " + number(n) + " jobs"
}

// BulkSubmitHold is "Hold {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitHold(n int) string {
	if l == Chinese {
		return "暂停 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Hold " + number(n) + " job"
	}
	return "Hold " + number(n) + " jobs"
}

// BulkSubmitLabel is "Label {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitLabel(n int) string {
	if l == Chinese {
		return "为 " + number(n) + " 个作业设置标签"
	}
	if n == 1 {
		return "Label " + number(n) + " job"
	}
	return "Label " + number(n) + " jobs"
}

// BulkSubmitRelease is "Release {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitRelease(n int) string {
	if l == Chinese {
		return "恢复 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Release " + number(n) + " job"
	}
	return "Release " + number(n) + " jobs"
}

// BulkSubmitTrigger is "Trigger {n, plural, one {# job} other {# jobs}}".
func (l Lang) BulkSubmitTrigger(n int) string {
	if l == Chinese {
		return "触发 " + number(n) + " 个作业"
	}
	if n == 1 {
		return "Trigger " + number(n) + " job"
	}
	return "Trigger " + number(n) + " jobs"
}

// BulkTooMany is "{n, number} jobs are selected".
func (l Lang) BulkTooMany(n int) string {
	if l == Chinese {
		return "选择了 " + number(n) + " 个作业"
	}
	return number(n) + " jobs are selected"
}

// BulkTooManyText is "One action is about at most {n, number} of them: these are the first. The others are for the next time.".
func (l Lang) BulkTooManyText(n int) string {
	if l == Chinese {
		return "一次操作最多处理 " + number(n) + " 个作业，以下是前面的部分。其余的请再次操作。"
	}
	return "One action is about at most " + number(n) + " of them: these are the first. The others are for the next time."
}

// BulkTrigger is "Trigger".
func (l Lang) BulkTrigger() string {
	if l == Chinese {
		return "触发"
	}
	return "Trigger"
}

// BulkTriggerMany is "Trigger {n, plural, one {# job} other {# jobs}}?".
func (l Lang) BulkTriggerMany(n int) string {
	if l == Chinese {
		return "触发 " + number(n) + " 个作业？"
	}
	if n == 1 {
		return "Trigger " + number(n) + " job?"
	}
	return "Trigger " + number(n) + " jobs?"
}

// BulkTriggerOne is "Trigger {job}?".
func (l Lang) BulkTriggerOne(job string) string {
	if l == Chinese {
		return "触发 " + job + "？"
	}
	return "Trigger " + job + "?"
}

// BulkUndo is "Undo".
func (l Lang) BulkUndo() string {
	if l == Chinese {
		return "撤销"
	}
	return "Undo"
}

// BulkUndoNever is "A run that was started cannot be taken back.".
func (l Lang) BulkUndoNever() string {
	if l == Chinese {
		return "已触发的运行无法撤销。"
	}
	return "A run that was started cannot be taken back."
}

// BulkUndoNeverHold is "A hold is released, not taken back, and cancelled runs can be requested again.".
func (l Lang) BulkUndoNeverHold() string {
	if l == Chinese {
		return "暂停只能恢复，不能撤销；已取消的运行可以再次请求。"
	}
	return "A hold is released, not taken back, and cancelled runs can be requested again."
}

// BulkUndoOver is "No longer: ten minutes have passed.".
func (l Lang) BulkUndoOver() string {
	if l == Chinese {
		return "已超过十分钟，无法撤销。"
	}
	return "No longer: ten minutes have passed."
}

// BulkUndoUntil is "until {time}".
func (l Lang) BulkUndoUntil(time string) string {
	if l == Chinese {
		return time + " 之前有效"
	}
	return "until " + time
}

// BulkUndone is "Taken back".
func (l Lang) BulkUndone() string {
	if l == Chinese {
		return "已撤销"
	}
	return "Taken back"
}

// BulkUndoneAt is "at {time}".
func (l Lang) BulkUndoneAt(time string) string {
	if l == Chinese {
		return time
	}
	return "at " + time
}

// BulkUndoneDone is "Taken back for {n, plural, one {# job} other {# jobs}}.".
func (l Lang) BulkUndoneDone(n int) string {
	if l == Chinese {
		return "已撤销 " + number(n) + " 个作业的更改。"
	}
	if n == 1 {
		return "Taken back for " + number(n) + " job."
	}
	return "Taken back for " + number(n) + " jobs."
}

// BulkWhat is "What happens".
func (l Lang) BulkWhat() string {
	if l == Chinese {
		return "操作"
	}
	return "What happens"
}

// BulkWillCancel is "{n, plural, one {has runs that wait} other {have runs that wait}}".
func (l Lang) BulkWillCancel(n int) string {
	if l == Chinese {
		return "个有等待的运行"
	}
	if n == 1 {
		return "has runs that wait"
	}
	return "have runs that wait"
}

// BulkWillDisable is "{n, plural, one {will be disabled} other {will be disabled}}".
func (l Lang) BulkWillDisable(n int) string {
	if l == Chinese {
		return "个将被禁用"
	}
	if n == 1 {
		return "will be disabled"
	}
	return "will be disabled"
}

// BulkWillEnable is "{n, plural, one {will be enabled} other {will be enabled}}".
func (l Lang) BulkWillEnable(n int) string {
	if l == Chinese {
		return "个将被启用"
	}
	if n == 1 {
		return "will be enabled"
	}
	return "will be enabled"
}

// BulkWillHold is "{n, plural, one {will be held} other {will be held}}".
func (l Lang) BulkWillHold(n int) string {
	if l == Chinese {
		return "个将被暂停"
	}
	if n == 1 {
		return "will be held"
	}
	return "will be held"
}

// BulkWillLabel is "{n, plural, one {gets the label} other {get the label}}".
func (l Lang) BulkWillLabel(n int) string {
	if l == Chinese {
		return "个将获得此标签"
	}
	if n == 1 {
		return "gets the label"
	}
	return "get the label"
}

// BulkWillRelease is "{n, plural, one {will be released} other {will be released}}".
func (l Lang) BulkWillRelease(n int) string {
	if l == Chinese {
		return "个将被恢复"
	}
	if n == 1 {
		return "will be released"
	}
	return "will be released"
}

// BulkWillTrigger is "{n, plural, one {will be triggered} other {will be triggered}}".
func (l Lang) BulkWillTrigger(n int) string {
	if l == Chinese {
		return "个将被触发"
	}
	if n == 1 {
		return "will be triggered"
	}
	return "will be triggered"
}

// BulkWrites is "{n, plural, one {# server entry is written} other {# server entries are written}}".
func (l Lang) BulkWrites(n int) string {
	if l == Chinese {
		return "将写入 " + number(n) + " 个服务器节点"
	}
	if n == 1 {
		return number(n) + " server entry is written"
	}
	return number(n) + " server entries are written"
}

// BulkWritesConfigs is "{n, plural, one {# configuration is written} other {# configurations are written}}".
func (l Lang) BulkWritesConfigs(n int) string {
	if l == Chinese {
		return "将写入 " + number(n) + " 个配置"
	}
	if n == 1 {
		return number(n) + " configuration is written"
	}
	return number(n) + " configurations are written"
}
