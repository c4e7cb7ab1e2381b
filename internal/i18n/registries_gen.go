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

// RegistriesAdded is "Added {name}. Open it to see whether it can be connected to.".
func (l Lang) RegistriesAdded(name string) string {
	if l == Chinese {
		return "已添加 " + name + "。打开它可查看能否连接。"
	}
	return "Added " + name + ". Open it to see whether it can be connected to."
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

// RegistriesFixed is "from the command line".
func (l Lang) RegistriesFixed() string {
	if l == Chinese {
		return "来自命令行"
	}
	return "from the command line"
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

// RegistriesRemoveText is "The console forgets the address and the digest of this registry, for everybody. Nothing in it changes, and its jobs run on.".
func (l Lang) RegistriesRemoveText() string {
	if l == Chinese {
		return "控制台将为所有人忘记该注册中心的地址和 Digest。其中的内容不变，作业继续运行。"
	}
	return "The console forgets the address and the digest of this registry, for everybody. Nothing in it changes, and its jobs run on."
}

// RegistriesRemoved is "Removed {name}. Nothing in it was changed.".
func (l Lang) RegistriesRemoved(name string) string {
	if l == Chinese {
		return "已移除 " + name + "。其中的内容未更改。"
	}
	return "Removed " + name + ". Nothing in it was changed."
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

// RegistriesYes is "yes".
func (l Lang) RegistriesYes() string {
	if l == Chinese {
		return "是"
	}
	return "yes"
}
