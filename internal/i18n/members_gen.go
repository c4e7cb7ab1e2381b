// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// MembersAssigned is "{instance} owns {shards} since {time}.".
func (l Lang) MembersAssigned(instance string, shards string, time string) string {
	if l == Chinese {
		return instance + " 自 " + time + " 起拥有" + shards + "。"
	}
	return instance + " owns " + shards + " since " + time + "."
}

// MembersFailedOver is "{instance} runs {shards} since {time}, failed over after {after}.".
func (l Lang) MembersFailedOver(instance string, shards string, time string, after string) string {
	if l == Chinese {
		return instance + " 自 " + time + " 起运行" + shards + "，" + after + " 后失效转移。"
	}
	return instance + " runs " + shards + " since " + time + ", failed over after " + after + "."
}

// MembersJoined is "{instance} joined at {time}.".
func (l Lang) MembersJoined(instance string, time string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 加入。"
	}
	return instance + " joined at " + time + "."
}

// MembersLeft is "{instance} left at {time}.".
func (l Lang) MembersLeft(instance string, time string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 离开。"
	}
	return instance + " left at " + time + "."
}

// MembersLeftWith is "{instance} left at {time} with {shards}.".
func (l Lang) MembersLeftWith(instance string, time string, shards string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 离开，当时拥有" + shards + "。"
	}
	return instance + " left at " + time + " with " + shards + "."
}

// MembersLost is "{instance} left at {time} while it ran {shards}.".
func (l Lang) MembersLost(instance string, time string, shards string) string {
	if l == Chinese {
		return instance + " 于 " + time + " 离开，当时正在运行" + shards + "。"
	}
	return instance + " left at " + time + " while it ran " + shards + "."
}

// MembersOpen is "{shards}: no instance owns it yet; the next resharding assigns it.".
func (l Lang) MembersOpen(shards string) string {
	if l == Chinese {
		return shards + "：尚无实例拥有，将在下次重新分片时分配。"
	}
	return shards + ": no instance owns it yet; the next resharding assigns it."
}

// MembersShardsOf is "{n, plural, one {shard} other {shards}} {list}".
func (l Lang) MembersShardsOf(n int, list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	if n == 1 {
		return "shard " + list
	}
	return "shards " + list
}

// MembersWaiting is "{shards}: lost. Failover waits for the first instance that is free: {who}.".
func (l Lang) MembersWaiting(shards string, who string) string {
	if l == Chinese {
		return shards + "：已丢失，失效转移等待最先空闲的实例：" + who + "。"
	}
	return shards + ": lost. Failover waits for the first instance that is free: " + who + "."
}

// MembersWithin is "at once".
func (l Lang) MembersWithin() string {
	if l == Chinese {
		return "不到 1 毫秒"
	}
	return "at once"
}
