// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// KeysAbout is "Keys act on the row in focus, or on the job of the page. They rest while you write in a field.".
func (l Lang) KeysAbout() string {
	if l == Chinese {
		return "快捷键作用于焦点所在的行，或本页的作业。在输入框中输入时不起作用。"
	}
	return "Keys act on the row in focus, or on the job of the page. They rest while you write in a field."
}

// KeysAreOff is "Keys are off in this browser. ⌘K and Ctrl-K go on to work.".
func (l Lang) KeysAreOff() string {
	if l == Chinese {
		return "此浏览器已关闭快捷键。⌘K 和 Ctrl-K 仍然可用。"
	}
	return "Keys are off in this browser. ⌘K and Ctrl-K go on to work."
}

// KeysDisable is "Disable the job".
func (l Lang) KeysDisable() string {
	if l == Chinese {
		return "禁用作业"
	}
	return "Disable the job"
}

// KeysDoes is "What it does".
func (l Lang) KeysDoes() string {
	if l == Chinese {
		return "作用"
	}
	return "What it does"
}

// KeysEnable is "Enable the job".
func (l Lang) KeysEnable() string {
	if l == Chinese {
		return "启用作业"
	}
	return "Enable the job"
}

// KeysEnter is "Open the row".
func (l Lang) KeysEnter() string {
	if l == Chinese {
		return "打开该行"
	}
	return "Open the row"
}

// KeysHelp is "This page".
func (l Lang) KeysHelp() string {
	if l == Chinese {
		return "本页"
	}
	return "This page"
}

// KeysKey is "Key".
func (l Lang) KeysKey() string {
	if l == Chinese {
		return "按键"
	}
	return "Key"
}

// KeysMenu is "Menu of the row".
func (l Lang) KeysMenu() string {
	if l == Chinese {
		return "该行的菜单"
	}
	return "Menu of the row"
}

// KeysMove is "The row below, the row above".
func (l Lang) KeysMove() string {
	if l == Chinese {
		return "下一行、上一行"
	}
	return "The row below, the row above"
}

// KeysOff is "Switch keys off".
func (l Lang) KeysOff() string {
	if l == Chinese {
		return "关闭快捷键"
	}
	return "Switch keys off"
}

// KeysOn is "Switch keys on".
func (l Lang) KeysOn() string {
	if l == Chinese {
		return "打开快捷键"
	}
	return "Switch keys on"
}

// KeysPalette is "Jump to a job, server, run or page".
func (l Lang) KeysPalette() string {
	if l == Chinese {
		return "跳转到作业、服务器、运行记录或页面"
	}
	return "Jump to a job, server, run or page"
}

// KeysRuns is "Earlier run, later run".
func (l Lang) KeysRuns() string {
	if l == Chinese {
		return "上一次运行、下一次运行"
	}
	return "Earlier run, later run"
}

// KeysSearch is "Search on this page, else jump".
func (l Lang) KeysSearch() string {
	if l == Chinese {
		return "在本页搜索，没有搜索框时跳转"
	}
	return "Search on this page, else jump"
}

// KeysSelect is "Select the row".
func (l Lang) KeysSelect() string {
	if l == Chinese {
		return "选择该行"
	}
	return "Select the row"
}

// KeysTrigger is "Trigger the job".
func (l Lang) KeysTrigger() string {
	if l == Chinese {
		return "触发作业"
	}
	return "Trigger the job"
}

// KeysWhy is "Explain the job".
func (l Lang) KeysWhy() string {
	if l == Chinese {
		return "诊断作业"
	}
	return "Explain the job"
}
