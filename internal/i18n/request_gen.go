// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RequestBack is "To the requested runs".
func (l Lang) RequestBack() string {
	if l == Chinese {
		return "返回请求的运行"
	}
	return "To the requested runs"
}

// RequestBackOne is "To the run".
func (l Lang) RequestBackOne() string {
	if l == Chinese {
		return "返回该运行"
	}
	return "To the run"
}

// RequestCancel is "Cancel".
func (l Lang) RequestCancel() string {
	if l == Chinese {
		return "取消"
	}
	return "Cancel"
}

// RequestCursor is "The cursor is not one that this list has given.".
func (l Lang) RequestCursor() string {
	if l == Chinese {
		return "游标不是此列表给出的。"
	}
	return "The cursor is not one that this list has given."
}

// RequestCursorHint is "Use the nextCursor of an answer as it is.".
func (l Lang) RequestCursorHint() string {
	if l == Chinese {
		return "请原样使用答复中的 nextCursor。"
	}
	return "Use the nextCursor of an answer as it is."
}

// RequestEnded is "{why}".
func (l Lang) RequestEnded(why string) string {
	if l == Chinese {
		return "运行已不在可操作的状态：" + why
	}
	return why
}

// RequestEndedHint is "Look at the run. Nothing was changed.".
func (l Lang) RequestEndedHint() string {
	if l == Chinese {
		return "请查看该运行。未做任何更改。"
	}
	return "Look at the run. Nothing was changed."
}

// RequestForgotten is "ZooKeeper does not keep the parameters of run {id}, which has ended.".
func (l Lang) RequestForgotten(id string) string {
	if l == Chinese {
		return "运行 " + id + " 已结束，ZooKeeper 不保留其参数。"
	}
	return "ZooKeeper does not keep the parameters of run " + id + ", which has ended."
}

// RequestForgottenHint is "Send params again, or null for a run without. Nothing was requested.".
func (l Lang) RequestForgottenHint() string {
	if l == Chinese {
		return "请重新给出 params；不带参数请写 null。未提交任何请求。"
	}
	return "Send params again, or null for a run without. Nothing was requested."
}

// RequestFull is "{why}".
func (l Lang) RequestFull(why string) string {
	if l == Chinese {
		return "等待的运行已达上限：" + why
	}
	return why
}

// RequestKey is "{why}".
func (l Lang) RequestKey(why string) string {
	if l == Chinese {
		return "此键属于另一个运行：" + why
	}
	return why
}

// RequestKeyHint is "Use another key, or the parameters of that run. Nothing was requested.".
func (l Lang) RequestKeyHint() string {
	if l == Chinese {
		return "请换一个键，或使用那个运行的参数。未提交任何请求。"
	}
	return "Use another key, or the parameters of that run. Nothing was requested."
}

// RequestNoRun is "Job {job} has no requested run {run}.".
func (l Lang) RequestNoRun(job string, run string) string {
	if l == Chinese {
		return "作业 " + job + " 没有请求的运行 " + run + "。"
	}
	return "Job " + job + " has no requested run " + run + "."
}

// RequestNoRunHint is "ZooKeeper has the runs that wait, those under way and the last that ended; it may have ended long ago.".
func (l Lang) RequestNoRunHint() string {
	if l == Chinese {
		return "ZooKeeper 中有等待的、进行中的和最近结束的运行；它可能早已结束。"
	}
	return "ZooKeeper has the runs that wait, those under way and the last that ended; it may have ended long ago."
}

// RequestNotEnded is "Run {id} has not ended: it is {state}.".
func (l Lang) RequestNotEnded(id string, state string) string {
	if l == Chinese {
		return "运行 " + id + " 尚未结束：" + state + "。"
	}
	return "Run " + id + " has not ended: it is " + state + "."
}

// RequestNotEndedHint is "Wait until it has ended, or request another run. Nothing was requested.".
func (l Lang) RequestNotEndedHint() string {
	if l == Chinese {
		return "请等它结束，或请求另一个运行。未提交任何请求。"
	}
	return "Wait until it has ended, or request another run. Nothing was requested."
}

// RequestNotGo is "{why}".
func (l Lang) RequestNotGo(why string) string {
	if l == Chinese {
		return "部分分片属于不接受参数的实例：" + why
	}
	return why
}

// RequestOptions is "{why}".
func (l Lang) RequestOptions(why string) string {
	if l == Chinese {
		return "请求有误：" + why
	}
	return why
}

// RequestOptionsHint is "Correct the request. Nothing was requested.".
func (l Lang) RequestOptionsHint() string {
	if l == Chinese {
		return "请更正请求。未提交任何请求。"
	}
	return "Correct the request. Nothing was requested."
}

// RequestParams is "{why}".
func (l Lang) RequestParams(why string) string {
	if l == Chinese {
		return "参数不被接受：" + why
	}
	return why
}

// RequestParamsHint is "Correct the parameters. Nothing was requested.".
func (l Lang) RequestParamsHint() string {
	if l == Chinese {
		return "请更正参数。未提交任何请求。"
	}
	return "Correct the parameters. Nothing was requested."
}

// RequestRun is "Run…".
func (l Lang) RequestRun() string {
	if l == Chinese {
		return "运行…"
	}
	return "Run…"
}

// RequestStart is "Start now".
func (l Lang) RequestStart() string {
	if l == Chinese {
		return "立即开始"
	}
	return "Start now"
}

// RequestTooLarge is "{why}".
func (l Lang) RequestTooLarge(why string) string {
	if l == Chinese {
		return "参数过大：" + why
	}
	return why
}

// RequestTooLargeHint is "Store what is large elsewhere, and pass where it is. Nothing was requested.".
func (l Lang) RequestTooLargeHint() string {
	if l == Chinese {
		return "请把大的内容存到别处，只传其位置。未提交任何请求。"
	}
	return "Store what is large elsewhere, and pass where it is. Nothing was requested."
}
