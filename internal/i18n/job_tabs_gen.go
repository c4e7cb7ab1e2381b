// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// JobTabsActivity is "Activity".
func (l Lang) JobTabsActivity() string {
	if l == Chinese {
		return "活动"
	}
	return "Activity"
}

// JobTabsConfig is "Configuration".
func (l Lang) JobTabsConfig() string {
	if l == Chinese {
		return "配置"
	}
	return "Configuration"
}

// JobTabsExplain is "Explain".
func (l Lang) JobTabsExplain() string {
	if l == Chinese {
		return "诊断"
	}
	return "Explain"
}

// JobTabsLabel is "Parts of the job".
func (l Lang) JobTabsLabel() string {
	if l == Chinese {
		return "作业的各部分"
	}
	return "Parts of the job"
}

// JobTabsOverview is "Overview".
func (l Lang) JobTabsOverview() string {
	if l == Chinese {
		return "总览"
	}
	return "Overview"
}

// JobTabsRequested is "Requested".
func (l Lang) JobTabsRequested() string {
	if l == Chinese {
		return "请求"
	}
	return "Requested"
}

// JobTabsRuns is "Runs".
func (l Lang) JobTabsRuns() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
}

// JobTabsShards is "Shards".
func (l Lang) JobTabsShards() string {
	if l == Chinese {
		return "分片"
	}
	return "Shards"
}
