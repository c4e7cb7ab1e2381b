// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ProblemBackToJob is "Back to the job".
func (l Lang) ProblemBackToJob() string {
	if l == Chinese {
		return "返回作业"
	}
	return "Back to the job"
}

// ProblemBackToJobs is "Back to the jobs".
func (l Lang) ProblemBackToJobs() string {
	if l == Chinese {
		return "返回作业列表"
	}
	return "Back to the jobs"
}

// ProblemBackToSignIn is "Back to sign-in".
func (l Lang) ProblemBackToSignIn() string {
	if l == Chinese {
		return "返回登录"
	}
	return "Back to sign-in"
}

// ProblemCrossOrigin is "The request came from another site.".
func (l Lang) ProblemCrossOrigin() string {
	if l == Chinese {
		return "请求来自其他网站。"
	}
	return "The request came from another site."
}

// ProblemCrossOriginHint is "Open the console itself and try from there. Nothing was changed.".
func (l Lang) ProblemCrossOriginHint() string {
	if l == Chinese {
		return "请在控制台页面中操作。未做任何更改。"
	}
	return "Open the console itself and try from there. Nothing was changed."
}

// ProblemForbidden is "The account {name} has view-only access.".
func (l Lang) ProblemForbidden(name string) string {
	if l == Chinese {
		return "账号 " + name + " 只有只读权限。"
	}
	return "The account " + name + " has view-only access."
}

// ProblemForbiddenHint is "Sign in with an operator's account to do this. Nothing was changed.".
func (l Lang) ProblemForbiddenHint() string {
	if l == Chinese {
		return "请使用操作员账号登录后再操作。未做任何更改。"
	}
	return "Sign in with an operator's account to do this. Nothing was changed."
}

// ProblemInternal is "Something went wrong inside the console.".
func (l Lang) ProblemInternal() string {
	if l == Chinese {
		return "控制台内部出错。"
	}
	return "Something went wrong inside the console."
}

// ProblemInternalHint is "The log has the cause under this request's id.".
func (l Lang) ProblemInternalHint() string {
	if l == Chinese {
		return "原因记录在日志中，请按请求编号查找。"
	}
	return "The log has the cause under this request's id."
}

// ProblemNoJob is "There is no job {name}.".
func (l Lang) ProblemNoJob(name string) string {
	if l == Chinese {
		return "作业 " + name + " 不存在。"
	}
	return "There is no job " + name + "."
}

// ProblemNoJobHint is "It may have been removed, or the name is written differently: names are case-sensitive.".
func (l Lang) ProblemNoJobHint() string {
	if l == Chinese {
		return "它可能已被移除，或名称写法不同：名称区分大小写。"
	}
	return "It may have been removed, or the name is written differently: names are case-sensitive."
}

// ProblemNothingHere is "There is nothing at this address.".
func (l Lang) ProblemNothingHere() string {
	if l == Chinese {
		return "此地址没有内容。"
	}
	return "There is nothing at this address."
}

// ProblemNothingHereHint is "Check the address, or start from the list of jobs.".
func (l Lang) ProblemNothingHereHint() string {
	if l == Chinese {
		return "请检查地址，或从作业列表开始。"
	}
	return "Check the address, or start from the list of jobs."
}

// ProblemRequest is "Request".
func (l Lang) ProblemRequest() string {
	if l == Chinese {
		return "请求编号"
	}
	return "Request"
}

// ProblemToJobs is "All jobs".
func (l Lang) ProblemToJobs() string {
	if l == Chinese {
		return "全部作业"
	}
	return "All jobs"
}

// ProblemToOverview is "To the overview".
func (l Lang) ProblemToOverview() string {
	if l == Chinese {
		return "返回总览"
	}
	return "To the overview"
}

// ProblemTooSlow is "The answer took too long.".
func (l Lang) ProblemTooSlow() string {
	if l == Chinese {
		return "响应超时。"
	}
	return "The answer took too long."
}

// ProblemTooSlowHint is "Try again; if it happens again, look at the log.".
func (l Lang) ProblemTooSlowHint() string {
	if l == Chinese {
		return "请重试；如果再次发生，请查看日志。"
	}
	return "Try again; if it happens again, look at the log."
}

// ProblemTryNow is "Try now".
func (l Lang) ProblemTryNow() string {
	if l == Chinese {
		return "立即重试"
	}
	return "Try now"
}
