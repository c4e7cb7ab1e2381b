// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// BackfillCount is "{n, plural, one {# fire time} other {# fire times}}".
func (l Lang) BackfillCount(n int) string {
	if l == Chinese {
		return number(n) + " 个触发时间"
	}
	if n == 1 {
		return number(n) + " fire time"
	}
	return number(n) + " fire times"
}

// BackfillDid is "{n, plural, one {# run is requested.} other {# runs are requested.}}".
func (l Lang) BackfillDid(n int) string {
	if l == Chinese {
		return "已提交 " + number(n) + " 次运行。"
	}
	if n == 1 {
		return number(n) + " run is requested."
	}
	return number(n) + " runs are requested."
}

// BackfillDidRepeated is "{n, plural, one {# was there before.} other {# were there before.}}".
func (l Lang) BackfillDidRepeated(n int) string {
	if l == Chinese {
		return "其中已有 " + number(n) + " 次此前提交过。"
	}
	if n == 1 {
		return number(n) + " was there before."
	}
	return number(n) + " were there before."
}

// BackfillEffectEach is "A run is requested for each fire time of the cron expression, without jitter. What the schedule leaves out gets none.".
func (l Lang) BackfillEffectEach() string {
	if l == Chinese {
		return "为 Cron 表达式的每个触发时间提交一次运行，不加抖动；被调度排除的时间不运行。"
	}
	return "A run is requested for each fire time of the cron expression, without jitter. What the schedule leaves out gets none."
}

// BackfillEffectOrder is "The oldest is first; one waits for the other, also while the job is held.".
func (l Lang) BackfillEffectOrder() string {
	if l == Chinese {
		return "从最早的开始，逐个等待；作业暂停时也会运行。"
	}
	return "The oldest is first; one waits for the other, also while the job is held."
}

// BackfillEffectRepeat is "At most {most} at once. For 24 hours the same times with the same parameters get no second run, so a backfill that broke off can be repeated.".
func (l Lang) BackfillEffectRepeat(most string) string {
	if l == Chinese {
		return "一次最多 " + most + " 个。24 小时内，相同的时间和参数不会再次运行，因此中断的补跑可以重复提交。"
	}
	return "At most " + most + " at once. For 24 hours the same times with the same parameters get no second run, so a backfill that broke off can be repeated."
}

// BackfillEffectTime is "A handler finds the fire time in ScheduledAt.".
func (l Lang) BackfillEffectTime() string {
	if l == Chinese {
		return "处理函数从 ScheduledAt 得到触发时间。"
	}
	return "A handler finds the fire time in ScheduledAt."
}

// BackfillFrom is "From (UTC)".
func (l Lang) BackfillFrom() string {
	if l == Chinese {
		return "从（UTC）"
	}
	return "From (UTC)"
}

// BackfillHelp is "Both are included, and both are past.".
func (l Lang) BackfillHelp() string {
	if l == Chinese {
		return "两端都包含，且都必须是过去的时间。"
	}
	return "Both are included, and both are past."
}

// BackfillLabel is "Backfill…".
func (l Lang) BackfillLabel() string {
	if l == Chinese {
		return "补跑…"
	}
	return "Backfill…"
}

// BackfillMore is "… and {n, number} more.".
func (l Lang) BackfillMore(n int) string {
	if l == Chinese {
		return "……还有 " + number(n) + " 个。"
	}
	return "… and " + number(n) + " more."
}

// BackfillNoSchedule is "There is nothing to backfill: {why}".
func (l Lang) BackfillNoSchedule(why string) string {
	if l == Chinese {
		return "没有可补跑的内容：" + why
	}
	return "There is nothing to backfill: " + why
}

// BackfillNoScheduleHint is "Request a run instead.".
func (l Lang) BackfillNoScheduleHint() string {
	if l == Chinese {
		return "请改为提交一次运行。"
	}
	return "Request a run instead."
}

// BackfillParamsHelp is "Of each run: one JSON object. May be empty.".
func (l Lang) BackfillParamsHelp() string {
	if l == Chinese {
		return "每次运行的参数：一个 JSON 对象，可以为空。"
	}
	return "Of each run: one JSON object. May be empty."
}

// BackfillPreview is "Preview".
func (l Lang) BackfillPreview() string {
	if l == Chinese {
		return "预览"
	}
	return "Preview"
}

// BackfillRefused is "{n, plural, one {# time gets no run} other {# times get no run}}".
func (l Lang) BackfillRefused(n int) string {
	if l == Chinese {
		return number(n) + " 个时间不运行"
	}
	if n == 1 {
		return number(n) + " time gets no run"
	}
	return number(n) + " times get no run"
}

// BackfillSubmit is "Request these runs".
func (l Lang) BackfillSubmit() string {
	if l == Chinese {
		return "提交这些运行"
	}
	return "Request these runs"
}

// BackfillTimes is "Fire times".
func (l Lang) BackfillTimes() string {
	if l == Chinese {
		return "触发时间"
	}
	return "Fire times"
}

// BackfillTitle is "Backfill {job}".
func (l Lang) BackfillTitle(job string) string {
	if l == Chinese {
		return "补跑 " + job
	}
	return "Backfill " + job
}

// BackfillTo is "Up to (UTC)".
func (l Lang) BackfillTo() string {
	if l == Chinese {
		return "到（UTC）"
	}
	return "Up to (UTC)"
}

// BackfillWrongParams is "This is not JSON.".
func (l Lang) BackfillWrongParams() string {
	if l == Chinese {
		return "这不是 JSON。"
	}
	return "This is not JSON."
}

// BackfillWrongTime is "Write a date and a time, such as 2026-11-21T08:00.".
func (l Lang) BackfillWrongTime() string {
	if l == Chinese {
		return "请填写日期和时间，例如 2026-11-21T08:00。"
	}
	return "Write a date and a time, such as 2026-11-21T08:00."
}

// BackfillZone is "The job names no time zone, so its instances use their own. These times are by the console's.".
func (l Lang) BackfillZone() string {
	if l == Chinese {
		return "作业未指定时区，各实例使用自己的时区；此处按控制台的时区计算。"
	}
	return "The job names no time zone, so its instances use their own. These times are by the console's."
}
