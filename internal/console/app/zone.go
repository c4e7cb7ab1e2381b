package app

import (
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ZoneCookie has the reader's choice of the time zone of pages: [ZoneOfJob], or the
// name of a zone. Without it pages are in UTC.
const ZoneCookie = "elasticjob_zone"

// ZoneRoute is where the reader chooses one.
const ZoneRoute = "/zone"

// ZoneOfJob is the choice of each job's own zone: on pages about no job, UTC.
const ZoneOfJob = "job"

// maxZoneName bounds the name of a zone that a browser sends.
const maxZoneName = 64

// zones are those that readers chose: a zone is read from disk once.
var zones sync.Map // name to *time.Location

// Zone is a zone by its name in the tz database. Names of files elsewhere are none.
func Zone(name string) (*time.Location, bool) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), true
	}
	if name == "" || name == "Local" || len(name) > maxZoneName {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	zones.Store(name, zone)
	return zone, true
}

// zoneChoice is the reader's choice: "" for UTC.
func zoneChoice(r *http.Request) string {
	cookie, err := r.Cookie(ZoneCookie)
	if err != nil {
		return ""
	}
	if _, known := Zone(cookie.Value); !known && cookie.Value != ZoneOfJob {
		return ""
	}
	return cookie.Value
}

// inZone is the request of a reader who chose a zone.
func inZone(r *http.Request) *http.Request {
	zone, ok := Zone(zoneChoice(r))
	if !ok || SurfaceOf(r.URL.Path) == API {
		return r
	}
	return r.WithContext(ui.WithZone(r.Context(), zone))
}

// fieldZone is the parameter with which a filter form sends the zone of its times, see [ui.ZoneField].
const fieldZone = "tz"

// timesInUTC is the request with the times of a filter form in UTC, as all other addresses have
// them. The zone is part of the address, so it means the same to every reader.
func timesInUTC(r *http.Request, now time.Time) *http.Request {
	v := r.URL.Query()
	if !v.Has(fieldZone) || SurfaceOf(r.URL.Path) == API {
		return r
	}
	zone, ok := query.ParseZone(v.Get(fieldZone))
	if !ok {
		return r // the page answers that it doesn't know the parameter
	}
	for _, name := range []string{"from", "to", "at"} {
		if t, ok := query.ParseMoment(v.Get(name), now.In(zone)); ok && !t.IsZero() {
			v.Set(name, query.InputTime(t))
		}
	}
	if v.Has("q") {
		v.Set("q", query.FiresIn(v.Get("q"), v.Get(fieldZone)))
	}
	v.Del(fieldZone)
	inner := r.WithContext(r.Context())
	address := *r.URL
	address.RawQuery = v.Encode()
	inner.URL = &address
	return inner
}

// inZoneOf makes a page about a job be in the job's zone, if the reader chose that.
// A job that names none leaves it in UTC.
func inZoneOf(c *gin.Context, j *statistics.Job) {
	if j.Zone() == "" || SurfaceOf(c.Request.URL.Path) == API || zoneChoice(c.Request) != ZoneOfJob {
		return
	}
	if zone, err := quartz.RulesOf(j.Name, j.ScheduleProps()).Location(j.TimeZone); err == nil {
		c.Request = c.Request.WithContext(ui.WithZone(c.Request.Context(), zone))
	}
}
