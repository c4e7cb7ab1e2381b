// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// FrameAreas is "Areas".
func (l Lang) FrameAreas() string {
	if l == Chinese {
		return "功能区"
	}
	return "Areas"
}

// FrameAreasShort is "Areas, short".
func (l Lang) FrameAreasShort() string {
	if l == Chinese {
		return "常用功能区"
	}
	return "Areas, short"
}

// FrameAudit is "Audit log".
func (l Lang) FrameAudit() string {
	if l == Chinese {
		return "审计日志"
	}
	return "Audit log"
}

// FrameAuditSub is "One row for each request that changed something or was refused, newest first.".
func (l Lang) FrameAuditSub() string {
	if l == Chinese {
		return "每个有更改或被拒绝的请求一行，最新的在前。"
	}
	return "One row for each request that changed something or was refused, newest first."
}

// FrameBroken is "No answer, trying again ·".
func (l Lang) FrameBroken() string {
	if l == Chinese {
		return "无响应，正在重试 ·"
	}
	return "No answer, trying again ·"
}

// FrameClose is "Close".
func (l Lang) FrameClose() string {
	if l == Chinese {
		return "关闭"
	}
	return "Close"
}

// FrameCloud is "Cloud".
func (l Lang) FrameCloud() string {
	if l == Chinese {
		return "云作业"
	}
	return "Cloud"
}

// FrameConnected is "connected".
func (l Lang) FrameConnected() string {
	if l == Chinese {
		return "已连接"
	}
	return "connected"
}

// FrameConsole is "Console".
func (l Lang) FrameConsole() string {
	if l == Chinese {
		return "控制台"
	}
	return "Console"
}

// FrameCrumbs is "You are here".
func (l Lang) FrameCrumbs() string {
	if l == Chinese {
		return "当前位置"
	}
	return "You are here"
}

// FrameCurl is "The same as curl".
func (l Lang) FrameCurl() string {
	if l == Chinese {
		return "等价的 curl 命令"
	}
	return "The same as curl"
}

// FrameDisconnected is "disconnected".
func (l Lang) FrameDisconnected() string {
	if l == Chinese {
		return "已断开"
	}
	return "disconnected"
}

// FrameDue is "due {span} ago".
func (l Lang) FrameDue(span string) string {
	if l == Chinese {
		return "已过 " + span
	}
	return "due " + span + " ago"
}

// FrameFailing is "{n, plural, one {# job is} other {# jobs are}} failing".
func (l Lang) FrameFailing(n int) string {
	if l == Chinese {
		return number(n) + " 个作业失败"
	}
	if n == 1 {
		return number(n) + " job is failing"
	}
	return number(n) + " jobs are failing"
}

// FrameFleet is "Fleet".
func (l Lang) FrameFleet() string {
	if l == Chinese {
		return "服务器与实例"
	}
	return "Fleet"
}

// FrameHeld is "Updates are held · {n} changed · Show".
func (l Lang) FrameHeld(n string) string {
	if l == Chinese {
		return "更新已暂缓 · " + n + " 处有变化 · 显示"
	}
	return "Updates are held · " + n + " changed · Show"
}

// FrameHere is "{time} here".
func (l Lang) FrameHere(time string) string {
	if l == Chinese {
		return "本地时间 " + time
	}
	return time + " here"
}

// FrameIgnored is "A part of the address was ignored".
func (l Lang) FrameIgnored() string {
	if l == Chinese {
		return "地址中的一部分被忽略"
	}
	return "A part of the address was ignored"
}

// FrameIn is "in {span}".
func (l Lang) FrameIn(span string) string {
	if l == Chinese {
		return span + " 后"
	}
	return "in " + span
}

// FrameJobs is "Jobs".
func (l Lang) FrameJobs() string {
	if l == Chinese {
		return "作业"
	}
	return "Jobs"
}

// FrameLanguage is "Language".
func (l Lang) FrameLanguage() string {
	if l == Chinese {
		return "语言"
	}
	return "Language"
}

// FrameLive is "Live ·".
func (l Lang) FrameLive() string {
	if l == Chinese {
		return "实时 ·"
	}
	return "Live ·"
}

// FrameManage is "Manage".
func (l Lang) FrameManage() string {
	if l == Chinese {
		return "管理"
	}
	return "Manage"
}

// FrameMore is "More".
func (l Lang) FrameMore() string {
	if l == Chinese {
		return "更多"
	}
	return "More"
}

// FrameNamespace is "Namespace".
func (l Lang) FrameNamespace() string {
	if l == Chinese {
		return "命名空间"
	}
	return "Namespace"
}

// FrameNew is "{n} new · Show".
func (l Lang) FrameNew(n string) string {
	if l == Chinese {
		return "有 " + n + " 条新记录 · 显示"
	}
	return n + " new · Show"
}

// FrameOperator is "operator".
func (l Lang) FrameOperator() string {
	if l == Chinese {
		return "操作员"
	}
	return "operator"
}

// FrameOverview is "Overview".
func (l Lang) FrameOverview() string {
	if l == Chinese {
		return "总览"
	}
	return "Overview"
}

// FramePages is "Pages".
func (l Lang) FramePages() string {
	if l == Chinese {
		return "分页"
	}
	return "Pages"
}

// FramePause is "Pause".
func (l Lang) FramePause() string {
	if l == Chinese {
		return "暂停"
	}
	return "Pause"
}

// FramePaused is "Paused ·".
func (l Lang) FramePaused() string {
	if l == Chinese {
		return "已暂停 ·"
	}
	return "Paused ·"
}

// FrameReadAt is "Read at".
func (l Lang) FrameReadAt() string {
	if l == Chinese {
		return "读取于"
	}
	return "Read at"
}

// FrameReconnecting is "reconnecting".
func (l Lang) FrameReconnecting() string {
	if l == Chinese {
		return "重新连接中"
	}
	return "reconnecting"
}

// FrameRefreshing is "Refreshing every {n, number} s".
func (l Lang) FrameRefreshing(n int) string {
	if l == Chinese {
		return "每 " + number(n) + " 秒刷新"
	}
	return "Refreshing every " + number(n) + " s"
}

// FrameRegistries is "Registries".
func (l Lang) FrameRegistries() string {
	if l == Chinese {
		return "注册中心"
	}
	return "Registries"
}

// FrameRegistriesSub is "Registries this console knows. Opening one changes nothing for others.".
func (l Lang) FrameRegistriesSub() string {
	if l == Chinese {
		return "本控制台已知的注册中心。打开其中一个不影响他人。"
	}
	return "Registries this console knows. Opening one changes nothing for others."
}

// FrameRemoveRegistry is "Remove {name}?".
func (l Lang) FrameRemoveRegistry(name string) string {
	if l == Chinese {
		return "移除 " + name + "？"
	}
	return "Remove " + name + "?"
}

// FrameResume is "Resume".
func (l Lang) FrameResume() string {
	if l == Chinese {
		return "继续"
	}
	return "Resume"
}

// FrameRuns is "Runs".
func (l Lang) FrameRuns() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
}

// FrameRunsSub is "One row for each execution of a shard, as the agents recorded them.".
func (l Lang) FrameRunsSub() string {
	if l == Chinese {
		return "每个分片的每次执行一行，由实例记录。"
	}
	return "One row for each execution of a shard, as the agents recorded them."
}

// FrameSettings is "Settings".
func (l Lang) FrameSettings() string {
	if l == Chinese {
		return "设置"
	}
	return "Settings"
}

// FrameSignOut is "Sign out".
func (l Lang) FrameSignOut() string {
	if l == Chinese {
		return "退出登录"
	}
	return "Sign out"
}

// FrameSkip is "Skip to the content".
func (l Lang) FrameSkip() string {
	if l == Chinese {
		return "跳到正文"
	}
	return "Skip to the content"
}

// FrameSnapshotOf is "Snapshot of {time}, read-only".
func (l Lang) FrameSnapshotOf(time string) string {
	if l == Chinese {
		return time + " 的快照，只读"
	}
	return "Snapshot of " + time + ", read-only"
}

// FrameSwitch is "Switch registry".
func (l Lang) FrameSwitch() string {
	if l == Chinese {
		return "切换注册中心"
	}
	return "Switch registry"
}

// FrameTheme is "Theme".
func (l Lang) FrameTheme() string {
	if l == Chinese {
		return "主题"
	}
	return "Theme"
}

// FrameThemeAuto is "Same theme as the system".
func (l Lang) FrameThemeAuto() string {
	if l == Chinese {
		return "跟随系统主题"
	}
	return "Same theme as the system"
}

// FrameThemeDark is "Dark theme".
func (l Lang) FrameThemeDark() string {
	if l == Chinese {
		return "深色主题"
	}
	return "Dark theme"
}

// FrameThemeLight is "Light theme".
func (l Lang) FrameThemeLight() string {
	if l == Chinese {
		return "浅色主题"
	}
	return "Light theme"
}

// FrameTimesIn is "Times of this page are in {zone}".
func (l Lang) FrameTimesIn(zone string) string {
	if l == Chinese {
		return "本页时间为 " + zone
	}
	return "Times of this page are in " + zone
}

// FrameUnknownParameter is "this page knows no {name}".
func (l Lang) FrameUnknownParameter(name string) string {
	if l == Chinese {
		return "本页没有参数 " + name
	}
	return "this page knows no " + name
}

// FrameViewer is "viewer, read only".
func (l Lang) FrameViewer() string {
	if l == Chinese {
		return "访客，只读"
	}
	return "viewer, read only"
}

// FrameZone is "Time zone of pages".
func (l Lang) FrameZone() string {
	if l == Chinese {
		return "页面时区"
	}
	return "Time zone of pages"
}

// FrameZoneJob is "Job's".
func (l Lang) FrameZoneJob() string {
	if l == Chinese {
		return "作业"
	}
	return "Job's"
}

// FrameZoneJobTitle is "Times of a job's pages are in the job's zone, others in UTC".
func (l Lang) FrameZoneJobTitle() string {
	if l == Chinese {
		return "作业页面使用作业的时区，其他页面为 UTC"
	}
	return "Times of a job's pages are in the job's zone, others in UTC"
}

// FrameZoneMine is "Mine".
func (l Lang) FrameZoneMine() string {
	if l == Chinese {
		return "我的"
	}
	return "Mine"
}
