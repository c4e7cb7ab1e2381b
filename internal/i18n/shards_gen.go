// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// ShardsAskDisable is "Disable {n, plural, one {# shard} other {# shards}} of {job}?".
func (l Lang) ShardsAskDisable(n int, job string) string {
	if l == Chinese {
		return "禁用 " + job + " 的 " + number(n) + " 个分片？"
	}
	if n == 1 {
		return "Disable " + number(n) + " shard of " + job + "?"
	}
	return "Disable " + number(n) + " shards of " + job + "?"
}

// ShardsAskDisableOne is "Disable shard {n} of {job}?".
func (l Lang) ShardsAskDisableOne(n string, job string) string {
	if l == Chinese {
		return "禁用 " + job + " 的分片 " + n + "？"
	}
	return "Disable shard " + n + " of " + job + "?"
}

// ShardsAskEnable is "Enable {n, plural, one {# shard} other {# shards}} of {job}?".
func (l Lang) ShardsAskEnable(n int, job string) string {
	if l == Chinese {
		return "启用 " + job + " 的 " + number(n) + " 个分片？"
	}
	if n == 1 {
		return "Enable " + number(n) + " shard of " + job + "?"
	}
	return "Enable " + number(n) + " shards of " + job + "?"
}

// ShardsAskEnableOne is "Enable shard {n} of {job}?".
func (l Lang) ShardsAskEnableOne(n string, job string) string {
	if l == Chinese {
		return "启用 " + job + " 的分片 " + n + "？"
	}
	return "Enable shard " + n + " of " + job + "?"
}

// ShardsBack is "To the shards".
func (l Lang) ShardsBack() string {
	if l == Chinese {
		return "前往分片"
	}
	return "To the shards"
}

// ShardsBar is "Actions on the selected shards".
func (l Lang) ShardsBar() string {
	if l == Chinese {
		return "对所选分片的操作"
	}
	return "Actions on the selected shards"
}

// ShardsChangedDisable is "Disabled {n, plural, one {# shard} other {# shards}}.".
func (l Lang) ShardsChangedDisable(n int) string {
	if l == Chinese {
		return "已禁用 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "Disabled " + number(n) + " shard."
	}
	return "Disabled " + number(n) + " shards."
}

// ShardsChangedEnable is "Enabled {n, plural, one {# shard} other {# shards}}.".
func (l Lang) ShardsChangedEnable(n int) string {
	if l == Chinese {
		return "已启用 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "Enabled " + number(n) + " shard."
	}
	return "Enabled " + number(n) + " shards."
}

// ShardsDoneDisable is "Disabled {n, plural, one {# shard} other {# shards}} of {job}.".
func (l Lang) ShardsDoneDisable(n int, job string) string {
	if l == Chinese {
		return "已禁用 " + job + " 的 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "Disabled " + number(n) + " shard of " + job + "."
	}
	return "Disabled " + number(n) + " shards of " + job + "."
}

// ShardsDoneEnable is "Enabled {n, plural, one {# shard} other {# shards}} of {job}.".
func (l Lang) ShardsDoneEnable(n int, job string) string {
	if l == Chinese {
		return "已启用 " + job + " 的 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "Enabled " + number(n) + " shard of " + job + "."
	}
	return "Enabled " + number(n) + " shards of " + job + "."
}

// ShardsEffectLeft is "{n, number} of the job's {m, plural, one {# shard} other {# shards}} stay enabled.".
func (l Lang) ShardsEffectLeft(n int, m int) string {
	if l == Chinese {
		return "作业的 " + number(m) + " 个分片中有 " + number(n) + " 个保持启用。"
	}
	if m == 1 {
		return number(n) + " of the job's " + number(m) + " shard stay enabled."
	}
	return number(n) + " of the job's " + number(m) + " shards stay enabled."
}

// ShardsEffectNoneLeft is "No shard of the job stays enabled: its fires run nothing.".
func (l Lang) ShardsEffectNoneLeft() string {
	if l == Chinese {
		return "作业没有保持启用的分片：触发时不会运行任何内容。"
	}
	return "No shard of the job stays enabled: its fires run nothing."
}

// ShardsEffectOff is "Nobody runs a shard that is disabled, and no other instance takes it over. A run of it that is on ends first.".
func (l Lang) ShardsEffectOff() string {
	if l == Chinese {
		return "被禁用的分片不会运行，也不会由其他实例接管。正在进行的运行会先结束。"
	}
	return "Nobody runs a shard that is disabled, and no other instance takes it over. A run of it that is on ends first."
}

// ShardsEffectOn is "They run again from the next fire on. Fire times that passed meanwhile are not made up for.".
func (l Lang) ShardsEffectOn() string {
	if l == Chinese {
		return "从下一次触发起重新运行。期间错过的触发时间不会补执行。"
	}
	return "They run again from the next fire on. Fire times that passed meanwhile are not made up for."
}

// ShardsEffectStays is "They stay disabled, also when instances come and leave, until somebody enables them.".
func (l Lang) ShardsEffectStays() string {
	if l == Chinese {
		return "在有人启用之前保持禁用，实例加入或离开也不受影响。"
	}
	return "They stay disabled, also when instances come and leave, until somebody enables them."
}

// ShardsNone is "No shard is selected.".
func (l Lang) ShardsNone() string {
	if l == Chinese {
		return "没有选择分片。"
	}
	return "No shard is selected."
}

// ShardsNoneText is "Select shards in the table first.".
func (l Lang) ShardsNoneText() string {
	if l == Chinese {
		return "请先在表格中选择分片。"
	}
	return "Select shards in the table first."
}

// ShardsNothingText is "None of these shards can be changed so. The list says why.".
func (l Lang) ShardsNothingText() string {
	if l == Chinese {
		return "这些分片都无法这样更改，原因见列表。"
	}
	return "None of these shards can be changed so. The list says why."
}

// ShardsOne is "Shard {n}".
func (l Lang) ShardsOne(n string) string {
	if l == Chinese {
		return "分片 " + n
	}
	return "Shard " + n
}

// ShardsPick is "Select shard {n}".
func (l Lang) ShardsPick(n string) string {
	if l == Chinese {
		return "选择分片 " + n
	}
	return "Select shard " + n
}

// ShardsPickPage is "Select the shards of this page".
func (l Lang) ShardsPickPage() string {
	if l == Chinese {
		return "选择本页的分片"
	}
	return "Select the shards of this page"
}

// ShardsPicked is "Selected shards".
func (l Lang) ShardsPicked() string {
	if l == Chinese {
		return "所选分片"
	}
	return "Selected shards"
}

// ShardsReasonHint is "shown in the activity of the job and in the audit log".
func (l Lang) ShardsReasonHint() string {
	if l == Chinese {
		return "显示在作业的活动和审计日志中"
	}
	return "shown in the activity of the job and in the audit log"
}

// ShardsReasonMissing is "Write a reason. Whoever finds the shard disabled reads it in the activity of the job.".
func (l Lang) ShardsReasonMissing() string {
	if l == Chinese {
		return "请填写原因，发现分片被禁用的人会在作业的活动中看到它。"
	}
	return "Write a reason. Whoever finds the shard disabled reads it in the activity of the job."
}

// ShardsRows is "What happens to each shard".
func (l Lang) ShardsRows() string {
	if l == Chinese {
		return "每个分片的变化"
	}
	return "What happens to each shard"
}

// ShardsSubmitDisable is "Disable {n, plural, one {# shard} other {# shards}}".
func (l Lang) ShardsSubmitDisable(n int) string {
	if l == Chinese {
		return "禁用 " + number(n) + " 个分片"
	}
	if n == 1 {
		return "Disable " + number(n) + " shard"
	}
	return "Disable " + number(n) + " shards"
}

// ShardsSubmitEnable is "Enable {n, plural, one {# shard} other {# shards}}".
func (l Lang) ShardsSubmitEnable(n int) string {
	if l == Chinese {
		return "启用 " + number(n) + " 个分片"
	}
	if n == 1 {
		return "Enable " + number(n) + " shard"
	}
	return "Enable " + number(n) + " shards"
}

// ShardsTooMany is "{n, number} shards are selected".
func (l Lang) ShardsTooMany(n int) string {
	if l == Chinese {
		return "选择了 " + number(n) + " 个分片"
	}
	return number(n) + " shards are selected"
}

// ShardsTooManyText is "One action is about at most {n, number} of them: these are the first.".
func (l Lang) ShardsTooManyText(n int) string {
	if l == Chinese {
		return "一次操作最多处理 " + number(n) + " 个分片，以下是前面的部分。"
	}
	return "One action is about at most " + number(n) + " of them: these are the first."
}

// ShardsUndone is "Taken back for {n, plural, one {# shard} other {# shards}}.".
func (l Lang) ShardsUndone(n int) string {
	if l == Chinese {
		return "已撤销 " + number(n) + " 个分片的更改。"
	}
	if n == 1 {
		return "Taken back for " + number(n) + " shard."
	}
	return "Taken back for " + number(n) + " shards."
}

// ShardsWrites is "{n, plural, one {# entry is written} other {# entries are written}}".
func (l Lang) ShardsWrites(n int) string {
	if l == Chinese {
		return "将写入 " + number(n) + " 个节点"
	}
	if n == 1 {
		return number(n) + " entry is written"
	}
	return number(n) + " entries are written"
}
