// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// FleetAll is "All".
func (l Lang) FleetAll() string {
	if l == Chinese {
		return "全部"
	}
	return "All"
}

// FleetClear is "Clear".
func (l Lang) FleetClear() string {
	if l == Chinese {
		return "清除"
	}
	return "Clear"
}

// FleetCount is "{n, plural, one {# server} other {# servers}}".
func (l Lang) FleetCount(n int) string {
	if l == Chinese {
		return number(n) + " 台服务器"
	}
	if n == 1 {
		return number(n) + " server"
	}
	return number(n) + " servers"
}

// FleetDisabled is "Disabled".
func (l Lang) FleetDisabled() string {
	if l == Chinese {
		return "已禁用"
	}
	return "Disabled"
}

// FleetDisabledHere is "Jobs disabled here".
func (l Lang) FleetDisabledHere() string {
	if l == Chinese {
		return "在此禁用的作业"
	}
	return "Jobs disabled here"
}

// FleetDisabledNote is "Every job is disabled here; it gets no shards.".
func (l Lang) FleetDisabledNote() string {
	if l == Chinese {
		return "所有作业都在此禁用，不会分配到分片。"
	}
	return "Every job is disabled here; it gets no shards."
}

// FleetEmpty is "No server has registered yet.".
func (l Lang) FleetEmpty() string {
	if l == Chinese {
		return "尚无服务器注册。"
	}
	return "No server has registered yet."
}

// FleetEmptyText is "A server appears here as soon as an agent on it registers a job.".
func (l Lang) FleetEmptyText() string {
	if l == Chinese {
		return "服务器上的实例注册作业后，服务器会显示在这里。"
	}
	return "A server appears here as soon as an agent on it registers a job."
}

// FleetExecutionsHere is "Executions on this server".
func (l Lang) FleetExecutionsHere() string {
	if l == Chinese {
		return "此服务器上的执行明细"
	}
	return "Executions on this server"
}

// FleetInstances is "Instances".
func (l Lang) FleetInstances() string {
	if l == Chinese {
		return "实例数"
	}
	return "Instances"
}

// FleetJobs is "Jobs".
func (l Lang) FleetJobs() string {
	if l == Chinese {
		return "作业"
	}
	return "Jobs"
}

// FleetNoMatch is "No server matches.".
func (l Lang) FleetNoMatch() string {
	if l == Chinese {
		return "没有匹配的服务器。"
	}
	return "No server matches."
}

// FleetNote is "Note".
func (l Lang) FleetNote() string {
	if l == Chinese {
		return "备注"
	}
	return "Note"
}

// FleetOffline is "Offline".
func (l Lang) FleetOffline() string {
	if l == Chinese {
		return "离线"
	}
	return "Offline"
}

// FleetOfflineNote is "No process runs here. Its entries stay until they are removed.".
func (l Lang) FleetOfflineNote() string {
	if l == Chinese {
		return "此处没有进程运行。其记录会保留，直到被移除。"
	}
	return "No process runs here. Its entries stay until they are removed."
}

// FleetOnline is "Online".
func (l Lang) FleetOnline() string {
	if l == Chinese {
		return "在线"
	}
	return "Online"
}

// FleetSearch is "Search by address".
func (l Lang) FleetSearch() string {
	if l == Chinese {
		return "按地址搜索"
	}
	return "Search by address"
}

// FleetSearchButton is "Search".
func (l Lang) FleetSearchButton() string {
	if l == Chinese {
		return "搜索"
	}
	return "Search"
}

// FleetSearchHint is "Search address".
func (l Lang) FleetSearchHint() string {
	if l == Chinese {
		return "搜索地址"
	}
	return "Search address"
}

// FleetServer is "Server".
func (l Lang) FleetServer() string {
	if l == Chinese {
		return "服务器"
	}
	return "Server"
}

// FleetShowAll is "Show all servers".
func (l Lang) FleetShowAll() string {
	if l == Chinese {
		return "显示全部服务器"
	}
	return "Show all servers"
}

// FleetSomeDisabled is "{n, plural, one {# job is} other {# jobs are}} disabled here.".
func (l Lang) FleetSomeDisabled(n int) string {
	if l == Chinese {
		return number(n) + " 个作业在此禁用。"
	}
	if n == 1 {
		return number(n) + " job is disabled here."
	}
	return number(n) + " jobs are disabled here."
}

// FleetState is "State".
func (l Lang) FleetState() string {
	if l == Chinese {
		return "状态"
	}
	return "State"
}

// FleetStates is "Filter by state".
func (l Lang) FleetStates() string {
	if l == Chinese {
		return "按状态筛选"
	}
	return "Filter by state"
}

// FleetUnknownState is "state {value} is unknown (use online, disabled or offline)".
func (l Lang) FleetUnknownState(value string) string {
	if l == Chinese {
		return "未知的 state：" + value + "（可用 online、disabled 或 offline）"
	}
	return "state " + value + " is unknown (use online, disabled or offline)"
}
