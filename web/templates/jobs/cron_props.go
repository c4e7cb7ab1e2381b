package jobs

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// CronProps is what the assistant says about a schedule.
type CronProps struct {
	// Words are the schedule as a sentence; empty if nobody can say it.
	Words string
	// Error says why it cannot be read, None that there is none.
	Error, None string
	Fields      []CronPart
	// Zone is the job's, Assumed says that it is a guess.
	Zone, Assumed string
	Fires         []CronFire
	Verdicts      []Verdict
	// Day is when all jobs fire in the hours to come, and where this one does; nil
	// if none does. DaySub counts them, DayPeak says when the most do.
	Day             *chart.Bars
	DaySub, DayPeak string
	// Starts are expressions to begin with.
	Starts []CronPart
	// Operates: a suggestion can be taken.
	Operates bool
}

// CronPart is a field of an expression with its name, or an expression with what it
// says.
type CronPart struct{ Text, Label string }

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
