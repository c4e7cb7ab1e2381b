// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// AssistantAssumed is "No time zone is named, so each instance uses its own. Computed with this console's zone, {zone}.".
func (l Lang) AssistantAssumed(zone string) string {
	if l == Chinese {
		return "未指定时区，各实例使用自己的时区。此处按控制台的时区 " + zone + " 计算。"
	}
	return "No time zone is named, so each instance uses its own. Computed with this console's zone, " + zone + "."
}

// AssistantClock is "Changes of the clock:".
func (l Lang) AssistantClock() string {
	if l == Chinese {
		return "时钟调整："
	}
	return "Changes of the clock:"
}

// AssistantClockClear is "The clock is set on {dates}; this schedule does not fire then.".
func (l Lang) AssistantClockClear(dates string) string {
	if l == Chinese {
		return "时钟在 " + dates + " 调整；此调度在那时不触发。"
	}
	return "The clock is set on " + dates + "; this schedule does not fire then."
}

// AssistantClockFirst is "On {date} the clock shows {n, plural, one {# fire time} other {# fire times}} twice, from {first} on: the first time fires, the second does not.".
func (l Lang) AssistantClockFirst(date string, n int, first string) string {
	if l == Chinese {
		return date + " 有 " + number(n) + " 个触发时间在钟面上出现两次，从 " + first + " 起：第一次触发，第二次不触发。"
	}
	if n == 1 {
		return "On " + date + " the clock shows " + number(n) + " fire time twice, from " + first + " on: the first time fires, the second does not."
	}
	return "On " + date + " the clock shows " + number(n) + " fire times twice, from " + first + " on: the first time fires, the second does not."
}

// AssistantClockNone is "none in this zone within 400 days.".
func (l Lang) AssistantClockNone() string {
	if l == Chinese {
		return "该时区 400 天内没有。"
	}
	return "none in this zone within 400 days."
}

// AssistantClockSecond is "On {date} the clock shows {n, plural, one {# fire time} other {# fire times}} twice, from {first} on: the second time fires, the first does not.".
func (l Lang) AssistantClockSecond(date string, n int, first string) string {
	if l == Chinese {
		return date + " 有 " + number(n) + " 个触发时间在钟面上出现两次，从 " + first + " 起：第二次触发，第一次不触发。"
	}
	if n == 1 {
		return "On " + date + " the clock shows " + number(n) + " fire time twice, from " + first + " on: the second time fires, the first does not."
	}
	return "On " + date + " the clock shows " + number(n) + " fire times twice, from " + first + " on: the second time fires, the first does not."
}

// AssistantClockSkipped is "On {date} {n, plural, one {# fire time is} other {# fire times are}} skipped, the first is {first}.".
func (l Lang) AssistantClockSkipped(date string, n int, first string) string {
	if l == Chinese {
		return date + " 跳过 " + number(n) + " 次触发，第一次是 " + first + "。"
	}
	if n == 1 {
		return "On " + date + " " + number(n) + " fire time is skipped, the first is " + first + "."
	}
	return "On " + date + " " + number(n) + " fire times are skipped, the first is " + first + "."
}

// AssistantClockTogether is "On {date} {n, plural, one {# fire time is} other {# fire times are}} skipped and run together, once, at {at}.".
func (l Lang) AssistantClockTogether(date string, n int, at string) string {
	if l == Chinese {
		return date + " 跳过的 " + number(n) + " 次触发在 " + at + " 合并运行一次。"
	}
	if n == 1 {
		return "On " + date + " " + number(n) + " fire time is skipped and run together, once, at " + at + "."
	}
	return "On " + date + " " + number(n) + " fire times are skipped and run together, once, at " + at + "."
}

// AssistantDaySub is "all jobs, per 15 min, UTC · {total}".
func (l Lang) AssistantDaySub(total string) string {
	if l == Chinese {
		return "全部作业，每 15 分钟，UTC · " + total
	}
	return "all jobs, per 15 min, UTC · " + total
}

// AssistantDayThis is "{at} this job".
func (l Lang) AssistantDayThis(at string) string {
	if l == Chinese {
		return at + " 本作业"
	}
	return at + " this job"
}

// AssistantFieldDay is "day".
func (l Lang) AssistantFieldDay() string {
	if l == Chinese {
		return "日"
	}
	return "day"
}

// AssistantFieldHour is "hour".
func (l Lang) AssistantFieldHour() string {
	if l == Chinese {
		return "时"
	}
	return "hour"
}

// AssistantFieldMinute is "minute".
func (l Lang) AssistantFieldMinute() string {
	if l == Chinese {
		return "分"
	}
	return "minute"
}

// AssistantFieldMonth is "month".
func (l Lang) AssistantFieldMonth() string {
	if l == Chinese {
		return "月"
	}
	return "month"
}

// AssistantFieldSecond is "second".
func (l Lang) AssistantFieldSecond() string {
	if l == Chinese {
		return "秒"
	}
	return "second"
}

// AssistantFieldWeekday is "weekday".
func (l Lang) AssistantFieldWeekday() string {
	if l == Chinese {
		return "星期"
	}
	return "weekday"
}

// AssistantFieldYear is "year".
func (l Lang) AssistantFieldYear() string {
	if l == Chinese {
		return "年"
	}
	return "year"
}

// AssistantGapBad is "Longer than the gap:".
func (l Lang) AssistantGapBad() string {
	if l == Chinese {
		return "长于间隔："
	}
	return "Longer than the gap:"
}

// AssistantGapMisfire is "Fire times that pass during a run are made up for once, after it.".
func (l Lang) AssistantGapMisfire() string {
	if l == Chinese {
		return "运行期间错过的触发时间在运行之后补执行一次。"
	}
	return "Fire times that pass during a run are made up for once, after it."
}

// AssistantGapOk is "Shorter than the gap:".
func (l Lang) AssistantGapOk() string {
	if l == Chinese {
		return "短于间隔："
	}
	return "Shorter than the gap:"
}

// AssistantGapSkip is "Fire times that pass during a run are lost, as Misfire is off.".
func (l Lang) AssistantGapSkip() string {
	if l == Chinese {
		return "错过任务重执行已关闭，运行期间错过的触发时间会丢失。"
	}
	return "Fire times that pass during a run are lost, as Misfire is off."
}

// AssistantGapText is "95 of 100 executions took at most {took}, the shortest gap is {gap}.".
func (l Lang) AssistantGapText(took string, gap string) string {
	if l == Chinese {
		return "95% 的执行不超过 " + took + "，最短间隔为 " + gap + "。"
	}
	return "95 of 100 executions took at most " + took + ", the shortest gap is " + gap + "."
}

// AssistantHerd is "Fires together with {n, plural, one {# job} other {# jobs}}".
func (l Lang) AssistantHerd(n int) string {
	if l == Chinese {
		return "与 " + number(n) + " 个作业同时触发"
	}
	if n == 1 {
		return "Fires together with " + number(n) + " job"
	}
	return "Fires together with " + number(n) + " jobs"
}

// AssistantHerdNone is "Fires alone.".
func (l Lang) AssistantHerdNone() string {
	if l == Chinese {
		return "单独触发。"
	}
	return "Fires alone."
}

// AssistantHerdNoneText is "No other job fires at the second of the next fire time.".
func (l Lang) AssistantHerdNoneText() string {
	if l == Chinese {
		return "下次触发的那一秒没有其他作业触发。"
	}
	return "No other job fires at the second of the next fire time."
}

// AssistantHerdPartial is "There was no time to look at all jobs; there may be more.".
func (l Lang) AssistantHerdPartial() string {
	if l == Chinese {
		return "时间不足，未检查全部作业；可能更多。"
	}
	return "There was no time to look at all jobs; there may be more."
}

// AssistantHerdText is "at the next fire time, with {n, plural, one {# shard} other {# shards}}.".
func (l Lang) AssistantHerdText(n int) string {
	if l == Chinese {
		return "于下次触发时间，共 " + number(n) + " 个分片。"
	}
	if n == 1 {
		return "at the next fire time, with " + number(n) + " shard."
	}
	return "at the next fire time, with " + number(n) + " shards."
}

// AssistantHerdUse is "Use second {n}: then {m}".
func (l Lang) AssistantHerdUse(n string, m string) string {
	if l == Chinese {
		return "改用第 " + n + " 秒：届时 " + m + " 个"
	}
	return "Use second " + n + ": then " + m
}

// AssistantIn is "In".
func (l Lang) AssistantIn() string {
	if l == Chinese {
		return "距今"
	}
	return "In"
}

// AssistantInstanceZone is "Instance's zone".
func (l Lang) AssistantInstanceZone() string {
	if l == Chinese {
		return "实例时区"
	}
	return "Instance's zone"
}

// AssistantNever is "Never fires again.".
func (l Lang) AssistantNever() string {
	if l == Chinese {
		return "不再触发。"
	}
	return "Never fires again."
}

// AssistantNeverText is "No date to come fits the expression.".
func (l Lang) AssistantNeverText() string {
	if l == Chinese {
		return "之后没有符合表达式的日期。"
	}
	return "No date to come fits the expression."
}

// AssistantNext is "Next fires".
func (l Lang) AssistantNext() string {
	if l == Chinese {
		return "即将触发"
	}
	return "Next fires"
}

// AssistantNone is "No schedule: the job runs only when it is triggered.".
func (l Lang) AssistantNone() string {
	if l == Chinese {
		return "没有调度：作业仅在手动触发时运行。"
	}
	return "No schedule: the job runs only when it is triggered."
}

// AssistantPageZone is "UTC".
func (l Lang) AssistantPageZone() string {
	if l == Chinese {
		return "UTC"
	}
	return "UTC"
}

// AssistantStartDaily is "daily".
func (l Lang) AssistantStartDaily() string {
	if l == Chinese {
		return "每天"
	}
	return "daily"
}

// AssistantStartFive is "every 5 min".
func (l Lang) AssistantStartFive() string {
	if l == Chinese {
		return "每 5 分钟"
	}
	return "every 5 min"
}

// AssistantStartFrom is "Start from".
func (l Lang) AssistantStartFrom() string {
	if l == Chinese {
		return "从这里开始"
	}
	return "Start from"
}

// AssistantStartHourly is "hourly".
func (l Lang) AssistantStartHourly() string {
	if l == Chinese {
		return "每小时"
	}
	return "hourly"
}

// AssistantStartMonthly is "monthly".
func (l Lang) AssistantStartMonthly() string {
	if l == Chinese {
		return "每月"
	}
	return "monthly"
}

// AssistantStartWeekdays is "weekdays".
func (l Lang) AssistantStartWeekdays() string {
	if l == Chinese {
		return "工作日"
	}
	return "weekdays"
}

// AssistantSub is "follows what you type".
func (l Lang) AssistantSub() string {
	if l == Chinese {
		return "随输入更新"
	}
	return "follows what you type"
}

// AssistantTitle is "Cron assistant".
func (l Lang) AssistantTitle() string {
	if l == Chinese {
		return "Cron 助手"
	}
	return "Cron assistant"
}

// AssistantUnreadable is "This cannot be used.".
func (l Lang) AssistantUnreadable() string {
	if l == Chinese {
		return "无法使用。"
	}
	return "This cannot be used."
}

// AssistantWeekdays is "Sun Mon Tue Wed Thu Fri Sat".
func (l Lang) AssistantWeekdays() string {
	if l == Chinese {
		return "周日 周一 周二 周三 周四 周五 周六"
	}
	return "Sun Mon Tue Wed Thu Fri Sat"
}
