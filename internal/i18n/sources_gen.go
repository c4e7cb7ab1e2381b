// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// SourcesAdd is "Add data source".
func (l Lang) SourcesAdd() string {
	if l == Chinese {
		return "添加数据源"
	}
	return "Add data source"
}

// SourcesAdded is "Added {name}. {verdict}".
func (l Lang) SourcesAdded(name string, verdict string) string {
	if l == Chinese {
		return "已添加 " + name + "。" + verdict
	}
	return "Added " + name + ". " + verdict
}

// SourcesAddress is "Address".
func (l Lang) SourcesAddress() string {
	if l == Chinese {
		return "地址"
	}
	return "Address"
}

// SourcesAdvice is "Run console migrate on it: without these columns nothing says which run an execution belongs to, and without these indexes lists read the table.".
func (l Lang) SourcesAdvice() string {
	if l == Chinese {
		return "请对其运行 console migrate：缺少这些列就无法得知执行属于哪次运行，缺少这些索引则列表要读取整张表。"
	}
	return "Run console migrate on it: without these columns nothing says which run an execution belongs to, and without these indexes lists read the table."
}

// SourcesAllThere is "all present".
func (l Lang) SourcesAllThere() string {
	if l == Chinese {
		return "齐全"
	}
	return "all present"
}

// SourcesBlastDatabase is "Nothing in the database is touched: its rows stay, and agents go on writing them.".
func (l Lang) SourcesBlastDatabase() string {
	if l == Chinese {
		return "不影响数据库中的任何内容：记录保留，实例继续写入。"
	}
	return "Nothing in the database is touched: its rows stay, and agents go on writing them."
}

// SourcesBlastRequests is "Requests that name it with ?dataSource= are refused from then on. No page shows it.".
func (l Lang) SourcesBlastRequests() string {
	if l == Chinese {
		return "此后用 ?dataSource= 指定它的请求会被拒绝。没有页面显示它。"
	}
	return "Requests that name it with ?dataSource= are refused from then on. No page shows it."
}

// SourcesChanged is "Changed {name}. {verdict}".
func (l Lang) SourcesChanged(name string, verdict string) string {
	if l == Chinese {
		return "已更改 " + name + "。" + verdict
	}
	return "Changed " + name + ". " + verdict
}

// SourcesColumns is "Columns of a run".
func (l Lang) SourcesColumns() string {
	if l == Chinese {
		return "运行记录的列"
	}
	return "Columns of a run"
}

// SourcesDatabase is "Database".
func (l Lang) SourcesDatabase() string {
	if l == Chinese {
		return "数据库"
	}
	return "Database"
}

// SourcesDatabaseHint is "a name; of sqlite a file in the data folder".
func (l Lang) SourcesDatabaseHint() string {
	if l == Chinese {
		return "名称；sqlite 为数据目录中的文件"
	}
	return "a name; of sqlite a file in the data folder"
}

// SourcesEditTitle is "Edit {name}".
func (l Lang) SourcesEditTitle(name string) string {
	if l == Chinese {
		return "编辑 " + name
	}
	return "Edit " + name
}

// SourcesExecutions is "Executions".
func (l Lang) SourcesExecutions() string {
	if l == Chinese {
		return "执行明细"
	}
	return "Executions"
}

// SourcesHost is "Host".
func (l Lang) SourcesHost() string {
	if l == Chinese {
		return "主机"
	}
	return "Host"
}

// SourcesIndexes is "Indexes of lists".
func (l Lang) SourcesIndexes() string {
	if l == Chinese {
		return "列表所用索引"
	}
	return "Indexes of lists"
}

// SourcesKind is "Kind".
func (l Lang) SourcesKind() string {
	if l == Chinese {
		return "类型"
	}
	return "Kind"
}

// SourcesLacking is "absent: {names}".
func (l Lang) SourcesLacking(names string) string {
	if l == Chinese {
		return "缺少：" + names
	}
	return "absent: " + names
}

// SourcesMoreThan is "more than {n, number}".
func (l Lang) SourcesMoreThan(n int) string {
	if l == Chinese {
		return "超过 " + number(n) + " 条"
	}
	return "more than " + number(n)
}

// SourcesNewest is "Newest execution".
func (l Lang) SourcesNewest() string {
	if l == Chinese {
		return "最新的执行"
	}
	return "Newest execution"
}

// SourcesNoPassword is "No password".
func (l Lang) SourcesNoPassword() string {
	if l == Chinese {
		return "不使用密码"
	}
	return "No password"
}

// SourcesNone is "No data source".
func (l Lang) SourcesNone() string {
	if l == Chinese {
		return "没有数据源"
	}
	return "No data source"
}

// SourcesNoneText is "Start the console with a database that the agents record to, or add one here.".
func (l Lang) SourcesNoneText() string {
	if l == Chinese {
		return "启动控制台时指定实例写入的数据库，或在此添加。"
	}
	return "Start the console with a database that the agents record to, or add one here."
}

// SourcesOldest is "Oldest execution".
func (l Lang) SourcesOldest() string {
	if l == Chinese {
		return "最早的执行"
	}
	return "Oldest execution"
}

// SourcesOptions is "Options".
func (l Lang) SourcesOptions() string {
	if l == Chinese {
		return "选项"
	}
	return "Options"
}

// SourcesOwn is "The data source of the command line".
func (l Lang) SourcesOwn() string {
	if l == Chinese {
		return "命令行指定的数据源"
	}
	return "The data source of the command line"
}

// SourcesPort is "Port".
func (l Lang) SourcesPort() string {
	if l == Chinese {
		return "端口"
	}
	return "Port"
}

// SourcesPortHint is "usual".
func (l Lang) SourcesPortHint() string {
	if l == Chinese {
		return "默认"
	}
	return "usual"
}

// SourcesSub is "Event-trace databases. The pages show the one of the command line; requests to the REST interface name another with ?dataSource=.".
func (l Lang) SourcesSub() string {
	if l == Chinese {
		return "事件追踪数据库。页面显示命令行指定的数据源；REST 请求用 ?dataSource= 指定其他数据源。"
	}
	return "Event-trace databases. The pages show the one of the command line; requests to the REST interface name another with ?dataSource=."
}

// SourcesTestedLacks is "It lacks {names}; console migrate adds what is absent.".
func (l Lang) SourcesTestedLacks(names string) string {
	if l == Chinese {
		return "缺少 " + names + "；console migrate 会补全。"
	}
	return "It lacks " + names + "; console migrate adds what is absent."
}

// SourcesTestedMany is "More than {n, number} executions.".
func (l Lang) SourcesTestedMany(n int) string {
	if l == Chinese {
		return "执行明细超过 " + number(n) + " 条。"
	}
	return "More than " + number(n) + " executions."
}

// SourcesTestedNewest is "The newest began {time}.".
func (l Lang) SourcesTestedNewest(time string) string {
	if l == Chinese {
		return "最新一条始于 " + time + "。"
	}
	return "The newest began " + time + "."
}

// SourcesTestedOk is "Connected; round trip {trip}.".
func (l Lang) SourcesTestedOk(trip string) string {
	if l == Chinese {
		return "连接成功；往返 " + trip + "。"
	}
	return "Connected; round trip " + trip + "."
}

// SourcesTestedRows is "{n, number} executions.".
func (l Lang) SourcesTestedRows(n int) string {
	if l == Chinese {
		return number(n) + " 条执行明细。"
	}
	return number(n) + " executions."
}

// SourcesTitle is "Data sources".
func (l Lang) SourcesTitle() string {
	if l == Chinese {
		return "事件追踪数据源"
	}
	return "Data sources"
}

// SourcesTrip is "Round trip".
func (l Lang) SourcesTrip() string {
	if l == Chinese {
		return "往返"
	}
	return "Round trip"
}

// SourcesType is "Kind".
func (l Lang) SourcesType() string {
	if l == Chinese {
		return "类型"
	}
	return "Kind"
}

// SourcesUnreachable is "It cannot be used.".
func (l Lang) SourcesUnreachable() string {
	if l == Chinese {
		return "无法使用。"
	}
	return "It cannot be used."
}

// SourcesUnreachableText is "{cause}. Check address, account and that the trace tables are there. Nothing was stored.".
func (l Lang) SourcesUnreachableText(cause string) string {
	if l == Chinese {
		return cause + "。请检查地址、账号，以及追踪表是否存在。未存储任何内容。"
	}
	return cause + ". Check address, account and that the trace tables are there. Nothing was stored."
}

// SourcesUnread is "It could not be read:".
func (l Lang) SourcesUnread() string {
	if l == Chinese {
		return "无法读取："
	}
	return "It could not be read:"
}

// SourcesUsedBy is "Used by".
func (l Lang) SourcesUsedBy() string {
	if l == Chinese {
		return "使用者"
	}
	return "Used by"
}

// SourcesUsedByPages is "the pages, and requests that name none".
func (l Lang) SourcesUsedByPages() string {
	if l == Chinese {
		return "页面，以及未指定数据源的请求"
	}
	return "the pages, and requests that name none"
}

// SourcesUsedByRequests is "requests with ?dataSource={name}, and sessions that connected it: {n, number}".
func (l Lang) SourcesUsedByRequests(name string, n int) string {
	if l == Chinese {
		return "带 ?dataSource=" + name + " 的请求，以及连接它的会话：" + number(n) + " 个"
	}
	return "requests with ?dataSource=" + name + ", and sessions that connected it: " + number(n)
}

// SourcesUser is "Account".
func (l Lang) SourcesUser() string {
	if l == Chinese {
		return "账号"
	}
	return "Account"
}
