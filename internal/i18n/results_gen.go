// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ResultsBoth is "{ok}, {failed}".
func (l Lang) ResultsBoth(ok string, failed string) string {
	if l == Chinese {
		return ok + "，" + failed
	}
	return ok + ", " + failed
}

// ResultsHour is "{from} to {to} UTC: {what}".
func (l Lang) ResultsHour(from string, to string, what string) string {
	if l == Chinese {
		return from + " 至 " + to + " UTC：" + what
	}
	return from + " to " + to + " UTC: " + what
}

// ResultsHoursUnknown is "{n, plural, one {# hour} other {# hours}} unknown".
func (l Lang) ResultsHoursUnknown(n int) string {
	if l == Chinese {
		return number(n) + " 小时未知"
	}
	if n == 1 {
		return number(n) + " hour unknown"
	}
	return number(n) + " hours unknown"
}

// ResultsLabel is "Executions that ended in the last 24 hours: {parts}".
func (l Lang) ResultsLabel(parts string) string {
	if l == Chinese {
		return "最近 24 小时内结束的执行：" + parts
	}
	return "Executions that ended in the last 24 hours: " + parts
}

// ResultsNone is "no execution ended".
func (l Lang) ResultsNone() string {
	if l == Chinese {
		return "没有执行结束"
	}
	return "no execution ended"
}

// ResultsUnknown is "unknown, nobody counted".
func (l Lang) ResultsUnknown() string {
	if l == Chinese {
		return "未知，没有统计"
	}
	return "unknown, nobody counted"
}
