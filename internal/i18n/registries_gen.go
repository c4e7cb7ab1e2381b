// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// RegistriesAclDefault is "by the digest, if any".
func (l Lang) RegistriesAclDefault() string {
	if l == Chinese {
		return "按 Digest 决定"
	}
	return "by the digest, if any"
}

// RegistriesActions is "Actions".
func (l Lang) RegistriesActions() string {
	if l == Chinese {
		return "操作"
	}
	return "Actions"
}

// RegistriesAdd is "Add registry".
func (l Lang) RegistriesAdd() string {
	if l == Chinese {
		return "添加注册中心"
	}
	return "Add registry"
}

// RegistriesAddedFound is "Added {name}. {verdict}".
func (l Lang) RegistriesAddedFound(name string, verdict string) string {
	if l == Chinese {
		return "已添加 " + name + "。" + verdict
	}
	return "Added " + name + ". " + verdict
}

// RegistriesAnyway is "Store it although the test failed".
func (l Lang) RegistriesAnyway() string {
	if l == Chinese {
		return "测试失败也保存"
	}
	return "Store it although the test failed"
}

// RegistriesAuthorities is "Authorities".
func (l Lang) RegistriesAuthorities() string {
	if l == Chinese {
		return "CA 证书"
	}
	return "Authorities"
}

// RegistriesAuthoritiesHint is "PEM; without, those of the console's machine".
func (l Lang) RegistriesAuthoritiesHint() string {
	if l == Chinese {
		return "PEM；留空则使用控制台所在机器的"
	}
	return "PEM; without, those of the console's machine"
}

// RegistriesBlastClosed is "Nobody has opened it for a while. Its pages, and links to them, stop working.".
func (l Lang) RegistriesBlastClosed() string {
	if l == Chinese {
		return "最近无人打开。其页面及链接将失效。"
	}
	return "Nobody has opened it for a while. Its pages, and links to them, stop working."
}

// RegistriesBlastOpen is "The console shows {n, plural, one {# job} other {# jobs}} on {m, number} servers from it. Their pages, and links to them, stop working.".
func (l Lang) RegistriesBlastOpen(n int, m int) string {
	if l == Chinese {
		return "控制台目前显示其中的 " + number(n) + " 个作业和 " + number(m) + " 台服务器。这些页面及其链接将失效。"
	}
	if n == 1 {
		return "The console shows " + number(n) + " job on " + number(m) + " servers from it. Their pages, and links to them, stop working."
	}
	return "The console shows " + number(n) + " jobs on " + number(m) + " servers from it. Their pages, and links to them, stop working."
}

// RegistriesBlastSecret is "The console forgets its address and digest, for everybody. There is no undo.".
func (l Lang) RegistriesBlastSecret() string {
	if l == Chinese {
		return "控制台将为所有人删除其地址和凭证，无法撤销。"
	}
	return "The console forgets its address and digest, for everybody. There is no undo."
}

// RegistriesBlastSessions is "{n, plural, one {# session of a client has} other {# sessions of clients have}} it connected; their requests are refused from then on.".
func (l Lang) RegistriesBlastSessions(n int) string {
	if l == Chinese {
		return number(n) + " 个客户端会话正连接它，此后其请求会被拒绝。"
	}
	if n == 1 {
		return number(n) + " session of a client has it connected; their requests are refused from then on."
	}
	return number(n) + " sessions of clients have it connected; their requests are refused from then on."
}

// RegistriesBlastZookeeper is "Nothing in ZooKeeper is touched: the jobs run on.".
func (l Lang) RegistriesBlastZookeeper() string {
	if l == Chinese {
		return "不影响 ZooKeeper 中的任何内容：作业继续运行。"
	}
	return "Nothing in ZooKeeper is touched: the jobs run on."
}

// RegistriesCancel is "Cancel, change nothing".
func (l Lang) RegistriesCancel() string {
	if l == Chinese {
		return "取消，不做更改"
	}
	return "Cancel, change nothing"
}

// RegistriesCertificate is "Certificate".
func (l Lang) RegistriesCertificate() string {
	if l == Chinese {
		return "证书"
	}
	return "Certificate"
}

// RegistriesCertificateHint is "PEM, if the servers ask for one".
func (l Lang) RegistriesCertificateHint() string {
	if l == Chinese {
		return "PEM，服务器要求时填写"
	}
	return "PEM, if the servers ask for one"
}

// RegistriesChanged is "Changed {name}. Its connection was closed; the next page opens it again.".
func (l Lang) RegistriesChanged(name string) string {
	if l == Chinese {
		return "已更改 " + name + "。连接已关闭，下次打开页面时重新连接。"
	}
	return "Changed " + name + ". Its connection was closed; the next page opens it again."
}

// RegistriesConnected is "Connected".
func (l Lang) RegistriesConnected() string {
	if l == Chinese {
		return "已连接"
	}
	return "Connected"
}

// RegistriesDigest is "Digest".
func (l Lang) RegistriesDigest() string {
	if l == Chinese {
		return "Digest"
	}
	return "Digest"
}

// RegistriesDigestHint is "user:password, if any".
func (l Lang) RegistriesDigestHint() string {
	if l == Chinese {
		return "user:password，如需要"
	}
	return "user:password, if any"
}

// RegistriesDisconnected is "Not connected".
func (l Lang) RegistriesDisconnected() string {
	if l == Chinese {
		return "未连接"
	}
	return "Not connected"
}

// RegistriesEdit is "Edit…".
func (l Lang) RegistriesEdit() string {
	if l == Chinese {
		return "编辑…"
	}
	return "Edit…"
}

// RegistriesEditTitle is "Edit {name}".
func (l Lang) RegistriesEditTitle(name string) string {
	if l == Chinese {
		return "编辑 " + name
	}
	return "Edit " + name
}

// RegistriesFixed is "from the command line".
func (l Lang) RegistriesFixed() string {
	if l == Chinese {
		return "来自命令行"
	}
	return "from the command line"
}

// RegistriesForbidden is "ZooKeeper does not let the console read the namespace.".
func (l Lang) RegistriesForbidden() string {
	if l == Chinese {
		return "ZooKeeper 不允许控制台读取该命名空间。"
	}
	return "ZooKeeper does not let the console read the namespace."
}

// RegistriesForbiddenText is "The servers answer. Check the digest: user and password must be those that the agents' nodes were made with. Nothing was stored.".
func (l Lang) RegistriesForbiddenText() string {
	if l == Chinese {
		return "服务器有响应。请检查凭证：用户名和密码必须与实例创建节点时使用的一致。未存储任何内容。"
	}
	return "The servers answer. Check the digest: user and password must be those that the agents' nodes were made with. Nothing was stored."
}

// RegistriesJobs is "Jobs".
func (l Lang) RegistriesJobs() string {
	if l == Chinese {
		return "作业"
	}
	return "Jobs"
}

// RegistriesKeepDigest is "empty keeps the stored one".
func (l Lang) RegistriesKeepDigest() string {
	if l == Chinese {
		return "留空则保留已存储的凭证"
	}
	return "empty keeps the stored one"
}

// RegistriesKeepKey is "empty keeps the stored one".
func (l Lang) RegistriesKeepKey() string {
	if l == Chinese {
		return "留空则保留已存储的私钥"
	}
	return "empty keeps the stored one"
}

// RegistriesKey is "Private key".
func (l Lang) RegistriesKey() string {
	if l == Chinese {
		return "私钥"
	}
	return "Private key"
}

// RegistriesName is "Name".
func (l Lang) RegistriesName() string {
	if l == Chinese {
		return "名称"
	}
	return "Name"
}

// RegistriesNamespace is "Namespace".
func (l Lang) RegistriesNamespace() string {
	if l == Chinese {
		return "命名空间"
	}
	return "Namespace"
}

// RegistriesNo is "no".
func (l Lang) RegistriesNo() string {
	if l == Chinese {
		return "否"
	}
	return "no"
}

// RegistriesNoChroot is "There is no such chroot.".
func (l Lang) RegistriesNoChroot() string {
	if l == Chinese {
		return "该 chroot 不存在。"
	}
	return "There is no such chroot."
}

// RegistriesNoChrootText is "The servers answer, but have no node {chroot}; ZooKeeper's clients do not make it. Check the end of the address. Nothing was stored.".
func (l Lang) RegistriesNoChrootText(chroot string) string {
	if l == Chinese {
		return "服务器有响应，但没有节点 " + chroot + "；ZooKeeper 客户端不会创建它。请检查地址的末尾。未存储任何内容。"
	}
	return "The servers answer, but have no node " + chroot + "; ZooKeeper's clients do not make it. Check the end of the address. Nothing was stored."
}

// RegistriesNoDigest is "No digest".
func (l Lang) RegistriesNoDigest() string {
	if l == Chinese {
		return "不使用凭证"
	}
	return "No digest"
}

// RegistriesReconnecting is "Reconnecting".
func (l Lang) RegistriesReconnecting() string {
	if l == Chinese {
		return "正在重连"
	}
	return "Reconnecting"
}

// RegistriesRemove is "Remove…".
func (l Lang) RegistriesRemove() string {
	if l == Chinese {
		return "移除…"
	}
	return "Remove…"
}

// RegistriesRemoveButton is "Remove {name}".
func (l Lang) RegistriesRemoveButton(name string) string {
	if l == Chinese {
		return "移除 " + name
	}
	return "Remove " + name
}

// RegistriesRemoved is "Removed {name}. Nothing in it was changed.".
func (l Lang) RegistriesRemoved(name string) string {
	if l == Chinese {
		return "已移除 " + name + "。其中的内容未更改。"
	}
	return "Removed " + name + ". Nothing in it was changed."
}

// RegistriesRequired is "host:port, several with commas; a chroot behind the last one".
func (l Lang) RegistriesRequired() string {
	if l == Chinese {
		return "host:port，多个用逗号分隔；chroot 写在最后"
	}
	return "host:port, several with commas; a chroot behind the last one"
}

// RegistriesSave is "Save".
func (l Lang) RegistriesSave() string {
	if l == Chinese {
		return "保存"
	}
	return "Save"
}

// RegistriesSecretNote is "stored encrypted, never shown again".
func (l Lang) RegistriesSecretNote() string {
	if l == Chinese {
		return "加密存储，不再显示"
	}
	return "stored encrypted, never shown again"
}

// RegistriesServerName is "Server name".
func (l Lang) RegistriesServerName() string {
	if l == Chinese {
		return "服务器名"
	}
	return "Server name"
}

// RegistriesServerNameHint is "that of the address".
func (l Lang) RegistriesServerNameHint() string {
	if l == Chinese {
		return "与地址相同"
	}
	return "that of the address"
}

// RegistriesSpeakTls is "Speak TLS".
func (l Lang) RegistriesSpeakTls() string {
	if l == Chinese {
		return "使用 TLS"
	}
	return "Speak TLS"
}

// RegistriesState is "State".
func (l Lang) RegistriesState() string {
	if l == Chinese {
		return "状态"
	}
	return "State"
}

// RegistriesTest is "Test".
func (l Lang) RegistriesTest() string {
	if l == Chinese {
		return "测试"
	}
	return "Test"
}

// RegistriesTestAgain is "Test only".
func (l Lang) RegistriesTestAgain() string {
	if l == Chinese {
		return "仅测试"
	}
	return "Test only"
}

// RegistriesTestedAbsent is "Round trip {trip}. There is no namespace {namespace} yet: no agent has registered below it. Check the name, or go on if the agents are still to come.".
func (l Lang) RegistriesTestedAbsent(trip string, namespace string) string {
	if l == Chinese {
		return "往返 " + trip + "。命名空间 " + namespace + " 尚不存在：还没有实例在其下注册。请检查名称；如果实例稍后才启动，可以继续。"
	}
	return "Round trip " + trip + ". There is no namespace " + namespace + " yet: no agent has registered below it. Check the name, or go on if the agents are still to come."
}

// RegistriesTestedChroot is "Everything is below the chroot {chroot}.".
func (l Lang) RegistriesTestedChroot(chroot string) string {
	if l == Chinese {
		return "所有内容都在 chroot " + chroot + " 之下。"
	}
	return "Everything is below the chroot " + chroot + "."
}

// RegistriesTestedDigest is "The digest was accepted; ZooKeeper says no more of it than that this namespace may be read.".
func (l Lang) RegistriesTestedDigest() string {
	if l == Chinese {
		return "凭证已被接受；ZooKeeper 只表明可以读取此命名空间。"
	}
	return "The digest was accepted; ZooKeeper says no more of it than that this namespace may be read."
}

// RegistriesTestedFound is "Round trip {trip}. Namespace {namespace} has {n, plural, one {# job} other {# jobs}}.".
func (l Lang) RegistriesTestedFound(trip string, namespace string, n int) string {
	if l == Chinese {
		return "往返 " + trip + "。命名空间 " + namespace + " 有 " + number(n) + " 个作业。"
	}
	if n == 1 {
		return "Round trip " + trip + ". Namespace " + namespace + " has " + number(n) + " job."
	}
	return "Round trip " + trip + ". Namespace " + namespace + " has " + number(n) + " jobs."
}

// RegistriesTestedMany is "Round trip {trip}. Namespace {namespace} has more than {n, number} jobs.".
func (l Lang) RegistriesTestedMany(trip string, namespace string, n int) string {
	if l == Chinese {
		return "往返 " + trip + "。命名空间 " + namespace + " 的作业超过 " + number(n) + " 个。"
	}
	return "Round trip " + trip + ". Namespace " + namespace + " has more than " + number(n) + " jobs."
}

// RegistriesTestedOk is "Connected in {took}.".
func (l Lang) RegistriesTestedOk(took string) string {
	if l == Chinese {
		return "连接成功，耗时 " + took + "。"
	}
	return "Connected in " + took + "."
}

// RegistriesTypeName is "To confirm, type the name: {name}".
func (l Lang) RegistriesTypeName(name string) string {
	if l == Chinese {
		return "请输入名称以确认：" + name
	}
	return "To confirm, type the name: " + name
}

// RegistriesUnreachable is "It cannot be reached.".
func (l Lang) RegistriesUnreachable() string {
	if l == Chinese {
		return "无法连接。"
	}
	return "It cannot be reached."
}

// RegistriesUnreachableText is "{cause}. Check the address, and that ZooKeeper runs and can be reached from the console. Nothing was stored.".
func (l Lang) RegistriesUnreachableText(cause string) string {
	if l == Chinese {
		return cause + "。请检查地址，以及 ZooKeeper 是否运行、能否从控制台访问。未存储任何内容。"
	}
	return cause + ". Check the address, and that ZooKeeper runs and can be reached from the console. Nothing was stored."
}

// RegistriesUntested is "Not opened".
func (l Lang) RegistriesUntested() string {
	if l == Chinese {
		return "未打开"
	}
	return "Not opened"
}

// RegistriesUntestedTitle is "Nobody has opened it for a while; Test connects to it.".
func (l Lang) RegistriesUntestedTitle() string {
	if l == Chinese {
		return "最近无人打开；“测试”会连接一次。"
	}
	return "Nobody has opened it for a while; Test connects to it."
}

// RegistriesWrongName is "This is not the name. Nothing was changed; the name is {name}.".
func (l Lang) RegistriesWrongName(name string) string {
	if l == Chinese {
		return "名称不符，未做任何更改；名称是 " + name + "。"
	}
	return "This is not the name. Nothing was changed; the name is " + name + "."
}

// RegistriesYes is "yes".
func (l Lang) RegistriesYes() string {
	if l == Chinese {
		return "是"
	}
	return "yes"
}
