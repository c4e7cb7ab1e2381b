// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ConfirmBack is "Back to the job".
func (l Lang) ConfirmBack() string {
	if l == Chinese {
		return "返回作业"
	}
	return "Back to the job"
}

// ConfirmCancel is "Cancel, change nothing".
func (l Lang) ConfirmCancel() string {
	if l == Chinese {
		return "取消，不做更改"
	}
	return "Cancel, change nothing"
}

// ConfirmImpossible is "This is not possible now".
func (l Lang) ConfirmImpossible() string {
	if l == Chinese {
		return "现在无法执行"
	}
	return "This is not possible now"
}

// ConfirmInstances is "Instances".
func (l Lang) ConfirmInstances() string {
	if l == Chinese {
		return "实例"
	}
	return "Instances"
}

// ConfirmRemove is "Delete {job}?".
func (l Lang) ConfirmRemove(job string) string {
	if l == Chinese {
		return "删除 " + job + "？"
	}
	return "Delete " + job + "?"
}

// ConfirmRemoveAgain is "If a process that contains this job starts again, it registers the job again from its code.".
func (l Lang) ConfirmRemoveAgain() string {
	if l == Chinese {
		return "包含该作业的进程再次启动时，会按代码重新注册该作业。"
	}
	return "If a process that contains this job starts again, it registers the job again from its code."
}

// ConfirmRemoveAlive is "{n, plural, one {# instance is} other {# instances are}} alive. Stop the instances first, or end their processes: a job that runs would only write itself again.".
func (l Lang) ConfirmRemoveAlive(n int) string {
	if l == Chinese {
		return "有 " + number(n) + " 个实例存活。请先终止实例或结束其进程：正在运行的作业会重新写入自己的数据。"
	}
	if n == 1 {
		return number(n) + " instance is alive. Stop the instances first, or end their processes: a job that runs would only write itself again."
	}
	return number(n) + " instances are alive. Stop the instances first, or end their processes: a job that runs would only write itself again."
}

// ConfirmRemoveHistory is "The history of its executions stays in the trace database.".
func (l Lang) ConfirmRemoveHistory() string {
	if l == Chinese {
		return "其执行历史保留在事件追踪数据库中。"
	}
	return "The history of its executions stays in the trace database."
}

// ConfirmRemoveRuns is "{n, plural, one {# requested run that hasn't ended is} other {# requested runs that haven't ended are}} cancelled.".
func (l Lang) ConfirmRemoveRuns(n int) string {
	if l == Chinese {
		return number(n) + " 个尚未结束的请求运行将被取消。"
	}
	if n == 1 {
		return number(n) + " requested run that hasn't ended is cancelled."
	}
	return number(n) + " requested runs that haven't ended are cancelled."
}

// ConfirmRemoveWhat is "The job's configuration and everything else stored about it in ZooKeeper is deleted. There is no undo; copy the configuration first if you may need it.".
func (l Lang) ConfirmRemoveWhat() string {
	if l == Chinese {
		return "作业的配置以及 ZooKeeper 中与它有关的一切都将被删除，无法撤销；如可能还需要，请先复制配置。"
	}
	return "The job's configuration and everything else stored about it in ZooKeeper is deleted. There is no undo; copy the configuration first if you may need it."
}

// ConfirmStop is "Stop the instances of {job}?".
func (l Lang) ConfirmStop(job string) string {
	if l == Chinese {
		return "终止 " + job + " 的实例？"
	}
	return "Stop the instances of " + job + "?"
}

// ConfirmStopFinal is "This cannot be undone from the console: the job runs again only when its processes are restarted.".
func (l Lang) ConfirmStopFinal() string {
	if l == Chinese {
		return "无法在控制台撤销：只有重启其进程后，作业才会再次运行。"
	}
	return "This cannot be undone from the console: the job runs again only when its processes are restarted."
}

// ConfirmStopNone is "No instance of this job is alive; there is nothing to stop.".
func (l Lang) ConfirmStopNone() string {
	if l == Chinese {
		return "该作业没有存活的实例，无可终止。"
	}
	return "No instance of this job is alive; there is nothing to stop."
}

// ConfirmStopProcess is "The processes themselves go on, and so do their other jobs.".
func (l Lang) ConfirmStopProcess() string {
	if l == Chinese {
		return "进程本身及其其他作业继续运行。"
	}
	return "The processes themselves go on, and so do their other jobs."
}

// ConfirmStopRunning is "{n, plural, one {# shard is} other {# shards are}} running now: what has started is not interrupted.".
func (l Lang) ConfirmStopRunning(n int) string {
	if l == Chinese {
		return number(n) + " 个分片正在运行：已开始的执行不会中断。"
	}
	if n == 1 {
		return number(n) + " shard is running now: what has started is not interrupted."
	}
	return number(n) + " shards are running now: what has started is not interrupted."
}

// ConfirmStopWhat is "{n, plural, one {# instance} other {# instances}} of this job will stop scheduling it.".
func (l Lang) ConfirmStopWhat(n int) string {
	if l == Chinese {
		return "该作业的 " + number(n) + " 个实例将停止调度它。"
	}
	if n == 1 {
		return number(n) + " instance of this job will stop scheduling it."
	}
	return number(n) + " instances of this job will stop scheduling it."
}

// ConfirmTypeName is "To confirm, type the job's name:".
func (l Lang) ConfirmTypeName() string {
	if l == Chinese {
		return "请输入作业名以确认："
	}
	return "To confirm, type the job's name:"
}

// ConfirmWrongName is "This is not the job's name. Nothing was changed; the name is {job}.".
func (l Lang) ConfirmWrongName(job string) string {
	if l == Chinese {
		return "这不是该作业的名称。未做任何更改；作业名为 " + job + "。"
	}
	return "This is not the job's name. Nothing was changed; the name is " + job + "."
}
