package firetime

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The release of a hold begins an era after an edit that no leader has seen by then.
func TestContinueAfterARelease(t *testing.T) {
	t.Parallel()
	s := &modelState{}
	edited, released := at(2), at(4)
	noted := NewEra(s.config(false), 1, at(0))
	if era := Continue(noted, s.config(true), 2, edited); !era.Since.Equal(edited) {
		t.Errorf("after an edit the era began at %v", era.Since.Format(time.TimeOnly))
	}
	noted.Since = released
	if era := Continue(noted, s.config(true), 2, edited); !era.Since.Equal(released) {
		t.Errorf("after an edit and a release the era began at %v", era.Since.Format(time.TimeOnly))
	}
}

// Another zone has other fire times, so times missed before the edit aren't made up for.
func TestW11ZoneBeginsAnEra(t *testing.T) {
	t.Parallel()
	config := jobconfig.New("j", 1)
	config.Cron = "0 0 2 * * ?"
	for _, zone := range []string{"Europe/Berlin", "Asia/Shanghai"} {
		noted := NewEra(config, 1, at(0))
		config.Props = map[string]string{"schedule.zone": zone}
		if era := Continue(noted, config, 2, at(2)); !era.Since.Equal(at(2)) {
			t.Errorf("%s: the era goes on since %v", zone, era.Since)
		}
	}
}
