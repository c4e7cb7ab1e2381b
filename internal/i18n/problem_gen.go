// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ProblemAlive is "{n, plural, one {# instance is} other {# instances are}} alive; shut the job down first.".
func (l Lang) ProblemAlive(n int) string {
	if l == Chinese {
		return "有 " + number(n) + " 个实例存活；请先终止实例。"
	}
	if n == 1 {
		return number(n) + " instance is alive; shut the job down first."
	}
	return number(n) + " instances are alive; shut the job down first."
}

// ProblemAllOff is "No live instance is on an enabled server.".
func (l Lang) ProblemAllOff() string {
	if l == Chinese {
		return "没有存活的实例位于已启用的服务器上。"
	}
	return "No live instance is on an enabled server."
}

// ProblemAsked is "Asked for".
func (l Lang) ProblemAsked() string {
	if l == Chinese {
		return "请求地址"
	}
	return "Asked for"
}

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

// ProblemBasic is "A request with HTTP Basic has no session that could remember what it connects.".
func (l Lang) ProblemBasic() string {
	if l == Chinese {
		return "使用 HTTP Basic 的请求没有会话，无法记住所连接的对象。"
	}
	return "A request with HTTP Basic has no session that could remember what it connects."
}

// ProblemBasicHint is "Name it in each request, with ?registry= or ?dataSource=, or sign in with POST /api/login. Nothing was stored.".
func (l Lang) ProblemBasicHint() string {
	if l == Chinese {
		return "请在每个请求中用 ?registry= 或 ?dataSource= 指定，或用 POST /api/login 登录。未保存任何内容。"
	}
	return "Name it in each request, with ?registry= or ?dataSource=, or sign in with POST /api/login. Nothing was stored."
}

// ProblemBodyCut is "The body did not arrive as a whole.".
func (l Lang) ProblemBodyCut() string {
	if l == Chinese {
		return "请求内容未完整到达。"
	}
	return "The body did not arrive as a whole."
}

// ProblemBodyCutHint is "Send it again. Nothing was changed.".
func (l Lang) ProblemBodyCutHint() string {
	if l == Chinese {
		return "请重新发送。未做任何更改。"
	}
	return "Send it again. Nothing was changed."
}

// ProblemCarriedOut is " It was carried out for {names}.".
func (l Lang) ProblemCarriedOut(names string) string {
	if l == Chinese {
		return "已对 " + names + " 执行。"
	}
	return " It was carried out for " + names + "."
}

// ProblemCommandsOff is "This console may not change what agents execute or call: {fields}.".
func (l Lang) ProblemCommandsOff(fields string) string {
	if l == Chinese {
		return "此控制台不得修改实例执行或调用的内容：" + fields + "。"
	}
	return "This console may not change what agents execute or call: " + fields + "."
}

// ProblemCommandsOffHint is "Send the stored value, or start the console with --allow-command-changes. Nothing was stored.".
func (l Lang) ProblemCommandsOffHint() string {
	if l == Chinese {
		return "请使用已保存的值，或以 --allow-command-changes 启动控制台。未保存任何内容。"
	}
	return "Send the stored value, or start the console with --allow-command-changes. Nothing was stored."
}

// ProblemConfigInvalid is "The configuration of {job} cannot be stored.".
func (l Lang) ProblemConfigInvalid(job string) string {
	if l == Chinese {
		return "无法保存 " + job + " 的配置。"
	}
	return "The configuration of " + job + " cannot be stored."
}

// ProblemConfigInvalidHint is "Correct the fields named. Nothing was stored.".
func (l Lang) ProblemConfigInvalidHint() string {
	if l == Chinese {
		return "请更正所指的字段。未保存任何内容。"
	}
	return "Correct the fields named. Nothing was stored."
}

// ProblemConfigUnread is "The configuration of {job} cannot be read: {why}".
func (l Lang) ProblemConfigUnread(job string, why string) string {
	if l == Chinese {
		return "无法读取 " + job + " 的配置：" + why
	}
	return "The configuration of " + job + " cannot be read: " + why
}

// ProblemConfigUnreadHint is "Agents cannot read it either. GET {path} shows the stored text; repair the node in ZooKeeper.".
func (l Lang) ProblemConfigUnreadHint(path string) string {
	if l == Chinese {
		return "实例也无法读取。GET " + path + " 显示已保存的文本；请在 ZooKeeper 中修复该节点。"
	}
	return "Agents cannot read it either. GET " + path + " shows the stored text; repair the node in ZooKeeper."
}

// ProblemCopy is "Copy".
func (l Lang) ProblemCopy() string {
	if l == Chinese {
		return "复制"
	}
	return "Copy"
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

// ProblemDigest is "The console's ZooKeeper account lacks the right; check its digest.".
func (l Lang) ProblemDigest() string {
	if l == Chinese {
		return "控制台的 ZooKeeper 账号没有此权限；请检查其 Digest。"
	}
	return "The console's ZooKeeper account lacks the right; check its digest."
}

// ProblemDraft is "The form is not one of this console.".
func (l Lang) ProblemDraft() string {
	if l == Chinese {
		return "该表单不属于此控制台。"
	}
	return "The form is not one of this console."
}

// ProblemDraftHint is "Open the configuration again. Nothing was stored.".
func (l Lang) ProblemDraftHint() string {
	if l == Chinese {
		return "请重新打开配置。未保存任何内容。"
	}
	return "Open the configuration again. Nothing was stored."
}

// ProblemDraftOther is "The form is about another job.".
func (l Lang) ProblemDraftOther() string {
	if l == Chinese {
		return "该表单属于另一个作业。"
	}
	return "The form is about another job."
}

// ProblemEscapedHint is "Write % as %25.".
func (l Lang) ProblemEscapedHint() string {
	if l == Chinese {
		return "请将 % 写作 %25。"
	}
	return "Write % as %25."
}

// ProblemEscapedJob is "The job's name in the address is not escaped correctly.".
func (l Lang) ProblemEscapedJob() string {
	if l == Chinese {
		return "地址中的作业名编码不正确。"
	}
	return "The job's name in the address is not escaped correctly."
}

// ProblemEscapedName is "The name in the address is not escaped correctly.".
func (l Lang) ProblemEscapedName() string {
	if l == Chinese {
		return "地址中的名称编码不正确。"
	}
	return "The name in the address is not escaped correctly."
}

// ProblemEscapedRun is "The run's id in the address is not escaped correctly.".
func (l Lang) ProblemEscapedRun() string {
	if l == Chinese {
		return "地址中的运行编号编码不正确。"
	}
	return "The run's id in the address is not escaped correctly."
}

// ProblemEscapedServer is "The server's address is not escaped correctly.".
func (l Lang) ProblemEscapedServer() string {
	if l == Chinese {
		return "服务器地址编码不正确。"
	}
	return "The server's address is not escaped correctly."
}

// ProblemExists is "There is a {kind} {name} already.".
func (l Lang) ProblemExists(kind string, name string) string {
	if l == Chinese {
		return kind + " " + name + " 已存在。"
	}
	return "There is a " + kind + " " + name + " already."
}

// ProblemExistsHint is "Choose another name, or change the one there is. Nothing was stored.".
func (l Lang) ProblemExistsHint() string {
	if l == Chinese {
		return "请换一个名称，或修改现有的。未保存任何内容。"
	}
	return "Choose another name, or change the one there is. Nothing was stored."
}

// ProblemFixed is "The {kind} {name} is that of the command line.".
func (l Lang) ProblemFixed(kind string, name string) string {
	if l == Chinese {
		return kind + " " + name + " 由命令行指定。"
	}
	return "The " + kind + " " + name + " is that of the command line."
}

// ProblemFixedHint is "Change the flags of the console. Nothing was stored.".
func (l Lang) ProblemFixedHint() string {
	if l == Chinese {
		return "请修改控制台的启动参数。未保存任何内容。"
	}
	return "Change the flags of the console. Nothing was stored."
}

// ProblemForbidden is "You have view-only access.".
func (l Lang) ProblemForbidden() string {
	if l == Chinese {
		return "您只有只读权限。"
	}
	return "You have view-only access."
}

// ProblemForbiddenHint is "This needs the role operator; {name} is a viewer. Nothing was changed. Ask an operator to do it, or sign in with an operator's account.".
func (l Lang) ProblemForbiddenHint(name string) string {
	if l == Chinese {
		return "此操作需要操作员角色，而 " + name + " 是访客。未做任何更改。请联系操作员，或使用操作员账号登录。"
	}
	return "This needs the role operator; " + name + " is a viewer. Nothing was changed. Ask an operator to do it, or sign in with an operator's account."
}

// ProblemForbiddenPage is "This is for operators.".
func (l Lang) ProblemForbiddenPage() string {
	if l == Chinese {
		return "此内容仅供操作员查看。"
	}
	return "This is for operators."
}

// ProblemForbiddenPageHint is "You are signed in as {name}, a viewer. Ask an operator, or sign in with an operator's account.".
func (l Lang) ProblemForbiddenPageHint(name string) string {
	if l == Chinese {
		return "您以访客 " + name + " 的身份登录。请联系操作员，或使用操作员账号登录。"
	}
	return "You are signed in as " + name + ", a viewer. Ask an operator, or sign in with an operator's account."
}

// ProblemFormUnread is "The form could not be read.".
func (l Lang) ProblemFormUnread() string {
	if l == Chinese {
		return "无法读取表单。"
	}
	return "The form could not be read."
}

// ProblemFormat is "The format is csv or json.".
func (l Lang) ProblemFormat() string {
	if l == Chinese {
		return "格式只能是 csv 或 json。"
	}
	return "The format is csv or json."
}

// ProblemFormatHint is "Correct the address.".
func (l Lang) ProblemFormatHint() string {
	if l == Chinese {
		return "请更正地址。"
	}
	return "Correct the address."
}

// ProblemHistoryDown is "The trace database could not be read.".
func (l Lang) ProblemHistoryDown() string {
	if l == Chinese {
		return "无法读取事件追踪数据库。"
	}
	return "The trace database could not be read."
}

// ProblemHistoryDownHint is "Jobs are not affected. Check that the database runs; the log has the cause.".
func (l Lang) ProblemHistoryDownHint() string {
	if l == Chinese {
		return "作业不受影响。请检查数据库是否运行；原因见日志。"
	}
	return "Jobs are not affected. Check that the database runs; the log has the cause."
}

// ProblemHistoryNone is "This console has no trace database.".
func (l Lang) ProblemHistoryNone() string {
	if l == Chinese {
		return "此控制台没有事件追踪数据库。"
	}
	return "This console has no trace database."
}

// ProblemHistoryNoneHere is "No trace database belongs to this registry.".
func (l Lang) ProblemHistoryNoneHere() string {
	if l == Chinese {
		return "此注册中心没有事件追踪数据库。"
	}
	return "No trace database belongs to this registry."
}

// ProblemHistoryNoneHereHint is "The one of the command line is about other jobs. Runs of data sources that were entered can be read over REST.".
func (l Lang) ProblemHistoryNoneHereHint() string {
	if l == Chinese {
		return "命令行指定的数据库属于其他作业。已添加的数据源的运行记录可通过 REST 读取。"
	}
	return "The one of the command line is about other jobs. Runs of data sources that were entered can be read over REST."
}

// ProblemHistoryNoneHint is "Start it with a database that the agents record to; then their runs are listed here.".
func (l Lang) ProblemHistoryNoneHint() string {
	if l == Chinese {
		return "启动时请指定实例写入的数据库，其运行记录就会显示在这里。"
	}
	return "Start it with a database that the agents record to; then their runs are listed here."
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

// ProblemKindRegistry is "registry".
func (l Lang) ProblemKindRegistry() string {
	if l == Chinese {
		return "注册中心"
	}
	return "registry"
}

// ProblemKindSource is "data source".
func (l Lang) ProblemKindSource() string {
	if l == Chinese {
		return "数据源"
	}
	return "data source"
}

// ProblemKindView is "view".
func (l Lang) ProblemKindView() string {
	if l == Chinese {
		return "视图"
	}
	return "view"
}

// ProblemLabelledSince is "The job has another label by now.".
func (l Lang) ProblemLabelledSince() string {
	if l == Chinese {
		return "该作业的标签已被更改。"
	}
	return "The job has another label by now."
}

// ProblemLargeConfig is "The configuration of {job} has {size} bytes, and pages show at most {most}.".
func (l Lang) ProblemLargeConfig(job string, size string, most string) string {
	if l == Chinese {
		return job + " 的配置有 " + size + " 字节，页面最多显示 " + most + " 字节。"
	}
	return "The configuration of " + job + " has " + size + " bytes, and pages show at most " + most + "."
}

// ProblemLargeConfigHint is "Read it with GET /api/jobs/config/{job}, and remove what no agent needs.".
func (l Lang) ProblemLargeConfigHint(job string) string {
	if l == Chinese {
		return "请用 GET /api/jobs/config/" + job + " 读取，并删去无用的内容。"
	}
	return "Read it with GET /api/jobs/config/" + job + ", and remove what no agent needs."
}

// ProblemLikeJob is "Did you mean {name}? It may also have been removed: names are case-sensitive.".
func (l Lang) ProblemLikeJob(name string) string {
	if l == Chinese {
		return "你要找的是 " + name + " 吗？它也可能已被移除；名称区分大小写。"
	}
	return "Did you mean " + name + "? It may also have been removed: names are case-sensitive."
}

// ProblemLogOnly is "This console keeps its audit in the log only.".
func (l Lang) ProblemLogOnly() string {
	if l == Chinese {
		return "此控制台只把审计写入日志。"
	}
	return "This console keeps its audit in the log only."
}

// ProblemLogOnlyHint is "Look for lines with the message audit.".
func (l Lang) ProblemLogOnlyHint() string {
	if l == Chinese {
		return "请查找消息为 audit 的行。"
	}
	return "Look for lines with the message audit."
}

// ProblemManyViews is "There are {n, plural, one {# view} other {# views}} of this list already: as many as there may be.".
func (l Lang) ProblemManyViews(n int) string {
	if l == Chinese {
		return "此列表已有 " + number(n) + " 个视图，已达上限。"
	}
	if n == 1 {
		return "There are " + number(n) + " view of this list already: as many as there may be."
	}
	return "There are " + number(n) + " views of this list already: as many as there may be."
}

// ProblemManyViewsHint is "Remove one first. Nothing was stored.".
func (l Lang) ProblemManyViewsHint() string {
	if l == Chinese {
		return "请先移除一个。未保存任何内容。"
	}
	return "Remove one first. Nothing was stored."
}

// ProblemMethod is "{method} is not possible here.".
func (l Lang) ProblemMethod(method string) string {
	if l == Chinese {
		return "此处不支持 " + method + "。"
	}
	return method + " is not possible here."
}

// ProblemMethodHint is "This address answers to {methods}. Nothing was changed.".
func (l Lang) ProblemMethodHint(methods string) string {
	if l == Chinese {
		return "此地址支持 " + methods + "。未做任何更改。"
	}
	return "This address answers to " + methods + ". Nothing was changed."
}

// ProblemNamespaceForbidden is "The registry {name} does not let the console read its namespace.".
func (l Lang) ProblemNamespaceForbidden(name string) string {
	if l == Chinese {
		return "注册中心 " + name + " 不允许控制台读取其命名空间。"
	}
	return "The registry " + name + " does not let the console read its namespace."
}

// ProblemNamespaceForbiddenHint is "Check the digest.".
func (l Lang) ProblemNamespaceForbiddenHint() string {
	if l == Chinese {
		return "请检查 Digest。"
	}
	return "Check the digest."
}

// ProblemNoAction is "The action {verb} is unknown.".
func (l Lang) ProblemNoAction(verb string) string {
	if l == Chinese {
		return "未知的操作 " + verb + "。"
	}
	return "The action " + verb + " is unknown."
}

// ProblemNoActionHint is "There are trigger, disable and enable. Nothing was changed.".
func (l Lang) ProblemNoActionHint() string {
	if l == Chinese {
		return "可用的有 trigger、disable 和 enable。未做任何更改。"
	}
	return "There are trigger, disable and enable. Nothing was changed."
}

// ProblemNoChange is "There is no action {id}.".
func (l Lang) ProblemNoChange(id string) string {
	if l == Chinese {
		return "操作 " + id + " 不存在。"
	}
	return "There is no action " + id + "."
}

// ProblemNoChangeHint is "Actions can be looked at for a week; the audit log has them for longer.".
func (l Lang) ProblemNoChangeHint() string {
	if l == Chinese {
		return "操作可查看一周；审计日志保留得更久。"
	}
	return "Actions can be looked at for a week; the audit log has them for longer."
}

// ProblemNoConnection is "The registry {name} cannot be connected to: {why}.".
func (l Lang) ProblemNoConnection(name string, why string) string {
	if l == Chinese {
		return "无法连接注册中心 " + name + "：" + why + "。"
	}
	return "The registry " + name + " cannot be connected to: " + why + "."
}

// ProblemNoConnectionHint is "Check address and digest, and that ZooKeeper runs and can be reached from here.".
func (l Lang) ProblemNoConnectionHint() string {
	if l == Chinese {
		return "请检查地址和 Digest，以及 ZooKeeper 是否运行并可从此处访问。"
	}
	return "Check address and digest, and that ZooKeeper runs and can be reached from here."
}

// ProblemNoJob is "There is no job {name}.".
func (l Lang) ProblemNoJob(name string) string {
	if l == Chinese {
		return "作业 " + name + " 不存在。"
	}
	return "There is no job " + name + "."
}

// ProblemNoJobHint is "It may have been removed, or the name is written differently: names are case-sensitive. In an address, escape a letter of a name that is also a word of addresses, such as %63onfig.".
func (l Lang) ProblemNoJobHint() string {
	if l == Chinese {
		return "它可能已被移除，或名称写法不同：名称区分大小写。名称若与地址中的固定词相同，请在地址中转义其中一个字母，例如 %63onfig。"
	}
	return "It may have been removed, or the name is written differently: names are case-sensitive. In an address, escape a letter of a name that is also a word of addresses, such as %63onfig."
}

// ProblemNoLabel2x is "ElasticJob 2.1.x has no labels.".
func (l Lang) ProblemNoLabel2x() string {
	if l == Chinese {
		return "ElasticJob 2.1.x 没有标签。"
	}
	return "ElasticJob 2.1.x has no labels."
}

// ProblemNoLive is "{target} has no live instance.".
func (l Lang) ProblemNoLive(target string) string {
	if l == Chinese {
		return target + " 没有存活的实例。"
	}
	return target + " has no live instance."
}

// ProblemNoLiveHint is "Start a process that runs this job, then try again. Nothing was changed.".
func (l Lang) ProblemNoLiveHint() string {
	if l == Chinese {
		return "请启动运行该作业的进程后重试。未做任何更改。"
	}
	return "Start a process that runs this job, then try again. Nothing was changed."
}

// ProblemNoOwn is "This console has no database of its own to keep settings in.".
func (l Lang) ProblemNoOwn() string {
	if l == Chinese {
		return "此控制台没有自己的数据库来保存设置。"
	}
	return "This console has no database of its own to keep settings in."
}

// ProblemNoOwnHint is "It serves what its command line names.".
func (l Lang) ProblemNoOwnHint() string {
	if l == Chinese {
		return "它只提供命令行指定的内容。"
	}
	return "It serves what its command line names."
}

// ProblemNoPlace is "The place in the list that the address names does not exist.".
func (l Lang) ProblemNoPlace() string {
	if l == Chinese {
		return "地址所指的列表位置不存在。"
	}
	return "The place in the list that the address names does not exist."
}

// ProblemNoPlaceHint is "Start from the first page.".
func (l Lang) ProblemNoPlaceHint() string {
	if l == Chinese {
		return "请从第一页开始。"
	}
	return "Start from the first page."
}

// ProblemNoRegistry is "There is no registry {name}.".
func (l Lang) ProblemNoRegistry(name string) string {
	if l == Chinese {
		return "注册中心 " + name + " 不存在。"
	}
	return "There is no registry " + name + "."
}

// ProblemNoRun is "Job {job} has no run {run} in the history.".
func (l Lang) ProblemNoRun(job string, run string) string {
	if l == Chinese {
		return "历史中没有作业 " + job + " 的运行 " + run + "。"
	}
	return "Job " + job + " has no run " + run + " in the history."
}

// ProblemNoRunHint is "It may have been deleted with the old rows, or belong to another data source.".
func (l Lang) ProblemNoRunHint() string {
	if l == Chinese {
		return "它可能已随旧记录一起删除，或属于另一个数据源。"
	}
	return "It may have been deleted with the old rows, or belong to another data source."
}

// ProblemNoServer is "There is no server {ip}.".
func (l Lang) ProblemNoServer(ip string) string {
	if l == Chinese {
		return "服务器 " + ip + " 不存在。"
	}
	return "There is no server " + ip + "."
}

// ProblemNoServerHint is "No job of the namespace knows it: addresses are compared exactly.".
func (l Lang) ProblemNoServerHint() string {
	if l == Chinese {
		return "此命名空间中没有作业使用它：地址按完整内容比较。"
	}
	return "No job of the namespace knows it: addresses are compared exactly."
}

// ProblemNoServers is "The job has no servers.".
func (l Lang) ProblemNoServers() string {
	if l == Chinese {
		return "该作业没有服务器。"
	}
	return "The job has no servers."
}

// ProblemNoSource is "There is no data source {name}.".
func (l Lang) ProblemNoSource(name string) string {
	if l == Chinese {
		return "数据源 " + name + " 不存在。"
	}
	return "There is no data source " + name + "."
}

// ProblemNoTarget is "There is no {target}: {why}".
func (l Lang) ProblemNoTarget(target string, why string) string {
	if l == Chinese {
		return target + " 不存在。" + why
	}
	return "There is no " + target + ": " + why
}

// ProblemNoView is "There is no view {name}.".
func (l Lang) ProblemNoView(name string) string {
	if l == Chinese {
		return "视图 " + name + " 不存在。"
	}
	return "There is no view " + name + "."
}

// ProblemNotAllowed is "The console may not connect there: {why}.".
func (l Lang) ProblemNotAllowed(why string) string {
	if l == Chinese {
		return "不允许控制台连接该地址：" + why + "。"
	}
	return "The console may not connect there: " + why + "."
}

// ProblemNotAllowedHint is "Start it with --allow-hosts to let it. Nothing was connected to.".
func (l Lang) ProblemNotAllowedHint() string {
	if l == Chinese {
		return "如需允许，请以 --allow-hosts 启动。未建立任何连接。"
	}
	return "Start it with --allow-hosts to let it. Nothing was connected to."
}

// ProblemNotKnown is "Whether the command to {verb} {target} arrived is not known. Look once the connection is back, then repeat it if need be.".
func (l Lang) ProblemNotKnown(verb string, target string) string {
	if l == Chinese {
		return "不知道对 " + target + " 的操作“" + verb + "”是否已送达。连接恢复后请先查看，必要时再重复。"
	}
	return "Whether the command to " + verb + " " + target + " arrived is not known. Look once the connection is back, then repeat it if need be."
}

// ProblemNotLet is "ZooKeeper did not let the console {verb} {target}.".
func (l Lang) ProblemNotLet(verb string, target string) string {
	if l == Chinese {
		return "ZooKeeper 不允许控制台对 " + target + " 执行“" + verb + "”。"
	}
	return "ZooKeeper did not let the console " + verb + " " + target + "."
}

// ProblemNotLive is "No page of this address is kept up to date.".
func (l Lang) ProblemNotLive() string {
	if l == Chinese {
		return "没有此地址的实时页面。"
	}
	return "No page of this address is kept up to date."
}

// ProblemNotLiveHint is "Ask for the address of a page, such as /events?path=/jobs.".
func (l Lang) ProblemNotLiveHint() string {
	if l == Chinese {
		return "请使用页面的地址，例如 /events?path=/jobs。"
	}
	return "Ask for the address of a page, such as /events?path=/jobs."
}

// ProblemNotRecorded is "The trace database can't store how the requested runs of {target} ended.".
func (l Lang) ProblemNotRecorded(target string) string {
	if l == Chinese {
		return "事件追踪数据库无法保存 " + target + " 的请求运行是如何结束的。"
	}
	return "The trace database can't store how the requested runs of " + target + " ended."
}

// ProblemNotRecordedHint is "The job is still there; remove it again when the trace database answers.".
func (l Lang) ProblemNotRecordedHint() string {
	if l == Chinese {
		return "作业仍然存在；请在事件追踪数据库恢复后再次删除。"
	}
	return "The job is still there; remove it again when the trace database answers."
}

// ProblemNotTimed is "{job} is not to be enabled at a time.".
func (l Lang) ProblemNotTimed(job string) string {
	if l == Chinese {
		return job + " 没有定时启用。"
	}
	return job + " is not to be enabled at a time."
}

// ProblemNothingChanged is "Nothing was changed.".
func (l Lang) ProblemNothingChanged() string {
	if l == Chinese {
		return "未做任何更改。"
	}
	return "Nothing was changed."
}

// ProblemNothingConnected is "Nothing was stored or connected to.".
func (l Lang) ProblemNothingConnected() string {
	if l == Chinese {
		return "未保存任何内容，也未建立连接。"
	}
	return "Nothing was stored or connected to."
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

// ProblemOidcAgain is "Begin again.".
func (l Lang) ProblemOidcAgain() string {
	if l == Chinese {
		return "请重新开始。"
	}
	return "Begin again."
}

// ProblemOidcDenied is "You are not signed in: it was cancelled or denied at {name}.".
func (l Lang) ProblemOidcDenied(name string) string {
	if l == Chinese {
		return "未登录：在 " + name + " 处被取消或拒绝。"
	}
	return "You are not signed in: it was cancelled or denied at " + name + "."
}

// ProblemOidcDeniedHint is "Begin again, or sign in with an account of this console.".
func (l Lang) ProblemOidcDeniedHint() string {
	if l == Chinese {
		return "请重新开始，或使用此控制台的账号登录。"
	}
	return "Begin again, or sign in with an account of this console."
}

// ProblemOidcDown is "{name} cannot be used now.".
func (l Lang) ProblemOidcDown(name string) string {
	if l == Chinese {
		return "现在无法使用 " + name + "。"
	}
	return name + " cannot be used now."
}

// ProblemOidcDownHint is "{why} Begin again, or sign in with an account of this console.".
func (l Lang) ProblemOidcDownHint(why string) string {
	if l == Chinese {
		return why + " 请重新开始，或使用此控制台的账号登录。"
	}
	return why + " Begin again, or sign in with an account of this console."
}

// ProblemOidcLogHint is "Begin again. If that does not help, the log has the reason under this request's id.".
func (l Lang) ProblemOidcLogHint() string {
	if l == Chinese {
		return "请重新开始。如仍失败，日志中此请求编号下有原因。"
	}
	return "Begin again. If that does not help, the log has the reason under this request's id."
}

// ProblemOidcNoFlow is "This sign-in was not begun in this browser, or too long ago.".
func (l Lang) ProblemOidcNoFlow() string {
	if l == Chinese {
		return "此登录不是在本浏览器中开始的，或开始得太久。"
	}
	return "This sign-in was not begun in this browser, or too long ago."
}

// ProblemOidcNoFlowHint is "Begin at {address}, and sign in within ten minutes. Cookies must be allowed.".
func (l Lang) ProblemOidcNoFlowHint(address string) string {
	if l == Chinese {
		return "请从 " + address + " 开始，并在十分钟内登录。必须允许 Cookie。"
	}
	return "Begin at " + address + ", and sign in within ten minutes. Cookies must be allowed."
}

// ProblemOidcNoGroup is "You are not in a group that may use this console.".
func (l Lang) ProblemOidcNoGroup() string {
	if l == Chinese {
		return "您所在的组无权使用此控制台。"
	}
	return "You are not in a group that may use this console."
}

// ProblemOidcNoGroupHint is "You signed in as {name}. Ask those who look after the console to add you to one, then sign in again.".
func (l Lang) ProblemOidcNoGroupHint(name string) string {
	if l == Chinese {
		return "您以 " + name + " 登录。请联系控制台的维护者把您加入相应的组，然后重新登录。"
	}
	return "You signed in as " + name + ". Ask those who look after the console to add you to one, then sign in again."
}

// ProblemOidcNotIn is "{name} did not sign you in.".
func (l Lang) ProblemOidcNotIn(name string) string {
	if l == Chinese {
		return name + " 未让您登录。"
	}
	return name + " did not sign you in."
}

// ProblemOidcOffHint is "Signing in by OpenID Connect is not set up on this console.".
func (l Lang) ProblemOidcOffHint() string {
	if l == Chinese {
		return "此控制台未设置 OpenID Connect 登录。"
	}
	return "Signing in by OpenID Connect is not set up on this console."
}

// ProblemOidcProof is "What came from {name} does not prove who you are.".
func (l Lang) ProblemOidcProof(name string) string {
	if l == Chinese {
		return "来自 " + name + " 的应答不能证明您的身份。"
	}
	return "What came from " + name + " does not prove who you are."
}

// ProblemOidcReplayed is "This sign-in was already completed.".
func (l Lang) ProblemOidcReplayed() string {
	if l == Chinese {
		return "此登录已完成。"
	}
	return "This sign-in was already completed."
}

// ProblemOidcRetry is "{why} Try again, or sign in with an account of this console. Request {id}.".
func (l Lang) ProblemOidcRetry(why string, id string) string {
	if l == Chinese {
		return why + " 请重试，或使用此控制台的账号登录。请求编号 " + id + "。"
	}
	return why + " Try again, or sign in with an account of this console. Request " + id + "."
}

// ProblemOidcState is "This is the answer to another sign-in.".
func (l Lang) ProblemOidcState() string {
	if l == Chinese {
		return "这是另一次登录的应答。"
	}
	return "This is the answer to another sign-in."
}

// ProblemOidcStateHint is "If you began one in another tab, go on there, or begin again.".
func (l Lang) ProblemOidcStateHint() string {
	if l == Chinese {
		return "如果在另一个标签页中开始了登录，请在那里继续，或重新开始。"
	}
	return "If you began one in another tab, go on there, or begin again."
}

// ProblemOpenJob is "Open {name}".
func (l Lang) ProblemOpenJob(name string) string {
	if l == Chinese {
		return "打开 " + name
	}
	return "Open " + name
}

// ProblemOption is "An option is not written as name=value.".
func (l Lang) ProblemOption() string {
	if l == Chinese {
		return "选项未写成 name=value 的形式。"
	}
	return "An option is not written as name=value."
}

// ProblemOptionHint is "Separate options by spaces. Nothing was stored or connected to.".
func (l Lang) ProblemOptionHint() string {
	if l == Chinese {
		return "多个选项以空格分隔。未保存任何内容，也未建立连接。"
	}
	return "Separate options by spaces. Nothing was stored or connected to."
}

// ProblemOwnDown is "The console's own database could not be asked.".
func (l Lang) ProblemOwnDown() string {
	if l == Chinese {
		return "无法访问控制台自己的数据库。"
	}
	return "The console's own database could not be asked."
}

// ProblemOwnDownHint is "It knows who signed out, so nobody is let in without it. Jobs are not affected. Check that the database runs; the log has the cause.".
func (l Lang) ProblemOwnDownHint() string {
	if l == Chinese {
		return "它记录谁已退出登录，因此没有它无法登录。作业不受影响。请检查数据库是否运行；原因见日志。"
	}
	return "It knows who signed out, so nobody is let in without it. Jobs are not affected. Check that the database runs; the log has the cause."
}

// ProblemOwnDownSignOut is "This console refuses the token from now on, but others of the same database may take it until it expires. Try again.".
func (l Lang) ProblemOwnDownSignOut() string {
	if l == Chinese {
		return "本控制台从现在起拒绝该令牌，但使用同一数据库的其他控制台在其过期前仍可能接受。请重试。"
	}
	return "This console refuses the token from now on, but others of the same database may take it until it expires. Try again."
}

// ProblemPort is "The port is not a number.".
func (l Lang) ProblemPort() string {
	if l == Chinese {
		return "端口不是数字。"
	}
	return "The port is not a number."
}

// ProblemPortHint is "Write 1 to 65535, or nothing for the usual one. Nothing was stored or connected to.".
func (l Lang) ProblemPortHint() string {
	if l == Chinese {
		return "请填写 1 到 65535，或留空使用默认端口。未保存任何内容，也未建立连接。"
	}
	return "Write 1 to 65535, or nothing for the usual one. Nothing was stored or connected to."
}

// ProblemReasonLong is "The reason has {n} characters, at most {most} are kept.".
func (l Lang) ProblemReasonLong(n string, most string) string {
	if l == Chinese {
		return "原因有 " + n + " 个字符，最多保留 " + most + " 个。"
	}
	return "The reason has " + n + " characters, at most " + most + " are kept."
}

// ProblemReasonLongHint is "Shorten it. Nothing was changed.".
func (l Lang) ProblemReasonLongHint() string {
	if l == Chinese {
		return "请缩短。未做任何更改。"
	}
	return "Shorten it. Nothing was changed."
}

// ProblemRefused is "The command to {verb} {target} was refused: {why}".
func (l Lang) ProblemRefused(verb string, target string, why string) string {
	if l == Chinese {
		return "对 " + target + " 的操作“" + verb + "”被拒绝。" + why
	}
	return "The command to " + verb + " " + target + " was refused: " + why
}

// ProblemRemovedList is "It may have been removed. GET {path} lists those there are.".
func (l Lang) ProblemRemovedList(path string) string {
	if l == Chinese {
		return "它可能已被移除。GET " + path + " 列出现有的。"
	}
	return "It may have been removed. GET " + path + " lists those there are."
}

// ProblemRequest is "Request".
func (l Lang) ProblemRequest() string {
	if l == Chinese {
		return "请求编号"
	}
	return "Request"
}

// ProblemServerOff is "its server is not enabled".
func (l Lang) ProblemServerOff() string {
	if l == Chinese {
		return "其服务器未启用"
	}
	return "its server is not enabled"
}

// ProblemSoAlready is "it is so already".
func (l Lang) ProblemSoAlready() string {
	if l == Chinese {
		return "已经如此"
	}
	return "it is so already"
}

// ProblemSomebody is "Somebody".
func (l Lang) ProblemSomebody() string {
	if l == Chinese {
		return "有人"
	}
	return "Somebody"
}

// ProblemSourceUnusable is "The data source {name} cannot be used: {why}.".
func (l Lang) ProblemSourceUnusable(name string, why string) string {
	if l == Chinese {
		return "数据源 " + name + " 无法使用：" + why + "。"
	}
	return "The data source " + name + " cannot be used: " + why + "."
}

// ProblemSourceUnusableHint is "Jobs are not affected.".
func (l Lang) ProblemSourceUnusableHint() string {
	if l == Chinese {
		return "作业不受影响。"
	}
	return "Jobs are not affected."
}

// ProblemStaleConfig is "Somebody changed the configuration of {job} since you read it. Nothing was stored.".
func (l Lang) ProblemStaleConfig(job string) string {
	if l == Chinese {
		return "在您读取之后，有人修改了 " + job + " 的配置。未保存任何内容。"
	}
	return "Somebody changed the configuration of " + job + " since you read it. Nothing was stored."
}

// ProblemStaleConfigHint is "The answer has what is stored now, and its ETag. Make your change to that.".
func (l Lang) ProblemStaleConfigHint() string {
	if l == Chinese {
		return "应答中有当前保存的内容及其 ETag，请在其上修改。"
	}
	return "The answer has what is stored now, and its ETag. Make your change to that."
}

// ProblemStreams is "Too many pages are open.".
func (l Lang) ProblemStreams() string {
	if l == Chinese {
		return "打开的页面过多。"
	}
	return "Too many pages are open."
}

// ProblemStreamsHint is "This page goes on without a stream: it asks every few seconds.".
func (l Lang) ProblemStreamsHint() string {
	if l == Chinese {
		return "此页面不使用推送，每隔几秒查询一次。"
	}
	return "This page goes on without a stream: it asks every few seconds."
}

// ProblemSwitchedSince is "{who} has switched it since.".
func (l Lang) ProblemSwitchedSince(who string) string {
	if l == Chinese {
		return who + "之后又更改过它。"
	}
	return who + " has switched it since."
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

// ProblemTooLarge is "The request is too large.".
func (l Lang) ProblemTooLarge() string {
	if l == Chinese {
		return "请求过大。"
	}
	return "The request is too large."
}

// ProblemTooLargeHint is "{kib} KiB are the limit. Nothing was changed.".
func (l Lang) ProblemTooLargeHint(kib string) string {
	if l == Chinese {
		return "上限为 " + kib + " KiB。未做任何更改。"
	}
	return kib + " KiB are the limit. Nothing was changed."
}

// ProblemTooMany is "Too many attempts to sign in. Try again in {seconds} s.".
func (l Lang) ProblemTooMany(seconds string) string {
	if l == Chinese {
		return "登录尝试次数过多。请在 " + seconds + " 秒后重试。"
	}
	return "Too many attempts to sign in. Try again in " + seconds + " s."
}

// ProblemTooManyHint is "The limit is per account and per address; it opens again by itself.".
func (l Lang) ProblemTooManyHint() string {
	if l == Chinese {
		return "限制按账号和来源地址计算，到时自动解除。"
	}
	return "The limit is per account and per address; it opens again by itself."
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

// ProblemUnaudited is "The action cannot be recorded in the audit, so it was not carried out.".
func (l Lang) ProblemUnaudited() string {
	if l == Chinese {
		return "无法把操作写入审计，因此没有执行。"
	}
	return "The action cannot be recorded in the audit, so it was not carried out."
}

// ProblemUnauditedHint is "Nothing was changed. Check that the console's own database can be written, and its disk; the log has the cause.".
func (l Lang) ProblemUnauditedHint() string {
	if l == Chinese {
		return "未做任何更改。请检查控制台自己的数据库能否写入及其磁盘；原因见日志。"
	}
	return "Nothing was changed. Check that the console's own database can be written, and its disk; the log has the cause."
}

// ProblemUndoBusy is "The action is still being carried out.".
func (l Lang) ProblemUndoBusy() string {
	if l == Chinese {
		return "该操作仍在执行。"
	}
	return "The action is still being carried out."
}

// ProblemUndoDone is "The action was taken back already.".
func (l Lang) ProblemUndoDone() string {
	if l == Chinese {
		return "该操作已被撤销。"
	}
	return "The action was taken back already."
}

// ProblemUndoHold is "A hold is released, and cancelled runs are requested again: neither can be taken back.".
func (l Lang) ProblemUndoHold() string {
	if l == Chinese {
		return "暂停需要恢复，已取消的运行需要再次请求：都不能撤销。"
	}
	return "A hold is released, and cancelled runs are requested again: neither can be taken back."
}

// ProblemUndoLate is "The action is older than ten minutes.".
func (l Lang) ProblemUndoLate() string {
	if l == Chinese {
		return "该操作已超过十分钟。"
	}
	return "The action is older than ten minutes."
}

// ProblemUndoTrigger is "A run that was started cannot be taken back.".
func (l Lang) ProblemUndoTrigger() string {
	if l == Chinese {
		return "已开始的运行无法撤销。"
	}
	return "A run that was started cannot be taken back."
}

// ProblemWhen is "When".
func (l Lang) ProblemWhen() string {
	if l == Chinese {
		return "时间"
	}
	return "When"
}

// ProblemWrongCommand is "The command to {verb} {target} is not valid: {why}".
func (l Lang) ProblemWrongCommand(verb string, target string, why string) string {
	if l == Chinese {
		return "对 " + target + " 的操作“" + verb + "”无效。" + why
	}
	return "The command to " + verb + " " + target + " is not valid: " + why
}

// ProblemWrongCursor is "The cursor is not one of this list.".
func (l Lang) ProblemWrongCursor() string {
	if l == Chinese {
		return "该游标不属于此列表。"
	}
	return "The cursor is not one of this list."
}

// ProblemWrongCursorHint is "Start again without it.".
func (l Lang) ProblemWrongCursorHint() string {
	if l == Chinese {
		return "请去掉它重新开始。"
	}
	return "Start again without it."
}

// ProblemWrongFieldsHint is "Correct the fields named. Nothing was stored or connected to.".
func (l Lang) ProblemWrongFieldsHint() string {
	if l == Chinese {
		return "请更正所指的字段。未保存任何内容，也未建立连接。"
	}
	return "Correct the fields named. Nothing was stored or connected to."
}

// ProblemWrongFilter is "The filter asks for something that cannot be.".
func (l Lang) ProblemWrongFilter() string {
	if l == Chinese {
		return "筛选条件无法成立。"
	}
	return "The filter asks for something that cannot be."
}

// ProblemWrongKey is "A stored secret cannot be decrypted.".
func (l Lang) ProblemWrongKey() string {
	if l == Chinese {
		return "无法解密已保存的密钥。"
	}
	return "A stored secret cannot be decrypted."
}

// ProblemWrongKeyHint is "The console was started with another key than the one it was encrypted with. Start it with that key, or remove the entry and enter it again.".
func (l Lang) ProblemWrongKeyHint() string {
	if l == Chinese {
		return "控制台启动时使用的密钥与加密时不同。请用原密钥启动，或移除该项后重新添加。"
	}
	return "The console was started with another key than the one it was encrypted with. Start it with that key, or remove the entry and enter it again."
}

// ProblemWrongLabel is "{label} is no label: at most {n, number} characters that can be printed.".
func (l Lang) ProblemWrongLabel(label string, n int) string {
	if l == Chinese {
		return label + " 不是有效的标签：最多 " + number(n) + " 个可打印字符。"
	}
	return label + " is no label: at most " + number(n) + " characters that can be printed."
}

// ProblemWrongRegistry is "The registry cannot be used like this.".
func (l Lang) ProblemWrongRegistry() string {
	if l == Chinese {
		return "注册中心不能这样使用。"
	}
	return "The registry cannot be used like this."
}

// ProblemWrongSource is "The data source cannot be used like this.".
func (l Lang) ProblemWrongSource() string {
	if l == Chinese {
		return "数据源不能这样使用。"
	}
	return "The data source cannot be used like this."
}

// ProblemWrongTime is "{time} is not a time of the next 90 days.".
func (l Lang) ProblemWrongTime(time string) string {
	if l == Chinese {
		return time + " 不在未来 90 天内。"
	}
	return time + " is not a time of the next 90 days."
}

// ProblemWrongTimeHint is "Give a time to come, in UTC. Nothing was changed.".
func (l Lang) ProblemWrongTimeHint() string {
	if l == Chinese {
		return "请填写将来的时间（UTC）。未做任何更改。"
	}
	return "Give a time to come, in UTC. Nothing was changed."
}

// ProblemWrongView is "The view cannot be saved like this.".
func (l Lang) ProblemWrongView() string {
	if l == Chinese {
		return "视图不能这样保存。"
	}
	return "The view cannot be saved like this."
}

// ProblemZkDown is "ZooKeeper has been unreachable since {time}.".
func (l Lang) ProblemZkDown(time string) string {
	if l == Chinese {
		return "ZooKeeper 自 " + time + " 起无法连接。"
	}
	return "ZooKeeper has been unreachable since " + time + "."
}

// ProblemZkDownHint is "The console reconnects by itself. Check that ZooKeeper runs and can be reached from here.".
func (l Lang) ProblemZkDownHint() string {
	if l == Chinese {
		return "控制台会自动重连。请检查 ZooKeeper 是否运行，以及能否从此处访问。"
	}
	return "The console reconnects by itself. Check that ZooKeeper runs and can be reached from here."
}

// ProblemZkForbidden is "ZooKeeper does not let the console read this.".
func (l Lang) ProblemZkForbidden() string {
	if l == Chinese {
		return "ZooKeeper 不允许控制台读取此内容。"
	}
	return "ZooKeeper does not let the console read this."
}

// ProblemZkReading is "The console is still reading the registry.".
func (l Lang) ProblemZkReading() string {
	if l == Chinese {
		return "控制台仍在读取注册中心。"
	}
	return "The console is still reading the registry."
}

// ProblemZkReadingHint is "It began to when it was started or connected again. Try again in a few seconds.".
func (l Lang) ProblemZkReadingHint() string {
	if l == Chinese {
		return "启动或重新连接后开始读取。请几秒后重试。"
	}
	return "It began to when it was started or connected again. Try again in a few seconds."
}

// ProblemZkUnread is "ZooKeeper could not be read just now.".
func (l Lang) ProblemZkUnread() string {
	if l == Chinese {
		return "刚才无法读取 ZooKeeper。"
	}
	return "ZooKeeper could not be read just now."
}

// ProblemZkUnreadHint is "Nothing was changed. Try again in a few seconds.".
func (l Lang) ProblemZkUnreadHint() string {
	if l == Chinese {
		return "未做任何更改。请几秒后重试。"
	}
	return "Nothing was changed. Try again in a few seconds."
}
