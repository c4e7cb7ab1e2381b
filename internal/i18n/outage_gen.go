// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// OutageAdvice is "Nothing below can be trusted to be current. Agents go on with the shards they own; actions are refused until the connection is back. This page refreshes by itself.".
func (l Lang) OutageAdvice() string {
	if l == Chinese {
		return "以下内容可能不是最新的。实例继续处理各自的分片；连接恢复之前不接受操作。本页会自动刷新。"
	}
	return "Nothing below can be trusted to be current. Agents go on with the shards they own; actions are refused until the connection is back. This page refreshes by itself."
}

// OutageAdviceSnapshot is "Below is what was last known. Agents go on with the shards they own; actions are off until the connection is back. This page refreshes by itself.".
func (l Lang) OutageAdviceSnapshot() string {
	if l == Chinese {
		return "以下是断开之前的内容。实例继续处理各自的分片；连接恢复之前不能操作。本页会自动刷新。"
	}
	return "Below is what was last known. Agents go on with the shards they own; actions are off until the connection is back. This page refreshes by itself."
}

// OutageHeading is "ZooKeeper unreachable.".
func (l Lang) OutageHeading() string {
	if l == Chinese {
		return "无法连接 ZooKeeper。"
	}
	return "ZooKeeper unreachable."
}

// OutageHeadingSince is "ZooKeeper unreachable since {time}.".
func (l Lang) OutageHeadingSince(time string) string {
	if l == Chinese {
		return "自 " + time + " 起无法连接 ZooKeeper。"
	}
	return "ZooKeeper unreachable since " + time + "."
}

// OutageLastError is "Last error:".
func (l Lang) OutageLastError() string {
	if l == Chinese {
		return "最近的错误："
	}
	return "Last error:"
}

// OutageNothing is "Nothing can be read until ZooKeeper is back.".
func (l Lang) OutageNothing() string {
	if l == Chinese {
		return "ZooKeeper 恢复之前无法读取任何内容。"
	}
	return "Nothing can be read until ZooKeeper is back."
}

// OutageRefused is "ZooKeeper cannot be reached: nothing can be changed until it is back.".
func (l Lang) OutageRefused() string {
	if l == Chinese {
		return "无法连接 ZooKeeper：恢复之前不能修改任何内容。"
	}
	return "ZooKeeper cannot be reached: nothing can be changed until it is back."
}
