// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// CleanupAll is "Clean up {n, plural, one {# offline server} other {# offline servers}}…".
func (l Lang) CleanupAll(n int) string {
	if l == Chinese {
		return "清理 " + number(n) + " 台离线服务器…"
	}
	if n == 1 {
		return "Clean up " + number(n) + " offline server…"
	}
	return "Clean up " + number(n) + " offline servers…"
}

// CleanupBack is "Back to the servers".
func (l Lang) CleanupBack() string {
	if l == Chinese {
		return "返回服务器列表"
	}
	return "Back to the servers"
}

// CleanupButton is "Remove the ticked entries".
func (l Lang) CleanupButton() string {
	if l == Chinese {
		return "移除所选记录"
	}
	return "Remove the ticked entries"
}

// CleanupComesBack is "A server that rejoins adds its entries again, enabled. One that has rejoined meanwhile is left as it is.".
func (l Lang) CleanupComesBack() string {
	if l == Chinese {
		return "服务器恢复后会重新添加记录并处于启用状态。期间已恢复的服务器保持不变。"
	}
	return "A server that rejoins adds its entries again, enabled. One that has rejoined meanwhile is left as it is."
}

// CleanupDone is "Removed {n, plural, one {# entry} other {# entries}} of {m, number} servers.".
func (l Lang) CleanupDone(n int, m int) string {
	if l == Chinese {
		return "已移除 " + number(n) + " 条记录，涉及 " + number(m) + " 台服务器。"
	}
	if n == 1 {
		return "Removed " + number(n) + " entry of " + number(m) + " servers."
	}
	return "Removed " + number(n) + " entries of " + number(m) + " servers."
}

// CleanupKept is "{ip}: {n, plural, one {# entry} other {# entries}} kept. {why}".
func (l Lang) CleanupKept(ip string, n int, why string) string {
	if l == Chinese {
		return ip + "：保留 " + number(n) + " 条记录。" + why
	}
	if n == 1 {
		return ip + ": " + number(n) + " entry kept. " + why
	}
	return ip + ": " + number(n) + " entries kept. " + why
}

// CleanupLast is "Last execution".
func (l Lang) CleanupLast() string {
	if l == Chinese {
		return "最近执行"
	}
	return "Last execution"
}

// CleanupMore is "{n, number} more are not listed; clean up again after this.".
func (l Lang) CleanupMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 台未列出；完成后请再次清理。"
	}
	return number(n) + " more are not listed; clean up again after this."
}

// CleanupNone is "No server is offline.".
func (l Lang) CleanupNone() string {
	if l == Chinese {
		return "没有离线的服务器。"
	}
	return "No server is offline."
}

// CleanupNoneText is "Only servers on which no process is registered can be cleaned up.".
func (l Lang) CleanupNoneText() string {
	if l == Chinese {
		return "只能清理没有注册进程的服务器。"
	}
	return "Only servers on which no process is registered can be cleaned up."
}

// CleanupNoteDisabled is "disabled in {n, plural, one {# job} other {# jobs}}, which would be forgotten; tick it to remove it all the same".
func (l Lang) CleanupNoteDisabled(n int) string {
	if l == Chinese {
		return "在 " + number(n) + " 个作业中处于禁用状态，移除后该状态会丢失；勾选后仍可移除"
	}
	if n == 1 {
		return "disabled in " + number(n) + " job, which would be forgotten; tick it to remove it all the same"
	}
	return "disabled in " + number(n) + " jobs, which would be forgotten; tick it to remove it all the same"
}

// CleanupNoteRecent is "ran less than a day ago; tick it to remove it all the same".
func (l Lang) CleanupNoteRecent() string {
	if l == Chinese {
		return "一天之内有过执行；勾选后仍可移除"
	}
	return "ran less than a day ago; tick it to remove it all the same"
}

// CleanupNothingTicked is "No server is ticked. Nothing was changed.".
func (l Lang) CleanupNothingTicked() string {
	if l == Chinese {
		return "没有勾选服务器，未做任何更改。"
	}
	return "No server is ticked. Nothing was changed."
}

// CleanupNothingTouched is "A server is listed here when no process of it is registered. Its entry stays in ZooKeeper until it is removed; no instance and no shard is touched.".
func (l Lang) CleanupNothingTouched() string {
	if l == Chinese {
		return "没有注册进程的服务器会列在这里。其记录会一直保留在 ZooKeeper 中，直到被移除；不影响任何实例和分片。"
	}
	return "A server is listed here when no process of it is registered. Its entry stays in ZooKeeper until it is removed; no instance and no shard is touched."
}

// CleanupRemove is "Remove".
func (l Lang) CleanupRemove() string {
	if l == Chinese {
		return "移除"
	}
	return "Remove"
}

// CleanupSelected is "Clean up selected…".
func (l Lang) CleanupSelected() string {
	if l == Chinese {
		return "清理所选…"
	}
	return "Clean up selected…"
}

// CleanupSum is "The ticked servers have {n, plural, one {# entry} other {# entries}} servers/IP in their jobs, which are removed.".
func (l Lang) CleanupSum(n int) string {
	if l == Chinese {
		return "所选服务器在其作业中共有 " + number(n) + " 条 servers/IP 记录，将被移除。"
	}
	if n == 1 {
		return "The ticked servers have " + number(n) + " entry servers/IP in their jobs, which are removed."
	}
	return "The ticked servers have " + number(n) + " entries servers/IP in their jobs, which are removed."
}

// CleanupTick is "Select {ip}".
func (l Lang) CleanupTick(ip string) string {
	if l == Chinese {
		return "选择 " + ip
	}
	return "Select " + ip
}

// CleanupTitle is "Clean up offline servers".
func (l Lang) CleanupTitle() string {
	if l == Chinese {
		return "清理离线服务器"
	}
	return "Clean up offline servers"
}

// CleanupUnknownSelected is "A part of the address was ignored: selected {value} is unknown (use yes).".
func (l Lang) CleanupUnknownSelected(value string) string {
	if l == Chinese {
		return "地址中的一部分被忽略：未知的 selected：" + value + "（可用 yes）。"
	}
	return "A part of the address was ignored: selected " + value + " is unknown (use yes)."
}

// CleanupViewDisabled is "Disabled".
func (l Lang) CleanupViewDisabled() string {
	if l == Chinese {
		return "有禁用"
	}
	return "Disabled"
}

// CleanupViewOffline is "Without instances".
func (l Lang) CleanupViewOffline() string {
	if l == Chinese {
		return "无实例"
	}
	return "Without instances"
}
