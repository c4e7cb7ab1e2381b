// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// AddressBetween is "; ".
func (l Lang) AddressBetween() string {
	if l == Chinese {
		return "；"
	}
	return "; "
}

// AddressCorrect is "Correct the query string.".
func (l Lang) AddressCorrect() string {
	if l == Chinese {
		return "请更正查询字符串。"
	}
	return "Correct the query string."
}

// AddressCorrectFilter is "Correct the filter. Nothing was changed.".
func (l Lang) AddressCorrectFilter() string {
	if l == Chinese {
		return "请更正筛选条件。未做任何更改。"
	}
	return "Correct the filter. Nothing was changed."
}

// AddressCorrectRequest is "Correct the request.".
func (l Lang) AddressCorrectRequest() string {
	if l == Chinese {
		return "请更正请求。"
	}
	return "Correct the request."
}

// AddressEnd is ".".
func (l Lang) AddressEnd() string {
	if l == Chinese {
		return "。"
	}
	return "."
}

// AddressLevel is "level {value} is none of run, execution and status".
func (l Lang) AddressLevel(value string) string {
	if l == Chinese {
		return "level 的值 " + value + " 不是 run、execution、status 之一"
	}
	return "level " + value + " is none of run, execution and status"
}

// AddressManyJobs is "{n} jobs are meant, and these are runs of the first {most}".
func (l Lang) AddressManyJobs(n string, most string) string {
	if l == Chinese {
		return "共涉及 " + n + " 个作业，此处只列出前 " + most + " 个作业的运行记录"
	}
	return n + " jobs are meant, and these are runs of the first " + most
}

// AddressMoment is "at {value} is not a time (write 02:00, or 2006-01-02T15:04, in UTC)".
func (l Lang) AddressMoment(value string) string {
	if l == Chinese {
		return "at 的值 " + value + " 不是时间（按 UTC 写成 02:00 或 2006-01-02T15:04）"
	}
	return "at " + value + " is not a time (write 02:00, or 2006-01-02T15:04, in UTC)"
}

// AddressNeither is "{name} {value} is neither {one} nor {other}".
func (l Lang) AddressNeither(name string, value string, one string, other string) string {
	if l == Chinese {
		return name + " 的值 " + value + " 既不是 " + one + " 也不是 " + other
	}
	return name + " " + value + " is neither " + one + " nor " + other
}

// AddressNoFilter is "{key}: is no filter (use {known})".
func (l Lang) AddressNoFilter(key string, known string) string {
	if l == Chinese {
		return "没有筛选条件 " + key + ":（可用：" + known + "）"
	}
	return key + ": is no filter (use " + known + ")"
}

// AddressNoFilterLike is "{key}: is no filter (did you mean {known}:?)".
func (l Lang) AddressNoFilterLike(key string, known string) string {
	if l == Chinese {
		return "没有筛选条件 " + key + ":（是否想写 " + known + ":？）"
	}
	return key + ": is no filter (did you mean " + known + ":?)"
}

// AddressNoQuery is "the query cannot be read".
func (l Lang) AddressNoQuery() string {
	if l == Chinese {
		return "无法读取该查询"
	}
	return "the query cannot be read"
}

// AddressNotSteps is "{name} is about runs, not about steps".
func (l Lang) AddressNotSteps(name string) string {
	if l == Chinese {
		return name + " 只用于运行记录，不用于状态轨迹"
	}
	return name + " is about runs, not about steps"
}

// AddressNumber is "{name} {value} is not a number from 1 to {most}".
func (l Lang) AddressNumber(name string, value string, most string) string {
	if l == Chinese {
		return name + " 的值 " + value + " 不是 1 到 " + most + " 之间的数字"
	}
	return name + " " + value + " is not a number from 1 to " + most
}

// AddressOrder is "order {value} is unknown (use asc or desc)".
func (l Lang) AddressOrder(value string) string {
	if l == Chinese {
		return "order 没有取值 " + value + "（可用：asc、desc）"
	}
	return "order " + value + " is unknown (use asc or desc)"
}

// AddressOutcome is "outcome {value} is unknown (use done, begun or the code of a refusal such as forbidden)".
func (l Lang) AddressOutcome(value string) string {
	if l == Chinese {
		return "outcome 没有取值 " + value + "（可用 done、begun 或拒绝代码，如 forbidden）"
	}
	return "outcome " + value + " is unknown (use done, begun or the code of a refusal such as forbidden)"
}

// AddressPage is "page {value} is not a number from 1".
func (l Lang) AddressPage(value string) string {
	if l == Chinese {
		return "page 的值 " + value + " 不是从 1 开始的页码"
	}
	return "page " + value + " is not a number from 1"
}

// AddressRange is "from is after to".
func (l Lang) AddressRange() string {
	if l == Chinese {
		return "from 晚于 to"
	}
	return "from is after to"
}

// AddressShard is "shard {value} is not a shard's number".
func (l Lang) AddressShard(value string) string {
	if l == Chinese {
		return value + " 不是分片号"
	}
	return "shard " + value + " is not a shard's number"
}

// AddressSpan is "took {value} is not a length of time (write seconds, or 1500ms, 90s, 5m, 2h)".
func (l Lang) AddressSpan(value string) string {
	if l == Chinese {
		return "took 的值 " + value + " 不是时长（可写秒数，或 1500ms、90s、5m、2h）"
	}
	return "took " + value + " is not a length of time (write seconds, or 1500ms, 90s, 5m, 2h)"
}

// AddressTermEmpty is "{key}: has nothing after it".
func (l Lang) AddressTermEmpty(key string) string {
	if l == Chinese {
		return key + ": 后面缺少内容"
	}
	return key + ": has nothing after it"
}

// AddressTermSpan is "{term} is no length of time (use >90s or >5m)".
func (l Lang) AddressTermSpan(term string) string {
	if l == Chinese {
		return term + " 不是时长（可写 >90s 或 >5m）"
	}
	return term + " is no length of time (use >90s or >5m)"
}

// AddressTermTime is "{term} is no time (use <1d, >12h or <30m)".
func (l Lang) AddressTermTime(term string) string {
	if l == Chinese {
		return term + " 不是时间（可写 <1d、>12h 或 <30m）"
	}
	return term + " is no time (use <1d, >12h or <30m)"
}

// AddressTermUnknown is "{term} is unknown (use one of {known})".
func (l Lang) AddressTermUnknown(term string, known string) string {
	if l == Chinese {
		return "没有 " + term + "（可用：" + known + "）"
	}
	return term + " is unknown (use one of " + known + ")"
}

// AddressTermWindow is "{term} is no part of the day (use 02:00-03:00, in UTC, or 02:00-03:00@Asia/Shanghai)".
func (l Lang) AddressTermWindow(term string) string {
	if l == Chinese {
		return term + " 不是一天中的时段（可写 02:00-03:00，即 UTC，或 02:00-03:00@Asia/Shanghai）"
	}
	return term + " is no part of the day (use 02:00-03:00, in UTC, or 02:00-03:00@Asia/Shanghai)"
}

// AddressTime is "{name} {value} is not a time (write 2006-01-02T15:04 in UTC, or with a zone as in RFC 3339)".
func (l Lang) AddressTime(name string, value string) string {
	if l == Chinese {
		return name + " 的值 " + value + " 不是时间（按 UTC 写成 2006-01-02T15:04，或按 RFC 3339 带上时区）"
	}
	return name + " " + value + " is not a time (write 2006-01-02T15:04 in UTC, or with a zone as in RFC 3339)"
}

// AddressUnknown is "{name} {value} is unknown (use one of {known})".
func (l Lang) AddressUnknown(name string, value string, known string) string {
	if l == Chinese {
		return name + " 没有取值 " + value + "（可用：" + known + "）"
	}
	return name + " " + value + " is unknown (use one of " + known + ")"
}
