package quartz

import "time"

// wallClock is a time zone's wall clock. It only shows existing times. Setting a time that doesn't
// exist moves it on.
type wallClock struct {
	loc *time.Location

	year, month, day     int // month is 1 to 12
	hour, minute, second int
	weekday              int // 1 is Sunday
	unix                 int64
}

// zoneSlack is more than any zone's offset from UTC, in seconds.
const zoneSlack = 16 * 60 * 60

// setInstant shows an instant. If the wall clock shows that time twice, it means the later one from
// then on.
func (c *wallClock) setInstant(unix int64) {
	_, offset := time.Unix(unix, 0).In(c.loc).Zone()
	c.setWall(unix + int64(offset))
}

// set shows a time. Values may be out of range and carry over, as in 31 April or hour 24.
func (c *wallClock) set(year, month, day, hour, minute, second int) {
	c.setWall(time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Unix())
}

// setWall shows a wall time in seconds, as if it were UTC.
func (c *wallClock) setWall(wall int64) {
	c.unix = instantOf(wall, c.loc)
	_, offset := time.Unix(c.unix, 0).In(c.loc).Zone()
	shown := time.Unix(c.unix+int64(offset), 0).UTC()
	year, month, day := shown.Date()
	c.year, c.month, c.day = year, int(month), day
	c.hour, c.minute, c.second = shown.Clock()
	c.weekday = int(shown.Weekday()) + 1
}

// setHour shows the first second of a minute of an hour, which may be 24. If the clock skips that
// hour, it uses the next one, as Quartz does. After a gap of two hours this loses the hour after
// the gap.
func (c *wallClock) setHour(year, month, day, hour, minute int) {
	c.set(year, month, day, hour, minute, 0)
	if c.hour != hour && hour != 24 {
		c.set(c.year, c.month, c.day, hour+1, c.minute, c.second)
	}
}

// instantOf returns the instant at which a zone's wall clock shows a time, given in seconds as if
// it were UTC. A repeated time means the second showing. A skipped time is counted with the offset
// before the gap, so the result is later by the length of the gap. Java does the same; time.Date
// doesn't guarantee it.
func instantOf(wall int64, loc *time.Location) int64 {
	// Walk back to the last period of constant offset that had begun when the wall clock showed
	// this time. Away from clock changes it's the first one tried.
	probe := time.Unix(wall+zoneSlack, 0).In(loc)
	for {
		_, offset := probe.Zone()
		start, _ := probe.ZoneBounds()
		if start.IsZero() || start.Unix()+int64(offset) <= wall {
			return wall - int64(offset)
		}
		probe = start.Add(-time.Second)
	}
}
