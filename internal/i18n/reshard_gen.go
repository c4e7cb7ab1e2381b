// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ReshardBadInstance is "No instance {value} serves the job now.".
func (l Lang) ReshardBadInstance(value string) string {
	if l == Chinese {
		return "目前没有实例 " + value + " 运行此作业。"
	}
	return "No instance " + value + " serves the job now."
}

// ReshardBadShards is "The number of shards is {value}; it can be 1 to {n, number}.".
func (l Lang) ReshardBadShards(value string, n int) string {
	if l == Chinese {
		return "分片数为 " + value + "，应为 1 到 " + number(n) + "。"
	}
	return "The number of shards is " + value + "; it can be 1 to " + number(n) + "."
}

// ReshardBadStrategy is "There is no plan for the strategy {value}: AVG_ALLOCATION, ODEVITY and ROUND_ROBIN can be predicted.".
func (l Lang) ReshardBadStrategy(value string) string {
	if l == Chinese {
		return "无法预演策略 " + value + "：只有 AVG_ALLOCATION、ODEVITY 和 ROUND_ROBIN 可以预先得知。"
	}
	return "There is no plan for the strategy " + value + ": AVG_ALLOCATION, ODEVITY and ROUND_ROBIN can be predicted."
}

// ReshardBadWith is "{value} is no address of an instance, such as 10.0.3.30.".
func (l Lang) ReshardBadWith(value string) string {
	if l == Chinese {
		return value + " 不是实例的地址（例如 10.0.3.30）。"
	}
	return value + " is no address of an instance, such as 10.0.3.30."
}

// ReshardCalculate is "Calculate".
func (l Lang) ReshardCalculate() string {
	if l == Chinese {
		return "计算"
	}
	return "Calculate"
}

// ReshardChange is "Change".
func (l Lang) ReshardChange() string {
	if l == Chinese {
		return "变化"
	}
	return "Change"
}

// ReshardConfigure is "Open the configuration".
func (l Lang) ReshardConfigure() string {
	if l == Chinese {
		return "打开配置"
	}
	return "Open the configuration"
}

// ReshardGoes is "removed".
func (l Lang) ReshardGoes() string {
	if l == Chinese {
		return "移除"
	}
	return "removed"
}

// ReshardImpossible is "This cannot happen to the job: an instance named is not there, or is there already.".
func (l Lang) ReshardImpossible() string {
	if l == Chinese {
		return "作业不可能发生这种变化：所指的实例不存在，或已经存在。"
	}
	return "This cannot happen to the job: an instance named is not there, or is there already."
}

// ReshardIsNew is "new".
func (l Lang) ReshardIsNew() string {
	if l == Chinese {
		return "新增"
	}
	return "new"
}

// ReshardLink is "Link to this plan".
func (l Lang) ReshardLink() string {
	if l == Chinese {
		return "此预演的链接"
	}
	return "Link to this plan"
}

// ReshardLoad is "Load {shares}".
func (l Lang) ReshardLoad(shares string) string {
	if l == Chinese {
		return "负载 " + shares
	}
	return "Load " + shares
}

// ReshardLoadRange is "{n, plural, one {# instance} other {# instances}} with {m, number} to {k, number} shards each".
func (l Lang) ReshardLoadRange(n int, m int, k int) string {
	if l == Chinese {
		return number(n) + " 个实例，每个 " + number(m) + " 到 " + number(k) + " 个分片"
	}
	if n == 1 {
		return number(n) + " instance with " + number(m) + " to " + number(k) + " shards each"
	}
	return number(n) + " instances with " + number(m) + " to " + number(k) + " shards each"
}

// ReshardMore is "{n, number} more are not listed".
func (l Lang) ReshardMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 个未列出"
	}
	return number(n) + " more are not listed"
}

// ReshardMoves is "moves".
func (l Lang) ReshardMoves() string {
	if l == Chinese {
		return "移动"
	}
	return "moves"
}

// ReshardNobody is "No instance would be there to get shards.".
func (l Lang) ReshardNobody() string {
	if l == Chinese {
		return "没有实例可以分配分片。"
	}
	return "No instance would be there to get shards."
}

// ReshardNow is "Now".
func (l Lang) ReshardNow() string {
	if l == Chinese {
		return "现在"
	}
	return "Now"
}

// ReshardShard is "Shard".
func (l Lang) ReshardShard() string {
	if l == Chinese {
		return "分片"
	}
	return "Shard"
}

// ReshardShards is "Shards".
func (l Lang) ReshardShards() string {
	if l == Chinese {
		return "分片数"
	}
	return "Shards"
}

// ReshardStays is "stays".
func (l Lang) ReshardStays() string {
	if l == Chinese {
		return "不变"
	}
	return "stays"
}

// ReshardStrategy is "Strategy".
func (l Lang) ReshardStrategy() string {
	if l == Chinese {
		return "分片策略"
	}
	return "Strategy"
}

// ReshardSub is "What would the leader assign? Nothing is written.".
func (l Lang) ReshardSub() string {
	if l == Chinese {
		return "主节点会如何分配？不写入任何内容。"
	}
	return "What would the leader assign? Nothing is written."
}

// ReshardThen is "Then".
func (l Lang) ReshardThen() string {
	if l == Chinese {
		return "之后"
	}
	return "Then"
}

// ReshardTitle is "Reshard dry run".
func (l Lang) ReshardTitle() string {
	if l == Chinese {
		return "重新分片预演"
	}
	return "Reshard dry run"
}

// ReshardUnpredictable is "Nobody can tell who would get which shard: the strategy is the agents' own, or chooses by the time of day.".
func (l Lang) ReshardUnpredictable() string {
	if l == Chinese {
		return "无法预知分片的归属：该策略由执行器自行实现，或取决于时间。"
	}
	return "Nobody can tell who would get which shard: the strategy is the agents' own, or chooses by the time of day."
}

// ReshardVerdict is "{n, plural, one {# shard moves} other {# shards move}}, {m, number} new, {k, number} removed.".
func (l Lang) ReshardVerdict(n int, m int, k int) string {
	if l == Chinese {
		return number(n) + " 个分片移动，" + number(m) + " 个新增，" + number(k) + " 个移除。"
	}
	if n == 1 {
		return number(n) + " shard moves, " + number(m) + " new, " + number(k) + " removed."
	}
	return number(n) + " shards move, " + number(m) + " new, " + number(k) + " removed."
}

// ReshardVerdictNone is "No shard moves.".
func (l Lang) ReshardVerdictNone() string {
	if l == Chinese {
		return "没有分片移动。"
	}
	return "No shard moves."
}

// ReshardWaits is "{n, plural, one {# of them runs now: the leader waits for its end.} other {# of them run now: the leader waits for their ends.}}".
func (l Lang) ReshardWaits(n int) string {
	if l == Chinese {
		return "其中 " + number(n) + " 个正在运行：主节点会等待其结束。"
	}
	if n == 1 {
		return number(n) + " of them runs now: the leader waits for its end."
	}
	return number(n) + " of them run now: the leader waits for their ends."
}

// ReshardWith is "With".
func (l Lang) ReshardWith() string {
	if l == Chinese {
		return "加入"
	}
	return "With"
}

// ReshardWithHint is "address of one more".
func (l Lang) ReshardWithHint() string {
	if l == Chinese {
		return "新实例的地址"
	}
	return "address of one more"
}

// ReshardWithout is "Without".
func (l Lang) ReshardWithout() string {
	if l == Chinese {
		return "去掉"
	}
	return "Without"
}

// ReshardWithoutNone is "every instance stays".
func (l Lang) ReshardWithoutNone() string {
	if l == Chinese {
		return "保留所有实例"
	}
	return "every instance stays"
}
