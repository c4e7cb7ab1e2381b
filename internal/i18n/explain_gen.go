// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ExplainAlike is "{n, plural, one {# other job fails} other {# other jobs fail}} alike, since {time}.".
func (l Lang) ExplainAlike(n int, time string) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个作业自 " + time + " 起以相同原因失败。"
	}
	if n == 1 {
		return number(n) + " other job fails alike, since " + time + "."
	}
	return number(n) + " other jobs fail alike, since " + time + "."
}

// ExplainAlikeOpen is "Open all of them".
func (l Lang) ExplainAlikeOpen() string {
	if l == Chinese {
		return "打开全部"
	}
	return "Open all of them"
}

// ExplainAlikeUndated is "{n, plural, one {# other job fails} other {# other jobs fail}} alike.".
func (l Lang) ExplainAlikeUndated(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个作业以相同原因失败。"
	}
	if n == 1 {
		return number(n) + " other job fails alike."
	}
	return number(n) + " other jobs fail alike."
}

// ExplainAround is "What happened lately".
func (l Lang) ExplainAround() string {
	if l == Chinese {
		return "近期发生的事"
	}
	return "What happened lately"
}

// ExplainAuditNode is "the audit log".
func (l Lang) ExplainAuditNode() string {
	if l == Chinese {
		return "审计日志"
	}
	return "the audit log"
}

// ExplainBadFormat is "there is no format {format}: text is one".
func (l Lang) ExplainBadFormat(format string) string {
	if l == Chinese {
		return "没有格式 " + format + "，可用 text"
	}
	return "there is no format " + format + ": text is one"
}

// ExplainChecks is "Checks".
func (l Lang) ExplainChecks() string {
	if l == Chinese {
		return "检查项"
	}
	return "Checks"
}

// ExplainChecksSub is "problems first, then what is fine".
func (l Lang) ExplainChecksSub() string {
	if l == Chinese {
		return "先列问题，再列正常项"
	}
	return "problems first, then what is fine"
}

// ExplainCopied is "Copied".
func (l Lang) ExplainCopied() string {
	if l == Chinese {
		return "已复制"
	}
	return "Copied"
}

// ExplainCopy is "Copy as text".
func (l Lang) ExplainCopy() string {
	if l == Chinese {
		return "复制为文本"
	}
	return "Copy as text"
}

// ExplainDoAway is "Bring the trace database back, or connect the console to one. If a file of SQLite was replaced, restart the console.".
func (l Lang) ExplainDoAway() string {
	if l == Chinese {
		return "恢复事件追踪数据源，或为控制台连接一个。如果 SQLite 文件被替换过，请重启控制台。"
	}
	return "Bring the trace database back, or connect the console to one. If a file of SQLite was replaced, restart the console."
}

// ExplainDoFailing is "Correct the cause; the next run that succeeds ends this. Trigger the job to try at once.".
func (l Lang) ExplainDoFailing() string {
	if l == Chinese {
		return "请排除原因；下一次成功的运行会使其恢复。可触发作业立即尝试。"
	}
	return "Correct the cause; the next run that succeeds ends this. Trigger the job to try at once."
}

// ExplainDoLate is "Deal with what is found besides. If nothing is, look into the log of the instances, or trigger the job. It stays late until it runs at a fire time.".
func (l Lang) ExplainDoLate() string {
	if l == Chinese {
		return "请先处理其他发现。如果没有，请查看实例日志，或触发作业。在下一个触发时间运行之前，作业仍显示为延迟。"
	}
	return "Deal with what is found besides. If nothing is, look into the log of the instances, or trigger the job. It stays late until it runs at a fire time."
}

// ExplainDoLateIdle is "Look into its log. If it's frozen, or was killed and its session hasn't ended, restart it. Trigger the job to have the run now. It stays late until it runs at a fire time.".
func (l Lang) ExplainDoLateIdle() string {
	if l == Chinese {
		return "请查看该实例的日志。如果其进程已冻结，或被终止但会话尚未结束，请重启它。可触发作业立即运行。在下一个触发时间运行之前，作业仍显示为延迟。"
	}
	return "Look into its log. If it's frozen, or was killed and its session hasn't ended, restart it. Trigger the job to have the run now. It stays late until it runs at a fire time."
}

// ExplainDoMissed is "Look into the log of the shards' owner, at its clock, and whether it runs anything on its own (Debug). Trigger the job to have the run now.".
func (l Lang) ExplainDoMissed() string {
	if l == Chinese {
		return "查看分片所属实例的日志和时钟，以及它是否会自行运行（Debug）。手动触发可立即运行。"
	}
	return "Look into the log of the shards' owner, at its clock, and whether it runs anything on its own (Debug). Trigger the job to have the run now."
}

// ExplainDoMore is "Deal with those before it, and look again.".
func (l Lang) ExplainDoMore() string {
	if l == Chinese {
		return "请先处理前面的，再重新查看。"
	}
	return "Deal with those before it, and look again."
}

// ExplainDoNotRecorded is "Check that its agents have a recorder (Java: tracing) that writes to this database, and look again after the next fire time.".
func (l Lang) ExplainDoNotRecorded() string {
	if l == Chinese {
		return "请确认其代理配置了写入此数据库的记录器（Java：事件追踪），并在下次触发后再次查看。"
	}
	return "Check that its agents have a recorder (Java: tracing) that writes to this database, and look again after the next fire time."
}

// ExplainDoRunning is "Until the run ends, the instance drops triggers.".
func (l Lang) ExplainDoRunning() string {
	if l == Chinese {
		return "运行结束之前，该实例会丢弃收到的触发。"
	}
	return "Until the run ends, the instance drops triggers."
}

// ExplainDoUnstable is "Compare the runs that failed: by shard, by instance and by time of day.".
func (l Lang) ExplainDoUnstable() string {
	if l == Chinese {
		return "比较失败的运行：按分片、实例和时段。"
	}
	return "Compare the runs that failed: by shard, by instance and by time of day."
}

// ExplainEditConfig is "Edit the configuration".
func (l Lang) ExplainEditConfig() string {
	if l == Chinese {
		return "编辑配置"
	}
	return "Edit the configuration"
}

// ExplainEnableJob is "Enable…".
func (l Lang) ExplainEnableJob() string {
	if l == Chinese {
		return "启用…"
	}
	return "Enable…"
}

// ExplainEnableShards is "Enable {n, plural, one {# shard} other {# shards}}…".
func (l Lang) ExplainEnableShards(n int) string {
	if l == Chinese {
		return "启用 " + number(n) + " 个分片…"
	}
	if n == 1 {
		return "Enable " + number(n) + " shard…"
	}
	return "Enable " + number(n) + " shards…"
}

// ExplainFixAllExcluded is "Correct schedule.exclude, or trigger the job by hand. Java agents do not know it and fire.".
func (l Lang) ExplainFixAllExcluded() string {
	if l == Chinese {
		return "请更正 schedule.exclude，或手动触发作业。Java 实例不识别该属性，仍会触发。"
	}
	return "Correct schedule.exclude, or trigger the job by hand. Java agents do not know it and fire."
}

// ExplainFixBarrierWaits is "Give each shard a live owner and enable it, or take the listener out of the configuration. The wait ends after the time limit of the listener, which is 10 minutes by default.".
func (l Lang) ExplainFixBarrierWaits() string {
	if l == Chinese {
		return "请确保每个分片都已启用且所属实例存活，或从配置中移除该监听器。等待会在监听器的时限（默认 10 分钟）后结束。"
	}
	return "Give each shard a live owner and enable it, or take the listener out of the configuration. The wait ends after the time limit of the listener, which is 10 minutes by default."
}

// ExplainFixClockChecked is "Look into the agents' logs, and keep the clocks in step.".
func (l Lang) ExplainFixClockChecked() string {
	if l == Chinese {
		return "请查看实例日志，并保持时钟同步。"
	}
	return "Look into the agents' logs, and keep the clocks in step."
}

// ExplainFixClockDiffers is "Set the clock of that machine, or of ZooKeeper's, and restart the process.".
func (l Lang) ExplainFixClockDiffers() string {
	if l == Chinese {
		return "请校准该机器或 ZooKeeper 所在机器的时钟，并重启该进程。"
	}
	return "Set the clock of that machine, or of ZooKeeper's, and restart the process."
}

// ExplainFixConfigAbsent is "Start an agent that declares the job, which writes it; or remove what is left of the job.".
func (l Lang) ExplainFixConfigAbsent() string {
	if l == Chinese {
		return "请启动声明该作业的实例以写入配置，或删除作业的残留数据。"
	}
	return "Start an agent that declares the job, which writes it; or remove what is left of the job."
}

// ExplainFixConfigKeyUnknown is "Correct the key in the configuration's node, or take it away; Java agents follow at once. Agents written in Go leave unknown keys alone.".
func (l Lang) ExplainFixConfigKeyUnknown() string {
	if l == Chinese {
		return "请在配置节点中更正或去掉该项，Java 实例会立即采用。Go 实例会忽略未知的配置项。"
	}
	return "Correct the key in the configuration's node, or take it away; Java agents follow at once. Agents written in Go leave unknown keys alone."
}

// ExplainFixConfigOtherRelease is "Look into their logs. If they do, rename the key.".
func (l Lang) ExplainFixConfigOtherRelease() string {
	if l == Chinese {
		return "请查看它们的日志；如确实出错，请改用对应版本的配置项名称。"
	}
	return "Look into their logs. If they do, rename the key."
}

// ExplainFixConfigUnreadable is "Correct the document; agents follow at once.".
func (l Lang) ExplainFixConfigUnreadable() string {
	if l == Chinese {
		return "请更正配置文档，实例会立即采用。"
	}
	return "Correct the document; agents follow at once."
}

// ExplainFixConfigUnusable is "Correct {field}; agents follow at once.".
func (l Lang) ExplainFixConfigUnusable(field string) string {
	if l == Chinese {
		return "请更正 " + field + "，实例会立即采用。"
	}
	return "Correct " + field + "; agents follow at once."
}

// ExplainFixCrashes is "Look into how the processes ended: an exit in a handler, a kill, or too little memory. Until their sessions end, runs of such processes seem to go on.".
func (l Lang) ExplainFixCrashes() string {
	if l == Chinese {
		return "请检查这些进程如何结束：处理程序中的退出、被终止，或内存不足。会话结束之前，这些进程的运行看起来仍在进行。"
	}
	return "Look into how the processes ended: an exit in a handler, a kill, or too little memory. Until their sessions end, runs of such processes seem to go on."
}

// ExplainFixCronNeverAgain is "Correct cron, or trigger the job by hand.".
func (l Lang) ExplainFixCronNeverAgain() string {
	if l == Chinese {
		return "请更正 Cron 表达式，或手动触发作业。"
	}
	return "Correct cron, or trigger the job by hand."
}

// ExplainFixDropped is "Let the job fire less often than it takes, divide it into more shards, or turn misfire and monitorExecution on.".
func (l Lang) ExplainFixDropped() string {
	if l == Chinese {
		return "请让触发间隔大于运行耗时，增加分片数，或同时开启 misfire 和 monitorExecution。"
	}
	return "Let the job fire less often than it takes, divide it into more shards, or turn misfire and monitorExecution on."
}

// ExplainFixFailoverOffered is "An instance takes it when its run has ended. If it stays, look into the log of the instances, trigger the job, or delete the node if it is left over.".
func (l Lang) ExplainFixFailoverOffered() string {
	if l == Chinese {
		return "实例在运行结束后会接手。如持续存在，请查看实例日志，触发作业；如果是残留节点，请删除。"
	}
	return "An instance takes it when its run has ended. If it stays, look into the log of the instances, trigger the job, or delete the node if it is left over."
}

// ExplainFixFailoverStale is "Agents remove the marker when they notice the crash. If it stays, delete the node.".
func (l Lang) ExplainFixFailoverStale() string {
	if l == Chinese {
		return "实例发现崩溃后会移除标记。如持续存在，请删除该节点。"
	}
	return "Agents remove the marker when they notice the crash. If it stays, delete the node."
}

// ExplainFixFailoverTaken is "This lasts a moment. If it stays, restart {instance}.".
func (l Lang) ExplainFixFailoverTaken(instance string) string {
	if l == Chinese {
		return "通常很快结束。如持续存在，请重启 " + instance + "。"
	}
	return "This lasts a moment. If it stays, restart " + instance + "."
}

// ExplainFixForbidden is "Connect with credentials that may read the job, or correct the ACL of its nodes.".
func (l Lang) ExplainFixForbidden() string {
	if l == Chinese {
		return "使用有权读取该作业的凭据连接，或修正其节点的 ACL。"
	}
	return "Connect with credentials that may read the job, or correct the ACL of its nodes."
}

// ExplainFixForeignNode is "Find out who made them, and delete them.".
func (l Lang) ExplainFixForeignNode() string {
	if l == Chinese {
		return "请查明来源并删除。"
	}
	return "Find out who made them, and delete them."
}

// ExplainFixHeld is "Release the job. What passed meanwhile is not made up for; what a person asks for runs all the same.".
func (l Lang) ExplainFixHeld() string {
	if l == Chinese {
		return "请恢复作业。期间错过的不会补跑；由人发起的仍会运行。"
	}
	return "Release the job. What passed meanwhile is not made up for; what a person asks for runs all the same."
}

// ExplainFixHoldUnheard is "Delete the node. To hold the job, use the console or the command line.".
func (l Lang) ExplainFixHoldUnheard() string {
	if l == Chinese {
		return "请删除该节点。如需暂停作业，请使用控制台或命令行。"
	}
	return "Delete the node. To hold the job, use the console or the command line."
}

// ExplainFixInstanceGhost is "Delete the node.".
func (l Lang) ExplainFixInstanceGhost() string {
	if l == Chinese {
		return "请删除该节点。"
	}
	return "Delete the node."
}

// ExplainFixInstanceLost is "Start it again. If it won't return, acknowledge the loss on the overview.".
func (l Lang) ExplainFixInstanceLost() string {
	if l == Chinese {
		return "重新启动它；如果它不再返回，请在概览页确认该丢失。"
	}
	return "Start it again. If it won't return, acknowledge the loss on the overview."
}

// ExplainFixInstanceUnreadable is "Restart that process, which writes the node again.".
func (l Lang) ExplainFixInstanceUnreadable() string {
	if l == Chinese {
		return "请重启该进程，它会重新写入节点。"
	}
	return "Restart that process, which writes the node again."
}

// ExplainFixItemDisabled is "Enable the shard.".
func (l Lang) ExplainFixItemDisabled() string {
	if l == Chinese {
		return "请启用该分片。"
	}
	return "Enable the shard."
}

// ExplainFixItemWithoutOwner is "The leader looks for such shards at its next reconciliation and when an instance comes or leaves. To have it at once, restart an instance.".
func (l Lang) ExplainFixItemWithoutOwner() string {
	if l == Chinese {
		return "主节点会在下一次对账时，以及有实例加入或离开时查找此类分片。如需立即处理，请重启一个实例。"
	}
	return "The leader looks for such shards at its next reconciliation and when an instance comes or leaves. To have it at once, restart an instance."
}

// ExplainFixJobDisabled is "Enable the job.".
func (l Lang) ExplainFixJobDisabled() string {
	if l == Chinese {
		return "请启用作业。"
	}
	return "Enable the job."
}

// ExplainFixJobRefused is "Give one of the two jobs another name, or remove the stored job when no process serves it any more.".
func (l Lang) ExplainFixJobRefused() string {
	if l == Chinese {
		return "请为其中一个作业改名；或在没有进程运行已存储的作业后将其移除。"
	}
	return "Give one of the two jobs another name, or remove the stored job when no process serves it any more."
}

// ExplainFixLeaderGone is "The node goes with that process's session. If no session holds it, delete it; agents create it again when they need it.".
func (l Lang) ExplainFixLeaderGone() string {
	if l == Chinese {
		return "该节点随进程会话消失。如果没有会话持有它，请删除，需要时实例会重新创建。"
	}
	return "The node goes with that process's session. If no session holds it, delete it; agents create it again when they need it."
}

// ExplainFixNoEnabledInstance is "Enable a server that has an instance, or start one elsewhere.".
func (l Lang) ExplainFixNoEnabledInstance() string {
	if l == Chinese {
		return "请启用有实例的服务器，或在别处启动实例。"
	}
	return "Enable a server that has an instance, or start one elsewhere."
}

// ExplainFixNoInstance is "Start a process that contains the job, in this namespace.".
func (l Lang) ExplainFixNoInstance() string {
	if l == Chinese {
		return "请在此命名空间中启动包含该作业的进程。"
	}
	return "Start a process that contains the job, in this namespace."
}

// ExplainFixNoLeader is "An enabled instance is elected within a moment. If this stays, the process that is first in line is frozen: stop it.".
func (l Lang) ExplainFixNoLeader() string {
	if l == Chinese {
		return "稍后会选出一个启用的实例。如持续存在，说明排在首位的进程已卡住：请停止它。"
	}
	return "An enabled instance is elected within a moment. If this stays, the process that is first in line is frozen: stop it."
}

// ExplainFixNothingAssigned is "The leader reshards when the job fires for the first time, one written in Go at once. Trigger the job if it stays.".
func (l Lang) ExplainFixNothingAssigned() string {
	if l == Chinese {
		return "主节点在作业首次触发时分配（Go 主节点会立即分配）。如持续存在，请触发作业。"
	}
	return "The leader reshards when the job fires for the first time, one written in Go at once. Trigger the job if it stays."
}

// ExplainFixNumberOutOfBounds is "Correct {field}; agents follow at once.".
func (l Lang) ExplainFixNumberOutOfBounds(field string) string {
	if l == Chinese {
		return "请更正 " + field + "，实例会立即采用。"
	}
	return "Correct " + field + "; agents follow at once."
}

// ExplainFixObstacleAssigning is "Remove the cause; the agent tries again by itself. Its log has more.".
func (l Lang) ExplainFixObstacleAssigning() string {
	if l == Chinese {
		return "请排除上述原因；代理会自动重试，详见其日志。"
	}
	return "Remove the cause; the agent tries again by itself. Its log has more."
}

// ExplainFixObstacleBroken is "It's a bug of the agent, or of the recorder or tracer that the program gave it: its log has the stack. Correct it and restart the process.".
func (l Lang) ExplainFixObstacleBroken() string {
	if l == Chinese {
		return "这是代理的缺陷，或程序提供的记录器、追踪器的缺陷：其日志中有堆栈。请修正后重启该进程。"
	}
	return "It's a bug of the agent, or of the recorder or tracer that the program gave it: its log has the stack. Correct it and restart the process."
}

// ExplainFixObstacleDebug is "Start its process without Debug, or trigger the job there.".
func (l Lang) ExplainFixObstacleDebug() string {
	if l == Chinese {
		return "请不带 Debug 启动该进程，或在该实例上触发作业。"
	}
	return "Start its process without Debug, or trigger the job there."
}

// ExplainFixObstacleErrorHandler is "Choose an error handler in the configuration that the program knows, or register this one in the program.".
func (l Lang) ExplainFixObstacleErrorHandler() string {
	if l == Chinese {
		return "请在配置中选择程序支持的错误处理器，或在程序中注册该处理器。"
	}
	return "Choose an error handler in the configuration that the program knows, or register this one in the program."
}

// ExplainFixObstacleErrorHandlerHangs is "Correct the error handler, or stop the process: others get its shards then, and the shards that run are interrupted.".
func (l Lang) ExplainFixObstacleErrorHandlerHangs() string {
	if l == Chinese {
		return "请修正该错误处理器，或停止该进程：随后其分片由其他实例接管，正在运行的分片会中断。"
	}
	return "Correct the error handler, or stop the process: others get its shards then, and the shards that run are interrupted."
}

// ExplainFixObstacleExecutor is "Choose an executor type in the configuration that the program knows, or register this one in the program.".
func (l Lang) ExplainFixObstacleExecutor() string {
	if l == Chinese {
		return "请在配置中选择程序支持的执行器类型，或在程序中注册该类型。"
	}
	return "Choose an executor type in the configuration that the program knows, or register this one in the program."
}

// ExplainFixObstacleForbidden is "Give the agent credentials that may read and write the job's nodes, or correct the ACL of these nodes.".
func (l Lang) ExplainFixObstacleForbidden() string {
	if l == Chinese {
		return "请为代理配置可读写该作业节点的凭据，或修正这些节点的 ACL。"
	}
	return "Give the agent credentials that may read and write the job's nodes, or correct the ACL of these nodes."
}

// ExplainFixObstacleHandlerHangs is "Stop the process, and correct the handler: it must return when its context ends.".
func (l Lang) ExplainFixObstacleHandlerHangs() string {
	if l == Chinese {
		return "请停止该进程，并修正处理程序：上下文结束时它必须返回。"
	}
	return "Stop the process, and correct the handler: it must return when its context ends."
}

// ExplainFixObstacleListener is "Register the listener in the program, or take it out of the configuration.".
func (l Lang) ExplainFixObstacleListener() string {
	if l == Chinese {
		return "请在程序中注册该监听器，或从配置中移除。"
	}
	return "Register the listener in the program, or take it out of the configuration."
}

// ExplainFixObstacleListenerFails is "Correct the listener. The agent's log has more, and the stack of a panic. The finding goes after a run without a failure.".
func (l Lang) ExplainFixObstacleListenerFails() string {
	if l == Chinese {
		return "请修正监听器。代理日志中有更多信息及 panic 的堆栈。下一次无失败的运行之后，此项会消失。"
	}
	return "Correct the listener. The agent's log has more, and the stack of a panic. The finding goes after a run without a failure."
}

// ExplainFixObstacleListenerHangs is "Correct the listener, or stop the process: others get its shards then, and the shards that run are interrupted.".
func (l Lang) ExplainFixObstacleListenerHangs() string {
	if l == Chinese {
		return "请修正该监听器，或停止该进程：随后其分片由其他实例接管，正在运行的分片会中断。"
	}
	return "Correct the listener, or stop the process: others get its shards then, and the shards that run are interrupted."
}

// ExplainFixObstacleNoPlace is "Wait until a handler of that process ends, or restart the process with a larger MaxParallel.".
func (l Lang) ExplainFixObstacleNoPlace() string {
	if l == Chinese {
		return "请等待该进程中的某个处理程序结束，或调高 MaxParallel 后重启该进程。"
	}
	return "Wait until a handler of that process ends, or restart the process with a larger MaxParallel."
}

// ExplainFixObstacleNotBegun is "Remove the cause, and trigger the job to have the run now. The agent's log has more.".
func (l Lang) ExplainFixObstacleNotBegun() string {
	if l == Chinese {
		return "请排除上述原因，并触发作业以立即运行。详见代理日志。"
	}
	return "Remove the cause, and trigger the job to have the run now. The agent's log has more."
}

// ExplainFixObstacleStrategy is "Choose a sharding strategy in the configuration that the leader knows, or register this one in its program.".
func (l Lang) ExplainFixObstacleStrategy() string {
	if l == Chinese {
		return "请在配置中选择主节点支持的分片策略，或在其程序中注册该策略。"
	}
	return "Choose a sharding strategy in the configuration that the leader knows, or register this one in its program."
}

// ExplainFixOneInstance is "Start another process that contains the job.".
func (l Lang) ExplainFixOneInstance() string {
	if l == Chinese {
		return "再启动一个包含该作业的进程。"
	}
	return "Start another process that contains the job."
}

// ExplainFixOverrun is "Let the job fire less often than it takes, or divide it into more shards.".
func (l Lang) ExplainFixOverrun() string {
	if l == Chinese {
		return "请让触发间隔大于运行耗时，或增加分片数。"
	}
	return "Let the job fire less often than it takes, or divide it into more shards."
}

// ExplainFixReshard is "The leader reshards, one written in Go at once, one of Java's when the job fires; trigger the job if it stays. With staticSharding no leader does: start the owner with the same instance id, enable its server, or turn staticSharding off until each shard has an owner.".
func (l Lang) ExplainFixReshard() string {
	if l == Chinese {
		return "主节点会重新分片：Go 主节点立即执行，Java 主节点在作业触发时执行；如持续存在，请触发作业。启用 staticSharding 时不会重新分片：请以相同的实例 ID 启动所属实例，或启用其服务器，或暂时关闭 staticSharding。"
	}
	return "The leader reshards, one written in Go at once, one of Java's when the job fires; trigger the job if it stays. With staticSharding no leader does: start the owner with the same instance id, enable its server, or turn staticSharding off until each shard has an owner."
}

// ExplainFixReshardingAnnounced is "A leader written in Go does it at once, one of Java's when the job fires; trigger the job to have it now.".
func (l Lang) ExplainFixReshardingAnnounced() string {
	if l == Chinese {
		return "Go 主节点会立即执行，Java 主节点在作业触发时执行；可触发作业立即执行。"
	}
	return "A leader written in Go does it at once, one of Java's when the job fires; trigger the job to have it now."
}

// ExplainFixReshardingProcessing is "It goes on when the runs that it waits for end. Stop a process whose shard never ends.".
func (l Lang) ExplainFixReshardingProcessing() string {
	if l == Chinese {
		return "所等待的运行结束后会继续。如某分片一直不结束，请停止其进程。"
	}
	return "It goes on when the runs that it waits for end. Stop a process whose shard never ends."
}

// ExplainFixRunPropertyWrong is "Correct {field}; agents follow at once.".
func (l Lang) ExplainFixRunPropertyWrong(field string) string {
	if l == Chinese {
		return "请更正 " + field + "，实例会立即采用。"
	}
	return "Correct " + field + "; agents follow at once."
}

// ExplainFixRunningForged is "Delete the node (delete {node}).".
func (l Lang) ExplainFixRunningForged(node string) string {
	if l == Chinese {
		return "请删除该节点（delete " + node + "）。"
	}
	return "Delete the node (delete " + node + ")."
}

// ExplainFixRunningStale is "A leader written in Go clears the marker when it reshards. If it stays, make sure that the process has ended and delete the node.".
func (l Lang) ExplainFixRunningStale() string {
	if l == Chinese {
		return "Go 主节点在重新分片时会清除标记。如持续存在，请确认进程已结束，再删除该节点。"
	}
	return "A leader written in Go clears the marker when it reshards. If it stays, make sure that the process has ended and delete the node."
}

// ExplainFixScheduleEnded is "Set schedule.until later, or trigger the job by hand. Java agents do not know it and fire.".
func (l Lang) ExplainFixScheduleEnded() string {
	if l == Chinese {
		return "请将 schedule.until 推后，或手动触发作业。Java 实例不识别该属性，仍会触发。"
	}
	return "Set schedule.until later, or trigger the job by hand. Java agents do not know it and fire."
}

// ExplainFixServerAbsent is "Restart the process there; it registers its server when it starts.".
func (l Lang) ExplainFixServerAbsent() string {
	if l == Chinese {
		return "请重启该进程，启动时会注册其服务器。"
	}
	return "Restart the process there; it registers its server when it starts."
}

// ExplainFixServerDisabled is "Enable the server.".
func (l Lang) ExplainFixServerDisabled() string {
	if l == Chinese {
		return "请启用该服务器。"
	}
	return "Enable the server."
}

// ExplainFixShutDown is "Restart a process that contains the job: it registers again.".
func (l Lang) ExplainFixShutDown() string {
	if l == Chinese {
		return "请重启包含该作业的进程：它会重新注册。"
	}
	return "Restart a process that contains the job: it registers again."
}

// ExplainFixTimeZoneIgnored is "Write it as GMT+8:00.".
func (l Lang) ExplainFixTimeZoneIgnored() string {
	if l == Chinese {
		return "请写成 GMT+8:00。"
	}
	return "Write it as GMT+8:00."
}

// ExplainFixTriggerOrphaned is "Trigger the job again: that replaces the order.".
func (l Lang) ExplainFixTriggerOrphaned() string {
	if l == Chinese {
		return "请再次触发作业。"
	}
	return "Trigger the job again: that replaces the order."
}

// ExplainFixTriggerWaiting is "It is taken within a moment. If it stays, the process is frozen or does not watch: restart it.".
func (l Lang) ExplainFixTriggerWaiting() string {
	if l == Chinese {
		return "通常很快会接收。如持续存在，则进程已卡住或不再监听，请重启。"
	}
	return "It is taken within a moment. If it stays, the process is frozen or does not watch: restart it."
}

// ExplainFixUnserved is "Trigger the job to have the run now, or turn misfire and monitorExecution on.".
func (l Lang) ExplainFixUnserved() string {
	if l == Chinese {
		return "请触发作业以立即运行，或同时开启 misfire 和 monitorExecution。"
	}
	return "Trigger the job to have the run now, or turn misfire and monitorExecution on."
}

// ExplainFixZoneUnknownToJava is "Stop the Java agents, or set timeZone instead.".
func (l Lang) ExplainFixZoneUnknownToJava() string {
	if l == Chinese {
		return "请停止 Java 实例，或改为设置 timeZone。"
	}
	return "Stop the Java agents, or set timeZone instead."
}

// ExplainFixZonesDiffer is "Set timeZone, or schedule.zone if all agents are written in Go.".
func (l Lang) ExplainFixZonesDiffer() string {
	if l == Chinese {
		return "请设置 timeZone；如果所有实例都是 Go 编写的，也可设置 schedule.zone。"
	}
	return "Set timeZone, or schedule.zone if all agents are written in Go."
}

// ExplainIsAllExcluded is "schedule.exclude leaves out all fire times that are left: {value}.".
func (l Lang) ExplainIsAllExcluded(value string) string {
	if l == Chinese {
		return "schedule.exclude 排除了剩余的全部触发时间：" + value + "。"
	}
	return "schedule.exclude leaves out all fire times that are left: " + value + "."
}

// ExplainIsBarrierWaits is "{shards}: waiting at the barrier of a listener, which only all shards open: {others}.".
func (l Lang) ExplainIsBarrierWaits(shards string, others string) string {
	if l == Chinese {
		return shards + "：在监听器的屏障处等待其余分片（" + others + "），全部分片到齐后才能继续。"
	}
	return shards + ": waiting at the barrier of a listener, which only all shards open: " + others + "."
}

// ExplainIsClockChecked is "An instance whose clock differs from ZooKeeper's by more than {value} s reports an error at each run.".
func (l Lang) ExplainIsClockChecked(value string) string {
	if l == Chinese {
		return "时钟与 ZooKeeper 相差超过 " + value + " 秒的实例每次运行都会报错。"
	}
	return "An instance whose clock differs from ZooKeeper's by more than " + value + " s reports an error at each run."
}

// ExplainIsClockDiffers is "When {instance} registered, its clock differed from ZooKeeper's: {value}. It fires by its own clock.".
func (l Lang) ExplainIsClockDiffers(instance string, value string) string {
	if l == Chinese {
		return instance + " 注册时，其时钟与 ZooKeeper 的时钟不一致：" + value + "。它按自己的时钟触发。"
	}
	return "When " + instance + " registered, its clock differed from ZooKeeper's: " + value + ". It fires by its own clock."
}

// ExplainIsConfigAbsent is "The job has no configuration: it was removed, or never written.".
func (l Lang) ExplainIsConfigAbsent() string {
	if l == Chinese {
		return "作业没有配置：已被移除，或从未写入。"
	}
	return "The job has no configuration: it was removed, or never written."
}

// ExplainIsConfigKeyUnknown is "Java agents fail over the key {field} of the configuration at every fire time.".
func (l Lang) ExplainIsConfigKeyUnknown(field string) string {
	if l == Chinese {
		return "Java 实例会因配置项 " + field + " 在每次触发时出错。"
	}
	return "Java agents fail over the key " + field + " of the configuration at every fire time."
}

// ExplainIsConfigOtherRelease is "{field} is a key of another release than that of other jobs' Java agents: if this job's Java agents are of theirs, they fail at every fire time.".
func (l Lang) ExplainIsConfigOtherRelease(field string) string {
	if l == Chinese {
		return field + " 是另一版本的配置项：如果该作业的 Java 实例与其他作业的版本相同，则每次触发都会出错。"
	}
	return field + " is a key of another release than that of other jobs' Java agents: if this job's Java agents are of theirs, they fail at every fire time."
}

// ExplainIsConfigUnreadable is "The configuration cannot be read: {cause}".
func (l Lang) ExplainIsConfigUnreadable(cause string) string {
	if l == Chinese {
		return "配置无法读取：" + cause
	}
	return "The configuration cannot be read: " + cause
}

// ExplainIsConfigUnusable is "The configuration's {field} cannot be used: {cause}".
func (l Lang) ExplainIsConfigUnusable(field string, cause string) string {
	if l == Chinese {
		return "配置项 " + field + " 无法使用：" + cause
	}
	return "The configuration's " + field + " cannot be used: " + cause
}

// ExplainIsCrashes is "Instances of the job were lost again and again: their processes ended, or lost ZooKeeper.".
func (l Lang) ExplainIsCrashes() string {
	if l == Chinese {
		return "该作业的实例一再丢失：其进程已结束，或与 ZooKeeper 断开。"
	}
	return "Instances of the job were lost again and again: their processes ended, or lost ZooKeeper."
}

// ExplainIsCronNeverAgain is "The schedule {value} has no fire time to come.".
func (l Lang) ExplainIsCronNeverAgain(value string) string {
	if l == Chinese {
		return "Cron 表达式 " + value + " 不会再触发。"
	}
	return "The schedule " + value + " has no fire time to come."
}

// ExplainIsDayExcluded is "The next time of the cron expression is on a day that schedule.exclude leaves out: {value}. Java agents do not know it and fire.".
func (l Lang) ExplainIsDayExcluded(value string) string {
	if l == Chinese {
		return "Cron 表达式的下一个时间落在被 schedule.exclude 排除的日期内：" + value + "。Java 实例不识别该属性，仍会触发。"
	}
	return "The next time of the cron expression is on a day that schedule.exclude leaves out: " + value + ". Java agents do not know it and fire."
}

// ExplainIsDropped is "A fire time passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.".
func (l Lang) ExplainIsDropped() string {
	if l == Chinese {
		return "触发时间到来时上一次运行尚未结束，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"
	}
	return "A fire time passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for."
}

// ExplainIsFailing is "{shards}: failed or lost in the last run.".
func (l Lang) ExplainIsFailing(shards string) string {
	if l == Chinese {
		return shards + "：最近一次运行中失败或丢失。"
	}
	return shards + ": failed or lost in the last run."
}

// ExplainIsFailoverOffered is "{shards}: offered to others for failover; no instance has taken it.".
func (l Lang) ExplainIsFailoverOffered(shards string) string {
	if l == Chinese {
		return shards + "：等待失效转移，尚无实例接手。"
	}
	return shards + ": offered to others for failover; no instance has taken it."
}

// ExplainIsFailoverStale is "{shards}: failed over to {instance}, which is not there.".
func (l Lang) ExplainIsFailoverStale(shards string, instance string) string {
	if l == Chinese {
		return shards + "：已失效转移到 " + instance + "，但它已不在。"
	}
	return shards + ": failed over to " + instance + ", which is not there."
}

// ExplainIsFailoverTaken is "{shards}: failed over to {instance}, which does not run it yet; the owner leaves it out.".
func (l Lang) ExplainIsFailoverTaken(shards string, instance string) string {
	if l == Chinese {
		return shards + "：已失效转移到 " + instance + "，尚未运行；所属实例会跳过它。"
	}
	return shards + ": failed over to " + instance + ", which does not run it yet; the owner leaves it out."
}

// ExplainIsForeignNode is "Nodes have names that no agent gives. Agents written in Go leave them out; Java agents may fail over them.".
func (l Lang) ExplainIsForeignNode() string {
	if l == Chinese {
		return "有些节点的名称不是实例写入的。Go 实例会忽略，Java 实例可能因此出错。"
	}
	return "Nodes have names that no agent gives. Agents written in Go leave them out; Java agents may fail over them."
}

// ExplainIsHeld is "The job is held by {name}. {what}".
func (l Lang) ExplainIsHeld(name string, what string) string {
	if l == Chinese {
		return "作业被 " + name + " 暂停。" + what
	}
	return "The job is held by " + name + ". " + what
}

// ExplainIsHeldJava is "Java agents do not know of a hold and fire.".
func (l Lang) ExplainIsHeldJava() string {
	if l == Chinese {
		return "Java 代理不知道暂停，仍会触发。"
	}
	return "Java agents do not know of a hold and fire."
}

// ExplainIsHeldWhy is "The job is held by {name}: {reason}. {what}".
func (l Lang) ExplainIsHeldWhy(name string, reason string, what string) string {
	if l == Chinese {
		return "作业被 " + name + " 暂停：" + reason + "。" + what
	}
	return "The job is held by " + name + ": " + reason + ". " + what
}

// ExplainIsHoldUnheard is "The node of a hold was made by hand, and agents don't look at it: nothing is held.".
func (l Lang) ExplainIsHoldUnheard() string {
	if l == Chinese {
		return "有人手工创建了类似暂停的节点，但实例不会读取：作业并未暂停。"
	}
	return "The node of a hold was made by hand, and agents don't look at it: nothing is held."
}

// ExplainIsInstanceGhost is "No session holds the node of {instance}, so no process is behind it. Agents give it shards, which don't run.".
func (l Lang) ExplainIsInstanceGhost(instance string) string {
	if l == Chinese {
		return instance + " 的节点不属于任何会话，其背后没有进程。代理会给它分配分片，但这些分片不会运行。"
	}
	return "No session holds the node of " + instance + ", so no process is behind it. Agents give it shards, which don't run."
}

// ExplainIsInstanceLost is "{instance} was lost at {at}: it left without an orderly stop, and hasn't returned.".
func (l Lang) ExplainIsInstanceLost(instance string, at string) string {
	if l == Chinese {
		return instance + " 于 " + at + " 丢失：它没有正常停止就离开了，且尚未返回。"
	}
	return instance + " was lost at " + at + ": it left without an orderly stop, and hasn't returned."
}

// ExplainIsInstanceUnreadable is "The node of {instance} does not name its instance, so it gets no shards.".
func (l Lang) ExplainIsInstanceUnreadable(instance string) string {
	if l == Chinese {
		return instance + " 的节点没有注明实例，因此分配不到分片。"
	}
	return "The node of " + instance + " does not name its instance, so it gets no shards."
}

// ExplainIsItemBeyond is "{shards}: beyond shardingTotalCount; goes at the next resharding.".
func (l Lang) ExplainIsItemBeyond(shards string) string {
	if l == Chinese {
		return shards + "：超出 shardingTotalCount，将在下次重新分片时移除。"
	}
	return shards + ": beyond shardingTotalCount; goes at the next resharding."
}

// ExplainIsItemDisabled is "{shards}: switched off by an operator.".
func (l Lang) ExplainIsItemDisabled(shards string) string {
	if l == Chinese {
		return shards + "：已被操作员禁用。"
	}
	return shards + ": switched off by an operator."
}

// ExplainIsItemOwnerDisabled is "{shards}: the owner is {instance}, which may not run anything.".
func (l Lang) ExplainIsItemOwnerDisabled(shards string, instance string) string {
	if l == Chinese {
		return shards + "：所属实例 " + instance + " 不允许运行。"
	}
	return shards + ": the owner is " + instance + ", which may not run anything."
}

// ExplainIsItemOwnerGone is "{shards}: the owner is {instance}, which is not there.".
func (l Lang) ExplainIsItemOwnerGone(shards string, instance string) string {
	if l == Chinese {
		return shards + "：所属实例 " + instance + " 已不在。"
	}
	return shards + ": the owner is " + instance + ", which is not there."
}

// ExplainIsItemWithoutOwner is "{shards}: without an owner, so it doesn't run. An agent written in Go that reads the assignment while a shard has no owner runs nothing of the job.".
func (l Lang) ExplainIsItemWithoutOwner(shards string) string {
	if l == Chinese {
		return shards + "：没有所属实例，因此没有实例运行。在此期间读取分配情况的 Go 实例不运行该作业的任何分片。"
	}
	return shards + ": without an owner, so it doesn't run. An agent written in Go that reads the assignment while a shard has no owner runs nothing of the job."
}

// ExplainIsJavaLost is "{instance}, a Java agent, left at {at} while it was running shards, and hasn't returned.".
func (l Lang) ExplainIsJavaLost(instance string, at string) string {
	if l == Chinese {
		return "Java 实例 " + instance + " 于 " + at + " 在运行分片时离开，且尚未返回。"
	}
	return instance + ", a Java agent, left at " + at + " while it was running shards, and hasn't returned."
}

// ExplainIsJobDisabled is "The job is disabled: none of its servers is enabled.".
func (l Lang) ExplainIsJobDisabled() string {
	if l == Chinese {
		return "作业已禁用：没有任何服务器处于启用状态。"
	}
	return "The job is disabled: none of its servers is enabled."
}

// ExplainIsJobRefused is "The process {instance} contains the job and refuses to serve it: {reason}".
func (l Lang) ExplainIsJobRefused(instance string, reason string) string {
	if l == Chinese {
		return "进程 " + instance + " 包含该作业，但拒绝运行：" + reason
	}
	return "The process " + instance + " contains the job and refuses to serve it: " + reason
}

// ExplainIsLate is "A fire time passed without a run.".
func (l Lang) ExplainIsLate() string {
	if l == Chinese {
		return "触发时间已过，但没有运行。"
	}
	return "A fire time passed without a run."
}

// ExplainIsLeaderGone is "The leader is {instance}, which is not registered. No other leader is elected while its node exists.".
func (l Lang) ExplainIsLeaderGone(instance string) string {
	if l == Chinese {
		return "主节点是未注册的 " + instance + "。其节点存在期间不会选出其他主节点。"
	}
	return "The leader is " + instance + ", which is not registered. No other leader is elected while its node exists."
}

// ExplainIsMisfireBarrier is "{shards}: a fire time was missed; it should be made up for when the wait at the barrier of a listener ({listeners}) ends.".
func (l Lang) ExplainIsMisfireBarrier(shards string, listeners string) string {
	if l == Chinese {
		return shards + "：错过了一次触发；监听器（" + listeners + "）屏障处的等待结束后才会补跑。"
	}
	return shards + ": a fire time was missed; it should be made up for when the wait at the barrier of a listener (" + listeners + ") ends."
}

// ExplainIsMisfireWaiting is "{shards}: a fire time was missed.".
func (l Lang) ExplainIsMisfireWaiting(shards string) string {
	if l == Chinese {
		return shards + "：错过了一次触发。"
	}
	return shards + ": a fire time was missed."
}

// ExplainIsMissed is "{shards}: not in the last runs on record, although switched on.".
func (l Lang) ExplainIsMissed(shards string) string {
	if l == Chinese {
		return shards + "：最近的运行记录中没有它，但并未被禁用。"
	}
	return shards + ": not in the last runs on record, although switched on."
}

// ExplainIsMonitorOff is "monitorExecution is off, so nothing shows which shards run or were missed.".
func (l Lang) ExplainIsMonitorOff() string {
	if l == Chinese {
		return "monitorExecution 已关闭，无法得知哪些分片正在运行或已错过。"
	}
	return "monitorExecution is off, so nothing shows which shards run or were missed."
}

// ExplainIsNoEnabledInstance is "None of the job's instances gets shards; the reason of each follows.".
func (l Lang) ExplainIsNoEnabledInstance() string {
	if l == Chinese {
		return "作业的所有实例都不会分到分片，各自的原因见下。"
	}
	return "None of the job's instances gets shards; the reason of each follows."
}

// ExplainIsNoInstance is "No process serves the job: none has registered, or all have left.".
func (l Lang) ExplainIsNoInstance() string {
	if l == Chinese {
		return "没有进程运行该作业：尚无注册，或已全部离开。"
	}
	return "No process serves the job: none has registered, or all have left."
}

// ExplainIsNoLeader is "There is no leader, so no shards are assigned.".
func (l Lang) ExplainIsNoLeader() string {
	if l == Chinese {
		return "没有主节点，因此无人分配分片。"
	}
	return "There is no leader, so no shards are assigned."
}

// ExplainIsNotRecorded is "A fire time passed, and it isn't recorded whether the job ran.".
func (l Lang) ExplainIsNotRecorded() string {
	if l == Chinese {
		return "触发时间已过，但没有记录表明作业是否运行。"
	}
	return "A fire time passed, and it isn't recorded whether the job ran."
}

// ExplainIsNothingAssigned is "No shard has an owner: nothing was assigned yet.".
func (l Lang) ExplainIsNothingAssigned() string {
	if l == Chinese {
		return "所有分片都没有所属实例：尚未分配。"
	}
	return "No shard has an owner: nothing was assigned yet."
}

// ExplainIsNumberOutOfBounds is "The configuration's {field} is {value}, which is out of bounds.".
func (l Lang) ExplainIsNumberOutOfBounds(field string, value string) string {
	if l == Chinese {
		return "配置项 " + field + " 的值 " + value + " 超出范围。"
	}
	return "The configuration's " + field + " is " + value + ", which is out of bounds."
}

// ExplainIsObstacle is "{instance} doesn't run the job: {reason}".
func (l Lang) ExplainIsObstacle(instance string, reason string) string {
	if l == Chinese {
		return instance + " 不运行该作业：" + reason
	}
	return instance + " doesn't run the job: " + reason
}

// ExplainIsObstacleAssigning is "{instance} leads and can't assign the shards: {reason}".
func (l Lang) ExplainIsObstacleAssigning(instance string, reason string) string {
	if l == Chinese {
		return "主节点 " + instance + " 无法分配分片：" + reason
	}
	return instance + " leads and can't assign the shards: " + reason
}

// ExplainIsObstacleBroken is "{instance} has taken itself out of the job and tries again within 5 minutes: {reason}".
func (l Lang) ExplainIsObstacleBroken(instance string, reason string) string {
	if l == Chinese {
		return instance + " 已退出该作业，将在 5 分钟内重试：" + reason
	}
	return instance + " has taken itself out of the job and tries again within 5 minutes: " + reason
}

// ExplainIsObstacleControl is "{instance} can't follow the job in ZooKeeper: {reason}".
func (l Lang) ExplainIsObstacleControl(instance string, reason string) string {
	if l == Chinese {
		return instance + " 无法在 ZooKeeper 中跟进该作业：" + reason
	}
	return instance + " can't follow the job in ZooKeeper: " + reason
}

// ExplainIsObstacleDebug is "{instance} runs no fire time on its own: its process was started with Debug.".
func (l Lang) ExplainIsObstacleDebug(instance string) string {
	if l == Chinese {
		return instance + " 不会自行按调度运行：其进程以 Debug 方式启动。"
	}
	return instance + " runs no fire time on its own: its process was started with Debug."
}

// ExplainIsObstacleForbidden is "ZooKeeper refuses the credentials of {instance}: {reason}".
func (l Lang) ExplainIsObstacleForbidden(instance string, reason string) string {
	if l == Chinese {
		return "ZooKeeper 拒绝了 " + instance + " 的凭据：" + reason
	}
	return "ZooKeeper refuses the credentials of " + instance + ": " + reason
}

// ExplainIsObstacleHandlerHangs is "A handler on {instance} doesn't end, and the instance runs nothing else of the job until it does: {reason}".
func (l Lang) ExplainIsObstacleHandlerHangs(instance string, reason string) string {
	if l == Chinese {
		return instance + " 上有处理程序没有结束，在此之前该实例不再运行该作业：" + reason
	}
	return "A handler on " + instance + " doesn't end, and the instance runs nothing else of the job until it does: " + reason
}

// ExplainIsObstacleHangs is "{instance} runs nothing of the job until a call returns: {reason}".
func (l Lang) ExplainIsObstacleHangs(instance string, reason string) string {
	if l == Chinese {
		return "调用返回之前，" + instance + " 不运行该作业：" + reason
	}
	return instance + " runs nothing of the job until a call returns: " + reason
}

// ExplainIsObstacleListenerFails is "A listener of the job failed on {instance}: {reason}.".
func (l Lang) ExplainIsObstacleListenerFails(instance string, reason string) string {
	if l == Chinese {
		return "该作业的监听器在 " + instance + " 上失败：" + reason + "。"
	}
	return "A listener of the job failed on " + instance + ": " + reason + "."
}

// ExplainIsObstacleNoPlace is "{instance} is busy: {reason}".
func (l Lang) ExplainIsObstacleNoPlace(instance string, reason string) string {
	if l == Chinese {
		return instance + " 正忙：" + reason
	}
	return instance + " is busy: " + reason
}

// ExplainIsObstacleNotBegun is "The last run on {instance} failed before it called a handler: {reason}".
func (l Lang) ExplainIsObstacleNotBegun(instance string, reason string) string {
	if l == Chinese {
		return instance + " 上的最近一次运行在调用处理程序之前失败：" + reason
	}
	return "The last run on " + instance + " failed before it called a handler: " + reason
}

// ExplainIsOverrun is "{shards}: still marked as running on {instance} when the next fire time came.".
func (l Lang) ExplainIsOverrun(shards string, instance string) string {
	if l == Chinese {
		return shards + "：到下一个触发时间时仍标记为正在 " + instance + " 上运行。"
	}
	return shards + ": still marked as running on " + instance + " when the next fire time came."
}

// ExplainIsOverrunRows is "{shards}: by the history still running when the next fire time came, unless the row of an end is late.".
func (l Lang) ExplainIsOverrunRows(shards string) string {
	if l == Chinese {
		return shards + "：按历史记录，到下一个触发时间时仍在运行，除非结束记录晚到。"
	}
	return shards + ": by the history still running when the next fire time came, unless the row of an end is late."
}

// ExplainIsReshardingAnnounced is "The shards have to be assigned again, announced {since}, and no leader has begun.".
func (l Lang) ExplainIsReshardingAnnounced(since string) string {
	if l == Chinese {
		return "分片需要重新分配（通知于 " + since + "），尚未开始。"
	}
	return "The shards have to be assigned again, announced " + since + ", and no leader has begun."
}

// ExplainIsReshardingProcessing is "The leader assigns the shards since {since}.".
func (l Lang) ExplainIsReshardingProcessing(since string) string {
	if l == Chinese {
		return "主节点正在分配分片，开始于 " + since + "。"
	}
	return "The leader assigns the shards since " + since + "."
}

// ExplainIsRunPropertyWrong is "{field} is {value}, which is not allowed.".
func (l Lang) ExplainIsRunPropertyWrong(field string, value string) string {
	if l == Chinese {
		return "配置项 " + field + " 的值 " + value + " 无效，不影响作业触发。"
	}
	return field + " is " + value + ", which is not allowed."
}

// ExplainIsRunWaits is "Run {run} waits. {why}".
func (l Lang) ExplainIsRunWaits(run string, why string) string {
	if l == Chinese {
		return "运行 " + run + " 正在等待。" + why
	}
	return "Run " + run + " waits. " + why
}

// ExplainIsRunning is "{shards}: marked as running on {instance}.".
func (l Lang) ExplainIsRunning(shards string, instance string) string {
	if l == Chinese {
		return shards + "：标记为正在 " + instance + " 上运行。"
	}
	return shards + ": marked as running on " + instance + "."
}

// ExplainIsRunningForged is "{shards}: marked as running by {instance}, which can't have made this marker. Nothing runs there.".
func (l Lang) ExplainIsRunningForged(shards string, instance string) string {
	if l == Chinese {
		return shards + "：被标记为由 " + instance + " 运行，但该标记不可能由它创建，实际并未运行。"
	}
	return shards + ": marked as running by " + instance + ", which can't have made this marker. Nothing runs there."
}

// ExplainIsRunningStale is "{shards}: marked as running by {instance}, which is not there. No other instance runs it while the marker exists.".
func (l Lang) ExplainIsRunningStale(shards string, instance string) string {
	if l == Chinese {
		return shards + "：被已不在的 " + instance + " 标记为运行中。标记存在期间没有其他实例运行它。"
	}
	return shards + ": marked as running by " + instance + ", which is not there. No other instance runs it while the marker exists."
}

// ExplainIsScheduleEnded is "The schedule doesn't fire any more, because schedule.until is {value}.".
func (l Lang) ExplainIsScheduleEnded(value string) string {
	if l == Chinese {
		return "由于 schedule.until 为 " + value + "，调度不会再触发。"
	}
	return "The schedule doesn't fire any more, because schedule.until is " + value + "."
}

// ExplainIsScheduleNotBegun is "Because of schedule.from, the schedule begins on {value}. Java agents do not know it and fire.".
func (l Lang) ExplainIsScheduleNotBegun(value string) string {
	if l == Chinese {
		return "调度从 " + value + " 开始（schedule.from）。Java 实例不识别该属性，仍会触发。"
	}
	return "Because of schedule.from, the schedule begins on " + value + ". Java agents do not know it and fire."
}

// ExplainIsServerAbsent is "{instance} gets no shards: its server {server} is not registered.".
func (l Lang) ExplainIsServerAbsent(instance string, server string) string {
	if l == Chinese {
		return instance + " 分配不到分片：其服务器 " + server + " 未注册。"
	}
	return instance + " gets no shards: its server " + server + " is not registered."
}

// ExplainIsServerDisabled is "Server {server} is disabled, so {instance} gets no shards.".
func (l Lang) ExplainIsServerDisabled(server string, instance string) string {
	if l == Chinese {
		return "服务器 " + server + " 已禁用，因此 " + instance + " 分配不到分片。"
	}
	return "Server " + server + " is disabled, so " + instance + " gets no shards."
}

// ExplainIsShutDown is "The job was shut down at {at}, by {who}, and no process has registered since.".
func (l Lang) ExplainIsShutDown(at string, who string) string {
	if l == Chinese {
		return "该作业已于 " + at + " 由 " + who + " 关闭，此后没有进程注册。"
	}
	return "The job was shut down at " + at + ", by " + who + ", and no process has registered since."
}

// ExplainIsShutDownOn is "The job's instances on {server} were shut down at {at}, by {who}, and no process has registered since.".
func (l Lang) ExplainIsShutDownOn(server string, at string, who string) string {
	if l == Chinese {
		return "该作业在 " + server + " 上的实例已于 " + at + " 由 " + who + " 关闭，此后没有进程注册。"
	}
	return "The job's instances on " + server + " were shut down at " + at + ", by " + who + ", and no process has registered since."
}

// ExplainIsTimeZoneIgnored is "timeZone {value} is no offset; agents take it for GMT without a word.".
func (l Lang) ExplainIsTimeZoneIgnored(value string) string {
	if l == Chinese {
		return "timeZone " + value + " 不是有效的偏移量，实例会当作 GMT。"
	}
	return "timeZone " + value + " is no offset; agents take it for GMT without a word."
}

// ExplainIsTriggerOrphaned is "{instance} was triggered and has left; no instance carries the trigger out.".
func (l Lang) ExplainIsTriggerOrphaned(instance string) string {
	if l == Chinese {
		return instance + " 被触发后已离开，该触发不会执行。"
	}
	return instance + " was triggered and has left; no instance carries the trigger out."
}

// ExplainIsTriggerWaiting is "{instance} was triggered and has not taken the trigger.".
func (l Lang) ExplainIsTriggerWaiting(instance string) string {
	if l == Chinese {
		return instance + " 已被触发，但尚未接收。"
	}
	return instance + " was triggered and has not taken the trigger."
}

// ExplainIsUnserved is "A fire time passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.".
func (l Lang) ExplainIsUnserved() string {
	if l == Chinese {
		return "触发时间到来时没有实例服务该作业，该次触发不会补做：只有同时开启 misfire 和 monitorExecution 才会补做。"
	}
	return "A fire time passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for."
}

// ExplainIsUnstable is "The last run on record succeeded, and several of the last 10 failed.".
func (l Lang) ExplainIsUnstable() string {
	if l == Chinese {
		return "有记录的最近一次运行成功，但最近 10 次中有多次失败。"
	}
	return "The last run on record succeeded, and several of the last 10 failed."
}

// ExplainIsZoneUnknownToJava is "Java agents don't know schedule.zone and fire by their own time zone.".
func (l Lang) ExplainIsZoneUnknownToJava() string {
	if l == Chinese {
		return "Java 实例不识别 schedule.zone，按自己的时区触发。"
	}
	return "Java agents don't know schedule.zone and fire by their own time zone."
}

// ExplainIsZonesDiffer is "The job has no time zone, and its agents fire by their own, which differ: {zones}.".
func (l Lang) ExplainIsZonesDiffer(zones string) string {
	if l == Chinese {
		return "作业没有设置时区，各实例按自己的时区触发，而它们并不相同：" + zones + "。"
	}
	return "The job has no time zone, and its agents fire by their own, which differ: " + zones + "."
}

// ExplainLastRunFailed is "its last run failed".
func (l Lang) ExplainLastRunFailed() string {
	if l == Chinese {
		return "最近一次运行失败"
	}
	return "its last run failed"
}

// ExplainLateNode is "schedule, and the newest run in the trace database".
func (l Lang) ExplainLateNode() string {
	if l == Chinese {
		return "调度计划与事件追踪数据库中最近的运行"
	}
	return "schedule, and the newest run in the trace database"
}

// ExplainMore is "And {n, plural, one {# finding} other {# findings}} more of this kind.".
func (l Lang) ExplainMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个同类发现。"
	}
	if n == 1 {
		return "And " + number(n) + " finding more of this kind."
	}
	return "And " + number(n) + " findings more of this kind."
}

// ExplainNoteConfig is "version {n}, written {ago}".
func (l Lang) ExplainNoteConfig(n string, ago string) string {
	if l == Chinese {
		return "版本 " + n + "，写入于 " + ago
	}
	return "version " + n + ", written " + ago
}

// ExplainNoteEnabled is "{n, number} of {m, plural, one {# server} other {# servers}}".
func (l Lang) ExplainNoteEnabled(n int, m int) string {
	if l == Chinese {
		return number(n) + "/" + number(m) + " 台服务器"
	}
	if m == 1 {
		return number(n) + " of " + number(m) + " server"
	}
	return number(n) + " of " + number(m) + " servers"
}

// ExplainNumbers is "none one two three four five six seven eight nine ten".
func (l Lang) ExplainNumbers() string {
	if l == Chinese {
		return "0 1 2 3 4 5 6 7 8 9 10"
	}
	return "none one two three four five six seven eight nine ten"
}

// ExplainOkConfig is "Configuration is readable".
func (l Lang) ExplainOkConfig() string {
	if l == Chinese {
		return "配置可读"
	}
	return "Configuration is readable"
}

// ExplainOkEnabled is "Job is not disabled".
func (l Lang) ExplainOkEnabled() string {
	if l == Chinese {
		return "作业未禁用"
	}
	return "Job is not disabled"
}

// ExplainOkFailover is "No shard waits for failover".
func (l Lang) ExplainOkFailover() string {
	if l == Chinese {
		return "没有等待失效转移的分片"
	}
	return "No shard waits for failover"
}

// ExplainOkInstances is "Instances are alive".
func (l Lang) ExplainOkInstances() string {
	if l == Chinese {
		return "有存活的实例"
	}
	return "Instances are alive"
}

// ExplainOkLastRun is "The last run on record did not fail".
func (l Lang) ExplainOkLastRun() string {
	if l == Chinese {
		return "有记录的最近一次运行没有失败"
	}
	return "The last run on record did not fail"
}

// ExplainOkLeader is "A leader is elected".
func (l Lang) ExplainOkLeader() string {
	if l == Chinese {
		return "已选出主节点"
	}
	return "A leader is elected"
}

// ExplainOkMisfire is "No misfire waits".
func (l Lang) ExplainOkMisfire() string {
	if l == Chinese {
		return "没有等待错过重执行的分片"
	}
	return "No misfire waits"
}

// ExplainOkNextFire is "Next fire is known".
func (l Lang) ExplainOkNextFire() string {
	if l == Chinese {
		return "下次触发时间已知"
	}
	return "Next fire is known"
}

// ExplainOkOnTime is "No fire time has passed without a run since".
func (l Lang) ExplainOkOnTime() string {
	if l == Chinese {
		return "以下时间以来没有到时未运行的触发"
	}
	return "No fire time has passed without a run since"
}

// ExplainOkOwners is "Each shard has an owner".
func (l Lang) ExplainOkOwners() string {
	if l == Chinese {
		return "每个分片都有所属实例"
	}
	return "Each shard has an owner"
}

// ExplainOkReleased is "Job is not held".
func (l Lang) ExplainOkReleased() string {
	if l == Chinese {
		return "作业未被暂停"
	}
	return "Job is not held"
}

// ExplainOkResharding is "No resharding is pending".
func (l Lang) ExplainOkResharding() string {
	if l == Chinese {
		return "没有待进行的重新分片"
	}
	return "No resharding is pending"
}

// ExplainOkRunning is "No running marker of an instance that has left".
func (l Lang) ExplainOkRunning() string {
	if l == Chinese {
		return "没有已离开实例遗留的运行标记"
	}
	return "No running marker of an instance that has left"
}

// ExplainOkShardsEnabled is "No shard is disabled".
func (l Lang) ExplainOkShardsEnabled() string {
	if l == Chinese {
		return "没有被禁用的分片"
	}
	return "No shard is disabled"
}

// ExplainOkTrigger is "No trigger waits".
func (l Lang) ExplainOkTrigger() string {
	if l == Chinese {
		return "没有等待中的触发"
	}
	return "No trigger waits"
}

// ExplainOnFire is "the fire time".
func (l Lang) ExplainOnFire() string {
	if l == Chinese {
		return "触发时间"
	}
	return "the fire time"
}

// ExplainOnJob is "the job".
func (l Lang) ExplainOnJob() string {
	if l == Chinese {
		return "作业"
	}
	return "the job"
}

// ExplainOnLastRun is "the last run".
func (l Lang) ExplainOnLastRun() string {
	if l == Chinese {
		return "最近一次运行"
	}
	return "the last run"
}

// ExplainOnNothing is "nothing".
func (l Lang) ExplainOnNothing() string {
	if l == Chinese {
		return "无"
	}
	return "nothing"
}

// ExplainOnServer is "a server".
func (l Lang) ExplainOnServer() string {
	if l == Chinese {
		return "服务器"
	}
	return "a server"
}

// ExplainOnShards is "shards".
func (l Lang) ExplainOnShards() string {
	if l == Chinese {
		return "分片"
	}
	return "shards"
}

// ExplainOneFails is "one of its shards fails".
func (l Lang) ExplainOneFails() string {
	if l == Chinese {
		return "有 1 个分片失败"
	}
	return "one of its shards fails"
}

// ExplainOpenFailed is "Open its failed runs".
func (l Lang) ExplainOpenFailed() string {
	if l == Chinese {
		return "查看失败的运行"
	}
	return "Open its failed runs"
}

// ExplainOpenOverview is "Open the overview".
func (l Lang) ExplainOpenOverview() string {
	if l == Chinese {
		return "打开概览"
	}
	return "Open the overview"
}

// ExplainOpenServer is "Open the server".
func (l Lang) ExplainOpenServer() string {
	if l == Chinese {
		return "打开服务器"
	}
	return "Open the server"
}

// ExplainOpenShards is "Open the shards".
func (l Lang) ExplainOpenShards() string {
	if l == Chinese {
		return "查看分片"
	}
	return "Open the shards"
}

// ExplainReleaseJob is "Release the job".
func (l Lang) ExplainReleaseJob() string {
	if l == Chinese {
		return "恢复作业"
	}
	return "Release the job"
}

// ExplainRunsNode is "the newest runs in the trace database".
func (l Lang) ExplainRunsNode() string {
	if l == Chinese {
		return "事件追踪数据库中最近的运行"
	}
	return "the newest runs in the trace database"
}

// ExplainSaysDoesNotRun is "The job does not run".
func (l Lang) ExplainSaysDoesNotRun() string {
	if l == Chinese {
		return "作业不运行"
	}
	return "The job does not run"
}

// ExplainSaysFine is "No problem found".
func (l Lang) ExplainSaysFine() string {
	if l == Chinese {
		return "未发现问题"
	}
	return "No problem found"
}

// ExplainSaysHeld is "The job is held".
func (l Lang) ExplainSaysHeld() string {
	if l == Chinese {
		return "作业已暂停"
	}
	return "The job is held"
}

// ExplainSaysLate is "The job is late".
func (l Lang) ExplainSaysLate() string {
	if l == Chinese {
		return "作业延迟"
	}
	return "The job is late"
}

// ExplainSaysPart is "A part of the job does not run".
func (l Lang) ExplainSaysPart() string {
	if l == Chinese {
		return "作业的一部分不运行"
	}
	return "A part of the job does not run"
}

// ExplainSaysRunsAnd is "The job runs, and {what}".
func (l Lang) ExplainSaysRunsAnd(what string) string {
	if l == Chinese {
		return "作业在运行，但" + what
	}
	return "The job runs, and " + what
}

// ExplainSaysUnknown is "The state of the job is unknown".
func (l Lang) ExplainSaysUnknown() string {
	if l == Chinese {
		return "无法判断作业的状态"
	}
	return "The state of the job is unknown"
}

// ExplainSaysUnstable is "The job is unstable".
func (l Lang) ExplainSaysUnstable() string {
	if l == Chinese {
		return "作业不稳定"
	}
	return "The job is unstable"
}

// ExplainSeenNode is "the instances that the console has seen".
func (l Lang) ExplainSeenNode() string {
	if l == Chinese {
		return "控制台所见的实例"
	}
	return "the instances that the console has seen"
}

// ExplainShards is "{n, plural, one {Shard} other {Shards}} {list}".
func (l Lang) ExplainShards(n int, list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	if n == 1 {
		return "Shard " + list
	}
	return "Shards " + list
}

// ExplainSomeFail is "{n} of its shards fail".
func (l Lang) ExplainSomeFail(n string) string {
	if l == Chinese {
		return "有 " + n + " 个分片失败"
	}
	return n + " of its shards fail"
}

// ExplainSumBlocked is "The job does not run. {sentence}".
func (l Lang) ExplainSumBlocked(sentence string) string {
	if l == Chinese {
		return "作业不运行。" + sentence
	}
	return "The job does not run. " + sentence
}

// ExplainSumDoubt is "Perhaps the job does not run. {sentence}".
func (l Lang) ExplainSumDoubt(sentence string) string {
	if l == Chinese {
		return "作业可能不运行。" + sentence
	}
	return "Perhaps the job does not run. " + sentence
}

// ExplainSumNext is "Nothing prevents the job from running: it fires next at {time}.".
func (l Lang) ExplainSumNext(time string) string {
	if l == Chinese {
		return "没有障碍：下次触发于 " + time + "。"
	}
	return "Nothing prevents the job from running: it fires next at " + time + "."
}

// ExplainSumOverrun is "A run is on. {sentence}".
func (l Lang) ExplainSumOverrun(sentence string) string {
	if l == Chinese {
		return "有一次运行正在进行。" + sentence
	}
	return "A run is on. " + sentence
}

// ExplainSumPart is "A part of the job does not run. {sentence}".
func (l Lang) ExplainSumPart(sentence string) string {
	if l == Chinese {
		return "作业的一部分不运行。" + sentence
	}
	return "A part of the job does not run. " + sentence
}

// ExplainSumTrigger is "Nothing prevents the job from running: it runs when it is triggered.".
func (l Lang) ExplainSumTrigger() string {
	if l == Chinese {
		return "没有障碍：触发后即运行。"
	}
	return "Nothing prevents the job from running: it runs when it is triggered."
}

// ExplainTextFine is "What is fine".
func (l Lang) ExplainTextFine() string {
	if l == Chinese {
		return "正常项"
	}
	return "What is fine"
}

// ExplainTitle is "Explain {job}".
func (l Lang) ExplainTitle(job string) string {
	if l == Chinese {
		return "诊断 " + job
	}
	return "Explain " + job
}
