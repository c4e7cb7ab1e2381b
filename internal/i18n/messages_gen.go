// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// [action]

func (l Lang) ActionAllDisabled() string {
	return l.pick("every server is disabled, nothing would run; enable the job first", "所有服务器均已禁用，不会运行；请先启用作业")
}
func (l Lang) ActionCancelledRuns(n int) string {
	return fill(l.plural(n, "{0} requested run was cancelled.", "{0} requested runs were cancelled.", "已取消 {0} 个请求运行。"), number(n))
}
func (l Lang) ActionDidDisable(job string, n int, names string) string {
	return fill(l.plural(n, "Disabled {0} on {1} server: {2}.", "Disabled {0} on {1} servers: {2}.", "已在 {1} 台服务器上禁用 {0}：{2}。"), job, number(n), names)
}
func (l Lang) ActionDidEnable(job string, n int, names string) string {
	return fill(l.plural(n, "Enabled {0} on {1} server: {2}.", "Enabled {0} on {1} servers: {2}.", "已在 {1} 台服务器上启用 {0}：{2}。"), job, number(n), names)
}
func (l Lang) ActionDidRemove(job string) string {
	return fill(l.pick("Deleted {0}.", "已删除 {0}。"), job)
}
func (l Lang) ActionDidShutdown(n int, job string, names string) string {
	return fill(l.plural(n, "Stopped {0} instance of {1}: {2}.", "Stopped {0} instances of {1}: {2}.", "已终止 {1} 的 {0} 个实例：{2}。"), number(n), job, names)
}
func (l Lang) ActionDidTrigger(job string, n int, names string) string {
	return fill(l.plural(n, "Triggered {0} on {1} instance: {2}.", "Triggered {0} on {1} instances: {2}.", "已在 {1} 个实例上触发 {0}：{2}。"), job, number(n), names)
}
func (l Lang) ActionDisable() string { return l.pick("Disable", "禁用") }
func (l Lang) ActionEnable() string  { return l.pick("Enable", "启用") }
func (l Lang) ActionNoInstance() string {
	return l.pick("no instance is alive to run it", "没有存活的实例可运行")
}
func (l Lang) ActionNothing(job string, action string) string {
	return fill(l.pick("{0}: {1} found nothing to do.", "{0}：没有可以“{1}”的对象。"), job, action)
}
func (l Lang) ActionRemove() string   { return l.pick("Delete job", "删除作业") }
func (l Lang) ActionShutdown() string { return l.pick("Stop instances", "终止实例") }
func (l Lang) ActionSkipped(target string, reason string) string {
	return fill(l.pick("Skipped {0}: {1}", "跳过 {0}：{1}"), target, reason)
}
func (l Lang) ActionTrigger() string { return l.pick("Trigger", "触发") }
func (l Lang) ActionUnreadable() string {
	return l.pick("agents refuse to run it: its configuration cannot be read", "实例拒绝运行：配置无法读取")
}

// [activity]

func (l Lang) ActivityAll() string { return l.pick("All audit entries", "全部审计记录") }
func (l Lang) ActivityAuditDown() string {
	return l.pick("The audit cannot be read now; only instances are listed.", "目前无法读取审计日志，只列出实例变化。")
}
func (l Lang) ActivityBy(who string, what string) string {
	return fill(l.pick("{0}: {1}", "{0}：{1}"), who, what)
}
func (l Lang) ActivityChanged(keys string) string {
	return fill(l.pick("changed {0}", "已修改：{0}"), keys)
}
func (l Lang) ActivityGuest() string {
	return l.pick("Who did what is shown to admins.", "操作者只对管理员显示。")
}
func (l Lang) ActivityKnown(time string) string {
	return fill(l.pick("Instances are remembered since {0}, in this console's memory. Actions are in the audit.", "自 {0} 起记录实例变化，保存在此控制台的内存中；操作保存在审计日志中。"), time)
}
func (l Lang) ActivityNoInstances() string {
	return l.pick("Instances that come and leave are remembered of the registry of the command line only.", "只记录命令行指定的注册中心的实例变化。")
}
func (l Lang) ActivityNone() string {
	return l.pick("No action and no change of instances is known.", "没有已知的操作或实例变化。")
}
func (l Lang) ActivityNoneText() string {
	return l.pick("Actions and instances that come or leave appear here.", "操作以及实例的加入和离开会显示在这里。")
}
func (l Lang) ActivityRefused(outcome string) string {
	return fill(l.pick("refused: {0}", "被拒绝：{0}"), outcome)
}
func (l Lang) ActivitySub() string {
	return l.pick("what people did to this job, and what its instances did; newest first", "对此作业的操作及其实例的变化，最新的在前")
}
func (l Lang) ActivityTitle() string { return l.pick("Activity", "活动") }
func (l Lang) ActivityTogether(n int) string {
	return fill(l.plural(n, "with {0} other job", "with {0} other jobs", "同时涉及 {0} 个其他作业"), number(n))
}

// [address]

func (l Lang) AddressBetween() string { return l.pick("; ", "；") }
func (l Lang) AddressCorrect() string {
	return l.pick("Correct the query string.", "请更正查询字符串。")
}
func (l Lang) AddressCorrectFilter() string {
	return l.pick("Correct the filter. Nothing was changed.", "请更正筛选条件。未做任何更改。")
}
func (l Lang) AddressCorrectRequest() string {
	return l.pick("Correct the request.", "请更正请求。")
}
func (l Lang) AddressEnd() string { return l.pick(".", "。") }
func (l Lang) AddressLevel(value string) string {
	return fill(l.pick("level {0} is none of run, execution and status", "level 的值 {0} 不是 run、execution、status 之一"), value)
}
func (l Lang) AddressManyJobs(n string, most string) string {
	return fill(l.pick("{0} jobs are meant, and these are runs of the first {1}", "共涉及 {0} 个作业，此处只列出前 {1} 个作业的运行记录"), n, most)
}
func (l Lang) AddressMoment(value string) string {
	return fill(l.pick("at {0} is not a time (write 02:00, or 2006-01-02T15:04, in UTC)", "at 的值 {0} 不是时间（按 UTC 写成 02:00 或 2006-01-02T15:04）"), value)
}
func (l Lang) AddressNeither(name string, value string, one string, other string) string {
	return fill(l.pick("{0} {1} is neither {2} nor {3}", "{0} 的值 {1} 既不是 {2} 也不是 {3}"), name, value, one, other)
}
func (l Lang) AddressNoFilter(key string, known string) string {
	return fill(l.pick("{0}: is no filter (use {1})", "没有筛选条件 {0}:（可用：{1}）"), key, known)
}
func (l Lang) AddressNoFilterLike(key string, known string) string {
	return fill(l.pick("{0}: is no filter (did you mean {1}:?)", "没有筛选条件 {0}:（是否想写 {1}:？）"), key, known)
}
func (l Lang) AddressNoQuery() string {
	return l.pick("the query cannot be read", "无法读取该查询")
}
func (l Lang) AddressNotSteps(name string) string {
	return fill(l.pick("{0} is about runs, not about steps", "{0} 只用于运行记录，不用于状态轨迹"), name)
}
func (l Lang) AddressNumber(name string, value string, most string) string {
	return fill(l.pick("{0} {1} is not a number from 1 to {2}", "{0} 的值 {1} 不是 1 到 {2} 之间的数字"), name, value, most)
}
func (l Lang) AddressOrder(value string) string {
	return fill(l.pick("order {0} is unknown (use asc or desc)", "order 没有取值 {0}（可用：asc、desc）"), value)
}
func (l Lang) AddressOutcome(value string) string {
	return fill(l.pick("outcome {0} is unknown (use done, begun or the code of a refusal such as forbidden)", "outcome 没有取值 {0}（可用 done、begun 或拒绝代码，如 forbidden）"), value)
}
func (l Lang) AddressPage(value string) string {
	return fill(l.pick("page {0} is not a number from 1", "page 的值 {0} 不是从 1 开始的页码"), value)
}
func (l Lang) AddressRange() string { return l.pick("from is after to", "from 晚于 to") }
func (l Lang) AddressShard(value string) string {
	return fill(l.pick("shard {0} is not a shard's number", "{0} 不是分片号"), value)
}
func (l Lang) AddressSpan(value string) string {
	return fill(l.pick("took {0} is not a length of time (write seconds, or 1500ms, 90s, 5m, 2h)", "took 的值 {0} 不是时长（可写秒数，或 1500ms、90s、5m、2h）"), value)
}
func (l Lang) AddressTermEmpty(key string) string {
	return fill(l.pick("{0}: has nothing after it", "{0}: 后面缺少内容"), key)
}
func (l Lang) AddressTermSpan(term string) string {
	return fill(l.pick("{0} is no length of time (use >90s or >5m)", "{0} 不是时长（可写 >90s 或 >5m）"), term)
}
func (l Lang) AddressTermTime(term string) string {
	return fill(l.pick("{0} is no time (use <1d, >12h or <30m)", "{0} 不是时间（可写 <1d、>12h 或 <30m）"), term)
}
func (l Lang) AddressTermUnknown(term string, known string) string {
	return fill(l.pick("{0} is unknown (use one of {1})", "没有 {0}（可用：{1}）"), term, known)
}
func (l Lang) AddressTermWindow(term string) string {
	return fill(l.pick("{0} is no part of the day (use 02:00-03:00, in UTC, or 02:00-03:00@Asia/Shanghai)", "{0} 不是一天中的时段（可写 02:00-03:00，即 UTC，或 02:00-03:00@Asia/Shanghai）"), term)
}
func (l Lang) AddressTime(name string, value string) string {
	return fill(l.pick("{0} {1} is not a time (write 2006-01-02T15:04 in UTC, or with a zone as in RFC 3339)", "{0} 的值 {1} 不是时间（按 UTC 写成 2006-01-02T15:04，或按 RFC 3339 带上时区）"), name, value)
}
func (l Lang) AddressUnknown(name string, value string, known string) string {
	return fill(l.pick("{0} {1} is unknown (use one of {2})", "{0} 没有取值 {1}（可用：{2}）"), name, value, known)
}

// [assistant]

func (l Lang) AssistantAssumed(zone string) string {
	return fill(l.pick("No time zone is named, so each instance uses its own. Computed with this console's zone, {0}.", "未指定时区，各实例使用自己的时区。此处按控制台的时区 {0} 计算。"), zone)
}
func (l Lang) AssistantClock() string { return l.pick("Changes of the clock:", "时钟调整：") }
func (l Lang) AssistantClockClear(dates string) string {
	return fill(l.pick("The clock is set on {0}; this schedule does not fire then.", "时钟在 {0} 调整；此调度在那时不触发。"), dates)
}
func (l Lang) AssistantClockFirst(date string, n int, first string) string {
	return fill(l.plural(n, "On {0} the clock shows {1} fire time twice, from {2} on: the first time fires, the second does not.", "On {0} the clock shows {1} fire times twice, from {2} on: the first time fires, the second does not.", "{0} 有 {1} 个触发时间在钟面上出现两次，从 {2} 起：第一次触发，第二次不触发。"), date, number(n), first)
}
func (l Lang) AssistantClockNone() string {
	return l.pick("none in this zone within 400 days.", "该时区 400 天内没有。")
}
func (l Lang) AssistantClockSecond(date string, n int, first string) string {
	return fill(l.plural(n, "On {0} the clock shows {1} fire time twice, from {2} on: the second time fires, the first does not.", "On {0} the clock shows {1} fire times twice, from {2} on: the second time fires, the first does not.", "{0} 有 {1} 个触发时间在钟面上出现两次，从 {2} 起：第二次触发，第一次不触发。"), date, number(n), first)
}
func (l Lang) AssistantClockSkipped(date string, n int, first string) string {
	return fill(l.plural(n, "On {0} {1} fire time is skipped, the first is {2}.", "On {0} {1} fire times are skipped, the first is {2}.", "{0} 跳过 {1} 次触发，第一次是 {2}。"), date, number(n), first)
}
func (l Lang) AssistantClockTogether(date string, n int, at string) string {
	return fill(l.plural(n, "On {0} {1} fire time is skipped and run together, once, at {2}.", "On {0} {1} fire times are skipped and run together, once, at {2}.", "{0} 跳过的 {1} 次触发在 {2} 合并运行一次。"), date, number(n), at)
}
func (l Lang) AssistantDaySub(total string) string {
	return fill(l.pick("all jobs, per 15 min, UTC · {0}", "全部作业，每 15 分钟，UTC · {0}"), total)
}
func (l Lang) AssistantDayThis(at string) string {
	return fill(l.pick("{0} this job", "{0} 本作业"), at)
}
func (l Lang) AssistantFieldDay() string     { return l.pick("day", "日") }
func (l Lang) AssistantFieldHour() string    { return l.pick("hour", "时") }
func (l Lang) AssistantFieldMinute() string  { return l.pick("minute", "分") }
func (l Lang) AssistantFieldMonth() string   { return l.pick("month", "月") }
func (l Lang) AssistantFieldSecond() string  { return l.pick("second", "秒") }
func (l Lang) AssistantFieldWeekday() string { return l.pick("weekday", "星期") }
func (l Lang) AssistantFieldYear() string    { return l.pick("year", "年") }
func (l Lang) AssistantGapBad() string       { return l.pick("Longer than the gap:", "长于间隔：") }
func (l Lang) AssistantGapMisfire() string {
	return l.pick("Fire times that pass during a run are made up for once, after it.", "运行期间错过的触发时间在运行之后补执行一次。")
}
func (l Lang) AssistantGapOk() string { return l.pick("Shorter than the gap:", "短于间隔：") }
func (l Lang) AssistantGapSkip() string {
	return l.pick("Fire times that pass during a run are lost, as Misfire is off.", "错过任务重执行已关闭，运行期间错过的触发时间会丢失。")
}
func (l Lang) AssistantGapText(took string, gap string) string {
	return fill(l.pick("95 of 100 executions took at most {0}, the shortest gap is {1}.", "95% 的执行不超过 {0}，最短间隔为 {1}。"), took, gap)
}
func (l Lang) AssistantHerd(n int) string {
	return fill(l.plural(n, "Fires together with {0} job", "Fires together with {0} jobs", "与 {0} 个作业同时触发"), number(n))
}
func (l Lang) AssistantHerdNone() string { return l.pick("Fires alone.", "单独触发。") }
func (l Lang) AssistantHerdNoneText() string {
	return l.pick("No other job fires at the second of the next fire time.", "下次触发的那一秒没有其他作业触发。")
}
func (l Lang) AssistantHerdPartial() string {
	return l.pick("There was no time to look at all jobs; there may be more.", "时间不足，未检查全部作业；可能更多。")
}
func (l Lang) AssistantHerdText(n int) string {
	return fill(l.plural(n, "at the next fire time, with {0} shard.", "at the next fire time, with {0} shards.", "于下次触发时间，共 {0} 个分片。"), number(n))
}
func (l Lang) AssistantHerdUse(n string, m string) string {
	return fill(l.pick("Use second {0}: then {1}", "改用第 {0} 秒：届时 {1} 个"), n, m)
}
func (l Lang) AssistantIn() string           { return l.pick("In", "距今") }
func (l Lang) AssistantInstanceZone() string { return l.pick("Instance's zone", "实例时区") }
func (l Lang) AssistantNever() string        { return l.pick("Never fires again.", "不再触发。") }
func (l Lang) AssistantNeverText() string {
	return l.pick("No date to come fits the expression.", "之后没有符合表达式的日期。")
}
func (l Lang) AssistantNext() string { return l.pick("Next fires", "即将触发") }
func (l Lang) AssistantNone() string {
	return l.pick("No schedule: the job runs only when it is triggered.", "没有调度：作业仅在手动触发时运行。")
}
func (l Lang) AssistantPageZone() string      { return l.pick("UTC", "UTC") }
func (l Lang) AssistantStartDaily() string    { return l.pick("daily", "每天") }
func (l Lang) AssistantStartFive() string     { return l.pick("every 5 min", "每 5 分钟") }
func (l Lang) AssistantStartFrom() string     { return l.pick("Start from", "从这里开始") }
func (l Lang) AssistantStartHourly() string   { return l.pick("hourly", "每小时") }
func (l Lang) AssistantStartMonthly() string  { return l.pick("monthly", "每月") }
func (l Lang) AssistantStartWeekdays() string { return l.pick("weekdays", "工作日") }
func (l Lang) AssistantSub() string           { return l.pick("follows what you type", "随输入更新") }
func (l Lang) AssistantTitle() string         { return l.pick("Cron assistant", "Cron 助手") }
func (l Lang) AssistantUnreadable() string    { return l.pick("This cannot be used.", "无法使用。") }
func (l Lang) AssistantWeekdays() string {
	return l.pick("Sun Mon Tue Wed Thu Fri Sat", "周日 周一 周二 周三 周四 周五 周六")
}

// [audit]

func (l Lang) AuditAccount() string     { return l.pick("Account", "账号") }
func (l Lang) AuditAccountHint() string { return l.pick("exact name", "完整名称") }
func (l Lang) AuditAffected(n int, skipped int) string {
	return fill(l.pick("{0} done, {1} skipped", "完成 {0} 项，跳过 {1} 项"), number(n), number(skipped))
}
func (l Lang) AuditAny() string              { return l.pick("any", "不限") }
func (l Lang) AuditApply() string            { return l.pick("Apply", "应用") }
func (l Lang) AuditAs(account string) string { return fill(l.pick("as {0}", "账号 {0}"), account) }
func (l Lang) AuditBadAction(action string) string {
	return fill(l.pick("there is no action {0}", "没有操作 {0}"), action)
}
func (l Lang) AuditBegun() string    { return l.pick("Begun", "已开始") }
func (l Lang) AuditClear() string    { return l.pick("Clear", "清除") }
func (l Lang) AuditConflict() string { return l.pick("Conflict", "冲突") }
func (l Lang) AuditCount(n int) string {
	return fill(l.plural(n, "{0} record on this page", "{0} records on this page", "本页 {0} 条记录"), number(n))
}
func (l Lang) AuditDetail() string { return l.pick("Detail", "详情") }
func (l Lang) AuditDidAcknowledge() string {
	return l.pick("Acknowledged lost instances", "确认了丢失的实例")
}
func (l Lang) AuditDidAddApp() string      { return l.pick("Added an application", "添加应用") }
func (l Lang) AuditDidAddRegistry() string { return l.pick("Added a registry", "添加注册中心") }
func (l Lang) AuditDidAddSource() string   { return l.pick("Added a data source", "添加数据源") }
func (l Lang) AuditDidBackfill() string    { return l.pick("Backfilled a job", "补跑了作业") }
func (l Lang) AuditDidBulk() string        { return l.pick("Changed many jobs", "批量操作") }
func (l Lang) AuditDidCancelBackfill() string {
	return l.pick("Cancelled a backfill", "取消了补跑")
}
func (l Lang) AuditDidCancelRun() string { return l.pick("Cancelled a run", "取消运行") }
func (l Lang) AuditDidCancelWaiting() string {
	return l.pick("Cancelled the runs that wait", "取消等待中的运行")
}
func (l Lang) AuditDidChangeApp() string { return l.pick("Changed an application", "修改应用") }
func (l Lang) AuditDidChangeRegistry() string {
	return l.pick("Changed a registry", "修改注册中心")
}
func (l Lang) AuditDidChangeSource() string {
	return l.pick("Changed a data source", "修改数据源")
}
func (l Lang) AuditDidClearRunning() string {
	return l.pick("Cleared a running marker", "清除运行标记")
}
func (l Lang) AuditDidConfigure() string    { return l.pick("Changed the configuration", "修改配置") }
func (l Lang) AuditDidCreate() string       { return l.pick("Created the job", "创建作业") }
func (l Lang) AuditDidCreateToken() string  { return l.pick("Created a token", "创建令牌") }
func (l Lang) AuditDidDeleteApp() string    { return l.pick("Deleted an application", "删除应用") }
func (l Lang) AuditDidDeleteJob() string    { return l.pick("Deleted the job", "删除作业") }
func (l Lang) AuditDidDisable() string      { return l.pick("Disabled", "禁用") }
func (l Lang) AuditDidDisableShard() string { return l.pick("Disabled a shard", "禁用分片") }
func (l Lang) AuditDidDump() string         { return l.pick("Took a dump", "导出运行快照") }
func (l Lang) AuditDidEnable() string       { return l.pick("Enabled", "启用") }
func (l Lang) AuditDidEnableShard() string  { return l.pick("Enabled a shard", "启用分片") }
func (l Lang) AuditDidHold() string         { return l.pick("Held a job", "暂停作业") }
func (l Lang) AuditDidImport() string       { return l.pick("Imported settings", "导入设置") }
func (l Lang) AuditDidKillRun() string      { return l.pick("Killed a run", "强制结束运行") }
func (l Lang) AuditDidKillShard() string {
	return l.pick("Killed a shard of a run", "强制结束运行中的一个分片")
}
func (l Lang) AuditDidOpenRegistry() string { return l.pick("Opened a registry", "打开注册中心") }
func (l Lang) AuditDidOpenSource() string   { return l.pick("Opened a data source", "打开数据源") }
func (l Lang) AuditDidOther() string        { return l.pick("Another request", "其他请求") }
func (l Lang) AuditDidPreview() string {
	return l.pick("Looked at a change of a configuration", "预览配置的修改")
}
func (l Lang) AuditDidReconcile() string {
	return l.pick("Had what runs read anew", "重新读取运行状态")
}
func (l Lang) AuditDidRefresh() string { return l.pick("Renewed the session", "续期会话") }
func (l Lang) AuditDidRelease() string { return l.pick("Released a job", "恢复作业") }
func (l Lang) AuditDidRemoveRegistry() string {
	return l.pick("Removed a registry", "移除注册中心")
}
func (l Lang) AuditDidRemoveServer() string {
	return l.pick("Removed the entry of a server", "移除服务器记录")
}
func (l Lang) AuditDidRemoveSource() string {
	return l.pick("Removed a data source", "移除数据源")
}
func (l Lang) AuditDidRemoveView() string { return l.pick("Removed a view", "移除视图") }
func (l Lang) AuditDidRequest() string    { return l.pick("Requested a run", "请求运行") }
func (l Lang) AuditDidRequestMany() string {
	return l.pick("Requested many runs", "批量请求运行")
}
func (l Lang) AuditDidResume() string {
	return l.pick("Could write the audit again", "恢复写入审计日志")
}
func (l Lang) AuditDidResumeRun() string   { return l.pick("Resumed a run", "继续运行") }
func (l Lang) AuditDidRevokeToken() string { return l.pick("Revoked a token", "吊销令牌") }
func (l Lang) AuditDidSaveView() string    { return l.pick("Saved a view", "保存视图") }
func (l Lang) AuditDidSignIn() string      { return l.pick("Signed in", "登录") }
func (l Lang) AuditDidSignOut() string     { return l.pick("Signed out", "退出登录") }
func (l Lang) AuditDidStartRun() string {
	return l.pick("Started a run that waited", "让等待的运行开始")
}
func (l Lang) AuditDidStayDisabled() string {
	return l.pick("Cancelled enabling at a time", "取消定时启用")
}
func (l Lang) AuditDidStop() string         { return l.pick("Stopped instances", "终止实例") }
func (l Lang) AuditDidSuspendRun() string   { return l.pick("Suspended a run", "挂起运行") }
func (l Lang) AuditDidTestRegistry() string { return l.pick("Tested a registry", "测试注册中心") }
func (l Lang) AuditDidTestSource() string   { return l.pick("Tested a data source", "测试数据源") }
func (l Lang) AuditDidTrigger() string      { return l.pick("Triggered", "触发") }
func (l Lang) AuditDidUndo() string         { return l.pick("Took a change back", "撤销操作") }
func (l Lang) AuditDiff() string            { return l.pick("What changed", "变更内容") }
func (l Lang) AuditDiffAfter() string       { return l.pick("after", "新值") }
func (l Lang) AuditDiffBefore() string      { return l.pick("before", "原值") }
func (l Lang) AuditDiffMasked() string {
	return l.pick("Only masked values changed.", "仅更改了隐藏的值。")
}
func (l Lang) AuditDiffMore(n int) string {
	return fill(l.plural(n, "{0} more line: see the versions of the job.", "{0} more lines: see the versions of the job.", "另有 {0} 行，请查看作业的版本。"), number(n))
}
func (l Lang) AuditDiffNothing() string      { return l.pick("nothing", "空") }
func (l Lang) AuditDone() string             { return l.pick("Done", "已完成") }
func (l Lang) AuditDryRun() string           { return l.pick("dry run", "试运行") }
func (l Lang) AuditDue(time string) string   { return fill(l.pick("due {0}", "定于 {0}"), time) }
func (l Lang) AuditField(name string) string { return fill(l.pick("field {0}", "字段 {0}"), name) }
func (l Lang) AuditForce() string            { return l.pick("forced", "强制") }
func (l Lang) AuditFrom(zone string) string {
	return fill(l.pick("From, {0}", "开始时间（{0}）"), zone)
}
func (l Lang) AuditInRegistry(name string) string { return fill(l.pick("in {0}", "于 {0}"), name) }
func (l Lang) AuditInstances(list string) string  { return fill(l.pick("on {0}", "于 {0}"), list) }
func (l Lang) AuditInvalid() string               { return l.pick("Invalid", "无效") }
func (l Lang) AuditKindAll() string               { return l.pick("All", "全部") }
func (l Lang) AuditKindChanges() string           { return l.pick("Changes", "变更") }
func (l Lang) AuditKindRefused() string           { return l.pick("Refused", "被拒绝") }
func (l Lang) AuditKindSignIns() string           { return l.pick("Sign-ins", "登录") }
func (l Lang) AuditKinds() string                 { return l.pick("Kind of records", "记录类别") }
func (l Lang) AuditLabel(label string) string     { return fill(l.pick("label {0}", "标签 {0}"), label) }
func (l Lang) AuditLate(span string) string       { return fill(l.pick("{0} late", "晚了 {0}"), span) }
func (l Lang) AuditLogOnly(n int) string {
	return fill(l.plural(n, "{0} record is only in the log", "{0} records are only in the log", "{0} 条记录仅在日志中"), number(n))
}
func (l Lang) AuditNAdded(n int) string {
	return fill(l.pick("{0} added", "新增 {0} 项"), number(n))
}
func (l Lang) AuditNCancelled(n int) string {
	return fill(l.plural(n, "{0} run cancelled", "{0} runs cancelled", "取消 {0} 次运行"), number(n))
}
func (l Lang) AuditNCreated(n int) string {
	return fill(l.pick("{0} created", "新建 {0} 项"), number(n))
}
func (l Lang) AuditNPresent(n int) string {
	return fill(l.pick("{0} already there", "已存在 {0} 项"), number(n))
}
func (l Lang) AuditNRefused(n int) string {
	return fill(l.pick("{0} refused", "拒绝 {0} 项"), number(n))
}
func (l Lang) AuditNRuns(n int) string {
	return fill(l.plural(n, "{0} run", "{0} runs", "{0} 次运行"), number(n))
}
func (l Lang) AuditNewest() string  { return l.pick("Newest", "最新") }
func (l Lang) AuditNoMatch() string { return l.pick("No record matches.", "没有匹配的记录。") }
func (l Lang) AuditNoMatchText() string {
	return l.pick("Accounts, targets and outcomes are compared exactly; times are UTC.", "账号、对象和结果按完整内容比较；时间为 UTC。")
}
func (l Lang) AuditNoSignIn() string     { return l.pick("Not signed in", "未通过登录") }
func (l Lang) AuditNotAllowed() string   { return l.pick("Not allowed", "不允许") }
func (l Lang) AuditNotConfirmed() string { return l.pick("Not confirmed", "未确认") }
func (l Lang) AuditNotFound() string     { return l.pick("Not found", "不存在") }
func (l Lang) AuditOlder() string        { return l.pick("Older", "更早") }
func (l Lang) AuditOpenRuns() string     { return l.pick("Runs", "运行记录") }
func (l Lang) AuditOpenVersions() string { return l.pick("Versions", "版本") }
func (l Lang) AuditOutcome() string      { return l.pick("Outcome", "结果") }
func (l Lang) AuditParams(n int) string {
	return fill(l.plural(n, "{0} byte of parameters", "{0} bytes of parameters", "{0} 字节参数"), number(n))
}
func (l Lang) AuditParamsOf(keys string) string {
	return fill(l.pick("parameters: {0}", "参数：{0}"), keys)
}
func (l Lang) AuditParent(id string) string {
	return fill(l.pick("started by run {0}", "由运行 {0} 发起"), id)
}
func (l Lang) AuditPersistent() string        { return l.pick("stored in the configuration", "写入配置") }
func (l Lang) AuditQuoted(text string) string { return fill(l.pick("“{0}”", "“{0}”"), text) }
func (l Lang) AuditRefused() string           { return l.pick("Refused", "被拒绝") }
func (l Lang) AuditRegistry() string          { return l.pick("Registry", "注册中心") }
func (l Lang) AuditRemote() string            { return l.pick("From", "来源") }
func (l Lang) AuditRepeated() string          { return l.pick("already requested", "此前已请求") }
func (l Lang) AuditRequest() string           { return l.pick("Request", "请求") }
func (l Lang) AuditRequestId(id string) string {
	return fill(l.pick("Request {0}", "请求编号 {0}"), id)
}
func (l Lang) AuditRevision(before string, after string) string {
	return fill(l.pick("version {0} → {1}", "版本 {0} → {1}"), before, after)
}
func (l Lang) AuditRun(id string) string { return fill(l.pick("run {0}", "运行 {0}"), id) }
func (l Lang) AuditSearch() string       { return l.pick("Search the audit log", "搜索审计日志") }
func (l Lang) AuditSearchHint() string {
	return l.pick("Account, target, action, reason", "账号、对象、操作、原因")
}
func (l Lang) AuditShards(list string) string { return fill(l.pick("shards {0}", "分片 {0}"), list) }
func (l Lang) AuditShowAll() string {
	return l.pick("Show the whole audit", "显示全部审计日志")
}
func (l Lang) AuditSignedOut() string { return l.pick("(signed out)", "未登录") }
func (l Lang) AuditSpan(from string, to string) string {
	return fill(l.pick("{0} to {1}", "{0} 至 {1}"), from, to)
}
func (l Lang) AuditTarget() string { return l.pick("Target", "对象") }
func (l Lang) AuditTargetHint() string {
	return l.pick("job, server, setting", "作业、服务器、设置")
}
func (l Lang) AuditTestFailed() string { return l.pick("Test failed", "测试失败") }
func (l Lang) AuditTo(zone string) string {
	return fill(l.pick("To, {0}", "结束时间（{0}）"), zone)
}
func (l Lang) AuditTooLate() string     { return l.pick("Too late", "已超时") }
func (l Lang) AuditTooOften() string    { return l.pick("Too many requests", "请求过多") }
func (l Lang) AuditUnavailable() string { return l.pick("Unavailable", "不可用") }
func (l Lang) AuditUnrecorded(n int) string {
	return fill(l.plural(n, "{0} earlier record was left out", "{0} earlier records were left out", "此前有 {0} 条记录未写入"), number(n))
}
func (l Lang) AuditVersionLost() string {
	return l.pick("this version was not kept", "此版本未能保存")
}
func (l Lang) AuditVia(token string) string {
	return fill(l.pick("with token {0}", "令牌 {0}"), token)
}
func (l Lang) AuditWhen() string { return l.pick("When", "时间") }
func (l Lang) AuditWho() string  { return l.pick("Who", "操作人") }

// [backfill]

func (l Lang) BackfillBack() string          { return l.pick("Back to the backfills", "返回补跑列表") }
func (l Lang) BackfillBy(name string) string { return fill(l.pick("by {0}", "由 {0} 提交"), name) }
func (l Lang) BackfillCancelEffectRest() string {
	return l.pick("No further run is requested, and runs that wait are cancelled.", "不再提交新的运行，等待中的运行被取消。")
}
func (l Lang) BackfillCancelEffectRunning() string {
	return l.pick("The handlers of a run under way are asked to return.", "正在执行的运行会被要求结束。")
}
func (l Lang) BackfillCancelSubmit() string { return l.pick("Cancel the backfill", "取消补跑") }
func (l Lang) BackfillCancelTitle(job string) string {
	return fill(l.pick("Cancel the backfill of {0}?", "取消 {0} 的补跑？"), job)
}
func (l Lang) BackfillCancelled(n int) string {
	return fill(l.pick("{0} cancelled", "{0} 个已取消"), number(n))
}
func (l Lang) BackfillCount(n int) string {
	return fill(l.plural(n, "{0} fire time", "{0} fire times", "{0} 个触发时间"), number(n))
}
func (l Lang) BackfillDid(n int) string {
	return fill(l.plural(n, "The backfill of {0} fire time has begun.", "The backfill of {0} fire times has begun.", "已开始补跑 {0} 个触发时间。"), number(n))
}
func (l Lang) BackfillDidAsk() string {
	return l.pick("The backfill ends as soon as the handlers of its run have returned.", "待其运行的处理函数返回后，补跑即结束。")
}
func (l Lang) BackfillDidCancel() string {
	return l.pick("The backfill is cancelled.", "补跑已取消。")
}
func (l Lang) BackfillDoneOf(done int, total int) string {
	return fill(l.pick("{0} of {1}", "{0} / {1}"), number(done), number(total))
}
func (l Lang) BackfillEffectEach() string {
	return l.pick("A run is requested for each fire time of the cron expression, without jitter. What the schedule leaves out gets none.", "为 Cron 表达式的每个触发时间提交一次运行，不加抖动；被调度排除的时间不运行。")
}
func (l Lang) BackfillEffectOrder() string {
	return l.pick("The oldest is first; one waits for the other, also while the job is held.", "从最早的开始，逐个等待；作业暂停时也会运行。")
}
func (l Lang) BackfillEffectPortions(n int) string {
	return fill(l.pick("Up to {0} fire times. An agent requests the runs in portions; see their progress on this page, and cancel the rest there.", "最多 {0} 个触发时间。代理分批提交运行；可在本页查看进度，也可取消剩余部分。"), number(n))
}
func (l Lang) BackfillEffectTime() string {
	return l.pick("A handler finds the fire time in ScheduledAt.", "处理函数从 ScheduledAt 得到触发时间。")
}
func (l Lang) BackfillExpired(n int) string {
	return fill(l.pick("{0} expired", "{0} 个过期"), number(n))
}
func (l Lang) BackfillFailed(n int) string {
	return fill(l.pick("{0} failed", "{0} 个失败"), number(n))
}
func (l Lang) BackfillFrom() string { return l.pick("From (UTC)", "从（UTC）") }
func (l Lang) BackfillHelp() string {
	return l.pick("Both are included, and both are past.", "两端都包含，且都必须是过去的时间。")
}
func (l Lang) BackfillLabel() string { return l.pick("Backfill…", "补跑…") }
func (l Lang) BackfillList() string  { return l.pick("Backfills", "补跑") }
func (l Lang) BackfillListSub() string {
	return l.pick("the last ones of the job", "此作业最近的补跑")
}
func (l Lang) BackfillMore(n int) string {
	return fill(l.pick("… and {0} more.", "……还有 {0} 个。"), number(n))
}
func (l Lang) BackfillNext() string { return l.pick("Next:", "下一个：") }
func (l Lang) BackfillNoSchedule(why string) string {
	return fill(l.pick("There is nothing to backfill: {0}", "没有可补跑的内容：{0}"), why)
}
func (l Lang) BackfillNoScheduleHint() string {
	return l.pick("Request a run instead.", "请改为提交一次运行。")
}
func (l Lang) BackfillNone(job string, id string) string {
	return fill(l.pick("{0} has no backfill {1}.", "{0} 没有补跑 {1}。"), job, id)
}
func (l Lang) BackfillNoneHint() string {
	return l.pick("The registry keeps the last 20 backfills of a job.", "注册中心保留每个作业最近 20 次补跑。")
}
func (l Lang) BackfillParallel() string {
	return l.pick("Runs queued at once", "同时排队的运行数")
}
func (l Lang) BackfillParallelHelp(most string) string {
	return fill(l.pick("1 to {0}; empty for {0}. A small number lets other requested runs of the job go in between.", "1 到 {0}，留空为 {0}。数值越小，作业的其他运行请求越容易插入其间。"), most)
}
func (l Lang) BackfillParamsHelp() string {
	return l.pick("Of each run: one JSON object. May be empty.", "每次运行的参数：一个 JSON 对象，可以为空。")
}
func (l Lang) BackfillPreview() string  { return l.pick("Preview", "预览") }
func (l Lang) BackfillProgress() string { return l.pick("Ended", "已结束") }
func (l Lang) BackfillRefused(n int) string {
	return fill(l.plural(n, "{0} time gets no run", "{0} times get no run", "{0} 个时间不运行"), number(n))
}
func (l Lang) BackfillRefusedNow(why string) string {
	return fill(l.pick("The backfill can't begin now: {0}", "现在不能开始补跑：{0}"), why)
}
func (l Lang) BackfillRefusedNowHint() string {
	return l.pick("Look at the backfills of the job.", "请查看此作业的补跑。")
}
func (l Lang) BackfillRequested() string { return l.pick("Requested", "提交时间") }
func (l Lang) BackfillRunning(n int) string {
	return fill(l.pick("{0} running", "{0} 个运行中"), number(n))
}
func (l Lang) BackfillRuns() string { return l.pick("What became of the runs", "运行结果") }
func (l Lang) BackfillSkipped(n int) string {
	return fill(l.pick("{0} skipped", "{0} 个跳过"), number(n))
}
func (l Lang) BackfillSpan(first string, last string) string {
	return fill(l.pick("from {0} to {1}", "从 {0} 到 {1}"), first, last)
}
func (l Lang) BackfillSubmit() string { return l.pick("Request these runs", "提交这些运行") }
func (l Lang) BackfillSucceeded(n int) string {
	return fill(l.pick("{0} succeeded", "{0} 个成功"), number(n))
}
func (l Lang) BackfillTimes() string { return l.pick("Fire times", "触发时间") }
func (l Lang) BackfillTitle(job string) string {
	return fill(l.pick("Backfill {0}", "补跑 {0}"), job)
}
func (l Lang) BackfillTo() string { return l.pick("Up to (UTC)", "到（UTC）") }
func (l Lang) BackfillUnknown(n int) string {
	return fill(l.pick("{0} ended in an unknown state", "{0} 个已结束但结果未知"), number(n))
}
func (l Lang) BackfillWaiting(n int) string {
	return fill(l.pick("{0} waiting", "{0} 个等待"), number(n))
}
func (l Lang) BackfillWrongParallel(most string) string {
	return fill(l.pick("Write a whole number from 1 to {0}, or nothing.", "请填写 1 到 {0} 的整数，或留空。"), most)
}
func (l Lang) BackfillWrongParams() string { return l.pick("This is not JSON.", "这不是 JSON。") }
func (l Lang) BackfillWrongTime() string {
	return l.pick("Write a date and a time, such as 2026-11-21T08:00.", "请填写日期和时间，例如 2026-11-21T08:00。")
}
func (l Lang) BackfillZone() string {
	return l.pick("The job names no time zone, so its instances use their own. These times are by the console's.", "作业未指定时区，各实例使用自己的时区；此处按控制台的时区计算。")
}

// [bulk]

func (l Lang) BulkAgain() string   { return l.pick("Enable again", "重新启用") }
func (l Lang) BulkAgainAt() string { return l.pick("or at, UTC", "或指定时间（UTC）") }
func (l Lang) BulkAgainEffect() string {
	return l.pick("The console enables the jobs at the time. If no console runs then, the next one does, up to 24 hours late; after that they stay disabled.", "控制台会在该时间启用作业。若届时没有控制台在运行，则由下一个启动的控制台在 24 小时内补做；超过后作业保持禁用。")
}
func (l Lang) BulkAgainHour(n int) string {
	return fill(l.plural(n, "in {0} hour", "in {0} hours", "{0} 小时后"), number(n))
}
func (l Lang) BulkAgainNever() string { return l.pick("when I do it", "由我手动启用") }
func (l Lang) BulkAgainNone() string {
	return l.pick("This console has no database of its own, so that it can neither enable the jobs again at a time nor take the action back.", "此控制台没有自己的数据库，因此无法定时重新启用作业，也无法撤销操作。")
}
func (l Lang) BulkAgainWrong() string {
	return l.pick("Write a time of the next 90 days, in UTC.", "请填写未来 90 天内的时间（UTC）。")
}
func (l Lang) BulkAllChosen(n int) string {
	return fill(l.plural(n, "all {0} job of this view", "all {0} jobs of this view", "此视图的全部 {0} 个作业"), number(n))
}
func (l Lang) BulkAlreadyCancel(n int) string {
	return fill(l.plural(n, "has none that waits", "have none that wait", "个没有等待的运行"), number(n))
}
func (l Lang) BulkAlreadyDisable(n int) string {
	return fill(l.plural(n, "is disabled already", "are disabled already", "个已被禁用"), number(n))
}
func (l Lang) BulkAlreadyEnable(n int) string {
	return fill(l.plural(n, "is enabled already", "are enabled already", "个已启用"), number(n))
}
func (l Lang) BulkAlreadyHold(n int) string {
	return fill(l.plural(n, "is held so already", "are held so already", "个已这样暂停"), number(n))
}
func (l Lang) BulkAlreadyLabel(n int) string {
	return fill(l.plural(n, "has it already", "have it already", "个已有此标签"), number(n))
}
func (l Lang) BulkAlreadyRelease(n int) string {
	return fill(l.plural(n, "is not held", "are not held", "个未被暂停"), number(n))
}
func (l Lang) BulkAsks(n int) string {
	return fill(l.plural(n, "{0} instance is asked", "{0} instances are asked", "将通知 {0} 个实例"), number(n))
}
func (l Lang) BulkBar() string {
	return l.pick("Actions on the selected jobs", "对所选作业的操作")
}
func (l Lang) BulkCancel() string { return l.pick("Cancel, change nothing", "取消，不做更改") }
func (l Lang) BulkCancelMany(n int) string {
	return fill(l.plural(n, "Cancel the waiting runs of {0} job?", "Cancel the waiting runs of {0} jobs?", "取消 {0} 个作业等待的运行？"), number(n))
}
func (l Lang) BulkCancelOne(job string) string {
	return fill(l.pick("Cancel the waiting runs of {0}?", "取消 {0} 等待的运行？"), job)
}
func (l Lang) BulkCancelWaiting() string {
	return l.pick("Cancel waiting runs", "取消等待的运行")
}
func (l Lang) BulkCancels(n int) string {
	return fill(l.plural(n, "{0} run is cancelled", "{0} runs are cancelled", "取消 {0} 次运行"), number(n))
}
func (l Lang) BulkCannot() string  { return l.pick("cannot be", "个无法执行") }
func (l Lang) BulkClear() string   { return l.pick("Clear", "清除") }
func (l Lang) BulkDisable() string { return l.pick("Disable", "禁用") }
func (l Lang) BulkDisableMany(n int) string {
	return fill(l.plural(n, "Disable {0} job?", "Disable {0} jobs?", "禁用 {0} 个作业？"), number(n))
}
func (l Lang) BulkDisableOne(job string) string {
	return fill(l.pick("Disable {0}?", "禁用 {0}？"), job)
}
func (l Lang) BulkDisabledBy(user string, time string) string {
	return fill(l.pick("{0} disabled it at {1}.", "{0} 于 {1} 禁用。"), user, time)
}
func (l Lang) BulkDisabledByWhy(user string, time string, reason string) string {
	return fill(l.pick("{0} disabled it at {1}: {2}.", "{0} 于 {1} 禁用：{2}。"), user, time, reason)
}
func (l Lang) BulkDoneCancel(n int) string {
	return fill(l.plural(n, "Cancelled the waiting runs of {0} job.", "Cancelled the waiting runs of {0} jobs.", "已取消 {0} 个作业等待的运行。"), number(n))
}
func (l Lang) BulkDoneDisable(n int) string {
	return fill(l.plural(n, "Disabled {0} job.", "Disabled {0} jobs.", "已禁用 {0} 个作业。"), number(n))
}
func (l Lang) BulkDoneEnable(n int) string {
	return fill(l.plural(n, "Enabled {0} job.", "Enabled {0} jobs.", "已启用 {0} 个作业。"), number(n))
}
func (l Lang) BulkDoneHold(n int) string {
	return fill(l.plural(n, "Held {0} job.", "Held {0} jobs.", "已暂停 {0} 个作业。"), number(n))
}
func (l Lang) BulkDoneLabel(n int) string {
	return fill(l.plural(n, "Labelled {0} job.", "Labelled {0} jobs.", "已为 {0} 个作业设置标签。"), number(n))
}
func (l Lang) BulkDoneRelease(n int) string {
	return fill(l.plural(n, "Released {0} job.", "Released {0} jobs.", "已恢复 {0} 个作业。"), number(n))
}
func (l Lang) BulkDoneTrigger(n int) string {
	return fill(l.plural(n, "Triggered {0} job.", "Triggered {0} jobs.", "已触发 {0} 个作业。"), number(n))
}
func (l Lang) BulkDownload(kind string) string {
	return fill(l.pick("Download {0}", "下载 {0}"), kind)
}
func (l Lang) BulkEffectCancel(n int) string {
	return fill(l.pick("Of one job at most {0} runs are cancelled at once: repeat it for more. One that begins meanwhile is asked to end.", "每个作业一次最多取消 {0} 次运行：更多请重复操作。期间开始的运行会被要求结束。"), number(n))
}
func (l Lang) BulkEffectDisable() string {
	return l.pick("Shards that run are not interrupted. No run starts until the job is enabled.", "正在运行的分片不会被中断。作业启用之前不再开始新的运行。")
}
func (l Lang) BulkEffectEnable() string {
	return l.pick("The jobs fire again by their schedules. Fire times that passed meanwhile are not made up for.", "作业重新按计划触发。期间错过的触发时间不会补执行。")
}
func (l Lang) BulkEffectLabel() string {
	return l.pick("The label is written into the configuration of each job. Schedules and shards stay as they are.", "标签写入每个作业的配置，调度和分片保持不变。")
}
func (l Lang) BulkEffectRestart() string {
	return l.pick("An agent that starts registers its server again, which enables it.", "实例启动时会重新注册其服务器，从而将其重新启用。")
}
func (l Lang) BulkEffectTrigger() string {
	return l.pick("Each instance named runs its shards once, now.", "所列的每个实例立即将其分片运行一次。")
}
func (l Lang) BulkEffectUndo() string {
	return l.pick("You can take this back for ten minutes.", "十分钟内可以撤销。")
}
func (l Lang) BulkEnable() string { return l.pick("Enable", "启用") }
func (l Lang) BulkEnableMany(n int) string {
	return fill(l.plural(n, "Enable {0} job?", "Enable {0} jobs?", "启用 {0} 个作业？"), number(n))
}
func (l Lang) BulkEnableOne(job string) string {
	return fill(l.pick("Enable {0}?", "启用 {0}？"), job)
}
func (l Lang) BulkEnabledAt(time string) string {
	return fill(l.pick("The console enables it again at {0}.", "控制台将于 {0} 重新启用。"), time)
}
func (l Lang) BulkExport() string { return l.pick("Export YAML", "导出 YAML") }
func (l Lang) BulkHeld() string   { return l.pick("Updates are held", "更新已暂停") }
func (l Lang) BulkHeldOtherwise(name string) string {
	return fill(l.pick("{0} holds it otherwise: release it first", "{0} 已用其他方式暂停：请先恢复"), name)
}
func (l Lang) BulkHold() string { return l.pick("Hold", "暂停") }
func (l Lang) BulkHoldMany(n int) string {
	return fill(l.plural(n, "Hold {0} job?", "Hold {0} jobs?", "暂停 {0} 个作业？"), number(n))
}
func (l Lang) BulkHoldOne(job string) string { return fill(l.pick("Hold {0}?", "暂停 {0}？"), job) }
func (l Lang) BulkHolds(n int) string {
	return fill(l.plural(n, "{0} hold is written", "{0} holds are written", "写入 {0} 个暂停"), number(n))
}
func (l Lang) BulkImpossible() string { return l.pick("Not possible", "无法执行") }
func (l Lang) BulkJob() string        { return l.pick("Job", "作业") }
func (l Lang) BulkLabel() string      { return l.pick("Label", "标签") }
func (l Lang) BulkLabelField() string { return l.pick("Label", "标签") }
func (l Lang) BulkLabelHint() string {
	return l.pick("empty removes the label", "留空则移除标签")
}
func (l Lang) BulkLabelMany(n int) string {
	return fill(l.plural(n, "Label {0} job?", "Label {0} jobs?", "为 {0} 个作业设置标签？"), number(n))
}
func (l Lang) BulkLabelOne(job string) string {
	return fill(l.pick("Label {0}?", "为 {0} 设置标签？"), job)
}
func (l Lang) BulkLabelPreview() string { return l.pick("Preview", "预览") }
func (l Lang) BulkMenuDelete() string   { return l.pick("Delete job…", "删除作业…") }
func (l Lang) BulkMenuDisable() string  { return l.pick("Disable…", "禁用…") }
func (l Lang) BulkMenuEnable() string   { return l.pick("Enable…", "启用…") }
func (l Lang) BulkMenuExplain() string  { return l.pick("Explain", "诊断") }
func (l Lang) BulkMenuStop() string     { return l.pick("Stop instances…", "终止实例…") }
func (l Lang) BulkNoLabel() string      { return l.pick("no label", "无标签") }
func (l Lang) BulkNone() string         { return l.pick("No job is selected.", "没有选择作业。") }
func (l Lang) BulkNoneBack() string     { return l.pick("To the jobs", "前往作业列表") }
func (l Lang) BulkNoneText() string {
	return l.pick("Select jobs in the list first.", "请先在列表中选择作业。")
}
func (l Lang) BulkNote() string { return l.pick("Note", "说明") }
func (l Lang) BulkNothing() string {
	return l.pick("There is nothing to do", "没有可执行的操作")
}
func (l Lang) BulkNothingText() string {
	return l.pick("None of these jobs can be changed so. The list says why.", "这些作业都无法这样更改，原因见列表。")
}
func (l Lang) BulkOnInstances(n int) string {
	return fill(l.plural(n, "on {0} instance", "on {0} instances", "{0} 个实例"), number(n))
}
func (l Lang) BulkOnRuns(n int) string {
	return fill(l.plural(n, "{0} run", "{0} runs", "{0} 次运行"), number(n))
}
func (l Lang) BulkOnServers(n int) string {
	return fill(l.plural(n, "on {0} server", "on {0} servers", "{0} 台服务器"), number(n))
}
func (l Lang) BulkReason() string { return l.pick("Reason", "原因") }
func (l Lang) BulkReasonHint() string {
	return l.pick("shown with the job and in the audit log", "显示在作业和审计日志中")
}
func (l Lang) BulkReasonLong(n int, m int) string {
	return fill(l.pick("The reason has {0} characters, at most {1} are kept.", "原因有 {0} 个字符，最多保存 {1} 个。"), number(n), number(m))
}
func (l Lang) BulkReasonMissing() string {
	return l.pick("Write a reason. Whoever finds the job disabled reads it.", "请填写原因，发现作业被禁用的人会看到它。")
}
func (l Lang) BulkRelease() string { return l.pick("Release", "恢复") }
func (l Lang) BulkReleaseMany(n int) string {
	return fill(l.plural(n, "Release {0} job?", "Release {0} jobs?", "恢复 {0} 个作业？"), number(n))
}
func (l Lang) BulkReleaseOne(job string) string {
	return fill(l.pick("Release {0}?", "恢复 {0}？"), job)
}
func (l Lang) BulkReleases(n int) string {
	return fill(l.plural(n, "{0} hold ends", "{0} holds end", "结束 {0} 个暂停"), number(n))
}
func (l Lang) BulkResult() string       { return l.pick("Result", "结果") }
func (l Lang) BulkResultFailed() string { return l.pick("refused", "个被拒绝") }
func (l Lang) BulkResultRepeated() string {
	return l.pick("The form was sent twice, and carried out once.", "表单提交了两次，只执行了一次。")
}
func (l Lang) BulkResultSame() string { return l.pick("left as they were", "个保持不变") }
func (l Lang) BulkResultSub(user string, time string) string {
	return fill(l.pick("{0} at {1}", "{0}，{1}"), user, time)
}
func (l Lang) BulkResultSubWhy(user string, time string, reason string) string {
	return fill(l.pick("{0} at {1}: {2}", "{0}，{1}：{2}"), user, time, reason)
}
func (l Lang) BulkResultUnderWay() string { return l.pick("This is under way", "正在执行") }
func (l Lang) BulkResultUnderWayText() string {
	return l.pick("Load the page again in a moment.", "请稍后重新加载此页面。")
}
func (l Lang) BulkRowMenu(job string) string {
	return fill(l.pick("More for {0}", "{0} 的更多操作"), job)
}
func (l Lang) BulkRowRun(job string) string { return fill(l.pick("Run {0}…", "运行 {0}…"), job) }
func (l Lang) BulkRows() string             { return l.pick("What happens to each job", "每个作业的变化") }
func (l Lang) BulkRunning() string {
	return l.pick("a run is on: it ends first", "正在运行：本次运行会先结束")
}
func (l Lang) BulkSelect() string { return l.pick("Select", "选择") }
func (l Lang) BulkSelectAll(n int) string {
	return fill(l.pick("Select all {0}", "选择全部 {0} 个"), number(n))
}
func (l Lang) BulkSelectAllState(n int, state string) string {
	return fill(l.pick("Select all {0} {1}", "选择全部 {0} 个{1}的作业"), number(n), state)
}
func (l Lang) BulkSelectJob(job string) string { return fill(l.pick("Select {0}", "选择 {0}"), job) }
func (l Lang) BulkSelectPage() string {
	return l.pick("Select the jobs of this page", "选择本页的作业")
}
func (l Lang) BulkSelected(n string) string {
	return fill(l.pick("{0} selected", "已选择 {0} 个"), n)
}
func (l Lang) BulkSelectedJobs() string { return l.pick("Selected jobs", "所选作业") }
func (l Lang) BulkSkip() string         { return l.pick("Skip", "跳过") }
func (l Lang) BulkSkipCancel() string   { return l.pick("no run waits", "没有等待的运行") }
func (l Lang) BulkSkipDisable() string  { return l.pick("disabled already", "已被禁用") }
func (l Lang) BulkSkipEnable() string   { return l.pick("enabled already", "已启用") }
func (l Lang) BulkSkipHold() string     { return l.pick("held so already", "已这样暂停") }
func (l Lang) BulkSkipLabel() string    { return l.pick("has this label already", "已有此标签") }
func (l Lang) BulkSkipRelease() string  { return l.pick("not held", "未被暂停") }
func (l Lang) BulkSkipTrigger() string  { return l.pick("no instance took it", "没有实例接受") }
func (l Lang) BulkStay() string         { return l.pick("Stay disabled", "保持禁用") }
func (l Lang) BulkStayDone(job string) string {
	return fill(l.pick("{0} stays disabled until somebody enables it.", "{0} 将保持禁用，直到有人启用它。"), job)
}
func (l Lang) BulkSub() string {
	return l.pick("Nothing happens before you press the button", "按下按钮之前不会有任何更改")
}
func (l Lang) BulkSubmitCancel(n int) string {
	return fill(l.plural(n, "Cancel the runs of {0} job", "Cancel the runs of {0} jobs", "取消 {0} 个作业的运行"), number(n))
}
func (l Lang) BulkSubmitDisable(n int) string {
	return fill(l.plural(n, "Disable {0} job", "Disable {0} jobs", "禁用 {0} 个作业"), number(n))
}
func (l Lang) BulkSubmitEnable(n int) string {
	return fill(l.plural(n, "Enable {0} job", "Enable {0} jobs", "启用 {0} 个作业"), number(n))
}
func (l Lang) BulkSubmitHold(n int) string {
	return fill(l.plural(n, "Hold {0} job", "Hold {0} jobs", "暂停 {0} 个作业"), number(n))
}
func (l Lang) BulkSubmitLabel(n int) string {
	return fill(l.plural(n, "Label {0} job", "Label {0} jobs", "为 {0} 个作业设置标签"), number(n))
}
func (l Lang) BulkSubmitRelease(n int) string {
	return fill(l.plural(n, "Release {0} job", "Release {0} jobs", "恢复 {0} 个作业"), number(n))
}
func (l Lang) BulkSubmitTrigger(n int) string {
	return fill(l.plural(n, "Trigger {0} job", "Trigger {0} jobs", "触发 {0} 个作业"), number(n))
}
func (l Lang) BulkTooMany(n int) string {
	return fill(l.pick("{0} jobs are selected", "选择了 {0} 个作业"), number(n))
}
func (l Lang) BulkTooManyText(n int) string {
	return fill(l.pick("One action is about at most {0} of them: these are the first. The others are for the next time.", "一次操作最多处理 {0} 个作业，以下是前面的部分。其余的请再次操作。"), number(n))
}
func (l Lang) BulkTrigger() string { return l.pick("Trigger", "触发") }
func (l Lang) BulkTriggerMany(n int) string {
	return fill(l.plural(n, "Trigger {0} job?", "Trigger {0} jobs?", "触发 {0} 个作业？"), number(n))
}
func (l Lang) BulkTriggerOne(job string) string {
	return fill(l.pick("Trigger {0}?", "触发 {0}？"), job)
}
func (l Lang) BulkUndo() string { return l.pick("Undo", "撤销") }
func (l Lang) BulkUndoNever() string {
	return l.pick("A run that was started cannot be taken back.", "已触发的运行无法撤销。")
}
func (l Lang) BulkUndoNeverHold() string {
	return l.pick("A hold is released, not taken back, and cancelled runs can be requested again.", "暂停只能恢复，不能撤销；已取消的运行可以再次请求。")
}
func (l Lang) BulkUndoOver() string {
	return l.pick("No longer: ten minutes have passed.", "已超过十分钟，无法撤销。")
}
func (l Lang) BulkUndoUntil(time string) string {
	return fill(l.pick("until {0}", "{0} 之前有效"), time)
}
func (l Lang) BulkUndone() string              { return l.pick("Taken back", "已撤销") }
func (l Lang) BulkUndoneAt(time string) string { return fill(l.pick("at {0}", "{0}"), time) }
func (l Lang) BulkUndoneDone(n int) string {
	return fill(l.plural(n, "Taken back for {0} job.", "Taken back for {0} jobs.", "已撤销 {0} 个作业的更改。"), number(n))
}
func (l Lang) BulkWhat() string { return l.pick("What happens", "操作") }
func (l Lang) BulkWillCancel(n int) string {
	return fill(l.plural(n, "has runs that wait", "have runs that wait", "个有等待的运行"), number(n))
}
func (l Lang) BulkWillDisable(n int) string {
	return fill(l.plural(n, "will be disabled", "will be disabled", "个将被禁用"), number(n))
}
func (l Lang) BulkWillEnable(n int) string {
	return fill(l.plural(n, "will be enabled", "will be enabled", "个将被启用"), number(n))
}
func (l Lang) BulkWillHold(n int) string {
	return fill(l.plural(n, "will be held", "will be held", "个将被暂停"), number(n))
}
func (l Lang) BulkWillLabel(n int) string {
	return fill(l.plural(n, "gets the label", "get the label", "个将获得此标签"), number(n))
}
func (l Lang) BulkWillRelease(n int) string {
	return fill(l.plural(n, "will be released", "will be released", "个将被恢复"), number(n))
}
func (l Lang) BulkWillTrigger(n int) string {
	return fill(l.plural(n, "will be triggered", "will be triggered", "个将被触发"), number(n))
}
func (l Lang) BulkWrites(n int) string {
	return fill(l.plural(n, "{0} server entry is written", "{0} server entries are written", "将写入 {0} 个服务器节点"), number(n))
}
func (l Lang) BulkWritesConfigs(n int) string {
	return fill(l.plural(n, "{0} configuration is written", "{0} configurations are written", "将写入 {0} 个配置"), number(n))
}

// [cards]

func (l Lang) CardsAcknowledge() string { return l.pick("Acknowledge", "确认") }
func (l Lang) CardsAcknowledged(n int) string {
	return fill(l.plural(n, "{0} loss was acknowledged.", "{0} losses were acknowledged.", "已确认 {0} 个丢失的实例。"), number(n))
}
func (l Lang) CardsChanges() string     { return l.pick("Recent changes", "最近变更") }
func (l Lang) CardsChangesNone() string { return l.pick("No changes yet.", "尚无变更。") }
func (l Lang) CardsChangesSub() string  { return l.pick("the latest changes", "最近的变更") }
func (l Lang) CardsDisabled() string {
	return l.pick("disabled in all jobs", "在所有作业中禁用")
}
func (l Lang) CardsEnded(n int) string {
	return fill(l.plural(n, "execution", "executions", "次执行"), number(n))
}
func (l Lang) CardsFailed() string { return l.pick("failed", "失败") }
func (l Lang) CardsFires() string  { return l.pick("Next 24 h", "未来 24 小时") }
func (l Lang) CardsFiresColumn(from string, to string, fires string) string {
	return fill(l.pick("{0} to {1}: {2}", "{0} 至 {1}：{2}"), from, to, fires)
}
func (l Lang) CardsFiresLabel(total string, peak string) string {
	return fill(l.pick("Fires of the next 24 hours: {0}, most of them from {1}", "未来 24 小时的触发：{0}，高峰在 {1}"), total, peak)
}
func (l Lang) CardsFiresNone() string {
	return l.pick("No job is due to fire in the next 24 hours.", "未来 24 小时没有作业触发。")
}
func (l Lang) CardsFiresSub() string {
	return l.pick("fires per 15 min, UTC", "每 15 分钟的触发次数，UTC")
}
func (l Lang) CardsFiresTotal(n int) string {
	return fill(l.plural(n, "{0} fire", "{0} fires", "{0} 次触发"), number(n))
}
func (l Lang) CardsFleet() string { return l.pick("Fleet", "服务器与实例") }
func (l Lang) CardsFleetBox(ip string, jobs string) string {
	return fill(l.pick("{0}: {1}", "{0}：{1}"), ip, jobs)
}
func (l Lang) CardsFleetDown() string {
	return l.pick("The servers cannot be read now.", "目前无法读取服务器。")
}
func (l Lang) CardsFleetMore(n int) string {
	return fill(l.pick("{0} more", "另外 {0} 台"), number(n))
}
func (l Lang) CardsFleetNone() string {
	return l.pick("No server has registered yet.", "尚无服务器注册。")
}
func (l Lang) CardsFleetOpen() string { return l.pick("Open fleet", "打开服务器列表") }
func (l Lang) CardsFleetSum(servers string, instances string) string {
	return fill(l.pick("{0} · {1}", "{0} · {1}"), servers, instances)
}
func (l Lang) CardsGap() string { return l.pick("not recorded", "无记录") }
func (l Lang) CardsJobs(n int) string {
	return fill(l.plural(n, "{0} job.", "{0} jobs.", "{0} 个作业。"), number(n))
}
func (l Lang) CardsLoad() string     { return l.pick("jobs", "作业") }
func (l Lang) CardsLostChip() string { return l.pick("Instance left", "实例离开") }
func (l Lang) CardsLostMany(n int) string {
	return fill(l.plural(n, "{0} instance was lost", "{0} instances were lost", "{0} 个实例丢失"), number(n))
}
func (l Lang) CardsLostPlain() string {
	return l.pick("it left without an orderly stop", "没有正常停止就离开了")
}
func (l Lang) CardsLostReason(shards int) string {
	return fill(l.plural(shards, "at least {0} shard was running there", "at least {0} shards were running there", "当时至少有 {0} 个分片在其上运行"), number(shards))
}
func (l Lang) CardsNeed(n int) string {
	return fill(l.plural(n, "{0} needs attention.", "{0} need attention.", "{0} 个需要处理。"), number(n))
}
func (l Lang) CardsNoResults() string {
	return l.pick("No results yet. Executions are counted once a minute.", "暂无结果，每分钟统计一次。")
}
func (l Lang) CardsNow(time string) string { return fill(l.pick("now {0}", "现在 {0}"), time) }
func (l Lang) CardsOffline() string        { return l.pick("offline", "离线") }
func (l Lang) CardsOk() string             { return l.pick("succeeded", "成功") }
func (l Lang) CardsOnDemand() string       { return l.pick("opened on demand", "按需连接") }
func (l Lang) CardsOpenAndLost(lost string, open string) string {
	return fill(l.pick("{0}; {1}", "{0}；{1}"), lost, open)
}
func (l Lang) CardsOpenReason(n int) string {
	return fill(l.plural(n, "{0} shard waits for an owner", "{0} shards wait for an owner", "{0} 个分片等待分配"), number(n))
}
func (l Lang) CardsPeak(from string, to string, fires string) string {
	return fill(l.pick("Peak: {0} to {1}, {2}.", "高峰：{0} 至 {1}，{2}。"), from, to, fires)
}
func (l Lang) CardsRegistries() string { return l.pick("Registries", "注册中心") }
func (l Lang) CardsResults() string    { return l.pick("Results, last 24 h", "最近 24 小时结果") }
func (l Lang) CardsResultsHour(from string, to string, ok int, bad int) string {
	return fill(l.pick("{0} to {1}: {2} succeeded, {3} failed", "{0} 至 {1}：成功 {2}，失败 {3}"), from, to, number(ok), number(bad))
}
func (l Lang) CardsResultsLabel(ok int, bad int) string {
	return fill(l.pick("Executions that ended in the last 24 hours: {0} succeeded, {1} failed", "最近 24 小时结束的执行：成功 {0}，失败 {1}"), number(ok), number(bad))
}
func (l Lang) CardsResultsOpen() string { return l.pick("Open in Runs", "在运行记录中打开") }
func (l Lang) CardsResultsSub() string {
	return l.pick("executions that ended, per hour, UTC", "每小时结束的执行，UTC")
}
func (l Lang) CardsResultsUnknown(from string, to string) string {
	return fill(l.pick("{0} to {1}: not recorded", "{0} 至 {1}：无记录"), from, to)
}
func (l Lang) CardsServers(n int) string {
	return fill(l.plural(n, "{0} server", "{0} servers", "{0} 台服务器"), number(n))
}
func (l Lang) CardsSettings() string { return l.pick("Settings", "设置") }
func (l Lang) CardsShare(parts string) string {
	return fill(l.pick("Jobs by state: {0}", "按状态统计的作业：{0}"), parts)
}
func (l Lang) CardsSteady(n int, fires string) string {
	return fill(l.plural(n, "{0} job that fires at least every 15 minutes is not drawn: {1} per 15 minutes.", "{0} jobs that fire at least every 15 minutes are not drawn: {1} per 15 minutes.", "{0} 个作业至少每 15 分钟触发一次，未绘出：每 15 分钟 {1}。"), number(n), fires)
}
func (l Lang) CardsUncounted(n int) string {
	return fill(l.plural(n, "{0} job is still to be counted.", "{0} jobs are still to be counted.", "{0} 个作业尚未统计。"), number(n))
}

// [cleanup]

func (l Lang) CleanupAll(n int) string {
	return fill(l.plural(n, "Clean up {0} offline server…", "Clean up {0} offline servers…", "清理 {0} 台离线服务器…"), number(n))
}
func (l Lang) CleanupBack() string { return l.pick("Back to the servers", "返回服务器列表") }
func (l Lang) CleanupButton() string {
	return l.pick("Remove the ticked entries", "移除所选记录")
}
func (l Lang) CleanupComesBack() string {
	return l.pick("A server that rejoins adds its entries again, enabled. One that has rejoined meanwhile is left as it is.", "服务器恢复后会重新添加记录并处于启用状态。期间已恢复的服务器保持不变。")
}
func (l Lang) CleanupDone(n int, m int) string {
	return fill(l.plural(n, "Removed {0} entry of {1} servers.", "Removed {0} entries of {1} servers.", "已移除 {0} 条记录，涉及 {1} 台服务器。"), number(n), number(m))
}
func (l Lang) CleanupKept(ip string, n int, why string) string {
	return fill(l.plural(n, "{0}: {1} entry kept. {2}", "{0}: {1} entries kept. {2}", "{0}：保留 {1} 条记录。{2}"), ip, number(n), why)
}
func (l Lang) CleanupLast() string { return l.pick("Last execution", "最近执行") }
func (l Lang) CleanupMore(n int) string {
	return fill(l.pick("{0} more are not listed; clean up again after this.", "另有 {0} 台未列出；完成后请再次清理。"), number(n))
}
func (l Lang) CleanupNone() string {
	return l.pick("No server is offline.", "没有离线的服务器。")
}
func (l Lang) CleanupNoneText() string {
	return l.pick("Only servers on which no process is registered can be cleaned up.", "只能清理没有注册进程的服务器。")
}
func (l Lang) CleanupNoteDisabled(n int) string {
	return fill(l.plural(n, "disabled in {0} job, which would be forgotten; tick it to remove it all the same", "disabled in {0} jobs, which would be forgotten; tick it to remove it all the same", "在 {0} 个作业中处于禁用状态，移除后该状态会丢失；勾选后仍可移除"), number(n))
}
func (l Lang) CleanupNoteRecent() string {
	return l.pick("ran less than a day ago; tick it to remove it all the same", "一天之内有过执行；勾选后仍可移除")
}
func (l Lang) CleanupNothingTicked() string {
	return l.pick("No server is ticked. Nothing was changed.", "没有勾选服务器，未做任何更改。")
}
func (l Lang) CleanupNothingTouched() string {
	return l.pick("A server is listed here when no process of it is registered. Its entry stays in ZooKeeper until it is removed; no instance and no shard is touched.", "没有注册进程的服务器会列在这里。其记录会一直保留在 ZooKeeper 中，直到被移除；不影响任何实例和分片。")
}
func (l Lang) CleanupRemove() string   { return l.pick("Remove", "移除") }
func (l Lang) CleanupSelected() string { return l.pick("Clean up selected…", "清理所选…") }
func (l Lang) CleanupSum(n int) string {
	return fill(l.plural(n, "The ticked servers have {0} entry servers/IP in their jobs, which are removed.", "The ticked servers have {0} entries servers/IP in their jobs, which are removed.", "所选服务器在其作业中共有 {0} 条 servers/IP 记录，将被移除。"), number(n))
}
func (l Lang) CleanupTick(ip string) string { return fill(l.pick("Select {0}", "选择 {0}"), ip) }
func (l Lang) CleanupTitle() string {
	return l.pick("Clean up offline servers", "清理离线服务器")
}
func (l Lang) CleanupUnknownSelected(value string) string {
	return fill(l.pick("A part of the address was ignored: selected {0} is unknown (use yes).", "地址中的一部分被忽略：未知的 selected：{0}（可用 yes）。"), value)
}
func (l Lang) CleanupViewDisabled() string { return l.pick("Disabled", "有禁用") }
func (l Lang) CleanupViewOffline() string  { return l.pick("Without instances", "无实例") }

// [cloud]

func (l Lang) CloudAgain(n int) string {
	return fill(l.plural(n, "Run the failed shard again", "Run {0} failed shards again", "重新运行失败的 {0} 个分片"), number(n))
}
func (l Lang) CloudAllRuns() string { return l.pick("All runs", "全部运行") }
func (l Lang) CloudApp() string     { return l.pick("App", "应用") }
func (l Lang) CloudAppNew() string  { return l.pick("New app", "新建应用") }
func (l Lang) CloudAppNoJobs() string {
	return l.pick("No job uses this app", "没有作业使用该应用")
}
func (l Lang) CloudApps() string     { return l.pick("Apps", "应用") }
func (l Lang) CloudAppsNone() string { return l.pick("No app yet", "还没有应用") }
func (l Lang) CloudAppsNoneText() string {
	return l.pick("An app says what a process is made of. Register one: POST /api/cloud/apps.", "应用说明进程由什么组成。请注册一个：POST /api/cloud/apps。")
}
func (l Lang) CloudAway() string {
	return l.pick("ElasticJob-Cloud cannot be read at present", "目前无法读取 ElasticJob-Cloud")
}
func (l Lang) CloudAwayHint() string {
	return l.pick("Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment.", "其注册中心或引擎没有响应；已开始的运行会继续。请稍后再试。")
}
func (l Lang) CloudAwaySince(time string, why string) string {
	return fill(l.pick("Since {0}: {1}", "自 {0} 起：{1}"), time, why)
}
func (l Lang) CloudAwayText() string {
	return l.pick("The page shows what its registry and its engine reported last. Runs that have begun go on.", "页面显示的是其注册中心和引擎最后一次上报的内容。已开始的运行会继续。")
}
func (l Lang) CloudBack() string       { return l.pick("Back", "返回") }
func (l Lang) CloudCanDaemons() string { return l.pick("Daemons", "常驻作业") }
func (l Lang) CloudCanSuspend() string { return l.pick("Suspends runs", "可暂停运行") }
func (l Lang) CloudCannotLead() string {
	return l.pick("This console cannot schedule", "此控制台无法负责调度")
}
func (l Lang) CloudCannotLeadText(time string, why string) string {
	return fill(l.pick("It cannot stand for election; perhaps nobody schedules. Since {0}: {1}", "它无法参加选举，可能没有控制台在调度。自 {0} 起：{1}"), time, why)
}
func (l Lang) CloudCannotSuspend() string {
	return l.pick("The engine cannot suspend runs.", "该引擎不能暂停运行。")
}
func (l Lang) CloudConfiguration() string { return l.pick("Configuration", "配置") }
func (l Lang) CloudConflict() string {
	return l.pick("Somebody else has changed it meanwhile.", "期间已被他人修改。")
}
func (l Lang) CloudConflictHint() string {
	return l.pick("Look at it as it is now and repeat the change.", "请查看现在的内容，然后重新修改。")
}
func (l Lang) CloudDaemonAgain() string { return l.pick("Starts again", "即将重启") }
func (l Lang) CloudDaemonDisable() string {
	return l.pick("Its processes are stopped. Nothing fires until it is enabled.", "其进程被停止，启用之前不再触发。")
}
func (l Lang) CloudDaemonFires() string {
	return l.pick("Its processes fire by themselves", "由其进程自行触发")
}
func (l Lang) CloudDaemonKillAgain() string {
	return l.pick("Another one begins at once.", "随即启动另一个进程。")
}
func (l Lang) CloudDaemonNoKill() string {
	return l.pick("A process that ends is started again. Disable the job to stop all of them, or kill the process of one shard to have it begin anew.", "进程结束后会重新启动。要停止全部进程，请禁用该作业；要让一个分片重新开始，请终止该分片的进程。")
}
func (l Lang) CloudDaemonNone() string    { return l.pick("No process", "没有进程") }
func (l Lang) CloudDaemonNoneOff() string { return l.pick("It is disabled.", "该作业已禁用。") }
func (l Lang) CloudDaemonNoneText() string {
	return l.pick("They begin as soon as the scheduler has taken notice of the job.", "调度器注意到该作业后，进程随即启动。")
}
func (l Lang) CloudDaemonOrigin() string    { return l.pick("Daemon", "常驻") }
func (l Lang) CloudDaemonProcess() string   { return l.pick("Process", "进程") }
func (l Lang) CloudDaemonProcesses() string { return l.pick("Processes", "进程") }
func (l Lang) CloudDaemonRestarts() string  { return l.pick("Restarts", "重启次数") }
func (l Lang) CloudDaemonShared() string {
	return l.pick("They share the shards by ZooKeeper. Which process has which shard is shown with the jobs of that registry.", "它们通过 ZooKeeper 共享分片。哪个进程拥有哪些分片，见该注册中心的作业页面。")
}
func (l Lang) CloudDaemonTitle(job string) string {
	return fill(l.pick("Processes of {0}", "{0} 的进程"), job)
}
func (l Lang) CloudDaemonWorking(a int, b int) string {
	return fill(l.pick("{0} of {1} work", "{1} 个中有 {0} 个在工作"), number(a), number(b))
}
func (l Lang) CloudDidDisable(name string) string {
	return fill(l.pick("{0} is disabled.", "{0} 已停用。"), name)
}
func (l Lang) CloudDidEnable(name string) string {
	return fill(l.pick("{0} is enabled. What passed meanwhile is not made up for.", "{0} 已启用。期间错过的不会补跑。"), name)
}
func (l Lang) CloudDidKill() string {
	return l.pick("The run is being killed.", "正在终止该运行。")
}
func (l Lang) CloudDidKillShard() string {
	return l.pick("The process has to end.", "已要求该进程结束。")
}
func (l Lang) CloudDidMake(name string) string {
	return fill(l.pick("{0} is registered.", "已注册 {0}。"), name)
}
func (l Lang) CloudDidRemove(name string) string {
	return fill(l.pick("{0} is removed.", "{0} 已移除。"), name)
}
func (l Lang) CloudDidResume() string { return l.pick("The run goes on.", "该运行已继续。") }
func (l Lang) CloudDidSave(name string) string {
	return fill(l.pick("{0} is saved.", "已保存 {0}。"), name)
}
func (l Lang) CloudDidSuspend() string {
	return l.pick("The run is being suspended. Its processes end, and Resume goes on with the shards that have not succeeded.", "正在暂停该运行。它的进程会结束，继续时只运行尚未成功的分片。")
}
func (l Lang) CloudDidTrigger(run string) string {
	return fill(l.pick("The run {0} is requested.", "已请求运行 {0}。"), run)
}
func (l Lang) CloudDisable() string { return l.pick("Disable", "停用") }
func (l Lang) CloudDisableApp(n int) string {
	return fill(l.plural(n, "Its one job no longer runs.", "Its {0} jobs no longer run.", "它的 {0} 个作业不再运行。"), number(n))
}
func (l Lang) CloudDisableJob() string {
	return l.pick("Fire times pass without a run, and nobody can trigger it.", "触发时间会过去而不运行，也不能手动触发。")
}
func (l Lang) CloudDisableNothing() string {
	return l.pick("What passes meanwhile is not made up for.", "期间错过的不会补跑。")
}
func (l Lang) CloudDisablePending() string {
	return l.pick("Fire times and requests that wait are forgotten.", "等待中的触发时间和请求会被清除。")
}
func (l Lang) CloudDisableRuns() string {
	return l.pick("What becomes of runs that go on", "进行中的运行如何处理")
}
func (l Lang) CloudDisableTitle(name string) string {
	return fill(l.pick("Disable {0}?", "停用 {0}？"), name)
}
func (l Lang) CloudDisabled() string             { return l.pick("Disabled", "已停用") }
func (l Lang) CloudDisabledByApp() string        { return l.pick("with its app", "随应用停用") }
func (l Lang) CloudDownload() string             { return l.pick("Download", "下载") }
func (l Lang) CloudEdit() string                 { return l.pick("Edit", "编辑") }
func (l Lang) CloudEditTitle(name string) string { return fill(l.pick("Edit {0}", "编辑 {0}"), name) }
func (l Lang) CloudEnable() string               { return l.pick("Enable", "启用") }
func (l Lang) CloudEngine() string               { return l.pick("Engine", "引擎") }
func (l Lang) CloudEnv() string                  { return l.pick("Variables", "变量") }
func (l Lang) CloudEnvSub() string {
	return l.pick("of the environment of its processes", "进程的环境变量")
}
func (l Lang) CloudExecutes(program string) string {
	return fill(l.pick("Each shard starts this program: {0}", "每个分片启动此程序：{0}"), program)
}
func (l Lang) CloudExecutesImage(image string) string {
	return fill(l.pick("Each shard starts the image {0}.", "每个分片启动镜像 {0}。"), image)
}
func (l Lang) CloudExecutesInImage(image string, program string) string {
	return fill(l.pick("Each shard starts the image {0} with: {1}", "每个分片启动镜像 {0}，并执行：{1}"), image, program)
}
func (l Lang) CloudExecutesShell(script string) string {
	return fill(l.pick("Each shard has a shell of the console's machine execute: {0}", "每个分片让控制台所在机器的 shell 执行：{0}"), script)
}
func (l Lang) CloudExists() string { return l.pick("The name is in use.", "该名称已被使用。") }
func (l Lang) CloudExistsHint() string {
	return l.pick("Choose another name, or change the one that exists.", "请换一个名称，或修改已有的。")
}
func (l Lang) CloudFiresOff() string { return l.pick("It is disabled.", "已停用。") }
func (l Lang) CloudFiresOver() string {
	return l.pick("No fire time is left.", "没有剩余的触发时间。")
}
func (l Lang) CloudFollows() string {
	return l.pick("Another console schedules at present", "目前由另一个控制台负责调度")
}
func (l Lang) CloudFollowsText() string {
	return l.pick("What you do here is carried out there.", "在此提交的操作会在那里执行。")
}
func (l Lang) CloudFormAfter() string  { return l.pick("After", "之后") }
func (l Lang) CloudFormAgain() string  { return l.pick("Back to the form", "返回表单") }
func (l Lang) CloudFormBefore() string { return l.pick("Before", "之前") }
func (l Lang) CloudFormChanged() string {
	return l.pick("Somebody else has changed it meanwhile. What you typed is kept; look at it again.", "其间有人作了修改。您输入的内容已保留；请再检查一遍。")
}
func (l Lang) CloudFormField() string { return l.pick("Field", "字段") }
func (l Lang) CloudFormFires() string {
	return l.pick("The job fires from now on, as its expression says.", "作业从现在起按其表达式触发。")
}
func (l Lang) CloudFormNothing() string {
	return l.pick("Nothing has changed.", "没有任何更改。")
}
func (l Lang) CloudFormReview() string { return l.pick("Review", "预览") }
func (l Lang) CloudFormRuns() string {
	return l.pick("Runs that have begun are not touched. The next ones are as saved.", "已开始的运行不受影响，之后的运行按保存的内容进行。")
}
func (l Lang) CloudFormSave() string { return l.pick("Save", "保存") }
func (l Lang) CloudFormWhat() string { return l.pick("What runs", "运行什么") }
func (l Lang) CloudFormWhen() string {
	return l.pick("When, and what then", "何时运行，以及之后")
}
func (l Lang) CloudFormWrong() string { return l.pick("Nothing was saved", "未保存任何内容") }
func (l Lang) CloudHasEnded() string {
	return l.pick("The run has ended already.", "该运行已经结束。")
}
func (l Lang) CloudHelpApp() string {
	return l.pick("What its processes are made of.", "其进程由什么构成。")
}
func (l Lang) CloudHelpArgs() string {
	return l.pick("Further arguments, one on each line.", "其余参数，每行一个。")
}
func (l Lang) CloudHelpCommand() string {
	return l.pick("The program, then its first arguments: one word on each line, without a shell. Empty: the image's own.", "程序及其前面的参数：每行一个词，不经过 shell。留空：使用镜像自带的命令。")
}
func (l Lang) CloudHelpCpu() string {
	return l.pick("Processors for each process; 0.5 is half of one.", "每个进程的处理器数；0.5 表示半个。")
}
func (l Lang) CloudHelpCron() string {
	return l.pick("A Quartz expression, such as 0 0 2 * * ?. Empty: runs on request alone.", "Quartz 表达式，例如 0 0 2 * * ?。留空：仅按请求运行。")
}
func (l Lang) CloudHelpDescription() string { return l.pick("For people.", "供人阅读。") }
func (l Lang) CloudHelpEnv() string {
	return l.pick("Variables of its environment, name=value on each line. For secrets use those of the cluster.", "环境变量，每行一个 name=value。机密请使用集群的 Secret。")
}
func (l Lang) CloudHelpErrorHandler() string {
	return l.pick("EMAIL, WECHAT, DINGTALK or WEBHOOK has somebody notified of each failed run, as the properties say.", "EMAIL、WECHAT、DINGTALK 或 WEBHOOK：运行失败时按属性发送通知。")
}
func (l Lang) CloudHelpFailover() string {
	return l.pick("Try a shard again whose process failed or was lost.", "进程失败或丢失的分片再次尝试。")
}
func (l Lang) CloudHelpGrace() string {
	return l.pick("Seconds until a process that has to end is killed; 0 is 30.", "要求进程结束后到强制终止的秒数；0 表示 30。")
}
func (l Lang) CloudHelpImage() string {
	return l.pick("Such as registry.example/shop@sha256:…", "例如 registry.example/shop@sha256:…")
}
func (l Lang) CloudHelpMemory() string {
	return l.pick("Megabytes for each process.", "每个进程的内存，单位 MB。")
}
func (l Lang) CloudHelpMisfire() string {
	return l.pick("Make up for each fire time that was missed.", "补上每个错过的触发时间。")
}
func (l Lang) CloudHelpName() string {
	return l.pick("1 to 100 characters; it never changes.", "1 到 100 个字符；之后不能更改。")
}
func (l Lang) CloudHelpNamespace() string {
	return l.pick("Where it is in the cluster; it never changes. A job and its application are in the same one.", "它在集群中的位置；之后不能更改。作业与其应用在同一命名空间。")
}
func (l Lang) CloudHelpParameter() string {
	return l.pick("What all shards get.", "所有分片得到的参数。")
}
func (l Lang) CloudHelpProps() string {
	return l.pick("name=value on each line.", "每行一个 name=value。")
}
func (l Lang) CloudHelpScript() string {
	return l.pick("A command of an archive, as upstream has it.", "归档中的命令，与上游相同。")
}
func (l Lang) CloudHelpShardParameters() string {
	return l.pick("What each shard gets, such as 0=Beijing,1=Shanghai.", "每个分片得到的参数，例如 0=Beijing,1=Shanghai。")
}
func (l Lang) CloudHelpShards() string {
	return l.pick("How many processes a run has.", "一次运行有多少个进程。")
}
func (l Lang) CloudHelpShell() string {
	return l.pick("A shell executes bootstrapScript.", "由 shell 执行 bootstrapScript。")
}
func (l Lang) CloudHelpZone() string {
	return l.pick("Such as Europe/Berlin. Empty: the console's.", "例如 Europe/Berlin。留空：控制台的时区。")
}
func (l Lang) CloudHost() string       { return l.pick("Host", "主机") }
func (l Lang) CloudJobActive() string  { return l.pick("Active", "进行中") }
func (l Lang) CloudJobCannot() string  { return l.pick("Cannot run", "无法运行") }
func (l Lang) CloudJobFailing() string { return l.pick("Failing", "失败") }
func (l Lang) CloudJobIdle() string    { return l.pick("Idle", "空闲") }
func (l Lang) CloudJobNew() string     { return l.pick("New job", "新建作业") }
func (l Lang) CloudJobNoRuns() string {
	return l.pick("The engine has no run of this job", "引擎没有该作业的运行")
}
func (l Lang) CloudJobViews() string { return l.pick("States of jobs", "作业状态") }
func (l Lang) CloudJobsNone() string {
	return l.pick("No job of ElasticJob-Cloud yet", "还没有 ElasticJob-Cloud 的作业")
}
func (l Lang) CloudJobsNoneSuch() string {
	return l.pick("No job is in this state", "没有处于该状态的作业")
}
func (l Lang) CloudJobsNoneText() string {
	return l.pick("Register an app, then a job that runs it: POST /api/cloud/apps and /api/cloud/jobs.", "先注册应用，再注册运行它的作业：POST /api/cloud/apps 和 /api/cloud/jobs。")
}
func (l Lang) CloudKill() string { return l.pick("Kill", "终止") }
func (l Lang) CloudKillEffect(n int) string {
	return fill(l.plural(n, "Its process ends: first they are asked to, then they are made to.", "Its processes end, up to {0} of them: first they are asked to, then they are made to.", "它的进程（最多 {0} 个）会结束：先请求退出，再强制结束。"), number(n))
}
func (l Lang) CloudKillFinal() string {
	return l.pick("A run that was killed does not go on. Shards that have succeeded stay so.", "被终止的运行不会继续。已成功的分片保持成功。")
}
func (l Lang) CloudKillNext() string {
	return l.pick("The job itself stays as it is: its next fire time makes a new run.", "作业本身不变：下一次触发会产生新的运行。")
}
func (l Lang) CloudKillShardAgain() string {
	return l.pick("With failover another attempt may follow.", "开启 failover 时，可能再尝试一次。")
}
func (l Lang) CloudKillShardEffect() string {
	return l.pick("Its process ends. The other shards go on.", "其进程结束，其他分片继续。")
}
func (l Lang) CloudKillShardTitle(n string) string {
	return fill(l.pick("Kill the process of shard {0}?", "终止分片 {0} 的进程？"), n)
}
func (l Lang) CloudKillTitle(run string) string {
	return fill(l.pick("Kill {0}?", "终止 {0}？"), run)
}
func (l Lang) CloudKilled() string   { return l.pick("Killed", "已终止") }
func (l Lang) CloudLastFire() string { return l.pick("Last fire time", "上次触发时间") }
func (l Lang) CloudLastRuns() string { return l.pick("Last runs", "最近的运行") }
func (l Lang) CloudLeads() string    { return l.pick("Schedules here", "在此调度") }
func (l Lang) CloudLogAway() string {
	return l.pick("The engine does not answer at present; the log is read again.", "引擎目前没有响应；日志会再次读取。")
}
func (l Lang) CloudLogCannot() string {
	return l.pick("The engine keeps no logs.", "该引擎不保留日志。")
}
func (l Lang) CloudLogDropped() string {
	return l.pick("The log is kept no more.", "日志已不再保留。")
}
func (l Lang) CloudLogEmpty() string {
	return l.pick("The process has written nothing so far.", "进程目前没有写任何内容。")
}
func (l Lang) CloudLogLast(n int) string {
	return fill(l.pick("the last {0} lines", "最后 {0} 行"), number(n))
}
func (l Lang) CloudLogMore() string { return l.pick("More lines", "更多行") }
func (l Lang) CloudLogNone() string {
	return l.pick("There is no process yet, and so no log.", "还没有进程，因此没有日志。")
}
func (l Lang) CloudMerged() string     { return l.pick("Merged", "合并") }
func (l Lang) CloudMissed() string     { return l.pick("Missed", "错过") }
func (l Lang) CloudMostShards() string { return l.pick("Most shards", "最多分片") }
func (l Lang) CloudNeeds() string      { return l.pick("Per process", "每个进程") }
func (l Lang) CloudNeedsValue(cpu string, memory string) string {
	return fill(l.pick("{0} CPU · {1} MB", "{0} CPU · {1} MB"), cpu, memory)
}
func (l Lang) CloudNext() string { return l.pick("Next", "下次") }
func (l Lang) CloudNo() string   { return l.pick("no", "否") }
func (l Lang) CloudNoApp(name string) string {
	return fill(l.pick("There is no app {0}.", "没有应用 {0}。"), name)
}
func (l Lang) CloudNoAttempt(value string) string {
	return fill(l.pick("attempt {0} is none of this shard", "attempt {0} 不是此分片的尝试"), value)
}
func (l Lang) CloudNoSchedule() string {
	return l.pick("The schedule cannot be read.", "无法读取调度。")
}
func (l Lang) CloudNoStart() string { return l.pick("Could not start", "无法启动") }
func (l Lang) CloudNoTasks() string {
	return l.pick("No process has been made yet", "还没有创建进程")
}
func (l Lang) CloudNode() string { return l.pick("Machine", "机器") }
func (l Lang) CloudNotFound() string {
	return l.pick("There is no such app, job, run or shard in ElasticJob-Cloud.", "ElasticJob-Cloud 中没有这个应用、作业、运行或分片。")
}
func (l Lang) CloudNotFoundHint() string {
	return l.pick("The engine keeps the last runs of each job; older ones are in the history of runs.", "引擎只保留每个作业最近的运行；更早的在运行历史中。")
}
func (l Lang) CloudOff() string {
	return l.pick("ElasticJob-Cloud is off in this console.", "此控制台未启用 ElasticJob-Cloud。")
}
func (l Lang) CloudOffHint() string {
	return l.pick("Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine.", "请以 --cloud local 启动 `console serve`，或启动 `console demo --cloud`：两者都在本机运行 ElasticJob-Cloud 的作业。")
}
func (l Lang) CloudOnRequest() string {
	return l.pick("It runs on request alone.", "只按请求运行。")
}
func (l Lang) CloudOriginPending() string { return l.pick("Made up for", "补跑") }
func (l Lang) CloudParamsHelp() string {
	return l.pick("One JSON object, or nothing.", "一个 JSON 对象，或留空。")
}
func (l Lang) CloudParts() string {
	return l.pick("Parts of ElasticJob-Cloud", "ElasticJob-Cloud 的各部分")
}
func (l Lang) CloudPending() string { return l.pick("Pending", "待运行") }
func (l Lang) CloudPendingNote() string {
	return l.pick("fire times that wait for a run", "等待运行的触发时间")
}
func (l Lang) CloudProcess() string { return l.pick("What a process is made of", "进程的组成") }
func (l Lang) CloudProgram() string { return l.pick("Program", "程序") }
func (l Lang) CloudQueueFailover() string {
	return l.pick("Shards that wait for a further attempt, because their process failed or was lost.", "进程失败或丢失、等待再次尝试的分片。")
}
func (l Lang) CloudQueueFire() string { return l.pick("Fire time", "触发时间") }
func (l Lang) CloudQueueFull() string {
	return l.pick("As many runs wait for the job as may.", "该作业等待的运行已达上限。")
}
func (l Lang) CloudQueueFullHint() string {
	return l.pick("Wait until some of them have run.", "请等其中一些运行完成。")
}
func (l Lang) CloudQueueMore(n int) string {
	return fill(l.plural(n, "{0} more is not listed.", "{0} more are not listed.", "还有 {0} 个未列出。"), number(n))
}
func (l Lang) CloudQueueNone() string  { return l.pick("Nothing at present", "目前没有") }
func (l Lang) CloudQueueReady() string { return l.pick("Waiting", "等待中") }
func (l Lang) CloudQueueReadyNote() string {
	return l.pick("Fire times and requests that have no run yet.", "还没有运行的触发时间和请求。")
}
func (l Lang) CloudQueueRequest(name string) string {
	return fill(l.pick("Requested by {0}", "由 {0} 请求"), name)
}
func (l Lang) CloudQueueRunning() string {
	return l.pick("Processes that have not ended: those that run, and those that are about to.", "尚未结束的进程：正在运行的和即将运行的。")
}
func (l Lang) CloudQueues() string     { return l.pick("Queues", "队列") }
func (l Lang) CloudReady() string      { return l.pick("Ready", "就绪") }
func (l Lang) CloudReasons() string    { return l.pick("What it waits for", "在等什么") }
func (l Lang) CloudReasonsSub() string { return l.pick("as the engine says", "引擎的说明") }
func (l Lang) CloudRefused() string {
	return l.pick("ElasticJob-Cloud refuses that as things are.", "ElasticJob-Cloud 在当前状态下拒绝此操作。")
}
func (l Lang) CloudRefusedHint() string {
	return l.pick("Nothing was changed.", "未作任何更改。")
}
func (l Lang) CloudRemove() string { return l.pick("Remove", "移除") }
func (l Lang) CloudRemoveApp() string {
	return l.pick("The description of the app is deleted. Programs and images stay where they are.", "应用的描述会被删除。程序和镜像保留在原处。")
}
func (l Lang) CloudRemoveHasJobs(n int, job string) string {
	return fill(l.plural(n, "{0} job uses the app, such as {1}. Remove that first.", "{0} jobs use the app, such as {1}. Remove that first.", "有 {0} 个作业在使用该应用，例如 {1}。请先移除它们。"), number(n), job)
}
func (l Lang) CloudRemoveHistory() string {
	return l.pick("The history of its runs stays.", "它的运行历史会保留。")
}
func (l Lang) CloudRemoveJob() string {
	return l.pick("The configuration of the job is deleted, with what waits for a run.", "作业的配置以及等待运行的内容会被删除。")
}
func (l Lang) CloudRemoveRequests(n int) string {
	return fill(l.plural(n, "{0} requested run that hasn't begun is cancelled, and named in the audit log.", "{0} requested runs that haven't begun are cancelled, and named in the audit log.", "{0} 个尚未开始的请求运行将被取消；审计日志会列出它们。"), number(n))
}
func (l Lang) CloudRemoveRuns() string {
	return l.pick("Runs that go on are killed.", "进行中的运行会被终止。")
}
func (l Lang) CloudRemoveTitle(name string) string {
	return fill(l.pick("Remove {0}?", "移除 {0}？"), name)
}
func (l Lang) CloudRequested() string { return l.pick("Requested", "已请求") }
func (l Lang) CloudResume() string    { return l.pick("Resume", "继续") }
func (l Lang) CloudRunsCount(from int, to int, n int) string {
	return fill(l.pick("{0}–{1} of {2}", "第 {0}–{1} 条，共 {2} 条"), number(from), number(to), number(n))
}
func (l Lang) CloudRunsNone() string {
	return l.pick("No run of ElasticJob-Cloud yet", "ElasticJob-Cloud 还没有运行")
}
func (l Lang) CloudRunsNoneSuch() string { return l.pick("No run like this", "没有这样的运行") }
func (l Lang) CloudRunsNoneText() string {
	return l.pick("A job that is registered runs at its fire times, or when somebody triggers it. Its runs appear here by themselves.", "已注册的作业会在触发时间运行，也可以手动触发。运行会自动显示在这里。")
}
func (l Lang) CloudSchedule() string { return l.pick("Schedule", "调度") }
func (l Lang) CloudShardTitle(number string) string {
	return fill(l.pick("Shard {0}", "分片 {0}"), number)
}
func (l Lang) CloudShardWaits() string {
	return l.pick("The shard waits: no process has been made for it yet.", "该分片在等待：还没有为它创建进程。")
}
func (l Lang) CloudShardsOf(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard", "{0} of {1} shards", "{1} 个分片中的 {0} 个"), number(m), number(n))
}
func (l Lang) CloudSince() string     { return l.pick("Since", "自") }
func (l Lang) CloudStates() string    { return l.pick("States of runs", "运行状态") }
func (l Lang) CloudSuspend() string   { return l.pick("Suspend", "暂停") }
func (l Lang) CloudSuspended() string { return l.pick("Suspended", "已暂停") }
func (l Lang) CloudTask() string      { return l.pick("Task", "任务") }
func (l Lang) CloudToRuns() string    { return l.pick("To the runs", "查看运行") }
func (l Lang) CloudTrigger() string   { return l.pick("Trigger", "触发") }
func (l Lang) CloudTriggerEffect() string {
	return l.pick("A run is requested. Its page is there as soon as the scheduler has made it.", "请求一次运行。调度器创建后即可看到它的页面。")
}
func (l Lang) CloudTriggerEnv() string {
	return l.pick("Its processes find the parameters in ELASTICJOB_RUN_PARAMETERS.", "它的进程可在 ELASTICJOB_RUN_PARAMETERS 中读到参数。")
}
func (l Lang) CloudTriggerTitle(job string) string {
	return fill(l.pick("Trigger {0}", "触发 {0}"), job)
}
func (l Lang) CloudTriggerWaits() string {
	return l.pick("While another run of the job goes on, it waits.", "该作业的另一次运行进行时，它会等待。")
}
func (l Lang) CloudTriggerWith() string { return l.pick("What the run gets", "本次运行的内容") }
func (l Lang) CloudType() string        { return l.pick("Type", "类型") }
func (l Lang) CloudUnnotifiedDaemon(handler string) string {
	return fill(l.pick("{0} has no effect for a DAEMON job, because no notifications are sent for the runs its processes report.", "{0} 对 DAEMON 作业无效：其进程自行上报运行，失败时不发送通知。"), handler)
}
func (l Lang) CloudUnnotifiedHost(host string) string {
	return fill(l.pick("{0} is not allowed. Add it to --cloud-notify-hosts of the console if jobs may send messages to it.", "{0} 不在允许之列。若允许作业向其发送，请将它加入控制台的 --cloud-notify-hosts。"), host)
}
func (l Lang) CloudUnnotifiedOff(handler string) string {
	return fill(l.pick("{0} needs --cloud-notify-hosts with the allowed hosts, because this console sends no notifications without it.", "{0} 需要用 --cloud-notify-hosts 指定允许发送到的主机：本控制台不发送通知。"), handler)
}
func (l Lang) CloudUnnotifiedProps(handler string, text string) string {
	return fill(l.pick("The properties of {0} are wrong: {1}", "{0} 的属性有误：{1}"), handler, text)
}
func (l Lang) CloudUnreachable() string { return l.pick("Unreachable", "失去联系") }
func (l Lang) CloudUnsupported() string {
	return l.pick("The engine cannot do that.", "引擎不支持此操作。")
}
func (l Lang) CloudUnsupportedHint() string {
	return l.pick("Another engine may. Nothing was changed.", "其他引擎也许支持。未作任何更改。")
}
func (l Lang) CloudUnused(fields string) string {
	return fill(l.pick("Kept, but without effect here: {0}.", "会保留，但在此不起作用：{0}。"), fields)
}
func (l Lang) CloudUnusedTitle() string { return l.pick("Without effect", "不起作用") }
func (l Lang) CloudWaiting() string     { return l.pick("Waiting", "等待中") }
func (l Lang) CloudWayFinish() string   { return l.pick("Let them finish", "等其完成") }
func (l Lang) CloudWayFinishText() string {
	return l.pick("They go on to their end.", "它们会运行到结束。")
}
func (l Lang) CloudWayKill() string { return l.pick("Kill them", "终止") }
func (l Lang) CloudWayKillText() string {
	return l.pick("Their processes end.", "它们的进程会结束。")
}
func (l Lang) CloudWaySuspend() string { return l.pick("Suspend them", "暂停") }
func (l Lang) CloudWaySuspendText() string {
	return l.pick("Their processes end. If it is enabled again within an hour, they go on.", "它们的进程会结束。一小时内重新启用则继续运行。")
}
func (l Lang) CloudWeek() string {
	return l.pick("Tasks that ran at a time, last seven days", "最近七天同时运行的任务")
}
func (l Lang) CloudWeekHour(from string, tasks int, jobs int) string {
	return fill(l.pick("{0} UTC: tasks that ran at a time: {1}; jobs: {2}", "{0} UTC：同时运行的任务 {1}，作业 {2}"), from, number(tasks), number(jobs))
}
func (l Lang) CloudWeekLabel(n int) string {
	return fill(l.pick("The most tasks that ran at a time, hour by hour over seven days: {0}", "七天内每小时同时运行任务的最大数：{0}"), number(n))
}
func (l Lang) CloudWeekMost(n int) string {
	return fill(l.plural(n, "task at most", "tasks at most", "个任务为最大值"), number(n))
}
func (l Lang) CloudWeekUnknown(from string) string {
	return fill(l.pick("{0} UTC: not counted", "{0} UTC：未统计"), from)
}
func (l Lang) CloudWhat() string { return l.pick("What", "内容") }
func (l Lang) CloudWrongParams() string {
	return l.pick("The parameters must be one JSON object of at most 64 KiB.", "参数必须是一个 JSON 对象，最多 64 KiB。")
}
func (l Lang) CloudWrongShards() string {
	return l.pick("Write numbers of shards that the job has, such as 0, 2-4, or nothing for all.", "请填写该作业的分片号，例如 0, 2-4；留空表示全部。")
}
func (l Lang) CloudYes() string { return l.pick("yes", "是") }

// [config]

func (l Lang) ConfigAssign() string { return l.pick("Who executes a run", "由谁执行") }
func (l Lang) ConfigAssignHelp() string {
	return l.pick("each: every shard. one: one free shard; needs no cron, and Monitor execution.", "each：每个分片。one：一个空闲分片；要求没有 Cron，且监控执行状态。")
}
func (l Lang) ConfigBack() string { return l.pick("Back to editing", "返回编辑") }
func (l Lang) ConfigBackoff() string {
	return l.pick("Wait before the second attempt", "第二次尝试前的等待")
}
func (l Lang) ConfigBackoffHelp() string {
	return l.pick("Such as 30s. It doubles with each further one. Empty: 0s.", "例如 30s，之后每次加倍。留空：0s。")
}
func (l Lang) ConfigBackoffMost() string { return l.pick("Wait at most", "最长等待") }
func (l Lang) ConfigChanged() string     { return l.pick("changed", "已改") }
func (l Lang) ConfigChanges(n int) string {
	return fill(l.plural(n, "{0} change", "{0} changes", "{0} 处修改"), number(n))
}
func (l Lang) ConfigClass() string { return l.pick("Class", "类") }
func (l Lang) ConfigClassHelp() string {
	return l.pick("What instances call the job's class. Empty: theirs; Java up to 3.0.2 needs it.", "实例使用的作业类名。留空：由实例决定；Java 3.0.2 及以前需要填写。")
}
func (l Lang) ConfigClockChange() string {
	return l.pick("When the clock is changed", "时钟调整时")
}
func (l Lang) ConfigClockChangeHelp() string {
	return l.pick("once: nothing is skipped, nothing fires twice.", "once：既不跳过，也不重复触发。")
}
func (l Lang) ConfigConflict(who string) string {
	return fill(l.pick("{0} saved while you were editing, and changed what you have changed. Nothing of either is lost: choose.", "{0} 在你编辑期间保存了配置，并修改了你也修改的内容。双方的内容都不会丢失：请选择。"), who)
}
func (l Lang) ConfigConflictBase() string   { return l.pick("Before", "之前") }
func (l Lang) ConfigConflictKey() string    { return l.pick("Field", "字段") }
func (l Lang) ConfigConflictMine() string   { return l.pick("Yours", "你的") }
func (l Lang) ConfigConflictTheirs() string { return l.pick("Stored now", "当前存储") }
func (l Lang) ConfigConflictTitle(job string) string {
	return fill(l.pick("Two changes of {0} meet", "对 {0} 的两处修改冲突"), job)
}
func (l Lang) ConfigConflictUse() string {
	return l.pick("Use the chosen values", "使用所选的值")
}
func (l Lang) ConfigCreate() string { return l.pick("Create", "创建") }
func (l Lang) ConfigCreateDown() string {
	return l.pick("No instance serves it yet: the job is shown as Down until one registers.", "还没有实例为它服务：在有实例注册之前，作业显示为已下线。")
}
func (l Lang) ConfigCreateFilled(n int) string {
	return fill(l.plural(n, "{0} field filled in", "{0} fields filled in", "已填写 {0} 项"), number(n))
}
func (l Lang) ConfigCreateNothing() string {
	return l.pick("Nothing yet: give the job a name, and what will be stored stands here.", "尚无内容：填写作业名称后，这里显示将存储的内容。")
}
func (l Lang) ConfigCreateSub() string { return l.pick("as it will be stored", "将存储的内容") }
func (l Lang) ConfigCreateTaken() string {
	return l.pick("Instances that register use this configuration, unless their own says Overwrite.", "注册的实例使用此配置，除非它们自己的配置启用了“覆盖”。")
}
func (l Lang) ConfigCreated(job string) string {
	return fill(l.pick("Created {0}. It has no instance yet.", "已创建 {0}。它还没有实例。"), job)
}
func (l Lang) ConfigCron() string { return l.pick("Cron", "Cron 表达式") }
func (l Lang) ConfigCronHelp() string {
	return l.pick("Second, minute, hour, day, month, weekday. Empty: runs only when triggered.", "秒、分、时、日、月、星期。留空：仅手动触发。")
}
func (l Lang) ConfigDescription() string { return l.pick("Description", "描述") }
func (l Lang) ConfigDifferences() string { return l.pick("Changes", "修改") }
func (l Lang) ConfigDifferencesNote() string {
	return l.pick("Tags, unknown keys and the order of the stored document stay as they are.", "标签、未知的键以及存储文档的顺序保持不变。")
}
func (l Lang) ConfigDifferencesSub() string {
	return l.pick("stored → yours", "已存储 → 你的")
}
func (l Lang) ConfigDisabled() string { return l.pick("Disabled", "禁用") }
func (l Lang) ConfigDisabledHelp() string {
	return l.pick("Servers that register are disabled. Live ones are not touched.", "新注册的服务器为禁用状态；在线的不受影响。")
}
func (l Lang) ConfigDiscard() string  { return l.pick("Discard", "放弃") }
func (l Lang) ConfigDocument() string { return l.pick("The document", "文档") }
func (l Lang) ConfigDocumentHelp() string {
	return l.pick("Comments and keys that this console does not know stay as they are stored.", "注释以及控制台不认识的键保持原样。")
}
func (l Lang) ConfigDuplicate() string { return l.pick("Duplicate…", "复制…") }
func (l Lang) ConfigEffectAppliesAtOnce(n int) string {
	return fill(l.plural(n, "{0} live instance uses it from the next run on.", "{0} live instances use it from the next run on.", "{0} 个在线实例从下一次运行起使用。"), number(n))
}
func (l Lang) ConfigEffectAppliesLater() string {
	return l.pick("No instance is alive: it counts as soon as one starts.", "没有在线实例：有实例启动后生效。")
}
func (l Lang) ConfigEffectDisabledAtStart() string {
	return l.pick("Instances that start register as disabled; live ones go on. Use Disable for those.", "新启动的实例注册为禁用；在线实例继续运行，请用“禁用”处理它们。")
}
func (l Lang) ConfigEffectFailoverIdle() string {
	return l.pick("Failover does nothing while Monitor execution is off.", "监控执行状态关闭时失效转移不起作用。")
}
func (l Lang) ConfigEffectFireDropped(time string) string {
	return fill(l.pick("The run at {0} does not happen.", "{0} 的运行不会发生。"), time)
}
func (l Lang) ConfigEffectGoOnly(name string) string {
	return fill(l.pick("Java instances ignore {0}: they follow Quartz.", "Java 实例忽略 {0}：它们遵循 Quartz。"), name)
}
func (l Lang) ConfigEffectNoMisfire() string {
	return l.pick("Missed fire times are not made up for any more.", "错过的触发时间不再补执行。")
}
func (l Lang) ConfigEffectNoParameter(n int, m int) string {
	return fill(l.plural(n, "{0} shard has no parameter, the first is {1}.", "{0} shards have no parameter, the first is {1}.", "{0} 个分片没有参数，第一个是 {1}。"), number(n), number(m))
}
func (l Lang) ConfigEffectNotMadeUp() string {
	return l.pick("Fire times missed before you save are not made up for; a run that is under way goes on.", "保存之前错过的触发时间不再补执行；正在进行的运行继续。")
}
func (l Lang) ConfigEffectNothing() string {
	return l.pick("Nothing: this is what is stored.", "没有变化：存储的就是这样。")
}
func (l Lang) ConfigEffectOverwritten() string {
	return l.pick("An instance that starts puts the settings of its code in place of this, as Overwrite says.", "按照“覆盖”，实例启动时会用代码中的设置替换此处。")
}
func (l Lang) ConfigEffectReadable() string {
	return l.pick("Readable for Go agents and Java 3.0.x, up to 3.0.4 and 3.0.5.", "Go 实例与 Java 3.0.x（3.0.4 及以前、3.0.5）均可读取。")
}
func (l Lang) ConfigEffectReadable2x() string {
	return l.pick("Readable for Java 2.1.x.", "Java 2.1.x 可读取。")
}
func (l Lang) ConfigEffectReadableFrom305() string {
	return l.pick("Readable for Go agents and Java from 3.0.5 on; the thread pool's key stops older ones.", "Go 实例与 Java 3.0.5 及以后可读取；线程池的键会使更早的实例停止触发。")
}
func (l Lang) ConfigEffectReadableUpTo304() string {
	return l.pick("Readable for Go agents and Java up to 3.0.4; the thread pool's key stops agents of 3.0.5.", "Go 实例与 Java 3.0.4 及以前可读取；线程池的键会使 3.0.5 的实例停止触发。")
}
func (l Lang) ConfigEffectReschedules(n int) string {
	return fill(l.plural(n, "{0} live instance reschedules at once.", "{0} live instances reschedule at once.", "{0} 个在线实例立即重新调度。"), number(n))
}
func (l Lang) ConfigEffectReshards(n int) string {
	return fill(l.plural(n, "Resharding before the next run: {0} shard moves.", "Resharding before the next run: {0} shards move.", "下一次运行之前重新分片：移动 {0} 个分片。"), number(n))
}
func (l Lang) ConfigEffectReshardsSomehow() string {
	return l.pick("The shards are assigned again before the next run, and it isn't known which ones move.", "下一次运行之前重新分片；无法预知哪些分片会移动。")
}
func (l Lang) ConfigEffectReshardsWaits(n int) string {
	return fill(l.plural(n, "The leader waits for {0} running shard first.", "The leader waits for {0} running shards first.", "主节点会先等待 {0} 个正在运行的分片。"), number(n))
}
func (l Lang) ConfigEffectShardsFewer(n int) string {
	return fill(l.plural(n, "{0} shard goes.", "{0} shards go.", "减少 {0} 个分片。"), number(n))
}
func (l Lang) ConfigEffectShardsNew(n int) string {
	return fill(l.plural(n, "{0} shard is new; fire times from before are none of theirs.", "{0} shards are new; fire times from before are none of theirs.", "新增 {0} 个分片；之前的触发时间与它们无关。"), number(n))
}
func (l Lang) ConfigEffectStillMadeUp() string {
	return l.pick("Fire times missed before you save are still made up for.", "保存之前错过的触发时间仍会补执行。")
}
func (l Lang) ConfigEffectStrategyLater() string {
	return l.pick("The strategy counts at the next resharding; no shard moves now.", "策略在下一次重新分片时生效；现在不移动分片。")
}
func (l Lang) ConfigEffectUnmonitored() string {
	return l.pick("Without Monitor execution a shard may run twice at once, and lost shards are not failed over.", "不监控执行状态时，同一分片可能同时运行两次，丢失的分片不会失效转移。")
}
func (l Lang) ConfigEmpty() string            { return l.pick("(empty)", "（空）") }
func (l Lang) ConfigErrorHandler() string     { return l.pick("Error handler", "错误处理策略") }
func (l Lang) ConfigErrorHandlerHelp() string { return l.pick("Empty: LOG.", "留空：LOG。") }
func (l Lang) ConfigExclude() string          { return l.pick("Does not fire on", "不触发的日期") }
func (l Lang) ConfigExcludeHelp() string {
	return l.pick("Dates 2026-12-25, ranges 2026-12-24/2027-01-02, weekdays SAT, by the calendar of the job's zone.", "日期 2026-12-25、区间 2026-12-24/2027-01-02、星期 SAT，按作业的时区。")
}
func (l Lang) ConfigExecutor() string     { return l.pick("Thread pool", "线程池策略") }
func (l Lang) ConfigExecutorHelp() string { return l.pick("Empty: CPU.", "留空：CPU。") }
func (l Lang) ConfigExpiry() string       { return l.pick("Expires after", "过期时间") }
func (l Lang) ConfigExpiryHelp() string {
	return l.pick("If it has not begun. -1: never. Empty: 168h.", "到时仍未开始。-1：永不。留空：168h。")
}
func (l Lang) ConfigFailover() string { return l.pick("Failover", "失效转移") }
func (l Lang) ConfigFailoverHelp() string {
	return l.pick("Other instances run the shards of a lost one. Needs Monitor execution.", "由其他实例接管丢失实例的分片。需要监控执行状态。")
}
func (l Lang) ConfigFrom() string { return l.pick("Fires from", "开始时间") }
func (l Lang) ConfigFromHelp() string {
	return l.pick("A time such as 2026-12-24T08:00:00Z. Empty: always.", "例如 2026-12-24T08:00:00Z。留空：一直。")
}
func (l Lang) ConfigGroupBehaviour() string { return l.pick("Behaviour", "行为") }
func (l Lang) ConfigGroupJob() string       { return l.pick("Job", "作业") }
func (l Lang) ConfigGroupLimits() string    { return l.pick("Limits and errors", "限制与错误处理") }
func (l Lang) ConfigGroupRest() string      { return l.pick("Everything else", "其他") }
func (l Lang) ConfigGroupRuns() string {
	return l.pick("Runs with parameters, and attempts", "带参数的运行与重试")
}
func (l Lang) ConfigGroupSchedule() string { return l.pick("Schedule", "调度") }
func (l Lang) ConfigGroupShards() string   { return l.pick("Shards", "分片") }
func (l Lang) ConfigGuest() string {
	return l.pick("View-only access: your role can't change this.", "只读权限：您的角色不能修改。")
}
func (l Lang) ConfigItemParameters() string { return l.pick("Shard parameters", "分片参数") }
func (l Lang) ConfigItemParametersHelp() string {
	return l.pick("Such as 0=Berlin,1=Hamburg", "例如 0=Berlin,1=Hamburg")
}
func (l Lang) ConfigJitter() string { return l.pick("Jitter", "抖动") }
func (l Lang) ConfigJitterHelp() string {
	return l.pick("Up to 1h, such as 30s: less than half the smallest gap between fires.", "最多 1h，例如 30s：小于最短触发间隔的一半。")
}
func (l Lang) ConfigKeep() string {
	return l.pick("Ended runs kept in ZooKeeper", "ZooKeeper 中保留的已结束运行")
}
func (l Lang) ConfigLabel() string     { return l.pick("Label", "标签") }
func (l Lang) ConfigListeners() string { return l.pick("Listeners", "监听器") }
func (l Lang) ConfigListenersHelp() string {
	return l.pick("One name on each line. Every instance must know all of them.", "每行一个名称。每个实例都必须认识全部监听器。")
}
func (l Lang) ConfigLost() string { return l.pick("After a loss", "丢失之后") }
func (l Lang) ConfigLostHelp() string {
	return l.pick("Of the instance that runs a shard. again: it runs again. fail: it fails.", "指运行分片的实例丢失。again：重新运行。fail：失败。")
}
func (l Lang) ConfigMaxTimeDiff() string {
	return l.pick("Clock difference, seconds", "时钟误差，秒")
}
func (l Lang) ConfigMaxTimeDiffHelp() string {
	return l.pick("The most between an instance and ZooKeeper; -1: not checked.", "实例与 ZooKeeper 之间的上限；-1：不检查。")
}
func (l Lang) ConfigMerge() string { return l.pick("Merge theirs into mine", "合并对方的修改") }
func (l Lang) ConfigMerged(who string, keys string) string {
	return fill(l.pick("{0} saved while you were editing and changed {1}.", "{0} 在你编辑期间保存了配置，修改了 {1}。"), who, keys)
}
func (l Lang) ConfigMergedChoice() string {
	return l.pick("Your choice is in what you see below. Nothing is stored yet.", "下面是按你的选择合并的结果。尚未保存。")
}
func (l Lang) ConfigMergedText() string {
	return l.pick("Your changes touch other fields; both are in what you see below. Nothing is stored yet.", "你修改的是其他字段；下面包含双方的修改。尚未保存。")
}
func (l Lang) ConfigMisfire() string { return l.pick("Misfire", "错过任务重执行") }
func (l Lang) ConfigMisfireHelp() string {
	return l.pick("A missed fire time is made up for, once.", "错过的触发时间补执行一次。")
}
func (l Lang) ConfigMonitor() string { return l.pick("Monitor execution", "监控执行状态") }
func (l Lang) ConfigMonitorHelp() string {
	return l.pick("Marks running shards; needed for failover and against overlapping runs.", "标记正在运行的分片；失效转移和防止重叠执行需要它。")
}
func (l Lang) ConfigName() string { return l.pick("Name", "名称") }
func (l Lang) ConfigNameHelp() string {
	return l.pick("As instances register it. It cannot be changed later.", "与实例注册的名称相同，之后不能修改。")
}
func (l Lang) ConfigNeedLook(n int) string {
	return fill(l.plural(n, "{0} field needs a look", "{0} fields need a look", "{0} 个字段需要检查"), number(n))
}
func (l Lang) ConfigNew() string       { return l.pick("New job", "新建作业") }
func (l Lang) ConfigNoChanges() string { return l.pick("No changes", "没有修改") }
func (l Lang) ConfigOff() string       { return l.pick("off", "关") }
func (l Lang) ConfigOn() string        { return l.pick("on", "开") }
func (l Lang) ConfigOverlap() string {
	return l.pick("A run while the job is busy", "作业忙时的运行")
}
func (l Lang) ConfigOverlapHelp() string {
	return l.pick("queue: waits. one: waits unless another waits. skip: is skipped. cancel: the oldest is cancelled.", "queue：等待。one：没有其他等待的才等待。skip：跳过。cancel：取消最早的。")
}
func (l Lang) ConfigOverwrite() string { return l.pick("Overwrite", "覆盖") }
func (l Lang) ConfigOverwriteHelp() string {
	return l.pick("An instance that starts puts the settings of its code in place of these.", "实例启动时用代码中的设置覆盖此处。")
}
func (l Lang) ConfigParameter() string { return l.pick("Job parameter", "作业参数") }
func (l Lang) ConfigParameterHelp() string {
	return l.pick("Handed to every shard.", "传给每个分片。")
}
func (l Lang) ConfigPauseAfter() string {
	return l.pick("Hold after failed runs in a row", "连续失败多少次后暂停")
}
func (l Lang) ConfigPauseAfterHelp() string {
	return l.pick("Empty or 0: never.", "留空或 0：永不。")
}
func (l Lang) ConfigPreview() string   { return l.pick("Preview", "预览") }
func (l Lang) ConfigPropKey() string   { return l.pick("Key", "键") }
func (l Lang) ConfigPropNew() string   { return l.pick("New property", "新属性") }
func (l Lang) ConfigPropValue() string { return l.pick("Value", "值") }
func (l Lang) ConfigProps() string     { return l.pick("Properties", "属性") }
func (l Lang) ConfigReason() string    { return l.pick("Reason", "原因") }
func (l Lang) ConfigReasonHelp() string {
	return l.pick("Kept with the version and in the audit log.", "随版本保存，并写入审计日志。")
}
func (l Lang) ConfigReconcile() string {
	return l.pick("Reconcile interval, minutes", "自诊断修复间隔，分钟")
}
func (l Lang) ConfigReconcileHelp() string { return l.pick("0: off.", "0：关闭。") }
func (l Lang) ConfigRetries() string       { return l.pick("Attempts after the first", "重试次数") }
func (l Lang) ConfigReview() string        { return l.pick("Review and save…", "检查并保存…") }
func (l Lang) ConfigReviewTitle(job string) string {
	return fill(l.pick("Review the change of {0}", "检查对 {0} 的修改"), job)
}
func (l Lang) ConfigRunLog() string { return l.pick("Store log lines", "保存日志") }
func (l Lang) ConfigRunLogHelp() string {
	return l.pick("Usually on: the lines that handlers log appear on the pages of runs.", "默认 on：处理器输出的日志会显示在运行页面上。")
}
func (l Lang) ConfigSave() string    { return l.pick("Save", "保存") }
func (l Lang) ConfigSaveNow() string { return l.pick("Save", "保存") }
func (l Lang) ConfigSaved(job string) string {
	return fill(l.pick("Saved the configuration of {0}.", "已保存 {0} 的配置。"), job)
}
func (l Lang) ConfigSavedAlready(job string) string {
	return fill(l.pick("The configuration of {0} is stored already as you wanted it.", "{0} 的配置已经是你想要的内容。"), job)
}
func (l Lang) ConfigSavedKeys(keys string) string {
	return fill(l.pick("Changed: {0}", "已修改：{0}"), keys)
}
func (l Lang) ConfigSavedNothing(job string) string {
	return fill(l.pick("Nothing was changed: the configuration of {0} is stored like this.", "没有任何修改：{0} 的配置本来就是这样。"), job)
}
func (l Lang) ConfigScript() string   { return l.pick("Command line", "命令行") }
func (l Lang) ConfigShards() string   { return l.pick("Number of shards", "分片数") }
func (l Lang) ConfigSomebody() string { return l.pick("Somebody", "有人") }
func (l Lang) ConfigStale(who string) string {
	return fill(l.pick("{0} saved another version while you were editing. Merging keeps both changes; where they touch the same field you are asked.", "您编辑期间，{0} 保存了另一个版本。合并会保留双方的修改；同一字段有冲突时会询问您。"), who)
}
func (l Lang) ConfigStaticSharding() string { return l.pick("Static sharding", "静态分片") }
func (l Lang) ConfigStaticShardingHelp() string {
	return l.pick("The assignment stays when instances come and go.", "实例增减时分配保持不变。")
}
func (l Lang) ConfigStrategy() string { return l.pick("Sharding strategy", "分片策略") }
func (l Lang) ConfigStrategyHelp() string {
	return l.pick("Empty: AVG_ALLOCATION.", "留空：AVG_ALLOCATION。")
}
func (l Lang) ConfigStreaming() string { return l.pick("Streaming", "流式处理") }
func (l Lang) ConfigStreamingHelp() string {
	return l.pick("A dataflow job goes on until there is no data.", "数据流作业持续处理，直到没有数据。")
}
func (l Lang) ConfigTabForm() string  { return l.pick("Form", "表单") }
func (l Lang) ConfigTabJson() string  { return l.pick("JSON", "JSON") }
func (l Lang) ConfigTabYaml() string  { return l.pick("YAML", "YAML") }
func (l Lang) ConfigTimeZone() string { return l.pick("Time zone", "时区") }
func (l Lang) ConfigTimeZoneHelp() string {
	return l.pick("GMT with an offset, such as GMT+8. Empty: each instance's own.", "GMT 加偏移，例如 GMT+8。留空：各实例自己的时区。")
}
func (l Lang) ConfigTimeout() string { return l.pick("Timeout of an attempt", "每次尝试的超时") }
func (l Lang) ConfigTimeoutHelp() string {
	return l.pick("Such as 10m. Empty: none.", "例如 10m。留空：无。")
}
func (l Lang) ConfigTitle(job string) string {
	return fill(l.pick("Configuration of {0}", "{0} 的配置"), job)
}
func (l Lang) ConfigUnknownView(view string) string {
	return fill(l.pick("view {0} is unknown (use form or yaml)", "未知的 view：{0}（可用 form 或 yaml）"), view)
}
func (l Lang) ConfigUntil() string { return l.pick("Fires until", "结束时间") }
func (l Lang) ConfigUntilHelp() string {
	return l.pick("Not at that time itself. Empty: without end.", "不含该时间本身。留空：没有结束。")
}
func (l Lang) ConfigUsual(value string) string {
	return fill(l.pick("Empty: {0}.", "留空：{0}。"), value)
}
func (l Lang) ConfigUsualChoice(value string) string {
	return fill(l.pick("usual: {0}", "默认：{0}"), value)
}
func (l Lang) ConfigVersion(revision string) string {
	return fill(l.pick("Revision {0}", "修订 {0}"), revision)
}
func (l Lang) ConfigVersionBy(who string) string {
	return fill(l.pick("by {0},", "由 {0} 保存于"), who)
}
func (l Lang) ConfigVersionMissing(version string) string {
	return fill(l.pick("There is no version {0} any more; this is what is stored.", "版本 {0} 已不存在；这里显示当前存储的内容。"), version)
}
func (l Lang) ConfigVersionOf(time string) string {
	return fill(l.pick("The version of {0}", "{0} 的版本"), time)
}
func (l Lang) ConfigVersionOperators() string {
	return l.pick("version is for admins", "version 仅供管理员使用")
}
func (l Lang) ConfigVersionText() string {
	return l.pick("Nothing is stored yet: the review says what going back changes.", "尚未保存：检查页会说明恢复将改变什么。")
}
func (l Lang) ConfigVersionUnreadable() string {
	return l.pick("That version cannot be read here; this is what is stored.", "该版本无法读取；这里显示当前存储的内容。")
}
func (l Lang) ConfigVersions() string { return l.pick("Versions", "历史版本") }
func (l Lang) ConfigVersionsBefore() string {
	return l.pick("not saved here", "不是在这里保存的")
}
func (l Lang) ConfigVersionsCurrent() string { return l.pick("stored now", "当前存储") }
func (l Lang) ConfigVersionsElsewhere(revision string) string {
	return fill(l.pick("What is stored now (revision {0}) was not saved on this console.", "当前存储的内容（修订 {0}）不是在此控制台保存的。"), revision)
}
func (l Lang) ConfigVersionsNone() string {
	return l.pick("Nothing was saved here yet.", "这里还没有保存过。")
}
func (l Lang) ConfigVersionsNoneText() string {
	return l.pick("Each configuration that is saved on this console, or over its REST interface, is kept with who, when and why.", "在此控制台或通过其 REST 接口保存的每个配置，都会连同操作人、时间和原因一起保留。")
}
func (l Lang) ConfigVersionsOpen() string { return l.pick("Open the configuration", "打开配置") }
func (l Lang) ConfigVersionsRestore() string {
	return l.pick("Go back to this…", "恢复到此版本…")
}
func (l Lang) ConfigVersionsTitle(job string) string {
	return fill(l.pick("Versions of the configuration of {0}", "{0} 配置的历史版本"), job)
}
func (l Lang) ConfigView() string { return l.pick("How it is shown", "显示方式") }
func (l Lang) ConfigWant(want string) string {
	return fill(l.pick("Want {0}.", "应为：{0}。"), want)
}
func (l Lang) ConfigWantValue(value string, want string) string {
	return fill(l.pick("{0} is not allowed; want {1}.", "不允许 {0}；应为：{1}。"), value, want)
}
func (l Lang) ConfigWas(value string) string { return fill(l.pick("was {0}", "原为 {0}"), value) }
func (l Lang) ConfigWasEmpty() string        { return l.pick("was empty", "原为空") }
func (l Lang) ConfigWhenCreated() string     { return l.pick("When you create it", "创建之后") }
func (l Lang) ConfigWhenSaved() string       { return l.pick("When you save", "保存之后") }
func (l Lang) ConfigZone() string            { return l.pick("Time zone by name", "时区名称") }
func (l Lang) ConfigZoneHelp() string {
	return l.pick("An IANA name such as Europe/Berlin, in place of the time zone. Not while Java agents serve the job.", "IANA 名称，例如 Europe/Berlin，代替时区。有 Java 实例时不能设置。")
}

// [confirm]

func (l Lang) ConfirmBack() string { return l.pick("Back to the job", "返回作业") }
func (l Lang) ConfirmCancel() string {
	return l.pick("Cancel, change nothing", "取消，不做更改")
}
func (l Lang) ConfirmImpossible() string {
	return l.pick("This is not possible now", "现在无法执行")
}
func (l Lang) ConfirmInstances() string { return l.pick("Instances", "实例") }
func (l Lang) ConfirmRemove(job string) string {
	return fill(l.pick("Delete {0}?", "删除 {0}？"), job)
}
func (l Lang) ConfirmRemoveAgain() string {
	return l.pick("If a process that contains this job starts again, it registers the job again from its code.", "包含该作业的进程再次启动时，会按代码重新注册该作业。")
}
func (l Lang) ConfirmRemoveAlive(n int) string {
	return fill(l.plural(n, "{0} instance is alive. Stop the instances first, or end their processes: a job that runs would only write itself again.", "{0} instances are alive. Stop the instances first, or end their processes: a job that runs would only write itself again.", "有 {0} 个实例存活。请先终止实例或结束其进程：正在运行的作业会重新写入自己的数据。"), number(n))
}
func (l Lang) ConfirmRemoveHistory() string {
	return l.pick("The history of its executions stays in the trace database.", "其执行历史保留在事件追踪数据库中。")
}
func (l Lang) ConfirmRemoveRuns(n int) string {
	return fill(l.plural(n, "{0} requested run that hasn't ended is cancelled.", "{0} requested runs that haven't ended are cancelled.", "{0} 个尚未结束的请求运行将被取消。"), number(n))
}
func (l Lang) ConfirmRemoveWhat() string {
	return l.pick("The job's configuration and everything else stored about it in ZooKeeper is deleted. There is no undo; copy the configuration first if you may need it.", "作业的配置以及 ZooKeeper 中与它有关的一切都将被删除，无法撤销；如可能还需要，请先复制配置。")
}
func (l Lang) ConfirmStop(job string) string {
	return fill(l.pick("Stop the instances of {0}?", "终止 {0} 的实例？"), job)
}
func (l Lang) ConfirmStopFinal() string {
	return l.pick("This cannot be undone from the console: the job runs again only when its processes are restarted.", "无法在控制台撤销：只有重启其进程后，作业才会再次运行。")
}
func (l Lang) ConfirmStopNone() string {
	return l.pick("No instance of this job is alive; there is nothing to stop.", "该作业没有存活的实例，无可终止。")
}
func (l Lang) ConfirmStopProcess() string {
	return l.pick("The processes themselves go on, and so do their other jobs.", "进程本身及其其他作业继续运行。")
}
func (l Lang) ConfirmStopRunning(n int) string {
	return fill(l.plural(n, "{0} shard is running now: what has started is not interrupted.", "{0} shards are running now: what has started is not interrupted.", "{0} 个分片正在运行：已开始的执行不会中断。"), number(n))
}
func (l Lang) ConfirmStopWhat(n int) string {
	return fill(l.plural(n, "{0} instance of this job will stop scheduling it.", "{0} instances of this job will stop scheduling it.", "该作业的 {0} 个实例将停止调度它。"), number(n))
}
func (l Lang) ConfirmTypeName() string {
	return l.pick("To confirm, type the name:", "请输入名称以确认：")
}
func (l Lang) ConfirmWrongName(job string) string {
	return fill(l.pick("This is not the job's name. Nothing was changed; the name is {0}.", "这不是该作业的名称。未做任何更改；作业名为 {0}。"), job)
}

// [cron]

func (l Lang) CronAnd(list string, last string) string {
	return fill(l.pick("{0} and {1}", "{0}、{1}"), list, last)
}
func (l Lang) CronAtSecond(every string, second string) string {
	return fill(l.pick("{0}, at second {1}", "{0}的第 {1} 秒"), every, second)
}
func (l Lang) CronBeforeLast(n int, month string) string {
	return fill(l.plural(n, "{0} day before the last day of {1}", "{0} days before the last day of {1}", "{1}最后一天的前 {0} 天"), number(n), month)
}
func (l Lang) CronBetween(every string, from string, to string) string {
	return fill(l.pick("{0} from {1} to {2}", "{1} 至 {2} {0}"), every, from, to)
}
func (l Lang) CronComma(list string, next string) string {
	return fill(l.pick("{0}, {1}", "{0}、{1}"), list, next)
}
func (l Lang) CronDayNd(n int) string { return fill(l.pick("{0}nd", "{0} 日"), number(n)) }
func (l Lang) CronDayRange(from string, to string, month string) string {
	return fill(l.pick("from the {0} to the {1} of {2}", "{2} {0}至 {1}"), from, to, month)
}
func (l Lang) CronDayRd(n int) string { return fill(l.pick("{0}rd", "{0} 日"), number(n)) }
func (l Lang) CronDaySt(n int) string { return fill(l.pick("{0}st", "{0} 日"), number(n)) }
func (l Lang) CronDayStep(n int, from string, to string, month string) string {
	return fill(l.pick("every {0} days from the {1} to the {2} of {3}", "{3} {1}至 {2}每 {0} 天"), number(n), from, to, month)
}
func (l Lang) CronDayTh(n int) string { return fill(l.pick("{0}th", "{0} 日"), number(n)) }
func (l Lang) CronDays(list string, month string) string {
	return fill(l.pick("on the {0} of {1}", "{1} {0}"), list, month)
}
func (l Lang) CronDaysAt(days string, times string) string {
	return fill(l.pick("{0} at {1}", "{0} {1}"), days, times)
}
func (l Lang) CronDaysMonthRange(days string, from string, to string) string {
	return fill(l.pick("{0} from {1} to {2}", "{1}至 {2}的{0}"), days, from, to)
}
func (l Lang) CronDaysMonths(days string, months string) string {
	return fill(l.pick("{0} in {1}", "{1}的{0}"), days, months)
}
func (l Lang) CronEveryDay() string  { return l.pick("every day", "每天") }
func (l Lang) CronEveryHour() string { return l.pick("every hour", "每小时") }
func (l Lang) CronEveryHours(n int) string {
	return fill(l.pick("every {0} h", "每 {0} 小时"), number(n))
}
func (l Lang) CronEveryMinute() string { return l.pick("every minute", "每分钟") }
func (l Lang) CronEveryMinutes(n int) string {
	return fill(l.pick("every {0} min", "每 {0} 分钟"), number(n))
}
func (l Lang) CronEverySecond() string { return l.pick("every second", "每秒") }
func (l Lang) CronEverySeconds(n int) string {
	return fill(l.pick("every {0} s", "每 {0} 秒"), number(n))
}
func (l Lang) CronFrom(every string, time string) string {
	return fill(l.pick("{0} from {1}", "从 {1} 起{0}"), every, time)
}
func (l Lang) CronHourAt(n int, list string) string {
	return fill(l.plural(n, "every hour at minute {1}", "every hour at minutes {1}", "每小时的第 {1} 分"), number(n), list)
}
func (l Lang) CronInHours(every string, hours string) string {
	return fill(l.pick("{0}, in the hours {1}", "{1} 点{0}"), every, hours)
}
func (l Lang) CronIntervalDays(every string, days string) string {
	return fill(l.pick("{0}, {1}", "{1}，{0}"), every, days)
}
func (l Lang) CronLast(month string) string {
	return fill(l.pick("on the last day of {0}", "{0}最后一天"), month)
}
func (l Lang) CronLastWeekday(weekday string, month string) string {
	return fill(l.pick("on the last {0} of {1}", "{1}最后一个{0}"), weekday, month)
}
func (l Lang) CronLastWorking(month string) string {
	return fill(l.pick("on the last weekday (Monday to Friday) of {0}", "{0}最后一个工作日（周一至周五）"), month)
}
func (l Lang) CronMinuteAt(list string) string {
	return fill(l.pick("every minute at seconds {0}", "每分钟的第 {0} 秒"), list)
}
func (l Lang) CronMinuteBetween(every string, from string, to string) string {
	return fill(l.pick("{0} from minute {1} to {2} of each hour", "每小时第 {1} 至 {2} 分{0}"), every, from, to)
}
func (l Lang) CronMinuteFrom(every string, minute string) string {
	return fill(l.pick("{0} from minute {1} of each hour", "每小时从第 {1} 分起{0}"), every, minute)
}
func (l Lang) CronMonthAny() string { return l.pick("the month", "每月") }
func (l Lang) CronMonthEach(from string, to string) string {
	return fill(l.pick("each month from {0} to {1}", "{0}至 {1}各月"), from, to)
}
func (l Lang) CronMonthMany(months string) string { return fill(l.pick("{0}", "{0}各月"), months) }
func (l Lang) CronMonthNames() string {
	return l.pick("January, February, March, April, May, June, July, August, September, October, November, December", "1 月, 2 月, 3 月, 4 月, 5 月, 6 月, 7 月, 8 月, 9 月, 10 月, 11 月, 12 月")
}
func (l Lang) CronMonthOne(month string) string { return fill(l.pick("{0}", "{0}"), month) }
func (l Lang) CronNearest(day string, month string) string {
	return fill(l.pick("on the weekday (Monday to Friday) nearest to the {0} of {1}", "{1}离 {0}最近的工作日（周一至周五）"), day, month)
}
func (l Lang) CronNearestBeforeLast(n int, month string) string {
	return fill(l.plural(n, "on the weekday (Monday to Friday) nearest to {0} day before the last day of {1}", "on the weekday (Monday to Friday) nearest to {0} days before the last day of {1}", "{1}离最后一天的前 {0} 天最近的工作日（周一至周五）"), number(n), month)
}
func (l Lang) CronNthWeekday(nth string, weekday string, month string) string {
	return fill(l.pick("on the {0} {1} of {2}", "{2}{0}{1}"), nth, weekday, month)
}
func (l Lang) CronOrdinals() string {
	return l.pick("first second third fourth fifth", "第一个 第二个 第三个 第四个 第五个")
}
func (l Lang) CronSecondFrom(every string, second string) string {
	return fill(l.pick("{0} from second {1} of each minute", "每分钟从第 {1} 秒起{0}"), every, second)
}
func (l Lang) CronWeekdayNames() string {
	return l.pick("Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "周日 周一 周二 周三 周四 周五 周六")
}
func (l Lang) CronWeekdayRange(from string, to string) string {
	return fill(l.pick("{0} to {1}", "{0}至{1}"), from, to)
}
func (l Lang) CronWeekdays(list string) string { return fill(l.pick("every {0}", "每{0}"), list) }
func (l Lang) CronYear(words string, years string) string {
	return fill(l.pick("{0}, only in {1}", "{0}（仅 {1} 年）"), words, years)
}
func (l Lang) CronYearOn(words string, from string) string {
	return fill(l.pick("{0}, from {1} on", "{0}（自 {1} 年起）"), words, from)
}
func (l Lang) CronYears(words string, from string, to string) string {
	return fill(l.pick("{0}, from {1} to {2}", "{0}（{1} 至 {2} 年）"), words, from, to)
}

// [executions]

func (l Lang) ExecutionsCount(n int) string {
	return fill(l.plural(n, "{0} execution on this page", "{0} executions on this page", "本页 {0} 条执行明细"), number(n))
}
func (l Lang) ExecutionsEmpty() string {
	return l.pick("No execution recorded yet.", "尚无执行记录。")
}
func (l Lang) ExecutionsEmptyText() string {
	return l.pick("Executions appear here when the agents write to the console's trace database.", "实例写入控制台的事件追踪数据库后，执行明细会显示在这里。")
}
func (l Lang) ExecutionsFirst() string { return l.pick("First", "首页") }
func (l Lang) ExecutionsNewer() string { return l.pick("Newer", "更新的") }
func (l Lang) ExecutionsNext() string  { return l.pick("Next", "下一页") }
func (l Lang) ExecutionsNoMatch() string {
	return l.pick("No execution matches the filter.", "没有匹配的执行明细。")
}
func (l Lang) ExecutionsNoMatchText() string {
	return l.pick("The instance is compared exactly, and so is the job unless it is asked for by its begin; times are UTC.", "实例按完整地址匹配；作业名也须完整，除非选择“开头为”。时间均为 UTC。")
}
func (l Lang) ExecutionsOldest() string { return l.pick("Oldest", "最早") }
func (l Lang) ExecutionsPartialText(n int) string {
	return fill(l.pick("{0} executions were looked through, and there are more.", "已查找 {0} 条执行明细，还有更多。"), number(n))
}
func (l Lang) ExecutionsShowAll() string {
	return l.pick("Show all executions", "显示所有执行明细")
}

// [explain]

func (l Lang) ExplainAlike(n int, time string) string {
	return fill(l.plural(n, "{0} other job fails alike, since {1}.", "{0} other jobs fail alike, since {1}.", "另有 {0} 个作业自 {1} 起以相同原因失败。"), number(n), time)
}
func (l Lang) ExplainAlikeOpen() string { return l.pick("Open all of them", "打开全部") }
func (l Lang) ExplainAlikeUndated(n int) string {
	return fill(l.plural(n, "{0} other job fails alike.", "{0} other jobs fail alike.", "另有 {0} 个作业以相同原因失败。"), number(n))
}
func (l Lang) ExplainAround() string    { return l.pick("What happened lately", "近期发生的事") }
func (l Lang) ExplainAuditNode() string { return l.pick("the audit log", "审计日志") }
func (l Lang) ExplainBadFormat(format string) string {
	return fill(l.pick("there is no format {0}: text is one", "没有格式 {0}，可用 text"), format)
}
func (l Lang) ExplainChecks() string { return l.pick("Checks", "检查项") }
func (l Lang) ExplainChecksSub() string {
	return l.pick("problems first, then what is fine", "先列问题，再列正常项")
}
func (l Lang) ExplainCopied() string { return l.pick("Copied", "已复制") }
func (l Lang) ExplainCopy() string   { return l.pick("Copy as text", "复制为文本") }
func (l Lang) ExplainDoAway() string {
	return l.pick("Bring the trace database back, or connect the console to one. If a file of SQLite was replaced, restart the console.", "恢复事件追踪数据源，或为控制台连接一个。如果 SQLite 文件被替换过，请重启控制台。")
}
func (l Lang) ExplainDoFailing() string {
	return l.pick("Correct the cause; the next run that succeeds ends this. Trigger the job to try at once.", "请排除原因；下一次成功的运行会使其恢复。可触发作业立即尝试。")
}
func (l Lang) ExplainDoLate() string {
	return l.pick("Deal with what is found besides. If nothing is, look into the log of the instances. If they answer, trigger the job. It stays late until it runs at a fire time.", "请先处理其他发现。如果没有，请查看实例日志；若实例有响应，可触发作业。在下一个触发时间运行之前，作业仍显示为延迟。")
}
func (l Lang) ExplainDoLateIdle() string {
	return l.pick("Look into its log. If it's frozen, hangs in a listener, or was killed and its session hasn't ended, restart it. If it answers, trigger the job to have the run now. It stays late until it runs at a fire time.", "请查看该实例的日志。如果其进程已冻结、卡在监听器中，或被终止但会话尚未结束，请重启它。若其有响应，可触发作业立即运行。在下一个触发时间运行之前，作业仍显示为延迟。")
}
func (l Lang) ExplainDoMissed() string {
	return l.pick("If they weren't disabled then, look into the log of the shards' owner, at its clock, and whether it runs anything on its own (Debug). Trigger the job to have the run now.", "若当时未被禁用，请查看分片所属实例的日志和时钟，以及它是否会自行运行（Debug）。手动触发可立即运行。")
}
func (l Lang) ExplainDoMore() string {
	return l.pick("Deal with those before it, and look again.", "请先处理前面的，再重新查看。")
}
func (l Lang) ExplainDoNotRecorded() string {
	return l.pick("Check that its agents have a recorder (Java: tracing) that writes to this database, and look again after the next fire time. If many jobs have no rows since then, look at the database.", "请确认其代理配置了写入此数据库的记录器（Java：事件追踪），并在下次触发后再次查看。如果许多作业自那时起都没有记录，请检查数据库。")
}
func (l Lang) ExplainDoRunning() string {
	return l.pick("Until the run ends, the instance drops triggers.", "运行结束之前，该实例会丢弃收到的触发。")
}
func (l Lang) ExplainDoUnstable() string {
	return l.pick("Compare the runs that failed: by shard, by instance and by time of day.", "比较失败的运行：按分片、实例和时段。")
}
func (l Lang) ExplainEditConfig() string { return l.pick("Edit the configuration", "编辑配置") }
func (l Lang) ExplainEnableJob() string  { return l.pick("Enable…", "启用…") }
func (l Lang) ExplainEnableShards(n int) string {
	return fill(l.plural(n, "Enable {0} shard…", "Enable {0} shards…", "启用 {0} 个分片…"), number(n))
}
func (l Lang) ExplainFixAllExcluded() string {
	return l.pick("Correct schedule.exclude, or trigger the job by hand. Java agents do not know it and fire.", "请更正 schedule.exclude，或手动触发作业。Java 实例不识别该属性，仍会触发。")
}
func (l Lang) ExplainFixBarrierWaits() string {
	return l.pick("Give each shard a live owner and enable it, or take the listener out of the configuration. The wait ends after the time limit of the listener, which is 10 minutes by default.", "请确保每个分片都已启用且所属实例存活，或从配置中移除该监听器。等待会在监听器的时限（默认 10 分钟）后结束。")
}
func (l Lang) ExplainFixClockChecked() string {
	return l.pick("Look into the agents' logs, and keep the clocks in step.", "请查看实例日志，并保持时钟同步。")
}
func (l Lang) ExplainFixClockDiffers() string {
	return l.pick("Set the clock of that machine, or of ZooKeeper's, and restart the process.", "请校准该机器或 ZooKeeper 所在机器的时钟，并重启该进程。")
}
func (l Lang) ExplainFixConfigAbsent() string {
	return l.pick("Start an agent that declares the job, which writes it; or remove what is left of the job.", "请启动声明该作业的实例以写入配置，或删除作业的残留数据。")
}
func (l Lang) ExplainFixConfigKeyUnknown() string {
	return l.pick("Correct the key in the configuration's node, or take it away; Java agents follow at once. Agents written in Go leave unknown keys alone.", "请在配置节点中更正或去掉该项，Java 实例会立即采用。Go 实例会忽略未知的配置项。")
}
func (l Lang) ExplainFixConfigOtherRelease() string {
	return l.pick("Look into their logs. If they do, rename the key.", "请查看它们的日志；如确实出错，请改用对应版本的配置项名称。")
}
func (l Lang) ExplainFixConfigUnreadable() string {
	return l.pick("Correct the document; agents follow at once.", "请更正配置文档，实例会立即采用。")
}
func (l Lang) ExplainFixConfigUnusable(field string) string {
	return fill(l.pick("Correct {0}; agents follow at once.", "请更正 {0}，实例会立即采用。"), field)
}
func (l Lang) ExplainFixCrashes() string {
	return l.pick("Look into how the processes ended: an exit in a handler, a kill, or too little memory. Until their sessions end, runs of such processes seem to go on.", "请检查这些进程如何结束：处理程序中的退出、被终止，或内存不足。会话结束之前，这些进程的运行看起来仍在进行。")
}
func (l Lang) ExplainFixCronNeverAgain() string {
	return l.pick("Correct cron, or trigger the job by hand.", "请更正 Cron 表达式，或手动触发作业。")
}
func (l Lang) ExplainFixDropped() string {
	return l.pick("Let the job fire less often than it takes, divide it into more shards, or turn misfire and monitorExecution on.", "请让触发间隔大于运行耗时，增加分片数，或同时开启 misfire 和 monitorExecution。")
}
func (l Lang) ExplainFixFailoverOffered() string {
	return l.pick("An instance takes it when its run has ended. If it stays, look into the log of the instances, trigger the job, or delete the node if it is left over.", "实例在运行结束后会接手。如持续存在，请查看实例日志，触发作业；如果是残留节点，请删除。")
}
func (l Lang) ExplainFixFailoverStale() string {
	return l.pick("Agents remove the marker when they notice the crash. If it stays, delete the node.", "实例发现崩溃后会移除标记。如持续存在，请删除该节点。")
}
func (l Lang) ExplainFixFailoverTaken(instance string) string {
	return fill(l.pick("This lasts a moment. If it stays, restart {0}.", "通常很快结束。如持续存在，请重启 {0}。"), instance)
}
func (l Lang) ExplainFixFiredEarly(value string) string {
	return fill(l.pick("Set the clock of that machine. The job runs at its first fire time after {0}; trigger it to have a run now.", "请校准该机器的时钟。作业会在 {0} 之后的第一个触发时间运行；如需立即运行，请手动触发。"), value)
}
func (l Lang) ExplainFixForbidden() string {
	return l.pick("Connect with credentials that may read the job, or correct the ACL of its nodes.", "使用有权读取该作业的凭据连接，或修正其节点的 ACL。")
}
func (l Lang) ExplainFixForeignNode() string {
	return l.pick("Find out who made them, and delete them.", "请查明来源并删除。")
}
func (l Lang) ExplainFixHeld() string {
	return l.pick("Release the job. What passed meanwhile is not made up for; what a person asks for runs all the same.", "请恢复作业。期间错过的不会补跑；由人发起的仍会运行。")
}
func (l Lang) ExplainFixHoldUnheard() string {
	return l.pick("Delete the node. To hold the job, use the console or the command line.", "请删除该节点。如需暂停作业，请使用控制台或命令行。")
}
func (l Lang) ExplainFixInstanceGhost() string {
	return l.pick("Delete the node.", "请删除该节点。")
}
func (l Lang) ExplainFixInstanceLost() string {
	return l.pick("Start it again. If it won't return, acknowledge the loss on the overview.", "重新启动它；如果它不再返回，请在概览页确认该丢失。")
}
func (l Lang) ExplainFixInstanceUnreadable() string {
	return l.pick("Restart that process, which writes the node again.", "请重启该进程，它会重新写入节点。")
}
func (l Lang) ExplainFixItemDisabled() string {
	return l.pick("Enable the shard.", "请启用该分片。")
}
func (l Lang) ExplainFixItemWithoutOwner() string {
	return l.pick("The leader looks for such shards at its next reconciliation and when an instance comes or leaves. To have it at once, restart an instance.", "主节点会在下一次对账时，以及有实例加入或离开时查找此类分片。如需立即处理，请重启一个实例。")
}
func (l Lang) ExplainFixJobDisabled() string { return l.pick("Enable the job.", "请启用作业。") }
func (l Lang) ExplainFixJobRefused() string {
	return l.pick("Give one of the two jobs another name, or remove the stored job when no process serves it any more.", "请为其中一个作业改名；或在没有进程运行已存储的作业后将其移除。")
}
func (l Lang) ExplainFixLeaderGone() string {
	return l.pick("The node goes with that process's session. If no session holds it, delete it; agents create it again when they need it.", "该节点随进程会话消失。如果没有会话持有它，请删除，需要时实例会重新创建。")
}
func (l Lang) ExplainFixNoEnabledInstance() string {
	return l.pick("Enable a server that has an instance.", "请启用有实例的服务器。")
}
func (l Lang) ExplainFixNoInstance() string {
	return l.pick("Start a process that contains the job, in this namespace.", "请在此命名空间中启动包含该作业的进程。")
}
func (l Lang) ExplainFixNoLeader() string {
	return l.pick("An enabled instance is elected within a moment. If this stays, the process that is first in line is frozen: stop it.", "稍后会选出一个启用的实例。如持续存在，说明排在首位的进程已卡住：请停止它。")
}
func (l Lang) ExplainFixNothingAssigned() string {
	return l.pick("The leader reshards when the job fires for the first time, one written in Go at once. Trigger the job if it stays. If that changes nothing, the leader's process hangs: restart it.", "主节点在作业首次触发时分配（Go 主节点会立即分配）。如持续存在，请触发作业。如仍无变化，说明主节点进程已挂起，请重启它。")
}
func (l Lang) ExplainFixNumberOutOfBounds(field string) string {
	return fill(l.pick("Correct {0}; agents follow at once.", "请更正 {0}，实例会立即采用。"), field)
}
func (l Lang) ExplainFixObstacleAssigning() string {
	return l.pick("Remove the cause; the agent tries again by itself. Its log has more.", "请排除上述原因；代理会自动重试，详见其日志。")
}
func (l Lang) ExplainFixObstacleBroken() string {
	return l.pick("It's a bug of the agent, or of the recorder or tracer that the program gave it: its log has the stack. Correct it and restart the process.", "这是代理的缺陷，或程序提供的记录器、追踪器的缺陷：其日志中有堆栈。请修正后重启该进程。")
}
func (l Lang) ExplainFixObstacleDebug() string {
	return l.pick("Start its process without Debug, or trigger the job there.", "请不带 Debug 启动该进程，或在该实例上触发作业。")
}
func (l Lang) ExplainFixObstacleErrorHandler() string {
	return l.pick("Choose an error handler in the configuration that the program knows, or register this one in the program.", "请在配置中选择程序支持的错误处理器，或在程序中注册该处理器。")
}
func (l Lang) ExplainFixObstacleErrorHandlerHangs() string {
	return l.pick("Correct the error handler, or stop the process: others get its shards then, and the shards that run are interrupted.", "请修正该错误处理器，或停止该进程：随后其分片由其他实例接管，正在运行的分片会中断。")
}
func (l Lang) ExplainFixObstacleExecutor() string {
	return l.pick("Choose an executor type in the configuration that the program knows, or register this one in the program.", "请在配置中选择程序支持的执行器类型，或在程序中注册该类型。")
}
func (l Lang) ExplainFixObstacleForbidden() string {
	return l.pick("Give the agent credentials that may read and write the job's nodes, or correct the ACL of these nodes.", "请为代理配置可读写该作业节点的凭据，或修正这些节点的 ACL。")
}
func (l Lang) ExplainFixObstacleHandlerHangs() string {
	return l.pick("Stop the process, and correct the handler: it must return when its context ends.", "请停止该进程，并修正处理程序：上下文结束时它必须返回。")
}
func (l Lang) ExplainFixObstacleListener() string {
	return l.pick("Register the listener in the program, or take it out of the configuration.", "请在程序中注册该监听器，或从配置中移除。")
}
func (l Lang) ExplainFixObstacleListenerFails() string {
	return l.pick("Correct the listener. The agent's log has more, and the stack of a panic. The finding goes after a run without a failure.", "请修正监听器。代理日志中有更多信息及 panic 的堆栈。下一次无失败的运行之后，此项会消失。")
}
func (l Lang) ExplainFixObstacleListenerHangs() string {
	return l.pick("Correct the listener, or stop the process: others get its shards then, and the shards that run are interrupted.", "请修正该监听器，或停止该进程：随后其分片由其他实例接管，正在运行的分片会中断。")
}
func (l Lang) ExplainFixObstacleNoPlace() string {
	return l.pick("Wait until a handler of that process ends, or restart the process with a larger MaxParallel.", "请等待该进程中的某个处理程序结束，或调高 MaxParallel 后重启该进程。")
}
func (l Lang) ExplainFixObstacleNotBegun() string {
	return l.pick("Remove the cause, and trigger the job to have the run now. The agent's log has more.", "请排除上述原因，并触发作业以立即运行。详见代理日志。")
}
func (l Lang) ExplainFixObstacleStrategy() string {
	return l.pick("Choose a sharding strategy in the configuration that the leader knows, or register this one in its program.", "请在配置中选择主节点支持的分片策略，或在其程序中注册该策略。")
}
func (l Lang) ExplainFixOneInstance() string {
	return l.pick("Start another process that contains the job.", "再启动一个包含该作业的进程。")
}
func (l Lang) ExplainFixOverrun() string {
	return l.pick("If a handler hangs, restart its process. Otherwise let the job fire less often than it takes, or divide it into more shards.", "如果处理函数卡住，请重启其进程；否则请让触发间隔大于运行耗时，或增加分片数。")
}
func (l Lang) ExplainFixReshard() string {
	return l.pick("The leader reshards, one written in Go at once, one of Java's when the job fires; trigger the job if it stays. If that changes nothing, the leader's process hangs: restart it. With staticSharding no leader does: start the owner with the same instance id, enable its server, or turn staticSharding off until each shard has an owner.", "主节点会重新分片：Go 主节点立即执行，Java 主节点在作业触发时执行；如持续存在，请触发作业。如仍无变化，说明主节点进程已挂起，请重启它。启用 staticSharding 时不会重新分片：请以相同的实例 ID 启动所属实例，或启用其服务器，或暂时关闭 staticSharding。")
}
func (l Lang) ExplainFixReshardingAnnounced() string {
	return l.pick("A leader written in Go does it at once, one of Java's when the job fires; trigger the job to have it now. If that changes nothing, the leader's process hangs: restart it.", "Go 主节点会立即执行，Java 主节点在作业触发时执行；可触发作业立即执行。如仍无变化，说明主节点进程已挂起，请重启它。")
}
func (l Lang) ExplainFixReshardingProcessing() string {
	return l.pick("It goes on when the runs that it waits for end. Stop a process whose shard never ends.", "所等待的运行结束后会继续。如某分片一直不结束，请停止其进程。")
}
func (l Lang) ExplainFixRunPropertyWrong(field string) string {
	return fill(l.pick("Correct {0}; agents follow at once.", "请更正 {0}，实例会立即采用。"), field)
}
func (l Lang) ExplainFixRunningForged(node string) string {
	return fill(l.pick("Delete the node (delete {0}).", "请删除该节点（delete {0}）。"), node)
}
func (l Lang) ExplainFixRunningStale() string {
	return l.pick("A leader written in Go clears the marker when it reshards. If it stays, make sure that the process has ended and delete the node.", "Go 主节点在重新分片时会清除标记。如持续存在，请确认进程已结束，再删除该节点。")
}
func (l Lang) ExplainFixScheduleEnded() string {
	return l.pick("Set schedule.until later, or trigger the job by hand. Java agents do not know it and fire.", "请将 schedule.until 推后，或手动触发作业。Java 实例不识别该属性，仍会触发。")
}
func (l Lang) ExplainFixServerAbsent() string {
	return l.pick("Restart the process there; it registers its server when it starts.", "请重启该进程，启动时会注册其服务器。")
}
func (l Lang) ExplainFixServerDisabled() string {
	return l.pick("Enable the server.", "请启用该服务器。")
}
func (l Lang) ExplainFixShutDown() string {
	return l.pick("Restart a process that contains the job: it registers again.", "请重启包含该作业的进程：它会重新注册。")
}
func (l Lang) ExplainFixTimeZoneIgnored() string {
	return l.pick("Write it as GMT+8:00.", "请写成 GMT+8:00。")
}
func (l Lang) ExplainFixTriggerOrphaned() string {
	return l.pick("Trigger the job again: that replaces the order.", "请再次触发作业。")
}
func (l Lang) ExplainFixTriggerWaiting() string {
	return l.pick("It is taken within a moment. If it stays, the process is frozen or does not watch: restart it.", "通常很快会接收。如持续存在，则进程已卡住或不再监听，请重启。")
}
func (l Lang) ExplainFixUnserved() string {
	return l.pick("Trigger the job to have the run now, or turn misfire and monitorExecution on.", "请触发作业以立即运行，或同时开启 misfire 和 monitorExecution。")
}
func (l Lang) ExplainFixZoneUnknownToJava() string {
	return l.pick("Stop the Java agents, or set timeZone instead.", "请停止 Java 实例，或改为设置 timeZone。")
}
func (l Lang) ExplainFixZonesDiffer() string {
	return l.pick("Set timeZone, or schedule.zone if all agents are written in Go.", "请设置 timeZone；如果所有实例都是 Go 编写的，也可设置 schedule.zone。")
}
func (l Lang) ExplainIsAllExcluded(value string) string {
	return fill(l.pick("schedule.exclude leaves out all fire times that are left: {0}.", "schedule.exclude 排除了剩余的全部触发时间：{0}。"), value)
}
func (l Lang) ExplainIsBarrierWaits(shards string, others string) string {
	return fill(l.pick("{0}: waiting at the barrier of a listener, which only all shards open: {1}.", "{0}：在监听器的屏障处等待其余分片（{1}），全部分片到齐后才能继续。"), shards, others)
}
func (l Lang) ExplainIsClockChecked(value string) string {
	return fill(l.pick("An instance whose clock differs from ZooKeeper's by more than {0} s reports an error at each run.", "时钟与 ZooKeeper 相差超过 {0} 秒的实例每次运行都会报错。"), value)
}
func (l Lang) ExplainIsClockDiffers(instance string, value string) string {
	return fill(l.pick("When {0} registered, its clock differed from ZooKeeper's: {1}. It fires by its own clock.", "{0} 注册时，其时钟与 ZooKeeper 的时钟不一致：{1}。它按自己的时钟触发。"), instance, value)
}
func (l Lang) ExplainIsConfigAbsent() string {
	return l.pick("The job has no configuration: it was removed, or never written.", "作业没有配置：已被移除，或从未写入。")
}
func (l Lang) ExplainIsConfigKeyUnknown(field string) string {
	return fill(l.pick("Java agents fail over the key {0} of the configuration at every fire time.", "Java 实例会因配置项 {0} 在每次触发时出错。"), field)
}
func (l Lang) ExplainIsConfigOtherRelease(field string) string {
	return fill(l.pick("{0} is a key of another release than that of other jobs' Java agents: if this job's Java agents are of theirs, they fail at every fire time.", "{0} 是另一版本的配置项：如果该作业的 Java 实例与其他作业的版本相同，则每次触发都会出错。"), field)
}
func (l Lang) ExplainIsConfigUnreadable(cause string) string {
	return fill(l.pick("The configuration cannot be read: {0}", "配置无法读取：{0}"), cause)
}
func (l Lang) ExplainIsConfigUnusable(field string, cause string) string {
	return fill(l.pick("The configuration's {0} cannot be used: {1}", "配置项 {0} 无法使用：{1}"), field, cause)
}
func (l Lang) ExplainIsCrashes() string {
	return l.pick("Instances of the job were lost again and again: their processes ended, or lost ZooKeeper.", "该作业的实例一再丢失：其进程已结束，或与 ZooKeeper 断开。")
}
func (l Lang) ExplainIsCronNeverAgain(value string) string {
	return fill(l.pick("The schedule {0} has no fire time to come.", "Cron 表达式 {0} 没有后续触发时间。"), value)
}
func (l Lang) ExplainIsDayExcluded(value string) string {
	return fill(l.pick("The next time of the cron expression is on a day that schedule.exclude leaves out: {0}. Java agents do not know it and fire.", "Cron 表达式的下一个时间落在被 schedule.exclude 排除的日期内：{0}。Java 实例不识别该属性，仍会触发。"), value)
}
func (l Lang) ExplainIsDropped() string {
	return l.pick("A fire time passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.", "触发时间到来时上一次运行尚未结束，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。")
}
func (l Lang) ExplainIsDroppedBy(shards string) string {
	return fill(l.pick("{0}: a fire time passed while a run went on, and is lost there: only with misfire and monitorExecution is it made up for.", "{0}：触发时间到来时上一次运行尚未结束，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"), shards)
}
func (l Lang) ExplainIsFailing(shards string) string {
	return fill(l.pick("{0}: failed or lost in the last run.", "{0}：最近一次运行中失败或丢失。"), shards)
}
func (l Lang) ExplainIsFailoverOffered(shards string) string {
	return fill(l.pick("{0}: offered to others for failover; no instance has taken it.", "{0}：等待失效转移，尚无实例接手。"), shards)
}
func (l Lang) ExplainIsFailoverStale(shards string, instance string) string {
	return fill(l.pick("{0}: failed over to {1}, which is not there.", "{0}：已失效转移到 {1}，但它已不在。"), shards, instance)
}
func (l Lang) ExplainIsFailoverTaken(shards string, instance string) string {
	return fill(l.pick("{0}: failed over to {1}, which does not run it yet; the owner leaves it out.", "{0}：已失效转移到 {1}，尚未运行；所属实例会跳过它。"), shards, instance)
}
func (l Lang) ExplainIsFiredEarly(value string) string {
	return fill(l.pick("An agent with a clock that was ahead ran the fire times up to {0} before they were due, and no agent runs them again.", "某个 agent 的时钟偏快，已提前运行了截至 {0} 的触发时间，这些触发时间不会再次运行。"), value)
}
func (l Lang) ExplainIsForeignNode() string {
	return l.pick("Nodes have names that no agent gives. Agents written in Go leave them out; Java agents may fail over them.", "有些节点的名称不是实例写入的。Go 实例会忽略，Java 实例可能因此出错。")
}
func (l Lang) ExplainIsHeld(name string, what string) string {
	return fill(l.pick("The job is held by {0}. {1}", "作业被 {0} 暂停。{1}"), name, what)
}
func (l Lang) ExplainIsHeldJava() string {
	return l.pick("Java agents do not know of a hold and fire.", "Java 代理不知道暂停，仍会触发。")
}
func (l Lang) ExplainIsHeldWhy(name string, reason string, what string) string {
	return fill(l.pick("The job is held by {0}: {1}. {2}", "作业被 {0} 暂停：{1}。{2}"), name, reason, what)
}
func (l Lang) ExplainIsHoldUnheard() string {
	return l.pick("The node of a hold was made by hand, and agents don't look at it: nothing is held.", "有人手工创建了类似暂停的节点，但实例不会读取：作业并未暂停。")
}
func (l Lang) ExplainIsInstanceGhost(instance string) string {
	return fill(l.pick("No session holds the node of {0}, so no process is behind it. Agents give it shards, which don't run.", "{0} 的节点不属于任何会话，其背后没有进程。代理会给它分配分片，但这些分片不会运行。"), instance)
}
func (l Lang) ExplainIsInstanceLost(instance string, at string) string {
	return fill(l.pick("{0} was lost at {1}: it left without an orderly stop, and hasn't returned.", "{0} 于 {1} 丢失：它没有正常停止就离开了，且尚未返回。"), instance, at)
}
func (l Lang) ExplainIsInstanceUnreadable(instance string) string {
	return fill(l.pick("The node of {0} does not name its instance, so it gets no shards.", "{0} 的节点没有注明实例，因此分配不到分片。"), instance)
}
func (l Lang) ExplainIsItemBeyond(shards string) string {
	return fill(l.pick("{0}: beyond shardingTotalCount; goes at the next resharding.", "{0}：超出 shardingTotalCount，将在下次重新分片时移除。"), shards)
}
func (l Lang) ExplainIsItemDisabled(shards string) string {
	return fill(l.pick("{0}: switched off by an operator.", "{0}：已被操作员禁用。"), shards)
}
func (l Lang) ExplainIsItemOwnerDisabled(shards string, instance string) string {
	return fill(l.pick("{0}: the owner is {1}, which may not run anything.", "{0}：所属实例 {1} 不允许运行。"), shards, instance)
}
func (l Lang) ExplainIsItemOwnerGone(shards string, instance string) string {
	return fill(l.pick("{0}: the owner is {1}, which is not there.", "{0}：所属实例 {1} 已不在。"), shards, instance)
}
func (l Lang) ExplainIsItemWithoutOwner(shards string) string {
	return fill(l.pick("{0}: without an owner, so it doesn't run. An agent written in Go that reads the assignment while a shard has no owner runs nothing of the job.", "{0}：没有所属实例，因此没有实例运行。在此期间读取分配情况的 Go 实例不运行该作业的任何分片。"), shards)
}
func (l Lang) ExplainIsJavaLost(instance string, at string) string {
	return fill(l.pick("{0}, a Java agent, left at {1} while it was running shards, and hasn't returned.", "Java 实例 {0} 于 {1} 在运行分片时离开，且尚未返回。"), instance, at)
}
func (l Lang) ExplainIsJobDisabled() string {
	return l.pick("The job is disabled: none of its servers is enabled.", "作业已禁用：没有任何服务器处于启用状态。")
}
func (l Lang) ExplainIsJobRefused(instance string, reason string) string {
	return fill(l.pick("The process {0} contains the job and refuses to serve it: {1}", "进程 {0} 包含该作业，但拒绝运行：{1}"), instance, reason)
}
func (l Lang) ExplainIsLate() string {
	return l.pick("A fire time passed without a run.", "触发时间已过，但没有运行。")
}
func (l Lang) ExplainIsLateShards(shards string) string {
	return fill(l.pick("A fire time passed without a run of {0}.", "触发时间已过，但{0}没有运行。"), shards)
}
func (l Lang) ExplainIsLeaderGone(instance string) string {
	return fill(l.pick("The leader is {0}, which is not registered. No other leader is elected while its node exists.", "主节点是未注册的 {0}。其节点存在期间不会选出其他主节点。"), instance)
}
func (l Lang) ExplainIsMisfireBarrier(shards string, listeners string) string {
	return fill(l.pick("{0}: a fire time was missed; it should be made up for when the wait at the barrier of a listener ({1}) ends.", "{0}：错过了一次触发；监听器（{1}）屏障处的等待结束后才会补跑。"), shards, listeners)
}
func (l Lang) ExplainIsMisfireWaiting(shards string) string {
	return fill(l.pick("{0}: a fire time isn't completed.", "{0}：有一次触发尚未完成。"), shards)
}
func (l Lang) ExplainIsMissed(shards string) string {
	return fill(l.pick("{0}: not in the last runs on record.", "{0}：最近的运行记录中没有它。"), shards)
}
func (l Lang) ExplainIsMonitorOff() string {
	return l.pick("monitorExecution is off, so nothing shows which shards run or were missed.", "monitorExecution 已关闭，无法得知哪些分片正在运行或已错过。")
}
func (l Lang) ExplainIsNoEnabledInstance() string {
	return l.pick("No instance of the job may run shards.", "作业的所有实例都不会分到分片。")
}
func (l Lang) ExplainIsNoInstance() string {
	return l.pick("No process serves the job: none has registered, or all have left.", "没有进程运行该作业：尚无注册，或已全部离开。")
}
func (l Lang) ExplainIsNoLeader() string {
	return l.pick("There is no leader, so no shards are assigned.", "没有主节点，因此无人分配分片。")
}
func (l Lang) ExplainIsNotRecorded() string {
	return l.pick("A fire time passed, and it isn't recorded whether the job ran.", "触发时间已过，但没有记录表明作业是否运行。")
}
func (l Lang) ExplainIsNothingAssigned() string {
	return l.pick("No shard has an owner: nothing was assigned yet.", "所有分片都没有所属实例：尚未分配。")
}
func (l Lang) ExplainIsNumberOutOfBounds(field string, value string) string {
	return fill(l.pick("The configuration's {0} is {1}, which is out of bounds.", "配置项 {0} 的值 {1} 超出范围。"), field, value)
}
func (l Lang) ExplainIsObstacle(instance string, reason string) string {
	return fill(l.pick("{0} doesn't run the job: {1}", "{0} 不运行该作业：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleAssigning(instance string, reason string) string {
	return fill(l.pick("{0} leads and can't assign the shards: {1}", "主节点 {0} 无法分配分片：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleBroken(instance string, reason string) string {
	return fill(l.pick("{0} has taken itself out of the job and tries again within 5 minutes: {1}", "{0} 已退出该作业，将在 5 分钟内重试：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleControl(instance string, reason string) string {
	return fill(l.pick("{0} can't follow the job in ZooKeeper: {1}", "{0} 无法在 ZooKeeper 中跟进该作业：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleDebug(instance string) string {
	return fill(l.pick("{0} runs no fire time on its own: its process was started with Debug.", "{0} 不会自行按调度运行：其进程以 Debug 方式启动。"), instance)
}
func (l Lang) ExplainIsObstacleForbidden(instance string, reason string) string {
	return fill(l.pick("ZooKeeper refuses the credentials of {0}: {1}", "ZooKeeper 拒绝了 {0} 的凭据：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleHandlerHangs(instance string, reason string) string {
	return fill(l.pick("A handler on {0} doesn't end, and the instance runs nothing else of the job until it does: {1}", "{0} 上有处理程序没有结束，在此之前该实例不再运行该作业：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleHangs(instance string, reason string) string {
	return fill(l.pick("{0} runs nothing of the job until a call returns: {1}", "调用返回之前，{0} 不运行该作业：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleListenerFails(instance string, reason string) string {
	return fill(l.pick("A listener of the job failed on {0}: {1}.", "该作业的监听器在 {0} 上失败：{1}。"), instance, reason)
}
func (l Lang) ExplainIsObstacleNoPlace(instance string, reason string) string {
	return fill(l.pick("{0} is busy: {1}", "{0} 正忙：{1}"), instance, reason)
}
func (l Lang) ExplainIsObstacleNotBegun(instance string, reason string) string {
	return fill(l.pick("The last run on {0} failed before it called a handler: {1}", "{0} 上的最近一次运行在调用处理程序之前失败：{1}"), instance, reason)
}
func (l Lang) ExplainIsOverrun(shards string, instance string) string {
	return fill(l.pick("{0}: still marked as running on {1} at a later fire time.", "{0}：到之后的触发时间时仍标记为正在 {1} 上运行。"), shards, instance)
}
func (l Lang) ExplainIsOverrunRows(shards string) string {
	return fill(l.pick("{0}: by the history still running at a later fire time, unless the row of an end is late.", "{0}：按历史记录，到之后的触发时间时仍在运行，除非结束记录晚到。"), shards)
}
func (l Lang) ExplainIsReshardingAnnounced(since string) string {
	return fill(l.pick("The shards have to be assigned again, announced {0}, and no leader has begun.", "分片需要重新分配（通知于 {0}），尚未开始。"), since)
}
func (l Lang) ExplainIsReshardingProcessing(since string) string {
	return fill(l.pick("The leader assigns the shards since {0}.", "主节点正在分配分片，开始于 {0}。"), since)
}
func (l Lang) ExplainIsRunPropertyWrong(field string, value string) string {
	return fill(l.pick("{0} is {1}, which is not allowed.", "配置项 {0} 的值 {1} 无效，不影响作业触发。"), field, value)
}
func (l Lang) ExplainIsRunWaits(run string, why string) string {
	return fill(l.pick("Run {0} waits. {1}", "运行 {0} 正在等待。{1}"), run, why)
}
func (l Lang) ExplainIsRunning(shards string, instance string) string {
	return fill(l.pick("{0}: marked as running on {1}.", "{0}：标记为正在 {1} 上运行。"), shards, instance)
}
func (l Lang) ExplainIsRunningForged(shards string) string {
	return fill(l.pick("{0}: marked as running, but no instance made this marker. Nothing runs there.", "{0}：被标记为正在运行，但该标记不是由任何实例创建的，实际并未运行。"), shards)
}
func (l Lang) ExplainIsRunningStale(shards string, instance string) string {
	return fill(l.pick("{0}: marked as running by {1}, which is not there. No other instance runs it while the marker exists.", "{0}：被已不在的 {1} 标记为运行中。标记存在期间没有其他实例运行它。"), shards, instance)
}
func (l Lang) ExplainIsScheduleEnded(value string) string {
	return fill(l.pick("The schedule doesn't fire any more, because schedule.until is {0}.", "由于 schedule.until 为 {0}，调度不会再触发。"), value)
}
func (l Lang) ExplainIsScheduleNotBegun(value string) string {
	return fill(l.pick("Because of schedule.from, the schedule begins on {0}. Java agents do not know it and fire.", "调度从 {0} 开始（schedule.from）。Java 实例不识别该属性，仍会触发。"), value)
}
func (l Lang) ExplainIsServerAbsent(instance string, server string) string {
	return fill(l.pick("{0} gets no shards: its server {1} is not registered.", "{0} 分配不到分片：其服务器 {1} 未注册。"), instance, server)
}
func (l Lang) ExplainIsServerDisabled(server string, instance string) string {
	return fill(l.pick("Server {0} is disabled, so {1} gets no shards.", "服务器 {0} 已禁用，因此 {1} 分配不到分片。"), server, instance)
}
func (l Lang) ExplainIsShutDown(at string, who string) string {
	return fill(l.pick("The job was shut down at {0}, by {1}, and no process has registered since.", "该作业已于 {0} 由 {1} 关闭，此后没有进程注册。"), at, who)
}
func (l Lang) ExplainIsShutDownOn(server string, at string, who string) string {
	return fill(l.pick("The job's instances on {0} were shut down at {1}, by {2}, and no process has registered since.", "该作业在 {0} 上的实例已于 {1} 由 {2} 关闭，此后没有进程注册。"), server, at, who)
}
func (l Lang) ExplainIsTimeZoneIgnored(value string) string {
	return fill(l.pick("timeZone {0} is no offset; agents take it for GMT without a word.", "timeZone {0} 不是有效的偏移量，实例会当作 GMT。"), value)
}
func (l Lang) ExplainIsTriggerOrphaned(instance string) string {
	return fill(l.pick("{0} was triggered and has left; no instance that is there carries the trigger out.", "{0} 被触发后已离开，在场的实例都不会执行该触发。"), instance)
}
func (l Lang) ExplainIsTriggerWaiting(instance string) string {
	return fill(l.pick("{0} was triggered and has not taken the trigger.", "{0} 已被触发，但尚未接收。"), instance)
}
func (l Lang) ExplainIsUnserved() string {
	return l.pick("A fire time passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.", "触发时间到来时没有实例服务该作业，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。")
}
func (l Lang) ExplainIsUnstable() string {
	return l.pick("The last run on record succeeded, and several of the last 10 failed.", "有记录的最近一次运行成功，但最近 10 次中有多次失败。")
}
func (l Lang) ExplainIsZoneUnknownToJava() string {
	return l.pick("Java agents don't know schedule.zone and fire by their own time zone.", "Java 实例不识别 schedule.zone，按自己的时区触发。")
}
func (l Lang) ExplainIsZonesDiffer(zones string) string {
	return fill(l.pick("The job has no time zone, and its agents fire by their own, which differ: {0}.", "作业没有设置时区，各实例按自己的时区触发，而它们并不相同：{0}。"), zones)
}
func (l Lang) ExplainLastRunFailed() string {
	return l.pick("its last run failed", "最近一次运行失败")
}
func (l Lang) ExplainLateNode() string {
	return l.pick("schedule, and the newest run in the trace database", "调度计划与事件追踪数据库中最近的运行")
}
func (l Lang) ExplainMore(n int) string {
	return fill(l.plural(n, "And {0} finding more of this kind.", "And {0} findings more of this kind.", "另有 {0} 个同类发现。"), number(n))
}
func (l Lang) ExplainNoteConfig(n string, ago string) string {
	return fill(l.pick("version {0}, written {1}", "版本 {0}，写入于 {1}"), n, ago)
}
func (l Lang) ExplainNoteEnabled(n int, m int) string {
	return fill(l.plural(m, "{0} of {1} server", "{0} of {1} servers", "{0}/{1} 台服务器"), number(n), number(m))
}
func (l Lang) ExplainNoteInstances(m int, n int) string {
	return fill(l.plural(m, "{0} instance, {1} of which may run shards", "{0} instances, {1} of which may run shards", "{0} 个实例，其中 {1} 个可运行分片"), number(m), number(n))
}
func (l Lang) ExplainNumbers() string {
	return l.pick("none one two three four five six seven eight nine ten", "0 1 2 3 4 5 6 7 8 9 10")
}
func (l Lang) ExplainOkConfig() string  { return l.pick("Configuration is readable", "配置可读") }
func (l Lang) ExplainOkEnabled() string { return l.pick("Job is not disabled", "作业未禁用") }
func (l Lang) ExplainOkFailover() string {
	return l.pick("No shard waits for failover", "没有等待失效转移的分片")
}
func (l Lang) ExplainOkInstances() string { return l.pick("Instances are alive", "有存活的实例") }
func (l Lang) ExplainOkLastRun() string {
	return l.pick("The last run on record did not fail", "有记录的最近一次运行没有失败")
}
func (l Lang) ExplainOkLeader() string { return l.pick("A leader is elected", "已选出主节点") }
func (l Lang) ExplainOkMisfire() string {
	return l.pick("No misfire waits", "没有等待错过重执行的分片")
}
func (l Lang) ExplainOkNextFire() string {
	return l.pick("Next fire is known", "下次触发时间已知")
}
func (l Lang) ExplainOkOnTime() string {
	return l.pick("No fire time has passed without a run since", "以下时间以来没有到时未运行的触发")
}
func (l Lang) ExplainOkOwners() string {
	return l.pick("Each shard has an owner", "每个分片都有所属实例")
}
func (l Lang) ExplainOkReleased() string { return l.pick("Job is not held", "作业未被暂停") }
func (l Lang) ExplainOkResharding() string {
	return l.pick("No resharding is pending", "没有待进行的重新分片")
}
func (l Lang) ExplainOkRunning() string {
	return l.pick("No running marker of an instance that has left", "没有已离开实例遗留的运行标记")
}
func (l Lang) ExplainOkShardsEnabled() string {
	return l.pick("No shard is disabled", "没有被禁用的分片")
}
func (l Lang) ExplainOkTrigger() string {
	return l.pick("No trigger waits", "没有等待中的触发")
}
func (l Lang) ExplainOnFire() string    { return l.pick("the fire time", "触发时间") }
func (l Lang) ExplainOnJob() string     { return l.pick("the job", "作业") }
func (l Lang) ExplainOnLastRun() string { return l.pick("the last run", "最近一次运行") }
func (l Lang) ExplainOnNothing() string { return l.pick("nothing", "无") }
func (l Lang) ExplainOnServer() string  { return l.pick("a server", "服务器") }
func (l Lang) ExplainOnShards() string  { return l.pick("shards", "分片") }
func (l Lang) ExplainOneFails() string {
	return l.pick("one of its shards fails", "有 1 个分片失败")
}
func (l Lang) ExplainOpenFailed() string {
	return l.pick("Open its failed runs", "查看失败的运行")
}
func (l Lang) ExplainOpenOverview() string { return l.pick("Open the overview", "打开概览") }
func (l Lang) ExplainOpenServer() string   { return l.pick("Open the server", "打开服务器") }
func (l Lang) ExplainOpenShards() string   { return l.pick("Open the shards", "查看分片") }
func (l Lang) ExplainReleaseJob() string   { return l.pick("Release the job", "恢复作业") }
func (l Lang) ExplainRunsNode() string {
	return l.pick("the newest runs in the trace database", "事件追踪数据库中最近的运行")
}
func (l Lang) ExplainSaysDoesNotRun() string {
	return l.pick("The job starts no runs", "作业不会开始新的运行")
}
func (l Lang) ExplainSaysFine() string { return l.pick("No problem found", "未发现问题") }
func (l Lang) ExplainSaysHeld() string { return l.pick("The job is held", "作业已暂停") }
func (l Lang) ExplainSaysLate() string { return l.pick("The job is late", "作业延迟") }
func (l Lang) ExplainSaysPart() string {
	return l.pick("A part of the job starts no runs", "作业的一部分不会开始新的运行")
}
func (l Lang) ExplainSaysRunsAnd(what string) string {
	return fill(l.pick("The job runs, and {0}", "作业在运行，但{0}"), what)
}
func (l Lang) ExplainSaysUnknown() string {
	return l.pick("The state of the job is unknown", "无法判断作业的状态")
}
func (l Lang) ExplainSaysUnstable() string { return l.pick("The job is unstable", "作业不稳定") }
func (l Lang) ExplainSeenNode() string {
	return l.pick("the instances that the console has seen", "控制台所见的实例")
}
func (l Lang) ExplainShards(n int, list string) string {
	return fill(l.plural(n, "Shard {1}", "Shards {1}", "分片 {1}"), number(n), list)
}
func (l Lang) ExplainSomeFail(n string) string {
	return fill(l.pick("{0} of its shards fail", "有 {0} 个分片失败"), n)
}
func (l Lang) ExplainSumBlocked(sentence string) string {
	return fill(l.pick("The job starts no runs. {0}", "作业不会开始新的运行。{0}"), sentence)
}
func (l Lang) ExplainSumDoubt(sentence string) string {
	return fill(l.pick("Perhaps the job starts no runs. {0}", "作业可能不会开始新的运行。{0}"), sentence)
}
func (l Lang) ExplainSumNext(time string) string {
	return fill(l.pick("Nothing prevents the job from running: it fires next at {0}.", "没有障碍：下次触发于 {0}。"), time)
}
func (l Lang) ExplainSumNextByClocks(time string) string {
	return fill(l.pick("Nothing prevents the job from running: its next fire time is {0}; an agent with a wrong clock fires earlier or later.", "没有障碍：下次触发时间为 {0}，时钟有偏差的 agent 会更早或更晚到达该时间。"), time)
}
func (l Lang) ExplainSumOverrun(sentence string) string {
	return fill(l.pick("A run is on. {0}", "有一次运行正在进行。{0}"), sentence)
}
func (l Lang) ExplainSumPart(sentence string) string {
	return fill(l.pick("A part of the job starts no runs. {0}", "作业的一部分不会开始新的运行。{0}"), sentence)
}
func (l Lang) ExplainSumRunning() string {
	return l.pick("A run is on, and agents drop triggers until it ends.", "有一次运行正在进行，在其结束之前代理会忽略触发。")
}
func (l Lang) ExplainSumTrigger() string {
	return l.pick("Nothing prevents the job from running: it runs when it is triggered.", "没有障碍：触发后即运行。")
}
func (l Lang) ExplainTextFine() string { return l.pick("What is fine", "正常项") }

// [fleet]

func (l Lang) FleetAll() string   { return l.pick("All", "全部") }
func (l Lang) FleetClear() string { return l.pick("Clear", "清除") }
func (l Lang) FleetCount(n int) string {
	return fill(l.plural(n, "{0} server", "{0} servers", "{0} 台服务器"), number(n))
}
func (l Lang) FleetDisabled() string { return l.pick("Disabled", "已禁用") }
func (l Lang) FleetDisabledHere() string {
	return l.pick("Jobs disabled here", "在此禁用的作业")
}
func (l Lang) FleetDisabledNote() string {
	return l.pick("Every job is disabled here; it gets no shards.", "所有作业都在此禁用，不会分配到分片。")
}
func (l Lang) FleetEmpty() string {
	return l.pick("No server has registered yet.", "尚无服务器注册。")
}
func (l Lang) FleetEmptyText() string {
	return l.pick("A server appears here as soon as an agent on it registers a job.", "服务器上的实例注册作业后，服务器会显示在这里。")
}
func (l Lang) FleetExecutionsHere() string {
	return l.pick("Executions on this server", "此服务器上的执行明细")
}
func (l Lang) FleetInstances() string { return l.pick("Instances", "实例数") }
func (l Lang) FleetJobs() string      { return l.pick("Jobs", "作业") }
func (l Lang) FleetNoMatch() string {
	return l.pick("No server matches.", "没有匹配的服务器。")
}
func (l Lang) FleetNote() string    { return l.pick("Note", "备注") }
func (l Lang) FleetOffline() string { return l.pick("Offline", "离线") }
func (l Lang) FleetOfflineNote() string {
	return l.pick("No process runs here. Its entries stay until they are removed.", "此处没有进程运行。其记录会保留，直到被移除。")
}
func (l Lang) FleetOnline() string       { return l.pick("Online", "在线") }
func (l Lang) FleetSearch() string       { return l.pick("Search by address", "按地址搜索") }
func (l Lang) FleetSearchButton() string { return l.pick("Search", "搜索") }
func (l Lang) FleetSearchHint() string   { return l.pick("Search address", "搜索地址") }
func (l Lang) FleetServer() string       { return l.pick("Server", "服务器") }
func (l Lang) FleetShowAll() string      { return l.pick("Show all servers", "显示全部服务器") }
func (l Lang) FleetSomeDisabled(n int) string {
	return fill(l.plural(n, "{0} job is disabled here.", "{0} jobs are disabled here.", "{0} 个作业在此禁用。"), number(n))
}
func (l Lang) FleetState() string  { return l.pick("State", "状态") }
func (l Lang) FleetStates() string { return l.pick("Filter by state", "按状态筛选") }
func (l Lang) FleetUnknownState(value string) string {
	return fill(l.pick("state {0} is unknown (use online, disabled or offline)", "未知的 state：{0}（可用 online、disabled 或 offline）"), value)
}

// [frame]

func (l Lang) FrameAdmin() string      { return l.pick("admin", "管理员") }
func (l Lang) FrameAreas() string      { return l.pick("Areas", "功能区") }
func (l Lang) FrameAreasShort() string { return l.pick("Areas, short", "常用功能区") }
func (l Lang) FrameAudit() string      { return l.pick("Audit log", "审计日志") }
func (l Lang) FrameAuditSub() string {
	return l.pick("One row for each request that changed something or was refused, newest first.", "每个有更改或被拒绝的请求一行，最新的在前。")
}
func (l Lang) FrameBroken() string {
	return l.pick("No answer, trying again ·", "无响应，正在重试 ·")
}
func (l Lang) FrameClose() string          { return l.pick("Close", "关闭") }
func (l Lang) FrameCloud() string          { return l.pick("Cloud", "云作业") }
func (l Lang) FrameConnected() string      { return l.pick("connected", "已连接") }
func (l Lang) FrameConsole() string        { return l.pick("Console", "控制台") }
func (l Lang) FrameCrumbs() string         { return l.pick("You are here", "当前位置") }
func (l Lang) FrameCurl() string           { return l.pick("The same as curl", "等价的 curl 命令") }
func (l Lang) FrameDisconnected() string   { return l.pick("disconnected", "已断开") }
func (l Lang) FrameDue(span string) string { return fill(l.pick("due {0} ago", "已过 {0}"), span) }
func (l Lang) FrameFailing(n int) string {
	return fill(l.plural(n, "{0} job is failing", "{0} jobs are failing", "{0} 个作业失败"), number(n))
}
func (l Lang) FrameFleet() string { return l.pick("Fleet", "服务器与实例") }
func (l Lang) FrameHeld(n string) string {
	return fill(l.pick("Updates are held · {0} changed · Show", "更新已暂缓 · {0} 处有变化 · 显示"), n)
}
func (l Lang) FrameHere(time string) string {
	return fill(l.pick("{0} here", "本地时间 {0}"), time)
}
func (l Lang) FrameIgnored() string {
	return l.pick("A part of the address was ignored", "地址中的一部分被忽略")
}
func (l Lang) FrameIn(span string) string { return fill(l.pick("in {0}", "{0} 后"), span) }
func (l Lang) FrameJobs() string          { return l.pick("Jobs", "作业") }
func (l Lang) FrameLanguage() string      { return l.pick("Language", "语言") }
func (l Lang) FrameLive() string          { return l.pick("Live ·", "实时 ·") }
func (l Lang) FrameManage() string        { return l.pick("Manage", "管理") }
func (l Lang) FrameMore() string          { return l.pick("More", "更多") }
func (l Lang) FrameNamespace() string     { return l.pick("Namespace", "命名空间") }
func (l Lang) FrameNew(n string) string {
	return fill(l.pick("{0} new · Show", "有 {0} 条新记录 · 显示"), n)
}
func (l Lang) FrameOffline() string {
	return l.pick("This browser is offline. Nothing can be changed until it's connected again.", "浏览器已离线，恢复连接后才能进行更改。")
}
func (l Lang) FrameOperator() string     { return l.pick("operator", "操作员") }
func (l Lang) FrameOverview() string     { return l.pick("Overview", "总览") }
func (l Lang) FramePages() string        { return l.pick("Pages", "分页") }
func (l Lang) FramePause() string        { return l.pick("Pause", "暂停") }
func (l Lang) FramePaused() string       { return l.pick("Paused ·", "已暂停 ·") }
func (l Lang) FrameReadAt() string       { return l.pick("Read at", "读取于") }
func (l Lang) FrameReconnecting() string { return l.pick("reconnecting", "重新连接中") }
func (l Lang) FrameRefreshing(n int) string {
	return fill(l.pick("Refreshing every {0} s", "每 {0} 秒刷新"), number(n))
}
func (l Lang) FrameRegistries() string { return l.pick("Registries", "注册中心") }
func (l Lang) FrameRegistriesSub() string {
	return l.pick("Registries this console knows. Opening one changes nothing for others.", "本控制台已知的注册中心。打开其中一个不影响他人。")
}
func (l Lang) FrameRemoveRegistry(name string) string {
	return fill(l.pick("Remove {0}?", "移除 {0}？"), name)
}
func (l Lang) FrameResume() string     { return l.pick("Resume", "继续") }
func (l Lang) FrameRoleViewer() string { return l.pick("viewer", "访客") }
func (l Lang) FrameRuns() string       { return l.pick("Runs", "运行记录") }
func (l Lang) FrameRunsSub() string {
	return l.pick("One row for each execution of a shard, as the agents recorded them.", "每个分片的每次执行一行，由实例记录。")
}
func (l Lang) FrameSettings() string { return l.pick("Settings", "设置") }
func (l Lang) FrameSignOut() string  { return l.pick("Sign out", "退出登录") }
func (l Lang) FrameSkip() string     { return l.pick("Skip to the content", "跳到正文") }
func (l Lang) FrameSnapshotOf(time string) string {
	return fill(l.pick("Snapshot of {0}, read-only", "{0} 的快照，只读"), time)
}
func (l Lang) FrameSwitch() string { return l.pick("Switch registry", "切换注册中心") }
func (l Lang) FrameTheme() string  { return l.pick("Theme", "主题") }
func (l Lang) FrameThemeAuto() string {
	return l.pick("Same theme as the system", "跟随系统主题")
}
func (l Lang) FrameThemeDark() string  { return l.pick("Dark theme", "深色主题") }
func (l Lang) FrameThemeLight() string { return l.pick("Light theme", "浅色主题") }
func (l Lang) FrameTimesIn(zone string) string {
	return fill(l.pick("Times of this page are in {0}", "本页时间为 {0}"), zone)
}
func (l Lang) FrameUnknownParameter(name string) string {
	return fill(l.pick("this page knows no {0}", "本页没有参数 {0}"), name)
}
func (l Lang) FrameViewer() string  { return l.pick("viewer, read only", "访客，只读") }
func (l Lang) FrameZone() string    { return l.pick("Time zone of pages", "页面时区") }
func (l Lang) FrameZoneJob() string { return l.pick("Job's", "作业") }
func (l Lang) FrameZoneJobTitle() string {
	return l.pick("Times of a job's pages are in the job's zone, others in UTC", "作业页面使用作业的时区，其他页面为 UTC")
}
func (l Lang) FrameZoneMine() string { return l.pick("Mine", "我的") }

// [grid]

func (l Lang) GridAll() string    { return l.pick("All runs", "全部运行") }
func (l Lang) GridFailed() string { return l.pick("failed", "失败") }
func (l Lang) GridHint() string {
	return l.pick("column = run, row = shard; pick one to open it", "列为运行，行为分片；点击可打开")
}
func (l Lang) GridLabel(n int, job string, failed int) string {
	return fill(l.pick("The last {0} runs of {1}: {2} failed or lost", "{1} 最近 {0} 次运行：失败或丢失 {2} 次"), number(n), job, number(failed))
}
func (l Lang) GridLast(n int) string {
	return fill(l.plural(n, "last run", "last {0}", "最近 {0} 次"), number(n))
}
func (l Lang) GridLeftOut(n int) string {
	return fill(l.plural(n, "{0} more shard succeeded in all of them", "{0} more shards succeeded in all of them", "另有 {0} 个分片在这些运行中全部成功"), number(n))
}
func (l Lang) GridLongest(took string) string { return fill(l.pick("longest {0}", "最长 {0}"), took) }
func (l Lang) GridRun(time string, state string, took string, shards string) string {
	return fill(l.pick("{0}: {1}, {2}, {3}", "{0}：{1}，{2}，{3}"), time, state, took, shards)
}
func (l Lang) GridSpanMore(n int, span string) string {
	return fill(l.plural(n, "the newest run of the last {1}; there are more", "the newest {0} runs of the last {1}; there are more", "最近 {1} 中最新的 {0} 次运行；还有更多"), number(n), span)
}
func (l Lang) GridSpanNone(span string) string {
	return fill(l.pick("No run in the last {0}.", "最近 {0} 内没有运行。"), span)
}
func (l Lang) GridSpanSub(n int, span string) string {
	return fill(l.plural(n, "{0} run of the last {1}, newest at the right", "{0} runs of the last {1}, newest at the right", "最近 {1} 的 {0} 次运行，最新的在右侧"), number(n), span)
}
func (l Lang) GridSub(n int) string {
	return fill(l.plural(n, "the last run, newest at the right", "the last {0} runs, newest at the right", "最近 {0} 次运行，最新的在右侧"), number(n))
}
func (l Lang) GridTitle() string { return l.pick("Run grid", "运行网格") }

// [health]

func (l Lang) HealthBecause(what string, cause string) string {
	return fill(l.pick("{0}: {1}.", "{0}：{1}。"), what, cause)
}
func (l Lang) HealthBlocked() string { return l.pick("Blocked", "受阻") }
func (l Lang) HealthBoth(failed string, lost string) string {
	return fill(l.pick("{0} and {1}", "{0}，{1}"), failed, lost)
}
func (l Lang) HealthDisabled() string        { return l.pick("Disabled", "已禁用") }
func (l Lang) HealthDown() string            { return l.pick("Down", "已下线") }
func (l Lang) HealthEnded() string           { return l.pick("Ended", "已结束") }
func (l Lang) HealthEnds(what string) string { return fill(l.pick("{0}.", "{0}。"), what) }
func (l Lang) HealthFailedOn(shards string, where string) string {
	return fill(l.pick("{0} failed on {1}", "{0} 在 {1} 上失败"), shards, where)
}
func (l Lang) HealthFailing() string { return l.pick("Failing", "失败") }
func (l Lang) HealthHealthy() string { return l.pick("Healthy", "正常") }
func (l Lang) HealthIdle(owners string) string {
	return fill(l.pick(" It was up to {0}.", "应由 {0} 运行。"), owners)
}
func (l Lang) HealthIsAllItemsOff() string {
	return l.pick("Every shard is switched off, so no run starts.", "所有分片均已禁用，作业不会开始新的运行。")
}
func (l Lang) HealthIsAway() string {
	return l.pick("The history of runs can't be read, so it's unknown whether the last run succeeded.", "运行历史不可用，无法判断最近一次运行是否成功。")
}
func (l Lang) HealthIsBlocked(why string) string {
	return fill(l.pick("The job starts no runs. {0}.", "作业不会开始新的运行。{0}。"), why)
}
func (l Lang) HealthIsCrashes(n int, time string) string {
	return fill(l.plural(n, "The job lost an instance once since {1}: the process ended, or lost ZooKeeper.", "The job lost an instance {0} times since {1}: the process ended, or lost ZooKeeper.", "自 {1} 起，该作业丢失实例 {0} 次：进程已结束，或与 ZooKeeper 断开。"), number(n), time)
}
func (l Lang) HealthIsDisabled() string {
	return l.pick("The job is disabled: no run starts until it is enabled.", "作业已禁用：启用之前不会开始运行。")
}
func (l Lang) HealthIsDown() string {
	return l.pick("No instance of the job is registered: none has started, or all have left.", "没有该作业的实例注册：尚未启动，或已全部离开。")
}
func (l Lang) HealthIsDropped(time string) string {
	return fill(l.pick("The fire time {0} passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.", "触发时间 {0} 到来时上一次运行尚未结束，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"), time)
}
func (l Lang) HealthIsDroppedBy(time string, shards string) string {
	return fill(l.pick("The fire time {0} passed for {1} while a run went on, and is lost there: only with misfire and monitorExecution is it made up for.", "触发时间 {0} 到来时上一次运行尚未结束，{1} 的该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"), time, shards)
}
func (l Lang) HealthIsEnded() string {
	return l.pick("The schedule has no fire time to come: the job runs only when it is triggered.", "调度没有后续触发时间：作业仅在手动触发时运行。")
}
func (l Lang) HealthIsForbidden() string {
	return l.pick("ZooKeeper refuses the console's credentials, so the state of the job is unknown here.", "ZooKeeper 拒绝控制台的凭据：无法判断作业的状态。")
}
func (l Lang) HealthIsHealthy() string {
	return l.pick("The last run did not fail, and none is late.", "最近一次运行没有失败，也没有迟到的运行。")
}
func (l Lang) HealthIsHeld(name string) string {
	return fill(l.pick("{0} holds the schedule: fire times pass without a run.", "调度由 {0} 暂停：触发时间到来时不运行。"), name)
}
func (l Lang) HealthIsHeldRequests(name string) string {
	return fill(l.pick("{0} holds requested runs: a run waits unless a person asked for it.", "{0} 暂停了运行请求：不是由人提出的请求需等待。"), name)
}
func (l Lang) HealthIsItemsOff(n int) string {
	return fill(l.plural(n, "Of the shards, {0} is switched off.", "Of the shards, {0} are switched off.", "{0} 个分片已禁用。"), number(n))
}
func (l Lang) HealthIsLate(time string) string {
	return fill(l.pick("The job was due at {0}, and no run of that fire time has begun.", "作业应于 {0} 触发，但没有运行开始。"), time)
}
func (l Lang) HealthIsLateByRows(time string) string {
	return fill(l.pick("The job was due at {0}, and no run of it is on record.", "作业应于 {0} 触发，但没有该次运行的记录。"), time)
}
func (l Lang) HealthIsLateResharding(time string) string {
	return fill(l.pick("The job was due at {0}, and no run of it is known: the shards must be assigned first.", "作业应于 {0} 触发，但没有该次运行的记录：须先分配分片。"), time)
}
func (l Lang) HealthIsLateShards(time string, shards string) string {
	return fill(l.pick("The job was due at {0}, and no run of {1} for that fire time has begun.", "作业应于 {0} 触发，但{1}没有开始该次运行。"), time, shards)
}
func (l Lang) HealthIsLost(n int) string {
	return fill(l.plural(n, "An instance left during a run: {0} shard was lost, and no instance has begun it again.", "An instance left during a run: {0} shards were lost, and no instance has begun them again.", "有实例在运行中离开：{0} 个分片丢失，尚未重新执行。"), number(n))
}
func (l Lang) HealthIsMissed(time string, shards string) string {
	return fill(l.pick("The runs on record since {0} are without {1}.", "自 {0} 起的运行记录中没有{1}。"), time, shards)
}
func (l Lang) HealthIsNever() string {
	return l.pick("No run of the job is on record, and none has been due since it could run.", "没有该作业的运行记录；自其可以运行以来，尚未到过触发时间。")
}
func (l Lang) HealthIsNeverTriggered() string {
	return l.pick("The job runs only when it is triggered, and no run of it is on record.", "作业仅在触发时运行，目前没有任何运行记录。")
}
func (l Lang) HealthIsNoneEnabled(n int) string {
	return fill(l.plural(n, "The job's only instance may not run shards.", "None of the job's {0} instances may run shards.", "已注册 {0} 个实例，但没有一个可以运行分片。"), number(n))
}
func (l Lang) HealthIsNotRecorded(time string) string {
	return fill(l.pick("The job was due at {0}, and no run of it is on record. Its rows may be late, or its agents may record none, so it's unknown whether it ran.", "作业应在 {0} 运行，没有其运行记录。记录可能晚到，或其代理不记录，因此无法得知是否已运行。"), time)
}
func (l Lang) HealthIsOneInstance() string {
	return l.pick("One instance serves the job: if it's lost, no other one takes its shards over.", "只有一个实例服务该作业：一旦丢失，没有其他实例接管其分片。")
}
func (l Lang) HealthIsOverrun(shards string, time string) string {
	return fill(l.pick("{0}: by the history still running when the fire time {1} came, unless the row of an end is late.", "{0}：按历史记录，触发时间 {1} 到来时仍在运行，除非结束记录晚到。"), shards, time)
}
func (l Lang) HealthIsPartial(why string) string {
	return fill(l.pick("A part of the job starts no runs. {0}.", "作业的一部分不会开始新的运行。{0}。"), why)
}
func (l Lang) HealthIsPassed(due string, ready string) string {
	return fill(l.pick("No run of the fire time {0} is on record, and none made up for it. Whether an instance served the job then isn't known: the first of the live ones came at {1}.", "没有触发时间 {0} 的运行记录，也没有补上。无法得知当时是否有实例服务该作业：当前存活实例中最早的于 {1} 出现。"), due, ready)
}
func (l Lang) HealthIsRanUnrecorded(time string) string {
	return fill(l.pick("The job ran last at {0} or later, and the results of its runs aren't on record here.", "作业最近一次运行于 {0} 或更晚，但此处没有其运行结果的记录。"), time)
}
func (l Lang) HealthIsReading() string {
	return l.pick("The console has yet to read this job.", "控制台尚未读取该作业。")
}
func (l Lang) HealthIsResharding(reason string) string {
	return fill(l.pick("The shards are to be assigned: {0}.", "分片待分配：{0}。"), reason)
}
func (l Lang) HealthIsRunning(n int) string {
	return fill(l.plural(n, "A run is on: {0} shard is running.", "A run is on: {0} shards are running.", "正在运行：{0} 个分片正在运行。"), number(n))
}
func (l Lang) HealthIsRunningByHistory(n int) string {
	return fill(l.plural(n, "By the history a run may be on: {0} shard has no end on record.", "By the history a run may be on: {0} shards have no end on record.", "按历史记录可能正在运行：{0} 个分片没有结束记录。"), number(n))
}
func (l Lang) HealthIsServersOff(n int) string {
	return fill(l.plural(n, "The job runs; {0} server is not enabled.", "The job runs; {0} servers are not enabled.", "作业正常运行；{0} 台服务器未启用。"), number(n))
}
func (l Lang) HealthIsUnended(time string) string {
	return fill(l.pick("The end of the run that began at {0} isn't on record, and the registry shows no running shard, so its result is unknown.", "没有 {0} 开始的运行的结束记录，而注册中心显示没有分片在运行，因此无法得知其结果。"), time)
}
func (l Lang) HealthIsUnreadable(cause string) string {
	return fill(l.pick("The configuration cannot be used: {0}.", "配置无法使用：{0}。"), cause)
}
func (l Lang) HealthIsUnrecorded(shards string) string {
	return fill(l.pick("The last runs on record are without {0}; the owner may not record its runs.", "最近的运行记录中没有{0}，其所有者可能不记录运行。"), shards)
}
func (l Lang) HealthIsUnserved(time string) string {
	return fill(l.pick("The fire time {0} passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.", "触发时间 {0} 到来时没有实例服务该作业，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"), time)
}
func (l Lang) HealthIsUnstable(n int, all int) string {
	return fill(l.pick("The last run on record succeeded, and {0} of the last {1} failed.", "有记录的最近一次成功，但 {1} 次中 {0} 次失败。"), number(n), number(all))
}
func (l Lang) HealthLastRun(what string) string {
	return fill(l.pick("In the last run on record {0}", "有记录的最近一次运行中{0}"), what)
}
func (l Lang) HealthLastRuns(runs string, what string) string {
	return fill(l.pick("The last {0} on record failed; in the newest {1}", "有记录的{0}运行失败；最近一次中 {1}"), runs, what)
}
func (l Lang) HealthLate() string  { return l.pick("Late", "延迟") }
func (l Lang) HealthLost() string  { return l.pick("lost", "丢失") }
func (l Lang) HealthNever() string { return l.pick("Never ran", "从未运行") }
func (l Lang) HealthPartFailed(shards string) string {
	return fill(l.pick("{0} failed", "{0} 失败"), shards)
}
func (l Lang) HealthPartLost(shards string, n int) string {
	return fill(l.plural(n, "{0} has no recorded end, as after the loss of a process", "{0} have no recorded end, as after the loss of a process", "{0}没有结束记录（例如进程丢失）"), shards, number(n))
}
func (l Lang) HealthPartial() string    { return l.pick("Runs in part", "部分运行") }
func (l Lang) HealthReading() string    { return l.pick("Still reading", "读取中") }
func (l Lang) HealthResharding() string { return l.pick("Resharding", "分片待调整") }
func (l Lang) HealthRun() string        { return l.pick("1 run", "1 次") }
func (l Lang) HealthRunning() string    { return l.pick("Running", "运行中") }
func (l Lang) HealthRuns(n int) string {
	return fill(l.plural(n, "{0} run", "{0} runs", "连续 {0} 次"), number(n))
}
func (l Lang) HealthRunsAtLeast(n int) string {
	return fill(l.pick("{0}+ runs", "连续 {0}+ 次"), number(n))
}
func (l Lang) HealthShard(item string) string  { return fill(l.pick("shard {0}", "分片 {0}"), item) }
func (l Lang) HealthShards(list string) string { return fill(l.pick("shards {0}", "分片 {0}"), list) }
func (l Lang) HealthShardsMore(list string, n int) string {
	return fill(l.pick("shards {0} and {1} more", "分片 {0} 等，另有 {1} 个"), list, number(n))
}
func (l Lang) HealthUnknown() string    { return l.pick("Unknown", "未知") }
func (l Lang) HealthUnreadable() string { return l.pick("Unreadable", "配置错误") }
func (l Lang) HealthUnstable() string   { return l.pick("Unstable", "不稳定") }
func (l Lang) HealthWhyAbsent() string  { return l.pick("no configuration", "没有配置") }
func (l Lang) HealthWhyAway() string    { return l.pick("history not read", "历史不可读") }
func (l Lang) HealthWhyBlocked() string { return l.pick("cannot run", "无法运行") }
func (l Lang) HealthWhyCrashes(n int) string {
	return fill(l.plural(n, "lost an instance once", "lost an instance {0} times", "丢失实例 {0} 次"), number(n))
}
func (l Lang) HealthWhyDown() string    { return l.pick("no instance", "无实例") }
func (l Lang) HealthWhyDropped() string { return l.pick("fire time lost", "错过触发时间") }
func (l Lang) HealthWhyDueNotRecorded() string {
	return l.pick("due run not on record", "应有的运行没有记录")
}
func (l Lang) HealthWhyEnded() string {
	return l.pick("no fire time to come", "没有后续触发时间")
}
func (l Lang) HealthWhyFailing(runs string, what string) string {
	return fill(l.pick("{0} · {1}", "{0} · {1}"), runs, what)
}
func (l Lang) HealthWhyForbidden() string    { return l.pick("may not be read", "无权读取") }
func (l Lang) HealthWhyHeld() string         { return l.pick("held", "已暂停") }
func (l Lang) HealthWhyHeldRequests() string { return l.pick("requests held", "请求已暂停") }
func (l Lang) HealthWhyItemsOff(n int) string {
	return fill(l.plural(n, "{0} shard off", "{0} shards off", "{0} 个分片已禁用"), number(n))
}
func (l Lang) HealthWhyLate() string { return l.pick("fire time not run", "该次触发未运行") }
func (l Lang) HealthWhyLateResharding() string {
	return l.pick("waits for resharding", "等待重新分片")
}
func (l Lang) HealthWhyLost(n int) string {
	return fill(l.plural(n, "{0} shard lost", "{0} shards lost", "{0} 个分片丢失"), number(n))
}
func (l Lang) HealthWhyMayRun() string { return l.pick("a run may be on", "可能在运行") }
func (l Lang) HealthWhyMissed(n int) string {
	return fill(l.plural(n, "{0} shard without a run", "{0} shards without a run", "{0} 个分片没有运行"), number(n))
}
func (l Lang) HealthWhyNoLeader() string { return l.pick("no leader", "没有主节点") }
func (l Lang) HealthWhyNoneEnabled() string {
	return l.pick("no enabled instance", "没有启用的实例")
}
func (l Lang) HealthWhyNotRecorded() string { return l.pick("no run on record", "没有运行记录") }
func (l Lang) HealthWhyOneInstance() string {
	return l.pick("one instance, no failover", "仅一个实例，无法失效转移")
}
func (l Lang) HealthWhyPartial() string {
	return l.pick("some shards cannot run", "部分分片无法运行")
}
func (l Lang) HealthWhyReading() string { return l.pick("still being read", "仍在读取") }
func (l Lang) HealthWhyReassigned() string {
	return l.pick("shards wait for new owners", "分片待重新分配")
}
func (l Lang) HealthWhyRefused() string {
	return l.pick("its agents refuse it", "实例拒绝该作业")
}
func (l Lang) HealthWhyResharding() string { return l.pick("nothing assigned yet", "尚未分配") }
func (l Lang) HealthWhyRunning(left int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard running", "{0} of {1} shards running", "{0}/{1} 个分片正在运行"), number(left), number(n))
}
func (l Lang) HealthWhyRunningByHistory(left int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard open", "{0} of {1} shards open", "{0}/{1} 个分片未结束"), number(left), number(n))
}
func (l Lang) HealthWhyServersOff(n int) string {
	return fill(l.plural(n, "{0} server off", "{0} servers off", "{0} 台服务器已禁用"), number(n))
}
func (l Lang) HealthWhyShardsNotRecorded() string {
	return l.pick("shards not on record", "分片没有运行记录")
}
func (l Lang) HealthWhyUnassigned(n int) string {
	return fill(l.plural(n, "{0} shard unassigned", "{0} shards unassigned", "{0} 个分片未分配"), number(n))
}
func (l Lang) HealthWhyUnended() string { return l.pick("end not on record", "没有结束记录") }
func (l Lang) HealthWhyUnstable(n int, all int) string {
	return fill(l.pick("{0} of {1} failed", "{1} 次中 {0} 次失败"), number(n), number(all))
}

// [hold]

func (l Lang) HoldAll() string  { return l.pick("Both", "两者") }
func (l Lang) HoldBack() string { return l.pick("To the job", "返回作业") }
func (l Lang) HoldBy(name string, when string) string {
	return fill(l.pick("Held by {0} since {1}", "由 {0} 暂停，自 {1}"), name, when)
}
func (l Lang) HoldByShort(name string, when string) string {
	return fill(l.pick("by {0}, {1}", "{0}，{1}"), name, when)
}
func (l Lang) HoldByWhy(name string, when string, reason string) string {
	return fill(l.pick("Held by {0} since {1}: {2}", "由 {0} 暂停，自 {1}：{2}"), name, when, reason)
}
func (l Lang) HoldDid(job string) string {
	return fill(l.pick("{0} is held.", "{0} 已暂停。"), job)
}
func (l Lang) HoldDidRelease(job string) string {
	return fill(l.pick("{0} is released. What passed meanwhile is not made up for.", "{0} 已恢复。期间错过的不会补跑。"), job)
}
func (l Lang) HoldEffectAfter() string {
	return l.pick("Nothing that passes meanwhile is made up for. Requested runs that wait begin after the release, unless they expire first.", "期间错过的不会补跑。等待中的请求在恢复后开始，除非先过期。")
}
func (l Lang) HoldEffectJava() string {
	return l.pick("Agents of Java, if the job has any, do not know of a hold and fire.", "如果作业有 Java 代理，它们不知道暂停，仍会触发。")
}
func (l Lang) HoldEffectPerson() string {
	return l.pick("What a person asks for runs all the same: a trigger, or a run requested here.", "由人发起的仍会运行：触发，或在此处请求的运行。")
}
func (l Lang) HoldEffectRuns() string {
	return l.pick("What runs goes on to its end.", "正在进行的运行会继续到结束。")
}
func (l Lang) HoldEffects() string { return l.pick("What happens then", "之后会怎样") }
func (l Lang) HoldHeld() string    { return l.pick("Held", "已暂停") }
func (l Lang) HoldLabel() string   { return l.pick("Hold…", "暂停…") }
func (l Lang) HoldReason() string  { return l.pick("Why", "原因") }
func (l Lang) HoldReasonHelp() string {
	return l.pick("For those who find the job held. May be empty.", "写给发现作业被暂停的人。可以留空。")
}
func (l Lang) HoldRefused(why string) string {
	return fill(l.pick("{0}", "操作被拒绝：{0}"), why)
}
func (l Lang) HoldRefusedHint() string {
	return l.pick("Look at the job. Nothing was changed.", "请查看该作业。未作任何更改。")
}
func (l Lang) HoldRelease() string  { return l.pick("Release", "恢复") }
func (l Lang) HoldRequests() string { return l.pick("What programs request", "程序请求的运行") }
func (l Lang) HoldRequestsNote() string {
	return l.pick("Requested runs that no person asked for wait.", "不是由人请求的运行将等待。")
}
func (l Lang) HoldSaysAll() string {
	return l.pick("Fire times pass without a run, and requested runs that no person asked for wait.", "触发时间到来时不运行，不是由人请求的运行在等待。")
}
func (l Lang) HoldSaysRequests() string {
	return l.pick("Requested runs that no person asked for wait.", "不是由人请求的运行在等待。")
}
func (l Lang) HoldSaysSchedule() string {
	return l.pick("Fire times pass without a run.", "触发时间到来时不运行。")
}
func (l Lang) HoldSchedule() string { return l.pick("The schedule", "调度") }
func (l Lang) HoldScheduleNote() string {
	return l.pick("Fire times pass without a run.", "触发时间到来时不运行。")
}
func (l Lang) HoldSubmit() string          { return l.pick("Hold the job", "暂停作业") }
func (l Lang) HoldTitle(job string) string { return fill(l.pick("Hold {0}?", "暂停 {0}？"), job) }
func (l Lang) HoldWhat() string            { return l.pick("What stands still", "暂停什么") }
func (l Lang) HoldWrongReason(n string, most string) string {
	return fill(l.pick("The reason has {0} characters; at most {1} are taken.", "原因有 {0} 个字符；最多 {1} 个。"), n, most)
}
func (l Lang) HoldWrongWhat() string {
	return l.pick("Choose what stands still.", "请选择暂停什么。")
}

// [job]

func (l Lang) JobAgentGo(version string) string {
	return fill(l.pick("Go agent {0}", "Go 代理 {0}"), version)
}
func (l Lang) JobAgentJava() string       { return l.pick("Java agent", "Java 代理") }
func (l Lang) JobAgentNoRecorder() string { return l.pick("records no runs", "不记录运行") }
func (l Lang) JobAssigning() string {
	return l.pick("The leader is assigning shards right now", "主节点正在分配分片")
}
func (l Lang) JobAssigningText() string {
	return l.pick("No new run starts until it is done; this usually takes less than a second.", "完成之前不会开始新的运行，通常不到一秒。")
}
func (l Lang) JobBlocked() string { return l.pick("Doesn't run", "不运行") }
func (l Lang) JobClass() string   { return l.pick("Class", "类") }
func (l Lang) JobConfig() string  { return l.pick("Configuration", "配置") }
func (l Lang) JobConfigError() string {
	return l.pick("The stored configuration cannot be read", "存储的配置无法读取")
}
func (l Lang) JobCronError() string {
	return l.pick("This schedule cannot be read", "该调度无法解析")
}
func (l Lang) JobDisabled() string         { return l.pick("Disabled", "已禁用") }
func (l Lang) JobDurations() string        { return l.pick("Durations", "耗时") }
func (l Lang) JobDurationsChange() string  { return l.pick("against p50", "相对 p50") }
func (l Lang) JobDurationsCompare() string { return l.pick("Compare 7 days", "对比 7 天") }
func (l Lang) JobDurationsLabel(n int, p50 string, p95 string) string {
	return fill(l.plural(n, "Durations of the last run: half took at most {1}, 95 of 100 at most {2}", "Durations of the last {0} runs: half took at most {1}, 95 of 100 at most {2}", "最近 {0} 次运行的耗时：半数不超过 {1}，95% 不超过 {2}"), number(n), p50, p95)
}
func (l Lang) JobDurationsLast() string { return l.pick("last", "最近一次") }
func (l Lang) JobDurationsSub(n int) string {
	return fill(l.plural(n, "the last run", "the last {0} runs", "最近 {0} 次运行"), number(n))
}
func (l Lang) JobFacts() string { return l.pick("Facts", "概况") }
func (l Lang) JobFailedOverTo(instance string) string {
	return fill(l.pick("Failed over to {0}", "已失效转移到 {0}"), instance)
}
func (l Lang) JobFailover() string { return l.pick("Failover", "失效转移") }
func (l Lang) JobFiresDisabled() string {
	return l.pick("The job is disabled: these fires pass without a run.", "作业已禁用：到时不会运行。")
}
func (l Lang) JobFiresEnded(time string) string {
	return fill(l.pick("Because of schedule.until, the schedule ended on {0}.", "调度已于 {0} 结束（schedule.until）。"), time)
}
func (l Lang) JobFiresHeld() string {
	return l.pick("The schedule is held: these fires pass without a run.", "调度已暂停：到时不会运行。")
}
func (l Lang) JobFiresNobody() string {
	return l.pick("No instance is alive: these fires pass without a run.", "没有存活的实例：到时不会运行。")
}
func (l Lang) JobFiresOver() string {
	return l.pick("The schedule has no fire left.", "该调度没有后续触发时间。")
}
func (l Lang) JobHerd(time string, n int) string {
	return fill(l.plural(n, "{0} fires together with {1} other job.", "{0} fires together with {1} other jobs.", "{0} 与另外 {1} 个作业同时触发。"), time, number(n))
}
func (l Lang) JobHerdOpen() string      { return l.pick("Jobs of this minute", "该分钟触发的作业") }
func (l Lang) JobIdle() string          { return l.pick("Idle", "空闲") }
func (l Lang) JobInstances() string     { return l.pick("Instances", "实例数") }
func (l Lang) JobLabel() string         { return l.pick("Label", "标签") }
func (l Lang) JobLastExecution() string { return l.pick("Last execution", "最近执行") }
func (l Lang) JobLeader() string        { return l.pick("Leader", "主节点") }
func (l Lang) JobLeaderTag() string     { return l.pick("leader", "主节点") }
func (l Lang) JobLost() string          { return l.pick("Lost", "丢失") }
func (l Lang) JobLostText() string {
	return l.pick("The instance that ran it has left; it waits for failover or for its next fire.", "运行它的实例已离开；等待失效转移或下次触发。")
}
func (l Lang) JobMenuYaml() string { return l.pick("Configuration as YAML", "以 YAML 查看配置") }
func (l Lang) JobMisfire() string  { return l.pick("Misfire", "错过任务重执行") }
func (l Lang) JobMisfireText() string {
	return l.pick("The shard missed a fire time, which wasn't made up for yet.", "该分片错过了一次触发，尚未补跑。")
}
func (l Lang) JobMisfireWaiting() string { return l.pick("Misfire waiting", "等待错过重执行") }
func (l Lang) JobMonitor() string        { return l.pick("Monitor execution", "监控执行状态") }
func (l Lang) JobMore(n int) string      { return fill(l.pick("{0} more", "另有 {0} 个"), number(n)) }
func (l Lang) JobNoExecution() string {
	return l.pick("No execution recorded yet.", "尚无执行记录。")
}
func (l Lang) JobNoExecutionText() string {
	return l.pick("Runs appear here when the agents write to the console's trace database.", "实例写入控制台的事件追踪数据库后，运行会显示在这里。")
}
func (l Lang) JobNoProcess() string {
	return l.pick("offline, no process of this job runs here", "离线，此处没有该作业的进程")
}
func (l Lang) JobNoSchedule() string {
	return l.pick("No schedule: this job runs only when it is triggered.", "没有调度：该作业仅在触发时运行。")
}
func (l Lang) JobNoServer() string {
	return l.pick("No server has registered for this job.", "尚无服务器注册该作业。")
}
func (l Lang) JobNoServerText() string {
	return l.pick("Start a process that contains it, in this namespace.", "请在此命名空间中启动包含它的进程。")
}
func (l Lang) JobNoShard() string {
	return l.pick("No shard has been assigned yet.", "尚未分配分片。")
}
func (l Lang) JobNoShardText() string {
	return l.pick("The leader assigns shards when the job fires for the first time.", "作业首次触发时由主节点分配分片。")
}
func (l Lang) JobNoShards() string   { return l.pick("no shard", "没有分片") }
func (l Lang) JobNone() string       { return l.pick("none", "无") }
func (l Lang) JobNotEnabled() string { return l.pick("Not enabled", "未启用") }
func (l Lang) JobNotEnabledText(data string) string {
	return fill(l.pick("The server's node holds {0}.", "该服务器的节点内容为 {0}。"), data)
}
func (l Lang) JobNotListed() string { return l.pick("Not listed", "未列出") }
func (l Lang) JobNotListedText() string {
	return l.pick("The instance is alive but its server has no entry.", "实例存活，但其服务器没有记录。")
}
func (l Lang) JobOffline() string { return l.pick("Offline", "离线") }
func (l Lang) JobOn() string      { return l.pick("on", "于") }
func (l Lang) JobOnline() string  { return l.pick("Online", "在线") }
func (l Lang) JobOwner() string   { return l.pick("Owner", "所属实例") }
func (l Lang) JobP95Of(n int) string {
	return fill(l.plural(n, "95 of 100 of the last execution took at most so long", "95 of 100 of the last {0} executions took at most so long", "最近 {0} 次执行中 95% 不超过此耗时"), number(n))
}
func (l Lang) JobParameter() string  { return l.pick("Parameter", "参数") }
func (l Lang) JobRecentRuns() string { return l.pick("Recent runs", "最近运行") }
func (l Lang) JobRefusedExclude() string {
	return l.pick("left out by schedule.exclude", "被 schedule.exclude 排除")
}
func (l Lang) JobRefusedFrom() string { return l.pick("before schedule.from", "早于 schedule.from") }
func (l Lang) JobRefusedMany(n int, why string) string {
	return fill(l.pick("{0} times, {1}", "共 {0} 个时间，{1}"), number(n), why)
}
func (l Lang) JobRefusedMore(n int, why string) string {
	return fill(l.pick("more than {0} times, {1}", "超过 {0} 个时间，{1}"), number(n), why)
}
func (l Lang) JobRefusedUntil() string {
	return l.pick("not before schedule.until", "不早于 schedule.until")
}
func (l Lang) JobReshard() string {
	return l.pick("Shards will be assigned again before the next run", "下次运行前将重新分配分片")
}
func (l Lang) JobReshardText() string {
	return l.pick("A server or instance came or went, or the configuration changed. It happens at the next fire; Trigger makes it happen now.", "有服务器或实例加入或离开，或配置已更改。将在下次触发时进行；触发作业可立即进行。")
}
func (l Lang) JobRuleExclude() string { return l.pick("Not on", "不触发的日期") }
func (l Lang) JobRuleExcludeMore(list string, n int) string {
	return fill(l.pick("{0} and {1} more", "{0} 等，另有 {1} 项"), list, number(n))
}
func (l Lang) JobRuleFrom() string   { return l.pick("From", "开始") }
func (l Lang) JobRuleJitter() string { return l.pick("Jitter", "抖动") }
func (l Lang) JobRuleJitterNote() string {
	return l.pick("put off by up to so much, by all agents alike", "最多推迟这么久，各实例相同")
}
func (l Lang) JobRuleUntil() string    { return l.pick("Until", "结束") }
func (l Lang) JobSchedule() string     { return l.pick("Schedule", "调度") }
func (l Lang) JobScheduleEdit() string { return l.pick("Edit", "编辑") }
func (l Lang) JobScheduleOpen() string { return l.pick("Configuration", "配置") }
func (l Lang) JobScheduleUnknown() string {
	return l.pick("Unknown: the stored configuration cannot be read.", "未知：存储的配置无法读取。")
}
func (l Lang) JobServer() string  { return l.pick("Server", "服务器") }
func (l Lang) JobServers() string { return l.pick("Servers", "服务器") }
func (l Lang) JobServersOnline(n int, m int) string {
	return fill(l.pick("{0} of {1} online", "{0}/{1} 在线"), number(n), number(m))
}
func (l Lang) JobShard() string { return l.pick("Shard", "分片") }
func (l Lang) JobShardList(n int, list string) string {
	return fill(l.plural(n, "shard {1}", "shards {1}", "分片 {1}"), number(n), list)
}
func (l Lang) JobShardParameters() string { return l.pick("Shard parameters", "分片参数") }
func (l Lang) JobShardRange(from string, to string, n int) string {
	return fill(l.plural(n, "{0}–{1} of {2} shard", "{0}–{1} of {2} shards", "{0}–{1} / {2} 个分片"), from, to, number(n))
}
func (l Lang) JobSince() string       { return l.pick("since", "开始于") }
func (l Lang) JobState() string       { return l.pick("State", "状态") }
func (l Lang) JobStrategy() string    { return l.pick("Strategy", "分片策略") }
func (l Lang) JobSwitchedOff() string { return l.pick("off", "关") }
func (l Lang) JobSwitchedOn() string  { return l.pick("on", "开") }
func (l Lang) JobType() string        { return l.pick("Type", "类型") }
func (l Lang) JobUnassigned() string  { return l.pick("Unassigned", "未分配") }
func (l Lang) JobUnassignedLeft(instance string) string {
	return fill(l.pick("its instance {0} is not live", "所属实例 {0} 不在线"), instance)
}
func (l Lang) JobUnassignedText() string {
	return l.pick("no instance owns it yet", "尚未分配给任何实例")
}
func (l Lang) JobUnusual() string { return l.pick("The configuration is unusual", "配置不常见") }
func (l Lang) JobUnusualText(what string) string {
	return fill(l.pick("{0} It stays as it is until somebody changes it.", "{0} 在有人修改之前保持不变。"), what)
}
func (l Lang) JobZoneAssumed(zone string) string {
	return fill(l.pick("The job names no time zone, so every agent uses its own. These instants are computed with this console's zone, {0}.", "作业没有指定时区，各实例使用自己的时区。以上时间按控制台的时区 {0} 计算。"), zone)
}

// [job_tabs]

func (l Lang) JobTabsActivity() string  { return l.pick("Activity", "活动") }
func (l Lang) JobTabsConfig() string    { return l.pick("Configuration", "配置") }
func (l Lang) JobTabsExplain() string   { return l.pick("Explain", "诊断") }
func (l Lang) JobTabsLabel() string     { return l.pick("Parts of the job", "作业的各部分") }
func (l Lang) JobTabsOverview() string  { return l.pick("Overview", "总览") }
func (l Lang) JobTabsRequested() string { return l.pick("Requested", "请求") }
func (l Lang) JobTabsRuns() string      { return l.pick("Runs", "运行记录") }
func (l Lang) JobTabsShards() string    { return l.pick("Shards", "分片") }

// [jobs]

func (l Lang) JobsActions() string { return l.pick("Actions", "操作") }
func (l Lang) JobsAll() string     { return l.pick("All", "全部") }
func (l Lang) JobsBarFailed(n int) string {
	return fill(l.plural(n, "{0} shard failed", "{0} shards failed", "{0} 个分片失败"), number(n))
}
func (l Lang) JobsBarFailedLost(n int, lost int) string {
	return fill(l.plural(n, "{0} shard failed, {1} lost", "{0} shards failed, {1} lost", "{0} 个分片失败，{1} 个丢失"), number(n), number(lost))
}
func (l Lang) JobsBarLost(n int) string {
	return fill(l.plural(n, "{0} shard lost", "{0} shards lost", "{0} 个分片丢失"), number(n))
}
func (l Lang) JobsBarOk() string      { return l.pick("succeeded", "成功") }
func (l Lang) JobsBarRunning() string { return l.pick("running", "运行中") }
func (l Lang) JobsClear() string      { return l.pick("Clear", "清除") }
func (l Lang) JobsEmpty() string {
	return l.pick("No jobs in this namespace yet.", "此命名空间中还没有作业。")
}
func (l Lang) JobsEmptyText(name string) string {
	return fill(l.pick("A job appears here as soon as an agent registers it. If agents run already, check that they use the namespace {0}.", "实例注册作业后，作业会显示在这里。如果实例已在运行，请检查它们使用的命名空间是否为 {0}。"), name)
}
func (l Lang) JobsFilters() string        { return l.pick("Filters", "筛选条件") }
func (l Lang) JobsInstancesShort() string { return l.pick("Inst.", "实例") }
func (l Lang) JobsJob() string            { return l.pick("Job", "作业") }
func (l Lang) JobsLastRun() string        { return l.pick("Last run", "上次运行") }
func (l Lang) JobsLastRuns() string       { return l.pick("Last runs", "最近运行") }
func (l Lang) JobsLateBy(span string) string {
	return fill(l.pick("late by {0}", "已延迟 {0}"), span)
}
func (l Lang) JobsMoved(n int) string {
	return fill(l.plural(n, "{0} job changed place", "{0} jobs changed place", "{0} 个作业位置有变"), number(n))
}
func (l Lang) JobsNFailed(n int) string { return fill(l.pick("{0} failed", "失败 {0}"), number(n)) }
func (l Lang) JobsNOk(n int) string     { return fill(l.pick("{0} succeeded", "成功 {0}"), number(n)) }
func (l Lang) JobsNRunning(n int) string {
	return fill(l.pick("{0} running", "运行中 {0}"), number(n))
}
func (l Lang) JobsNext() string             { return l.pick("Next", "下一页") }
func (l Lang) JobsNextFire() string         { return l.pick("Next fire", "下次触发") }
func (l Lang) JobsNoCron() string           { return l.pick("none", "无") }
func (l Lang) JobsNoFireBadCron() string    { return l.pick("cron unreadable", "Cron 无法解析") }
func (l Lang) JobsNoFireBadZone() string    { return l.pick("time zone unreadable", "时区无法解析") }
func (l Lang) JobsNoFireDisabled() string   { return l.pick("disabled", "已禁用") }
func (l Lang) JobsNoFireHeld() string       { return l.pick("held", "已暂停") }
func (l Lang) JobsNoFireNever() string      { return l.pick("never again", "不再触发") }
func (l Lang) JobsNoFireNoCron() string     { return l.pick("on trigger only", "仅手动触发") }
func (l Lang) JobsNoFireNoInstance() string { return l.pick("no instance", "没有实例可运行") }
func (l Lang) JobsNoFireUnknown() string    { return l.pick("unknown", "未知") }
func (l Lang) JobsNoMatch(text string) string {
	return fill(l.pick("No job matches {0}.", "没有匹配 {0} 的作业。"), text)
}
func (l Lang) JobsNoMatchText() string {
	return l.pick("The search looks at names and descriptions.", "搜索范围是名称和描述。")
}
func (l Lang) JobsNoneInState(state string) string {
	return fill(l.pick("No job is in the state {0}.", "没有状态为“{0}”的作业。"), state)
}
func (l Lang) JobsPrevious() string { return l.pick("Previous", "上一页") }
func (l Lang) JobsRange(from string, to string, n int) string {
	return fill(l.plural(n, "{0}–{1} of {2} job", "{0}–{1} of {2} jobs", "{0}–{1} / {2} 个作业"), from, to, number(n))
}
func (l Lang) JobsResort() string   { return l.pick("Re-sort", "重新排序") }
func (l Lang) JobsRows() string     { return l.pick("Rows", "每页行数") }
func (l Lang) JobsSchedule() string { return l.pick("Schedule", "调度") }
func (l Lang) JobsSearch() string   { return l.pick("Search", "搜索") }
func (l Lang) JobsSearchHint() string {
	return l.pick("Name, description, or a filter such as state:failing last:lost ran:<1d", "名称、描述，或筛选，例如 state:failing last:lost ran:<1d")
}
func (l Lang) JobsSearchLabel() string {
	return l.pick("Search by name or description, or with a filter", "按名称或描述搜索，或使用筛选")
}
func (l Lang) JobsServersOff(n int) string {
	return fill(l.plural(n, "{0} server off", "{0} servers off", "{0} 台服务器已禁用"), number(n))
}
func (l Lang) JobsShards() string { return l.pick("Shards", "分片") }
func (l Lang) JobsShardsOff(n int) string {
	return fill(l.plural(n, "{0} shard off", "{0} shards off", "{0} 个分片已禁用"), number(n))
}
func (l Lang) JobsShowAll() string        { return l.pick("Show all jobs", "显示全部作业") }
func (l Lang) JobsShowEveryState() string { return l.pick("Show every state", "显示所有状态") }
func (l Lang) JobsStarter() string {
	return l.pick("runs the job hello every minute", "每分钟运行一次作业 hello")
}
func (l Lang) JobsState() string { return l.pick("State", "状态") }
func (l Lang) JobsStrip(n int, parts string) string {
	return fill(l.plural(n, "Last {0} run: {1}", "Last {0} runs: {1}", "最近 {0} 次运行：{1}"), number(n), parts)
}
func (l Lang) JobsStripNone() string { return l.pick("no runs", "没有运行") }
func (l Lang) JobsStripOne(how string) string {
	return fill(l.pick("One run: {0}", "1 次运行：{0}"), how)
}
func (l Lang) JobsTermCron() string {
	return l.pick("the cron expression contains this", "cron 表达式包含此内容")
}
func (l Lang) JobsTermFires() string {
	return l.pick("fires in this part of the day", "在一天中的这段时间触发")
}
func (l Lang) JobsTermLast() string {
	return l.pick("the last run failed; also lost, ok, running or none", "最近一次运行失败；也可写 lost、ok、running 或 none")
}
func (l Lang) JobsTermRan() string {
	return l.pick("ran within a day; ran:>7d for no run in seven days", "一天内运行过；ran:>7d 表示七天内没有运行")
}
func (l Lang) JobsTermZone() string {
	return l.pick("the same in another time zone", "同上，按另一时区计算")
}
func (l Lang) JobsTerms() string { return l.pick("Search terms", "搜索条件") }
func (l Lang) JobsUnknownSelect(value string) string {
	return fill(l.pick("select {0} is unknown (use all)", "未知的 select：{0}（可用 all）"), value)
}
func (l Lang) JobsViews() string { return l.pick("Views", "视图") }
func (l Lang) JobsWindow(from string, to string, zone string) string {
	return fill(l.pick("Jobs that fire between {0} and {1}, {2}", "在 {0} 到 {1}（{2}）之间触发的作业"), from, to, zone)
}
func (l Lang) JobsWindowText() string {
	return l.pick("A job that is disabled or has no instance does not fire. Write fires:02:00-03:00@Asia/Shanghai for another time zone than UTC.", "已禁用或没有实例的作业不会触发。如需 UTC 以外的时区，请写 fires:02:00-03:00@Asia/Shanghai。")
}
func (l Lang) JobsWithout(filter string) string {
	return fill(l.pick("Remove {0}", "移除 {0}"), filter)
}
func (l Lang) JobsZoneOfAgent() string { return l.pick("instance's time zone", "实例时区") }

// [keys]

func (l Lang) KeysAbout() string {
	return l.pick("Keys act on the row in focus, or on the job of the page. They rest while you write in a field.", "快捷键作用于焦点所在的行，或本页的作业。在输入框中输入时不起作用。")
}
func (l Lang) KeysAreOff() string {
	return l.pick("Keys are off in this browser. ⌘K and Ctrl-K go on to work.", "此浏览器已关闭快捷键。⌘K 和 Ctrl-K 仍然可用。")
}
func (l Lang) KeysDisable() string {
	return l.pick("Disable the job; asks first", "禁用作业（先确认）")
}
func (l Lang) KeysDoes() string { return l.pick("What it does", "作用") }
func (l Lang) KeysEnable() string {
	return l.pick("Enable the job; asks first", "启用作业（先确认）")
}
func (l Lang) KeysEnter() string { return l.pick("Open the row", "打开该行") }
func (l Lang) KeysHelp() string  { return l.pick("This page", "本页") }
func (l Lang) KeysKey() string   { return l.pick("Key", "按键") }
func (l Lang) KeysMenu() string  { return l.pick("Menu of the row", "该行的菜单") }
func (l Lang) KeysMove() string {
	return l.pick("The row below, the row above", "下一行、上一行")
}
func (l Lang) KeysOff() string { return l.pick("Switch keys off", "关闭快捷键") }
func (l Lang) KeysOn() string  { return l.pick("Switch keys on", "打开快捷键") }
func (l Lang) KeysPalette() string {
	return l.pick("Jump to a job, server, run or page", "跳转到作业、服务器、运行记录或页面")
}
func (l Lang) KeysRuns() string {
	return l.pick("Earlier run, later run", "上一次运行、下一次运行")
}
func (l Lang) KeysSearch() string {
	return l.pick("Search on this page, else jump", "在本页搜索，没有搜索框时跳转")
}
func (l Lang) KeysSelect() string { return l.pick("Select the row", "选择该行") }
func (l Lang) KeysTrigger() string {
	return l.pick("Run the job; asks first", "运行作业（先确认）")
}
func (l Lang) KeysWhy() string { return l.pick("Explain the job", "诊断作业") }

// [loss]

func (l Lang) LossHop(after string) string {
	return fill(l.pick("failed over, {0} after the loss", "失效转移，丢失后 {0}"), after)
}
func (l Lang) LossLine(instance string, after string) string {
	return fill(l.pick("{0} left at +{1}", "{0} 于 +{1} 离开"), instance, after)
}

// [matrix]

func (l Lang) MatrixAll() string      { return l.pick("All shards", "全部分片") }
func (l Lang) MatrixAnyState() string { return l.pick("any state", "任意状态") }
func (l Lang) MatrixBadOrder(order string) string {
	return fill(l.pick("There is no order {0}; the shards are shown by owner.", "没有排序方式 {0}，按实例显示。"), order)
}
func (l Lang) MatrixBadOwner(instance string) string {
	return fill(l.pick("No instance {0} has a shard of this job now; all are listed.", "实例 {0} 目前没有此作业的分片，列出全部分片。"), instance)
}
func (l Lang) MatrixBadState(state string, list string) string {
	return fill(l.pick("There is no state {0} of shards: {1}.", "分片没有状态 {0}，可用：{1}。"), state, list)
}
func (l Lang) MatrixBlocked() string  { return l.pick("doesn't run", "不运行") }
func (l Lang) MatrixByNumber() string { return l.pick("By number", "按编号") }
func (l Lang) MatrixByOwner() string  { return l.pick("By owner", "按实例") }
func (l Lang) MatrixByState() string  { return l.pick("By state", "按状态") }
func (l Lang) MatrixCell(shard string, instance string, state string) string {
	return fill(l.pick("Shard {0} on {1}: {2}", "分片 {0}，实例 {1}：{2}"), shard, instance, state)
}
func (l Lang) MatrixDepartedOpen(n int) string {
	return fill(l.plural(n, "{0} shard waits for an owner", "{0} shards wait for an owner", "{0} 个分片等待分配"), number(n))
}
func (l Lang) MatrixDepartedTo(instances string) string {
	return fill(l.pick("now on {0}", "现在位于 {0}"), instances)
}
func (l Lang) MatrixFailed() string { return l.pick("failed", "失败") }
func (l Lang) MatrixFound(n int) string {
	return fill(l.plural(n, "{0} shard found", "{0} shards found", "找到 {0} 个分片"), number(n))
}
func (l Lang) MatrixFoundNone() string {
	return l.pick("No shard matches.", "没有匹配的分片。")
}
func (l Lang) MatrixFoundNoneText() string {
	return l.pick("Numbers are compared exactly, parameters and instances by a part.", "分片号须完全一致，参数和实例可只写一部分。")
}
func (l Lang) MatrixHad() string      { return l.pick("had it", "曾拥有") }
func (l Lang) MatrixIdle() string     { return l.pick("idle", "空闲") }
func (l Lang) MatrixInstance() string { return l.pick("Instance", "实例") }
func (l Lang) MatrixInstances(n int) string {
	return fill(l.plural(n, "{0} instance", "{0} instances", "{0} 个实例"), number(n))
}
func (l Lang) MatrixLabel() string {
	return l.pick("Which instance has which shard", "各实例拥有的分片")
}
func (l Lang) MatrixLargeNote() string {
	return l.pick("one cell per shard; pick an instance to list its shards", "每格一个分片；点击实例列出其分片")
}
func (l Lang) MatrixLeader() string          { return l.pick("leader", "主节点") }
func (l Lang) MatrixLeft(time string) string { return fill(l.pick("left {0}", "{0} 离开"), time) }
func (l Lang) MatrixLegendFailed() string {
	return l.pick("last execution failed", "最近一次执行失败")
}
func (l Lang) MatrixLegendIdle() string { return l.pick("owned, idle", "已分配，空闲") }
func (l Lang) MatrixLegendLost() string { return l.pick("lost with its instance", "随实例丢失") }
func (l Lang) MatrixLegendOff() string  { return l.pick("shard disabled", "分片已禁用") }
func (l Lang) MatrixLost() string       { return l.pick("lost", "丢失") }
func (l Lang) MatrixMoved() string      { return l.pick("failed over", "已失效转移") }
func (l Lang) MatrixNobody() string     { return l.pick("Unassigned", "未分配") }
func (l Lang) MatrixNone() string       { return l.pick("no shard", "无分片") }
func (l Lang) MatrixNotDrawn(text string, n int) string {
	return fill(l.pick("{0}; {1} more are not drawn", "{0}；另有 {1} 个未绘出"), text, number(n))
}
func (l Lang) MatrixOfOwner(instance string) string {
	return fill(l.pick("Shards of {0}", "{0} 的分片"), instance)
}
func (l Lang) MatrixOff() string   { return l.pick("off", "已禁用") }
func (l Lang) MatrixOpen() string  { return l.pick("Shards as a table", "以表格查看分片") }
func (l Lang) MatrixOrder() string { return l.pick("Order of the shards", "分片排序") }
func (l Lang) MatrixOwns(n int) string {
	return fill(l.plural(n, "{0} shard", "{0} shards", "{0} 个分片"), number(n))
}
func (l Lang) MatrixRunning() string { return l.pick("running", "运行中") }
func (l Lang) MatrixSearch() string  { return l.pick("Search the shards", "搜索分片") }
func (l Lang) MatrixSearchHint() string {
	return l.pick("Shard, 10-20, parameter, instance", "分片、10-20、参数、实例")
}
func (l Lang) MatrixShowAll() string { return l.pick("Show all shards", "显示全部分片") }
func (l Lang) MatrixSub(shards string, instances string) string {
	return fill(l.pick("{0} on {1}", "{0}，{1}"), shards, instances)
}
func (l Lang) MatrixTitle() string      { return l.pick("Shards now", "当前分片") }
func (l Lang) MatrixUnassigned() string { return l.pick("unassigned", "未分配") }

// [members]

func (l Lang) MembersAssigned(instance string, shards string, time string) string {
	return fill(l.pick("{0} owns {1} since {2}.", "{0} 自 {2} 起拥有{1}。"), instance, shards, time)
}
func (l Lang) MembersFailedOver(instance string, shards string, time string, after string) string {
	return fill(l.pick("{0} runs {1} since {2}, failed over after {3}.", "{0} 自 {2} 起运行{1}，{3} 后失效转移。"), instance, shards, time, after)
}
func (l Lang) MembersJoined(instance string, time string) string {
	return fill(l.pick("{0} joined at {1}.", "{0} 于 {1} 加入。"), instance, time)
}
func (l Lang) MembersLeft(instance string, time string) string {
	return fill(l.pick("{0} left at {1}.", "{0} 于 {1} 离开。"), instance, time)
}
func (l Lang) MembersLeftWith(instance string, time string, shards string) string {
	return fill(l.pick("{0} left at {1} with {2}.", "{0} 于 {1} 离开，当时拥有{2}。"), instance, time, shards)
}
func (l Lang) MembersLost(instance string, time string, shards string) string {
	return fill(l.pick("{0} left at {1} while it ran {2}.", "{0} 于 {1} 离开，当时正在运行{2}。"), instance, time, shards)
}
func (l Lang) MembersOpen(shards string) string {
	return fill(l.pick("{0}: no instance owns it yet; the next resharding assigns it.", "{0}：尚无实例拥有，将在下次重新分片时分配。"), shards)
}
func (l Lang) MembersShardsOf(n int, list string) string {
	return fill(l.plural(n, "shard {1}", "shards {1}", "分片 {1}"), number(n), list)
}
func (l Lang) MembersWaiting(shards string, who string) string {
	return fill(l.pick("{0}: lost. Failover waits for the first instance that is free: {1}.", "{0}：已丢失，失效转移等待最先空闲的实例：{1}。"), shards, who)
}
func (l Lang) MembersWithin() string { return l.pick("at once", "不到 1 毫秒") }

// [outage]

func (l Lang) OutageAdvice() string {
	return l.pick("The page may be out of date, and actions are refused until the connection is back. Agents without a connection start no runs, and Go agents cancel their running shards when the session is lost. This page refreshes by itself.", "以下内容可能不是最新的，连接恢复之前不接受操作。失去连接的代理不会开始新的运行；会话丢失后，Go 代理会取消正在运行的分片。本页会自动刷新。")
}
func (l Lang) OutageAdviceSnapshot() string {
	return l.pick("The page shows the last known state, and actions are off until the connection is back. Agents without a connection start no runs, and Go agents cancel their running shards when the session is lost. This page refreshes by itself.", "以下是断开之前的内容，连接恢复之前不能操作。失去连接的代理不会开始新的运行；会话丢失后，Go 代理会取消正在运行的分片。本页会自动刷新。")
}
func (l Lang) OutageHeading() string {
	return l.pick("ZooKeeper unreachable.", "无法连接 ZooKeeper。")
}
func (l Lang) OutageHeadingSince(time string) string {
	return fill(l.pick("ZooKeeper unreachable since {0}.", "自 {0} 起无法连接 ZooKeeper。"), time)
}
func (l Lang) OutageLastError() string { return l.pick("Last error:", "最近的错误：") }
func (l Lang) OutageNothing() string {
	return l.pick("Nothing can be read until ZooKeeper is back.", "ZooKeeper 恢复之前无法读取任何内容。")
}
func (l Lang) OutageRefused() string {
	return l.pick("ZooKeeper cannot be reached: nothing can be changed until it is back.", "无法连接 ZooKeeper：恢复之前不能修改任何内容。")
}

// [overview]

func (l Lang) OverviewAlike(n int) string {
	return fill(l.plural(n, "{0} job fails alike", "{0} jobs fail alike", "{0} 个作业以相同原因失败"), number(n))
}
func (l Lang) OverviewAttention() string { return l.pick("Needs attention", "需要处理") }
func (l Lang) OverviewAttentionSub() string {
	return l.pick("failures grouped by their message", "失败按消息归并")
}
func (l Lang) OverviewBadCron() string { return l.pick("Bad cron", "Cron 错误") }
func (l Lang) OverviewCalm() string {
	return l.pick("No job fails, is late or down.", "没有失败、延迟或已下线的作业。")
}
func (l Lang) OverviewCalmUnknown() string {
	return l.pick("Every job has live instances and a readable configuration. Whether runs fail is not known: their history cannot be read.", "所有作业都有存活的实例，配置均可读取。无法得知运行是否失败：历史无法读取。")
}
func (l Lang) OverviewLost() string {
	return l.pick("Runs were lost: their instances left during them, and no other run has made up for them so far.", "运行丢失：实例在运行中离开，至今没有其他运行补上。")
}
func (l Lang) OverviewMore(n int) string {
	return fill(l.pick("{0} more; see all jobs, the worst first", "另有 {0} 项；查看全部作业（最需处理的在前）"), number(n))
}
func (l Lang) OverviewNamesMore(names string, n int) string {
	return fill(l.pick("{0} and {1} more", "{0} 等，另有 {1} 个"), names, number(n))
}

// [palette]

func (l Lang) PaletteExplain(name string) string {
	return fill(l.pick("Explain {0}", "诊断 {0}"), name)
}
func (l Lang) PaletteFind() string { return l.pick("Find", "查找") }
func (l Lang) PaletteFoot() string {
	return l.pick("↑ ↓ move · ↵ open · → actions · > pages · @ servers · # runs · ? keys", "↑ ↓ 移动 · ↵ 打开 · → 操作 · > 页面 · @ 服务器 · # 运行记录 · ? 快捷键")
}
func (l Lang) PaletteHelp() string {
	return l.pick("Letters of a job's name in their order; > for pages, @ for servers, # for the newest runs.", "按顺序输入作业名中的字母；> 查找页面，@ 查找服务器，# 查找最近的运行记录。")
}
func (l Lang) PaletteJobs() string { return l.pick("Jobs", "作业") }
func (l Lang) PaletteJump() string { return l.pick("Jump to…", "跳转到…") }
func (l Lang) PaletteKeys() string { return l.pick("Keys", "快捷键") }
func (l Lang) PaletteNothing(text string) string {
	return fill(l.pick("Nothing is found for {0}.", "没有找到 {0}。"), text)
}
func (l Lang) PaletteOn(name string) string { return fill(l.pick("On {0}", "对 {0} 的操作"), name) }
func (l Lang) PalettePages() string         { return l.pick("Pages", "页面") }
func (l Lang) PalettePlaceholder() string {
	return l.pick("Job, > page, @ server, # runs of a job", "作业，> 页面，@ 服务器，# 作业的运行记录")
}
func (l Lang) PaletteRuns() string { return l.pick("Runs", "运行记录") }
func (l Lang) PaletteServerJobs(n int) string {
	return fill(l.plural(n, "{0} job", "{0} jobs", "{0} 个作业"), number(n))
}
func (l Lang) PaletteServers() string { return l.pick("Servers", "服务器") }
func (l Lang) PaletteTitle() string {
	return l.pick("Jump to a job, server, run or page", "跳转到作业、服务器、运行记录或页面")
}

// [past]

func (l Lang) PastAfterUntil(value string) string {
	return fill(l.pick("The schedule ended at {0} (schedule.until).", "调度已于 {0} 结束（schedule.until）。"), value)
}
func (l Lang) PastAgentZone(zone string) string {
	return fill(l.pick("The job names no time zone: its agents use {0} today, and may have used another one.", "作业没有指定时区：其代理目前使用 {0}，当时可能不同。"), zone)
}
func (l Lang) PastAround() string        { return l.pick("What happened around it", "前后发生的事件") }
func (l Lang) PastAroundNone() string    { return l.pick("Nothing is on record.", "没有记录。") }
func (l Lang) PastAt(zone string) string { return fill(l.pick("At ({0})", "时间（{0}）"), zone) }
func (l Lang) PastBack() string          { return l.pick("How it is now", "查看当前状态") }
func (l Lang) PastBackfilled(time string, who string) string {
	return fill(l.pick("A backfill of that time was requested at {0}, by {1}.", "{1} 于 {0} 请求了补跑该时间。"), time, who)
}
func (l Lang) PastBadTime(text string) string {
	return fill(l.pick("{0} is not a time. Write 2006-01-02T15:04 in UTC, or with a zone.", "{0} 不是有效时间。请按 2006-01-02T15:04（UTC）填写，或带上时区。"), text)
}
func (l Lang) PastBeforeFrom(value string) string {
	return fill(l.pick("The schedule begins at {0} (schedule.from).", "调度从 {0} 开始（schedule.from）。"), value)
}
func (l Lang) PastBegan(time string) string {
	return fill(l.pick("A run began at {0}. Nothing on record names its fire time.", "有一次运行始于 {0}，没有记录说明它对应的触发时间。"), time)
}
func (l Lang) PastBehind(behind string) string {
	return fill(l.pick("The clock of an agent is {0} behind, so it may not have come to that time yet.", "有代理的时钟慢 {0}，可能尚未到达该时间。"), behind)
}
func (l Lang) PastBusy(run string) string {
	return fill(l.pick("Its run of {0} was still running.", "{0} 的运行仍在进行。"), run)
}
func (l Lang) PastBusyShard(shard int, run string) string {
	return fill(l.pick("Shard {0} was still in the run of {1}.", "分片 {0} 仍在进行 {1} 的运行。"), number(shard), run)
}
func (l Lang) PastCancelled(fire string, n int, shards int) string {
	return fill(l.plural(n, "The job was due at {0} and ran: {1} of {2} shards was cancelled.", "The job was due at {0} and ran: {1} of {2} shards were cancelled.", "作业应在 {0} 运行，已运行：{2} 个分片中 {1} 个被取消。"), fire, number(n), number(shards))
}
func (l Lang) PastCancelledRetried(fire string, n int, shards int, time string) string {
	return fill(l.plural(n, "The job was due at {0} and ran: {1} of {2} shards was cancelled at first, and the run at {3} succeeded.", "The job was due at {0} and ran: {1} of {2} shards were cancelled at first, and the run at {3} succeeded.", "作业应在 {0} 运行，已运行：{2} 个分片中起初有 {1} 个被取消，{3} 的运行成功。"), fire, number(n), number(shards), time)
}
func (l Lang) PastClockBegan(time string, behind string) string {
	return fill(l.pick("A run began at {0}, by the clock of an agent that may be {1} behind.", "有一次运行开始于 {0}，按可能慢 {1} 的代理时钟。"), time, behind)
}
func (l Lang) PastClockBehind(behind string) string {
	return fill(l.pick("The clock of an agent is {0} behind. The fire times and times of its runs are by that clock, so they may have been later.", "有代理的时钟慢 {0}。其运行的触发时间与起止时间均按该时钟，实际可能更晚。"), behind)
}
func (l Lang) PastClocks(n int) string {
	return fill(l.pick("The job was changed or acted on, or an instance came or left, within {0} minutes of that time. The clocks of agents, the console and ZooKeeper may differ, so that may have been before or after.", "该时间前后 {0} 分钟内，作业被更改或操作过，或有实例加入或离开。代理、控制台与 ZooKeeper 的时钟可能不一致，事件可能在此之前或之后。"), number(n))
}
func (l Lang) PastCreatedAgain(at string, created string) string {
	return fill(l.pick("It isn't known how the job ran at {0}: its configuration was created later, at {1}, and a job of this name existed before.", "无法得知作业在 {0} 的情况：其配置创建于之后的 {1}，此前曾存在同名作业。"), at, created)
}
func (l Lang) PastDisabled(time string, who string) string {
	return fill(l.pick("The job was disabled since {0}, by {1}.", "作业自 {0} 起被 {1} 禁用。"), time, who)
}
func (l Lang) PastEditedAbout(time string) string {
	return fill(l.pick("The configuration was changed at {0}, a moment before, so it's unknown whether the job was due.", "配置在此前片刻（{0}）被修改过，无法得知当时是否应触发。"), time)
}
func (l Lang) PastEditedSince(time string) string {
	return fill(l.pick("The configuration was changed since, last at {0}, so it's unknown whether the job was due.", "配置此后被修改过，最近一次在 {0}，无法得知当时是否应触发。"), time)
}
func (l Lang) PastElsewhere(instance string) string {
	return fill(l.pick("The run is of {0}, which isn't known to have served this job here: it may be of another namespace that shares the history.", "该运行来自 {0}，而没有记录表明它在此处服务过该作业：它可能属于共用同一历史库的另一个命名空间。"), instance)
}
func (l Lang) PastEventsSince(time string) string {
	return fill(l.pick("Instances are remembered since {0} only.", "实例变化仅从 {0} 起记录。"), time)
}
func (l Lang) PastExcluded(day string, value string) string {
	return fill(l.pick("{0} is excluded (schedule.exclude: {1}).", "{0} 被排除（schedule.exclude：{1}）。"), day, value)
}
func (l Lang) PastFailed(fire string, failed int, shards int) string {
	return fill(l.pick("The job was due at {0}, and {1} of {2} shards of its run failed.", "作业应在 {0} 运行，其运行的 {2} 个分片中 {1} 个失败。"), fire, number(failed), number(shards))
}
func (l Lang) PastFuture(time string) string {
	return fill(l.pick("{0} has not passed yet.", "{0} 尚未到来。"), time)
}
func (l Lang) PastGap(from string, until string) string {
	return fill(l.pick("Instances were not seen between {0} and {1}. What happened in between was noticed at its end.", "{0} 至 {1} 期间未能查看实例。期间发生的事在结束时才被发现。"), from, until)
}
func (l Lang) PastGapSince(from string) string {
	return fill(l.pick("Instances are not seen since {0}.", "自 {0} 起未能查看实例。"), from)
}
func (l Lang) PastGo() string { return l.pick("Explain", "诊断") }
func (l Lang) PastGrouped() string {
	return l.pick("Runs of Java engines do not name their fire time; they were grouped by the second in which they began.", "Java 引擎的执行不记录触发时间，按开始的秒归为一次运行。")
}
func (l Lang) PastHeld(time string, who string) string {
	return fill(l.pick("Its schedule was held since {0}, by {1}.", "调度自 {0} 起由 {1} 暂停。"), time, who)
}
func (l Lang) PastLate(time string) string {
	return fill(l.pick("Its first shard began only at {0}.", "它的第一个分片直到 {0} 才开始。"), time)
}
func (l Lang) PastLateRows() string {
	return l.pick("Runs may be recorded up to ten minutes late.", "运行记录最多可能晚到十分钟。")
}
func (l Lang) PastLeft(instance string, time string) string {
	return fill(l.pick("{0} left at {1}.", "{0} 于 {1} 离开。"), instance, time)
}
func (l Lang) PastLossNoticed(instance string, time string) string {
	return fill(l.pick("The loss of {0} was noticed at {1}. A run that it had begun may not be on record.", "{1} 发现 {0} 已丢失，其已开始的运行可能没有记录。"), instance, time)
}
func (l Lang) PastLossUnknown() string {
	return l.pick("Whether an instance was lost at that time or soon after isn't remembered. A run that it had begun may not be on record.", "没有记住当时或稍后是否有实例丢失，其已开始的运行可能没有记录。")
}
func (l Lang) PastLost(fire string, lost int, shards int) string {
	return fill(l.plural(lost, "The job was due at {0}, and {1} of {2} shards of its run has no recorded end, as after the loss of a process.", "The job was due at {0}, and {1} of {2} shards of its run have no recorded end, as after the loss of a process.", "作业应在 {0} 运行，已运行：{2} 个分片中 {1} 个没有结束记录（例如进程丢失）。"), fire, number(lost), number(shards))
}
func (l Lang) PastMadeUp(time string) string {
	return fill(l.pick("The run that makes up for the fire time began at {0}, by the clock of its agent.", "该触发时间的补执行于 {0}（以 agent 的时钟为准）开始。"), time)
}
func (l Lang) PastMadeUpBy(fire string, time string) string {
	return fill(l.pick("The job was due at {0}. No run of that fire time is on record, and it was made up for at {1}, by the clock of its agent.", "作业应在 {0} 运行，没有该触发时间的运行记录，已在 {1}（以 agent 的时钟为准）补上。"), fire, time)
}
func (l Lang) PastMadeUpInVain(fire string, time string, failed int, shards int) string {
	return fill(l.pick("The job was due at {0}. No run of that fire time is on record, and in the run that made up for it at {1}, {2} of {3} shards failed or were lost.", "作业应在 {0} 运行。没有该触发时间的运行记录，{1} 的补执行中 {3} 个分片有 {2} 个失败或丢失。"), fire, time, number(failed), number(shards))
}
func (l Lang) PastMayBeBusy(run string) string {
	return fill(l.pick("The end of its run of {0} isn't on record, so it may have been running then.", "没有 {0} 的运行的结束记录，当时它可能仍在运行。"), run)
}
func (l Lang) PastMayRun() string {
	return l.pick("The registry shows a running shard now, and nothing is on record since: it may be the run of that time, which waits for its handler.", "注册中心显示现在有分片在运行，而此后没有任何记录：可能就是该次运行，仍在等待其处理程序。")
}
func (l Lang) PastMayWait(instance string, reason string) string {
	return fill(l.pick("It may be the run of that time that waits on {0}: {1}.", "该次运行可能正在 {0} 上等待：{1}。"), instance, reason)
}
func (l Lang) PastMissed(fire string) string {
	return fill(l.pick("The job was due at {0} and did not run.", "作业应在 {0} 运行，但没有运行。"), fire)
}
func (l Lang) PastMissedByRecord(fire string) string {
	return fill(l.pick("By the record, the job was due at {0} and did not run.", "根据现有记录，作业应在 {0} 运行，但没有运行。"), fire)
}
func (l Lang) PastMoreRuns() string {
	return l.pick("There were more runs about that time than can be read here.", "该时间前后的运行太多，无法全部读取。")
}
func (l Lang) PastNoCron() string {
	return l.pick("Whether it was due isn't known, because its schedule or its time zone cannot be read.", "无法判断当时是否应触发：调度或时区无法读取。")
}
func (l Lang) PastNoEvents() string {
	return l.pick("Which instances lived then is not remembered.", "没有记住当时存活的实例。")
}
func (l Lang) PastNoReason() string {
	return l.pick("Why it did not run is not known: nothing on record tells. Look into the log of the instances.", "未运行的原因未知：没有任何记录说明。请查看实例日志。")
}
func (l Lang) PastNoReasonShards() string {
	return l.pick("Why the other shards took no part isn't known: nothing on record explains it.", "其余分片为何没有参与不得而知：没有任何记录说明。")
}
func (l Lang) PastNoRecord(fire string) string {
	return fill(l.pick("No run of {0} is on record.", "没有 {0} 的运行记录。"), fire)
}
func (l Lang) PastNoRecords() string {
	return l.pick("Who disabled or changed the job is shown to admins only.", "谁禁用或修改了作业只对管理员显示。")
}
func (l Lang) PastNoSchedule(at string) string {
	return fill(l.pick("The job was not due at {0}: it has no schedule and runs when it is triggered.", "作业在 {0} 不应触发：它没有调度，仅手动触发。"), at)
}
func (l Lang) PastNoZone() string {
	return l.pick("Whether it was due isn't known, because neither the job nor each of its agents names a time zone.", "无法判断当时是否应触发：作业没有指定时区，它的代理也没有全部报告时区。")
}
func (l Lang) PastNobody() string { return l.pick("No instance lived.", "没有存活的实例。") }
func (l Lang) PastNotCovered() string {
	return l.pick("There may have been one: the job doesn't have runs on record both from before that time and from after it.", "可能运行过：该作业并非在该时间之前和之后都有运行记录。")
}
func (l Lang) PastNotDue(at string) string {
	return fill(l.pick("The job was not due at {0}.", "作业在 {0} 不应触发。"), at)
}
func (l Lang) PastNotDueSince(at string, fire string) string {
	return fill(l.pick("The job was not due at {0}; the last fire time before was {1}.", "作业在 {0} 不应触发；此前最近的触发时间是 {1}。"), at, fire)
}
func (l Lang) PastNotRecorded(from string, until string) string {
	return fill(l.pick("From {0} until {1} not all of its runs were on record.", "自 {0} 至 {1}，作业的运行没有全部记录在案。"), from, until)
}
func (l Lang) PastNotStarted(time string, cause string) string {
	return fill(l.pick("No handler of its run was called: the agent recorded that at {0}, because of: {1}.", "该次运行没有调用任何处理器：代理在 {0} 记录了这一点，原因：{1}。"), time, cause)
}
func (l Lang) PastNotYet(at string, created string) string {
	return fill(l.pick("Nothing is known of the job at {0}: its configuration was created later, at {1}.", "无法得知作业在 {0} 的情况：其配置在此之后创建，创建时间为 {1}。"), at, created)
}
func (l Lang) PastObstacle(instance string, time string, reason string) string {
	return fill(l.pick("{0} announced that it couldn't run the job from {1} on: {2}.", "{0} 报告自 {1} 起无法运行该作业：{2}。"), instance, time, reason)
}
func (l Lang) PastOn(at string, run string) string {
	return fill(l.pick("The job was not due at {0}; its run of {1} was running.", "作业在 {0} 不应触发；{1} 的运行当时正在进行。"), at, run)
}
func (l Lang) PastOpenRun() string { return l.pick("Open the run", "打开运行") }
func (l Lang) PastOutage(from string, until string) string {
	return fill(l.pick("The console could not reach ZooKeeper for a time between {0} and {1}. Perhaps the agents could not, either.", "{0} 至 {1} 之间，控制台有一段时间无法连接 ZooKeeper，代理可能也无法连接。"), from, until)
}
func (l Lang) PastOutageSince(from string) string {
	return fill(l.pick("The console can't reach ZooKeeper since {0}. Perhaps the agents can't, either.", "自 {0} 起，控制台无法连接 ZooKeeper，代理可能也无法连接。"), from)
}
func (l Lang) PastPartial(fire string, n int, shards int) string {
	return fill(l.pick("The job was due at {0} and ran in part: {1} of {2} shards.", "作业应于 {0} 触发，只运行了一部分：{2} 个分片中的 {1} 个。"), fire, number(n), number(shards))
}
func (l Lang) PastPerhaps(time string, who string) string {
	return fill(l.pick("An action of {0}, by {1}, may have stopped or started the job: whether it was carried out isn't on record.", "{1} 在 {0} 的操作可能停止或启动了作业：没有记录说明是否已执行。"), time, who)
}
func (l Lang) PastRan(fire string) string {
	return fill(l.pick("The job was due at {0} and ran: all its shards succeeded.", "作业应在 {0} 运行，已运行：全部分片成功。"), fire)
}
func (l Lang) PastRanBefore() string {
	return l.pick("Runs of it that are older than its configuration are on record: it was removed and made again, or its node was deleted.", "有早于其配置的运行记录：作业曾被移除后重新创建，或其节点曾被删除。")
}
func (l Lang) PastRanSome(fire string, n int) string {
	return fill(l.plural(n, "The job was due at {0} and ran: {1} shard is on record. Whether others should have run, or did, isn't known.", "The job was due at {0} and ran: {1} shards are on record. Whether others should have run, or did, isn't known.", "作业应在 {0} 运行，已运行：有 {1} 个分片的记录。其他分片是否应运行或已运行，无法得知。"), fire, number(n))
}
func (l Lang) PastReadySince(time string) string {
	return fill(l.pick("Its configuration, an enabled server and an instance are as they are now since {0}.", "其配置、已启用的服务器和实例自 {0} 起才是现在的状态。"), time)
}
func (l Lang) PastReasons() string { return l.pick("Why, as far as is known", "已知原因") }
func (l Lang) PastRecordsSince(time string) string {
	return fill(l.pick("The audit was searched since {0} only.", "审计日志仅从 {0} 起查找。"), time)
}
func (l Lang) PastRemoved(time string, who string) string {
	return fill(l.pick("The job was removed at {0}, by {1}.", "作业于 {0} 被 {1} 移除。"), time, who)
}
func (l Lang) PastRestarted(shard int) string {
	return fill(l.pick("There may have been one: the runs of shard {0} on record before and after that time aren't known to be of the same process, and a process started in between may have recorded nothing.", "可能运行过：分片 {0} 在该时间前后的运行记录不能确定来自同一进程，其间启动的进程可能没有留下记录。"), number(shard))
}
func (l Lang) PastRetried(fire string, n int, shards int, time string) string {
	return fill(l.pick("The job was due at {0} and ran: {1} of {2} shards failed at first, and the retry at {3} succeeded.", "作业应在 {0} 运行，已运行：{2} 个分片中起初有 {1} 个失败，{3} 的重试成功。"), fire, number(n), number(shards), time)
}
func (l Lang) PastRetriedInVain(time string) string {
	return fill(l.pick("The retry at {0} did not succeed in all of these shards.", "{0} 的重试未能使这些分片全部成功。"), time)
}
func (l Lang) PastRetrying(time string) string {
	return fill(l.pick("The retry of {0} goes on.", "{0} 的重试仍在进行。"), time)
}
func (l Lang) PastRunBegan(shards string) string {
	return fill(l.pick("A run began: {0}.", "运行开始：{0}。"), shards)
}
func (l Lang) PastRunEnded(state string) string {
	return fill(l.pick("A run ended: {0}.", "运行结束：{0}。"), state)
}
func (l Lang) PastRunning(fire string) string {
	return fill(l.pick("The job was due at {0}, and that run goes on.", "作业应在 {0} 运行，该次运行仍在进行。"), fire)
}
func (l Lang) PastRunningByHistory(fire string) string {
	return fill(l.pick("The job was due at {0}, and the history has no end of that run. Without monitorExecution, nothing else shows whether it goes on.", "作业应在 {0} 运行，历史中没有该次运行的结束记录。没有 monitorExecution 时，无法得知它是否仍在进行。"), fire)
}
func (l Lang) PastSeen(from string, until string, sentence string) string {
	return fill(l.pick("From {0} until {1}, as far as the console knows: {2}", "自 {0} 至 {1}，据控制台所知：{2}"), from, until, sentence)
}
func (l Lang) PastServerOff(server string, time string, who string) string {
	return fill(l.pick("{0} was switched off at {1}, by {2}.", "{0} 于 {1} 被 {2} 禁用。"), server, time, who)
}
func (l Lang) PastShardOff(shard string, time string, who string) string {
	return fill(l.pick("Shard {0} was switched off at {1}, by {2}.", "分片 {0} 于 {1} 被 {2} 禁用。"), shard, time, who)
}
func (l Lang) PastStopped(time string, who string) string {
	return fill(l.pick("Its instances were stopped at {0}, by {1}.", "其实例于 {0} 被 {1} 终止。"), time, who)
}
func (l Lang) PastStoppedOn(server string, time string, who string) string {
	return fill(l.pick("Its instances on {0} were stopped at {1}, by {2}.", "{0} 上的实例于 {1} 被 {2} 终止。"), server, time, who)
}
func (l Lang) PastTitle() string { return l.pick("Explain a past time", "诊断过去的时间") }
func (l Lang) PastTooEarly(fire string) string {
	return fill(l.pick("The job is due at {0}: it's too early to know whether it ran.", "作业应在 {0} 运行：现在判断是否已运行还为时过早。"), fire)
}
func (l Lang) PastTriggerDropped() string {
	return l.pick("A run was on then. An instance drops a trigger that comes while it runs.", "当时正在运行；实例会丢弃运行期间收到的触发。")
}
func (l Lang) PastTriggered(time string, who string) string {
	return fill(l.pick("The job was triggered at {0}, by {1}.", "作业于 {0} 由 {1} 手动触发。"), time, who)
}
func (l Lang) PastUnended(fire string) string {
	return fill(l.pick("The job was due at {0}, and the end of that run isn't on record, although the registry shows no running shard.", "作业应在 {0} 运行，没有该次运行的结束记录，而注册中心显示没有分片在运行。"), fire)
}
func (l Lang) PastUnendedSince(fire string) string {
	return fill(l.pick("The job was due at {0}, and the end of that run isn't on record. The shards that run now may be of a later run.", "作业应在 {0} 运行，没有该次运行的结束记录。现在运行的分片可能属于之后的运行。"), fire)
}
func (l Lang) PastUnknown() string { return l.pick("What is not known", "未知的内容") }
func (l Lang) PastUnreadable(at string) string {
	return fill(l.pick("What the job did at {0} is not known: the history cannot be read.", "无法得知作业在 {0} 的情况：历史无法读取。"), at)
}
func (l Lang) PastUnrecorded(instance string) string {
	return fill(l.pick("{0} may not record its runs.", "{0} 可能不记录运行。"), instance)
}
func (l Lang) PastUnserved(fire string) string {
	return fill(l.pick("No run of {0} is on record, and whether an instance served the job then is not known.", "没有 {0} 的运行记录，当时是否有实例为该作业服务也未知。"), fire)
}
func (l Lang) PastUses() string {
	return l.pick("Uses recorded runs, the audit, and what the console remembers of instances.", "依据运行记录、审计日志以及控制台记住的实例变化。")
}

// [problem]

func (l Lang) ProblemAlive(n int) string {
	return fill(l.plural(n, "{0} instance is alive; shut the job down first.", "{0} instances are alive; shut the job down first.", "有 {0} 个实例存活；请先终止实例。"), number(n))
}
func (l Lang) ProblemAllOff() string {
	return l.pick("No live instance is on an enabled server.", "没有存活的实例位于已启用的服务器上。")
}
func (l Lang) ProblemAsked() string        { return l.pick("Asked for", "请求地址") }
func (l Lang) ProblemBackToJob() string    { return l.pick("Back to the job", "返回作业") }
func (l Lang) ProblemBackToJobs() string   { return l.pick("Back to the jobs", "返回作业列表") }
func (l Lang) ProblemBackToSignIn() string { return l.pick("Back to sign-in", "返回登录") }
func (l Lang) ProblemBasic() string {
	return l.pick("A request with HTTP Basic has no session that could remember what it connects.", "使用 HTTP Basic 的请求没有会话，无法记住所连接的对象。")
}
func (l Lang) ProblemBasicHint() string {
	return l.pick("Name it in each request, with ?registry= or ?dataSource=, or sign in with POST /api/login. Nothing was stored.", "请在每个请求中用 ?registry= 或 ?dataSource= 指定，或用 POST /api/login 登录。未保存任何内容。")
}
func (l Lang) ProblemBodyCut() string {
	return l.pick("The body did not arrive as a whole.", "请求内容未完整到达。")
}
func (l Lang) ProblemBodyCutHint() string {
	return l.pick("Send it again. Nothing was changed.", "请重新发送。未做任何更改。")
}
func (l Lang) ProblemCarriedOut(names string) string {
	return fill(l.pick(" It was carried out for {0}.", "已对 {0} 执行。"), names)
}
func (l Lang) ProblemCommandsOff(fields string) string {
	return fill(l.pick("This console may not change what agents execute or call: {0}.", "此控制台不得修改实例执行或调用的内容：{0}。"), fields)
}
func (l Lang) ProblemCommandsOffHint() string {
	return l.pick("Send the stored value, or start the console with --allow-command-changes. Nothing was stored.", "请使用已保存的值，或以 --allow-command-changes 启动控制台。未保存任何内容。")
}
func (l Lang) ProblemConfigInvalid(job string) string {
	return fill(l.pick("The configuration of {0} cannot be stored.", "无法保存 {0} 的配置。"), job)
}
func (l Lang) ProblemConfigInvalidHint() string {
	return l.pick("Correct the fields named. Nothing was stored.", "请更正所指的字段。未保存任何内容。")
}
func (l Lang) ProblemConfigUnread(job string, why string) string {
	return fill(l.pick("The configuration of {0} cannot be read: {1}", "无法读取 {0} 的配置：{1}"), job, why)
}
func (l Lang) ProblemConfigUnreadHint(path string) string {
	return fill(l.pick("Agents cannot read it either. GET {0} shows the stored text; repair the node in ZooKeeper.", "实例也无法读取。GET {0} 显示已保存的文本；请在 ZooKeeper 中修复该节点。"), path)
}
func (l Lang) ProblemCopy() string { return l.pick("Copy", "复制") }
func (l Lang) ProblemCrossOrigin() string {
	return l.pick("The request came from another site.", "请求来自其他网站。")
}
func (l Lang) ProblemCrossOriginHint() string {
	return l.pick("Open the console itself and try from there. Nothing was changed.", "请在控制台页面中操作。未做任何更改。")
}
func (l Lang) ProblemDigest() string {
	return l.pick("The console's ZooKeeper account lacks the right; check its digest.", "控制台的 ZooKeeper 账号没有此权限；请检查其 Digest。")
}
func (l Lang) ProblemDraft() string {
	return l.pick("The form is not one of this console.", "该表单不属于此控制台。")
}
func (l Lang) ProblemDraftHint() string {
	return l.pick("Open the configuration again. Nothing was stored.", "请重新打开配置。未保存任何内容。")
}
func (l Lang) ProblemDraftOther() string {
	return l.pick("The form is about another job.", "该表单属于另一个作业。")
}
func (l Lang) ProblemEscapedHint() string { return l.pick("Write % as %25.", "请将 % 写作 %25。") }
func (l Lang) ProblemEscapedJob() string {
	return l.pick("The job's name in the address is not escaped correctly.", "地址中的作业名编码不正确。")
}
func (l Lang) ProblemEscapedName() string {
	return l.pick("The name in the address is not escaped correctly.", "地址中的名称编码不正确。")
}
func (l Lang) ProblemEscapedRun() string {
	return l.pick("The run's id in the address is not escaped correctly.", "地址中的运行编号编码不正确。")
}
func (l Lang) ProblemEscapedServer() string {
	return l.pick("The server's address is not escaped correctly.", "服务器地址编码不正确。")
}
func (l Lang) ProblemExists(kind string, name string) string {
	return fill(l.pick("There is a {0} {1} already.", "{0} {1} 已存在。"), kind, name)
}
func (l Lang) ProblemExistsHint() string {
	return l.pick("Choose another name, or change the one there is. Nothing was stored.", "请换一个名称，或修改现有的。未保存任何内容。")
}
func (l Lang) ProblemFixed(kind string, name string) string {
	return fill(l.pick("The {0} {1} is that of the command line.", "{0} {1} 由命令行指定。"), kind, name)
}
func (l Lang) ProblemFixedHint() string {
	return l.pick("Change the flags of the console. Nothing was stored.", "请修改控制台的启动参数。未保存任何内容。")
}
func (l Lang) ProblemForbidden(needed string) string {
	return fill(l.pick("This needs the role {0}.", "此操作需要{0}角色。"), needed)
}
func (l Lang) ProblemForbiddenHint(name string, role string, needed string) string {
	return fill(l.pick("{0} has the role {1}. Nothing was changed. Ask an account with the role {2} to do it, or sign in with one.", "{0} 的角色是{1}。未做任何更改。请联系具有{2}角色的人，或使用这样的账号登录。"), name, role, needed)
}
func (l Lang) ProblemForbiddenPage(needed string) string {
	return fill(l.pick("This page needs the role {0}.", "此页面需要{0}角色。"), needed)
}
func (l Lang) ProblemForbiddenPageHint(name string, role string, needed string) string {
	return fill(l.pick("You are signed in as {0} with the role {1}. Sign in with an account that has the role {2}.", "您以 {0} 的身份登录，角色是{1}。请使用具有{2}角色的账号登录。"), name, role, needed)
}
func (l Lang) ProblemFormUnread() string {
	return l.pick("The form could not be read.", "无法读取表单。")
}
func (l Lang) ProblemFormat() string {
	return l.pick("The format is csv or json.", "格式只能是 csv 或 json。")
}
func (l Lang) ProblemFormatHint() string { return l.pick("Correct the address.", "请更正地址。") }
func (l Lang) ProblemHistoryDown() string {
	return l.pick("The trace database could not be read.", "无法读取事件追踪数据库。")
}
func (l Lang) ProblemHistoryDownHint() string {
	return l.pick("Jobs are not affected. Check that the database runs; the log has the cause.", "作业不受影响。请检查数据库是否运行；原因见日志。")
}
func (l Lang) ProblemHistoryNone() string {
	return l.pick("This console has no trace database.", "此控制台没有事件追踪数据库。")
}
func (l Lang) ProblemHistoryNoneHere() string {
	return l.pick("No trace database belongs to this registry.", "此注册中心没有事件追踪数据库。")
}
func (l Lang) ProblemHistoryNoneHereHint() string {
	return l.pick("The one of the command line is about other jobs. Runs of data sources that were entered can be read over REST.", "命令行指定的数据库属于其他作业。已添加的数据源的运行记录可通过 REST 读取。")
}
func (l Lang) ProblemHistoryNoneHint() string {
	return l.pick("Start it with a database that the agents record to; then their runs are listed here.", "启动时请指定实例写入的数据库，其运行记录就会显示在这里。")
}
func (l Lang) ProblemInternal() string {
	return l.pick("Something went wrong inside the console.", "控制台内部出错。")
}
func (l Lang) ProblemInternalHint() string {
	return l.pick("The log has the cause under this request's id.", "原因记录在日志中，请按请求编号查找。")
}
func (l Lang) ProblemKindRegistry() string { return l.pick("registry", "注册中心") }
func (l Lang) ProblemKindSource() string   { return l.pick("data source", "数据源") }
func (l Lang) ProblemKindView() string     { return l.pick("view", "视图") }
func (l Lang) ProblemLabelledSince() string {
	return l.pick("The job has another label by now.", "该作业的标签已被更改。")
}
func (l Lang) ProblemLargeConfig(job string, size string, most string) string {
	return fill(l.pick("The configuration of {0} has {1} bytes, and pages show at most {2}.", "{0} 的配置有 {1} 字节，页面最多显示 {2} 字节。"), job, size, most)
}
func (l Lang) ProblemLargeConfigHint(job string) string {
	return fill(l.pick("Read it with GET /api/jobs/config/{0}, and remove what no agent needs.", "请用 GET /api/jobs/config/{0} 读取，并删去无用的内容。"), job)
}
func (l Lang) ProblemLikeJob(name string) string {
	return fill(l.pick("Did you mean {0}? It may also have been removed: names are case-sensitive.", "你要找的是 {0} 吗？它也可能已被移除；名称区分大小写。"), name)
}
func (l Lang) ProblemLogOnly() string {
	return l.pick("This console keeps its audit in the log only.", "此控制台只把审计写入日志。")
}
func (l Lang) ProblemLogOnlyHint() string {
	return l.pick("Look for lines with the message audit.", "请查找消息为 audit 的行。")
}
func (l Lang) ProblemManyViews(n int) string {
	return fill(l.plural(n, "There are {0} view of this list already: as many as there may be.", "There are {0} views of this list already: as many as there may be.", "此列表已有 {0} 个视图，已达上限。"), number(n))
}
func (l Lang) ProblemManyViewsHint() string {
	return l.pick("Remove one first. Nothing was stored.", "请先移除一个。未保存任何内容。")
}
func (l Lang) ProblemMethod(method string) string {
	return fill(l.pick("{0} is not possible here.", "此处不支持 {0}。"), method)
}
func (l Lang) ProblemMethodHint(methods string) string {
	return fill(l.pick("This address answers to {0}. Nothing was changed.", "此地址支持 {0}。未做任何更改。"), methods)
}
func (l Lang) ProblemNamespaceForbidden(name string) string {
	return fill(l.pick("The registry {0} does not let the console read its namespace.", "注册中心 {0} 不允许控制台读取其命名空间。"), name)
}
func (l Lang) ProblemNamespaceForbiddenHint() string {
	return l.pick("Check the digest.", "请检查 Digest。")
}
func (l Lang) ProblemNoAction(verb string) string {
	return fill(l.pick("The action {0} is unknown.", "未知的操作 {0}。"), verb)
}
func (l Lang) ProblemNoActionHint() string {
	return l.pick("There are trigger, disable and enable. Nothing was changed.", "可用的有 trigger、disable 和 enable。未做任何更改。")
}
func (l Lang) ProblemNoChange(id string) string {
	return fill(l.pick("There is no action {0}.", "操作 {0} 不存在。"), id)
}
func (l Lang) ProblemNoChangeHint() string {
	return l.pick("Actions can be looked at for a week; the audit log has them for longer.", "操作可查看一周；审计日志保留得更久。")
}
func (l Lang) ProblemNoConnection(name string, why string) string {
	return fill(l.pick("The registry {0} cannot be connected to: {1}.", "无法连接注册中心 {0}：{1}。"), name, why)
}
func (l Lang) ProblemNoConnectionHint() string {
	return l.pick("Check address and digest, and that ZooKeeper runs and can be reached from here.", "请检查地址和 Digest，以及 ZooKeeper 是否运行并可从此处访问。")
}
func (l Lang) ProblemNoJob(name string) string {
	return fill(l.pick("There is no job {0}.", "作业 {0} 不存在。"), name)
}
func (l Lang) ProblemNoJobHint() string {
	return l.pick("It may have been removed, or the name is written differently: names are case-sensitive. In an address, escape a letter of a name that is also a word of addresses, such as %63onfig.", "它可能已被移除，或名称写法不同：名称区分大小写。名称若与地址中的固定词相同，请在地址中转义其中一个字母，例如 %63onfig。")
}
func (l Lang) ProblemNoLabel2x() string {
	return l.pick("ElasticJob 2.1.x has no labels.", "ElasticJob 2.1.x 没有标签。")
}
func (l Lang) ProblemNoLive(target string) string {
	return fill(l.pick("{0} has no live instance.", "{0} 没有存活的实例。"), target)
}
func (l Lang) ProblemNoLiveHint() string {
	return l.pick("Start a process that runs this job, then try again. Nothing was changed.", "请启动运行该作业的进程后重试。未做任何更改。")
}
func (l Lang) ProblemNoOwn() string {
	return l.pick("This console has no database of its own to keep settings in.", "此控制台没有自己的数据库来保存设置。")
}
func (l Lang) ProblemNoOwnHint() string {
	return l.pick("It serves what its command line names.", "它只提供命令行指定的内容。")
}
func (l Lang) ProblemNoPlace() string {
	return l.pick("The place in the list that the address names does not exist.", "地址所指的列表位置不存在。")
}
func (l Lang) ProblemNoPlaceHint() string {
	return l.pick("Start from the first page.", "请从第一页开始。")
}
func (l Lang) ProblemNoRegistry(name string) string {
	return fill(l.pick("There is no registry {0}.", "注册中心 {0} 不存在。"), name)
}
func (l Lang) ProblemNoRun(job string, run string) string {
	return fill(l.pick("Job {0} has no run {1} in the history.", "历史中没有作业 {0} 的运行 {1}。"), job, run)
}
func (l Lang) ProblemNoRunHint() string {
	return l.pick("It may have been deleted with the old rows, or belong to another data source.", "它可能已随旧记录一起删除，或属于另一个数据源。")
}
func (l Lang) ProblemNoServer(ip string) string {
	return fill(l.pick("There is no server {0}.", "服务器 {0} 不存在。"), ip)
}
func (l Lang) ProblemNoServerHint() string {
	return l.pick("No job of the namespace knows it: addresses are compared exactly.", "此命名空间中没有作业使用它：地址按完整内容比较。")
}
func (l Lang) ProblemNoServers() string {
	return l.pick("The job has no servers.", "该作业没有服务器。")
}
func (l Lang) ProblemNoSource(name string) string {
	return fill(l.pick("There is no data source {0}.", "数据源 {0} 不存在。"), name)
}
func (l Lang) ProblemNoTarget(target string, why string) string {
	return fill(l.pick("There is no {0}: {1}", "{0} 不存在。{1}"), target, why)
}
func (l Lang) ProblemNoView(name string) string {
	return fill(l.pick("There is no view {0}.", "视图 {0} 不存在。"), name)
}
func (l Lang) ProblemNotAllowed(why string) string {
	return fill(l.pick("The console may not connect there: {0}.", "不允许控制台连接该地址：{0}。"), why)
}
func (l Lang) ProblemNotAllowedHint() string {
	return l.pick("Start it with --allow-hosts to let it. Nothing was connected to.", "如需允许，请以 --allow-hosts 启动。未建立任何连接。")
}
func (l Lang) ProblemNotKnown(verb string, target string) string {
	return fill(l.pick("Whether the command to {0} {1} arrived is not known. Look once the connection is back, then repeat it if need be.", "不知道对 {1} 的操作“{0}”是否已送达。连接恢复后请先查看，必要时再重复。"), verb, target)
}
func (l Lang) ProblemNotLet(verb string, target string) string {
	return fill(l.pick("ZooKeeper did not let the console {0} {1}.", "ZooKeeper 不允许控制台对 {1} 执行“{0}”。"), verb, target)
}
func (l Lang) ProblemNotLive() string {
	return l.pick("No page of this address is kept up to date.", "没有此地址的实时页面。")
}
func (l Lang) ProblemNotLiveHint() string {
	return l.pick("Ask for the address of a page, such as /events?path=/jobs.", "请使用页面的地址，例如 /events?path=/jobs。")
}
func (l Lang) ProblemNotRecorded(target string) string {
	return fill(l.pick("The trace database can't store how the requested runs of {0} ended.", "事件追踪数据库无法保存 {0} 的请求运行是如何结束的。"), target)
}
func (l Lang) ProblemNotRecordedHint() string {
	return l.pick("The job is still there; remove it again when the trace database answers.", "作业仍然存在；请在事件追踪数据库恢复后再次删除。")
}
func (l Lang) ProblemNotTimed(job string) string {
	return fill(l.pick("{0} is not to be enabled at a time.", "{0} 没有定时启用。"), job)
}
func (l Lang) ProblemNothingChanged() string {
	return l.pick("Nothing was changed.", "未做任何更改。")
}
func (l Lang) ProblemNothingConnected() string {
	return l.pick("Nothing was stored or connected to.", "未保存任何内容，也未建立连接。")
}
func (l Lang) ProblemNothingHere() string {
	return l.pick("There is nothing at this address.", "此地址没有内容。")
}
func (l Lang) ProblemNothingHereHint() string {
	return l.pick("Check the address, or start from the list of jobs.", "请检查地址，或从作业列表开始。")
}
func (l Lang) ProblemOidcAgain() string { return l.pick("Begin again.", "请重新开始。") }
func (l Lang) ProblemOidcDenied(name string) string {
	return fill(l.pick("You are not signed in: it was cancelled or denied at {0}.", "未登录：在 {0} 处被取消或拒绝。"), name)
}
func (l Lang) ProblemOidcDeniedHint() string {
	return l.pick("Begin again, or sign in with an account of this console.", "请重新开始，或使用此控制台的账号登录。")
}
func (l Lang) ProblemOidcDown(name string) string {
	return fill(l.pick("{0} cannot be used now.", "现在无法使用 {0}。"), name)
}
func (l Lang) ProblemOidcDownHint(why string) string {
	return fill(l.pick("{0} Begin again, or sign in with an account of this console.", "{0} 请重新开始，或使用此控制台的账号登录。"), why)
}
func (l Lang) ProblemOidcLogHint() string {
	return l.pick("Begin again. If that does not help, the log has the reason under this request's id.", "请重新开始。如仍失败，日志中此请求编号下有原因。")
}
func (l Lang) ProblemOidcNoFlow() string {
	return l.pick("This sign-in was not begun in this browser, or too long ago.", "此登录不是在本浏览器中开始的，或开始得太久。")
}
func (l Lang) ProblemOidcNoFlowHint(address string) string {
	return fill(l.pick("Begin at {0}, and sign in within ten minutes. Cookies must be allowed.", "请从 {0} 开始，并在十分钟内登录。必须允许 Cookie。"), address)
}
func (l Lang) ProblemOidcNoGroup() string {
	return l.pick("You are not in a group that may use this console.", "您所在的组无权使用此控制台。")
}
func (l Lang) ProblemOidcNoGroupHint(name string) string {
	return fill(l.pick("You signed in as {0}. Ask those who look after the console to add you to one, then sign in again.", "您以 {0} 登录。请联系控制台的维护者把您加入相应的组，然后重新登录。"), name)
}
func (l Lang) ProblemOidcNotIn(name string) string {
	return fill(l.pick("{0} did not sign you in.", "{0} 未让您登录。"), name)
}
func (l Lang) ProblemOidcOffHint() string {
	return l.pick("Signing in by OpenID Connect is not set up on this console.", "此控制台未设置 OpenID Connect 登录。")
}
func (l Lang) ProblemOidcProof(name string) string {
	return fill(l.pick("What came from {0} does not prove who you are.", "来自 {0} 的应答不能证明您的身份。"), name)
}
func (l Lang) ProblemOidcReplayed() string {
	return l.pick("This sign-in was already completed.", "此登录已完成。")
}
func (l Lang) ProblemOidcRetry(why string, id string) string {
	return fill(l.pick("{0} Try again, or sign in with an account of this console. Request {1}.", "{0} 请重试，或使用此控制台的账号登录。请求编号 {1}。"), why, id)
}
func (l Lang) ProblemOidcState() string {
	return l.pick("This is the answer to another sign-in.", "这是另一次登录的应答。")
}
func (l Lang) ProblemOidcStateHint() string {
	return l.pick("If you began one in another tab, go on there, or begin again.", "如果在另一个标签页中开始了登录，请在那里继续，或重新开始。")
}
func (l Lang) ProblemOpenJob(name string) string { return fill(l.pick("Open {0}", "打开 {0}"), name) }
func (l Lang) ProblemOption() string {
	return l.pick("An option is not written as name=value.", "选项未写成 name=value 的形式。")
}
func (l Lang) ProblemOptionHint() string {
	return l.pick("Separate options by spaces. Nothing was stored or connected to.", "多个选项以空格分隔。未保存任何内容，也未建立连接。")
}
func (l Lang) ProblemOwnDown() string {
	return l.pick("The console's own database could not be asked.", "无法访问控制台自己的数据库。")
}
func (l Lang) ProblemOwnDownHint() string {
	return l.pick("It knows who signed out, so nobody is let in without it. Jobs are not affected. Check that the database runs; the log has the cause.", "它记录谁已退出登录，因此没有它无法登录。作业不受影响。请检查数据库是否运行；原因见日志。")
}
func (l Lang) ProblemOwnDownSignOut() string {
	return l.pick("This console refuses the token from now on, but others of the same database may take it until it expires. Try again.", "本控制台从现在起拒绝该令牌，但使用同一数据库的其他控制台在其过期前仍可能接受。请重试。")
}
func (l Lang) ProblemPort() string {
	return l.pick("The port is not a number.", "端口不是数字。")
}
func (l Lang) ProblemPortHint() string {
	return l.pick("Write 1 to 65535, or nothing for the usual one. Nothing was stored or connected to.", "请填写 1 到 65535，或留空使用默认端口。未保存任何内容，也未建立连接。")
}
func (l Lang) ProblemReasonLong(n string, most string) string {
	return fill(l.pick("The reason has {0} characters, at most {1} are kept.", "原因有 {0} 个字符，最多保留 {1} 个。"), n, most)
}
func (l Lang) ProblemReasonLongHint() string {
	return l.pick("Shorten it. Nothing was changed.", "请缩短。未做任何更改。")
}
func (l Lang) ProblemRefused(verb string, target string, why string) string {
	return fill(l.pick("The command to {0} {1} was refused: {2}", "对 {1} 的操作“{0}”被拒绝。{2}"), verb, target, why)
}
func (l Lang) ProblemRemovedList(path string) string {
	return fill(l.pick("It may have been removed. GET {0} lists those there are.", "它可能已被移除。GET {0} 列出现有的。"), path)
}
func (l Lang) ProblemRequest() string { return l.pick("Request", "请求编号") }
func (l Lang) ProblemServerOff() string {
	return l.pick("its server is not enabled", "其服务器未启用")
}
func (l Lang) ProblemSoAlready() string { return l.pick("it is so already", "已经如此") }
func (l Lang) ProblemSomebody() string  { return l.pick("Somebody", "有人") }
func (l Lang) ProblemSourceUnusable(name string, why string) string {
	return fill(l.pick("The data source {0} cannot be used: {1}.", "数据源 {0} 无法使用：{1}。"), name, why)
}
func (l Lang) ProblemSourceUnusableHint() string {
	return l.pick("Jobs are not affected.", "作业不受影响。")
}
func (l Lang) ProblemStaleConfig(job string) string {
	return fill(l.pick("Somebody changed the configuration of {0} since you read it. Nothing was stored.", "在您读取之后，有人修改了 {0} 的配置。未保存任何内容。"), job)
}
func (l Lang) ProblemStaleConfigHint() string {
	return l.pick("The answer has what is stored now, and its ETag. Make your change to that.", "应答中有当前保存的内容及其 ETag，请在其上修改。")
}
func (l Lang) ProblemStreams() string {
	return l.pick("Too many pages are open.", "打开的页面过多。")
}
func (l Lang) ProblemStreamsHint() string {
	return l.pick("This page goes on without a stream: it asks every few seconds.", "此页面不使用推送，每隔几秒查询一次。")
}
func (l Lang) ProblemSwitchedSince(who string) string {
	return fill(l.pick("{0} has switched it since.", "{0}之后又更改过它。"), who)
}
func (l Lang) ProblemToJobs() string     { return l.pick("All jobs", "全部作业") }
func (l Lang) ProblemToOverview() string { return l.pick("To the overview", "返回总览") }
func (l Lang) ProblemTooLarge() string   { return l.pick("The request is too large.", "请求过大。") }
func (l Lang) ProblemTooLargeHint(kib string) string {
	return fill(l.pick("{0} KiB are the limit. Nothing was changed.", "上限为 {0} KiB。未做任何更改。"), kib)
}
func (l Lang) ProblemTooMany(seconds string) string {
	return fill(l.pick("Too many attempts to sign in. Try again in {0} s.", "登录尝试次数过多。请在 {0} 秒后重试。"), seconds)
}
func (l Lang) ProblemTooManyHint() string {
	return l.pick("The limit is per account and per address; it opens again by itself.", "限制按账号和来源地址计算，到时自动解除。")
}
func (l Lang) ProblemTooSlow() string { return l.pick("The answer took too long.", "响应超时。") }
func (l Lang) ProblemTooSlowHint() string {
	return l.pick("Try again; if it happens again, look at the log.", "请重试；如果再次发生，请查看日志。")
}
func (l Lang) ProblemTryNow() string { return l.pick("Try now", "立即重试") }
func (l Lang) ProblemUnaudited() string {
	return l.pick("The action cannot be recorded in the audit, so it was not carried out.", "无法把操作写入审计，因此没有执行。")
}
func (l Lang) ProblemUnauditedHint() string {
	return l.pick("Nothing was changed. Check that the console's own database can be written, and its disk; the log has the cause.", "未做任何更改。请检查控制台自己的数据库能否写入及其磁盘；原因见日志。")
}
func (l Lang) ProblemUndoBusy() string {
	return l.pick("The action is still being carried out.", "该操作仍在执行。")
}
func (l Lang) ProblemUndoDone() string {
	return l.pick("The action was taken back already.", "该操作已被撤销。")
}
func (l Lang) ProblemUndoHold() string {
	return l.pick("A hold is released, and cancelled runs are requested again: neither can be taken back.", "暂停需要恢复，已取消的运行需要再次请求：都不能撤销。")
}
func (l Lang) ProblemUndoLate() string {
	return l.pick("The action is older than ten minutes.", "该操作已超过十分钟。")
}
func (l Lang) ProblemUndoTrigger() string {
	return l.pick("A run that was started cannot be taken back.", "已开始的运行无法撤销。")
}
func (l Lang) ProblemWhen() string { return l.pick("When", "时间") }
func (l Lang) ProblemWrongCommand(verb string, target string, why string) string {
	return fill(l.pick("The command to {0} {1} is not valid: {2}", "对 {1} 的操作“{0}”无效。{2}"), verb, target, why)
}
func (l Lang) ProblemWrongCursor() string {
	return l.pick("The cursor is not one of this list.", "该游标不属于此列表。")
}
func (l Lang) ProblemWrongCursorHint() string {
	return l.pick("Start again without it.", "请去掉它重新开始。")
}
func (l Lang) ProblemWrongFieldsHint() string {
	return l.pick("Correct the fields named. Nothing was stored or connected to.", "请更正所指的字段。未保存任何内容，也未建立连接。")
}
func (l Lang) ProblemWrongFilter() string {
	return l.pick("The filter asks for something that cannot be.", "筛选条件无法成立。")
}
func (l Lang) ProblemWrongKey() string {
	return l.pick("A stored secret cannot be decrypted.", "无法解密已保存的密钥。")
}
func (l Lang) ProblemWrongKeyHint() string {
	return l.pick("The console was started with another key than the one it was encrypted with. Start it with that key, or remove the entry and enter it again.", "控制台启动时使用的密钥与加密时不同。请用原密钥启动，或移除该项后重新添加。")
}
func (l Lang) ProblemWrongLabel(label string, n int) string {
	return fill(l.pick("{0} is no label: at most {1} characters that can be printed.", "{0} 不是有效的标签：最多 {1} 个可打印字符。"), label, number(n))
}
func (l Lang) ProblemWrongRegistry() string {
	return l.pick("The registry cannot be used like this.", "注册中心不能这样使用。")
}
func (l Lang) ProblemWrongSource() string {
	return l.pick("The data source cannot be used like this.", "数据源不能这样使用。")
}
func (l Lang) ProblemWrongTime(time string) string {
	return fill(l.pick("{0} is not a time of the next 90 days.", "{0} 不在未来 90 天内。"), time)
}
func (l Lang) ProblemWrongTimeHint() string {
	return l.pick("Give a time to come, in UTC. Nothing was changed.", "请填写将来的时间（UTC）。未做任何更改。")
}
func (l Lang) ProblemWrongView() string {
	return l.pick("The view cannot be saved like this.", "视图不能这样保存。")
}
func (l Lang) ProblemZkDown(time string) string {
	return fill(l.pick("ZooKeeper has been unreachable since {0}.", "ZooKeeper 自 {0} 起无法连接。"), time)
}
func (l Lang) ProblemZkDownHint() string {
	return l.pick("The console reconnects by itself. Check that ZooKeeper runs and can be reached from here.", "控制台会自动重连。请检查 ZooKeeper 是否运行，以及能否从此处访问。")
}
func (l Lang) ProblemZkForbidden() string {
	return l.pick("ZooKeeper does not let the console read this.", "ZooKeeper 不允许控制台读取此内容。")
}
func (l Lang) ProblemZkReading() string {
	return l.pick("The console is still reading the registry.", "控制台仍在读取注册中心。")
}
func (l Lang) ProblemZkReadingHint() string {
	return l.pick("It began to when it was started or connected again. Try again in a few seconds.", "启动或重新连接后开始读取。请几秒后重试。")
}
func (l Lang) ProblemZkUnread() string {
	return l.pick("ZooKeeper could not be read just now.", "刚才无法读取 ZooKeeper。")
}
func (l Lang) ProblemZkUnreadHint() string {
	return l.pick("Nothing was changed. Try again in a few seconds.", "未做任何更改。请几秒后重试。")
}

// [reference]

func (l Lang) ReferenceAbout() string {
	return l.pick("The addresses for programs. Everything that pages show and do is here too.", "供程序调用的地址。页面上能看到、能操作的一切，这里都有。")
}
func (l Lang) ReferenceAddress() string    { return l.pick("Address", "地址") }
func (l Lang) ReferenceAll() string        { return l.pick("Show all", "显示全部") }
func (l Lang) ReferenceAnswers() string    { return l.pick("Answers", "响应") }
func (l Lang) ReferenceDeprecated() string { return l.pick("Deprecated", "已弃用") }
func (l Lang) ReferenceDeprecatedText() string {
	return l.pick("Only clients of ElasticJob's own consoles need this address. It goes on working.", "只有 ElasticJob 自带控制台的客户端才需要此地址。它会继续可用。")
}
func (l Lang) ReferenceDocument() string { return l.pick("OpenAPI 3.1 document", "OpenAPI 3.1 文档") }
func (l Lang) ReferenceField() string    { return l.pick("Name", "名称") }
func (l Lang) ReferenceFind() string     { return l.pick("Search", "搜索") }
func (l Lang) ReferenceLegacy() string   { return l.pick("Legacy", "旧地址") }
func (l Lang) ReferenceLegacyAbout() string {
	return l.pick("Addresses that only clients of ElasticJob's own consoles need. They go on working, but new programs shouldn't use them.", "只有 ElasticJob 自带控制台的客户端才需要这些地址。它们会继续可用，但新程序不应使用。")
}
func (l Lang) ReferenceMeaning() string { return l.pick("Meaning", "含义") }
func (l Lang) ReferenceNative() string  { return l.pick("Addresses", "地址") }
func (l Lang) ReferenceNone(query string) string {
	return fill(l.pick("No operation has {0}", "没有操作包含 {0}"), query)
}
func (l Lang) ReferenceNoneText() string {
	return l.pick("Search for a part of an address, a word or a field. Legacy addresses have a tab of their own.", "请搜索地址的一部分、词语或字段。旧地址有单独的标签页。")
}
func (l Lang) ReferenceOptional() string   { return l.pick("optional", "可选") }
func (l Lang) ReferenceParameters() string { return l.pick("Parameters", "参数") }
func (l Lang) ReferenceRequest() string    { return l.pick("Request", "请求") }
func (l Lang) ReferenceSearch() string     { return l.pick("Search the operations", "搜索操作") }
func (l Lang) ReferenceSearchHint() string {
	return l.pick("An address, a word or a field, such as trigger or nextFireTime", "地址、词语或字段，例如 trigger 或 nextFireTime")
}
func (l Lang) ReferenceShort() string     { return l.pick("API", "API") }
func (l Lang) ReferenceSigningIn() string { return l.pick("Sign in with a token", "用令牌登录") }
func (l Lang) ReferenceSigningInText() string {
	return l.pick("A program sends a token of its own with each request. Create one here:", "程序在每个请求中带上自己的令牌。在此创建：")
}
func (l Lang) ReferenceTitle() string { return l.pick("API reference", "API 参考") }
func (l Lang) ReferenceType() string  { return l.pick("Type", "类型") }
func (l Lang) ReferenceUnknown() string {
	return l.pick("This operation doesn't exist.", "没有这个操作。")
}
func (l Lang) ReferenceUnknownHint() string {
	return l.pick("Look it up in the list.", "请在列表中查找。")
}

// [refusal]

func (l Lang) RefusalAlive() string {
	return l.pick("Shut the job down, or stop its processes, first.", "仍有存活的实例：请先终止实例，或结束其进程。")
}
func (l Lang) RefusalAsListed() string {
	return l.pick("Name instances as the job lists them.", "请按作业所列填写实例。")
}
func (l Lang) RefusalChanged() string {
	return l.pick("The configuration has changed since it was read; reload it and repeat the change.", "其间有人修改了配置；请重新查看。")
}
func (l Lang) RefusalCheckName() string {
	return l.pick("Check the name and the namespace.", "请检查名称和命名空间。")
}
func (l Lang) RefusalClearMarker() string {
	return l.pick("clear the running marker of", "清除运行标记")
}
func (l Lang) RefusalDigest() string {
	return l.pick("The nodes belong to another digest; connect the registry with that one.", "这些节点属于另一个 Digest；请用它连接注册中心。")
}
func (l Lang) RefusalDump() string {
	return l.pick("The dump service is off unless the process configures it, and listens on loopback by default.", "导出服务需由进程开启，默认只监听本机。")
}
func (l Lang) RefusalEnable() string {
	return l.pick("Enable the job or a server first.", "请先启用作业或一台服务器。")
}
func (l Lang) RefusalExists() string {
	return l.pick("Open that one, or choose another name.", "同名作业已存在：请打开它，或换一个名称。")
}
func (l Lang) RefusalExplain() string { return l.pick("Reload Explain.", "请重新查看诊断。") }
func (l Lang) RefusalForeign() string {
	return l.pick("Move or delete it first.", "存在不属于该作业的节点：请先移走或删除它。")
}
func (l Lang) RefusalGivenUp() string {
	return l.pick("The action was cancelled before ZooKeeper answered.", "操作在收到应答前已放弃。")
}
func (l Lang) RefusalInstances() string {
	return l.pick("The page of the job lists its instances.", "作业页面列出其实例。")
}
func (l Lang) RefusalInstancesAgain() string {
	return l.pick("Reload the job's instances.", "请重新查看作业的实例。")
}
func (l Lang) RefusalKeepsChanging() string {
	return l.pick("The job keeps changing; reload it and repeat the action.", "作业一直在变化；请重新查看后重复操作。")
}
func (l Lang) RefusalLeft() string { return l.pick("it has left", "它已下线") }
func (l Lang) RefusalLook() string {
	return l.pick("Check whether the action took effect before repeating it.", "重复之前请先查看操作是否已执行。")
}
func (l Lang) RefusalMarker() string {
	return l.pick("Name the instance of the marker, as Explain shows it, once you know that it does not run the shard.", "确认实例没有运行该分片后，请按诊断所示指定标记所属的实例。")
}
func (l Lang) RefusalNameInstances() string {
	return l.pick("Name the instances to trigger.", "请指定要触发的实例。")
}
func (l Lang) RefusalNoServers() string {
	return l.pick("Servers register when a process that serves the job starts.", "作业没有服务器：运行该作业的进程启动时，其服务器会自动注册。")
}
func (l Lang) RefusalNotGo() string {
	return l.pick("Only Go agents accept requested runs; trigger the job without parameters.", "只有本项目的实例接受请求的运行；请不带参数触发作业。")
}
func (l Lang) RefusalNotLet() string {
	return l.pick("ZooKeeper does not let the console touch this job; its nodes belong to another digest.", "ZooKeeper 不允许控制台操作此作业；其节点属于另一个 digest。")
}
func (l Lang) RefusalNumbers() string {
	return l.pick("Shards are numbered from 0.", "分片从 0 开始编号。")
}
func (l Lang) RefusalOn(job string, ip string) string {
	return fill(l.pick("{0} on {1}", "{1} 上的 {0}"), job, ip)
}
func (l Lang) RefusalQueueFull() string {
	return l.pick("Wait until some have begun, or cancel some.", "请等待其中一些开始，或取消一些。")
}
func (l Lang) RefusalRemoveEntry() string { return l.pick("remove", "移除记录") }
func (l Lang) RefusalRemoved() string     { return l.pick("The job was removed.", "作业已被删除。") }
func (l Lang) RefusalRename() string {
	return l.pick("A job cannot be renamed; create another one.", "作业不能改名；请另建一个。")
}
func (l Lang) RefusalRepairNode() string {
	return l.pick("Agents can't read it either; repair the node.", "实例也无法读取；请修复该节点。")
}
func (l Lang) RefusalRun(run string, job string) string {
	return fill(l.pick("run {0} of {1}", "{1} 的运行 {0}"), run, job)
}
func (l Lang) RefusalRunActive() string {
	return l.pick("Cancel the run first, or force the shutdown.", "请先取消该运行，或强制下线。")
}
func (l Lang) RefusalServer(ip string) string { return fill(l.pick("server {0}", "服务器 {0}"), ip) }
func (l Lang) RefusalServerAbsent() string {
	return l.pick("its server is not registered; agents give it no shards", "其服务器未注册，不会分到分片")
}
func (l Lang) RefusalServerAlive() string {
	return l.pick("Shut the server down first.", "服务器上仍有存活的实例：请先终止它们。")
}
func (l Lang) RefusalShard(item int, job string) string {
	return fill(l.pick("shard {0} of {1}", "{1} 的分片 {0}"), number(item), job)
}
func (l Lang) RefusalShorten() string { return l.pick("Shorten the parameters.", "请缩短参数。") }
func (l Lang) RefusalStart() string {
	return l.pick("Start a process that serves the job.", "请启动运行该作业的进程。")
}
func (l Lang) RefusalStartHere() string {
	return l.pick("Start a process that serves the job on this server.", "请在此服务器上启动运行该作业的进程。")
}
func (l Lang) RefusalStop() string {
	return l.pick("Stop that process if the run does not end.", "分片正在运行；如果不结束，请停止该进程。")
}
func (l Lang) RefusalUnsharded() string {
	return l.pick("Shards appear when the job has been sharded; trigger it first.", "作业分片之后才有分片；请先触发一次。")
}
func (l Lang) RefusalWait() string {
	return l.pick("Wait until it is a minute old.", "请等待标记满一分钟。")
}

// [registries]

func (l Lang) RegistriesAclDefault() string {
	return l.pick("by the digest, if any", "按 Digest 决定")
}
func (l Lang) RegistriesActions() string { return l.pick("Actions", "操作") }
func (l Lang) RegistriesAdd() string     { return l.pick("Add registry", "添加注册中心") }
func (l Lang) RegistriesAddedFound(name string, verdict string) string {
	return fill(l.pick("Added {0}. {1}", "已添加 {0}。{1}"), name, verdict)
}
func (l Lang) RegistriesAnyway() string {
	return l.pick("Store it although the test failed", "测试失败也保存")
}
func (l Lang) RegistriesAuthorities() string { return l.pick("Authorities", "CA 证书") }
func (l Lang) RegistriesAuthoritiesHint() string {
	return l.pick("PEM; without, those of the console's machine", "PEM；留空则使用控制台所在机器的")
}
func (l Lang) RegistriesBlastClosed() string {
	return l.pick("Nobody has opened it for a while. Its pages, and links to them, stop working.", "最近无人打开。其页面及链接将失效。")
}
func (l Lang) RegistriesBlastOpen(n int, m int) string {
	return fill(l.plural(n, "The console shows {0} job on {1} servers from it. Their pages, and links to them, stop working.", "The console shows {0} jobs on {1} servers from it. Their pages, and links to them, stop working.", "控制台目前显示其中的 {0} 个作业和 {1} 台服务器。这些页面及其链接将失效。"), number(n), number(m))
}
func (l Lang) RegistriesBlastSecret() string {
	return l.pick("The console forgets its address and digest, for everybody. There is no undo.", "控制台将为所有人删除其地址和凭证，无法撤销。")
}
func (l Lang) RegistriesBlastSessions(n int) string {
	return fill(l.plural(n, "{0} session of a client has it connected; their requests are refused from then on.", "{0} sessions of clients have it connected; their requests are refused from then on.", "{0} 个客户端会话正连接它，此后其请求会被拒绝。"), number(n))
}
func (l Lang) RegistriesBlastZookeeper() string {
	return l.pick("Nothing in ZooKeeper is touched: the jobs run on.", "不影响 ZooKeeper 中的任何内容：作业继续运行。")
}
func (l Lang) RegistriesCancel() string {
	return l.pick("Cancel, change nothing", "取消，不做更改")
}
func (l Lang) RegistriesCertificate() string { return l.pick("Certificate", "证书") }
func (l Lang) RegistriesCertificateHint() string {
	return l.pick("PEM, if the servers ask for one", "PEM，服务器要求时填写")
}
func (l Lang) RegistriesChanged(name string) string {
	return fill(l.pick("Changed {0}. Its connection was closed; the next page opens it again.", "已更改 {0}。连接已关闭，下次打开页面时重新连接。"), name)
}
func (l Lang) RegistriesConnected() string { return l.pick("Connected", "已连接") }
func (l Lang) RegistriesDigest() string    { return l.pick("Digest", "Digest") }
func (l Lang) RegistriesDigestHint() string {
	return l.pick("user:password, if any", "user:password，如需要")
}
func (l Lang) RegistriesDisconnected() string { return l.pick("Not connected", "未连接") }
func (l Lang) RegistriesEdit() string         { return l.pick("Edit…", "编辑…") }
func (l Lang) RegistriesEditTitle(name string) string {
	return fill(l.pick("Edit {0}", "编辑 {0}"), name)
}
func (l Lang) RegistriesFixed() string { return l.pick("from the command line", "来自命令行") }
func (l Lang) RegistriesForbidden() string {
	return l.pick("ZooKeeper does not let the console read the namespace.", "ZooKeeper 不允许控制台读取该命名空间。")
}
func (l Lang) RegistriesForbiddenText() string {
	return l.pick("The servers answer. Check the digest: user and password must be those that the agents' nodes were made with. Nothing was stored.", "服务器有响应。请检查凭证：用户名和密码必须与实例创建节点时使用的一致。未存储任何内容。")
}
func (l Lang) RegistriesJobs() string { return l.pick("Jobs", "作业") }
func (l Lang) RegistriesKeepDigest() string {
	return l.pick("empty keeps the stored one", "留空则保留已存储的凭证")
}
func (l Lang) RegistriesKeepKey() string {
	return l.pick("empty keeps the stored one", "留空则保留已存储的私钥")
}
func (l Lang) RegistriesKey() string       { return l.pick("Private key", "私钥") }
func (l Lang) RegistriesName() string      { return l.pick("Name", "名称") }
func (l Lang) RegistriesNamespace() string { return l.pick("Namespace", "命名空间") }
func (l Lang) RegistriesNo() string        { return l.pick("no", "否") }
func (l Lang) RegistriesNoChroot() string {
	return l.pick("There is no such chroot.", "该 chroot 不存在。")
}
func (l Lang) RegistriesNoChrootText(chroot string) string {
	return fill(l.pick("The servers answer, but have no node {0}; ZooKeeper's clients do not make it. Check the end of the address. Nothing was stored.", "服务器有响应，但没有节点 {0}；ZooKeeper 客户端不会创建它。请检查地址的末尾。未存储任何内容。"), chroot)
}
func (l Lang) RegistriesNoDigest() string     { return l.pick("No digest", "不使用凭证") }
func (l Lang) RegistriesReconnecting() string { return l.pick("Reconnecting", "正在重连") }
func (l Lang) RegistriesRemove() string       { return l.pick("Remove…", "移除…") }
func (l Lang) RegistriesRemoveButton(name string) string {
	return fill(l.pick("Remove {0}", "移除 {0}"), name)
}
func (l Lang) RegistriesRemoved(name string) string {
	return fill(l.pick("Removed {0}. Nothing in it was changed.", "已移除 {0}。其中的内容未更改。"), name)
}
func (l Lang) RegistriesRequired() string {
	return l.pick("host:port, several with commas; a chroot behind the last one", "host:port，多个用逗号分隔；chroot 写在最后")
}
func (l Lang) RegistriesSave() string { return l.pick("Save", "保存") }
func (l Lang) RegistriesSecretNote() string {
	return l.pick("stored encrypted, never shown again", "加密存储，不再显示")
}
func (l Lang) RegistriesServerName() string { return l.pick("Server name", "服务器名") }
func (l Lang) RegistriesServerNameHint() string {
	return l.pick("that of the address", "与地址相同")
}
func (l Lang) RegistriesSpeakTls() string  { return l.pick("Speak TLS", "使用 TLS") }
func (l Lang) RegistriesState() string     { return l.pick("State", "状态") }
func (l Lang) RegistriesTest() string      { return l.pick("Test", "测试") }
func (l Lang) RegistriesTestAgain() string { return l.pick("Test only", "仅测试") }
func (l Lang) RegistriesTestedAbsent(trip string, namespace string) string {
	return fill(l.pick("Round trip {0}. There is no namespace {1} yet: no agent has registered below it. Check the name, or go on if the agents are still to come.", "往返 {0}。命名空间 {1} 尚不存在：还没有实例在其下注册。请检查名称；如果实例稍后才启动，可以继续。"), trip, namespace)
}
func (l Lang) RegistriesTestedChroot(chroot string) string {
	return fill(l.pick("Everything is below the chroot {0}.", "所有内容都在 chroot {0} 之下。"), chroot)
}
func (l Lang) RegistriesTestedDigest() string {
	return l.pick("The digest was accepted; ZooKeeper says no more of it than that this namespace may be read.", "凭证已被接受；ZooKeeper 只表明可以读取此命名空间。")
}
func (l Lang) RegistriesTestedFound(trip string, namespace string, n int) string {
	return fill(l.plural(n, "Round trip {0}. Namespace {1} has {2} job.", "Round trip {0}. Namespace {1} has {2} jobs.", "往返 {0}。命名空间 {1} 有 {2} 个作业。"), trip, namespace, number(n))
}
func (l Lang) RegistriesTestedMany(trip string, namespace string, n int) string {
	return fill(l.pick("Round trip {0}. Namespace {1} has more than {2} jobs.", "往返 {0}。命名空间 {1} 的作业超过 {2} 个。"), trip, namespace, number(n))
}
func (l Lang) RegistriesTestedOk(took string) string {
	return fill(l.pick("Connected in {0}.", "连接成功，耗时 {0}。"), took)
}
func (l Lang) RegistriesUnreachable() string {
	return l.pick("It cannot be reached.", "无法连接。")
}
func (l Lang) RegistriesUnreachableText(cause string) string {
	return fill(l.pick("{0}. Check the address, and that ZooKeeper runs and can be reached from the console. Nothing was stored.", "{0}。请检查地址，以及 ZooKeeper 是否运行、能否从控制台访问。未存储任何内容。"), cause)
}
func (l Lang) RegistriesUntested() string { return l.pick("Not opened", "未打开") }
func (l Lang) RegistriesUntestedTitle() string {
	return l.pick("Nobody has opened it for a while; Test connects to it.", "最近无人打开；“测试”会连接一次。")
}
func (l Lang) RegistriesWrongName(name string) string {
	return fill(l.pick("This is not the name. Nothing was changed; the name is {0}.", "名称不符，未做任何更改；名称是 {0}。"), name)
}
func (l Lang) RegistriesYes() string { return l.pick("yes", "是") }

// [request]

func (l Lang) RequestAgain() string { return l.pick("Run again…", "再次运行…") }
func (l Lang) RequestAgainFailed() string {
	return l.pick("Run failed shards again…", "重新运行失败的分片…")
}
func (l Lang) RequestAll() string          { return l.pick("All", "全部") }
func (l Lang) RequestAsForm() string       { return l.pick("Use the fields instead", "改为填写字段") }
func (l Lang) RequestAsJson() string       { return l.pick("Write JSON instead", "改为填写 JSON") }
func (l Lang) RequestAssigned() string     { return l.pick("Assigned", "分配") }
func (l Lang) RequestAssignedEach() string { return l.pick("to each shard", "每个分片") }
func (l Lang) RequestAssignedOne() string  { return l.pick("to one free shard", "一个空闲分片") }
func (l Lang) RequestAt() string           { return l.pick("At", "指定时间") }
func (l Lang) RequestAtLabel() string {
	return l.pick("Date and time in UTC", "日期和时间（UTC）")
}
func (l Lang) RequestAttempt() string { return l.pick("Attempt", "第几次尝试") }
func (l Lang) RequestBack() string    { return l.pick("To the requested runs", "返回请求的运行") }
func (l Lang) RequestBackOne() string { return l.pick("To the run", "返回该运行") }
func (l Lang) RequestBy() string      { return l.pick("Requested by", "请求者") }
func (l Lang) RequestCancel() string  { return l.pick("Cancel", "取消") }
func (l Lang) RequestCancelDeaf() string {
	return l.pick("A handler that ignores this goes on; the run ends when it has returned.", "不理会的处理函数会继续；它返回之后运行才结束。")
}
func (l Lang) RequestCancelNoRetry() string {
	return l.pick("A cancelled run is not retried; it can be requested again.", "已取消的运行不会重试；可以再次请求。")
}
func (l Lang) RequestCancelRun() string { return l.pick("Cancel the run", "取消运行") }
func (l Lang) RequestCancelRuns() string {
	return l.pick("Handlers of the run are asked to return. Shards that wait do not begin.", "请运行中的处理函数返回。等待的分片不再开始。")
}
func (l Lang) RequestCancelTitle(run string, job string) string {
	return fill(l.pick("Cancel run {0} of {1}?", "取消 {1} 的运行 {0}？"), run, job)
}
func (l Lang) RequestCancelWaits() string {
	return l.pick("The run has not begun and never will.", "此运行尚未开始，也不会再开始。")
}
func (l Lang) RequestChosenOf(n int, m int) string {
	return fill(l.pick("{0} of {1}", "{0}/{1}"), number(n), number(m))
}
func (l Lang) RequestCountEnded(n int) string {
	return fill(l.plural(n, "{0} run ended of late", "{0} runs ended of late", "最近结束 {0} 个运行"), number(n))
}
func (l Lang) RequestCountOlder(n int) string {
	return fill(l.plural(n, "{0} older run from the trace database", "{0} older runs from the trace database", "{0} 条更早的运行来自事件追踪数据库"), number(n))
}
func (l Lang) RequestCountWaiting(n int) string {
	return fill(l.plural(n, "{0} run waits", "{0} runs wait", "{0} 个运行在等待"), number(n))
}
func (l Lang) RequestCursor() string {
	return l.pick("The cursor is not one that this list has given.", "游标不是此列表给出的。")
}
func (l Lang) RequestCursorHint() string {
	return l.pick("Use the nextCursor of an answer as it is.", "请原样使用答复中的 nextCursor。")
}
func (l Lang) RequestDays() string { return l.pick("days", "天") }
func (l Lang) RequestDidAsk() string {
	return l.pick("The run is asked to end.", "已要求运行结束。")
}
func (l Lang) RequestDidAskText() string {
	return l.pick("It ends when its handlers have returned.", "处理函数返回后即结束。")
}
func (l Lang) RequestDidCancel() string { return l.pick("The run is cancelled.", "运行已取消。") }
func (l Lang) RequestDidRepeat() string {
	return l.pick("The same run was requested before.", "同一个运行之前已请求过。")
}
func (l Lang) RequestDidStart() string  { return l.pick("The run is due now.", "运行现在开始。") }
func (l Lang) RequestDidSubmit() string { return l.pick("The run is requested.", "已请求运行。") }
func (l Lang) RequestDisabled() string {
	return l.pick("The job is disabled on all servers. The run waits until a server is enabled, or expires.", "作业在所有服务器上都已禁用。本次运行会等到有服务器启用，或等到过期。")
}
func (l Lang) RequestDue() string { return l.pick("Due", "应开始") }
func (l Lang) RequestEarlierAttempts(n int) string {
	return fill(l.plural(n, "The first attempt is only in the timeline.", "The first {0} attempts are only in the timeline.", "前 {0} 次尝试仅显示在时间线中。"), number(n))
}
func (l Lang) RequestEnded(why string) string {
	return fill(l.pick("{0}", "运行已不在可操作的状态：{0}"), why)
}
func (l Lang) RequestEndedAt() string { return l.pick("Ended", "结束于") }
func (l Lang) RequestEndedHint() string {
	return l.pick("Look at the run. Nothing was changed.", "请查看该运行。未做任何更改。")
}
func (l Lang) RequestExecutions() string { return l.pick("Executions", "执行记录") }
func (l Lang) RequestExpires() string    { return l.pick("Expires", "过期") }
func (l Lang) RequestFailedMany(id string) string {
	return fill(l.pick("Too many shards of run {0} have failed to be kept one by one.", "运行 {0} 失败的分片太多，没有逐个保留。"), id)
}
func (l Lang) RequestFailedManyHint() string {
	return l.pick("Request a run of the shards by their numbers: the history has them. Nothing was requested.", "请按编号请求这些分片的运行：历史中有它们。未提交任何请求。")
}
func (l Lang) RequestFailedNone(id string) string {
	return fill(l.pick("No shard of run {0} has failed or was cancelled.", "运行 {0} 没有失败或被取消的分片。"), id)
}
func (l Lang) RequestFailedNoneHint() string {
	return l.pick("Repeat all of it, if it is to run again. Nothing was requested.", "如果要再次运行，请重复整个运行。未提交任何请求。")
}
func (l Lang) RequestFillLast() string { return l.pick("Fill from last run", "填入上次的参数") }
func (l Lang) RequestFillNone() string {
	return l.pick("No requested run with parameters is kept.", "没有保留带参数的请求运行。")
}
func (l Lang) RequestFilled(run string) string {
	return fill(l.pick("Filled in as run {0} was requested.", "已按运行 {0} 的参数填入。"), run)
}
func (l Lang) RequestFilterAny() string { return l.pick("anywhere", "不限") }
func (l Lang) RequestFilterFrom(zone string) string {
	return fill(l.pick("Requested from, {0}", "提交时间起（{0}）"), zone)
}
func (l Lang) RequestFilterKey() string    { return l.pick("Key or id", "键或 ID") }
func (l Lang) RequestFilterOrigin() string { return l.pick("From", "来源") }
func (l Lang) RequestFilterTo(zone string) string {
	return fill(l.pick("Requested to, {0}", "提交时间止（{0}）"), zone)
}
func (l Lang) RequestForgotten(id string) string {
	return fill(l.pick("Run {0} has ended, and its parameters are too large to be kept.", "运行 {0} 已结束，其参数过大，没有保留。"), id)
}
func (l Lang) RequestForgottenHint() string {
	return l.pick("Send params again, or null for a run without. Nothing was requested.", "请重新给出 params；不带参数请写 null。未提交任何请求。")
}
func (l Lang) RequestFormAgain(job string) string {
	return fill(l.pick("Run {0} again", "再次运行 {0}"), job)
}
func (l Lang) RequestFormSub() string {
	return l.pick("It gets a page of its own, with its log and its result. You can cancel it there.", "本次运行有单独的页面，可查看日志和结果，也可在那里取消。")
}
func (l Lang) RequestFormTitle(job string) string { return fill(l.pick("Run {0}", "运行 {0}"), job) }
func (l Lang) RequestFromAgain(name string) string {
	return fill(l.pick("{0}, run again", "{0}（再次运行）"), name)
}
func (l Lang) RequestFromApi(name string) string {
	return fill(l.pick("{0}, over REST", "{0}（REST）"), name)
}
func (l Lang) RequestFromBackfill(name string) string {
	return fill(l.pick("{0}, a backfill", "{0}（补跑）"), name)
}
func (l Lang) RequestFromCli(name string) string {
	return fill(l.pick("{0}, from a shell", "{0}（命令行）"), name)
}
func (l Lang) RequestFromCode(name string) string {
	return fill(l.pick("{0}, from code", "{0}（代码）"), name)
}
func (l Lang) RequestFromDatabase() string {
	return l.pick("The registry no longer has this run: what is shown comes from the trace database.", "注册中心已不再保留此运行：所示内容来自事件追踪数据库。")
}
func (l Lang) RequestFromPage(name string) string {
	return fill(l.pick("{0}, on a page", "{0}（页面）"), name)
}
func (l Lang) RequestFromRetry() string { return l.pick("a retry", "重试") }
func (l Lang) RequestFull(why string) string {
	return fill(l.pick("{0}", "等待的运行已达上限：{0}"), why)
}
func (l Lang) RequestHeld() string {
	return l.pick("Only runs that no person asked for wait. This run begins anyway.", "暂停只影响并非由人发起的运行，本次运行照常开始。")
}
func (l Lang) RequestHours() string { return l.pick("hours", "小时") }
func (l Lang) RequestId() string    { return l.pick("Run", "运行") }
func (l Lang) RequestIn() string    { return l.pick("In", "之后") }
func (l Lang) RequestInLabel() string {
	return l.pick("How long until it begins", "多久之后开始")
}
func (l Lang) RequestKey(why string) string {
	return fill(l.pick("{0}", "此键属于另一个运行：{0}"), why)
}
func (l Lang) RequestKeyFact() string { return l.pick("Key", "键") }
func (l Lang) RequestKeyHint() string {
	return l.pick("Use another key, or the parameters of that run. Nothing was requested.", "请换一个键，或使用那个运行的参数。未提交任何请求。")
}
func (l Lang) RequestLog() string    { return l.pick("Log", "日志") }
func (l Lang) RequestLogAll() string { return l.pick("Show all", "显示全部") }
func (l Lang) RequestLogAttempt(n string) string {
	return fill(l.pick("Attempt {0}", "第 {0} 次尝试"), n)
}
func (l Lang) RequestLogAttempts() string { return l.pick("Attempts", "尝试") }
func (l Lang) RequestLogFull() string     { return l.pick("Full log", "完整日志") }
func (l Lang) RequestLogLast(n int, total int) string {
	return fill(l.pick("the last {0} of {1} lines", "共 {1} 行，显示最后 {0} 行"), number(n), number(total))
}
func (l Lang) RequestLogLines(n int) string {
	return fill(l.plural(n, "{0} line", "{0} lines", "{0} 行"), number(n))
}
func (l Lang) RequestLogNone() string {
	return l.pick("No handler of this run has logged anything.", "此运行的处理函数没有写过日志。")
}
func (l Lang) RequestLogNoneAttempt(shard string, attempt string) string {
	return fill(l.pick("Shard {0} has logged nothing in attempt {1}.", "分片 {0} 在第 {1} 次尝试中没有日志。"), shard, attempt)
}
func (l Lang) RequestLogNoneShard(n string) string {
	return fill(l.pick("Shard {0} has logged nothing.", "分片 {0} 没有日志。"), n)
}
func (l Lang) RequestLogOf(n string, attempt string) string {
	return fill(l.pick("Log of shard {0}, attempt {1}", "分片 {0} 第 {1} 次尝试的日志"), n, attempt)
}
func (l Lang) RequestLogShard(n string) string { return fill(l.pick("Shard {0}", "分片 {0}"), n) }
func (l Lang) RequestLogShards() string        { return l.pick("Shards with a log", "有日志的分片") }
func (l Lang) RequestLogShow() string          { return l.pick("Show", "显示") }
func (l Lang) RequestLogTail() string          { return l.pick("Show the end", "显示末尾") }
func (l Lang) RequestLosses() string           { return l.pick("Losses", "丢失次数") }
func (l Lang) RequestMessage() string          { return l.pick("Message", "消息") }
func (l Lang) RequestMinutes() string          { return l.pick("minutes", "分钟") }
func (l Lang) RequestMore() string             { return l.pick("More", "更多") }
func (l Lang) RequestNewer() string            { return l.pick("First page", "第一页") }
func (l Lang) RequestNoAgain(run string) string {
	return fill(l.pick("there is no run {0} to repeat", "没有可重复的运行 {0}"), run)
}
func (l Lang) RequestNoDatabase() string {
	return l.pick("The log, the progress and the steps of runs are in a trace database, and this console has none.", "运行的日志、进度和步骤保存在事件追踪数据库中，而此控制台没有该数据库。")
}
func (l Lang) RequestNoDatabaseHint() string {
	return l.pick("Start the console with the database that the agents record to.", "启动控制台时请指定实例写入的数据库。")
}
func (l Lang) RequestNoRun(job string, run string) string {
	return fill(l.pick("Job {0} has no requested run {1}.", "作业 {0} 没有请求的运行 {1}。"), job, run)
}
func (l Lang) RequestNoRunHint() string {
	return l.pick("ZooKeeper has the runs that wait, those under way and the last that ended; it may have ended long ago.", "ZooKeeper 中有等待的、进行中的和最近结束的运行；它可能早已结束。")
}
func (l Lang) RequestNoTables() string {
	return l.pick("The trace database has no tables for requested runs.", "事件追踪数据库缺少请求运行的表。")
}
func (l Lang) RequestNoTablesHint() string {
	return l.pick("Create them with `console migrate`; agents of this version fill them.", "请用 `console migrate` 创建；此版本的实例会写入。")
}
func (l Lang) RequestNobody() string {
	return l.pick("No agent is there to run it: it waits until one comes, or expires.", "没有实例可以运行它：它会等到有实例为止，或过期。")
}
func (l Lang) RequestNone() string {
	return l.pick("Nobody has requested a run of this job.", "还没有人请求过此作业的运行。")
}
func (l Lang) RequestNoneFilter() string {
	return l.pick("No run fits the filter.", "没有符合筛选条件的运行。")
}
func (l Lang) RequestNoneOlder() string {
	return l.pick("There are no older runs.", "没有更早的运行。")
}
func (l Lang) RequestNoneState() string {
	return l.pick("No run is in this state.", "没有处于此状态的运行。")
}
func (l Lang) RequestNoneText() string {
	return l.pick("A run that is requested has parameters, can wait for its time, and can be cancelled.", "请求的运行可以带参数、可以等到指定时间，也可以取消。")
}
func (l Lang) RequestNotEnded(id string, state string) string {
	return fill(l.pick("Run {0} has not ended: it is {1}.", "运行 {0} 尚未结束：{1}。"), id, state)
}
func (l Lang) RequestNotEndedHint() string {
	return l.pick("Wait until it has ended, or request another run. Nothing was requested.", "请等它结束，或请求另一个运行。未提交任何请求。")
}
func (l Lang) RequestNotGo(why string) string {
	return fill(l.pick("{0}", "部分分片属于不接受参数的实例：{0}"), why)
}
func (l Lang) RequestNote() string { return l.pick("Note", "备注") }
func (l Lang) RequestNoteHelp() string {
	return l.pick("Why, for whoever looks at the run; at most 200 characters.", "原因，供查看此运行的人阅读；最多 200 个字符。")
}
func (l Lang) RequestNow() string { return l.pick("Now", "现在") }
func (l Lang) RequestOn(instance string) string {
	return fill(l.pick("It runs on {0}.", "在 {0} 上运行。"), instance)
}
func (l Lang) RequestOnOne() string {
	return l.pick("One free shard of the job works on it.", "由作业的一个空闲分片执行。")
}
func (l Lang) RequestOptions(why string) string {
	return fill(l.pick("{0}", "请求有误：{0}"), why)
}
func (l Lang) RequestOptionsHint() string {
	return l.pick("Correct the request. Nothing was requested.", "请更正请求。未提交任何请求。")
}
func (l Lang) RequestOriginAgain() string    { return l.pick("run again", "再次运行") }
func (l Lang) RequestOriginApi() string      { return l.pick("REST", "REST") }
func (l Lang) RequestOriginBackfill() string { return l.pick("a backfill", "回填") }
func (l Lang) RequestOriginCli() string      { return l.pick("a shell", "命令行") }
func (l Lang) RequestOriginCode() string     { return l.pick("code", "代码") }
func (l Lang) RequestOriginPage() string     { return l.pick("a page", "页面") }
func (l Lang) RequestOriginRetry() string    { return l.pick("a retry", "重试") }
func (l Lang) RequestOverlap() string {
	return l.pick("If another run is under way", "如果有另一个运行正在进行")
}
func (l Lang) RequestOverlapCancel() string { return l.pick("Cancel the other", "取消另一个") }
func (l Lang) RequestOverlapCancelText() string {
	return l.pick("The run under way is cancelled, and this one follows.", "取消进行中的运行，然后开始此运行。")
}
func (l Lang) RequestOverlapJob() string { return l.pick("default", "默认") }
func (l Lang) RequestOverlapOne() string {
	return l.pick("Wait unless one waits", "等待，除非已有一个在等")
}
func (l Lang) RequestOverlapOneText() string {
	return l.pick("This run waits, but is skipped if another run waits already.", "此运行等待；如果已有另一个运行在等待，则跳过。")
}
func (l Lang) RequestOverlapQueue() string { return l.pick("Wait", "等待") }
func (l Lang) RequestOverlapQueueText() string {
	return l.pick("This run begins when the others before it have ended.", "前面的运行结束后，此运行开始。")
}
func (l Lang) RequestOverlapSkip() string { return l.pick("Skip", "跳过") }
func (l Lang) RequestOverlapSkipText() string {
	return l.pick("This run is skipped.", "跳过此运行。")
}
func (l Lang) RequestParamJson() string     { return l.pick("As JSON.", "以 JSON 填写。") }
func (l Lang) RequestParamLines() string    { return l.pick("One per line.", "每行一个。") }
func (l Lang) RequestParamNone() string     { return l.pick("none", "无") }
func (l Lang) RequestParamRequired() string { return l.pick("required", "必填") }
func (l Lang) RequestParamUtc() string      { return l.pick("In UTC.", "UTC 时间。") }
func (l Lang) RequestParamValue(n string, want string) string {
	return fill(l.pick("value {0}: {1}", "第 {0} 个值：{1}"), n, want)
}
func (l Lang) RequestParameters() string { return l.pick("Parameters", "参数") }
func (l Lang) RequestParams(why string) string {
	return fill(l.pick("{0}", "参数不被接受：{0}"), why)
}
func (l Lang) RequestParamsChanged() string {
	return l.pick("The job takes other parameters since the form was shown. Look at them again; nothing was requested.", "表单显示之后，作业的参数定义已更改。请重新检查；没有请求运行。")
}
func (l Lang) RequestParamsEnded() string {
	return l.pick("The run that this one repeats has ended, and its parameters were too large to be kept: write them again.", "被重复的运行已结束，其参数过大而没有保留：请重新填写。")
}
func (l Lang) RequestParamsHelp() string {
	return l.pick("One JSON object of at most 64 KiB; leave it empty for a run without parameters. They are stored in ZooKeeper: no secrets.", "一个 JSON 对象，最多 64 KiB；不带参数请留空。参数保存在 ZooKeeper 中：不要填写密钥。")
}
func (l Lang) RequestParamsHint() string {
	return l.pick("Correct the parameters. Nothing was requested.", "请更正参数。未提交任何请求。")
}
func (l Lang) RequestParamsLost() string {
	return l.pick("Its parameters were too large for the registry to keep them.", "其参数过大，注册中心没有保留。")
}
func (l Lang) RequestParamsNone() string {
	return l.pick("The run has none.", "此运行没有参数。")
}
func (l Lang) RequestParamsNothing() string {
	return l.pick("The job takes no parameters.", "此作业不带参数。")
}
func (l Lang) RequestParamsSchema() string {
	return l.pick("from the job's schema", "来自作业的参数定义")
}
func (l Lang) RequestParamsSecrets() string {
	return l.pick("All parameters are stored in ZooKeeper as they are, secrets too.", "所有参数（包括密钥）原样保存在 ZooKeeper 中。")
}
func (l Lang) RequestParamsUnfit() string {
	return l.pick("The parameters of that run do not fit the fields, so they are shown as JSON.", "该运行的参数无法填入这些字段，因此以 JSON 显示。")
}
func (l Lang) RequestParent() string { return l.pick("Repeats run", "重复的运行") }
func (l Lang) RequestProgress(n string) string {
	return fill(l.pick("Progress of shard {0}", "分片 {0} 的进度"), n)
}
func (l Lang) RequestReasonCancelled(who string) string {
	return fill(l.pick("cancelled by {0}", "取消者：{0}"), who)
}
func (l Lang) RequestReasonDisabled() string {
	return l.pick("every shard of the run is disabled", "此运行的分片均已禁用")
}
func (l Lang) RequestReasonExpired(time string) string {
	return fill(l.pick("it did not begin until {0}", "截至 {0} 仍未开始"), time)
}
func (l Lang) RequestReasonFailed(n string, total string) string {
	return fill(l.pick("{0} of {1} shards failed", "{1} 个分片中有 {0} 个失败"), n, total)
}
func (l Lang) RequestReasonHelp() string {
	return l.pick("for the audit and whoever looks at the run", "写入审计，供查看此运行的人阅读")
}
func (l Lang) RequestReasonLost(instance string) string {
	return fill(l.pick("lost: {0} lost its session during the run", "丢失：{0} 在运行期间丢失会话"), instance)
}
func (l Lang) RequestReasonNothing() string {
	return l.pick("no shard had anything to do", "所有分片都无事可做")
}
func (l Lang) RequestReasonUnrecorded() string {
	return l.pick("its end was not recorded, and the registry no longer has it", "它的结束没有被记录，注册中心也已不再保留它")
}
func (l Lang) RequestRecordDown() string {
	return l.pick("The trace database does not answer: log, progress and steps are not shown.", "事件追踪数据库没有响应：不显示日志、进度和步骤。")
}
func (l Lang) RequestResult() string { return l.pick("Result", "结果") }
func (l Lang) RequestRun() string    { return l.pick("Run…", "运行…") }
func (l Lang) RequestRunTitle(run string, job string) string {
	return fill(l.pick("Run {0} of {1}", "{1} 的运行 {0}"), run, job)
}
func (l Lang) RequestRunning(n int) string {
	return fill(l.plural(n, "{0} shard is running now. Choose below whether this run waits.", "{0} shards are running now. Choose below whether this run waits.", "目前有 {0} 个分片正在运行。请在下方选择本次运行是否等待。"), number(n))
}
func (l Lang) RequestSeconds() string        { return l.pick("seconds", "秒") }
func (l Lang) RequestShardCancelled() string { return l.pick("Cancelled", "已取消") }
func (l Lang) RequestShardFailed() string    { return l.pick("Failed", "失败") }
func (l Lang) RequestShardRunning() string   { return l.pick("Running", "运行中") }
func (l Lang) RequestShardSkipped() string   { return l.pick("Skipped", "已跳过") }
func (l Lang) RequestShardSucceeded() string { return l.pick("Succeeded", "成功") }
func (l Lang) RequestShardWaiting() string   { return l.pick("Waiting", "等待中") }
func (l Lang) RequestShards() string         { return l.pick("Shards", "分片") }
func (l Lang) RequestShardsEnded(ok int, failed int, skipped int) string {
	return fill(l.pick("{0} succeeded, {1} failed, {2} skipped", "成功 {0}，失败 {1}，跳过 {2}"), number(ok), number(failed), number(skipped))
}
func (l Lang) RequestShardsHelp(last string) string {
	return fill(l.pick("Numbers and ranges from 0 to {0}, such as 0-3,7; empty for all.", "0 到 {0} 的编号和范围，例如 0-3,7；留空为全部。"), last)
}
func (l Lang) RequestShardsMore(n int) string {
	return fill(l.plural(n, "{0} more shard is not shown", "{0} more shards are not shown", "另有 {0} 个分片未显示"), number(n))
}
func (l Lang) RequestShardsOn(n int) string {
	return fill(l.plural(n, "{0} shard", "{0} shards", "{0} 个分片"), number(n))
}
func (l Lang) RequestShardsQuiet() string {
	return l.pick("No shard left a message or a result.", "没有分片留下消息或结果。")
}
func (l Lang) RequestShardsWaiting() string {
	return l.pick("Its shards are known once it begins.", "开始后才知道有哪些分片。")
}
func (l Lang) RequestStart() string           { return l.pick("Start now", "立即开始") }
func (l Lang) RequestStartedAt() string       { return l.pick("Began", "开始于") }
func (l Lang) RequestStateCancelled() string  { return l.pick("Cancelled", "已取消") }
func (l Lang) RequestStateCancelling() string { return l.pick("Cancelling", "取消中") }
func (l Lang) RequestStateExpired() string    { return l.pick("Expired", "已过期") }
func (l Lang) RequestStateFailed() string     { return l.pick("Failed", "失败") }
func (l Lang) RequestStateQueued() string     { return l.pick("Queued", "排队中") }
func (l Lang) RequestStateRetrying() string   { return l.pick("Retrying", "等待重试") }
func (l Lang) RequestStateRunning() string    { return l.pick("Running", "运行中") }
func (l Lang) RequestStateScheduled() string  { return l.pick("Scheduled", "已排期") }
func (l Lang) RequestStateSkipped() string    { return l.pick("Skipped", "已跳过") }
func (l Lang) RequestStateSucceeded() string  { return l.pick("Succeeded", "成功") }
func (l Lang) RequestStateUnknown() string    { return l.pick("Unknown", "未知") }
func (l Lang) RequestStates() string          { return l.pick("States", "状态") }
func (l Lang) RequestStepAgain(n string, most string, why string) string {
	return fill(l.pick("attempt {0} of {1} follows: {2}", "第 {0} 次尝试（共 {1} 次）随后进行：{2}"), n, most, why)
}
func (l Lang) RequestStepAttempt(n string) string {
	return fill(l.pick("attempt {0}", "第 {0} 次尝试"), n)
}
func (l Lang) RequestStepBegan() string    { return l.pick("Began", "已开始") }
func (l Lang) RequestStepCancel() string   { return l.pick("Cancel requested", "请求取消") }
func (l Lang) RequestStepDue() string      { return l.pick("Its time came", "时间已到") }
func (l Lang) RequestStepDueLater() string { return l.pick("Begins", "将开始") }
func (l Lang) RequestStepInstanceLeft(who string, shards string) string {
	return fill(l.pick("{0} lost its session during the run: {1}", "{0} 在运行期间丢失会话：{1}"), who, shards)
}
func (l Lang) RequestStepLeft() string {
	return l.pick("an instance lost its session during the run", "有实例在运行期间丢失会话")
}
func (l Lang) RequestStepLost() string { return l.pick("Instance lost", "实例丢失") }
func (l Lang) RequestStepReleased() string {
	return l.pick("an instance released it", "实例释放了它")
}
func (l Lang) RequestStepShards(list string) string {
	return fill(l.pick("shards {0}", "分片 {0}"), list)
}
func (l Lang) RequestStepShardsN(n string) string {
	return fill(l.pick("{0} shards", "{0} 个分片"), n)
}
func (l Lang) RequestStepSnoozed() string {
	return l.pick("snoozed by its handler", "被处理函数推迟")
}
func (l Lang) RequestStepSubmitted() string { return l.pick("Requested", "已请求") }
func (l Lang) RequestSteps() string         { return l.pick("What happened", "经过") }
func (l Lang) RequestSub() string {
	return l.pick("with parameters or without, as ZooKeeper has them", "带或不带参数，以 ZooKeeper 中的为准")
}
func (l Lang) RequestSubRetrying(n string, all string) string {
	return fill(l.pick("attempt {0} of {1} follows", "即将进行第 {0} 次尝试，共 {1} 次"), n, all)
}
func (l Lang) RequestSubShards(done string, total int) string {
	return fill(l.plural(total, "{0} of {1} shard", "{0} of {1} shards", "{0}/{1} 个分片"), done, number(total))
}
func (l Lang) RequestSubmit() string { return l.pick("Run", "运行") }
func (l Lang) RequestTitle() string  { return l.pick("Requested runs", "请求的运行") }
func (l Lang) RequestTooLarge(why string) string {
	return fill(l.pick("{0}", "参数过大：{0}"), why)
}
func (l Lang) RequestTooLargeHint() string {
	return l.pick("Store what is large elsewhere, and pass where it is. Nothing was requested.", "请把大的内容存到别处，只传其位置。未提交任何请求。")
}
func (l Lang) RequestTook() string   { return l.pick("Took", "耗时") }
func (l Lang) RequestUnit() string   { return l.pick("Unit", "单位") }
func (l Lang) RequestWaited() string { return l.pick("Waited", "等待") }
func (l Lang) RequestWaitsAgent() string {
	return l.pick("The registry shows nothing in its way: an agent decides about it next, usually within moments.", "注册中心里没有阻碍它的因素：接下来由进程处理，通常很快。")
}
func (l Lang) RequestWaitsBusy(n int, shards string) string {
	return fill(l.plural(n, "Waits because the only enabled shard that it can use works on other runs: {1}.", "Waits because all {0} enabled shards that it can use work on other runs: {1}.", "等待中：可用的 {0} 个已启用分片都在执行其他运行：{1}。"), number(n), shards)
}
func (l Lang) RequestWaitsConfig(why string) string {
	return fill(l.pick("Waits because agents can't use the job's configuration: {0}. Correct it; agents follow at once.", "等待中：代理无法使用作业的配置：{0}。请更正配置，代理会立即采用。"), why)
}
func (l Lang) RequestWaitsDebug(who string) string {
	return fill(l.pick("Waits because these processes are in Debug, so they begin only runs requested by people: {0}.", "等待中：以下进程处于 Debug 模式，只开始由人工请求的运行：{0}。"), who)
}
func (l Lang) RequestWaitsDisabled(who string) string {
	return fill(l.pick("Waits because the servers of these processes are disabled: {0}. Enable the servers.", "等待中：以下进程所在的服务器已禁用：{0}。请启用这些服务器。"), who)
}
func (l Lang) RequestWaitsExpired() string {
	return l.pick("Didn't begin before it expired, so it never will. The next process that serves the job records that.", "未能在过期之前开始，因此不会再运行。下一个服务该作业的进程会记录这一点。")
}
func (l Lang) RequestWaitsHeld() string {
	return l.pick("Waits because the job is held. Release it, or request the run as a person.", "等待中：作业已暂停。请恢复作业，或由人工请求运行。")
}
func (l Lang) RequestWaitsNoLeader() string {
	return l.pick("Waits because the shards have to be assigned, and no process leads that could do it. See Explain of the job.", "等待中：分片需要重新分配，但没有能够分配的主节点。请查看作业的诊断。")
}
func (l Lang) RequestWaitsNoOwner(shards string) string {
	return fill(l.pick("Waits because no process that is there has these shards: {0}. See Explain of the job.", "等待中：以下分片不属于任何在线进程：{0}。请查看作业的诊断。"), shards)
}
func (l Lang) RequestWaitsNoProcess() string {
	return l.pick("Waits because no process serves the job. Start a process with the job, in this namespace.", "等待中：没有进程运行该作业。请在此命名空间启动包含该作业的进程。")
}
func (l Lang) RequestWaitsNode(node string) string {
	return fill(l.pick("Waits because a node that no agent has made is in the way: {0}.", "正在等待：存在并非由代理创建的节点 {0}，妨碍其开始。"), node)
}
func (l Lang) RequestWaitsNotGo(who string) string {
	return fill(l.pick("Waits because these processes don't accept requested runs, like all Java processes: {0}. Serve the job from a Go process.", "等待中：以下进程（如 Java 进程）不接受请求的运行：{0}。请用 Go 进程运行该作业。"), who)
}
func (l Lang) RequestWaitsObstacle(who string) string {
	return fill(l.pick("Waits because these processes announce why they can't run it, or assign its shards: {0}.", "正在等待：以下进程已报告无法运行或无法分配分片的原因：{0}。"), who)
}
func (l Lang) RequestWaitsPlaces(who string) string {
	return fill(l.pick("Waits because each process works on as many runs as its MaxParallel allows: {0}.", "等待中：每个进程执行的运行数都已达到其 MaxParallel：{0}。"), who)
}
func (l Lang) RequestWaitsQueue(n int) string {
	return fill(l.plural(n, "Waits for {0} run that was due earlier.", "Waits for {0} runs that were due earlier.", "等待 {0} 个更早到期的运行。"), number(n))
}
func (l Lang) RequestWaitsResharding() string {
	return l.pick("Waits until the shards are assigned: for some seconds, unless the leader waits for shards that run.", "等待分片分配完成：通常只需几秒，除非主节点在等待正在运行的分片。")
}
func (l Lang) RequestWaitsRun(run string) string {
	return fill(l.pick("Waits for run {0} to end.", "等待运行 {0} 结束。"), run)
}
func (l Lang) RequestWaitsShardsOff(shards string) string {
	return fill(l.pick("Waits because shards that it could use are disabled: {0}. Enable them, or cancel the run.", "等待中：可用的分片被禁用：{0}。请启用这些分片，或取消运行。"), shards)
}
func (l Lang) RequestWaitsTime() string {
	return l.pick("Begins no earlier than its time; it can be cancelled until then.", "不会早于其时间开始；在此之前可以取消。")
}
func (l Lang) RequestWhen() string { return l.pick("When", "时间") }
func (l Lang) RequestWrongAt() string {
	return l.pick("Write a date and a time to come, such as 2026-11-22 02:30.", "请填写将来的日期和时间，例如 2026-11-22 02:30。")
}
func (l Lang) RequestWrongFar() string {
	return l.pick("At most 365 days ahead.", "最多提前 365 天。")
}
func (l Lang) RequestWrongIn() string {
	return l.pick("Write a whole number from 1, such as 5.", "请填写从 1 开始的整数，例如 5。")
}
func (l Lang) RequestWrongJson() string { return l.pick("This is no JSON.", "这不是 JSON。") }
func (l Lang) RequestWrongNote(n int, most string) string {
	return fill(l.plural(n, "{0} character; at most {1}.", "{0} characters; at most {1}.", "{0} 个字符；最多 {1} 个。"), number(n), most)
}
func (l Lang) RequestWrongRanges(last string) string {
	return fill(l.pick("Write numbers and ranges from 0 to {0}, such as 0-3,7.", "请填写 0 到 {0} 的编号和范围，例如 0-3,7。"), last)
}
func (l Lang) RequestWrongShards() string {
	return l.pick("Choose at least one shard.", "请至少选择一个分片。")
}
func (l Lang) RequestWrongWhich(id string) string {
	return fill(l.pick("Shards of run {0}: want failed or all.", "运行 {0} 的分片：应为 failed 或 all。"), id)
}

// [rerun]

func (l Lang) RerunAgain() string { return l.pick("Run again…", "重新运行…") }
func (l Lang) RerunAgainFailed(n int) string {
	return fill(l.plural(n, "Run {0} failed shard again…", "Run {0} failed shards again…", "重新运行 {0} 个失败分片…"), number(n))
}
func (l Lang) RerunAgainShard(n string) string {
	return fill(l.pick("Run shard {0} again…", "重新运行分片 {0}…"), n)
}
func (l Lang) RerunAsk(n int, job string) string {
	return fill(l.plural(n, "Run {0} shard of {1} again?", "Run {0} shards of {1} again?", "重新运行 {1} 的 {0} 个分片？"), number(n), job)
}
func (l Lang) RerunAskOne(n string, job string) string {
	return fill(l.pick("Run shard {0} of {1} again?", "重新运行 {1} 的分片 {0}？"), n, job)
}
func (l Lang) RerunAsked(n int) string {
	return fill(l.plural(n, "instance is asked", "instances are asked", "个实例将被触发"), number(n))
}
func (l Lang) RerunBusy() string {
	return l.pick("it is running now: agents drop a request that arrives while the job runs", "该实例正在运行：作业运行期间收到的触发请求会被丢弃")
}
func (l Lang) RerunCannot(n int) string {
	return fill(l.plural(n, "shard cannot run", "shards cannot run", "个分片无法运行"), number(n))
}
func (l Lang) RerunDone(instances string, job string) string {
	return fill(l.pick("Asked {0} to run {1}. The run is listed here as soon as it begins.", "已请求 {0} 运行 {1}。运行开始后会在此列出。"), instances, job)
}
func (l Lang) RerunEffectInstance() string {
	return l.pick("ElasticJob knows a trigger of an instance, in Java and in Go, and none of a shard: each instance runs all of its shards once, now.", "ElasticJob（Java 和 Go）只能触发实例，不能触发单个分片：每个实例立即将其全部分片运行一次。")
}
func (l Lang) RerunEffectNew() string {
	return l.pick("It is a run of its own. The one that failed stays as it is in the history.", "这是一次新的运行，失败的运行在历史中保持不变。")
}
func (l Lang) RerunEffectReshard() string {
	return l.pick("Shards are assigned again before the run, so that others may run there.", "运行前会重新分片，因此可能由其他实例运行。")
}
func (l Lang) RerunEffectUnknown() string {
	return l.pick("How long that usually takes is not known: the history has no run of these shards that succeeded.", "通常耗时未知：历史中没有这些分片成功的运行记录。")
}
func (l Lang) RerunEffectUsual(span string) string {
	return fill(l.pick("The slowest of these shards usually takes {0}.", "其中最慢的分片通常需要 {0}。"), span)
}
func (l Lang) RerunMoved() string { return l.pick("The shards have moved since", "分片已经变动") }
func (l Lang) RerunMovedText() string {
	return l.pick("Other instances own them now. Look at the list again; nothing was triggered.", "现在由其他实例拥有。请重新查看列表；尚未触发任何内容。")
}
func (l Lang) RerunNoneText() string {
	return l.pick("Choose one on the page of a run, or among the shards of the job.", "请在运行页面或作业的分片列表中选择。")
}
func (l Lang) RerunNothing() string {
	return l.pick("None of these shards can run now. The list says why.", "这些分片现在都无法运行，原因见列表。")
}
func (l Lang) RerunOthers(n int) string {
	return fill(l.plural(n, "other shard runs with it", "other shards run with it", "个其他分片随之运行"), number(n))
}
func (l Lang) RerunRows() string { return l.pick("What runs where", "哪些分片在哪里运行") }
func (l Lang) RerunRuns() string { return l.pick("Runs", "运行") }
func (l Lang) RerunSubmit(n int) string {
	return fill(l.plural(n, "Run on {0} instance", "Run on {0} instances", "在 {0} 个实例上运行"), number(n))
}
func (l Lang) RerunWanted(n int) string {
	return fill(l.plural(n, "shard runs as asked", "shards run as asked", "个分片按要求运行"), number(n))
}
func (l Lang) RerunWhyDisabled() string { return l.pick("the shard is disabled", "分片已被禁用") }
func (l Lang) RerunWhyLeft(instance string) string {
	return fill(l.pick("its owner {0} has left", "所属实例 {0} 已离开"), instance)
}
func (l Lang) RerunWhyMissing() string {
	return l.pick("the job has no such shard any more", "作业已没有这个分片")
}
func (l Lang) RerunWhyNobody() string {
	return l.pick("no instance owns it; it is assigned at the next fire, or by a trigger of the job", "未分配给任何实例；下次触发时会分配")
}
func (l Lang) RerunWhyServer(instance string) string {
	return fill(l.pick("its owner {0} is on a server that is not enabled", "所属实例 {0} 的服务器未启用"), instance)
}
func (l Lang) RerunWith(shards string, others string) string {
	return fill(l.pick("{0}, and with it {1}", "{0}，同时运行{1}"), shards, others)
}

// [reshard]

func (l Lang) ReshardBadInstance(value string) string {
	return fill(l.pick("No instance {0} serves the job now.", "目前没有实例 {0} 运行此作业。"), value)
}
func (l Lang) ReshardBadShards(value string, n int) string {
	return fill(l.pick("The number of shards is {0}; it can be 1 to {1}.", "分片数为 {0}，应为 1 到 {1}。"), value, number(n))
}
func (l Lang) ReshardBadStrategy(value string) string {
	return fill(l.pick("There is no plan for the strategy {0}: AVG_ALLOCATION, ODEVITY and ROUND_ROBIN can be predicted.", "无法预演策略 {0}：只有 AVG_ALLOCATION、ODEVITY 和 ROUND_ROBIN 可以预先得知。"), value)
}
func (l Lang) ReshardBadWith(value string) string {
	return fill(l.pick("{0} is no address of an instance, such as 10.0.3.30.", "{0} 不是实例的地址（例如 10.0.3.30）。"), value)
}
func (l Lang) ReshardCalculate() string { return l.pick("Calculate", "计算") }
func (l Lang) ReshardChange() string    { return l.pick("Change", "变化") }
func (l Lang) ReshardConfigure() string { return l.pick("Open the configuration", "打开配置") }
func (l Lang) ReshardGoes() string      { return l.pick("removed", "移除") }
func (l Lang) ReshardImpossible() string {
	return l.pick("This cannot happen to the job: an instance named is not there, or is there already.", "作业不可能发生这种变化：所指的实例不存在，或已经存在。")
}
func (l Lang) ReshardIsNew() string { return l.pick("new", "新增") }
func (l Lang) ReshardLink() string  { return l.pick("Link to this plan", "此预演的链接") }
func (l Lang) ReshardLoad(shares string) string {
	return fill(l.pick("Load {0}", "负载 {0}"), shares)
}
func (l Lang) ReshardLoadRange(n int, m int, k int) string {
	return fill(l.plural(n, "{0} instance with {1} to {2} shards each", "{0} instances with {1} to {2} shards each", "{0} 个实例，每个 {1} 到 {2} 个分片"), number(n), number(m), number(k))
}
func (l Lang) ReshardMore(n int) string {
	return fill(l.pick("{0} more are not listed", "另有 {0} 个未列出"), number(n))
}
func (l Lang) ReshardMoves() string { return l.pick("moves", "移动") }
func (l Lang) ReshardNobody() string {
	return l.pick("No instance would be there to get shards.", "没有实例可以分配分片。")
}
func (l Lang) ReshardNow() string      { return l.pick("Now", "现在") }
func (l Lang) ReshardShard() string    { return l.pick("Shard", "分片") }
func (l Lang) ReshardShards() string   { return l.pick("Shards", "分片数") }
func (l Lang) ReshardStays() string    { return l.pick("stays", "不变") }
func (l Lang) ReshardStrategy() string { return l.pick("Strategy", "分片策略") }
func (l Lang) ReshardSub() string {
	return l.pick("What would the leader assign? Nothing is written.", "主节点会如何分配？不写入任何内容。")
}
func (l Lang) ReshardThen() string  { return l.pick("Then", "之后") }
func (l Lang) ReshardTitle() string { return l.pick("Reshard dry run", "重新分片预演") }
func (l Lang) ReshardUnpredictable() string {
	return l.pick("Nobody can tell who would get which shard: the strategy is the agents' own, or chooses by the time of day.", "无法预知分片的归属：该策略由执行器自行实现，或取决于时间。")
}
func (l Lang) ReshardVerdict(n int, m int, k int) string {
	return fill(l.plural(n, "{0} shard moves, {1} new, {2} removed.", "{0} shards move, {1} new, {2} removed.", "{0} 个分片移动，{1} 个新增，{2} 个移除。"), number(n), number(m), number(k))
}
func (l Lang) ReshardVerdictNone() string { return l.pick("No shard moves.", "没有分片移动。") }
func (l Lang) ReshardWaits(n int) string {
	return fill(l.plural(n, "{0} of them runs now: the leader waits for its end.", "{0} of them run now: the leader waits for their ends.", "其中 {0} 个正在运行：主节点会等待其结束。"), number(n))
}
func (l Lang) ReshardWith() string     { return l.pick("With", "加入") }
func (l Lang) ReshardWithHint() string { return l.pick("address of one more", "新实例的地址") }
func (l Lang) ReshardWithout() string  { return l.pick("Without", "去掉") }
func (l Lang) ReshardWithoutNone() string {
	return l.pick("every instance stays", "保留所有实例")
}

// [run]

func (l Lang) RunAlike(n int) string {
	return fill(l.plural(n, "{0} other shard of this run failed alike", "{0} other shards of this run failed alike", "本次运行中另有 {0} 个分片以相同原因失败"), number(n))
}
func (l Lang) RunAttempt() string  { return l.pick("Attempt", "尝试") }
func (l Lang) RunAttempts() string { return l.pick("Attempts", "尝试次数") }
func (l Lang) RunAttemptsValue(m int, n int) string {
	return fill(l.plural(n, "{0} for {1} shard", "{0} for {1} shards", "{1} 个分片共 {0} 次"), number(m), number(n))
}
func (l Lang) RunDuration() string   { return l.pick("Duration", "耗时") }
func (l Lang) RunEarlier() string    { return l.pick("Earlier run", "上一次运行") }
func (l Lang) RunEnded() string      { return l.pick("Ended", "结束") }
func (l Lang) RunFacts() string      { return l.pick("Facts", "概况") }
func (l Lang) RunFailedOver() string { return l.pick("Failed over", "失效转移") }
func (l Lang) RunGrouped() string {
	return l.pick("Grouped by job and second", "按作业与秒归并")
}
func (l Lang) RunGroupedText() string {
	return l.pick("These executions do not say which run they belong to, as those of Java engines and of older agents do not. They are shown together because they began in the same second; what began later, such as a failover, is a run of its own.", "这些执行没有注明所属的运行（Java 引擎和旧版本的实例都不写入）。它们在同一秒开始，因此归在一起；之后才开始的执行（例如失效转移）单独成为一次运行。")
}
func (l Lang) RunId() string        { return l.pick("Run", "运行编号") }
func (l Lang) RunInstance() string  { return l.pick("Instance", "实例") }
func (l Lang) RunInstances() string { return l.pick("Instances", "实例") }
func (l Lang) RunInstancesLost(n int, m int) string {
	return fill(l.plural(m, "{0}, {1} shard lost", "{0}, {1} shards lost", "{0}，丢失 {1} 个分片"), number(n), number(m))
}
func (l Lang) RunLacks() string {
	return l.pick("The trace database lacks columns", "事件追踪数据库缺少列")
}
func (l Lang) RunLacksText(columns string) string {
	return fill(l.pick("JOB_EXECUTION_LOG has no {0}: nothing says which run an execution belongs to. `console migrate` adds them; until then executions are grouped by job and second.", "JOB_EXECUTION_LOG 没有 {0}，无法得知执行属于哪次运行。运行 `console migrate` 可添加；在此之前按作业与秒归并。"), columns)
}
func (l Lang) RunLane(item string, state string) string {
	return fill(l.pick("Shard {0}, {1}", "分片 {0}，{1}"), item, state)
}
func (l Lang) RunLater() string           { return l.pick("Later run", "下一次运行") }
func (l Lang) RunLegendCancelled() string { return l.pick("cancelled", "已取消") }
func (l Lang) RunLegendFailed() string    { return l.pick("attempt failed", "尝试失败") }
func (l Lang) RunLegendFailover() string  { return l.pick("failed over", "失效转移") }
func (l Lang) RunLegendLost() string      { return l.pick("lost", "丢失") }
func (l Lang) RunLegendOk() string        { return l.pick("succeeded", "成功") }
func (l Lang) RunLegendRunning() string   { return l.pick("running", "运行中") }
func (l Lang) RunLegendWait() string      { return l.pick("waited", "等待") }
func (l Lang) RunLostText() string {
	return l.pick("No end was recorded: its instance is gone, or the shard has begun again since.", "没有记录到结束：实例已不在，或该分片此后又开始执行。")
}
func (l Lang) RunNoLanes(value string) string {
	return fill(l.pick("lanes {0} is unknown (use all)", "未知的 lanes：{0}（可用 all）"), value)
}
func (l Lang) RunNoMessage() string {
	return l.pick("The attempt failed without a message.", "该次尝试失败，未留下消息。")
}
func (l Lang) RunNoNumber(value string) string {
	return fill(l.pick("shard {0} is not a number", "{0} 不是分片号"), value)
}
func (l Lang) RunNoShard(value string) string {
	return fill(l.pick("shard {0} is no shard of this run", "shard {0} 不是本次运行的分片"), value)
}
func (l Lang) RunOthers(n int) string {
	return fill(l.plural(n, "{0} more shard succeeded", "{0} more shards succeeded", "另有 {0} 个分片成功"), number(n))
}
func (l Lang) RunOthersAlike() string {
	return l.pick("Runs that failed alike", "以相同原因失败的运行")
}
func (l Lang) RunResult() string             { return l.pick("Result", "结果") }
func (l Lang) RunScheduled() string          { return l.pick("Scheduled", "计划时间") }
func (l Lang) RunShard() string              { return l.pick("Shard", "分片") }
func (l Lang) RunShardOf(item string) string { return fill(l.pick("Shard {0}", "分片 {0}"), item) }
func (l Lang) RunShowAll() string            { return l.pick("Show all", "全部显示") }
func (l Lang) RunSkew() string               { return l.pick("Skew", "偏斜") }
func (l Lang) RunSkewValue(ratio string) string {
	return fill(l.pick("slowest / median {0}", "最慢 / 中位数 {0}"), ratio)
}
func (l Lang) RunSlowestFirst() string     { return l.pick("slowest first", "最慢的在前") }
func (l Lang) RunSoFar(span string) string { return fill(l.pick("{0} so far", "已运行 {0}"), span) }
func (l Lang) RunStarted() string          { return l.pick("Started", "开始") }
func (l Lang) RunStateFailed() string      { return l.pick("Failed", "失败") }
func (l Lang) RunStateLost() string        { return l.pick("Lost", "丢失") }
func (l Lang) RunStateRunning() string     { return l.pick("Running", "运行中") }
func (l Lang) RunStateSuccess() string     { return l.pick("Succeeded", "成功") }
func (l Lang) RunSub(n int) string {
	return fill(l.plural(n, "{0} shard", "{0} shards", "{0} 个分片"), number(n))
}
func (l Lang) RunSubCancelled(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard cancelled", "{0} of {1} shards cancelled", "{1} 个分片中有 {0} 个已取消"), number(m), number(n))
}
func (l Lang) RunSubFailed(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard failed", "{0} of {1} shards failed", "{1} 个分片中有 {0} 个失败"), number(m), number(n))
}
func (l Lang) RunSubLeft(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard left", "{0} of {1} shards left", "{1} 个分片中还剩 {0} 个"), number(m), number(n))
}
func (l Lang) RunSubLost(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} shard lost", "{0} of {1} shards lost", "{1} 个分片中有 {0} 个丢失"), number(m), number(n))
}
func (l Lang) RunTimeline() string { return l.pick("Timeline", "时间线") }
func (l Lang) RunTimelineLabel(n int, span string) string {
	return fill(l.plural(n, "{0} shard over {1}; the table of each shard has the same.", "{0} shards over {1}; the table of each shard has the same.", "{1} 内的 {0} 个分片；各分片的表格内容相同。"), number(n), span)
}
func (l Lang) RunTitle(job string, time string) string {
	return fill(l.pick("{0}: run of {1}", "{0}：{1} 的运行"), job, time)
}
func (l Lang) RunTrail() string { return l.pick("Status trail", "状态轨迹") }
func (l Lang) RunTrailMore(n int) string {
	return fill(l.pick("{0} earlier steps are not shown", "另有 {0} 条更早的状态未显示"), number(n))
}
func (l Lang) RunTrailNone() string {
	return l.pick("No step was recorded.", "没有记录任何状态。")
}
func (l Lang) RunTrigger() string         { return l.pick("Trigger", "触发方式") }
func (l Lang) RunTriggerApi() string      { return l.pick("API", "API") }
func (l Lang) RunTriggerFailover() string { return l.pick("Failover", "失效转移") }
func (l Lang) RunTriggerManual() string   { return l.pick("Manual", "手动") }
func (l Lang) RunTriggerMisfire() string  { return l.pick("Misfire", "错过重执行") }
func (l Lang) RunTriggerRetry() string    { return l.pick("Retry", "重试") }
func (l Lang) RunTriggerSchedule() string { return l.pick("Schedule", "定时") }
func (l Lang) RunTriggerUnknown() string  { return l.pick("Not recorded", "未记录") }
func (l Lang) RunTruncated() string {
	return l.pick("The run has more executions than are shown", "该运行的执行多于此处显示的数量")
}
func (l Lang) RunTruncatedText(n int) string {
	return fill(l.pick("The first {0} are shown; the list of executions has them all.", "此处显示前 {0} 条；执行明细中有全部记录。"), number(n))
}
func (l Lang) RunUnknown() string { return l.pick("unknown", "未知") }

// [runs]

func (l Lang) RunsAny() string     { return l.pick("any", "任意") }
func (l Lang) RunsAnyTime() string { return l.pick("Clear selection", "清除所选时间") }
func (l Lang) RunsApply() string   { return l.pick("Apply", "应用") }
func (l Lang) RunsBar(from string, to string, began string, failed string) string {
	return fill(l.pick("{0} to {1}: {2} began, {3} failed or lost", "{0} 至 {1}：开始 {2}，失败或丢失 {3}"), from, to, began, failed)
}
func (l Lang) RunsCause() string     { return l.pick("Error", "错误") }
func (l Lang) RunsCauseHint() string { return l.pick("any part of it", "其中任意部分") }
func (l Lang) RunsClear() string     { return l.pick("Clear", "清除") }
func (l Lang) RunsCount(n int) string {
	return fill(l.plural(n, "{0} run on this page", "{0} runs on this page", "本页 {0} 次运行"), number(n))
}
func (l Lang) RunsDurations() string { return l.pick("Durations", "耗时分布") }
func (l Lang) RunsDurationsLabel(p50 string, p95 string, p99 string) string {
	return fill(l.pick("Half of the executions took at most {0}, 95 of 100 at most {1}, 99 of 100 at most {2}", "一半的执行不超过 {0}，95% 不超过 {1}，99% 不超过 {2}"), p50, p95, p99)
}
func (l Lang) RunsDurationsNewest(n int) string {
	return fill(l.pick("of the newest {0} executions", "最近 {0} 次执行"), number(n))
}
func (l Lang) RunsDurationsNone() string {
	return l.pick("No execution of this selection has ended.", "所选范围内没有已结束的执行。")
}
func (l Lang) RunsDurationsSub(n int) string {
	return fill(l.pick("of {0} executions", "共 {0} 次执行"), number(n))
}
func (l Lang) RunsEmpty() string    { return l.pick("No run matches.", "没有匹配的运行。") }
func (l Lang) RunsEmptyAll() string { return l.pick("Show all runs", "显示所有运行") }
func (l Lang) RunsEmptyText() string {
	return l.pick("Try a longer time range, or fewer filters. Times are UTC.", "可放宽时间范围或减少筛选条件。时间均为 UTC。")
}
func (l Lang) RunsExportCsv() string       { return l.pick("Export CSV", "导出 CSV") }
func (l Lang) RunsExportJson() string      { return l.pick("JSON", "JSON") }
func (l Lang) RunsFacets() string          { return l.pick("Filters with counts", "带计数的筛选") }
func (l Lang) RunsFilter() string          { return l.pick("Filter", "筛选") }
func (l Lang) RunsFrom(zone string) string { return fill(l.pick("From, {0}", "起始（{0}）"), zone) }
func (l Lang) RunsGroupedNote() string {
	return l.pick("Runs whose trigger is not recorded were grouped by job and second: their executions do not say which run they belong to.", "触发方式未记录的运行按作业与秒归并：其执行没有注明所属的运行。")
}
func (l Lang) RunsInstance() string        { return l.pick("Instance", "实例") }
func (l Lang) RunsJob() string             { return l.pick("Job", "作业") }
func (l Lang) RunsKeyBefore() string       { return l.pick("the day before", "前一天") }
func (l Lang) RunsKeyBegan() string        { return l.pick("began", "开始") }
func (l Lang) RunsKeyFailed() string       { return l.pick("failed or lost", "失败或丢失") }
func (l Lang) RunsKeyNow() string          { return l.pick("this selection", "所选范围") }
func (l Lang) RunsLevel() string           { return l.pick("Level", "层级") }
func (l Lang) RunsLevelExecutions() string { return l.pick("Executions", "执行明细") }
func (l Lang) RunsLevelRuns() string       { return l.pick("Runs", "运行") }
func (l Lang) RunsLevelStatus() string     { return l.pick("Status trail", "状态轨迹") }
func (l Lang) RunsLookFurther() string     { return l.pick("Look further", "继续查找") }
func (l Lang) RunsLostNote() string {
	return l.pick("Shard lost: no end was recorded", "分片丢失：没有记录到结束")
}
func (l Lang) RunsMatch() string       { return l.pick("Job name", "作业名") }
func (l Lang) RunsMatchExact() string  { return l.pick("is", "等于") }
func (l Lang) RunsMatchPrefix() string { return l.pick("begins with", "开头为") }
func (l Lang) RunsMessage() string     { return l.pick("Message", "消息") }
func (l Lang) RunsMoreFilters() string { return l.pick("More filters", "更多筛选") }
func (l Lang) RunsMoreValues(n int) string {
	return fill(l.pick("{0} more", "另有 {0} 个"), number(n))
}
func (l Lang) RunsNLost(n int) string { return fill(l.pick("{0} lost", "丢失 {0}"), number(n)) }
func (l Lang) RunsNOk(n int) string   { return fill(l.pick("{0} ok", "成功 {0}"), number(n)) }
func (l Lang) RunsNewest() string     { return l.pick("Newest", "最新") }
func (l Lang) RunsNoSteps() string {
	return l.pick("No step was recorded.", "没有记录任何状态。")
}
func (l Lang) RunsNoStepsAll() string { return l.pick("Show all steps", "显示全部状态") }
func (l Lang) RunsOf(job string) string {
	return fill(l.pick("Runs of {0}", "{0} 的运行记录"), job)
}
func (l Lang) RunsOlder() string    { return l.pick("Older", "更早") }
func (l Lang) RunsOverTime() string { return l.pick("Over time", "时间分布") }
func (l Lang) RunsOverTimeLabel(from string, to string, n int, m int) string {
	return fill(l.pick("Executions from {0} to {1}: {2} began, {3} of them failed or were lost", "{0} 至 {1}：开始 {2} 次执行，其中 {3} 次失败或丢失"), from, to, number(n), number(m))
}
func (l Lang) RunsOverTimeMost(n int) string {
	return fill(l.pick("a bar counts {0} at most", "每柱最多计 {0} 次"), number(n))
}
func (l Lang) RunsOverTimeSub() string {
	return l.pick("executions by when they began; drag across bars to select", "按开始时间统计的执行数；拖过柱形即可选择")
}
func (l Lang) RunsPartial() string { return l.pick("No match so far.", "目前没有匹配。") }
func (l Lang) RunsPartialText() string {
	return l.pick("The executions looked through have none; there are more.", "已查找的执行中没有匹配，还有更多。")
}
func (l Lang) RunsRange() string    { return l.pick("Time range", "时间范围") }
func (l Lang) RunsRangeAll() string { return l.pick("all", "全部") }
func (l Lang) RunsRows() string     { return l.pick("Rows", "行数") }
func (l Lang) RunsSearchHint() string {
	return l.pick("Part of a job's name, or a filter such as state:failed job:mail* cause:timeout ran:<1d", "作业名的一部分，或筛选，例如 state:failed job:mail* cause:timeout ran:<1d")
}
func (l Lang) RunsSearchLabel() string { return l.pick("Search runs", "搜索运行") }
func (l Lang) RunsSelected(count string) string {
	return fill(l.pick("Runs in the selection: {0}", "所选范围内 {0} 次运行"), count)
}
func (l Lang) RunsShardsLabel(n int, failed int, lost int, running int) string {
	return fill(l.plural(n, "{0} shard: {1} failed, {2} lost, {3} running", "{0} shards: {1} failed, {2} lost, {3} running", "{0} 个分片：失败 {1}，丢失 {2}，运行中 {3}"), number(n), number(failed), number(lost), number(running))
}
func (l Lang) RunsStarted() string       { return l.pick("Range means", "范围含义") }
func (l Lang) RunsStartedAny() string    { return l.pick("ran in it", "在其间运行") }
func (l Lang) RunsStartedIn() string     { return l.pick("began in it", "在其间开始") }
func (l Lang) RunsState() string         { return l.pick("State", "状态") }
func (l Lang) RunsTableDuration() string { return l.pick("Duration", "耗时") }
func (l Lang) RunsTableError() string    { return l.pick("First error", "首个错误") }
func (l Lang) RunsTableRun() string      { return l.pick("Run", "运行") }
func (l Lang) RunsTableShards() string   { return l.pick("Shards", "分片") }
func (l Lang) RunsTime() string          { return l.pick("Time", "时间") }
func (l Lang) RunsTitle() string         { return l.pick("Runs", "运行记录") }
func (l Lang) RunsTo(zone string) string { return fill(l.pick("To, {0}", "截止（{0}）"), zone) }
func (l Lang) RunsTook() string          { return l.pick("Duration at least", "至少耗时") }
func (l Lang) RunsTrigger() string       { return l.pick("Trigger", "触发方式") }
func (l Lang) RunsTryAgain() string      { return l.pick("Try again", "重试") }
func (l Lang) RunsUnavailable() string {
	return l.pick("This part could not be read", "该部分无法读取")
}
func (l Lang) RunsVerdictFaster(name string, less string) string {
	return fill(l.pick("{0} {1} shorter than the day before", "{0} 比前一天短 {1}"), name, less)
}
func (l Lang) RunsVerdictNone() string {
	return l.pick("Nothing ran the day before to compare with", "前一天没有可比较的执行")
}
func (l Lang) RunsVerdictSame() string { return l.pick("As the day before", "与前一天相同") }
func (l Lang) RunsVerdictSlower(name string, more string) string {
	return fill(l.pick("{0} {1} longer than the day before", "{0} 比前一天长 {1}"), name, more)
}

// [server]

func (l Lang) ServerAndMore(n int) string {
	return fill(l.pick("and {0} more", "另有 {0} 个"), number(n))
}
func (l Lang) ServerAskDisable(target string) string {
	return fill(l.pick("Disable {0}?", "禁用 {0}？"), target)
}
func (l Lang) ServerAskEnable(target string) string {
	return fill(l.pick("Enable {0}?", "启用 {0}？"), target)
}
func (l Lang) ServerAskRemove(target string) string {
	return fill(l.pick("Remove the entry of {0}?", "移除 {0} 的记录？"), target)
}
func (l Lang) ServerAskStop(target string) string {
	return fill(l.pick("Stop instances of {0}?", "终止 {0} 的实例？"), target)
}
func (l Lang) ServerAt(zone string) string { return fill(l.pick("At, {0}", "时刻（{0}）"), zone) }
func (l Lang) ServerAtButton() string      { return l.pick("Show", "查看") }
func (l Lang) ServerAtMore() string {
	return l.pick("These are the newest; more ran at that time.", "仅显示最新的一部分，当时还有更多运行。")
}
func (l Lang) ServerAtNone() string {
	return l.pick("Nothing ran here at that time.", "当时此处没有运行。")
}
func (l Lang) ServerAtTitle(time string) string {
	return fill(l.pick("Executions at {0}", "{0} 正在执行的分片"), time)
}
func (l Lang) ServerBack() string      { return l.pick("Back to the server", "返回服务器") }
func (l Lang) ServerDisabled() string  { return l.pick("Disabled", "已禁用") }
func (l Lang) ServerDoDisable() string { return l.pick("Disable", "禁用") }
func (l Lang) ServerDoEnable() string  { return l.pick("Enable", "启用") }
func (l Lang) ServerDoRemove() string  { return l.pick("Remove entry", "移除记录") }
func (l Lang) ServerDoStop() string    { return l.pick("Stop instances", "终止实例") }
func (l Lang) ServerDoneDisable(target string, names string) string {
	return fill(l.pick("Disabled {0}: {1}.", "已禁用 {0}：{1}。"), target, names)
}
func (l Lang) ServerDoneEnable(target string, names string) string {
	return fill(l.pick("Enabled {0}: {1}.", "已启用 {0}：{1}。"), target, names)
}
func (l Lang) ServerDoneNothing(target string) string {
	return fill(l.pick("{0}: nothing was changed.", "{0}：没有任何更改。"), target)
}
func (l Lang) ServerDoneRemove(target string, names string) string {
	return fill(l.pick("Removed the entry of {0}: {1}.", "已移除 {0} 的记录：{1}。"), target, names)
}
func (l Lang) ServerDoneStop(target string, names string) string {
	return fill(l.pick("Stopped instances of {0}: {1}.", "已终止 {0} 的实例：{1}。"), target, names)
}
func (l Lang) ServerEffDisable(ip string, n int) string {
	return fill(l.plural(n, "{0} is disabled in {1} job. From the next resharding on it gets no shards of theirs; what runs now goes on.", "{0} is disabled in {1} jobs. From the next resharding on it gets no shards of theirs; what runs now goes on.", "{0} 将在 {1} 个作业中禁用。从下次重新分片起不再分配到它们的分片；正在执行的不受影响。"), ip, number(n))
}
func (l Lang) ServerEffEnable(ip string, n int) string {
	return fill(l.plural(n, "{0} is enabled in {1} job. It gets shards of theirs when the leaders reshard.", "{0} is enabled in {1} jobs. It gets shards of theirs when the leaders reshard.", "{0} 将在 {1} 个作业中启用。主节点重新分片时会分配到它们的分片。"), ip, number(n))
}
func (l Lang) ServerEffLastInstance(n int, names string) string {
	return fill(l.plural(n, "{0} job has no other instance and will not run: {1}.", "{0} jobs have no other instance and will not run: {1}.", "{0} 个作业没有其他实例，将不再运行：{1}。"), number(n), names)
}
func (l Lang) ServerEffLastServer(n int, names string) string {
	return fill(l.plural(n, "{0} job has no other enabled server and will not run: {1}.", "{0} jobs have no other enabled server and will not run: {1}.", "{0} 个作业没有其他已启用的服务器，将不再运行：{1}。"), number(n), names)
}
func (l Lang) ServerEffNoProcess() string {
	return l.pick("No process runs here: it gets shards only after one has started.", "此处没有进程运行：进程启动之后才会分配到分片。")
}
func (l Lang) ServerEffRemove(ip string, n int) string {
	return fill(l.plural(n, "The entry servers/{0} is deleted in {1} job. No instance and no shard is touched.", "The entry servers/{0} is deleted in {1} jobs. No instance and no shard is touched.", "将在 {1} 个作业中删除记录 servers/{0}。不影响任何实例和分片。"), ip, number(n))
}
func (l Lang) ServerEffRemoveBack() string {
	return l.pick("If a process starts here again, it adds the entry itself, enabled.", "如果此处再有进程启动，会自行添加记录并处于启用状态。")
}
func (l Lang) ServerEffRemoveDisabled(n int) string {
	return fill(l.plural(n, "In {0} job the server is disabled; that is forgotten, too.", "In {0} jobs the server is disabled; that is forgotten, too.", "服务器在 {0} 个作业中处于禁用状态，该状态也会丢失。"), number(n))
}
func (l Lang) ServerEffRunning(n int) string {
	return fill(l.plural(n, "{0} shard is running here now: what has started is not interrupted.", "{0} shards are running here now: what has started is not interrupted.", "目前有 {0} 个分片正在此处执行：已经开始的不会中断。"), number(n))
}
func (l Lang) ServerEffShards(n int) string {
	return fill(l.plural(n, "{0} shard is assigned here now and will move, where another server can take them.", "{0} shards are assigned here now and will move, where another server can take them.", "目前有 {0} 个分片分配在此处，将转移到能接收的其他服务器。"), number(n))
}
func (l Lang) ServerEffStop(n int, m int) string {
	return fill(l.plural(n, "{0} instance ends {1} jobs here. The processes go on, with their other jobs; only restarting them brings these jobs back.", "{0} instances end {1} jobs here. The processes go on, with their other jobs; only restarting them brings these jobs back.", "{0} 个实例将终止此处的 {1} 个作业。进程和其中的其他作业继续运行；只有重启进程才能恢复这些作业。"), number(n), number(m))
}
func (l Lang) ServerEnabled() string { return l.pick("Enabled", "已启用") }
func (l Lang) ServerFirstOf(from int, to int, n int) string {
	return fill(l.plural(n, "{0}–{1} of {2} job", "{0}–{1} of {2} jobs", "第 {0}–{1} 个，共 {2} 个作业"), number(from), number(to), number(n))
}
func (l Lang) ServerHere() string      { return l.pick("Here", "此处") }
func (l Lang) ServerInstances() string { return l.pick("Instances", "实例") }
func (l Lang) ServerJobs() string      { return l.pick("Jobs", "作业") }
func (l Lang) ServerJobsSub(n int) string {
	return fill(l.plural(n, "{0} job, worst first", "{0} jobs, worst first", "{0} 个作业，问题最严重的在前"), number(n))
}
func (l Lang) ServerLast() string  { return l.pick("Last run here", "此处最近运行") }
func (l Lang) ServerLeads() string { return l.pick("Leader of", "任主节点的作业") }
func (l Lang) ServerLineDisabled() string {
	return l.pick("every job is disabled here; the server gets no shards until it is enabled", "所有作业都在此禁用；启用之前不会分配到分片")
}
func (l Lang) ServerLineOffline(n int) string {
	return fill(l.plural(n, "no process runs here; the entry stays in {0} job until it is removed", "no process runs here; the entry stays in {0} jobs until it is removed", "此处没有进程运行；在移除之前，记录会保留在 {0} 个作业中"), number(n))
}
func (l Lang) ServerLineOnline(n int, m int) string {
	return fill(l.plural(n, "{0} instance, {1} jobs", "{0} instances, {1} jobs", "{0} 个实例，{1} 个作业"), number(n), number(m))
}
func (l Lang) ServerLineSome(m int, n int) string {
	return fill(l.plural(n, "{0} of {1} job disabled here", "{0} of {1} jobs disabled here", "{1} 个作业中有 {0} 个在此禁用"), number(m), number(n))
}
func (l Lang) ServerMoreInstances(n int) string {
	return fill(l.pick("and {0} more", "另有 {0} 个"), number(n))
}
func (l Lang) ServerNext() string { return l.pick("Next", "下一页") }
func (l Lang) ServerNoHistory() string {
	return l.pick("What ran here is not known", "此处的运行情况未知")
}
func (l Lang) ServerNothing() string { return l.pick("There is nothing to do", "无需操作") }
func (l Lang) ServerNothingDisable() string {
	return l.pick("The server is disabled already in every job that lists it.", "该服务器在列出它的所有作业中都已禁用。")
}
func (l Lang) ServerNothingEnable() string {
	return l.pick("The server is enabled already in every job.", "该服务器在所有作业中都已启用。")
}
func (l Lang) ServerNothingStop() string {
	return l.pick("No instance is live here.", "此处没有在线的实例。")
}
func (l Lang) ServerOn(job string, ip string) string {
	return fill(l.pick("{0} on {1}", "{1} 上的 {0}"), job, ip)
}
func (l Lang) ServerOpenRuns() string { return l.pick("Open in Runs", "在运行记录中打开") }
func (l Lang) ServerPrevious() string { return l.pick("Previous", "上一页") }
func (l Lang) ServerRan() string      { return l.pick("What ran here", "此处的运行情况") }
func (l Lang) ServerRanLabel(ip string, from string, to string) string {
	return fill(l.pick("What ran on {0} from {1} to {2}; the list of executions has the same", "{1} 至 {2} 在 {0} 上的运行情况；执行明细列表内容相同"), ip, from, to)
}
func (l Lang) ServerRanNone() string {
	return l.pick("Nothing ran here in this time.", "这段时间内此处没有运行。")
}
func (l Lang) ServerRanSub(from string, to string, zone string, m int, n int) string {
	return fill(l.plural(n, "{0}–{1} {2}, {3} of {4} job, most executions first", "{0}–{1} {2}, {3} of {4} jobs, most executions first", "{0}–{1} {2}，{4} 个作业中的 {3} 个，按执行数排列"), from, to, zone, number(m), number(n))
}
func (l Lang) ServerRanSubNewest(from string, to string, zone string, m int, n int) string {
	return fill(l.plural(n, "{0}–{1} {2}, the newest executions of {3} of {4} job", "{0}–{1} {2}, the newest executions of {3} of {4} jobs", "{0}–{1} {2}，{4} 个作业中 {3} 个的最新执行"), from, to, zone, number(m), number(n))
}
func (l Lang) ServerReason() string { return l.pick("Reason", "原因") }
func (l Lang) ServerReasonHint() string {
	return l.pick("optional, kept in the audit log", "可选，记入审计日志")
}
func (l Lang) ServerRefused() string { return l.pick("This is not possible now", "目前无法操作") }
func (l Lang) ServerRefusedLive(n int) string {
	return fill(l.plural(n, "{0} instance is live here. Stop the instances or end the processes first: a process that runs would add the entry again.", "{0} instances are live here. Stop the instances or end the processes first: a process that runs would add the entry again.", "此处有 {0} 个实例在线。请先终止实例或结束进程：运行中的进程会重新添加记录。"), number(n))
}
func (l Lang) ServerShards() string { return l.pick("Shards here", "此处的分片") }
func (l Lang) ServerShardsOf(m int, n int) string {
	return fill(l.pick("{0} of {1}", "{0} / {1}"), number(m), number(n))
}
func (l Lang) ServerSince() string          { return l.pick("Since", "注册时间") }
func (l Lang) ServerSkipDisabled() string   { return l.pick("disabled here already", "已在此禁用") }
func (l Lang) ServerSkipEnabled() string    { return l.pick("enabled here already", "已在此启用") }
func (l Lang) ServerSkipNoInstance() string { return l.pick("no instance here", "此处没有实例") }
func (l Lang) ServerSkipped(n int, reason string) string {
	return fill(l.plural(n, "Skips {0} job: {1}", "Skips {0} jobs: {1}", "跳过 {0} 个作业：{1}"), number(n), reason)
}
func (l Lang) ServerSpan() string { return l.pick("Time shown", "时间范围") }
func (l Lang) ServerWill(n int) string {
	return fill(l.plural(n, "Reaches {0} job", "Reaches {0} jobs", "涉及 {0} 个作业"), number(n))
}

// [shards]

func (l Lang) ShardsAskDisable(n int, job string) string {
	return fill(l.plural(n, "Disable {0} shard of {1}?", "Disable {0} shards of {1}?", "禁用 {1} 的 {0} 个分片？"), number(n), job)
}
func (l Lang) ShardsAskDisableOne(n string, job string) string {
	return fill(l.pick("Disable shard {0} of {1}?", "禁用 {1} 的分片 {0}？"), n, job)
}
func (l Lang) ShardsAskEnable(n int, job string) string {
	return fill(l.plural(n, "Enable {0} shard of {1}?", "Enable {0} shards of {1}?", "启用 {1} 的 {0} 个分片？"), number(n), job)
}
func (l Lang) ShardsAskEnableOne(n string, job string) string {
	return fill(l.pick("Enable shard {0} of {1}?", "启用 {1} 的分片 {0}？"), n, job)
}
func (l Lang) ShardsBack() string { return l.pick("To the shards", "前往分片") }
func (l Lang) ShardsBar() string {
	return l.pick("Actions on the selected shards", "对所选分片的操作")
}
func (l Lang) ShardsChangedDisable(n int) string {
	return fill(l.plural(n, "Disabled {0} shard.", "Disabled {0} shards.", "已禁用 {0} 个分片。"), number(n))
}
func (l Lang) ShardsChangedEnable(n int) string {
	return fill(l.plural(n, "Enabled {0} shard.", "Enabled {0} shards.", "已启用 {0} 个分片。"), number(n))
}
func (l Lang) ShardsDoneDisable(n int, job string) string {
	return fill(l.plural(n, "Disabled {0} shard of {1}.", "Disabled {0} shards of {1}.", "已禁用 {1} 的 {0} 个分片。"), number(n), job)
}
func (l Lang) ShardsDoneEnable(n int, job string) string {
	return fill(l.plural(n, "Enabled {0} shard of {1}.", "Enabled {0} shards of {1}.", "已启用 {1} 的 {0} 个分片。"), number(n), job)
}
func (l Lang) ShardsEffectLeft(n int, m int) string {
	return fill(l.plural(m, "{0} of the job's {1} shard stay enabled.", "{0} of the job's {1} shards stay enabled.", "作业的 {1} 个分片中有 {0} 个保持启用。"), number(n), number(m))
}
func (l Lang) ShardsEffectNoneLeft() string {
	return l.pick("No shard of the job stays enabled: its fires run nothing.", "作业没有保持启用的分片：触发时不会运行任何内容。")
}
func (l Lang) ShardsEffectOff() string {
	return l.pick("Nobody runs a shard that is disabled, and no other instance takes it over. A run of it that is on ends first.", "被禁用的分片不会运行，也不会由其他实例接管。正在进行的运行会先结束。")
}
func (l Lang) ShardsEffectOn() string {
	return l.pick("They run again from the next fire on. Fire times that passed meanwhile are not made up for.", "从下一次触发起重新运行。期间错过的触发时间不会补执行。")
}
func (l Lang) ShardsEffectStays() string {
	return l.pick("They stay disabled, also when instances come and leave, until somebody enables them.", "在有人启用之前保持禁用，实例加入或离开也不受影响。")
}
func (l Lang) ShardsNone() string { return l.pick("No shard is selected.", "没有选择分片。") }
func (l Lang) ShardsNoneText() string {
	return l.pick("Select shards in the table first.", "请先在表格中选择分片。")
}
func (l Lang) ShardsNothingText() string {
	return l.pick("None of these shards can be changed so. The list says why.", "这些分片都无法这样更改，原因见列表。")
}
func (l Lang) ShardsOne(n string) string { return fill(l.pick("Shard {0}", "分片 {0}"), n) }
func (l Lang) ShardsPick(n string) string {
	return fill(l.pick("Select shard {0}", "选择分片 {0}"), n)
}
func (l Lang) ShardsPickPage() string {
	return l.pick("Select the shards of this page", "选择本页的分片")
}
func (l Lang) ShardsPicked() string { return l.pick("Selected shards", "所选分片") }
func (l Lang) ShardsReasonHint() string {
	return l.pick("shown in the activity of the job and in the audit log", "显示在作业的活动和审计日志中")
}
func (l Lang) ShardsReasonMissing() string {
	return l.pick("Write a reason. Whoever finds the shard disabled reads it in the activity of the job.", "请填写原因，发现分片被禁用的人会在作业的活动中看到它。")
}
func (l Lang) ShardsRows() string {
	return l.pick("What happens to each shard", "每个分片的变化")
}
func (l Lang) ShardsSubmitDisable(n int) string {
	return fill(l.plural(n, "Disable {0} shard", "Disable {0} shards", "禁用 {0} 个分片"), number(n))
}
func (l Lang) ShardsSubmitEnable(n int) string {
	return fill(l.plural(n, "Enable {0} shard", "Enable {0} shards", "启用 {0} 个分片"), number(n))
}
func (l Lang) ShardsTooMany(n int) string {
	return fill(l.pick("{0} shards are selected", "选择了 {0} 个分片"), number(n))
}
func (l Lang) ShardsTooManyText(n int) string {
	return fill(l.pick("One action is about at most {0} of them: these are the first.", "一次操作最多处理 {0} 个分片，以下是前面的部分。"), number(n))
}
func (l Lang) ShardsUndone(n int) string {
	return fill(l.plural(n, "Taken back for {0} shard.", "Taken back for {0} shards.", "已撤销 {0} 个分片的更改。"), number(n))
}
func (l Lang) ShardsWrites(n int) string {
	return fill(l.plural(n, "{0} entry is written", "{0} entries are written", "将写入 {0} 个节点"), number(n))
}

// [sign_in]

func (l Lang) SignInAccount() string  { return l.pick("Account", "账号") }
func (l Lang) SignInButton() string   { return l.pick("Sign in", "登录") }
func (l Lang) SignInContinue() string { return l.pick("Sign in to continue.", "登录后继续。") }
func (l Lang) SignInElsewhere(name string) string {
	return fill(l.pick("Sign in with {0}", "使用 {0} 登录"), name)
}
func (l Lang) SignInExpired() string {
	return l.pick("Your session has expired.", "会话已过期。")
}
func (l Lang) SignInExpiredText() string {
	return l.pick("Sign in again; you will come back to where you were.", "请重新登录，之后会回到原来的页面。")
}
func (l Lang) SignInFormForgotten() string {
	return l.pick("The form is not kept any more.", "该表单已不再保留。")
}
func (l Lang) SignInFormForgottenText() string {
	return l.pick("What was sent without a session is kept for half an hour, by the console that it was sent to. Nothing was changed.", "会话结束后提交的内容由当时的控制台保留半小时。未做任何更改。")
}
func (l Lang) SignInInvalid() string {
	return l.pick("The session is not valid.", "此会话无效。")
}
func (l Lang) SignInOr() string       { return l.pick("or", "或") }
func (l Lang) SignInPassword() string { return l.pick("Password", "密码") }
func (l Lang) SignInProviderCertificate() string {
	return l.pick("Its certificate is not trusted.", "它的证书不受信任。")
}
func (l Lang) SignInProviderIssuer() string {
	return l.pick("It calls itself by another issuer than the one that is configured.", "它自称的签发者与配置的不同。")
}
func (l Lang) SignInProviderName() string {
	return l.pick("Its name cannot be looked up.", "无法解析它的名称。")
}
func (l Lang) SignInProviderProtocol() string {
	return l.pick("It does not answer as OpenID Connect demands.", "它的应答不符合 OpenID Connect。")
}
func (l Lang) SignInProviderRefuses() string {
	return l.pick("It refuses the connection.", "它拒绝连接。")
}
func (l Lang) SignInProviderSlow() string {
	return l.pick("It does not answer in time.", "它未及时应答。")
}
func (l Lang) SignInResumed() string {
	return l.pick("Your session had ended. Nothing was done: this is what you typed; send it again.", "会话已结束。尚未执行任何操作：以下是您填写的内容，请重新提交。")
}
func (l Lang) SignInResumedSecrets() string {
	return l.pick("Secrets are not kept: type them again.", "密钥和密码不会保留，请重新填写。")
}
func (l Lang) SignInReturn(path string) string {
	return fill(l.pick("You return to {0}.", "登录后返回 {0}。"), path)
}
func (l Lang) SignInRevoked() string {
	return l.pick("You have signed out, or your password was changed.", "您已退出登录，或密码已更改。")
}
func (l Lang) SignInShow() string      { return l.pick("Show", "显示") }
func (l Lang) SignInShowWhat() string  { return l.pick(" the password", "密码") }
func (l Lang) SignInSignedOut() string { return l.pick("You are signed out.", "已退出登录。") }
func (l Lang) SignInTagline() string   { return l.pick("Operations console", "运维控制台") }
func (l Lang) SignInTitle() string     { return l.pick("Sign in", "登录") }
func (l Lang) SignInTooMany() string   { return l.pick("Too many attempts.", "尝试次数过多。") }
func (l Lang) SignInTryAgainIn(n int) string {
	return fill(l.pick("Try again in {0} s.", "请在 {0} 秒后重试。"), number(n))
}
func (l Lang) SignInWrong() string {
	return l.pick("Account or password is wrong.", "账号或密码错误。")
}

// [sources]

func (l Lang) SourcesAdd() string { return l.pick("Add data source", "添加数据源") }
func (l Lang) SourcesAdded(name string, verdict string) string {
	return fill(l.pick("Added {0}. {1}", "已添加 {0}。{1}"), name, verdict)
}
func (l Lang) SourcesAddress() string { return l.pick("Address", "地址") }
func (l Lang) SourcesAdvice() string {
	return l.pick("Run console migrate on it: without these columns nothing says which run an execution belongs to, and without these indexes lists read the table.", "请对其运行 console migrate：缺少这些列就无法得知执行属于哪次运行，缺少这些索引则列表要读取整张表。")
}
func (l Lang) SourcesAllThere() string { return l.pick("all present", "齐全") }
func (l Lang) SourcesBlastDatabase() string {
	return l.pick("Nothing in the database is touched: its rows stay, and agents go on writing them.", "不影响数据库中的任何内容：记录保留，实例继续写入。")
}
func (l Lang) SourcesBlastRequests() string {
	return l.pick("Requests that name it with ?dataSource= are refused from then on. No page shows it.", "此后用 ?dataSource= 指定它的请求会被拒绝。没有页面显示它。")
}
func (l Lang) SourcesChanged(name string, verdict string) string {
	return fill(l.pick("Changed {0}. {1}", "已更改 {0}。{1}"), name, verdict)
}
func (l Lang) SourcesColumns() string  { return l.pick("Columns of a run", "运行记录的列") }
func (l Lang) SourcesDatabase() string { return l.pick("Database", "数据库") }
func (l Lang) SourcesDatabaseHint() string {
	return l.pick("a name; of sqlite a file in the data folder", "名称；sqlite 为数据目录中的文件")
}
func (l Lang) SourcesEditTitle(name string) string {
	return fill(l.pick("Edit {0}", "编辑 {0}"), name)
}
func (l Lang) SourcesExecutions() string { return l.pick("Executions", "执行明细") }
func (l Lang) SourcesHost() string       { return l.pick("Host", "主机") }
func (l Lang) SourcesIndexes() string    { return l.pick("Indexes of lists", "列表所用索引") }
func (l Lang) SourcesKind() string       { return l.pick("Kind", "类型") }
func (l Lang) SourcesLacking(names string) string {
	return fill(l.pick("absent: {0}", "缺少：{0}"), names)
}
func (l Lang) SourcesMoreThan(n int) string {
	return fill(l.pick("more than {0}", "超过 {0} 条"), number(n))
}
func (l Lang) SourcesNewest() string     { return l.pick("Newest execution", "最新的执行") }
func (l Lang) SourcesNoPassword() string { return l.pick("No password", "不使用密码") }
func (l Lang) SourcesNone() string       { return l.pick("No data source", "没有数据源") }
func (l Lang) SourcesNoneText() string {
	return l.pick("Start the console with a database that the agents record to, or add one here.", "启动控制台时指定实例写入的数据库，或在此添加。")
}
func (l Lang) SourcesOldest() string  { return l.pick("Oldest execution", "最早的执行") }
func (l Lang) SourcesOptions() string { return l.pick("Options", "选项") }
func (l Lang) SourcesOwn() string {
	return l.pick("The data source of the command line", "命令行指定的数据源")
}
func (l Lang) SourcesPort() string     { return l.pick("Port", "端口") }
func (l Lang) SourcesPortHint() string { return l.pick("usual", "默认") }
func (l Lang) SourcesSub() string {
	return l.pick("Event-trace databases. The pages show the one of the command line; requests to the REST interface name another with ?dataSource=.", "事件追踪数据库。页面显示命令行指定的数据源；REST 请求用 ?dataSource= 指定其他数据源。")
}
func (l Lang) SourcesTestedLacks(names string) string {
	return fill(l.pick("It lacks {0}; console migrate adds what is absent.", "缺少 {0}；console migrate 会补全。"), names)
}
func (l Lang) SourcesTestedMany(n int) string {
	return fill(l.pick("More than {0} executions.", "执行明细超过 {0} 条。"), number(n))
}
func (l Lang) SourcesTestedNewest(time string) string {
	return fill(l.pick("The newest began {0}.", "最新一条始于 {0}。"), time)
}
func (l Lang) SourcesTestedOk(trip string) string {
	return fill(l.pick("Connected; round trip {0}.", "连接成功；往返 {0}。"), trip)
}
func (l Lang) SourcesTestedRows(n int) string {
	return fill(l.pick("{0} executions.", "{0} 条执行明细。"), number(n))
}
func (l Lang) SourcesTitle() string       { return l.pick("Data sources", "事件追踪数据源") }
func (l Lang) SourcesTrip() string        { return l.pick("Round trip", "往返") }
func (l Lang) SourcesType() string        { return l.pick("Kind", "类型") }
func (l Lang) SourcesUnreachable() string { return l.pick("It cannot be used.", "无法使用。") }
func (l Lang) SourcesUnreachableText(cause string) string {
	return fill(l.pick("{0}. Check address, account and that the trace tables are there. Nothing was stored.", "{0}。请检查地址、账号，以及追踪表是否存在。未存储任何内容。"), cause)
}
func (l Lang) SourcesUnread() string { return l.pick("It could not be read:", "无法读取：") }
func (l Lang) SourcesUsedBy() string { return l.pick("Used by", "使用者") }
func (l Lang) SourcesUsedByPages() string {
	return l.pick("the pages, and requests that name none", "页面，以及未指定数据源的请求")
}
func (l Lang) SourcesUsedByRequests(name string, n int) string {
	return fill(l.pick("requests with ?dataSource={0}, and sessions that connected it: {1}", "带 ?dataSource={0} 的请求，以及连接它的会话：{1} 个"), name, number(n))
}
func (l Lang) SourcesUser() string { return l.pick("Account", "账号") }

// [time]

func (l Lang) TimeAgo(span string) string { return fill(l.pick("{0} ago", "{0} 前"), span) }
func (l Lang) TimeFor(span string) string { return fill(l.pick("for {0}", "已持续 {0}"), span) }
func (l Lang) TimeJustNow() string        { return l.pick("just now", "刚刚") }
func (l Lang) TimeUnits() string          { return l.pick("d h min s", "天 小时 分 秒") }

// [tokens]

func (l Lang) TokensAbsent() string {
	return l.pick("You have no such token.", "您没有这个令牌。")
}
func (l Lang) TokensAllJobs() string      { return l.pick("all jobs", "全部作业") }
func (l Lang) TokensCreateButton() string { return l.pick("Create token", "创建令牌") }
func (l Lang) TokensCreateTitle() string  { return l.pick("New token", "新建令牌") }
func (l Lang) TokensExpired() string      { return l.pick("expired", "已过期") }
func (l Lang) TokensExpires() string      { return l.pick("Expires", "到期") }
func (l Lang) TokensExpiresIn(n int) string {
	return fill(l.plural(n, "in {0} day", "in {0} days", "{0} 天后"), number(n))
}
func (l Lang) TokensInPerson() string {
	return l.pick("A token for programs can't be used here.", "程序令牌不能用于此处。")
}
func (l Lang) TokensInPersonHint() string {
	return l.pick("Sign in with an account and use the token of that login. Nothing was changed.", "请使用账号登录，并使用该登录的令牌。未做任何更改。")
}
func (l Lang) TokensJobs() string { return l.pick("Jobs", "作业") }
func (l Lang) TokensJobsHint() string {
	return l.pick("all, or such as billing-*", "全部，或例如 billing-*")
}
func (l Lang) TokensKind() string { return l.pick("token", "令牌") }
func (l Lang) TokensMade(name string) string {
	return fill(l.pick("Created {0}. Copy it now, because it is never shown again.", "已创建 {0}。请立即复制，它不会再次显示。"), name)
}
func (l Lang) TokensMatchNothing(pattern string) string {
	return fill(l.pick("No job matches {0} now. The token works as soon as there is one.", "目前没有作业匹配 {0}。出现匹配的作业后，令牌即可使用。"), pattern)
}
func (l Lang) TokensName() string { return l.pick("Name", "名称") }
func (l Lang) TokensNameHint() string {
	return l.pick("such as deploy-pipeline", "例如 deploy-pipeline")
}
func (l Lang) TokensNever() string { return l.pick("never", "从未使用") }
func (l Lang) TokensNone() string  { return l.pick("No tokens", "没有令牌") }
func (l Lang) TokensNoneHere() string {
	return l.pick("This console keeps no tokens, because it has no database of its own.", "此控制台没有自己的数据库，因此不保存令牌。")
}
func (l Lang) TokensNoneText() string {
	return l.pick("Create one for each program, so that you can revoke it alone.", "请为每个程序创建一个令牌，以便单独吊销。")
}
func (l Lang) TokensNotOneJob(pattern string) string {
	return fill(l.pick("This token is for the jobs {0}; this address isn't about one of them.", "此令牌只用于作业 {0}，而此地址与这些作业无关。"), pattern)
}
func (l Lang) TokensNotOneJobHint() string {
	return l.pick("Use the address of a job that the token is for, or a token for all jobs. Nothing was changed.", "请使用令牌所含作业的地址，或使用适用于全部作业的令牌。未做任何更改。")
}
func (l Lang) TokensOtherJob(pattern string, job string) string {
	return fill(l.pick("This token is for the jobs {0}, and {1} isn't one of them.", "此令牌只用于作业 {0}，不含 {1}。"), pattern, job)
}
func (l Lang) TokensOwnerLacks(name string, role string, needed string) string {
	return fill(l.pick("{0} has the role {1} now, so its tokens can't do more; this needs {2}.", "{0} 现在的角色是{1}，其令牌的权限不会更大；此操作需要{2}。"), name, role, needed)
}
func (l Lang) TokensOwnerLacksHint() string {
	return l.pick("Use a token of an account with that role. Nothing was changed.", "请使用具有该角色的账号的令牌。未做任何更改。")
}
func (l Lang) TokensRevoke() string       { return l.pick("Revoke…", "吊销…") }
func (l Lang) TokensRevokeButton() string { return l.pick("Revoke token", "吊销令牌") }
func (l Lang) TokensRevokeEffect() string {
	return l.pick("Programs that use it get 401 from now on.", "使用它的程序从此刻起收到 401。")
}
func (l Lang) TokensRevokeNever() string {
	return l.pick("It was never used.", "它从未被使用。")
}
func (l Lang) TokensRevokeTitle(name string) string {
	return fill(l.pick("Revoke {0}", "吊销 {0}"), name)
}
func (l Lang) TokensRevokeUndo() string {
	return l.pick("There is no undo, but you can create another token.", "无法撤销，但可以创建新的令牌。")
}
func (l Lang) TokensRevokeUsed(time string) string {
	return fill(l.pick("It was last used {0}.", "它最近一次使用是 {0}。"), time)
}
func (l Lang) TokensRevoked(name string) string {
	return fill(l.pick("Revoked {0}.", "已吊销 {0}。"), name)
}
func (l Lang) TokensScope() string { return l.pick("Scope", "权限范围") }
func (l Lang) TokensScopeConfigure() string {
	return l.pick("configure: also change jobs", "configure：还可修改作业")
}
func (l Lang) TokensScopeLacks(scope string, needed string) string {
	return fill(l.pick("This token has the scope {0}; this needs {1}.", "此令牌的权限范围是 {0}，而此操作需要 {1}。"), scope, needed)
}
func (l Lang) TokensScopeLacksHint() string {
	return l.pick("Use a token with a larger scope. Nothing was changed.", "请使用权限范围更大的令牌。未做任何更改。")
}
func (l Lang) TokensScopeOperate() string {
	return l.pick("operate: also run and stop jobs", "operate：还可运行和终止作业")
}
func (l Lang) TokensScopeRead() string { return l.pick("read: look only", "read：只能查看") }
func (l Lang) TokensSub() string {
	return l.pick("Programs and scripts use tokens with the REST interface instead of a password.", "程序和脚本通过 REST 接口使用令牌，而不是密码。")
}
func (l Lang) TokensSubAll() string {
	return l.pick("Programs and scripts use tokens with the REST interface instead of a password. You see the tokens of every account.", "程序和脚本通过 REST 接口使用令牌，而不是密码。这里列出所有账号的令牌。")
}
func (l Lang) TokensTitle() string { return l.pick("Tokens", "令牌") }
func (l Lang) TokensTooMany(n int) string {
	return fill(l.pick("There are {0} tokens, and no more are allowed.", "已有 {0} 个令牌，不能再多。"), number(n))
}
func (l Lang) TokensTooManyHint() string {
	return l.pick("Revoke some first. Nothing was changed.", "请先吊销一些。未做任何更改。")
}
func (l Lang) TokensTry() string  { return l.pick("Try it", "试用") }
func (l Lang) TokensUsed() string { return l.pick("Last used", "最近使用") }
func (l Lang) TokensUser() string { return l.pick("Account", "账号") }
func (l Lang) TokensWrong() string {
	return l.pick("The token can't be created like this.", "不能这样创建令牌。")
}

// [views]

func (l Lang) ViewsDone(name string) string {
	return fill(l.pick("Saved the view {0}.", "已保存视图 {0}。"), name)
}
func (l Lang) ViewsEverybody() string { return l.pick("everybody", "所有人") }
func (l Lang) ViewsList() string      { return l.pick("List", "列表") }
func (l Lang) ViewsMine() string      { return l.pick("only you", "仅自己") }
func (l Lang) ViewsName() string      { return l.pick("Name", "名称") }
func (l Lang) ViewsNone() string      { return l.pick("No view is saved.", "没有已保存的视图。") }
func (l Lang) ViewsNoneText() string {
	return l.pick("Search or filter the list of jobs or runs, then choose Save view there.", "在作业或运行记录列表中搜索或筛选，然后选择“保存视图”。")
}
func (l Lang) ViewsOwner() string  { return l.pick("Who has it", "可见范围") }
func (l Lang) ViewsQuery() string  { return l.pick("Shows", "显示") }
func (l Lang) ViewsRemove() string { return l.pick("Remove", "移除") }
func (l Lang) ViewsRemoved(name string) string {
	return fill(l.pick("Removed the view {0}.", "已移除视图 {0}。"), name)
}
func (l Lang) ViewsSave() string     { return l.pick("Save view", "保存视图") }
func (l Lang) ViewsSaveThis() string { return l.pick("Save view…", "保存视图…") }
func (l Lang) ViewsSaved() string    { return l.pick("Saved", "保存") }
func (l Lang) ViewsShare() string    { return l.pick("Everybody has it", "所有人可见") }
func (l Lang) ViewsSub() string {
	return l.pick("Selections of the lists of jobs and runs under a name. They stand beside the other views of the list.", "以名称保存的作业和运行记录列表的筛选，与列表的其他视图并列显示。")
}
func (l Lang) ViewsTitle() string { return l.pick("Saved views", "已保存的视图") }

// [want]

func (l Lang) WantAccount() string {
	return l.pick("an account, with a password of at most 400 characters", "账号，密码最多 400 个字符")
}
func (l Lang) WantAgain() string {
	return l.pick("given again, or empty, because the address changes", "地址或连接方式有变化，请重新填写或留空")
}
func (l Lang) WantAmount(least string, most string) string {
	return fill(l.pick("a number from {0} to {1}", "{0} 到 {1} 之间的数"), least, most)
}
func (l Lang) WantAtMost(n string) string {
	return fill(l.pick("at most {0} characters", "最多 {0} 个字符"), n)
}
func (l Lang) WantAtMostBytes(n string) string {
	return fill(l.pick("at most {0} bytes", "最多 {0} 字节"), n)
}
func (l Lang) WantBytes(n string, most string) string {
	return fill(l.pick("parameters have {0} bytes; at most {1} are allowed", "参数有 {0} 字节；最多 {1} 字节"), n, most)
}
func (l Lang) WantCertificates() string {
	return l.pick("certificates of at most 15,000 bytes each", "每个证书最多 15,000 字节")
}
func (l Lang) WantCharacters(least string, most string) string {
	return fill(l.pick("{0} to {1} characters", "{0} 到 {1} 个字符"), least, most)
}
func (l Lang) WantCron() string {
	return l.pick("six or seven fields of Quartz, seconds first", "Quartz 的六或七个字段，秒在最前")
}
func (l Lang) WantCron2x() string {
	return l.pick("an expression: ElasticJob 2.1.x has no jobs without one", "表达式：ElasticJob 2.1.x 的作业必须有")
}
func (l Lang) WantCronAlike() string {
	return l.pick("an expression with the same meaning in all versions of Quartz", "各版本 Quartz 理解一致的表达式")
}
func (l Lang) WantDatabase() string { return l.pick("the database's name", "数据库名") }
func (l Lang) WantDate(example string) string {
	return fill(l.pick("a date such as {0}", "日期，例如 {0}"), example)
}
func (l Lang) WantDays() string {
	return l.pick("a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT", "日期（如 2026-12-25）、区间（如 2026-12-24/2027-01-02）或星期（如 SAT）")
}
func (l Lang) WantDigest() string {
	return l.pick("user:password, or nothing", "user:password，或留空")
}
func (l Lang) WantDuration(least string, most string) string {
	return fill(l.pick("a duration from {0} to {1}, such as 30s", "{0} 到 {1} 的时长，例如 30s"), least, most)
}
func (l Lang) WantDurationOf(least string, most string) string {
	return fill(l.pick("a duration from {0} to {1}", "{0} 到 {1} 的时长"), least, most)
}
func (l Lang) WantDurationOr(least string, most string) string {
	return fill(l.pick("a duration from {0} to {1}, or -1 for never", "{0} 到 {1} 的时长，或 -1 表示永不"), least, most)
}
func (l Lang) WantEachMonitored() string {
	return l.pick("each, or a job with monitorExecution", "each，或启用监控执行状态的作业")
}
func (l Lang) WantEachWithout() string {
	return l.pick("each, or a job without cron", "each，或没有 Cron 的作业")
}
func (l Lang) WantEither(a string, b string) string {
	return fill(l.pick("{0} or {1}", "{0} 或 {1}"), a, b)
}
func (l Lang) WantEmail() string { return l.pick("an e-mail address", "电子邮件地址") }
func (l Lang) WantExpiry(example string) string {
	return fill(l.pick("a time such as {0}, in the future and at most 366 days away", "将来的时间，例如 {0}，且不超过 366 天"), example)
}
func (l Lang) WantFieldsIs(field string, value string, want string) string {
	return fill(l.pick("{0} is {1}, want {2}.", "{0} 为 {1}，应为：{2}。"), field, value, want)
}
func (l Lang) WantFieldsMore(n int) string {
	return fill(l.plural(n, "And {0} field more.", "And {0} fields more.", "另有 {0} 个字段。"), number(n))
}
func (l Lang) WantFieldsWant(field string, want string) string {
	return fill(l.pick("{0} want {1}.", "{0} 应为：{1}。"), field, want)
}
func (l Lang) WantFile() string {
	return l.pick("the name of a file in the data folder, such as trace.db", "数据目录中的文件名，例如 trace.db")
}
func (l Lang) WantFileAlone() string {
	return l.pick("nothing, and no port and no account: a file has none", "留空，且没有端口和账号：文件不需要")
}
func (l Lang) WantFires() string {
	return l.pick("an expression that fires at some time", "会在某个时间触发的表达式")
}
func (l Lang) WantFiresWithin() string {
	return l.pick("an expression that fires at some time within schedule.from, schedule.until and schedule.exclude", "在 schedule.from、schedule.until 与 schedule.exclude 之内会触发的表达式")
}
func (l Lang) WantFixed(value string) string {
	return fill(l.pick("{0}, which cannot be changed here", "{0}，不能在此修改"), value)
}
func (l Lang) WantGeneration(generation string) string {
	return fill(l.pick("a configuration of ElasticJob {0}", "ElasticJob {0} 的配置"), generation)
}
func (l Lang) WantHalfGap(most string) string {
	return fill(l.pick("less than {0}, half the smallest gap between fires", "小于 {0}，即最短触发间隔的一半"), most)
}
func (l Lang) WantHost() string {
	return l.pick("a host's name or address, and nothing else", "主机名或地址，不含其他内容")
}
func (l Lang) WantInteger() string { return l.pick("a whole number", "整数") }
func (l Lang) WantIntegerLeast(n string) string {
	return fill(l.pick("a whole number of at least {0}", "不小于 {0} 的整数"), n)
}
func (l Lang) WantIntegerMost(n string) string {
	return fill(l.pick("a whole number of at most {0}", "不大于 {0} 的整数"), n)
}
func (l Lang) WantJson(why string) string {
	return fill(l.pick("parameters aren't valid JSON: {0}", "参数不是 JSON：{0}"), why)
}
func (l Lang) WantKey() string {
	return l.pick("a key that is not empty, and valid UTF-8", "非空的键，且为有效的 UTF-8")
}
func (l Lang) WantKind() string {
	return l.pick("mysql, postgres or sqlite", "mysql、postgres 或 sqlite")
}
func (l Lang) WantLaterThan(name string) string {
	return fill(l.pick("a time later than {0}", "晚于 {0} 的时间"), name)
}
func (l Lang) WantLine() string { return l.pick("one line of text", "一行文本") }
func (l Lang) WantLink(example string) string {
	return fill(l.pick("an address such as {0}", "网址，例如 {0}"), example)
}
func (l Lang) WantList() string { return l.pick("a list", "列表") }
func (l Lang) WantListOf(n string) string {
	return fill(l.pick("a list of {0} values", "{0} 个值的列表"), n)
}
func (l Lang) WantListener() string     { return l.pick("the name of a listener", "监听器的名称") }
func (l Lang) WantMissing() string      { return l.pick("is missing", "缺少此项") }
func (l Lang) WantMore(n string) string { return fill(l.pick("and {0} more", "另有 {0} 处"), n) }
func (l Lang) WantName() string {
	return l.pick("a name without spaces around it", "前后没有空格的名称")
}
func (l Lang) WantNameValue() string {
	return l.pick("name=value on each line", "每行一个 name=value")
}
func (l Lang) WantNamespace() string {
	return l.pick("the folder in ZooKeeper below which the agents register", "ZooKeeper 中实例注册所在的目录，例如 team/billing")
}
func (l Lang) WantNoKey(generation string) string {
	return fill(l.pick("no such key: jobs of ElasticJob {0} do not have it", "没有此键：ElasticJob {0} 的作业没有它"), generation)
}
func (l Lang) WantNode() string {
	return l.pick("a ZooKeeper node name without \"/\" and \"@-@\"", "不含 / 和 @-@ 的 ZooKeeper 节点名")
}
func (l Lang) WantNone() string { return l.pick("the job takes none", "此作业不带参数") }
func (l Lang) WantNothing2x() string {
	return l.pick("nothing: ElasticJob 2.1.x does not have it", "留空：ElasticJob 2.1.x 没有此项")
}
func (l Lang) WantNumber() string { return l.pick("a number", "数字") }
func (l Lang) WantNumberBetween(least string, most string) string {
	return fill(l.pick("a number from {0} to {1}", "{0} 到 {1} 的数字"), least, most)
}
func (l Lang) WantNumberLeast(n string) string {
	return fill(l.pick("a number of at least {0}", "不小于 {0} 的数字"), n)
}
func (l Lang) WantNumberMost(n string) string {
	return fill(l.pick("a number of at most {0}", "不大于 {0} 的数字"), n)
}
func (l Lang) WantObject(kind string) string {
	return fill(l.pick("want a JSON object, not {0}", "应为 JSON 对象，而不是 {0}"), kind)
}
func (l Lang) WantObjectValue() string { return l.pick("an object", "对象") }
func (l Lang) WantOnce() string        { return l.pick("is given twice", "出现了两次") }
func (l Lang) WantOneOf(choices string) string {
	return fill(l.pick("one of {0}", "{0} 之一"), choices)
}
func (l Lang) WantOption(kind string, names string) string {
	return fill(l.pick("an option that is known; {0} has: {1}", "已知的选项；{0} 有：{1}"), kind, names)
}
func (l Lang) WantOverlaps() string {
	return l.pick("queue, one, skip or cancel", "queue、one、skip 或 cancel")
}
func (l Lang) WantPairs() string {
	return l.pick("item=value pairs separated by commas", "以逗号分隔的 分片=参数")
}
func (l Lang) WantPort() string {
	return l.pick("1 to 65535, or 0 for the usual one", "1 到 65535，0 为默认端口")
}
func (l Lang) WantPrintable() string {
	return l.pick("characters that can be printed, and no slash", "可打印的字符，且不含斜杠")
}
func (l Lang) WantQuery(problems string) string {
	return fill(l.pick("a query that the list understands: {0}", "列表能理解的查询：{0}"), problems)
}
func (l Lang) WantRefused(value string, want string) string {
	return fill(l.pick("{0} is not allowed; want {1}", "不接受 {0}；应为：{1}"), value, want)
}
func (l Lang) WantRegistered() string {
	return l.pick("an application that is registered", "已注册的应用")
}
func (l Lang) WantScope() string {
	return l.pick("read, operate or configure", "read、operate 或 configure")
}
func (l Lang) WantScopeOfRole(scope string) string {
	return fill(l.pick("at most {0}, because the account can't do more", "最多 {0}，因为账号的权限不会更大"), scope)
}
func (l Lang) WantSecret() string {
	return l.pick("the whole value", "完整的值：*** 代表未显示的密钥")
}
func (l Lang) WantServers() string {
	return l.pick("host:port, several separated by commas", "host:port，多个以逗号分隔；最后一个之后可带 chroot，例如 zk1:2181,zk2:2181/elastic")
}
func (l Lang) WantShards(most string, item string) string {
	return fill(l.pick("shards from 0 to {0}, below shardingTotalCount; there is no shard {1}", "0 到 {0} 的分片（由 shardingTotalCount 决定）；没有分片 {1}"), most, item)
}
func (l Lang) WantStored() string  { return l.pick("the stored value", "已保存的值") }
func (l Lang) WantStrange() string { return l.pick("is unknown", "是未知的参数") }
func (l Lang) WantStrangeLike(name string) string {
	return fill(l.pick("is unknown; did you mean {0}?", "是未知的参数；是否想写 {0}？"), name)
}
func (l Lang) WantText() string { return l.pick("a text", "文本") }
func (l Lang) WantTextBetween(least string, most string) string {
	return fill(l.pick("text of {0} to {1} characters", "{0} 到 {1} 个字符的文本"), least, most)
}
func (l Lang) WantTextLeast(n string) string {
	return fill(l.pick("text of at least {0} characters", "至少 {0} 个字符的文本"), n)
}
func (l Lang) WantTextLike(pattern string) string {
	return fill(l.pick("text that matches {0}", "匹配 {0} 的文本"), pattern)
}
func (l Lang) WantTextMost(n string) string {
	return fill(l.pick("text of at most {0} characters", "最多 {0} 个字符的文本"), n)
}
func (l Lang) WantTextOf(n string) string {
	return fill(l.pick("text of {0} characters", "{0} 个字符的文本"), n)
}
func (l Lang) WantTime(example string) string {
	return fill(l.pick("a time such as {0}", "时间，例如 {0}"), example)
}
func (l Lang) WantUnknown() string {
	return l.pick("the stored value: what this console does not know stays as it is", "已保存的值：本控制台不认识的内容保持不变")
}
func (l Lang) WantUtf8() string { return l.pick("valid UTF-8", "有效的 UTF-8") }
func (l Lang) WantValues(least string, most string) string {
	return fill(l.pick("{0} to {1} values", "{0} 到 {1} 个值"), least, most)
}
func (l Lang) WantValuesLeast(n string) string {
	return fill(l.pick("at least {0} values", "至少 {0} 个值"), n)
}
func (l Lang) WantValuesMost(n string) string {
	return fill(l.pick("at most {0} values", "最多 {0} 个值"), n)
}
func (l Lang) WantValuesOf(n string) string { return fill(l.pick("{0} values", "{0} 个值"), n) }
func (l Lang) WantWeek() string             { return l.pick("less than all seven weekdays", "少于全部七天") }
func (l Lang) WantWhole(least string, most string) string {
	return fill(l.pick("a whole number from {0} to {1}", "{0} 到 {1} 的整数"), least, most)
}
func (l Lang) WantZone() string {
	return l.pick("GMT with an offset, such as GMT+8 or GMT-03:30, or nothing; names such as Europe/Berlin go into props.schedule.zone", "GMT 加偏移量，例如 GMT+8 或 GMT-03:30，或留空；Europe/Berlin 之类的名称请填入 props.schedule.zone")
}
func (l Lang) WantZoneField() string {
	return l.pick("nothing: timeZone takes names such as Europe/Berlin", "留空：timeZone 可以填写 Europe/Berlin 之类的名称")
}
func (l Lang) WantZoneJava(agents string) string {
	return fill(l.pick("nothing while Java agents serve the job, because they ignore the property: stop {0}, or set timeZone", "有 Java 实例服务该作业时留空：它们不识别该属性。请停止 {0}，或设置 timeZone"), agents)
}
func (l Lang) WantZoneName() string {
	return l.pick("an IANA name such as Europe/Berlin", "IANA 时区名称，例如 Europe/Berlin")
}
func (l Lang) WantZoneOnce(zone string) string {
	return fill(l.pick("nothing, or an empty timeZone, which is {0}", "留空，或清空 timeZone（现为 {0}）"), zone)
}
