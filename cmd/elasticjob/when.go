package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// instant is a time on the command line, as RFC 3339 once it's read; empty if it isn't given.
type instant string

// Decode implements [kong.MapperValue]. It takes -1h, which looks like a flag, as a value.
func (i *instant) Decode(ctx *kong.DecodeContext) error {
	text, isText := ctx.Scan.Peek().Value.(string)
	if isText && distance.MatchString(text) {
		ctx.Scan.Pop()
	} else if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	if text == "" {
		return nil // The program refuses an empty flag.
	}
	at, err := parseInstant(text, time.Now())
	if err == nil {
		*i = instant(at.Truncate(time.Second).Format(time.RFC3339))
	}
	return err
}

// distance is a time from now, such as -1h30m, -2d or +5m.
var distance = regexp.MustCompile(`^([+-])(?:(\d{1,5})w)?(?:(\d{1,5})d)?((?:\d{1,9}(?:h|m|s))*)$`)

// days are the words for a day, by their distance from today.
var days = map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}

// parseInstant reads a time as people write it. Without a zone it's in the zone of now.
func parseInstant(text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "now" {
		return now, nil
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at, nil
	}
	if parts := distance.FindStringSubmatch(text); parts != nil && len(text) > 1 {
		sign := 1
		if parts[1] == "-" {
			sign = -1
		}
		weeks, _ := strconv.Atoi(parts[2]) // Digits, or nothing for 0.
		days, _ := strconv.Atoi(parts[3])
		var rest time.Duration
		if parts[4] != "" {
			var err error
			if rest, err = time.ParseDuration(parts[4]); err != nil {
				return time.Time{}, err
			}
		}
		// A day is a day of the calendar, which may have 23 hours.
		return now.AddDate(0, 0, sign*(7*weeks+days)).Add(time.Duration(sign) * rest), nil
	}
	word, clock, _ := strings.Cut(text, " ")
	if distance, known := days[word]; known {
		word = now.AddDate(0, 0, distance).Format(time.DateOnly)
	} else if clock == "" && strings.Contains(word, ":") && !strings.Contains(word, "-") {
		word, clock = now.Format(time.DateOnly), word
	}
	whole := strings.TrimSpace(strings.Replace(word, "T", " ", 1) + " " + clock)
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02 15:04Z07:00"} {
		if at, err := time.ParseInLocation(layout, whole, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time; write -1h, +30m, -2d, now, 03:00, yesterday 03:00, 2026-11-30, 2026-11-30 03:00 or 2026-11-30T03:00:00Z", text)
}
