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

// AuditAffected is "{n, number} done, {skipped, number} skipped".
func (l Lang) AuditAffected(n int, skipped int) string {
	if l == Chinese {
		return "完成 " + number(n) + " 项，跳过 " + number(skipped) + " 项"
	}
	return number(n) + " done, " + number(skipped) + " skipped"
}

// AuditAny is "any".
func (l Lang) AuditAny() string {
	if l == Chinese {
		return "不限"
	}
	return "any"
}

// AuditApply is "Apply".
func (l Lang) AuditApply() string {
	if l == Chinese {
		return "应用"
	}
	return "Apply"
}

// AuditAs is "as {account}".
func (l Lang) AuditAs(account string) string {
	if l == Chinese {
		return "账号 " + account
	}
	return "as " + account
}

// AuditBadAction is "there is no action {action}".
func (l Lang) AuditBadAction(action string) string {
	if l == Chinese {
		return "没有操作 " + action
	}
	return "there is no action " + action
}

// AuditBegun is "Begun".
func (l Lang) AuditBegun() string {
	if l == Chinese {
		return "已开始"
	}
	return "Begun"
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

// AuditDidAcknowledge is "Acknowledged lost instances".
func (l Lang) AuditDidAcknowledge() string {
	if l == Chinese {
		return "确认了丢失的实例"
	}
	return "Acknowledged lost instances"
}

// AuditDidAddApp is "Added an application".
func (l Lang) AuditDidAddApp() string {
	if l == Chinese {
		return "添加应用"
	}
	return "Added an application"
}

// AuditDidAddRegistry is "Added a registry".
func (l Lang) AuditDidAddRegistry() string {
	if l == Chinese {
		return "添加注册中心"
	}
	return "Added a registry"
}

// AuditDidAddSource is "Added a data source".
func (l Lang) AuditDidAddSource() string {
	if l == Chinese {
		return "添加数据源"
	}
	return "Added a data source"
}

// AuditDidBackfill is "Backfilled a job".
func (l Lang) AuditDidBackfill() string {
	if l == Chinese {
		return "补跑了作业"
	}
	return "Backfilled a job"
}

// AuditDidBulk is "Changed many jobs".
func (l Lang) AuditDidBulk() string {
	if l == Chinese {
		return "批量操作"
	}
	return "Changed many jobs"
}

// AuditDidCancelBackfill is "Cancelled a backfill".
func (l Lang) AuditDidCancelBackfill() string {
	if l == Chinese {
		return "取消了补跑"
	}
	return "Cancelled a backfill"
}

// AuditDidCancelRun is "Cancelled a run".
func (l Lang) AuditDidCancelRun() string {
	if l == Chinese {
		return "取消运行"
	}
	return "Cancelled a run"
}

// AuditDidCancelWaiting is "Cancelled the runs that wait".
func (l Lang) AuditDidCancelWaiting() string {
	if l == Chinese {
		return "取消等待中的运行"
	}
	return "Cancelled the runs that wait"
}

// AuditDidChangeApp is "Changed an application".
func (l Lang) AuditDidChangeApp() string {
	if l == Chinese {
		return "修改应用"
	}
	return "Changed an application"
}

// AuditDidChangeRegistry is "Changed a registry".
func (l Lang) AuditDidChangeRegistry() string {
	if l == Chinese {
		return "修改注册中心"
	}
	return "Changed a registry"
}

// AuditDidChangeSource is "Changed a data source".
func (l Lang) AuditDidChangeSource() string {
	if l == Chinese {
		return "修改数据源"
	}
	return "Changed a data source"
}

// AuditDidClearRunning is "Cleared a running marker".
func (l Lang) AuditDidClearRunning() string {
	if l == Chinese {
		return "清除运行标记"
	}
	return "Cleared a running marker"
}

// AuditDidConfigure is "Changed the configuration".
func (l Lang) AuditDidConfigure() string {
	if l == Chinese {
		return "修改配置"
	}
	return "Changed the configuration"
}

// AuditDidCreate is "Created the job".
func (l Lang) AuditDidCreate() string {
	if l == Chinese {
		return "创建作业"
	}
	return "Created the job"
}

// AuditDidDeleteApp is "Deleted an application".
func (l Lang) AuditDidDeleteApp() string {
	if l == Chinese {
		return "删除应用"
	}
	return "Deleted an application"
}

// AuditDidDeleteJob is "Deleted the job".
func (l Lang) AuditDidDeleteJob() string {
	if l == Chinese {
		return "删除作业"
	}
	return "Deleted the job"
}

// AuditDidDisable is "Disabled".
func (l Lang) AuditDidDisable() string {
	if l == Chinese {
		return "禁用"
	}
	return "Disabled"
}

// AuditDidDisableShard is "Disabled a shard".
func (l Lang) AuditDidDisableShard() string {
	if l == Chinese {
		return "禁用分片"
	}
	return "Disabled a shard"
}

// AuditDidDump is "Took a dump".
func (l Lang) AuditDidDump() string {
	if l == Chinese {
		return "导出运行快照"
	}
	return "Took a dump"
}

// AuditDidEnable is "Enabled".
func (l Lang) AuditDidEnable() string {
	if l == Chinese {
		return "启用"
	}
	return "Enabled"
}

// AuditDidEnableShard is "Enabled a shard".
func (l Lang) AuditDidEnableShard() string {
	if l == Chinese {
		return "启用分片"
	}
	return "Enabled a shard"
}

// AuditDidHold is "Held a job".
func (l Lang) AuditDidHold() string {
	if l == Chinese {
		return "暂停作业"
	}
	return "Held a job"
}

// AuditDidImport is "Imported settings".
func (l Lang) AuditDidImport() string {
	if l == Chinese {
		return "导入设置"
	}
	return "Imported settings"
}

// AuditDidKillRun is "Killed a run".
func (l Lang) AuditDidKillRun() string {
	if l == Chinese {
		return "强制结束运行"
	}
	return "Killed a run"
}

// AuditDidKillShard is "Killed a shard of a run".
func (l Lang) AuditDidKillShard() string {
	if l == Chinese {
		return "强制结束运行中的一个分片"
	}
	return "Killed a shard of a run"
}

// AuditDidOpenRegistry is "Opened a registry".
func (l Lang) AuditDidOpenRegistry() string {
	if l == Chinese {
		return "打开注册中心"
	}
	return "Opened a registry"
}

// AuditDidOpenSource is "Opened a data source".
func (l Lang) AuditDidOpenSource() string {
	if l == Chinese {
		return "打开数据源"
	}
	return "Opened a data source"
}

// AuditDidPreview is "Looked at a change of a configuration".
func (l Lang) AuditDidPreview() string {
	if l == Chinese {
		return "预览配置的修改"
	}
	return "Looked at a change of a configuration"
}

// AuditDidReconcile is "Had what runs read anew".
func (l Lang) AuditDidReconcile() string {
	if l == Chinese {
		return "重新读取运行状态"
	}
	return "Had what runs read anew"
}

// AuditDidRefresh is "Renewed the session".
func (l Lang) AuditDidRefresh() string {
	if l == Chinese {
		return "续期会话"
	}
	return "Renewed the session"
}

// AuditDidRelease is "Released a job".
func (l Lang) AuditDidRelease() string {
	if l == Chinese {
		return "恢复作业"
	}
	return "Released a job"
}

// AuditDidRemoveRegistry is "Removed a registry".
func (l Lang) AuditDidRemoveRegistry() string {
	if l == Chinese {
		return "移除注册中心"
	}
	return "Removed a registry"
}

// AuditDidRemoveServer is "Removed the entry of a server".
func (l Lang) AuditDidRemoveServer() string {
	if l == Chinese {
		return "移除服务器记录"
	}
	return "Removed the entry of a server"
}

// AuditDidRemoveSource is "Removed a data source".
func (l Lang) AuditDidRemoveSource() string {
	if l == Chinese {
		return "移除数据源"
	}
	return "Removed a data source"
}

// AuditDidRemoveView is "Removed a view".
func (l Lang) AuditDidRemoveView() string {
	if l == Chinese {
		return "移除视图"
	}
	return "Removed a view"
}

// AuditDidRequest is "Requested a run".
func (l Lang) AuditDidRequest() string {
	if l == Chinese {
		return "请求运行"
	}
	return "Requested a run"
}

// AuditDidRequestMany is "Requested many runs".
func (l Lang) AuditDidRequestMany() string {
	if l == Chinese {
		return "批量请求运行"
	}
	return "Requested many runs"
}

// AuditDidResumeRun is "Resumed a run".
func (l Lang) AuditDidResumeRun() string {
	if l == Chinese {
		return "继续运行"
	}
	return "Resumed a run"
}

// AuditDidSaveView is "Saved a view".
func (l Lang) AuditDidSaveView() string {
	if l == Chinese {
		return "保存视图"
	}
	return "Saved a view"
}

// AuditDidSignIn is "Signed in".
func (l Lang) AuditDidSignIn() string {
	if l == Chinese {
		return "登录"
	}
	return "Signed in"
}

// AuditDidSignOut is "Signed out".
func (l Lang) AuditDidSignOut() string {
	if l == Chinese {
		return "退出登录"
	}
	return "Signed out"
}

// AuditDidStartRun is "Started a run that waited".
func (l Lang) AuditDidStartRun() string {
	if l == Chinese {
		return "让等待的运行开始"
	}
	return "Started a run that waited"
}

// AuditDidStayDisabled is "Cancelled enabling at a time".
func (l Lang) AuditDidStayDisabled() string {
	if l == Chinese {
		return "取消定时启用"
	}
	return "Cancelled enabling at a time"
}

// AuditDidStop is "Stopped instances".
func (l Lang) AuditDidStop() string {
	if l == Chinese {
		return "终止实例"
	}
	return "Stopped instances"
}

// AuditDidSuspendRun is "Suspended a run".
func (l Lang) AuditDidSuspendRun() string {
	if l == Chinese {
		return "挂起运行"
	}
	return "Suspended a run"
}

// AuditDidTestRegistry is "Tested a registry".
func (l Lang) AuditDidTestRegistry() string {
	if l == Chinese {
		return "测试注册中心"
	}
	return "Tested a registry"
}

// AuditDidTestSource is "Tested a data source".
func (l Lang) AuditDidTestSource() string {
	if l == Chinese {
		return "测试数据源"
	}
	return "Tested a data source"
}

// AuditDidTrigger is "Triggered".
func (l Lang) AuditDidTrigger() string {
	if l == Chinese {
		return "触发"
	}
	return "Triggered"
}

// AuditDidUndo is "Took a change back".
func (l Lang) AuditDidUndo() string {
	if l == Chinese {
		return "撤销操作"
	}
	return "Took a change back"
}

// AuditDiff is "What changed".
func (l Lang) AuditDiff() string {
	if l == Chinese {
		return "变更内容"
	}
	return "What changed"
}

// AuditDiffAfter is "after".
func (l Lang) AuditDiffAfter() string {
	if l == Chinese {
		return "新值"
	}
	return "after"
}

// AuditDiffBefore is "before".
func (l Lang) AuditDiffBefore() string {
	if l == Chinese {
		return "原值"
	}
	return "before"
}

// AuditDiffMasked is "Only masked values changed.".
func (l Lang) AuditDiffMasked() string {
	if l == Chinese {
		return "仅更改了隐藏的值。"
	}
	return "Only masked values changed."
}

// AuditDiffMore is "{n, plural, one {# more line} other {# more lines}}: see the versions of the job.".
func (l Lang) AuditDiffMore(n int) string {
	if l == Chinese {
		return "另有 " + number(n) + " 行，请查看作业的版本。"
	}
	if n == 1 {
		return number(n) + " more line: see the versions of the job."
	}
	return number(n) + " more lines: see the versions of the job."
}

// AuditDiffNothing is "nothing".
func (l Lang) AuditDiffNothing() string {
	if l == Chinese {
		return "空"
	}
	return "nothing"
}

// AuditDone is "Done".
func (l Lang) AuditDone() string {
	if l == Chinese {
		return "已完成"
	}
	return "Done"
}

// AuditFrom is "From, UTC".
func (l Lang) AuditFrom() string {
	if l == Chinese {
		return "开始时间（UTC）"
	}
	return "From, UTC"
}

// AuditInRegistry is "in {name}".
func (l Lang) AuditInRegistry(name string) string {
	if l == Chinese {
		return "于 " + name
	}
	return "in " + name
}

// AuditInstances is "on {list}".
func (l Lang) AuditInstances(list string) string {
	if l == Chinese {
		return "于 " + list
	}
	return "on " + list
}

// AuditKindAll is "All".
func (l Lang) AuditKindAll() string {
	if l == Chinese {
		return "全部"
	}
	return "All"
}

// AuditKindChanges is "Changes".
func (l Lang) AuditKindChanges() string {
	if l == Chinese {
		return "变更"
	}
	return "Changes"
}

// AuditKindRefused is "Refused".
func (l Lang) AuditKindRefused() string {
	if l == Chinese {
		return "被拒绝"
	}
	return "Refused"
}

// AuditKindSignIns is "Sign-ins".
func (l Lang) AuditKindSignIns() string {
	if l == Chinese {
		return "登录"
	}
	return "Sign-ins"
}

// AuditKinds is "Kind of records".
func (l Lang) AuditKinds() string {
	if l == Chinese {
		return "记录类别"
	}
	return "Kind of records"
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

// AuditOpenRuns is "Runs".
func (l Lang) AuditOpenRuns() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
}

// AuditOpenVersions is "Versions".
func (l Lang) AuditOpenVersions() string {
	if l == Chinese {
		return "版本"
	}
	return "Versions"
}

// AuditOutcome is "Outcome".
func (l Lang) AuditOutcome() string {
	if l == Chinese {
		return "结果"
	}
	return "Outcome"
}

// AuditParams is "{n, plural, one {# byte} other {# bytes}} of parameters".
func (l Lang) AuditParams(n int) string {
	if l == Chinese {
		return number(n) + " 字节参数"
	}
	if n == 1 {
		return number(n) + " byte of parameters"
	}
	return number(n) + " bytes of parameters"
}

// AuditParamsOf is "parameters: {keys}".
func (l Lang) AuditParamsOf(keys string) string {
	if l == Chinese {
		return "参数：" + keys
	}
	return "parameters: " + keys
}

// AuditQuoted is "“{text}”".
func (l Lang) AuditQuoted(text string) string {
	if l == Chinese {
		return "“" + text + "”"
	}
	return "“" + text + "”"
}

// AuditRegistry is "Registry".
func (l Lang) AuditRegistry() string {
	if l == Chinese {
		return "注册中心"
	}
	return "Registry"
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

// AuditRevision is "version {before} → {after}".
func (l Lang) AuditRevision(before string, after string) string {
	if l == Chinese {
		return "版本 " + before + " → " + after
	}
	return "version " + before + " → " + after
}

// AuditRun is "run {id}".
func (l Lang) AuditRun(id string) string {
	if l == Chinese {
		return "运行 " + id
	}
	return "run " + id
}

// AuditSearch is "Search the audit log".
func (l Lang) AuditSearch() string {
	if l == Chinese {
		return "搜索审计日志"
	}
	return "Search the audit log"
}

// AuditSearchHint is "Account, target, action, reason".
func (l Lang) AuditSearchHint() string {
	if l == Chinese {
		return "账号、对象、操作、原因"
	}
	return "Account, target, action, reason"
}

// AuditShards is "shards {list}".
func (l Lang) AuditShards(list string) string {
	if l == Chinese {
		return "分片 " + list
	}
	return "shards " + list
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
