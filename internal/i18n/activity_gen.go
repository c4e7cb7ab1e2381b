// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ActivityAll is "All audit entries".
func (l Lang) ActivityAll() string {
	if l == Chinese {
		return "全部审计记录"
	}
	return "All audit entries"
}

// ActivityAuditDown is "The audit cannot be read now; only instances are listed.".
func (l Lang) ActivityAuditDown() string {
	if l == Chinese {
		return "目前无法读取审计日志，只列出实例变化。"
	}
	return "The audit cannot be read now; only instances are listed."
}

// ActivityBy is "{who}: {what}".
func (l Lang) ActivityBy(who string, what string) string {
	if l == Chinese {
		return who + "：" + what
	}
	return who + ": " + what
}

// ActivityChanged is "changed {keys}".
func (l Lang) ActivityChanged(keys string) string {
	if l == Chinese {
		return "已修改：" + keys
	}
	return "changed " + keys
}

// ActivityGuest is "Who did what is shown to operators.".
func (l Lang) ActivityGuest() string {
	if l == Chinese {
		return "操作者只对操作员显示。"
	}
	return "Who did what is shown to operators."
}

// ActivityKnown is "Instances are remembered since {time}, in this console's memory. Actions are in the audit.".
func (l Lang) ActivityKnown(time string) string {
	if l == Chinese {
		return "自 " + time + " 起记录实例变化，保存在此控制台的内存中；操作保存在审计日志中。"
	}
	return "Instances are remembered since " + time + ", in this console's memory. Actions are in the audit."
}

// ActivityNoInstances is "Instances that come and leave are remembered of the registry of the command line only.".
func (l Lang) ActivityNoInstances() string {
	if l == Chinese {
		return "只记录命令行指定的注册中心的实例变化。"
	}
	return "Instances that come and leave are remembered of the registry of the command line only."
}

// ActivityNone is "No action and no change of instances is known.".
func (l Lang) ActivityNone() string {
	if l == Chinese {
		return "没有已知的操作或实例变化。"
	}
	return "No action and no change of instances is known."
}

// ActivityNoneText is "Actions and instances that come or leave appear here.".
func (l Lang) ActivityNoneText() string {
	if l == Chinese {
		return "操作以及实例的加入和离开会显示在这里。"
	}
	return "Actions and instances that come or leave appear here."
}

// ActivityRefused is "refused: {outcome}".
func (l Lang) ActivityRefused(outcome string) string {
	if l == Chinese {
		return "被拒绝：" + outcome
	}
	return "refused: " + outcome
}

// ActivitySignedOut is "(signed out)".
func (l Lang) ActivitySignedOut() string {
	if l == Chinese {
		return "（未登录）"
	}
	return "(signed out)"
}

// ActivitySub is "what people did to this job, and what its instances did; newest first".
func (l Lang) ActivitySub() string {
	if l == Chinese {
		return "对此作业的操作及其实例的变化，最新的在前"
	}
	return "what people did to this job, and what its instances did; newest first"
}

// ActivityTitle is "Activity".
func (l Lang) ActivityTitle() string {
	if l == Chinese {
		return "活动"
	}
	return "Activity"
}

// ActivityTogether is "with {n, plural, one {# other job} other {# other jobs}}".
func (l Lang) ActivityTogether(n int) string {
	if l == Chinese {
		return "同时涉及 " + number(n) + " 个其他作业"
	}
	if n == 1 {
		return "with " + number(n) + " other job"
	}
	return "with " + number(n) + " other jobs"
}
