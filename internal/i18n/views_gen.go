// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ViewsDone is "Saved the view {name}.".
func (l Lang) ViewsDone(name string) string {
	if l == Chinese {
		return "已保存视图 " + name + "。"
	}
	return "Saved the view " + name + "."
}

// ViewsEverybody is "everybody".
func (l Lang) ViewsEverybody() string {
	if l == Chinese {
		return "所有人"
	}
	return "everybody"
}

// ViewsList is "List".
func (l Lang) ViewsList() string {
	if l == Chinese {
		return "列表"
	}
	return "List"
}

// ViewsMine is "only you".
func (l Lang) ViewsMine() string {
	if l == Chinese {
		return "仅自己"
	}
	return "only you"
}

// ViewsName is "Name".
func (l Lang) ViewsName() string {
	if l == Chinese {
		return "名称"
	}
	return "Name"
}

// ViewsNone is "No view is saved.".
func (l Lang) ViewsNone() string {
	if l == Chinese {
		return "没有已保存的视图。"
	}
	return "No view is saved."
}

// ViewsNoneText is "Search or filter the list of jobs or runs, then choose Save view there.".
func (l Lang) ViewsNoneText() string {
	if l == Chinese {
		return "在作业或运行记录列表中搜索或筛选，然后选择“保存视图”。"
	}
	return "Search or filter the list of jobs or runs, then choose Save view there."
}

// ViewsOwner is "Who has it".
func (l Lang) ViewsOwner() string {
	if l == Chinese {
		return "可见范围"
	}
	return "Who has it"
}

// ViewsQuery is "Shows".
func (l Lang) ViewsQuery() string {
	if l == Chinese {
		return "显示"
	}
	return "Shows"
}

// ViewsRemove is "Remove".
func (l Lang) ViewsRemove() string {
	if l == Chinese {
		return "移除"
	}
	return "Remove"
}

// ViewsRemoved is "Removed the view {name}.".
func (l Lang) ViewsRemoved(name string) string {
	if l == Chinese {
		return "已移除视图 " + name + "。"
	}
	return "Removed the view " + name + "."
}

// ViewsSave is "Save view".
func (l Lang) ViewsSave() string {
	if l == Chinese {
		return "保存视图"
	}
	return "Save view"
}

// ViewsSaveThis is "Save view…".
func (l Lang) ViewsSaveThis() string {
	if l == Chinese {
		return "保存视图…"
	}
	return "Save view…"
}

// ViewsSaved is "Saved".
func (l Lang) ViewsSaved() string {
	if l == Chinese {
		return "保存"
	}
	return "Saved"
}

// ViewsShare is "Everybody has it".
func (l Lang) ViewsShare() string {
	if l == Chinese {
		return "所有人可见"
	}
	return "Everybody has it"
}

// ViewsSub is "Selections of the lists of jobs and runs under a name. They stand beside the other views of the list.".
func (l Lang) ViewsSub() string {
	if l == Chinese {
		return "以名称保存的作业和运行记录列表的筛选，与列表的其他视图并列显示。"
	}
	return "Selections of the lists of jobs and runs under a name. They stand beside the other views of the list."
}

// ViewsTitle is "Saved views".
func (l Lang) ViewsTitle() string {
	if l == Chinese {
		return "已保存的视图"
	}
	return "Saved views"
}
