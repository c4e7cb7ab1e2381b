package cronwords

import (
	"fmt"
	"strconv"
)

const (
	// fewTimes is how many times of a day are written out.
	fewTimes = 6
	// anInterval is from how many values on an even distance is read as one:
	// 09:00, 11:00 and 13:00 are three times.
	anInterval = 4
)

// times lists the times of a day if they are few and an interval does not say
// them better.
func (t telling) times() (string, bool) {
	if len(t.Seconds)*len(t.Minutes)*len(t.Hours) > fewTimes {
		return "", false
	}
	for _, values := range [][]int{t.Seconds, t.Minutes, t.Hours} {
		if _, _, _, even := progression(values); even && len(values) >= anInterval {
			return "", false
		}
	}
	var times []string
	for _, h := range t.Hours {
		for _, m := range t.Minutes {
			for _, s := range t.Seconds {
				times = append(times, t.clock(h, m, s))
			}
		}
	}
	return t.list(times), true
}

// clock is a time of the day, with seconds if the expression has any.
func (t telling) clock(h, m, s int) string {
	if len(t.Seconds) == 1 && s == 0 {
		return fmt.Sprintf("%02d:%02d", h, m)
	}
	return fmt.Sprintf("%02d:%02d:%02d", h, m, s)
}

func plain(n int) string { return strconv.Itoa(n) }

// interval says how often the expression fires within a day.
func (t telling) interval() (string, bool) {
	switch {
	case len(t.Seconds) > 1:
		return t.everySeconds()
	case len(t.Minutes) > 1:
		return t.everyMinutes()
	}
	return t.everyHours()
}

// everyHours: one second, one minute, more hours than are listed.
func (t telling) everyHours() (string, bool) {
	first, last, step, even := progression(t.Hours)
	m, s := t.Minutes[0], t.Seconds[0]
	switch {
	case len(t.Hours) == 24 && m == 0:
		return t.atSecond(t.l.CronEveryHour()), true
	case len(t.Hours) == 24:
		return t.atSecond(t.l.CronHourAt(1, plain(m))), true
	case !even:
		return t.inHours(t.atSecond(t.l.CronHourAt(1, plain(m))))
	case round(first, last, step, 24) && first == 0 && m == 0 && s == 0:
		return t.hours(step), true
	case round(first, last, step, 24):
		return t.l.CronFrom(t.hours(step), t.clock(first, m, s)), true
	}
	return t.l.CronBetween(t.hours(step), t.clock(first, m, s), t.clock(last, m, s)), true
}

// round tells whether a step goes on over the end of its unit without a jump.
func round(first, last, step, size int) bool { return size%step == 0 && first+size-last == step }

// everyMinutes: one second, several minutes.
func (t telling) everyMinutes() (string, bool) {
	first, last, step, even := progression(t.Minutes)
	if !even || len(t.Minutes) < anInterval && !round(first, last, step, 60) {
		if len(t.Minutes) > mostListed {
			return "", false
		}
		return t.within(t.atSecond(t.l.CronHourAt(len(t.Minutes), t.list(mapped(t.Minutes, plain)))))
	}
	every := t.l.CronEveryMinute()
	if step > 1 {
		every = t.l.CronEveryMinutes(step)
	}
	_, _, hourStep, hours := progression(t.Hours)
	inOneGo := len(t.Hours) == 1 || round(first, last, step, 60) && hours && hourStep == 1 && len(t.Hours) < 24
	switch {
	case inOneGo:
		return t.within(every)
	case !round(first, last, step, 60):
		every = t.l.CronMinuteBetween(every, plain(first), plain(last))
	case first > 0:
		every = t.l.CronMinuteFrom(every, plain(first))
	}
	return t.within(t.atSecond(every))
}

// everySeconds: several seconds of every minute, or of all minutes of a time.
func (t telling) everySeconds() (string, bool) {
	first, last, step, even := progression(t.Seconds)
	var every string
	switch {
	case !even || !round(first, last, step, 60):
		if len(t.Seconds) > mostListed {
			return "", false
		}
		every = t.l.CronMinuteAt(t.list(mapped(t.Seconds, plain)))
	case step == 1:
		every = t.l.CronEverySecond()
	case first > 0:
		every = t.l.CronSecondFrom(t.l.CronEverySeconds(step), plain(first))
	default:
		every = t.l.CronEverySeconds(step)
	}
	_, _, minuteStep, minutes := progression(t.Minutes)
	switch {
	case len(t.Minutes) == 60:
		return t.within(every)
	case len(t.Hours) == 1 && minutes && minuteStep == 1:
		return t.between(every), true
	}
	return "", false
}

// within adds the hours of the day, if they are not all.
func (t telling) within(every string) (string, bool) {
	_, _, step, even := progression(t.Hours)
	switch {
	case len(t.Hours) == 24:
		return every, true
	case even && step == 1:
		return t.between(every), true
	}
	return t.inHours(every)
}

// between adds the first and the last time of the day.
func (t telling) between(every string) string {
	return t.l.CronBetween(every, t.clock(t.Hours[0], t.Minutes[0], t.Seconds[0]), t.clock(last(t.Hours), last(t.Minutes), last(t.Seconds)))
}

func last(values []int) int { return values[len(values)-1] }

func (t telling) inHours(every string) (string, bool) {
	if len(t.Hours) > mostListed {
		return "", false
	}
	return t.l.CronInHours(every, t.list(mapped(t.Hours, plain))), true
}

// atSecond adds a second that is not the full minute.
func (t telling) atSecond(every string) string {
	if t.Seconds[0] == 0 {
		return every
	}
	return t.l.CronAtSecond(every, plain(t.Seconds[0]))
}

func (t telling) hours(step int) string {
	if step == 1 {
		return t.l.CronEveryHour()
	}
	return t.l.CronEveryHours(step)
}
