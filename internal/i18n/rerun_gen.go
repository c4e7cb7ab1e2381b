// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RerunAgain is "Run again…".
func (l Lang) RerunAgain() string {
	if l == Chinese {
		return "重新运行…"
	}
	return "Run again…"
}

// RerunAgainFailed is "Run {n, plural, one {# failed shard} other {# failed shards}} again…".
func (l Lang) RerunAgainFailed(n int) string {
	if l == Chinese {
		return "重新运行 " + number(n) + " 个失败分片…"
	}
	if n == 1 {
		return "Run " + number(n) + " failed shard again…"
	}
	return "Run " + number(n) + " failed shards again…"
}

// RerunAgainShard is "Run shard {n} again…".
func (l Lang) RerunAgainShard(n string) string {
	if l == Chinese {
		return "重新运行分片 " + n + "…"
	}
	return "Run shard " + n + " again…"
}

// RerunAsk is "Run {n, plural, one {# shard} other {# shards}} of {job} again?".
func (l Lang) RerunAsk(n int, job string) string {
	if l == Chinese {
		return "重新运行 " + job + " 的 " + number(n) + " 个分片？"
	}
	if n == 1 {
		return "Run " + number(n) + " shard of " + job + " again?"
	}
	return "Run " + number(n) + " shards of " + job + " again?"
}

// RerunAskOne is "Run shard {n} of {job} again?".
func (l Lang) RerunAskOne(n string, job string) string {
	if l == Chinese {
		return "重新运行 " + job + " 的分片 " + n + "？"
	}
	return "Run shard " + n + " of " + job + " again?"
}

// RerunAsked is "{n, plural, one {instance is asked} other {instances are asked}}".
func (l Lang) RerunAsked(n int) string {
	if l == Chinese {
		return "个实例将被触发"
	}
	if n == 1 {
		return "instance is asked"
	}
	return "instances are asked"
}

// RerunBusy is "it is running now: agents drop a request that arrives while the job runs".
func (l Lang) RerunBusy() string {
	if l == Chinese {
		return "该实例正在运行：作业运行期间收到的触发请求会被丢弃"
	}
	return "it is running now: agents drop a request that arrives while the job runs"
}

// RerunCannot is "{n, plural, one {shard cannot run} other {shards cannot run}}".
func (l Lang) RerunCannot(n int) string {
	if l == Chinese {
		return "个分片无法运行"
	}
	if n == 1 {
		return "shard cannot run"
	}
	return "shards cannot run"
}

// RerunDone is "Asked {instances} to run {job}. The run is listed here as soon as it begins.".
func (l Lang) RerunDone(instances string, job string) string {
	if l == Chinese {
		return "已请求 " + instances + " 运行 " + job + "。运行开始后会在此列出。"
	}
	return "Asked " + instances + " to run " + job + ". The run is listed here as soon as it begins."
}

// RerunEffectInstance is "ElasticJob knows a trigger of an instance, in Java and in Go, and none of a shard: each instance runs all of its shards once, now.".
func (l Lang) RerunEffectInstance() string {
	if l == Chinese {
		return "ElasticJob（Java 和 Go）只能触发实例，不能触发单个分片：每个实例立即将其全部分片运行一次。"
	}
	return "ElasticJob knows a trigger of an instance, in Java and in Go, and none of a shard: each instance runs all of its shards once, now."
}

// RerunEffectNew is "It is a run of its own. The one that failed stays as it is in the history.".
func (l Lang) RerunEffectNew() string {
	if l == Chinese {
		return "这是一次新的运行，失败的运行在历史中保持不变。"
	}
	return "It is a run of its own. The one that failed stays as it is in the history."
}

// RerunEffectReshard is "Shards are assigned again before the run, so that others may run there.".
func (l Lang) RerunEffectReshard() string {
	if l == Chinese {
		return "运行前会重新分片，因此可能由其他实例运行。"
	}
	return "Shards are assigned again before the run, so that others may run there."
}

// RerunEffectUnknown is "How long that usually takes is not known: the history has no run of these shards that succeeded.".
func (l Lang) RerunEffectUnknown() string {
	if l == Chinese {
		return "通常耗时未知：历史中没有这些分片成功的运行记录。"
	}
	return "How long that usually takes is not known: the history has no run of these shards that succeeded."
}

// RerunEffectUsual is "The slowest of these shards usually takes {span}.".
func (l Lang) RerunEffectUsual(span string) string {
	if l == Chinese {
		return "其中最慢的分片通常需要 " + span + "。"
	}
	return "The slowest of these shards usually takes " + span + "."
}

// RerunMoved is "The shards have moved since".
func (l Lang) RerunMoved() string {
	if l == Chinese {
		return "分片已经变动"
	}
	return "The shards have moved since"
}

// RerunMovedText is "Other instances own them now. Look at the list again; nothing was triggered.".
func (l Lang) RerunMovedText() string {
	if l == Chinese {
		return "现在由其他实例拥有。请重新查看列表；尚未触发任何内容。"
	}
	return "Other instances own them now. Look at the list again; nothing was triggered."
}

// RerunNoneText is "Choose one on the page of a run, or among the shards of the job.".
func (l Lang) RerunNoneText() string {
	if l == Chinese {
		return "请在运行页面或作业的分片列表中选择。"
	}
	return "Choose one on the page of a run, or among the shards of the job."
}

// RerunNothing is "None of these shards can run now. The list says why.".
func (l Lang) RerunNothing() string {
	if l == Chinese {
		return "这些分片现在都无法运行，原因见列表。"
	}
	return "None of these shards can run now. The list says why."
}

// RerunOthers is "{n, plural, one {other shard runs with it} other {other shards run with it}}".
func (l Lang) RerunOthers(n int) string {
	if l == Chinese {
		return "个其他分片随之运行"
	}
	if n == 1 {
		return "other shard runs with it"
	}
	return "other shards run with it"
}

// RerunRows is "What runs where".
func (l Lang) RerunRows() string {
	if l == Chinese {
		return "哪些分片在哪里运行"
	}
	return "What runs where"
}

// RerunRuns is "Runs".
func (l Lang) RerunRuns() string {
	if l == Chinese {
		return "运行"
	}
	return "Runs"
}

// RerunSubmit is "Run on {n, plural, one {# instance} other {# instances}}".
func (l Lang) RerunSubmit(n int) string {
	if l == Chinese {
		return "在 " + number(n) + " 个实例上运行"
	}
	if n == 1 {
		return "Run on " + number(n) + " instance"
	}
	return "Run on " + number(n) + " instances"
}

// RerunWanted is "{n, plural, one {shard runs as asked} other {shards run as asked}}".
func (l Lang) RerunWanted(n int) string {
	if l == Chinese {
		return "个分片按要求运行"
	}
	if n == 1 {
		return "shard runs as asked"
	}
	return "shards run as asked"
}

// RerunWhyDisabled is "the shard is disabled".
func (l Lang) RerunWhyDisabled() string {
	if l == Chinese {
		return "分片已被禁用"
	}
	return "the shard is disabled"
}

// RerunWhyLeft is "its owner {instance} has left".
func (l Lang) RerunWhyLeft(instance string) string {
	if l == Chinese {
		return "所属实例 " + instance + " 已离开"
	}
	return "its owner " + instance + " has left"
}

// RerunWhyMissing is "the job has no such shard any more".
func (l Lang) RerunWhyMissing() string {
	if l == Chinese {
		return "作业已没有这个分片"
	}
	return "the job has no such shard any more"
}

// RerunWhyNobody is "no instance owns it; it is assigned at the next fire, or by a trigger of the job".
func (l Lang) RerunWhyNobody() string {
	if l == Chinese {
		return "未分配给任何实例；下次触发时会分配"
	}
	return "no instance owns it; it is assigned at the next fire, or by a trigger of the job"
}

// RerunWhyServer is "its owner {instance} is on a server that is not enabled".
func (l Lang) RerunWhyServer(instance string) string {
	if l == Chinese {
		return "所属实例 " + instance + " 的服务器未启用"
	}
	return "its owner " + instance + " is on a server that is not enabled"
}

// RerunWith is "{shards}, and with it {others}".
func (l Lang) RerunWith(shards string, others string) string {
	if l == Chinese {
		return shards + "，同时运行" + others
	}
	return shards + ", and with it " + others
}
