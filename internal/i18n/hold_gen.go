// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// HoldAll is "Both".
func (l Lang) HoldAll() string {
	if l == Chinese {
		return "两者"
	}
	return "Both"
}

// HoldBack is "To the job".
func (l Lang) HoldBack() string {
	if l == Chinese {
		return "返回作业"
	}
	return "To the job"
}

// HoldBy is "Held by {name} since {when}".
func (l Lang) HoldBy(name string, when string) string {
	if l == Chinese {
		return "由 " + name + " 暂停，自 " + when
	}
	return "Held by " + name + " since " + when
}

// HoldByShort is "by {name}, {when}".
func (l Lang) HoldByShort(name string, when string) string {
	if l == Chinese {
		return name + "，" + when
	}
	return "by " + name + ", " + when
}

// HoldByWhy is "Held by {name} since {when}: {reason}".
func (l Lang) HoldByWhy(name string, when string, reason string) string {
	if l == Chinese {
		return "由 " + name + " 暂停，自 " + when + "：" + reason
	}
	return "Held by " + name + " since " + when + ": " + reason
}

// HoldDid is "{job} is held.".
func (l Lang) HoldDid(job string) string {
	if l == Chinese {
		return job + " 已暂停。"
	}
	return job + " is held."
}

// HoldDidRelease is "{job} is released. What passed meanwhile is not made up for.".
func (l Lang) HoldDidRelease(job string) string {
	if l == Chinese {
		return job + " 已恢复。期间错过的不会补跑。"
	}
	return job + " is released. What passed meanwhile is not made up for."
}

// HoldEffectAfter is "Nothing that passes meanwhile is made up for. Requested runs that wait begin after the release, unless they expire first.".
func (l Lang) HoldEffectAfter() string {
	if l == Chinese {
		return "期间错过的不会补跑。等待中的请求在恢复后开始，除非先过期。"
	}
	return "Nothing that passes meanwhile is made up for. Requested runs that wait begin after the release, unless they expire first."
}

// HoldEffectJava is "Agents of Java, if the job has any, do not know of a hold and fire.".
func (l Lang) HoldEffectJava() string {
	if l == Chinese {
		return "如果作业有 Java 代理，它们不知道暂停，仍会触发。"
	}
	return "Agents of Java, if the job has any, do not know of a hold and fire."
}

// HoldEffectPerson is "What a person asks for runs all the same: a trigger, or a run requested here.".
func (l Lang) HoldEffectPerson() string {
	if l == Chinese {
		return "由人发起的仍会运行：触发，或在此处请求的运行。"
	}
	return "What a person asks for runs all the same: a trigger, or a run requested here."
}

// HoldEffectRuns is "What runs goes on to its end.".
func (l Lang) HoldEffectRuns() string {
	if l == Chinese {
		return "正在进行的运行会继续到结束。"
	}
	return "What runs goes on to its end."
}

// HoldEffects is "What happens then".
func (l Lang) HoldEffects() string {
	if l == Chinese {
		return "之后会怎样"
	}
	return "What happens then"
}

// HoldHeld is "Held".
func (l Lang) HoldHeld() string {
	if l == Chinese {
		return "已暂停"
	}
	return "Held"
}

// HoldLabel is "Hold…".
func (l Lang) HoldLabel() string {
	if l == Chinese {
		return "暂停…"
	}
	return "Hold…"
}

// HoldReason is "Why".
func (l Lang) HoldReason() string {
	if l == Chinese {
		return "原因"
	}
	return "Why"
}

// HoldReasonHelp is "For those who find the job held. May be empty.".
func (l Lang) HoldReasonHelp() string {
	if l == Chinese {
		return "写给发现作业被暂停的人。可以留空。"
	}
	return "For those who find the job held. May be empty."
}

// HoldRefused is "{why}".
func (l Lang) HoldRefused(why string) string {
	if l == Chinese {
		return "操作被拒绝：" + why
	}
	return why
}

// HoldRefusedHint is "Look at the job. Nothing was changed.".
func (l Lang) HoldRefusedHint() string {
	if l == Chinese {
		return "请查看该作业。未作任何更改。"
	}
	return "Look at the job. Nothing was changed."
}

// HoldRelease is "Release".
func (l Lang) HoldRelease() string {
	if l == Chinese {
		return "恢复"
	}
	return "Release"
}

// HoldRequests is "What programs request".
func (l Lang) HoldRequests() string {
	if l == Chinese {
		return "程序请求的运行"
	}
	return "What programs request"
}

// HoldRequestsNote is "Requested runs that no person asked for wait.".
func (l Lang) HoldRequestsNote() string {
	if l == Chinese {
		return "不是由人请求的运行将等待。"
	}
	return "Requested runs that no person asked for wait."
}

// HoldSaysAll is "Fire times pass without a run, and requested runs that no person asked for wait.".
func (l Lang) HoldSaysAll() string {
	if l == Chinese {
		return "触发时间到来时不运行，不是由人请求的运行在等待。"
	}
	return "Fire times pass without a run, and requested runs that no person asked for wait."
}

// HoldSaysRequests is "Requested runs that no person asked for wait.".
func (l Lang) HoldSaysRequests() string {
	if l == Chinese {
		return "不是由人请求的运行在等待。"
	}
	return "Requested runs that no person asked for wait."
}

// HoldSaysSchedule is "Fire times pass without a run.".
func (l Lang) HoldSaysSchedule() string {
	if l == Chinese {
		return "触发时间到来时不运行。"
	}
	return "Fire times pass without a run."
}

// HoldSchedule is "The schedule".
func (l Lang) HoldSchedule() string {
	if l == Chinese {
		return "调度"
	}
	return "The schedule"
}

// HoldScheduleNote is "Fire times pass without a run.".
func (l Lang) HoldScheduleNote() string {
	if l == Chinese {
		return "触发时间到来时不运行。"
	}
	return "Fire times pass without a run."
}

// HoldSubmit is "Hold the job".
func (l Lang) HoldSubmit() string {
	if l == Chinese {
		return "暂停作业"
	}
	return "Hold the job"
}

// HoldTitle is "Hold {job}?".
func (l Lang) HoldTitle(job string) string {
	if l == Chinese {
		return "暂停 " + job + "？"
	}
	return "Hold " + job + "?"
}

// HoldWhat is "What stands still".
func (l Lang) HoldWhat() string {
	if l == Chinese {
		return "暂停什么"
	}
	return "What stands still"
}

// HoldWrongReason is "The reason has {n} characters; at most {most} are taken.".
func (l Lang) HoldWrongReason(n string, most string) string {
	if l == Chinese {
		return "原因有 " + n + " 个字符；最多 " + most + " 个。"
	}
	return "The reason has " + n + " characters; at most " + most + " are taken."
}

// HoldWrongWhat is "Choose what stands still.".
func (l Lang) HoldWrongWhat() string {
	if l == Chinese {
		return "请选择暂停什么。"
	}
	return "Choose what stands still."
}
