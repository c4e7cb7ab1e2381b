// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// PaletteExplain is "Explain {name}".
func (l Lang) PaletteExplain(name string) string {
	if l == Chinese {
		return "诊断 " + name
	}
	return "Explain " + name
}

// PaletteFind is "Find".
func (l Lang) PaletteFind() string {
	if l == Chinese {
		return "查找"
	}
	return "Find"
}

// PaletteFoot is "↑ ↓ move · ↵ open · → actions · > pages · @ servers · # runs · ? keys".
func (l Lang) PaletteFoot() string {
	if l == Chinese {
		return "↑ ↓ 移动 · ↵ 打开 · → 操作 · > 页面 · @ 服务器 · # 运行记录 · ? 快捷键"
	}
	return "↑ ↓ move · ↵ open · → actions · > pages · @ servers · # runs · ? keys"
}

// PaletteHelp is "Letters of a job's name in their order; > for pages, @ for servers, # for the newest runs.".
func (l Lang) PaletteHelp() string {
	if l == Chinese {
		return "按顺序输入作业名中的字母；> 查找页面，@ 查找服务器，# 查找最近的运行记录。"
	}
	return "Letters of a job's name in their order; > for pages, @ for servers, # for the newest runs."
}

// PaletteJobs is "Jobs".
func (l Lang) PaletteJobs() string {
	if l == Chinese {
		return "作业"
	}
	return "Jobs"
}

// PaletteJump is "Jump to…".
func (l Lang) PaletteJump() string {
	if l == Chinese {
		return "跳转到…"
	}
	return "Jump to…"
}

// PaletteKeys is "Keys".
func (l Lang) PaletteKeys() string {
	if l == Chinese {
		return "快捷键"
	}
	return "Keys"
}

// PaletteNothing is "Nothing is found for {text}.".
func (l Lang) PaletteNothing(text string) string {
	if l == Chinese {
		return "没有找到 " + text + "。"
	}
	return "Nothing is found for " + text + "."
}

// PaletteOn is "On {name}".
func (l Lang) PaletteOn(name string) string {
	if l == Chinese {
		return "对 " + name + " 的操作"
	}
	return "On " + name
}

// PalettePages is "Pages".
func (l Lang) PalettePages() string {
	if l == Chinese {
		return "页面"
	}
	return "Pages"
}

// PalettePlaceholder is "Job, > page, @ server, # runs of a job".
func (l Lang) PalettePlaceholder() string {
	if l == Chinese {
		return "作业，> 页面，@ 服务器，# 作业的运行记录"
	}
	return "Job, > page, @ server, # runs of a job"
}

// PaletteRuns is "Runs".
func (l Lang) PaletteRuns() string {
	if l == Chinese {
		return "运行记录"
	}
	return "Runs"
}

// PaletteServerJobs is "{n, plural, one {# job} other {# jobs}}".
func (l Lang) PaletteServerJobs(n int) string {
	if l == Chinese {
		return number(n) + " 个作业"
	}
	if n == 1 {
		return number(n) + " job"
	}
	return number(n) + " jobs"
}

// PaletteServers is "Servers".
func (l Lang) PaletteServers() string {
	if l == Chinese {
		return "服务器"
	}
	return "Servers"
}

// PaletteTitle is "Jump to a job, server, run or page".
func (l Lang) PaletteTitle() string {
	if l == Chinese {
		return "跳转到作业、服务器、运行记录或页面"
	}
	return "Jump to a job, server, run or page"
}
