// Code generated from en.toml and zh.toml by internal/i18n/generate; DO NOT EDIT.

package i18n

// CronAnd is "{list} and {last}".
func (l Lang) CronAnd(list string, last string) string {
	if l == Chinese {
		return list + "、" + last
	}
	return list + " and " + last
}

// CronAtSecond is "{every}, at second {second}".
func (l Lang) CronAtSecond(every string, second string) string {
	if l == Chinese {
		return every + "的第 " + second + " 秒"
	}
	return every + ", at second " + second
}

// CronBeforeLast is "{n, plural, one {# day} other {# days}} before the last day of {month}".
func (l Lang) CronBeforeLast(n int, month string) string {
	if l == Chinese {
		return month + "最后一天的前 " + number(n) + " 天"
	}
	if n == 1 {
		return number(n) + " day before the last day of " + month
	}
	return number(n) + " days before the last day of " + month
}

// CronBetween is "{every} from {from} to {to}".
func (l Lang) CronBetween(every string, from string, to string) string {
	if l == Chinese {
		return from + " 至 " + to + " " + every
	}
	return every + " from " + from + " to " + to
}

// CronComma is "{list}, {next}".
func (l Lang) CronComma(list string, next string) string {
	if l == Chinese {
		return list + "、" + next
	}
	return list + ", " + next
}

// CronDayNd is "{n, number}nd".
func (l Lang) CronDayNd(n int) string {
	if l == Chinese {
		return number(n) + " 日"
	}
	return number(n) + "nd"
}

// CronDayRange is "from the {from} to the {to} of {month}".
func (l Lang) CronDayRange(from string, to string, month string) string {
	if l == Chinese {
		return month + " " + from + "至 " + to
	}
	return "from the " + from + " to the " + to + " of " + month
}

// CronDayRd is "{n, number}rd".
func (l Lang) CronDayRd(n int) string {
	if l == Chinese {
		return number(n) + " 日"
	}
	return number(n) + "rd"
}

// CronDaySt is "{n, number}st".
func (l Lang) CronDaySt(n int) string {
	if l == Chinese {
		return number(n) + " 日"
	}
	return number(n) + "st"
}

// CronDayStep is "every {n, number} days from the {from} to the {to} of {month}".
func (l Lang) CronDayStep(n int, from string, to string, month string) string {
	if l == Chinese {
		return month + " " + from + "至 " + to + "每 " + number(n) + " 天"
	}
	return "every " + number(n) + " days from the " + from + " to the " + to + " of " + month
}

// CronDayTh is "{n, number}th".
func (l Lang) CronDayTh(n int) string {
	if l == Chinese {
		return number(n) + " 日"
	}
	return number(n) + "th"
}

// CronDays is "on the {list} of {month}".
func (l Lang) CronDays(list string, month string) string {
	if l == Chinese {
		return month + " " + list
	}
	return "on the " + list + " of " + month
}

// CronDaysAt is "{days} at {times}".
func (l Lang) CronDaysAt(days string, times string) string {
	if l == Chinese {
		return days + " " + times
	}
	return days + " at " + times
}

// CronDaysMonthRange is "{days} from {from} to {to}".
func (l Lang) CronDaysMonthRange(days string, from string, to string) string {
	if l == Chinese {
		return from + "至 " + to + "的" + days
	}
	return days + " from " + from + " to " + to
}

// CronDaysMonths is "{days} in {months}".
func (l Lang) CronDaysMonths(days string, months string) string {
	if l == Chinese {
		return months + "的" + days
	}
	return days + " in " + months
}

// CronEveryDay is "every day".
func (l Lang) CronEveryDay() string {
	if l == Chinese {
		return "每天"
	}
	return "every day"
}

// CronEveryHour is "every hour".
func (l Lang) CronEveryHour() string {
	if l == Chinese {
		return "每小时"
	}
	return "every hour"
}

// CronEveryHours is "every {n, number} h".
func (l Lang) CronEveryHours(n int) string {
	if l == Chinese {
		return "每 " + number(n) + " 小时"
	}
	return "every " + number(n) + " h"
}

// CronEveryMinute is "every minute".
func (l Lang) CronEveryMinute() string {
	if l == Chinese {
		return "每分钟"
	}
	return "every minute"
}

// CronEveryMinutes is "every {n, number} min".
func (l Lang) CronEveryMinutes(n int) string {
	if l == Chinese {
		return "每 " + number(n) + " 分钟"
	}
	return "every " + number(n) + " min"
}

// CronEverySecond is "every second".
func (l Lang) CronEverySecond() string {
	if l == Chinese {
		return "每秒"
	}
	return "every second"
}

// CronEverySeconds is "every {n, number} s".
func (l Lang) CronEverySeconds(n int) string {
	if l == Chinese {
		return "每 " + number(n) + " 秒"
	}
	return "every " + number(n) + " s"
}

// CronFrom is "{every} from {time}".
func (l Lang) CronFrom(every string, time string) string {
	if l == Chinese {
		return "从 " + time + " 起" + every
	}
	return every + " from " + time
}

// CronHourAt is "every hour at {n, plural, one {minute} other {minutes}} {list}".
func (l Lang) CronHourAt(n int, list string) string {
	if l == Chinese {
		return "每小时的第 " + list + " 分"
	}
	if n == 1 {
		return "every hour at minute " + list
	}
	return "every hour at minutes " + list
}

// CronInHours is "{every}, in the hours {hours}".
func (l Lang) CronInHours(every string, hours string) string {
	if l == Chinese {
		return hours + " 点" + every
	}
	return every + ", in the hours " + hours
}

// CronIntervalDays is "{every}, {days}".
func (l Lang) CronIntervalDays(every string, days string) string {
	if l == Chinese {
		return days + "，" + every
	}
	return every + ", " + days
}

// CronLast is "on the last day of {month}".
func (l Lang) CronLast(month string) string {
	if l == Chinese {
		return month + "最后一天"
	}
	return "on the last day of " + month
}

// CronLastWeekday is "on the last {weekday} of {month}".
func (l Lang) CronLastWeekday(weekday string, month string) string {
	if l == Chinese {
		return month + "最后一个" + weekday
	}
	return "on the last " + weekday + " of " + month
}

// CronLastWorking is "on the last weekday (Monday to Friday) of {month}".
func (l Lang) CronLastWorking(month string) string {
	if l == Chinese {
		return month + "最后一个工作日（周一至周五）"
	}
	return "on the last weekday (Monday to Friday) of " + month
}

// CronMinuteAt is "every minute at seconds {list}".
func (l Lang) CronMinuteAt(list string) string {
	if l == Chinese {
		return "每分钟的第 " + list + " 秒"
	}
	return "every minute at seconds " + list
}

// CronMinuteBetween is "{every} from minute {from} to {to} of each hour".
func (l Lang) CronMinuteBetween(every string, from string, to string) string {
	if l == Chinese {
		return "每小时第 " + from + " 至 " + to + " 分" + every
	}
	return every + " from minute " + from + " to " + to + " of each hour"
}

// CronMinuteFrom is "{every} from minute {minute} of each hour".
func (l Lang) CronMinuteFrom(every string, minute string) string {
	if l == Chinese {
		return "每小时从第 " + minute + " 分起" + every
	}
	return every + " from minute " + minute + " of each hour"
}

// CronMonthAny is "the month".
func (l Lang) CronMonthAny() string {
	if l == Chinese {
		return "每月"
	}
	return "the month"
}

// CronMonthEach is "each month from {from} to {to}".
func (l Lang) CronMonthEach(from string, to string) string {
	if l == Chinese {
		return from + "至 " + to + "各月"
	}
	return "each month from " + from + " to " + to
}

// CronMonthMany is "{months}".
func (l Lang) CronMonthMany(months string) string {
	if l == Chinese {
		return months + "各月"
	}
	return months
}

// CronMonthNames is "January, February, March, April, May, June, July, August, September, October, November, December".
func (l Lang) CronMonthNames() string {
	if l == Chinese {
		return "1 月, 2 月, 3 月, 4 月, 5 月, 6 月, 7 月, 8 月, 9 月, 10 月, 11 月, 12 月"
	}
	return "January, February, March, April, May, June, July, August, September, October, November, December"
}

// CronMonthOne is "{month}".
func (l Lang) CronMonthOne(month string) string {
	if l == Chinese {
		return month
	}
	return month
}

// CronNearest is "on the weekday (Monday to Friday) nearest to the {day} of {month}".
func (l Lang) CronNearest(day string, month string) string {
	if l == Chinese {
		return month + "离 " + day + "最近的工作日（周一至周五）"
	}
	return "on the weekday (Monday to Friday) nearest to the " + day + " of " + month
}

// CronNearestBeforeLast is "on the weekday (Monday to Friday) nearest to {n, plural, one {# day} other {# days}} before the last day of {month}".
func (l Lang) CronNearestBeforeLast(n int, month string) string {
	if l == Chinese {
		return month + "离最后一天的前 " + number(n) + " 天最近的工作日（周一至周五）"
	}
	if n == 1 {
		return "on the weekday (Monday to Friday) nearest to " + number(n) + " day before the last day of " + month
	}
	return "on the weekday (Monday to Friday) nearest to " + number(n) + " days before the last day of " + month
}

// CronNthWeekday is "on the {nth} {weekday} of {month}".
func (l Lang) CronNthWeekday(nth string, weekday string, month string) string {
	if l == Chinese {
		return month + nth + weekday
	}
	return "on the " + nth + " " + weekday + " of " + month
}

// CronOrdinals is "first second third fourth fifth".
func (l Lang) CronOrdinals() string {
	if l == Chinese {
		return "第一个 第二个 第三个 第四个 第五个"
	}
	return "first second third fourth fifth"
}

// CronSecondFrom is "{every} from second {second} of each minute".
func (l Lang) CronSecondFrom(every string, second string) string {
	if l == Chinese {
		return "每分钟从第 " + second + " 秒起" + every
	}
	return every + " from second " + second + " of each minute"
}

// CronWeekdayNames is "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".
func (l Lang) CronWeekdayNames() string {
	if l == Chinese {
		return "周日 周一 周二 周三 周四 周五 周六"
	}
	return "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"
}

// CronWeekdayRange is "{from} to {to}".
func (l Lang) CronWeekdayRange(from string, to string) string {
	if l == Chinese {
		return from + "至" + to
	}
	return from + " to " + to
}

// CronWeekdays is "every {list}".
func (l Lang) CronWeekdays(list string) string {
	if l == Chinese {
		return "每" + list
	}
	return "every " + list
}

// CronYear is "{words}, only in {years}".
func (l Lang) CronYear(words string, years string) string {
	if l == Chinese {
		return words + "（仅 " + years + " 年）"
	}
	return words + ", only in " + years
}

// CronYearOn is "{words}, from {from} on".
func (l Lang) CronYearOn(words string, from string) string {
	if l == Chinese {
		return words + "（自 " + from + " 年起）"
	}
	return words + ", from " + from + " on"
}

// CronYears is "{words}, from {from} to {to}".
func (l Lang) CronYears(words string, from string, to string) string {
	if l == Chinese {
		return words + "（" + from + " 至 " + to + " 年）"
	}
	return words + ", from " + from + " to " + to
}
