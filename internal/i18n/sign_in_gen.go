// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// SignInAccount is "Account".
func (l Lang) SignInAccount() string {
	if l == Chinese {
		return "账号"
	}
	return "Account"
}

// SignInButton is "Sign in".
func (l Lang) SignInButton() string {
	if l == Chinese {
		return "登录"
	}
	return "Sign in"
}

// SignInContinue is "Sign in to continue.".
func (l Lang) SignInContinue() string {
	if l == Chinese {
		return "登录后继续。"
	}
	return "Sign in to continue."
}

// SignInElsewhere is "Sign in with {name}".
func (l Lang) SignInElsewhere(name string) string {
	if l == Chinese {
		return "使用 " + name + " 登录"
	}
	return "Sign in with " + name
}

// SignInExpired is "Your session has expired.".
func (l Lang) SignInExpired() string {
	if l == Chinese {
		return "会话已过期。"
	}
	return "Your session has expired."
}

// SignInExpiredText is "Sign in again; you will come back to where you were.".
func (l Lang) SignInExpiredText() string {
	if l == Chinese {
		return "请重新登录，之后会回到原来的页面。"
	}
	return "Sign in again; you will come back to where you were."
}

// SignInFormForgotten is "The form is not kept any more.".
func (l Lang) SignInFormForgotten() string {
	if l == Chinese {
		return "该表单已不再保留。"
	}
	return "The form is not kept any more."
}

// SignInFormForgottenText is "What was sent without a session is kept for half an hour, by the console that it was sent to. Nothing was changed.".
func (l Lang) SignInFormForgottenText() string {
	if l == Chinese {
		return "会话结束后提交的内容由当时的控制台保留半小时。未做任何更改。"
	}
	return "What was sent without a session is kept for half an hour, by the console that it was sent to. Nothing was changed."
}

// SignInInvalid is "The session is not valid.".
func (l Lang) SignInInvalid() string {
	if l == Chinese {
		return "此会话无效。"
	}
	return "The session is not valid."
}

// SignInOr is "or".
func (l Lang) SignInOr() string {
	if l == Chinese {
		return "或"
	}
	return "or"
}

// SignInPassword is "Password".
func (l Lang) SignInPassword() string {
	if l == Chinese {
		return "密码"
	}
	return "Password"
}

// SignInProviderCertificate is "Its certificate is not trusted.".
func (l Lang) SignInProviderCertificate() string {
	if l == Chinese {
		return "它的证书不受信任。"
	}
	return "Its certificate is not trusted."
}

// SignInProviderIssuer is "It calls itself by another issuer than the one that is configured.".
func (l Lang) SignInProviderIssuer() string {
	if l == Chinese {
		return "它自称的签发者与配置的不同。"
	}
	return "It calls itself by another issuer than the one that is configured."
}

// SignInProviderName is "Its name cannot be looked up.".
func (l Lang) SignInProviderName() string {
	if l == Chinese {
		return "无法解析它的名称。"
	}
	return "Its name cannot be looked up."
}

// SignInProviderProtocol is "It does not answer as OpenID Connect demands.".
func (l Lang) SignInProviderProtocol() string {
	if l == Chinese {
		return "它的应答不符合 OpenID Connect。"
	}
	return "It does not answer as OpenID Connect demands."
}

// SignInProviderRefuses is "It refuses the connection.".
func (l Lang) SignInProviderRefuses() string {
	if l == Chinese {
		return "它拒绝连接。"
	}
	return "It refuses the connection."
}

// SignInProviderSlow is "It does not answer in time.".
func (l Lang) SignInProviderSlow() string {
	if l == Chinese {
		return "它未及时应答。"
	}
	return "It does not answer in time."
}

// SignInResumed is "Your session had ended. Nothing was done: this is what you typed; send it again.".
func (l Lang) SignInResumed() string {
	if l == Chinese {
		return "会话已结束。尚未执行任何操作：以下是您填写的内容，请重新提交。"
	}
	return "Your session had ended. Nothing was done: this is what you typed; send it again."
}

// SignInResumedSecrets is "Secrets are not kept: type them again.".
func (l Lang) SignInResumedSecrets() string {
	if l == Chinese {
		return "密钥和密码不会保留，请重新填写。"
	}
	return "Secrets are not kept: type them again."
}

// SignInReturn is "You return to {path}.".
func (l Lang) SignInReturn(path string) string {
	if l == Chinese {
		return "登录后返回 " + path + "。"
	}
	return "You return to " + path + "."
}

// SignInRevoked is "You have signed out, or your password was changed.".
func (l Lang) SignInRevoked() string {
	if l == Chinese {
		return "您已退出登录，或密码已更改。"
	}
	return "You have signed out, or your password was changed."
}

// SignInShow is "Show".
func (l Lang) SignInShow() string {
	if l == Chinese {
		return "显示"
	}
	return "Show"
}

// SignInShowWhat is " the password".
func (l Lang) SignInShowWhat() string {
	if l == Chinese {
		return "密码"
	}
	return " the password"
}

// SignInSignedOut is "You are signed out.".
func (l Lang) SignInSignedOut() string {
	if l == Chinese {
		return "已退出登录。"
	}
	return "You are signed out."
}

// SignInTagline is "Operations console".
func (l Lang) SignInTagline() string {
	if l == Chinese {
		return "运维控制台"
	}
	return "Operations console"
}

// SignInTitle is "Sign in".
func (l Lang) SignInTitle() string {
	if l == Chinese {
		return "登录"
	}
	return "Sign in"
}

// SignInTooMany is "Too many attempts.".
func (l Lang) SignInTooMany() string {
	if l == Chinese {
		return "尝试次数过多。"
	}
	return "Too many attempts."
}

// SignInTryAgainIn is "Try again in {n, number} s.".
func (l Lang) SignInTryAgainIn(n int) string {
	if l == Chinese {
		return "请在 " + number(n) + " 秒后重试。"
	}
	return "Try again in " + number(n) + " s."
}

// SignInWrong is "Account or password is wrong.".
func (l Lang) SignInWrong() string {
	if l == Chinese {
		return "账号或密码错误。"
	}
	return "Account or password is wrong."
}
