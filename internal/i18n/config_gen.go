// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ConfigAssign is "Who executes a run".
func (l Lang) ConfigAssign() string {
	if l == Chinese {
		return "由谁执行"
	}
	return "Who executes a run"
}

// ConfigAssignHelp is "each: every shard. one: one free shard; needs no cron, and Monitor execution.".
func (l Lang) ConfigAssignHelp() string {
	if l == Chinese {
		return "each：每个分片。one：一个空闲分片；要求没有 Cron，且监控执行状态。"
	}
	return "each: every shard. one: one free shard; needs no cron, and Monitor execution."
}

// ConfigBack is "Back to editing".
func (l Lang) ConfigBack() string {
	if l == Chinese {
		return "返回编辑"
	}
	return "Back to editing"
}

// ConfigBackoff is "Wait before the second attempt".
func (l Lang) ConfigBackoff() string {
	if l == Chinese {
		return "第二次尝试前的等待"
	}
	return "Wait before the second attempt"
}

// ConfigBackoffHelp is "Such as 30s. It doubles with each further one. Empty: 0s.".
func (l Lang) ConfigBackoffHelp() string {
	if l == Chinese {
		return "例如 30s，之后每次加倍。留空：0s。"
	}
	return "Such as 30s. It doubles with each further one. Empty: 0s."
}

// ConfigBackoffMost is "Wait at most".
func (l Lang) ConfigBackoffMost() string {
	if l == Chinese {
		return "最长等待"
	}
	return "Wait at most"
}

// ConfigChanged is "changed".
func (l Lang) ConfigChanged() string {
	if l == Chinese {
		return "已改"
	}
	return "changed"
}

// ConfigChanges is "{n, plural, one {# change} other {# changes}}".
func (l Lang) ConfigChanges(n int) string {
	if l == Chinese {
		return number(n) + " 处修改"
	}
	if n == 1 {
		return number(n) + " change"
	}
	return number(n) + " changes"
}

// ConfigClass is "Class".
func (l Lang) ConfigClass() string {
	if l == Chinese {
		return "类"
	}
	return "Class"
}

// ConfigClassHelp is "What instances call the job's class. Empty: theirs; Java up to 3.0.2 needs it.".
func (l Lang) ConfigClassHelp() string {
	if l == Chinese {
		return "实例使用的作业类名。留空：由实例决定；Java 3.0.2 及以前需要填写。"
	}
	return "What instances call the job's class. Empty: theirs; Java up to 3.0.2 needs it."
}

// ConfigClockChange is "When the clock is changed".
func (l Lang) ConfigClockChange() string {
	if l == Chinese {
		return "时钟调整时"
	}
	return "When the clock is changed"
}

// ConfigClockChangeHelp is "once: nothing is skipped, nothing fires twice.".
func (l Lang) ConfigClockChangeHelp() string {
	if l == Chinese {
		return "once：既不跳过，也不重复触发。"
	}
	return "once: nothing is skipped, nothing fires twice."
}

// ConfigConflict is "{who} saved while you were editing, and changed what you have changed. Nothing of either is lost: choose.".
func (l Lang) ConfigConflict(who string) string {
	if l == Chinese {
		return who + " 在你编辑期间保存了配置，并修改了你也修改的内容。双方的内容都不会丢失：请选择。"
	}
	return who + " saved while you were editing, and changed what you have changed. Nothing of either is lost: choose."
}

// ConfigConflictBase is "Before".
func (l Lang) ConfigConflictBase() string {
	if l == Chinese {
		return "之前"
	}
	return "Before"
}

// ConfigConflictKey is "Field".
func (l Lang) ConfigConflictKey() string {
	if l == Chinese {
		return "字段"
	}
	return "Field"
}

// ConfigConflictMine is "Yours".
func (l Lang) ConfigConflictMine() string {
	if l == Chinese {
		return "你的"
	}
	return "Yours"
}

// ConfigConflictTheirs is "Stored now".
func (l Lang) ConfigConflictTheirs() string {
	if l == Chinese {
		return "当前存储"
	}
	return "Stored now"
}

// ConfigConflictTitle is "Two changes of {job} meet".
func (l Lang) ConfigConflictTitle(job string) string {
	if l == Chinese {
		return "对 " + job + " 的两处修改冲突"
	}
	return "Two changes of " + job + " meet"
}

// ConfigConflictUse is "Use the chosen values".
func (l Lang) ConfigConflictUse() string {
	if l == Chinese {
		return "使用所选的值"
	}
	return "Use the chosen values"
}

// ConfigCreate is "Create".
func (l Lang) ConfigCreate() string {
	if l == Chinese {
		return "创建"
	}
	return "Create"
}

// ConfigCreateDown is "No instance serves it yet: the job is shown as Down until one registers.".
func (l Lang) ConfigCreateDown() string {
	if l == Chinese {
		return "还没有实例为它服务：在有实例注册之前，作业显示为已下线。"
	}
	return "No instance serves it yet: the job is shown as Down until one registers."
}

// ConfigCreateFilled is "{n, plural, one {# field} other {# fields}} filled in".
func (l Lang) ConfigCreateFilled(n int) string {
	if l == Chinese {
		return "已填写 " + number(n) + " 项"
	}
	if n == 1 {
		return number(n) + " field filled in"
	}
	return number(n) + " fields filled in"
}

// ConfigCreateNothing is "Nothing yet: give the job a name, and what will be stored stands here.".
func (l Lang) ConfigCreateNothing() string {
	if l == Chinese {
		return "尚无内容：填写作业名称后，这里显示将存储的内容。"
	}
	return "Nothing yet: give the job a name, and what will be stored stands here."
}

// ConfigCreateSub is "as it will be stored".
func (l Lang) ConfigCreateSub() string {
	if l == Chinese {
		return "将存储的内容"
	}
	return "as it will be stored"
}

// ConfigCreateTaken is "Instances that register use this configuration, unless their own says Overwrite.".
func (l Lang) ConfigCreateTaken() string {
	if l == Chinese {
		return "注册的实例使用此配置，除非它们自己的配置启用了“覆盖”。"
	}
	return "Instances that register use this configuration, unless their own says Overwrite."
}

// ConfigCreated is "Created {job}. It has no instance yet.".
func (l Lang) ConfigCreated(job string) string {
	if l == Chinese {
		return "已创建 " + job + "。它还没有实例。"
	}
	return "Created " + job + ". It has no instance yet."
}

// ConfigCron is "Cron".
func (l Lang) ConfigCron() string {
	if l == Chinese {
		return "Cron 表达式"
	}
	return "Cron"
}

// ConfigCronHelp is "Second, minute, hour, day, month, weekday. Empty: runs only when triggered.".
func (l Lang) ConfigCronHelp() string {
	if l == Chinese {
		return "秒、分、时、日、月、星期。留空：仅手动触发。"
	}
	return "Second, minute, hour, day, month, weekday. Empty: runs only when triggered."
}

// ConfigDescription is "Description".
func (l Lang) ConfigDescription() string {
	if l == Chinese {
		return "描述"
	}
	return "Description"
}

// ConfigDifferences is "Changes".
func (l Lang) ConfigDifferences() string {
	if l == Chinese {
		return "修改"
	}
	return "Changes"
}

// ConfigDifferencesNote is "Tags, unknown keys and the order of the stored document stay as they are.".
func (l Lang) ConfigDifferencesNote() string {
	if l == Chinese {
		return "标签、未知的键以及存储文档的顺序保持不变。"
	}
	return "Tags, unknown keys and the order of the stored document stay as they are."
}

// ConfigDifferencesSub is "stored → yours".
func (l Lang) ConfigDifferencesSub() string {
	if l == Chinese {
		return "已存储 → 你的"
	}
	return "stored → yours"
}

// ConfigDisabled is "Disabled".
func (l Lang) ConfigDisabled() string {
	if l == Chinese {
		return "禁用"
	}
	return "Disabled"
}

// ConfigDisabledHelp is "Servers that register are disabled. Live ones are not touched.".
func (l Lang) ConfigDisabledHelp() string {
	if l == Chinese {
		return "新注册的服务器为禁用状态；在线的不受影响。"
	}
	return "Servers that register are disabled. Live ones are not touched."
}

// ConfigDiscard is "Discard".
func (l Lang) ConfigDiscard() string {
	if l == Chinese {
		return "放弃"
	}
	return "Discard"
}

// ConfigDocument is "The document".
func (l Lang) ConfigDocument() string {
	if l == Chinese {
		return "文档"
	}
	return "The document"
}

// ConfigDocumentHelp is "Comments and keys that this console does not know stay as they are stored.".
func (l Lang) ConfigDocumentHelp() string {
	if l == Chinese {
		return "注释以及控制台不认识的键保持原样。"
	}
	return "Comments and keys that this console does not know stay as they are stored."
}

// ConfigDuplicate is "Duplicate…".
func (l Lang) ConfigDuplicate() string {
	if l == Chinese {
		return "复制…"
	}
	return "Duplicate…"
}

// ConfigEffectAppliesAtOnce is "{n, plural, one {# live instance uses} other {# live instances use}} it from the next run on.".
func (l Lang) ConfigEffectAppliesAtOnce(n int) string {
	if l == Chinese {
		return number(n) + " 个在线实例从下一次运行起使用。"
	}
	if n == 1 {
		return number(n) + " live instance uses it from the next run on."
	}
	return number(n) + " live instances use it from the next run on."
}

// ConfigEffectAppliesLater is "No instance is alive: it counts as soon as one starts.".
func (l Lang) ConfigEffectAppliesLater() string {
	if l == Chinese {
		return "没有在线实例：有实例启动后生效。"
	}
	return "No instance is alive: it counts as soon as one starts."
}

// ConfigEffectDisabledAtStart is "Instances that start register as disabled; live ones go on. Use Disable for those.".
func (l Lang) ConfigEffectDisabledAtStart() string {
	if l == Chinese {
		return "新启动的实例注册为禁用；在线实例继续运行，请用“禁用”处理它们。"
	}
	return "Instances that start register as disabled; live ones go on. Use Disable for those."
}

// ConfigEffectFailoverIdle is "Failover does nothing while Monitor execution is off.".
func (l Lang) ConfigEffectFailoverIdle() string {
	if l == Chinese {
		return "监控执行状态关闭时失效转移不起作用。"
	}
	return "Failover does nothing while Monitor execution is off."
}

// ConfigEffectFireDropped is "The run at {time} does not happen.".
func (l Lang) ConfigEffectFireDropped(time string) string {
	if l == Chinese {
		return time + " 的运行不会发生。"
	}
	return "The run at " + time + " does not happen."
}

// ConfigEffectGoOnly is "Java instances ignore {name}: they follow Quartz.".
func (l Lang) ConfigEffectGoOnly(name string) string {
	if l == Chinese {
		return "Java 实例忽略 " + name + "：它们遵循 Quartz。"
	}
	return "Java instances ignore " + name + ": they follow Quartz."
}

// ConfigEffectNoMisfire is "Missed fire times are not made up for any more.".
func (l Lang) ConfigEffectNoMisfire() string {
	if l == Chinese {
		return "错过的触发时间不再补执行。"
	}
	return "Missed fire times are not made up for any more."
}

// ConfigEffectNoParameter is "{n, plural, one {# shard has} other {# shards have}} no parameter, the first is {m, number}.".
func (l Lang) ConfigEffectNoParameter(n int, m int) string {
	if l == Chinese {
		return number(n) + " 个分片没有参数，第一个是 " + number(m) + "。"
	}
	if n == 1 {
		return number(n) + " shard has no parameter, the first is " + number(m) + "."
	}
	return number(n) + " shards have no parameter, the first is " + number(m) + "."
}

// ConfigEffectNotMadeUp is "Fire times missed before you save are not made up for; a run that is under way goes on.".
func (l Lang) ConfigEffectNotMadeUp() string {
	if l == Chinese {
		return "保存之前错过的触发时间不再补执行；正在进行的运行继续。"
	}
	return "Fire times missed before you save are not made up for; a run that is under way goes on."
}

// ConfigEffectNothing is "Nothing: this is what is stored.".
func (l Lang) ConfigEffectNothing() string {
	if l == Chinese {
		return "没有变化：存储的就是这样。"
	}
	return "Nothing: this is what is stored."
}

// ConfigEffectOverwritten is "An instance that starts puts the settings of its code in place of this, as Overwrite says.".
func (l Lang) ConfigEffectOverwritten() string {
	if l == Chinese {
		return "按照“覆盖”，实例启动时会用代码中的设置替换此处。"
	}
	return "An instance that starts puts the settings of its code in place of this, as Overwrite says."
}

// ConfigEffectReadable is "Readable for Go agents and Java 3.0.x, up to 3.0.4 and 3.0.5.".
func (l Lang) ConfigEffectReadable() string {
	if l == Chinese {
		return "Go 实例与 Java 3.0.x（3.0.4 及以前、3.0.5）均可读取。"
	}
	return "Readable for Go agents and Java 3.0.x, up to 3.0.4 and 3.0.5."
}

// ConfigEffectReadable2x is "Readable for Java 2.1.x.".
func (l Lang) ConfigEffectReadable2x() string {
	if l == Chinese {
		return "Java 2.1.x 可读取。"
	}
	return "Readable for Java 2.1.x."
}

// ConfigEffectReadableFrom305 is "Readable for Go agents and Java from 3.0.5 on; the thread pool's key stops older ones.".
func (l Lang) ConfigEffectReadableFrom305() string {
	if l == Chinese {
		return "Go 实例与 Java 3.0.5 及以后可读取；线程池的键会使更早的实例停止触发。"
	}
	return "Readable for Go agents and Java from 3.0.5 on; the thread pool's key stops older ones."
}

// ConfigEffectReadableUpTo304 is "Readable for Go agents and Java up to 3.0.4; the thread pool's key stops agents of 3.0.5.".
func (l Lang) ConfigEffectReadableUpTo304() string {
	if l == Chinese {
		return "Go 实例与 Java 3.0.4 及以前可读取；线程池的键会使 3.0.5 的实例停止触发。"
	}
	return "Readable for Go agents and Java up to 3.0.4; the thread pool's key stops agents of 3.0.5."
}

// ConfigEffectReschedules is "{n, plural, one {# live instance reschedules} other {# live instances reschedule}} at once.".
func (l Lang) ConfigEffectReschedules(n int) string {
	if l == Chinese {
		return number(n) + " 个在线实例立即重新调度。"
	}
	if n == 1 {
		return number(n) + " live instance reschedules at once."
	}
	return number(n) + " live instances reschedule at once."
}

// ConfigEffectReshards is "Resharding before the next run: {n, plural, one {# shard moves} other {# shards move}}.".
func (l Lang) ConfigEffectReshards(n int) string {
	if l == Chinese {
		return "下一次运行之前重新分片：移动 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "Resharding before the next run: " + number(n) + " shard moves."
	}
	return "Resharding before the next run: " + number(n) + " shards move."
}

// ConfigEffectReshardsSomehow is "The shards are assigned again before the next run, and it isn't known which ones move.".
func (l Lang) ConfigEffectReshardsSomehow() string {
	if l == Chinese {
		return "下一次运行之前重新分片；无法预知哪些分片会移动。"
	}
	return "The shards are assigned again before the next run, and it isn't known which ones move."
}

// ConfigEffectReshardsWaits is "The leader waits for {n, plural, one {# running shard} other {# running shards}} first.".
func (l Lang) ConfigEffectReshardsWaits(n int) string {
	if l == Chinese {
		return "主节点会先等待 " + number(n) + " 个正在运行的分片。"
	}
	if n == 1 {
		return "The leader waits for " + number(n) + " running shard first."
	}
	return "The leader waits for " + number(n) + " running shards first."
}

// ConfigEffectShardsFewer is "{n, plural, one {# shard goes} other {# shards go}}.".
func (l Lang) ConfigEffectShardsFewer(n int) string {
	if l == Chinese {
		return "减少 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return number(n) + " shard goes."
	}
	return number(n) + " shards go."
}

// ConfigEffectShardsNew is "{n, plural, one {# shard is} other {# shards are}} new; fire times from before are none of theirs.".
func (l Lang) ConfigEffectShardsNew(n int) string {
	if l == Chinese {
		return "新增 " + number(n) + " 个分片；之前的触发时间与它们无关。"
	}
	if n == 1 {
		return number(n) + " shard is new; fire times from before are none of theirs."
	}
	return number(n) + " shards are new; fire times from before are none of theirs."
}

// ConfigEffectStillMadeUp is "Fire times missed before you save are still made up for.".
func (l Lang) ConfigEffectStillMadeUp() string {
	if l == Chinese {
		return "保存之前错过的触发时间仍会补执行。"
	}
	return "Fire times missed before you save are still made up for."
}

// ConfigEffectStrategyLater is "The strategy counts at the next resharding; no shard moves now.".
func (l Lang) ConfigEffectStrategyLater() string {
	if l == Chinese {
		return "策略在下一次重新分片时生效；现在不移动分片。"
	}
	return "The strategy counts at the next resharding; no shard moves now."
}

// ConfigEffectUnmonitored is "Without Monitor execution a shard may run twice at once, and lost shards are not failed over.".
func (l Lang) ConfigEffectUnmonitored() string {
	if l == Chinese {
		return "不监控执行状态时，同一分片可能同时运行两次，丢失的分片不会失效转移。"
	}
	return "Without Monitor execution a shard may run twice at once, and lost shards are not failed over."
}

// ConfigEmpty is "(empty)".
func (l Lang) ConfigEmpty() string {
	if l == Chinese {
		return "（空）"
	}
	return "(empty)"
}

// ConfigErrorHandler is "Error handler".
func (l Lang) ConfigErrorHandler() string {
	if l == Chinese {
		return "错误处理策略"
	}
	return "Error handler"
}

// ConfigErrorHandlerHelp is "Empty: LOG.".
func (l Lang) ConfigErrorHandlerHelp() string {
	if l == Chinese {
		return "留空：LOG。"
	}
	return "Empty: LOG."
}

// ConfigExclude is "Does not fire on".
func (l Lang) ConfigExclude() string {
	if l == Chinese {
		return "不触发的日期"
	}
	return "Does not fire on"
}

// ConfigExcludeHelp is "Dates 2026-12-25, ranges 2026-12-24/2027-01-02, weekdays SAT, by the calendar of the job's zone.".
func (l Lang) ConfigExcludeHelp() string {
	if l == Chinese {
		return "日期 2026-12-25、区间 2026-12-24/2027-01-02、星期 SAT，按作业的时区。"
	}
	return "Dates 2026-12-25, ranges 2026-12-24/2027-01-02, weekdays SAT, by the calendar of the job's zone."
}

// ConfigExecutor is "Thread pool".
func (l Lang) ConfigExecutor() string {
	if l == Chinese {
		return "线程池策略"
	}
	return "Thread pool"
}

// ConfigExecutorHelp is "Empty: CPU.".
func (l Lang) ConfigExecutorHelp() string {
	if l == Chinese {
		return "留空：CPU。"
	}
	return "Empty: CPU."
}

// ConfigExpiry is "Expires after".
func (l Lang) ConfigExpiry() string {
	if l == Chinese {
		return "过期时间"
	}
	return "Expires after"
}

// ConfigExpiryHelp is "If it has not begun. -1: never. Empty: 168h.".
func (l Lang) ConfigExpiryHelp() string {
	if l == Chinese {
		return "到时仍未开始。-1：永不。留空：168h。"
	}
	return "If it has not begun. -1: never. Empty: 168h."
}

// ConfigFailover is "Failover".
func (l Lang) ConfigFailover() string {
	if l == Chinese {
		return "失效转移"
	}
	return "Failover"
}

// ConfigFailoverHelp is "Other instances run the shards of a lost one. Needs Monitor execution.".
func (l Lang) ConfigFailoverHelp() string {
	if l == Chinese {
		return "由其他实例接管丢失实例的分片。需要监控执行状态。"
	}
	return "Other instances run the shards of a lost one. Needs Monitor execution."
}

// ConfigFrom is "Fires from".
func (l Lang) ConfigFrom() string {
	if l == Chinese {
		return "开始时间"
	}
	return "Fires from"
}

// ConfigFromHelp is "A time such as 2026-12-24T08:00:00Z. Empty: always.".
func (l Lang) ConfigFromHelp() string {
	if l == Chinese {
		return "例如 2026-12-24T08:00:00Z。留空：一直。"
	}
	return "A time such as 2026-12-24T08:00:00Z. Empty: always."
}

// ConfigGroupBehaviour is "Behaviour".
func (l Lang) ConfigGroupBehaviour() string {
	if l == Chinese {
		return "行为"
	}
	return "Behaviour"
}

// ConfigGroupJob is "Job".
func (l Lang) ConfigGroupJob() string {
	if l == Chinese {
		return "作业"
	}
	return "Job"
}

// ConfigGroupLimits is "Limits and errors".
func (l Lang) ConfigGroupLimits() string {
	if l == Chinese {
		return "限制与错误处理"
	}
	return "Limits and errors"
}

// ConfigGroupRest is "Everything else".
func (l Lang) ConfigGroupRest() string {
	if l == Chinese {
		return "其他"
	}
	return "Everything else"
}

// ConfigGroupRuns is "Runs with parameters, and attempts".
func (l Lang) ConfigGroupRuns() string {
	if l == Chinese {
		return "带参数的运行与重试"
	}
	return "Runs with parameters, and attempts"
}

// ConfigGroupSchedule is "Schedule".
func (l Lang) ConfigGroupSchedule() string {
	if l == Chinese {
		return "调度"
	}
	return "Schedule"
}

// ConfigGroupShards is "Shards".
func (l Lang) ConfigGroupShards() string {
	if l == Chinese {
		return "分片"
	}
	return "Shards"
}

// ConfigGuest is "View-only access: an operator can change this.".
func (l Lang) ConfigGuest() string {
	if l == Chinese {
		return "只读权限：操作员可以修改。"
	}
	return "View-only access: an operator can change this."
}

// ConfigItemParameters is "Shard parameters".
func (l Lang) ConfigItemParameters() string {
	if l == Chinese {
		return "分片参数"
	}
	return "Shard parameters"
}

// ConfigItemParametersHelp is "Such as 0=Berlin,1=Hamburg".
func (l Lang) ConfigItemParametersHelp() string {
	if l == Chinese {
		return "例如 0=Berlin,1=Hamburg"
	}
	return "Such as 0=Berlin,1=Hamburg"
}

// ConfigJitter is "Jitter".
func (l Lang) ConfigJitter() string {
	if l == Chinese {
		return "抖动"
	}
	return "Jitter"
}

// ConfigJitterHelp is "Up to 1h, such as 30s: less than half the smallest gap between fires.".
func (l Lang) ConfigJitterHelp() string {
	if l == Chinese {
		return "最多 1h，例如 30s：小于最短触发间隔的一半。"
	}
	return "Up to 1h, such as 30s: less than half the smallest gap between fires."
}

// ConfigKeep is "Ended runs kept in ZooKeeper".
func (l Lang) ConfigKeep() string {
	if l == Chinese {
		return "ZooKeeper 中保留的已结束运行"
	}
	return "Ended runs kept in ZooKeeper"
}

// ConfigLabel is "Label".
func (l Lang) ConfigLabel() string {
	if l == Chinese {
		return "标签"
	}
	return "Label"
}

// ConfigListeners is "Listeners".
func (l Lang) ConfigListeners() string {
	if l == Chinese {
		return "监听器"
	}
	return "Listeners"
}

// ConfigListenersHelp is "One name on each line. Every instance must know all of them.".
func (l Lang) ConfigListenersHelp() string {
	if l == Chinese {
		return "每行一个名称。每个实例都必须认识全部监听器。"
	}
	return "One name on each line. Every instance must know all of them."
}

// ConfigLost is "After a loss".
func (l Lang) ConfigLost() string {
	if l == Chinese {
		return "丢失之后"
	}
	return "After a loss"
}

// ConfigLostHelp is "Of the instance that runs a shard. again: it runs again. fail: it fails.".
func (l Lang) ConfigLostHelp() string {
	if l == Chinese {
		return "指运行分片的实例丢失。again：重新运行。fail：失败。"
	}
	return "Of the instance that runs a shard. again: it runs again. fail: it fails."
}

// ConfigMaxTimeDiff is "Clock difference, seconds".
func (l Lang) ConfigMaxTimeDiff() string {
	if l == Chinese {
		return "时钟误差，秒"
	}
	return "Clock difference, seconds"
}

// ConfigMaxTimeDiffHelp is "The most between an instance and ZooKeeper; -1: not checked.".
func (l Lang) ConfigMaxTimeDiffHelp() string {
	if l == Chinese {
		return "实例与 ZooKeeper 之间的上限；-1：不检查。"
	}
	return "The most between an instance and ZooKeeper; -1: not checked."
}

// ConfigMerge is "Merge theirs into mine".
func (l Lang) ConfigMerge() string {
	if l == Chinese {
		return "合并对方的修改"
	}
	return "Merge theirs into mine"
}

// ConfigMerged is "{who} saved while you were editing and changed {keys}.".
func (l Lang) ConfigMerged(who string, keys string) string {
	if l == Chinese {
		return who + " 在你编辑期间保存了配置，修改了 " + keys + "。"
	}
	return who + " saved while you were editing and changed " + keys + "."
}

// ConfigMergedChoice is "Your choice is in what you see below. Nothing is stored yet.".
func (l Lang) ConfigMergedChoice() string {
	if l == Chinese {
		return "下面是按你的选择合并的结果。尚未保存。"
	}
	return "Your choice is in what you see below. Nothing is stored yet."
}

// ConfigMergedText is "Your changes touch other fields; both are in what you see below. Nothing is stored yet.".
func (l Lang) ConfigMergedText() string {
	if l == Chinese {
		return "你修改的是其他字段；下面包含双方的修改。尚未保存。"
	}
	return "Your changes touch other fields; both are in what you see below. Nothing is stored yet."
}

// ConfigMisfire is "Misfire".
func (l Lang) ConfigMisfire() string {
	if l == Chinese {
		return "错过任务重执行"
	}
	return "Misfire"
}

// ConfigMisfireHelp is "A missed fire time is made up for, once.".
func (l Lang) ConfigMisfireHelp() string {
	if l == Chinese {
		return "错过的触发时间补执行一次。"
	}
	return "A missed fire time is made up for, once."
}

// ConfigMonitor is "Monitor execution".
func (l Lang) ConfigMonitor() string {
	if l == Chinese {
		return "监控执行状态"
	}
	return "Monitor execution"
}

// ConfigMonitorHelp is "Marks running shards; needed for failover and against overlapping runs.".
func (l Lang) ConfigMonitorHelp() string {
	if l == Chinese {
		return "标记正在运行的分片；失效转移和防止重叠执行需要它。"
	}
	return "Marks running shards; needed for failover and against overlapping runs."
}

// ConfigName is "Name".
func (l Lang) ConfigName() string {
	if l == Chinese {
		return "名称"
	}
	return "Name"
}

// ConfigNameHelp is "As instances register it. It cannot be changed later.".
func (l Lang) ConfigNameHelp() string {
	if l == Chinese {
		return "与实例注册的名称相同，之后不能修改。"
	}
	return "As instances register it. It cannot be changed later."
}

// ConfigNeedLook is "{n, plural, one {# field needs a look} other {# fields need a look}}".
func (l Lang) ConfigNeedLook(n int) string {
	if l == Chinese {
		return number(n) + " 个字段需要检查"
	}
	if n == 1 {
		return number(n) + " field needs a look"
	}
	return number(n) + " fields need a look"
}

// ConfigNew is "New job".
func (l Lang) ConfigNew() string {
	if l == Chinese {
		return "新建作业"
	}
	return "New job"
}

// ConfigNoChanges is "No changes".
func (l Lang) ConfigNoChanges() string {
	if l == Chinese {
		return "没有修改"
	}
	return "No changes"
}

// ConfigOff is "off".
func (l Lang) ConfigOff() string {
	if l == Chinese {
		return "关"
	}
	return "off"
}

// ConfigOn is "on".
func (l Lang) ConfigOn() string {
	if l == Chinese {
		return "开"
	}
	return "on"
}

// ConfigOverlap is "A run while the job is busy".
func (l Lang) ConfigOverlap() string {
	if l == Chinese {
		return "作业忙时的运行"
	}
	return "A run while the job is busy"
}

// ConfigOverlapHelp is "queue: waits. one: waits unless another waits. skip: is skipped. cancel: the oldest is cancelled.".
func (l Lang) ConfigOverlapHelp() string {
	if l == Chinese {
		return "queue：等待。one：没有其他等待的才等待。skip：跳过。cancel：取消最早的。"
	}
	return "queue: waits. one: waits unless another waits. skip: is skipped. cancel: the oldest is cancelled."
}

// ConfigOverwrite is "Overwrite".
func (l Lang) ConfigOverwrite() string {
	if l == Chinese {
		return "覆盖"
	}
	return "Overwrite"
}

// ConfigOverwriteHelp is "An instance that starts puts the settings of its code in place of these.".
func (l Lang) ConfigOverwriteHelp() string {
	if l == Chinese {
		return "实例启动时用代码中的设置覆盖此处。"
	}
	return "An instance that starts puts the settings of its code in place of these."
}

// ConfigParameter is "Job parameter".
func (l Lang) ConfigParameter() string {
	if l == Chinese {
		return "作业参数"
	}
	return "Job parameter"
}

// ConfigParameterHelp is "Handed to every shard.".
func (l Lang) ConfigParameterHelp() string {
	if l == Chinese {
		return "传给每个分片。"
	}
	return "Handed to every shard."
}

// ConfigPauseAfter is "Hold after failed runs in a row".
func (l Lang) ConfigPauseAfter() string {
	if l == Chinese {
		return "连续失败多少次后暂停"
	}
	return "Hold after failed runs in a row"
}

// ConfigPauseAfterHelp is "Empty or 0: never.".
func (l Lang) ConfigPauseAfterHelp() string {
	if l == Chinese {
		return "留空或 0：永不。"
	}
	return "Empty or 0: never."
}

// ConfigPreview is "Preview".
func (l Lang) ConfigPreview() string {
	if l == Chinese {
		return "预览"
	}
	return "Preview"
}

// ConfigPropKey is "Key".
func (l Lang) ConfigPropKey() string {
	if l == Chinese {
		return "键"
	}
	return "Key"
}

// ConfigPropNew is "New property".
func (l Lang) ConfigPropNew() string {
	if l == Chinese {
		return "新属性"
	}
	return "New property"
}

// ConfigPropValue is "Value".
func (l Lang) ConfigPropValue() string {
	if l == Chinese {
		return "值"
	}
	return "Value"
}

// ConfigProps is "Properties".
func (l Lang) ConfigProps() string {
	if l == Chinese {
		return "属性"
	}
	return "Properties"
}

// ConfigReason is "Reason".
func (l Lang) ConfigReason() string {
	if l == Chinese {
		return "原因"
	}
	return "Reason"
}

// ConfigReasonHelp is "Kept with the version and in the audit log.".
func (l Lang) ConfigReasonHelp() string {
	if l == Chinese {
		return "随版本保存，并写入审计日志。"
	}
	return "Kept with the version and in the audit log."
}

// ConfigReconcile is "Reconcile interval, minutes".
func (l Lang) ConfigReconcile() string {
	if l == Chinese {
		return "自诊断修复间隔，分钟"
	}
	return "Reconcile interval, minutes"
}

// ConfigReconcileHelp is "0: off.".
func (l Lang) ConfigReconcileHelp() string {
	if l == Chinese {
		return "0：关闭。"
	}
	return "0: off."
}

// ConfigRetries is "Attempts after the first".
func (l Lang) ConfigRetries() string {
	if l == Chinese {
		return "重试次数"
	}
	return "Attempts after the first"
}

// ConfigReview is "Review and save…".
func (l Lang) ConfigReview() string {
	if l == Chinese {
		return "检查并保存…"
	}
	return "Review and save…"
}

// ConfigReviewTitle is "Review the change of {job}".
func (l Lang) ConfigReviewTitle(job string) string {
	if l == Chinese {
		return "检查对 " + job + " 的修改"
	}
	return "Review the change of " + job
}

// ConfigSave is "Save".
func (l Lang) ConfigSave() string {
	if l == Chinese {
		return "保存"
	}
	return "Save"
}

// ConfigSaved is "Saved the configuration of {job}.".
func (l Lang) ConfigSaved(job string) string {
	if l == Chinese {
		return "已保存 " + job + " 的配置。"
	}
	return "Saved the configuration of " + job + "."
}

// ConfigSavedAlready is "The configuration of {job} is stored already as you wanted it.".
func (l Lang) ConfigSavedAlready(job string) string {
	if l == Chinese {
		return job + " 的配置已经是你想要的内容。"
	}
	return "The configuration of " + job + " is stored already as you wanted it."
}

// ConfigSavedKeys is "Changed: {keys}".
func (l Lang) ConfigSavedKeys(keys string) string {
	if l == Chinese {
		return "已修改：" + keys
	}
	return "Changed: " + keys
}

// ConfigSavedNothing is "Nothing was changed: the configuration of {job} is stored like this.".
func (l Lang) ConfigSavedNothing(job string) string {
	if l == Chinese {
		return "没有任何修改：" + job + " 的配置本来就是这样。"
	}
	return "Nothing was changed: the configuration of " + job + " is stored like this."
}

// ConfigScript is "Command line".
func (l Lang) ConfigScript() string {
	if l == Chinese {
		return "命令行"
	}
	return "Command line"
}

// ConfigShards is "Number of shards".
func (l Lang) ConfigShards() string {
	if l == Chinese {
		return "分片数"
	}
	return "Number of shards"
}

// ConfigSomebody is "Somebody".
func (l Lang) ConfigSomebody() string {
	if l == Chinese {
		return "有人"
	}
	return "Somebody"
}

// ConfigStale is "{who} saved another version while you were editing. Merging keeps both changes; where they touch the same field you are asked.".
func (l Lang) ConfigStale(who string) string {
	if l == Chinese {
		return "您编辑期间，" + who + " 保存了另一个版本。合并会保留双方的修改；同一字段有冲突时会询问您。"
	}
	return who + " saved another version while you were editing. Merging keeps both changes; where they touch the same field you are asked."
}

// ConfigStaticSharding is "Static sharding".
func (l Lang) ConfigStaticSharding() string {
	if l == Chinese {
		return "静态分片"
	}
	return "Static sharding"
}

// ConfigStaticShardingHelp is "The assignment stays when instances come and go.".
func (l Lang) ConfigStaticShardingHelp() string {
	if l == Chinese {
		return "实例增减时分配保持不变。"
	}
	return "The assignment stays when instances come and go."
}

// ConfigStrategy is "Sharding strategy".
func (l Lang) ConfigStrategy() string {
	if l == Chinese {
		return "分片策略"
	}
	return "Sharding strategy"
}

// ConfigStrategyHelp is "Empty: AVG_ALLOCATION.".
func (l Lang) ConfigStrategyHelp() string {
	if l == Chinese {
		return "留空：AVG_ALLOCATION。"
	}
	return "Empty: AVG_ALLOCATION."
}

// ConfigStreaming is "Streaming".
func (l Lang) ConfigStreaming() string {
	if l == Chinese {
		return "流式处理"
	}
	return "Streaming"
}

// ConfigStreamingHelp is "A dataflow job goes on until there is no data.".
func (l Lang) ConfigStreamingHelp() string {
	if l == Chinese {
		return "数据流作业持续处理，直到没有数据。"
	}
	return "A dataflow job goes on until there is no data."
}

// ConfigTabForm is "Form".
func (l Lang) ConfigTabForm() string {
	if l == Chinese {
		return "表单"
	}
	return "Form"
}

// ConfigTabJson is "JSON".
func (l Lang) ConfigTabJson() string {
	if l == Chinese {
		return "JSON"
	}
	return "JSON"
}

// ConfigTabYaml is "YAML".
func (l Lang) ConfigTabYaml() string {
	if l == Chinese {
		return "YAML"
	}
	return "YAML"
}

// ConfigTimeZone is "Time zone".
func (l Lang) ConfigTimeZone() string {
	if l == Chinese {
		return "时区"
	}
	return "Time zone"
}

// ConfigTimeZoneHelp is "GMT with an offset, such as GMT+8. Empty: each instance's own.".
func (l Lang) ConfigTimeZoneHelp() string {
	if l == Chinese {
		return "GMT 加偏移，例如 GMT+8。留空：各实例自己的时区。"
	}
	return "GMT with an offset, such as GMT+8. Empty: each instance's own."
}

// ConfigTimeout is "Timeout of an attempt".
func (l Lang) ConfigTimeout() string {
	if l == Chinese {
		return "每次尝试的超时"
	}
	return "Timeout of an attempt"
}

// ConfigTimeoutHelp is "Such as 10m. Empty: none.".
func (l Lang) ConfigTimeoutHelp() string {
	if l == Chinese {
		return "例如 10m。留空：无。"
	}
	return "Such as 10m. Empty: none."
}

// ConfigTitle is "Configuration of {job}".
func (l Lang) ConfigTitle(job string) string {
	if l == Chinese {
		return job + " 的配置"
	}
	return "Configuration of " + job
}

// ConfigUnknownView is "view {view} is unknown (use form or yaml)".
func (l Lang) ConfigUnknownView(view string) string {
	if l == Chinese {
		return "未知的 view：" + view + "（可用 form 或 yaml）"
	}
	return "view " + view + " is unknown (use form or yaml)"
}

// ConfigUntil is "Fires until".
func (l Lang) ConfigUntil() string {
	if l == Chinese {
		return "结束时间"
	}
	return "Fires until"
}

// ConfigUntilHelp is "Not at that time itself. Empty: without end.".
func (l Lang) ConfigUntilHelp() string {
	if l == Chinese {
		return "不含该时间本身。留空：没有结束。"
	}
	return "Not at that time itself. Empty: without end."
}

// ConfigUsual is "Empty: {value}.".
func (l Lang) ConfigUsual(value string) string {
	if l == Chinese {
		return "留空：" + value + "。"
	}
	return "Empty: " + value + "."
}

// ConfigUsualChoice is "usual: {value}".
func (l Lang) ConfigUsualChoice(value string) string {
	if l == Chinese {
		return "默认：" + value
	}
	return "usual: " + value
}

// ConfigVersion is "Revision {revision}".
func (l Lang) ConfigVersion(revision string) string {
	if l == Chinese {
		return "修订 " + revision
	}
	return "Revision " + revision
}

// ConfigVersionBy is "by {who},".
func (l Lang) ConfigVersionBy(who string) string {
	if l == Chinese {
		return "由 " + who + " 保存于"
	}
	return "by " + who + ","
}

// ConfigVersionMissing is "There is no version {version} any more; this is what is stored.".
func (l Lang) ConfigVersionMissing(version string) string {
	if l == Chinese {
		return "版本 " + version + " 已不存在；这里显示当前存储的内容。"
	}
	return "There is no version " + version + " any more; this is what is stored."
}

// ConfigVersionOf is "The version of {time}".
func (l Lang) ConfigVersionOf(time string) string {
	if l == Chinese {
		return time + " 的版本"
	}
	return "The version of " + time
}

// ConfigVersionOperators is "version is for operators".
func (l Lang) ConfigVersionOperators() string {
	if l == Chinese {
		return "version 仅供操作员使用"
	}
	return "version is for operators"
}

// ConfigVersionText is "Nothing is stored yet: the review says what going back changes.".
func (l Lang) ConfigVersionText() string {
	if l == Chinese {
		return "尚未保存：检查页会说明恢复将改变什么。"
	}
	return "Nothing is stored yet: the review says what going back changes."
}

// ConfigVersionUnreadable is "That version cannot be read here; this is what is stored.".
func (l Lang) ConfigVersionUnreadable() string {
	if l == Chinese {
		return "该版本无法读取；这里显示当前存储的内容。"
	}
	return "That version cannot be read here; this is what is stored."
}

// ConfigVersions is "Versions".
func (l Lang) ConfigVersions() string {
	if l == Chinese {
		return "历史版本"
	}
	return "Versions"
}

// ConfigVersionsBefore is "not saved here".
func (l Lang) ConfigVersionsBefore() string {
	if l == Chinese {
		return "不是在这里保存的"
	}
	return "not saved here"
}

// ConfigVersionsCurrent is "stored now".
func (l Lang) ConfigVersionsCurrent() string {
	if l == Chinese {
		return "当前存储"
	}
	return "stored now"
}

// ConfigVersionsElsewhere is "What is stored now (revision {revision}) was not saved on this console.".
func (l Lang) ConfigVersionsElsewhere(revision string) string {
	if l == Chinese {
		return "当前存储的内容（修订 " + revision + "）不是在此控制台保存的。"
	}
	return "What is stored now (revision " + revision + ") was not saved on this console."
}

// ConfigVersionsNone is "Nothing was saved here yet.".
func (l Lang) ConfigVersionsNone() string {
	if l == Chinese {
		return "这里还没有保存过。"
	}
	return "Nothing was saved here yet."
}

// ConfigVersionsNoneText is "Each configuration that is saved on this console, or over its REST interface, is kept with who, when and why.".
func (l Lang) ConfigVersionsNoneText() string {
	if l == Chinese {
		return "在此控制台或通过其 REST 接口保存的每个配置，都会连同操作人、时间和原因一起保留。"
	}
	return "Each configuration that is saved on this console, or over its REST interface, is kept with who, when and why."
}

// ConfigVersionsOpen is "Open the configuration".
func (l Lang) ConfigVersionsOpen() string {
	if l == Chinese {
		return "打开配置"
	}
	return "Open the configuration"
}

// ConfigVersionsRestore is "Go back to this…".
func (l Lang) ConfigVersionsRestore() string {
	if l == Chinese {
		return "恢复到此版本…"
	}
	return "Go back to this…"
}

// ConfigVersionsTitle is "Versions of the configuration of {job}".
func (l Lang) ConfigVersionsTitle(job string) string {
	if l == Chinese {
		return job + " 配置的历史版本"
	}
	return "Versions of the configuration of " + job
}

// ConfigView is "How it is shown".
func (l Lang) ConfigView() string {
	if l == Chinese {
		return "显示方式"
	}
	return "How it is shown"
}

// ConfigWant is "Want {want}.".
func (l Lang) ConfigWant(want string) string {
	if l == Chinese {
		return "应为：" + want + "。"
	}
	return "Want " + want + "."
}

// ConfigWantValue is "{value} is not allowed; want {want}.".
func (l Lang) ConfigWantValue(value string, want string) string {
	if l == Chinese {
		return "不允许 " + value + "；应为：" + want + "。"
	}
	return value + " is not allowed; want " + want + "."
}

// ConfigWas is "was {value}".
func (l Lang) ConfigWas(value string) string {
	if l == Chinese {
		return "原为 " + value
	}
	return "was " + value
}

// ConfigWasEmpty is "was empty".
func (l Lang) ConfigWasEmpty() string {
	if l == Chinese {
		return "原为空"
	}
	return "was empty"
}

// ConfigWhenCreated is "When you create it".
func (l Lang) ConfigWhenCreated() string {
	if l == Chinese {
		return "创建之后"
	}
	return "When you create it"
}

// ConfigWhenSaved is "When you save".
func (l Lang) ConfigWhenSaved() string {
	if l == Chinese {
		return "保存之后"
	}
	return "When you save"
}

// ConfigZone is "Time zone by name".
func (l Lang) ConfigZone() string {
	if l == Chinese {
		return "时区名称"
	}
	return "Time zone by name"
}

// ConfigZoneHelp is "An IANA name such as Europe/Berlin, in place of the time zone. Not while Java agents serve the job.".
func (l Lang) ConfigZoneHelp() string {
	if l == Chinese {
		return "IANA 名称，例如 Europe/Berlin，代替时区。有 Java 实例时不能设置。"
	}
	return "An IANA name such as Europe/Berlin, in place of the time zone. Not while Java agents serve the job."
}
