package quartz

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Location returns the zone of a job's fire times: the property schedule.zone, or else timeZone by
// [ParseTimeZone]. An error about the property is a [*RuleError].
func (r Rules) Location(timeZone string) (*time.Location, error) {
	if r.Zone == "" {
		return ParseTimeZone(timeZone)
	}
	wrong := &RuleError{Property: ZoneProp, Value: r.Zone}
	if timeZone != "" {
		wrong.Want = fmt.Sprintf("nothing, or an empty timeZone, which is %q", timeZone)
		wrong.text = fmt.Sprintf("%s is %q and timeZone is %q; set only one of them", ZoneProp, r.Zone, timeZone)
		return nil, wrong
	}
	zone, err := namedZone(r.Zone)
	if err != nil {
		wrong.Want = "an IANA name such as Europe/Berlin; a Go program without a zone database imports time/tzdata"
		return nil, wrong
	}
	return zone, nil
}

var namedZones sync.Map // cached by name, because each load reads a file

// namedZone returns a zone of the IANA database. It refuses names with a host-dependent meaning.
func namedZone(name string) (*time.Location, error) {
	if zone, ok := namedZones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	switch strings.ToLower(name) {
	case "", "local", "localtime", "posixrules":
		return nil, &TimeZoneError{Zone: name}
	}
	if strings.HasPrefix(name, "GMT+") || strings.HasPrefix(name, "GMT-") {
		return nil, &TimeZoneError{Zone: name}
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		namedZones.Store(name, zone)
	}
	return zone, err
}

// ParseTimeZone returns the zone of a job's configuration. The empty text is time.Local. Everything
// else must begin with "GMT", followed by an offset such as +8, +08:00 or -0330, up to 23:59. As in
// ElasticJob, GMT with an invalid offset means GMT without an error; IsTimeZone detects this case.
// Names such as "Asia/Shanghai" are refused, as in ElasticJob; use [ZoneProp] for them.
func ParseTimeZone(s string) (*time.Location, error) {
	if s == "" {
		return time.Local, nil
	}
	rest, found := strings.CutPrefix(s, "GMT")
	if !found {
		return nil, &TimeZoneError{Zone: s}
	}
	offset, ok := parseOffset(rest)
	if !ok || offset == 0 {
		return gmt, nil
	}
	sign, size := '+', offset
	if offset < 0 {
		sign, size = '-', -offset
	}
	return time.FixedZone(fmt.Sprintf("GMT%c%02d:%02d", sign, size/3600, size/60%60), offset), nil
}

// IsTimeZone reports whether s is a valid zone. It's false if ParseTimeZone refuses s, and for
// texts that silently mean GMT, such as "GMT+25".
func IsTimeZone(s string) bool {
	if s == "" {
		return true
	}
	rest, found := strings.CutPrefix(s, "GMT")
	if !found {
		return false
	}
	_, ok := parseOffset(rest)
	return ok || rest == ""
}

// TimeZoneError is the error for a time zone in a format that ElasticJob doesn't accept. Its text
// begins with the sentence that Java agents report.
type TimeZoneError struct {
	Zone string
}

func (e *TimeZoneError) Error() string {
	return fmt.Sprintf("Invalid time zone specification '%s'. Allowed: GMT with an offset, such as GMT+8, GMT+08:00 or GMT-0330."+
		" IANA names such as Asia/Shanghai go into the property %s.", e.Zone, ZoneProp)
}

var gmt = time.FixedZone("GMT", 0)

// parseOffset reads an offset in seconds in the format of Java's custom zones: a sign and h, hh,
// hmm or hhmm, or with a colon before two digits of minutes.
func parseOffset(s string) (int, bool) {
	if s == "0" { // GMT0 is its own zone, without a sign
		return 0, true
	}
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, minutes, colon := strings.Cut(s[1:], ":")
	h, okHours := decimal(hours)
	m, okMinutes := decimal(minutes)
	switch {
	case !okHours || !okMinutes:
		return 0, false
	case colon && (len(hours) > 2 || len(minutes) != 2):
		return 0, false
	case !colon && len(hours) > 2:
		h, m = h/100, h%100
	}
	if h > 23 || m > 59 {
		return 0, false
	}
	offset := h*3600 + m*60
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// decimal reads digits. An empty text is 0. Leading zeros are allowed, large numbers aren't.
func decimal(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) || n > 1_000_000 {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
