// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// TimeAgo is "{span} ago".
func (l Lang) TimeAgo(span string) string {
	if l == Chinese {
		return span + " 前"
	}
	return span + " ago"
}

// TimeFor is "for {span}".
func (l Lang) TimeFor(span string) string {
	if l == Chinese {
		return "已持续 " + span
	}
	return "for " + span
}

// TimeJustNow is "just now".
func (l Lang) TimeJustNow() string {
	if l == Chinese {
		return "刚刚"
	}
	return "just now"
}

// TimeUnits is "d h min s".
func (l Lang) TimeUnits() string {
	if l == Chinese {
		return "天 小时 分 秒"
	}
	return "d h min s"
}
