// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// MatrixAll is "All shards".
func (l Lang) MatrixAll() string {
	if l == Chinese {
		return "全部分片"
	}
	return "All shards"
}

// MatrixAnyState is "any state".
func (l Lang) MatrixAnyState() string {
	if l == Chinese {
		return "任意状态"
	}
	return "any state"
}

// MatrixBadOrder is "There is no order {order}; the shards are shown by owner.".
func (l Lang) MatrixBadOrder(order string) string {
	if l == Chinese {
		return "没有排序方式 " + order + "，按实例显示。"
	}
	return "There is no order " + order + "; the shards are shown by owner."
}

// MatrixBadOwner is "No instance {instance} has a shard of this job now; all are listed.".
func (l Lang) MatrixBadOwner(instance string) string {
	if l == Chinese {
		return "实例 " + instance + " 目前没有此作业的分片，列出全部分片。"
	}
	return "No instance " + instance + " has a shard of this job now; all are listed."
}

// MatrixBadState is "There is no state {state} of shards: {list}.".
func (l Lang) MatrixBadState(state string, list string) string {
	if l == Chinese {
		return "分片没有状态 " + state + "，可用：" + list + "。"
	}
	return "There is no state " + state + " of shards: " + list + "."
}

// MatrixBlocked is "doesn't run".
func (l Lang) MatrixBlocked() string {
	if l == Chinese {
		return "不运行"
	}
	return "doesn't run"
}

// MatrixByNumber is "By number".
func (l Lang) MatrixByNumber() string {
	if l == Chinese {
		return "按编号"
	}
	return "By number"
}

// MatrixByOwner is "By owner".
func (l Lang) MatrixByOwner() string {
	if l == Chinese {
		return "按实例"
	}
	return "By owner"
}

// MatrixByState is "By state".
func (l Lang) MatrixByState() string {
	if l == Chinese {
		return "按状态"
	}
	return "By state"
}

// MatrixCell is "Shard {shard} on {instance}: {state}".
func (l Lang) MatrixCell(shard string, instance string, state string) string {
	if l == Chinese {
		return "分片 " + shard + "，实例 " + instance + "：" + state
	}
	return "Shard " + shard + " on " + instance + ": " + state
}

// MatrixDepartedOpen is "{n, plural, one {# shard waits for an owner} other {# shards wait for an owner}}".
func (l Lang) MatrixDepartedOpen(n int) string {
	if l == Chinese {
		return number(n) + " 个分片等待分配"
	}
	if n == 1 {
		return number(n) + " shard waits for an owner"
	}
	return number(n) + " shards wait for an owner"
}

// MatrixDepartedTo is "now on {instances}".
func (l Lang) MatrixDepartedTo(instances string) string {
	if l == Chinese {
		return "现在位于 " + instances
	}
	return "now on " + instances
}

// MatrixFailed is "failed".
func (l Lang) MatrixFailed() string {
	if l == Chinese {
		return "失败"
	}
	return "failed"
}

// MatrixFound is "{n, plural, one {# shard} other {# shards}} found".
func (l Lang) MatrixFound(n int) string {
	if l == Chinese {
		return "找到 " + number(n) + " 个分片"
	}
	if n == 1 {
		return number(n) + " shard found"
	}
	return number(n) + " shards found"
}

// MatrixFoundNone is "No shard matches.".
func (l Lang) MatrixFoundNone() string {
	if l == Chinese {
		return "没有匹配的分片。"
	}
	return "No shard matches."
}

// MatrixFoundNoneText is "Numbers are compared exactly, parameters and instances by a part.".
func (l Lang) MatrixFoundNoneText() string {
	if l == Chinese {
		return "分片号须完全一致，参数和实例可只写一部分。"
	}
	return "Numbers are compared exactly, parameters and instances by a part."
}

// MatrixHad is "had it".
func (l Lang) MatrixHad() string {
	if l == Chinese {
		return "曾拥有"
	}
	return "had it"
}

// MatrixIdle is "idle".
func (l Lang) MatrixIdle() string {
	if l == Chinese {
		return "空闲"
	}
	return "idle"
}

// MatrixInstance is "Instance".
func (l Lang) MatrixInstance() string {
	if l == Chinese {
		return "实例"
	}
	return "Instance"
}

// MatrixInstances is "{n, plural, one {# instance} other {# instances}}".
func (l Lang) MatrixInstances(n int) string {
	if l == Chinese {
		return number(n) + " 个实例"
	}
	if n == 1 {
		return number(n) + " instance"
	}
	return number(n) + " instances"
}

// MatrixLabel is "Which instance has which shard".
func (l Lang) MatrixLabel() string {
	if l == Chinese {
		return "各实例拥有的分片"
	}
	return "Which instance has which shard"
}

// MatrixLargeNote is "one cell per shard; pick an instance to list its shards".
func (l Lang) MatrixLargeNote() string {
	if l == Chinese {
		return "每格一个分片；点击实例列出其分片"
	}
	return "one cell per shard; pick an instance to list its shards"
}

// MatrixLeader is "leader".
func (l Lang) MatrixLeader() string {
	if l == Chinese {
		return "主节点"
	}
	return "leader"
}

// MatrixLeft is "left {time}".
func (l Lang) MatrixLeft(time string) string {
	if l == Chinese {
		return time + " 离开"
	}
	return "left " + time
}

// MatrixLegendFailed is "last execution failed".
func (l Lang) MatrixLegendFailed() string {
	if l == Chinese {
		return "最近一次执行失败"
	}
	return "last execution failed"
}

// MatrixLegendIdle is "owned, idle".
func (l Lang) MatrixLegendIdle() string {
	if l == Chinese {
		return "已分配，空闲"
	}
	return "owned, idle"
}

// MatrixLegendLost is "lost with its instance".
func (l Lang) MatrixLegendLost() string {
	if l == Chinese {
		return "随实例丢失"
	}
	return "lost with its instance"
}

// MatrixLegendOff is "shard disabled".
func (l Lang) MatrixLegendOff() string {
	if l == Chinese {
		return "分片已禁用"
	}
	return "shard disabled"
}

// MatrixLost is "lost".
func (l Lang) MatrixLost() string {
	if l == Chinese {
		return "丢失"
	}
	return "lost"
}

// MatrixMoved is "failed over".
func (l Lang) MatrixMoved() string {
	if l == Chinese {
		return "已失效转移"
	}
	return "failed over"
}

// MatrixNobody is "Unassigned".
func (l Lang) MatrixNobody() string {
	if l == Chinese {
		return "未分配"
	}
	return "Unassigned"
}

// MatrixNone is "no shard".
func (l Lang) MatrixNone() string {
	if l == Chinese {
		return "无分片"
	}
	return "no shard"
}

// MatrixNotDrawn is "{text}; {n, number} more are not drawn".
func (l Lang) MatrixNotDrawn(text string, n int) string {
	if l == Chinese {
		return text + "；另有 " + number(n) + " 个未绘出"
	}
	return text + "; " + number(n) + " more are not drawn"
}

// MatrixOfOwner is "Shards of {instance}".
func (l Lang) MatrixOfOwner(instance string) string {
	if l == Chinese {
		return instance + " 的分片"
	}
	return "Shards of " + instance
}

// MatrixOff is "off".
func (l Lang) MatrixOff() string {
	if l == Chinese {
		return "已禁用"
	}
	return "off"
}

// MatrixOpen is "Shards as a table".
func (l Lang) MatrixOpen() string {
	if l == Chinese {
		return "以表格查看分片"
	}
	return "Shards as a table"
}

// MatrixOrder is "Order of the shards".
func (l Lang) MatrixOrder() string {
	if l == Chinese {
		return "分片排序"
	}
	return "Order of the shards"
}

// MatrixOwns is "{n, plural, one {# shard} other {# shards}}".
func (l Lang) MatrixOwns(n int) string {
	if l == Chinese {
		return number(n) + " 个分片"
	}
	if n == 1 {
		return number(n) + " shard"
	}
	return number(n) + " shards"
}

// MatrixRunning is "running".
func (l Lang) MatrixRunning() string {
	if l == Chinese {
		return "运行中"
	}
	return "running"
}

// MatrixSearch is "Search the shards".
func (l Lang) MatrixSearch() string {
	if l == Chinese {
		return "搜索分片"
	}
	return "Search the shards"
}

// MatrixSearchHint is "Shard, 10-20, parameter, instance".
func (l Lang) MatrixSearchHint() string {
	if l == Chinese {
		return "分片、10-20、参数、实例"
	}
	return "Shard, 10-20, parameter, instance"
}

// MatrixShowAll is "Show all shards".
func (l Lang) MatrixShowAll() string {
	if l == Chinese {
		return "显示全部分片"
	}
	return "Show all shards"
}

// MatrixSub is "{shards} on {instances}".
func (l Lang) MatrixSub(shards string, instances string) string {
	if l == Chinese {
		return shards + "，" + instances
	}
	return shards + " on " + instances
}

// MatrixTitle is "Shards now".
func (l Lang) MatrixTitle() string {
	if l == Chinese {
		return "当前分片"
	}
	return "Shards now"
}

// MatrixUnassigned is "unassigned".
func (l Lang) MatrixUnassigned() string {
	if l == Chinese {
		return "未分配"
	}
	return "unassigned"
}
