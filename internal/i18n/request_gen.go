// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RequestAgain is "Run again…".
func (l Lang) RequestAgain() string {
	if l == Chinese {
		return "再次运行…"
	}
	return "Run again…"
}

// RequestAgainFailed is "Run failed shards again…".
func (l Lang) RequestAgainFailed() string {
	if l == Chinese {
		return "重新运行失败的分片…"
	}
	return "Run failed shards again…"
}

// RequestAll is "All".
func (l Lang) RequestAll() string {
	if l == Chinese {
		return "全部"
	}
	return "All"
}

// RequestAsForm is "Use the fields instead".
func (l Lang) RequestAsForm() string {
	if l == Chinese {
		return "改为填写字段"
	}
	return "Use the fields instead"
}

// RequestAsJson is "Write JSON instead".
func (l Lang) RequestAsJson() string {
	if l == Chinese {
		return "改为填写 JSON"
	}
	return "Write JSON instead"
}

// RequestAssigned is "Assigned".
func (l Lang) RequestAssigned() string {
	if l == Chinese {
		return "分配"
	}
	return "Assigned"
}

// RequestAssignedEach is "to each shard".
func (l Lang) RequestAssignedEach() string {
	if l == Chinese {
		return "每个分片"
	}
	return "to each shard"
}

// RequestAssignedOne is "to one free shard".
func (l Lang) RequestAssignedOne() string {
	if l == Chinese {
		return "一个空闲分片"
	}
	return "to one free shard"
}

// RequestAt is "At".
func (l Lang) RequestAt() string {
	if l == Chinese {
		return "指定时间"
	}
	return "At"
}

// RequestAtLabel is "Date and time in UTC".
func (l Lang) RequestAtLabel() string {
	if l == Chinese {
		return "日期和时间（UTC）"
	}
	return "Date and time in UTC"
}

// RequestAttempt is "Attempt".
func (l Lang) RequestAttempt() string {
	if l == Chinese {
		return "第几次尝试"
	}
	return "Attempt"
}

// RequestBack is "To the requested runs".
func (l Lang) RequestBack() string {
	if l == Chinese {
		return "返回请求的运行"
	}
	return "To the requested runs"
}

// RequestBackOne is "To the run".
func (l Lang) RequestBackOne() string {
	if l == Chinese {
		return "返回该运行"
	}
	return "To the run"
}

// RequestBy is "Requested by".
func (l Lang) RequestBy() string {
	if l == Chinese {
		return "请求者"
	}
	return "Requested by"
}

// RequestCancel is "Cancel".
func (l Lang) RequestCancel() string {
	if l == Chinese {
		return "取消"
	}
	return "Cancel"
}

// RequestCancelDeaf is "A handler that ignores this goes on; the run ends when it has returned.".
func (l Lang) RequestCancelDeaf() string {
	if l == Chinese {
		return "不理会的处理函数会继续；它返回之后运行才结束。"
	}
	return "A handler that ignores this goes on; the run ends when it has returned."
}

// RequestCancelNoRetry is "A cancelled run is not retried; it can be requested again.".
func (l Lang) RequestCancelNoRetry() string {
	if l == Chinese {
		return "已取消的运行不会重试；可以再次请求。"
	}
	return "A cancelled run is not retried; it can be requested again."
}

// RequestCancelRun is "Cancel the run".
func (l Lang) RequestCancelRun() string {
	if l == Chinese {
		return "取消运行"
	}
	return "Cancel the run"
}

// RequestCancelRuns is "Handlers of the run are asked to return. Shards that wait do not begin.".
func (l Lang) RequestCancelRuns() string {
	if l == Chinese {
		return "请运行中的处理函数返回。等待的分片不再开始。"
	}
	return "Handlers of the run are asked to return. Shards that wait do not begin."
}

// RequestCancelTitle is "Cancel run {run} of {job}?".
func (l Lang) RequestCancelTitle(run string, job string) string {
	if l == Chinese {
		return "取消 " + job + " 的运行 " + run + "？"
	}
	return "Cancel run " + run + " of " + job + "?"
}

// RequestCancelWaits is "The run has not begun and never will.".
func (l Lang) RequestCancelWaits() string {
	if l == Chinese {
		return "此运行尚未开始，也不会再开始。"
	}
	return "The run has not begun and never will."
}

// RequestChosenOf is "{n, number} of {m, number}".
func (l Lang) RequestChosenOf(n int, m int) string {
	if l == Chinese {
		return number(n) + "/" + number(m)
	}
	return number(n) + " of " + number(m)
}

// RequestCountEnded is "{n, plural, one {# run} other {# runs}} ended of late".
func (l Lang) RequestCountEnded(n int) string {
	if l == Chinese {
		return "最近结束 " + number(n) + " 个运行"
	}
	if n == 1 {
		return number(n) + " run ended of late"
	}
	return number(n) + " runs ended of late"
}

// RequestCountOlder is "{n, plural, one {# older run} other {# older runs}} from the trace database".
func (l Lang) RequestCountOlder(n int) string {
	if l == Chinese {
		return number(n) + " 条更早的运行来自事件追踪数据库"
	}
	if n == 1 {
		return number(n) + " older run from the trace database"
	}
	return number(n) + " older runs from the trace database"
}

// RequestCountWaiting is "{n, plural, one {# run waits} other {# runs wait}}".
func (l Lang) RequestCountWaiting(n int) string {
	if l == Chinese {
		return number(n) + " 个运行在等待"
	}
	if n == 1 {
		return number(n) + " run waits"
	}
	return number(n) + " runs wait"
}

// RequestCursor is "The cursor is not one that this list has given.".
func (l Lang) RequestCursor() string {
	if l == Chinese {
		return "游标不是此列表给出的。"
	}
	return "The cursor is not one that this list has given."
}

// RequestCursorHint is "Use the nextCursor of an answer as it is.".
func (l Lang) RequestCursorHint() string {
	if l == Chinese {
		return "请原样使用答复中的 nextCursor。"
	}
	return "Use the nextCursor of an answer as it is."
}

// RequestDays is "days".
func (l Lang) RequestDays() string {
	if l == Chinese {
		return "天"
	}
	return "days"
}

// RequestDidAsk is "The run is asked to end.".
func (l Lang) RequestDidAsk() string {
	if l == Chinese {
		return "已要求运行结束。"
	}
	return "The run is asked to end."
}

// RequestDidAskText is "It ends when its handlers have returned.".
func (l Lang) RequestDidAskText() string {
	if l == Chinese {
		return "处理函数返回后即结束。"
	}
	return "It ends when its handlers have returned."
}

// RequestDidCancel is "The run is cancelled.".
func (l Lang) RequestDidCancel() string {
	if l == Chinese {
		return "运行已取消。"
	}
	return "The run is cancelled."
}

// RequestDidRepeat is "The same run was requested before.".
func (l Lang) RequestDidRepeat() string {
	if l == Chinese {
		return "同一个运行之前已请求过。"
	}
	return "The same run was requested before."
}

// RequestDidStart is "The run is due now.".
func (l Lang) RequestDidStart() string {
	if l == Chinese {
		return "运行现在开始。"
	}
	return "The run is due now."
}

// RequestDidSubmit is "The run is requested.".
func (l Lang) RequestDidSubmit() string {
	if l == Chinese {
		return "已请求运行。"
	}
	return "The run is requested."
}

// RequestDue is "Due".
func (l Lang) RequestDue() string {
	if l == Chinese {
		return "应开始"
	}
	return "Due"
}

// RequestEnded is "{why}".
func (l Lang) RequestEnded(why string) string {
	if l == Chinese {
		return "运行已不在可操作的状态：" + why
	}
	return why
}

// RequestEndedAt is "Ended".
func (l Lang) RequestEndedAt() string {
	if l == Chinese {
		return "结束于"
	}
	return "Ended"
}

// RequestEndedHint is "Look at the run. Nothing was changed.".
func (l Lang) RequestEndedHint() string {
	if l == Chinese {
		return "请查看该运行。未做任何更改。"
	}
	return "Look at the run. Nothing was changed."
}

// RequestExecutions is "Executions".
func (l Lang) RequestExecutions() string {
	if l == Chinese {
		return "执行记录"
	}
	return "Executions"
}

// RequestExpires is "Expires".
func (l Lang) RequestExpires() string {
	if l == Chinese {
		return "过期"
	}
	return "Expires"
}

// RequestFailedMany is "Too many shards of run {id} have failed to be kept one by one.".
func (l Lang) RequestFailedMany(id string) string {
	if l == Chinese {
		return "运行 " + id + " 失败的分片太多，没有逐个保留。"
	}
	return "Too many shards of run " + id + " have failed to be kept one by one."
}

// RequestFailedManyHint is "Request a run of the shards by their numbers: the history has them. Nothing was requested.".
func (l Lang) RequestFailedManyHint() string {
	if l == Chinese {
		return "请按编号请求这些分片的运行：历史中有它们。未提交任何请求。"
	}
	return "Request a run of the shards by their numbers: the history has them. Nothing was requested."
}

// RequestFailedNone is "No shard of run {id} has failed or was cancelled.".
func (l Lang) RequestFailedNone(id string) string {
	if l == Chinese {
		return "运行 " + id + " 没有失败或被取消的分片。"
	}
	return "No shard of run " + id + " has failed or was cancelled."
}

// RequestFailedNoneHint is "Repeat all of it, if it is to run again. Nothing was requested.".
func (l Lang) RequestFailedNoneHint() string {
	if l == Chinese {
		return "如果要再次运行，请重复整个运行。未提交任何请求。"
	}
	return "Repeat all of it, if it is to run again. Nothing was requested."
}

// RequestFillLast is "Fill from last run".
func (l Lang) RequestFillLast() string {
	if l == Chinese {
		return "填入上次的参数"
	}
	return "Fill from last run"
}

// RequestFillNone is "No requested run with parameters is kept.".
func (l Lang) RequestFillNone() string {
	if l == Chinese {
		return "没有保留带参数的请求运行。"
	}
	return "No requested run with parameters is kept."
}

// RequestFilled is "Filled in as run {run} was requested.".
func (l Lang) RequestFilled(run string) string {
	if l == Chinese {
		return "已按运行 " + run + " 的参数填入。"
	}
	return "Filled in as run " + run + " was requested."
}

// RequestFilterAny is "anywhere".
func (l Lang) RequestFilterAny() string {
	if l == Chinese {
		return "不限"
	}
	return "anywhere"
}

// RequestFilterFrom is "Requested from, UTC".
func (l Lang) RequestFilterFrom() string {
	if l == Chinese {
		return "提交时间起（UTC）"
	}
	return "Requested from, UTC"
}

// RequestFilterKey is "Key or id".
func (l Lang) RequestFilterKey() string {
	if l == Chinese {
		return "键或 ID"
	}
	return "Key or id"
}

// RequestFilterOrigin is "From".
func (l Lang) RequestFilterOrigin() string {
	if l == Chinese {
		return "来源"
	}
	return "From"
}

// RequestFilterTo is "Requested to, UTC".
func (l Lang) RequestFilterTo() string {
	if l == Chinese {
		return "提交时间止（UTC）"
	}
	return "Requested to, UTC"
}

// RequestForgotten is "Run {id} has ended, and its parameters are too large to be kept.".
func (l Lang) RequestForgotten(id string) string {
	if l == Chinese {
		return "运行 " + id + " 已结束，其参数过大，没有保留。"
	}
	return "Run " + id + " has ended, and its parameters are too large to be kept."
}

// RequestForgottenHint is "Send params again, or null for a run without. Nothing was requested.".
func (l Lang) RequestForgottenHint() string {
	if l == Chinese {
		return "请重新给出 params；不带参数请写 null。未提交任何请求。"
	}
	return "Send params again, or null for a run without. Nothing was requested."
}

// RequestFormAgain is "Run {job} again".
func (l Lang) RequestFormAgain(job string) string {
	if l == Chinese {
		return "再次运行 " + job
	}
	return "Run " + job + " again"
}

// RequestFormSub is "A run with parameters, for agents of this repository".
func (l Lang) RequestFormSub() string {
	if l == Chinese {
		return "带参数的运行，由本项目的实例执行"
	}
	return "A run with parameters, for agents of this repository"
}

// RequestFormTitle is "Run {job}".
func (l Lang) RequestFormTitle(job string) string {
	if l == Chinese {
		return "运行 " + job
	}
	return "Run " + job
}

// RequestFromAgain is "{name}, run again".
func (l Lang) RequestFromAgain(name string) string {
	if l == Chinese {
		return name + "（再次运行）"
	}
	return name + ", run again"
}

// RequestFromApi is "{name}, over REST".
func (l Lang) RequestFromApi(name string) string {
	if l == Chinese {
		return name + "（REST）"
	}
	return name + ", over REST"
}

// RequestFromBackfill is "{name}, a backfill".
func (l Lang) RequestFromBackfill(name string) string {
	if l == Chinese {
		return name + "（补跑）"
	}
	return name + ", a backfill"
}

// RequestFromCli is "{name}, from a shell".
func (l Lang) RequestFromCli(name string) string {
	if l == Chinese {
		return name + "（命令行）"
	}
	return name + ", from a shell"
}

// RequestFromCode is "{name}, from code".
func (l Lang) RequestFromCode(name string) string {
	if l == Chinese {
		return name + "（代码）"
	}
	return name + ", from code"
}

// RequestFromDatabase is "The registry no longer has this run: what is shown comes from the trace database.".
func (l Lang) RequestFromDatabase() string {
	if l == Chinese {
		return "注册中心已不再保留此运行：所示内容来自事件追踪数据库。"
	}
	return "The registry no longer has this run: what is shown comes from the trace database."
}

// RequestFromPage is "{name}, on a page".
func (l Lang) RequestFromPage(name string) string {
	if l == Chinese {
		return name + "（页面）"
	}
	return name + ", on a page"
}

// RequestFromRetry is "a retry".
func (l Lang) RequestFromRetry() string {
	if l == Chinese {
		return "重试"
	}
	return "a retry"
}

// RequestFull is "{why}".
func (l Lang) RequestFull(why string) string {
	if l == Chinese {
		return "等待的运行已达上限：" + why
	}
	return why
}

// RequestHours is "hours".
func (l Lang) RequestHours() string {
	if l == Chinese {
		return "小时"
	}
	return "hours"
}

// RequestId is "Run".
func (l Lang) RequestId() string {
	if l == Chinese {
		return "运行"
	}
	return "Run"
}

// RequestIn is "In".
func (l Lang) RequestIn() string {
	if l == Chinese {
		return "之后"
	}
	return "In"
}

// RequestInLabel is "How long until it begins".
func (l Lang) RequestInLabel() string {
	if l == Chinese {
		return "多久之后开始"
	}
	return "How long until it begins"
}

// RequestKey is "{why}".
func (l Lang) RequestKey(why string) string {
	if l == Chinese {
		return "此键属于另一个运行：" + why
	}
	return why
}

// RequestKeyFact is "Key".
func (l Lang) RequestKeyFact() string {
	if l == Chinese {
		return "键"
	}
	return "Key"
}

// RequestKeyHint is "Use another key, or the parameters of that run. Nothing was requested.".
func (l Lang) RequestKeyHint() string {
	if l == Chinese {
		return "请换一个键，或使用那个运行的参数。未提交任何请求。"
	}
	return "Use another key, or the parameters of that run. Nothing was requested."
}

// RequestLog is "Log".
func (l Lang) RequestLog() string {
	if l == Chinese {
		return "日志"
	}
	return "Log"
}

// RequestLogAll is "Show all".
func (l Lang) RequestLogAll() string {
	if l == Chinese {
		return "显示全部"
	}
	return "Show all"
}

// RequestLogAttempt is "Attempt {n}".
func (l Lang) RequestLogAttempt(n string) string {
	if l == Chinese {
		return "第 " + n + " 次尝试"
	}
	return "Attempt " + n
}

// RequestLogAttempts is "Attempts".
func (l Lang) RequestLogAttempts() string {
	if l == Chinese {
		return "尝试"
	}
	return "Attempts"
}

// RequestLogLast is "the last {n, number} of {total, number} lines".
func (l Lang) RequestLogLast(n int, total int) string {
	if l == Chinese {
		return "共 " + number(total) + " 行，显示最后 " + number(n) + " 行"
	}
	return "the last " + number(n) + " of " + number(total) + " lines"
}

// RequestLogLines is "{n, plural, one {# line} other {# lines}}".
func (l Lang) RequestLogLines(n int) string {
	if l == Chinese {
		return number(n) + " 行"
	}
	if n == 1 {
		return number(n) + " line"
	}
	return number(n) + " lines"
}

// RequestLogNone is "No handler of this run has logged anything.".
func (l Lang) RequestLogNone() string {
	if l == Chinese {
		return "此运行的处理函数没有写过日志。"
	}
	return "No handler of this run has logged anything."
}

// RequestLogNoneAttempt is "Shard {shard} has logged nothing in attempt {attempt}.".
func (l Lang) RequestLogNoneAttempt(shard string, attempt string) string {
	if l == Chinese {
		return "分片 " + shard + " 在第 " + attempt + " 次尝试中没有日志。"
	}
	return "Shard " + shard + " has logged nothing in attempt " + attempt + "."
}

// RequestLogNoneShard is "Shard {n} has logged nothing.".
func (l Lang) RequestLogNoneShard(n string) string {
	if l == Chinese {
		return "分片 " + n + " 没有日志。"
	}
	return "Shard " + n + " has logged nothing."
}

// RequestLogOf is "Log of shard {n}, attempt {attempt}".
func (l Lang) RequestLogOf(n string, attempt string) string {
	if l == Chinese {
		return "分片 " + n + " 第 " + attempt + " 次尝试的日志"
	}
	return "Log of shard " + n + ", attempt " + attempt
}

// RequestLogShard is "Shard {n}".
func (l Lang) RequestLogShard(n string) string {
	if l == Chinese {
		return "分片 " + n
	}
	return "Shard " + n
}

// RequestLogShards is "Shards with a log".
func (l Lang) RequestLogShards() string {
	if l == Chinese {
		return "有日志的分片"
	}
	return "Shards with a log"
}

// RequestLogShow is "Show".
func (l Lang) RequestLogShow() string {
	if l == Chinese {
		return "显示"
	}
	return "Show"
}

// RequestLogTail is "Show the end".
func (l Lang) RequestLogTail() string {
	if l == Chinese {
		return "显示末尾"
	}
	return "Show the end"
}

// RequestLosses is "Losses".
func (l Lang) RequestLosses() string {
	if l == Chinese {
		return "丢失次数"
	}
	return "Losses"
}

// RequestMessage is "Message".
func (l Lang) RequestMessage() string {
	if l == Chinese {
		return "消息"
	}
	return "Message"
}

// RequestMinutes is "minutes".
func (l Lang) RequestMinutes() string {
	if l == Chinese {
		return "分钟"
	}
	return "minutes"
}

// RequestMore is "More".
func (l Lang) RequestMore() string {
	if l == Chinese {
		return "更多"
	}
	return "More"
}

// RequestNewer is "First page".
func (l Lang) RequestNewer() string {
	if l == Chinese {
		return "第一页"
	}
	return "First page"
}

// RequestNoAgain is "there is no run {run} to repeat".
func (l Lang) RequestNoAgain(run string) string {
	if l == Chinese {
		return "没有可重复的运行 " + run
	}
	return "there is no run " + run + " to repeat"
}

// RequestNoDatabase is "The log, the progress and the steps of runs are in a trace database, and this console has none.".
func (l Lang) RequestNoDatabase() string {
	if l == Chinese {
		return "运行的日志、进度和步骤保存在事件追踪数据库中，而此控制台没有该数据库。"
	}
	return "The log, the progress and the steps of runs are in a trace database, and this console has none."
}

// RequestNoDatabaseHint is "Start the console with the database that the agents record to.".
func (l Lang) RequestNoDatabaseHint() string {
	if l == Chinese {
		return "启动控制台时请指定实例写入的数据库。"
	}
	return "Start the console with the database that the agents record to."
}

// RequestNoRun is "Job {job} has no requested run {run}.".
func (l Lang) RequestNoRun(job string, run string) string {
	if l == Chinese {
		return "作业 " + job + " 没有请求的运行 " + run + "。"
	}
	return "Job " + job + " has no requested run " + run + "."
}

// RequestNoRunHint is "ZooKeeper has the runs that wait, those under way and the last that ended; it may have ended long ago.".
func (l Lang) RequestNoRunHint() string {
	if l == Chinese {
		return "ZooKeeper 中有等待的、进行中的和最近结束的运行；它可能早已结束。"
	}
	return "ZooKeeper has the runs that wait, those under way and the last that ended; it may have ended long ago."
}

// RequestNoTables is "The trace database has no tables for requested runs.".
func (l Lang) RequestNoTables() string {
	if l == Chinese {
		return "事件追踪数据库缺少请求运行的表。"
	}
	return "The trace database has no tables for requested runs."
}

// RequestNoTablesHint is "Create them with `console migrate`; agents of this version fill them.".
func (l Lang) RequestNoTablesHint() string {
	if l == Chinese {
		return "请用 `console migrate` 创建；此版本的实例会写入。"
	}
	return "Create them with `console migrate`; agents of this version fill them."
}

// RequestNobody is "No agent is there to run it: it waits until one comes, or expires.".
func (l Lang) RequestNobody() string {
	if l == Chinese {
		return "没有实例可以运行它：它会等到有实例为止，或过期。"
	}
	return "No agent is there to run it: it waits until one comes, or expires."
}

// RequestNone is "Nobody has requested a run of this job.".
func (l Lang) RequestNone() string {
	if l == Chinese {
		return "还没有人请求过此作业的运行。"
	}
	return "Nobody has requested a run of this job."
}

// RequestNoneFilter is "No run fits the filter.".
func (l Lang) RequestNoneFilter() string {
	if l == Chinese {
		return "没有符合筛选条件的运行。"
	}
	return "No run fits the filter."
}

// RequestNoneOlder is "There are no older runs.".
func (l Lang) RequestNoneOlder() string {
	if l == Chinese {
		return "没有更早的运行。"
	}
	return "There are no older runs."
}

// RequestNoneState is "No run is in this state.".
func (l Lang) RequestNoneState() string {
	if l == Chinese {
		return "没有处于此状态的运行。"
	}
	return "No run is in this state."
}

// RequestNoneText is "A run that is requested has parameters, can wait for its time, and can be cancelled.".
func (l Lang) RequestNoneText() string {
	if l == Chinese {
		return "请求的运行可以带参数、可以等到指定时间，也可以取消。"
	}
	return "A run that is requested has parameters, can wait for its time, and can be cancelled."
}

// RequestNotEnded is "Run {id} has not ended: it is {state}.".
func (l Lang) RequestNotEnded(id string, state string) string {
	if l == Chinese {
		return "运行 " + id + " 尚未结束：" + state + "。"
	}
	return "Run " + id + " has not ended: it is " + state + "."
}

// RequestNotEndedHint is "Wait until it has ended, or request another run. Nothing was requested.".
func (l Lang) RequestNotEndedHint() string {
	if l == Chinese {
		return "请等它结束，或请求另一个运行。未提交任何请求。"
	}
	return "Wait until it has ended, or request another run. Nothing was requested."
}

// RequestNotGo is "{why}".
func (l Lang) RequestNotGo(why string) string {
	if l == Chinese {
		return "部分分片属于不接受参数的实例：" + why
	}
	return why
}

// RequestNote is "Note".
func (l Lang) RequestNote() string {
	if l == Chinese {
		return "备注"
	}
	return "Note"
}

// RequestNoteHelp is "Why, for whoever looks at the run; at most 200 characters.".
func (l Lang) RequestNoteHelp() string {
	if l == Chinese {
		return "原因，供查看此运行的人阅读；最多 200 个字符。"
	}
	return "Why, for whoever looks at the run; at most 200 characters."
}

// RequestNow is "Now".
func (l Lang) RequestNow() string {
	if l == Chinese {
		return "现在"
	}
	return "Now"
}

// RequestOptions is "{why}".
func (l Lang) RequestOptions(why string) string {
	if l == Chinese {
		return "请求有误：" + why
	}
	return why
}

// RequestOptionsHint is "Correct the request. Nothing was requested.".
func (l Lang) RequestOptionsHint() string {
	if l == Chinese {
		return "请更正请求。未提交任何请求。"
	}
	return "Correct the request. Nothing was requested."
}

// RequestOriginAgain is "run again".
func (l Lang) RequestOriginAgain() string {
	if l == Chinese {
		return "再次运行"
	}
	return "run again"
}

// RequestOriginApi is "REST".
func (l Lang) RequestOriginApi() string {
	if l == Chinese {
		return "REST"
	}
	return "REST"
}

// RequestOriginBackfill is "a backfill".
func (l Lang) RequestOriginBackfill() string {
	if l == Chinese {
		return "回填"
	}
	return "a backfill"
}

// RequestOriginCli is "a shell".
func (l Lang) RequestOriginCli() string {
	if l == Chinese {
		return "命令行"
	}
	return "a shell"
}

// RequestOriginCode is "code".
func (l Lang) RequestOriginCode() string {
	if l == Chinese {
		return "代码"
	}
	return "code"
}

// RequestOriginPage is "a page".
func (l Lang) RequestOriginPage() string {
	if l == Chinese {
		return "页面"
	}
	return "a page"
}

// RequestOriginRetry is "a retry".
func (l Lang) RequestOriginRetry() string {
	if l == Chinese {
		return "重试"
	}
	return "a retry"
}

// RequestOverlap is "If another run is under way".
func (l Lang) RequestOverlap() string {
	if l == Chinese {
		return "如果有另一个运行正在进行"
	}
	return "If another run is under way"
}

// RequestOverlapCancel is "Cancel the other".
func (l Lang) RequestOverlapCancel() string {
	if l == Chinese {
		return "取消另一个"
	}
	return "Cancel the other"
}

// RequestOverlapCancelText is "The run under way is cancelled, and this one follows.".
func (l Lang) RequestOverlapCancelText() string {
	if l == Chinese {
		return "取消进行中的运行，然后开始此运行。"
	}
	return "The run under way is cancelled, and this one follows."
}

// RequestOverlapJob is "default".
func (l Lang) RequestOverlapJob() string {
	if l == Chinese {
		return "默认"
	}
	return "default"
}

// RequestOverlapOne is "Wait unless one waits".
func (l Lang) RequestOverlapOne() string {
	if l == Chinese {
		return "等待，除非已有一个在等"
	}
	return "Wait unless one waits"
}

// RequestOverlapOneText is "This run waits, but is skipped if another run waits already.".
func (l Lang) RequestOverlapOneText() string {
	if l == Chinese {
		return "此运行等待；如果已有另一个运行在等待，则跳过。"
	}
	return "This run waits, but is skipped if another run waits already."
}

// RequestOverlapQueue is "Wait".
func (l Lang) RequestOverlapQueue() string {
	if l == Chinese {
		return "等待"
	}
	return "Wait"
}

// RequestOverlapQueueText is "This run begins when the others before it have ended.".
func (l Lang) RequestOverlapQueueText() string {
	if l == Chinese {
		return "前面的运行结束后，此运行开始。"
	}
	return "This run begins when the others before it have ended."
}

// RequestOverlapSkip is "Skip".
func (l Lang) RequestOverlapSkip() string {
	if l == Chinese {
		return "跳过"
	}
	return "Skip"
}

// RequestOverlapSkipText is "This run is skipped.".
func (l Lang) RequestOverlapSkipText() string {
	if l == Chinese {
		return "跳过此运行。"
	}
	return "This run is skipped."
}

// RequestParamJson is "As JSON.".
func (l Lang) RequestParamJson() string {
	if l == Chinese {
		return "以 JSON 填写。"
	}
	return "As JSON."
}

// RequestParamLines is "One per line.".
func (l Lang) RequestParamLines() string {
	if l == Chinese {
		return "每行一个。"
	}
	return "One per line."
}

// RequestParamNone is "none".
func (l Lang) RequestParamNone() string {
	if l == Chinese {
		return "无"
	}
	return "none"
}

// RequestParamRequired is "required".
func (l Lang) RequestParamRequired() string {
	if l == Chinese {
		return "必填"
	}
	return "required"
}

// RequestParamUtc is "In UTC.".
func (l Lang) RequestParamUtc() string {
	if l == Chinese {
		return "UTC 时间。"
	}
	return "In UTC."
}

// RequestParamValue is "value {n}: {want}".
func (l Lang) RequestParamValue(n string, want string) string {
	if l == Chinese {
		return "第 " + n + " 个值：" + want
	}
	return "value " + n + ": " + want
}

// RequestParameters is "Parameters".
func (l Lang) RequestParameters() string {
	if l == Chinese {
		return "参数"
	}
	return "Parameters"
}

// RequestParams is "{why}".
func (l Lang) RequestParams(why string) string {
	if l == Chinese {
		return "参数不被接受：" + why
	}
	return why
}

// RequestParamsChanged is "The job takes other parameters since the form was shown. Look at them again; nothing was requested.".
func (l Lang) RequestParamsChanged() string {
	if l == Chinese {
		return "表单显示之后，作业的参数定义已更改。请重新检查；没有请求运行。"
	}
	return "The job takes other parameters since the form was shown. Look at them again; nothing was requested."
}

// RequestParamsEnded is "The run that this one repeats has ended, and its parameters were too large to be kept: write them again.".
func (l Lang) RequestParamsEnded() string {
	if l == Chinese {
		return "被重复的运行已结束，其参数过大而没有保留：请重新填写。"
	}
	return "The run that this one repeats has ended, and its parameters were too large to be kept: write them again."
}

// RequestParamsHelp is "One JSON object of at most 64 KiB; leave it empty for a run without parameters. They are stored in ZooKeeper: no secrets.".
func (l Lang) RequestParamsHelp() string {
	if l == Chinese {
		return "一个 JSON 对象，最多 64 KiB；不带参数请留空。参数保存在 ZooKeeper 中：不要填写密钥。"
	}
	return "One JSON object of at most 64 KiB; leave it empty for a run without parameters. They are stored in ZooKeeper: no secrets."
}

// RequestParamsHint is "Correct the parameters. Nothing was requested.".
func (l Lang) RequestParamsHint() string {
	if l == Chinese {
		return "请更正参数。未提交任何请求。"
	}
	return "Correct the parameters. Nothing was requested."
}

// RequestParamsLost is "Its parameters were too large for the registry to keep them.".
func (l Lang) RequestParamsLost() string {
	if l == Chinese {
		return "其参数过大，注册中心没有保留。"
	}
	return "Its parameters were too large for the registry to keep them."
}

// RequestParamsNone is "The run has none.".
func (l Lang) RequestParamsNone() string {
	if l == Chinese {
		return "此运行没有参数。"
	}
	return "The run has none."
}

// RequestParamsNothing is "The job takes no parameters.".
func (l Lang) RequestParamsNothing() string {
	if l == Chinese {
		return "此作业不带参数。"
	}
	return "The job takes no parameters."
}

// RequestParamsSchema is "from the job's schema".
func (l Lang) RequestParamsSchema() string {
	if l == Chinese {
		return "来自作业的参数定义"
	}
	return "from the job's schema"
}

// RequestParamsSecrets is "All parameters are stored in ZooKeeper as they are, secrets too.".
func (l Lang) RequestParamsSecrets() string {
	if l == Chinese {
		return "所有参数（包括密钥）原样保存在 ZooKeeper 中。"
	}
	return "All parameters are stored in ZooKeeper as they are, secrets too."
}

// RequestParamsUnfit is "The parameters of that run do not fit the fields, so they are shown as JSON.".
func (l Lang) RequestParamsUnfit() string {
	if l == Chinese {
		return "该运行的参数无法填入这些字段，因此以 JSON 显示。"
	}
	return "The parameters of that run do not fit the fields, so they are shown as JSON."
}

// RequestParent is "Repeats run".
func (l Lang) RequestParent() string {
	if l == Chinese {
		return "重复的运行"
	}
	return "Repeats run"
}

// RequestProgress is "Progress of shard {n}".
func (l Lang) RequestProgress(n string) string {
	if l == Chinese {
		return "分片 " + n + " 的进度"
	}
	return "Progress of shard " + n
}

// RequestReasonCancelled is "cancelled by {who}".
func (l Lang) RequestReasonCancelled(who string) string {
	if l == Chinese {
		return "取消者：" + who
	}
	return "cancelled by " + who
}

// RequestReasonDisabled is "every shard of the run is disabled".
func (l Lang) RequestReasonDisabled() string {
	if l == Chinese {
		return "此运行的分片均已禁用"
	}
	return "every shard of the run is disabled"
}

// RequestReasonExpired is "it did not begin until {time}".
func (l Lang) RequestReasonExpired(time string) string {
	if l == Chinese {
		return "截至 " + time + " 仍未开始"
	}
	return "it did not begin until " + time
}

// RequestReasonFailed is "{n} of {total} shards failed".
func (l Lang) RequestReasonFailed(n string, total string) string {
	if l == Chinese {
		return total + " 个分片中有 " + n + " 个失败"
	}
	return n + " of " + total + " shards failed"
}

// RequestReasonHelp is "for the audit and whoever looks at the run".
func (l Lang) RequestReasonHelp() string {
	if l == Chinese {
		return "写入审计，供查看此运行的人阅读"
	}
	return "for the audit and whoever looks at the run"
}

// RequestReasonLost is "lost: {instance} lost its session during the run".
func (l Lang) RequestReasonLost(instance string) string {
	if l == Chinese {
		return "丢失：" + instance + " 在运行期间丢失会话"
	}
	return "lost: " + instance + " lost its session during the run"
}

// RequestReasonNothing is "no shard had anything to do".
func (l Lang) RequestReasonNothing() string {
	if l == Chinese {
		return "所有分片都无事可做"
	}
	return "no shard had anything to do"
}

// RequestReasonUnrecorded is "its end was not recorded, and the registry no longer has it".
func (l Lang) RequestReasonUnrecorded() string {
	if l == Chinese {
		return "它的结束没有被记录，注册中心也已不再保留它"
	}
	return "its end was not recorded, and the registry no longer has it"
}

// RequestRecordDown is "The trace database does not answer: log, progress and steps are not shown.".
func (l Lang) RequestRecordDown() string {
	if l == Chinese {
		return "事件追踪数据库没有响应：不显示日志、进度和步骤。"
	}
	return "The trace database does not answer: log, progress and steps are not shown."
}

// RequestRun is "Run…".
func (l Lang) RequestRun() string {
	if l == Chinese {
		return "运行…"
	}
	return "Run…"
}

// RequestRunTitle is "Run {run} of {job}".
func (l Lang) RequestRunTitle(run string, job string) string {
	if l == Chinese {
		return job + " 的运行 " + run
	}
	return "Run " + run + " of " + job
}

// RequestSeconds is "seconds".
func (l Lang) RequestSeconds() string {
	if l == Chinese {
		return "秒"
	}
	return "seconds"
}

// RequestShardCancelled is "Cancelled".
func (l Lang) RequestShardCancelled() string {
	if l == Chinese {
		return "已取消"
	}
	return "Cancelled"
}

// RequestShardFailed is "Failed".
func (l Lang) RequestShardFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "Failed"
}

// RequestShardRunning is "Running".
func (l Lang) RequestShardRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "Running"
}

// RequestShardSkipped is "Skipped".
func (l Lang) RequestShardSkipped() string {
	if l == Chinese {
		return "已跳过"
	}
	return "Skipped"
}

// RequestShardSucceeded is "Succeeded".
func (l Lang) RequestShardSucceeded() string {
	if l == Chinese {
		return "成功"
	}
	return "Succeeded"
}

// RequestShardWaiting is "Waiting".
func (l Lang) RequestShardWaiting() string {
	if l == Chinese {
		return "等待中"
	}
	return "Waiting"
}

// RequestShards is "Shards".
func (l Lang) RequestShards() string {
	if l == Chinese {
		return "分片"
	}
	return "Shards"
}

// RequestShardsEnded is "{ok, number} succeeded, {failed, number} failed, {skipped, number} skipped".
func (l Lang) RequestShardsEnded(ok int, failed int, skipped int) string {
	if l == Chinese {
		return "成功 " + number(ok) + "，失败 " + number(failed) + "，跳过 " + number(skipped)
	}
	return number(ok) + " succeeded, " + number(failed) + " failed, " + number(skipped) + " skipped"
}

// RequestShardsHelp is "Numbers and ranges from 0 to {last}, such as 0-3,7; empty for all.".
func (l Lang) RequestShardsHelp(last string) string {
	if l == Chinese {
		return "0 到 " + last + " 的编号和范围，例如 0-3,7；留空为全部。"
	}
	return "Numbers and ranges from 0 to " + last + ", such as 0-3,7; empty for all."
}

// RequestShardsMore is "{n, plural, one {# more shard is} other {# more shards are}} not shown".
func (l Lang) RequestShardsMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个分片未显示"
	}
	if n == 1 {
		return number(n) + " more shard is not shown"
	}
	return number(n) + " more shards are not shown"
}

// RequestShardsQuiet is "No shard left a message or a result.".
func (l Lang) RequestShardsQuiet() string {
	if l == Chinese {
		return "没有分片留下消息或结果。"
	}
	return "No shard left a message or a result."
}

// RequestShardsWaiting is "Its shards are known once it begins.".
func (l Lang) RequestShardsWaiting() string {
	if l == Chinese {
		return "开始后才知道有哪些分片。"
	}
	return "Its shards are known once it begins."
}

// RequestStart is "Start now".
func (l Lang) RequestStart() string {
	if l == Chinese {
		return "立即开始"
	}
	return "Start now"
}

// RequestStartedAt is "Began".
func (l Lang) RequestStartedAt() string {
	if l == Chinese {
		return "开始于"
	}
	return "Began"
}

// RequestStateCancelled is "Cancelled".
func (l Lang) RequestStateCancelled() string {
	if l == Chinese {
		return "已取消"
	}
	return "Cancelled"
}

// RequestStateCancelling is "Cancelling".
func (l Lang) RequestStateCancelling() string {
	if l == Chinese {
		return "取消中"
	}
	return "Cancelling"
}

// RequestStateExpired is "Expired".
func (l Lang) RequestStateExpired() string {
	if l == Chinese {
		return "已过期"
	}
	return "Expired"
}

// RequestStateFailed is "Failed".
func (l Lang) RequestStateFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "Failed"
}

// RequestStateQueued is "Queued".
func (l Lang) RequestStateQueued() string {
	if l == Chinese {
		return "排队中"
	}
	return "Queued"
}

// RequestStateRunning is "Running".
func (l Lang) RequestStateRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "Running"
}

// RequestStateScheduled is "Scheduled".
func (l Lang) RequestStateScheduled() string {
	if l == Chinese {
		return "已排期"
	}
	return "Scheduled"
}

// RequestStateSkipped is "Skipped".
func (l Lang) RequestStateSkipped() string {
	if l == Chinese {
		return "已跳过"
	}
	return "Skipped"
}

// RequestStateSucceeded is "Succeeded".
func (l Lang) RequestStateSucceeded() string {
	if l == Chinese {
		return "成功"
	}
	return "Succeeded"
}

// RequestStateUnknown is "Unknown".
func (l Lang) RequestStateUnknown() string {
	if l == Chinese {
		return "未知"
	}
	return "Unknown"
}

// RequestStates is "States".
func (l Lang) RequestStates() string {
	if l == Chinese {
		return "状态"
	}
	return "States"
}

// RequestStepAgain is "attempt {n} of {most} follows: {why}".
func (l Lang) RequestStepAgain(n string, most string, why string) string {
	if l == Chinese {
		return "第 " + n + " 次尝试（共 " + most + " 次）随后进行：" + why
	}
	return "attempt " + n + " of " + most + " follows: " + why
}

// RequestStepAttempt is "attempt {n}".
func (l Lang) RequestStepAttempt(n string) string {
	if l == Chinese {
		return "第 " + n + " 次尝试"
	}
	return "attempt " + n
}

// RequestStepBegan is "Began".
func (l Lang) RequestStepBegan() string {
	if l == Chinese {
		return "已开始"
	}
	return "Began"
}

// RequestStepCancel is "Cancel requested".
func (l Lang) RequestStepCancel() string {
	if l == Chinese {
		return "请求取消"
	}
	return "Cancel requested"
}

// RequestStepDue is "Its time came".
func (l Lang) RequestStepDue() string {
	if l == Chinese {
		return "时间已到"
	}
	return "Its time came"
}

// RequestStepDueLater is "Begins".
func (l Lang) RequestStepDueLater() string {
	if l == Chinese {
		return "将开始"
	}
	return "Begins"
}

// RequestStepInstanceLeft is "{who} lost its session during the run: {shards}".
func (l Lang) RequestStepInstanceLeft(who string, shards string) string {
	if l == Chinese {
		return who + " 在运行期间丢失会话：" + shards
	}
	return who + " lost its session during the run: " + shards
}

// RequestStepLeft is "an instance lost its session during the run".
func (l Lang) RequestStepLeft() string {
	if l == Chinese {
		return "有实例在运行期间丢失会话"
	}
	return "an instance lost its session during the run"
}

// RequestStepLost is "Instance lost".
func (l Lang) RequestStepLost() string {
	if l == Chinese {
		return "实例丢失"
	}
	return "Instance lost"
}

// RequestStepReleased is "an instance released it".
func (l Lang) RequestStepReleased() string {
	if l == Chinese {
		return "实例释放了它"
	}
	return "an instance released it"
}

// RequestStepShards is "shards {list}".
func (l Lang) RequestStepShards(list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	return "shards " + list
}

// RequestStepShardsN is "{n} shards".
func (l Lang) RequestStepShardsN(n string) string {
	if l == Chinese {
		return n + " 个分片"
	}
	return n + " shards"
}

// RequestStepSnoozed is "snoozed by its handler".
func (l Lang) RequestStepSnoozed() string {
	if l == Chinese {
		return "被处理函数推迟"
	}
	return "snoozed by its handler"
}

// RequestStepSubmitted is "Requested".
func (l Lang) RequestStepSubmitted() string {
	if l == Chinese {
		return "已请求"
	}
	return "Requested"
}

// RequestSteps is "What happened".
func (l Lang) RequestSteps() string {
	if l == Chinese {
		return "经过"
	}
	return "What happened"
}

// RequestSub is "with parameters or without, as ZooKeeper has them".
func (l Lang) RequestSub() string {
	if l == Chinese {
		return "带或不带参数，以 ZooKeeper 中的为准"
	}
	return "with parameters or without, as ZooKeeper has them"
}

// RequestSubShards is "{done} of {total, plural, one {# shard} other {# shards}}".
func (l Lang) RequestSubShards(done string, total int) string {
	if l == Chinese {
		return done + "/" + number(total) + " 个分片"
	}
	if total == 1 {
		return done + " of " + number(total) + " shard"
	}
	return done + " of " + number(total) + " shards"
}

// RequestSubmit is "Request the run".
func (l Lang) RequestSubmit() string {
	if l == Chinese {
		return "请求运行"
	}
	return "Request the run"
}

// RequestTitle is "Requested runs".
func (l Lang) RequestTitle() string {
	if l == Chinese {
		return "请求的运行"
	}
	return "Requested runs"
}

// RequestTooLarge is "{why}".
func (l Lang) RequestTooLarge(why string) string {
	if l == Chinese {
		return "参数过大：" + why
	}
	return why
}

// RequestTooLargeHint is "Store what is large elsewhere, and pass where it is. Nothing was requested.".
func (l Lang) RequestTooLargeHint() string {
	if l == Chinese {
		return "请把大的内容存到别处，只传其位置。未提交任何请求。"
	}
	return "Store what is large elsewhere, and pass where it is. Nothing was requested."
}

// RequestTook is "Took".
func (l Lang) RequestTook() string {
	if l == Chinese {
		return "耗时"
	}
	return "Took"
}

// RequestUnit is "Unit".
func (l Lang) RequestUnit() string {
	if l == Chinese {
		return "单位"
	}
	return "Unit"
}

// RequestWaited is "Waited".
func (l Lang) RequestWaited() string {
	if l == Chinese {
		return "等待"
	}
	return "Waited"
}

// RequestWaitsAgent is "The registry shows nothing in its way: an agent decides about it next, usually within moments.".
func (l Lang) RequestWaitsAgent() string {
	if l == Chinese {
		return "注册中心里没有阻碍它的因素：接下来由进程处理，通常很快。"
	}
	return "The registry shows nothing in its way: an agent decides about it next, usually within moments."
}

// RequestWaitsBusy is "Waits because {n, plural, one {the only shard works} other {all # shards work}} on other runs. It begins when one of them has ended.".
func (l Lang) RequestWaitsBusy(n int) string {
	if l == Chinese {
		return "等待中：全部 " + number(n) + " 个分片都在执行其他运行，其中一个结束后开始。"
	}
	if n == 1 {
		return "Waits because the only shard works on other runs. It begins when one of them has ended."
	}
	return "Waits because all " + number(n) + " shards work on other runs. It begins when one of them has ended."
}

// RequestWaitsConfig is "Waits because agents can't use the job's configuration: {why}. Correct it; agents follow at once.".
func (l Lang) RequestWaitsConfig(why string) string {
	if l == Chinese {
		return "等待中：代理无法使用作业的配置：" + why + "。请更正配置，代理会立即采用。"
	}
	return "Waits because agents can't use the job's configuration: " + why + ". Correct it; agents follow at once."
}

// RequestWaitsDebug is "Waits because these processes are in Debug, so they begin only runs requested by people: {who}.".
func (l Lang) RequestWaitsDebug(who string) string {
	if l == Chinese {
		return "等待中：以下进程处于 Debug 模式，只开始由人工请求的运行：" + who + "。"
	}
	return "Waits because these processes are in Debug, so they begin only runs requested by people: " + who + "."
}

// RequestWaitsDisabled is "Waits because the servers of these processes are disabled: {who}. Enable the servers.".
func (l Lang) RequestWaitsDisabled(who string) string {
	if l == Chinese {
		return "等待中：以下进程所在的服务器已禁用：" + who + "。请启用这些服务器。"
	}
	return "Waits because the servers of these processes are disabled: " + who + ". Enable the servers."
}

// RequestWaitsHeld is "Waits because the job is held. Release it, or request the run as a person.".
func (l Lang) RequestWaitsHeld() string {
	if l == Chinese {
		return "等待中：作业已暂停。请恢复作业，或由人工请求运行。"
	}
	return "Waits because the job is held. Release it, or request the run as a person."
}

// RequestWaitsNoLeader is "Waits because the shards have to be assigned, and no process leads that could do it. See Explain of the job.".
func (l Lang) RequestWaitsNoLeader() string {
	if l == Chinese {
		return "等待中：分片需要重新分配，但没有能够分配的主节点。请查看作业的诊断。"
	}
	return "Waits because the shards have to be assigned, and no process leads that could do it. See Explain of the job."
}

// RequestWaitsNoOwner is "Waits because no process that is there has these shards: {shards}. See Explain of the job.".
func (l Lang) RequestWaitsNoOwner(shards string) string {
	if l == Chinese {
		return "等待中：以下分片不属于任何在线进程：" + shards + "。请查看作业的诊断。"
	}
	return "Waits because no process that is there has these shards: " + shards + ". See Explain of the job."
}

// RequestWaitsNoProcess is "Waits because no process serves the job. Start a process with the job, in this namespace.".
func (l Lang) RequestWaitsNoProcess() string {
	if l == Chinese {
		return "等待中：没有进程运行该作业。请在此命名空间启动包含该作业的进程。"
	}
	return "Waits because no process serves the job. Start a process with the job, in this namespace."
}

// RequestWaitsNode is "Waits because a node that no agent has made is in the way: {node}.".
func (l Lang) RequestWaitsNode(node string) string {
	if l == Chinese {
		return "正在等待：存在并非由代理创建的节点 " + node + "，妨碍其开始。"
	}
	return "Waits because a node that no agent has made is in the way: " + node + "."
}

// RequestWaitsNotGo is "Waits because these processes don't accept requested runs, like all Java processes: {who}. Serve the job from a Go process.".
func (l Lang) RequestWaitsNotGo(who string) string {
	if l == Chinese {
		return "等待中：以下进程（如 Java 进程）不接受请求的运行：" + who + "。请用 Go 进程运行该作业。"
	}
	return "Waits because these processes don't accept requested runs, like all Java processes: " + who + ". Serve the job from a Go process."
}

// RequestWaitsObstacle is "Waits because these processes announce why they can't run it, or assign its shards: {who}.".
func (l Lang) RequestWaitsObstacle(who string) string {
	if l == Chinese {
		return "正在等待：以下进程已报告无法运行或无法分配分片的原因：" + who + "。"
	}
	return "Waits because these processes announce why they can't run it, or assign its shards: " + who + "."
}

// RequestWaitsPlaces is "Waits because each process works on as many runs as its MaxParallel allows: {who}.".
func (l Lang) RequestWaitsPlaces(who string) string {
	if l == Chinese {
		return "等待中：每个进程执行的运行数都已达到其 MaxParallel：" + who + "。"
	}
	return "Waits because each process works on as many runs as its MaxParallel allows: " + who + "."
}

// RequestWaitsQueue is "Waits for {n, plural, one {# run that was} other {# runs that were}} due earlier.".
func (l Lang) RequestWaitsQueue(n int) string {
	if l == Chinese {
		return "等待 " + number(n) + " 个更早到期的运行。"
	}
	if n == 1 {
		return "Waits for " + number(n) + " run that was due earlier."
	}
	return "Waits for " + number(n) + " runs that were due earlier."
}

// RequestWaitsResharding is "Waits until the shards are assigned: for some seconds, unless the leader waits for shards that run.".
func (l Lang) RequestWaitsResharding() string {
	if l == Chinese {
		return "等待分片分配完成：通常只需几秒，除非主节点在等待正在运行的分片。"
	}
	return "Waits until the shards are assigned: for some seconds, unless the leader waits for shards that run."
}

// RequestWaitsRun is "Waits for run {run} to end.".
func (l Lang) RequestWaitsRun(run string) string {
	if l == Chinese {
		return "等待运行 " + run + " 结束。"
	}
	return "Waits for run " + run + " to end."
}

// RequestWaitsShardsOff is "Waits because shards were disabled after the run was opened: {shards}. Enable them, or cancel the run.".
func (l Lang) RequestWaitsShardsOff(shards string) string {
	if l == Chinese {
		return "等待中：运行开启后有分片被禁用：" + shards + "。请启用这些分片，或取消运行。"
	}
	return "Waits because shards were disabled after the run was opened: " + shards + ". Enable them, or cancel the run."
}

// RequestWaitsTime is "Begins at its time; it can be cancelled until then.".
func (l Lang) RequestWaitsTime() string {
	if l == Chinese {
		return "到时间后开始；在此之前可以取消。"
	}
	return "Begins at its time; it can be cancelled until then."
}

// RequestWhen is "When".
func (l Lang) RequestWhen() string {
	if l == Chinese {
		return "时间"
	}
	return "When"
}

// RequestWrongAt is "Write a date and a time to come, such as 2026-11-22 02:30.".
func (l Lang) RequestWrongAt() string {
	if l == Chinese {
		return "请填写将来的日期和时间，例如 2026-11-22 02:30。"
	}
	return "Write a date and a time to come, such as 2026-11-22 02:30."
}

// RequestWrongFar is "At most 365 days ahead.".
func (l Lang) RequestWrongFar() string {
	if l == Chinese {
		return "最多提前 365 天。"
	}
	return "At most 365 days ahead."
}

// RequestWrongIn is "Write a whole number from 1, such as 5.".
func (l Lang) RequestWrongIn() string {
	if l == Chinese {
		return "请填写从 1 开始的整数，例如 5。"
	}
	return "Write a whole number from 1, such as 5."
}

// RequestWrongJson is "This is no JSON.".
func (l Lang) RequestWrongJson() string {
	if l == Chinese {
		return "这不是 JSON。"
	}
	return "This is no JSON."
}

// RequestWrongNote is "{n, plural, one {# character} other {# characters}}; at most {most}.".
func (l Lang) RequestWrongNote(n int, most string) string {
	if l == Chinese {
		return number(n) + " 个字符；最多 " + most + " 个。"
	}
	if n == 1 {
		return number(n) + " character; at most " + most + "."
	}
	return number(n) + " characters; at most " + most + "."
}

// RequestWrongRanges is "Write numbers and ranges from 0 to {last}, such as 0-3,7.".
func (l Lang) RequestWrongRanges(last string) string {
	if l == Chinese {
		return "请填写 0 到 " + last + " 的编号和范围，例如 0-3,7。"
	}
	return "Write numbers and ranges from 0 to " + last + ", such as 0-3,7."
}

// RequestWrongShards is "Choose at least one shard.".
func (l Lang) RequestWrongShards() string {
	if l == Chinese {
		return "请至少选择一个分片。"
	}
	return "Choose at least one shard."
}

// RequestWrongWhich is "Shards of run {id}: want failed or all.".
func (l Lang) RequestWrongWhich(id string) string {
	if l == Chinese {
		return "运行 " + id + " 的分片：应为 failed 或 all。"
	}
	return "Shards of run " + id + ": want failed or all."
}
