package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestW11ZoneByName: agents should fire by the clock of a named zone, even over a clock change and
// a change of the shard's owner, and use an edited name at once.
func TestW11ZoneByName(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		begin string
		rule  coreagent.ClockChange
		want  string
	}{
		"spring":       {"2000-03-25T12:00:00Z", "", "2000-03-27T00:30:00Z"},
		"spring, once": {"2000-03-25T12:00:00Z", coreagent.ClockChangeOnce, "2000-03-26T01:00:00Z 2000-03-27T00:30:00Z"},
		"autumn":       {"2000-10-28T12:00:00Z", coreagent.ClockChangeQuartz, "2000-10-29T01:30:00Z 2000-10-30T01:30:00Z"},
		"autumn, once": {"2000-10-28T12:00:00Z", coreagent.ClockChangeOnce, "2000-10-29T00:30:00Z 2000-10-30T01:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin, err := time.Parse(time.RFC3339, test.begin)
			if err != nil {
				t.Fatal(err)
			}
			bubbleFrom(t, begin, func(b *fixture, _ *zkfake.Server) {
				var fires fireLog
				taken := func() string {
					var list []string
					for _, at := range fires.taken() {
						list = append(list, at.UTC().Format(time.RFC3339))
					}
					return strings.Join(list, " ")
				}
				w := newWorkshop(b, fires.handle)
				job := coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 30 2 * * ?", Zone: "Europe/Berlin", ClockChange: test.rule}}
				members := []*member{w.open(1, job, nil), w.open(2, job, nil)}
				b.await("the shard has an owner", func() bool { o := w.owners("invoices"); return len(o) == 1 && o[0] != "" })
				time.Sleep(20 * time.Hour)
				for _, m := range members {
					if w.owners("invoices")[0] == m.id {
						b.must(m.Stop(b.ctx()))
						break
					}
				}
				time.Sleep(20 * time.Hour)
				if got := taken(); got != test.want {
					t.Errorf("fired at %s, want %s", got, test.want)
				}
				if got := b.config("invoices"); got.Props["schedule.zone"] != "Europe/Berlin" || got.TimeZone != "" {
					t.Errorf("stored %v and time zone %q", got.Props, got.TimeZone)
				}
				b.configure("invoices", func(c *jobconfig.Config) { c.Props["schedule.zone"] = "Asia/Shanghai" })
				time.Sleep(24 * time.Hour)
				if got := taken(); !strings.HasSuffix(got, "T18:30:00Z") || strings.Contains(got, " ") {
					t.Errorf("in Shanghai it fired at %s", got)
				}
				b.configure("invoices", func(c *jobconfig.Config) { c.TimeZone = "GMT+08:00" })
				b.await("the log names both", func() bool {
					return b.log.count(`schedule.zone is \"Asia/Shanghai\" and timeZone is \"GMT+08:00\"`) > 0
				})
				time.Sleep(24 * time.Hour)
				if got := taken(); got != "" {
					t.Errorf("with two zones it fired at %s", got)
				}
			})
		})
	}
}
