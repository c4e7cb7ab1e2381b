// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// FrameAreas is "Areas".
func (l Lang) FrameAreas() string {
	if l == Chinese {
		return "功能区"
	}
	return "Areas"
}

// FrameAudit is "Audit log".
func (l Lang) FrameAudit() string {
	if l == Chinese {
		return "审计日志"
	}
	return "Audit log"
}

// FrameConnected is "Connected".
func (l Lang) FrameConnected() string {
	if l == Chinese {
		return "已连接"
	}
	return "Connected"
}

// FrameDisconnected is "Disconnected".
func (l Lang) FrameDisconnected() string {
	if l == Chinese {
		return "已断开"
	}
	return "Disconnected"
}

// FrameFleet is "Fleet".
func (l Lang) FrameFleet() string {
	if l == Chinese {
		return "服务器与实例"
	}
	return "Fleet"
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

// FrameNamespace is "Namespace".
func (l Lang) FrameNamespace() string {
	if l == Chinese {
		return "命名空间"
	}
	return "Namespace"
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

// FrameReconnecting is "Reconnecting".
func (l Lang) FrameReconnecting() string {
	if l == Chinese {
		return "重新连接中"
	}
	return "Reconnecting"
}

// FrameRefreshing is "Refreshing every {n, number} s".
func (l Lang) FrameRefreshing(n int) string {
	if l == Chinese {
		return "每 " + number(n) + " 秒刷新"
	}
	return "Refreshing every " + number(n) + " s"
}

// FrameRefreshingBroken is "The console does not answer; trying again".
func (l Lang) FrameRefreshingBroken() string {
	if l == Chinese {
		return "控制台无响应，正在重试"
	}
	return "The console does not answer; trying again"
}

// FrameRefreshingPaused is "Refreshing is paused".
func (l Lang) FrameRefreshingPaused() string {
	if l == Chinese {
		return "已暂停刷新"
	}
	return "Refreshing is paused"
}

// FrameRuns is "Runs".
func (l Lang) FrameRuns() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
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

// FrameTimesUtc is "Times are UTC. Read at".
func (l Lang) FrameTimesUtc() string {
	if l == Chinese {
		return "时间均为 UTC。读取于"
	}
	return "Times are UTC. Read at"
}

// FrameViewer is "viewer, read only".
func (l Lang) FrameViewer() string {
	if l == Chinese {
		return "访客，只读"
	}
	return "viewer, read only"
}
