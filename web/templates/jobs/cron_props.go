package jobs

import (
	cron "github.com/elasticjob-go/elasticjob/internal/console/schedule"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// CronProps is what the assistant says about a schedule.
type CronProps struct {
	// Words are the schedule as a sentence; empty if nobody can say it.
	Words string
	// Error says why it cannot be read, None that there is none.
	Error, None string
	Parts       []cron.Part
	// Zone is the job's, Assumed says that it is a guess.
	Zone, Assumed string
	Fires         []CronFire
	Verdicts      []Verdict
	// Day is when all jobs fire in the hours to come, and where this one does; nil
	// if none does. DaySub counts them, DayPeak says when the most do.
	Day             *chart.Bars
	DaySub, DayPeak string
	// Operates: a suggestion can be taken.
	Operates bool
}

// cronStarts are expressions to begin with.
var cronStarts = []struct {
	cron  string
	label func(i18n.Lang) string
}{
	{"0 0/5 * * * ?", i18n.Lang.AssistantStartFive}, {"0 0 * * * ?", i18n.Lang.AssistantStartHourly}, {"0 30 2 * * ?", i18n.Lang.AssistantStartDaily},
	{"0 30 2 ? * MON-FRI", i18n.Lang.AssistantStartWeekdays}, {"0 30 2 1 * ?", i18n.Lang.AssistantStartMonthly},
}

// partWords are the names of the fields of an expression.
var partWords = map[string]func(i18n.Lang) string{
	"second": i18n.Lang.AssistantFieldSecond, "minute": i18n.Lang.AssistantFieldMinute, "hour": i18n.Lang.AssistantFieldHour, "day": i18n.Lang.AssistantFieldDay,
	"month": i18n.Lang.AssistantFieldMonth, "weekday": i18n.Lang.AssistantFieldWeekday, "year": i18n.Lang.AssistantFieldYear,
}

// CronFire is a fire time to come: in the job's zone and in that of the page. Refused says
// why a time is none; it may stand for several in a row.
type CronFire struct {
	Day, There string
	Here, In   ui.Time
	Refused    string
}

// Verdict is what the assistant thinks of one thing.
type Verdict struct {
	Code        string
	Tone        ui.Tone
	Title, Text string
	// Use is an expression that would be better, UseLabel the words for it.
	Use, UseLabel string
}
