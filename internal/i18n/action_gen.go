// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ActionAllDisabled is "every server is disabled, nothing would run; enable the job first".
func (l Lang) ActionAllDisabled() string {
	if l == Chinese {
		return "所有服务器均已禁用，不会运行；请先启用作业"
	}
	return "every server is disabled, nothing would run; enable the job first"
}

// ActionCancelledRuns is "{n, plural, one {# requested run was} other {# requested runs were}} cancelled.".
func (l Lang) ActionCancelledRuns(n int) string {
	if l == Chinese {
		return "已取消 " + number(n) + " 个请求运行。"
	}
	if n == 1 {
		return number(n) + " requested run was cancelled."
	}
	return number(n) + " requested runs were cancelled."
}

// ActionDidDisable is "Disabled {job} on {n, plural, one {# server} other {# servers}}: {names}.".
func (l Lang) ActionDidDisable(job string, n int, names string) string {
	if l == Chinese {
		return "已在 " + number(n) + " 台服务器上禁用 " + job + "：" + names + "。"
	}
	if n == 1 {
		return "Disabled " + job + " on " + number(n) + " server: " + names + "."
	}
	return "Disabled " + job + " on " + number(n) + " servers: " + names + "."
}

// ActionDidEnable is "Enabled {job} on {n, plural, one {# server} other {# servers}}: {names}.".
func (l Lang) ActionDidEnable(job string, n int, names string) string {
	if l == Chinese {
		return "已在 " + number(n) + " 台服务器上启用 " + job + "：" + names + "。"
	}
	if n == 1 {
		return "Enabled " + job + " on " + number(n) + " server: " + names + "."
	}
	return "Enabled " + job + " on " + number(n) + " servers: " + names + "."
}

// ActionDidRemove is "Deleted {job}.".
func (l Lang) ActionDidRemove(job string) string {
	if l == Chinese {
		return "已删除 " + job + "。"
	}
	return "Deleted " + job + "."
}

// ActionDidShutdown is "Stopped {n, plural, one {# instance} other {# instances}} of {job}: {names}.".
func (l Lang) ActionDidShutdown(n int, job string, names string) string {
	if l == Chinese {
		return "已终止 " + job + " 的 " + number(n) + " 个实例：" + names + "。"
	}
	if n == 1 {
		return "Stopped " + number(n) + " instance of " + job + ": " + names + "."
	}
	return "Stopped " + number(n) + " instances of " + job + ": " + names + "."
}

// ActionDidTrigger is "Triggered {job} on {n, plural, one {# instance} other {# instances}}: {names}.".
func (l Lang) ActionDidTrigger(job string, n int, names string) string {
	if l == Chinese {
		return "已在 " + number(n) + " 个实例上触发 " + job + "：" + names + "。"
	}
	if n == 1 {
		return "Triggered " + job + " on " + number(n) + " instance: " + names + "."
	}
	return "Triggered " + job + " on " + number(n) + " instances: " + names + "."
}

// ActionDisable is "Disable".
func (l Lang) ActionDisable() string {
	if l == Chinese {
		return "禁用"
	}
	return "Disable"
}

// ActionEnable is "Enable".
func (l Lang) ActionEnable() string {
	if l == Chinese {
		return "启用"
	}
	return "Enable"
}

// ActionNoInstance is "no instance is alive to run it".
func (l Lang) ActionNoInstance() string {
	if l == Chinese {
		return "没有存活的实例可运行"
	}
	return "no instance is alive to run it"
}

// ActionNothing is "{job}: {action} found nothing to do.".
func (l Lang) ActionNothing(job string, action string) string {
	if l == Chinese {
		return job + "：没有可以“" + action + "”的对象。"
	}
	return job + ": " + action + " found nothing to do."
}

// ActionRemove is "Delete job".
func (l Lang) ActionRemove() string {
	if l == Chinese {
		return "删除作业"
	}
	return "Delete job"
}

// ActionShutdown is "Stop instances".
func (l Lang) ActionShutdown() string {
	if l == Chinese {
		return "终止实例"
	}
	return "Stop instances"
}

// ActionSkipped is "Skipped {target}: {reason}".
func (l Lang) ActionSkipped(target string, reason string) string {
	if l == Chinese {
		return "跳过 " + target + "：" + reason
	}
	return "Skipped " + target + ": " + reason
}

// ActionTrigger is "Trigger".
func (l Lang) ActionTrigger() string {
	if l == Chinese {
		return "触发"
	}
	return "Trigger"
}

// ActionUnreadable is "agents refuse to run it: its configuration cannot be read".
func (l Lang) ActionUnreadable() string {
	if l == Chinese {
		return "实例拒绝运行：配置无法读取"
	}
	return "agents refuse to run it: its configuration cannot be read"
}
