// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// AuditAccount is "Account".
func (l Lang) AuditAccount() string {
	if l == Chinese {
		return "账号"
	}
	return "Account"
}

// AuditAccountHint is "exact name".
func (l Lang) AuditAccountHint() string {
	if l == Chinese {
		return "完整名称"
	}
	return "exact name"
}

// AuditApply is "Apply".
func (l Lang) AuditApply() string {
	if l == Chinese {
		return "应用"
	}
	return "Apply"
}

// AuditClear is "Clear".
func (l Lang) AuditClear() string {
	if l == Chinese {
		return "清除"
	}
	return "Clear"
}

// AuditCount is "{n, plural, one {# record} other {# records}} on this page".
func (l Lang) AuditCount(n int) string {
	if l == Chinese {
		return "本页 " + number(n) + " 条记录"
	}
	if n == 1 {
		return number(n) + " record on this page"
	}
	return number(n) + " records on this page"
}

// AuditDetail is "Detail".
func (l Lang) AuditDetail() string {
	if l == Chinese {
		return "详情"
	}
	return "Detail"
}

// AuditFrom is "From, UTC".
func (l Lang) AuditFrom() string {
	if l == Chinese {
		return "开始时间（UTC）"
	}
	return "From, UTC"
}

// AuditIgnored is "A part of the filter was ignored".
func (l Lang) AuditIgnored() string {
	if l == Chinese {
		return "筛选条件的一部分被忽略"
	}
	return "A part of the filter was ignored"
}

// AuditInRegistry is "in {name}".
func (l Lang) AuditInRegistry(name string) string {
	if l == Chinese {
		return "于 " + name
	}
	return "in " + name
}

// AuditNewest is "Newest".
func (l Lang) AuditNewest() string {
	if l == Chinese {
		return "最新"
	}
	return "Newest"
}

// AuditNoMatch is "No record matches.".
func (l Lang) AuditNoMatch() string {
	if l == Chinese {
		return "没有匹配的记录。"
	}
	return "No record matches."
}

// AuditNoMatchText is "Accounts, targets and outcomes are compared exactly; times are UTC.".
func (l Lang) AuditNoMatchText() string {
	if l == Chinese {
		return "账号、对象和结果按完整内容比较；时间为 UTC。"
	}
	return "Accounts, targets and outcomes are compared exactly; times are UTC."
}

// AuditOlder is "Older".
func (l Lang) AuditOlder() string {
	if l == Chinese {
		return "更早"
	}
	return "Older"
}

// AuditOutcome is "Outcome".
func (l Lang) AuditOutcome() string {
	if l == Chinese {
		return "结果"
	}
	return "Outcome"
}

// AuditOutcomeHint is "done, forbidden".
func (l Lang) AuditOutcomeHint() string {
	if l == Chinese {
		return "done、forbidden"
	}
	return "done, forbidden"
}

// AuditRemote is "From".
func (l Lang) AuditRemote() string {
	if l == Chinese {
		return "来源"
	}
	return "From"
}

// AuditRequest is "Request".
func (l Lang) AuditRequest() string {
	if l == Chinese {
		return "请求"
	}
	return "Request"
}

// AuditRequestId is "Request {id}".
func (l Lang) AuditRequestId(id string) string {
	if l == Chinese {
		return "请求编号 " + id
	}
	return "Request " + id
}

// AuditShowAll is "Show the whole audit".
func (l Lang) AuditShowAll() string {
	if l == Chinese {
		return "显示全部审计日志"
	}
	return "Show the whole audit"
}

// AuditSignedOut is "(signed out)".
func (l Lang) AuditSignedOut() string {
	if l == Chinese {
		return "未登录"
	}
	return "(signed out)"
}

// AuditTarget is "Target".
func (l Lang) AuditTarget() string {
	if l == Chinese {
		return "对象"
	}
	return "Target"
}

// AuditTargetHint is "job, server, setting".
func (l Lang) AuditTargetHint() string {
	if l == Chinese {
		return "作业、服务器、设置"
	}
	return "job, server, setting"
}

// AuditTo is "To, UTC".
func (l Lang) AuditTo() string {
	if l == Chinese {
		return "结束时间（UTC）"
	}
	return "To, UTC"
}

// AuditWhen is "When".
func (l Lang) AuditWhen() string {
	if l == Chinese {
		return "时间"
	}
	return "When"
}

// AuditWho is "Who".
func (l Lang) AuditWho() string {
	if l == Chinese {
		return "操作人"
	}
	return "Who"
}
