package console

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Label writes the label of a [Bulk] into the configuration of each job. Like
// [Configure] it has no Call.
var Label = Action{Verb: "label", Needs: Configures, Label: i18n.Lang.BulkLabel}

// MaxLabel bounds a label, in characters.
const MaxLabel = 100

// CheckLabel says what is wrong with a label; nil if nothing is. The empty one removes
// what a job has.
func CheckLabel(label string) *Problem {
	if utf8.RuneCountInString(label) <= MaxLabel && utf8.ValidString(label) && !strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil
	}
	return Invalid("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemWrongLabel(strconv.Quote(view.Clip(label, 40)), MaxLabel), l.ProblemNothingChanged()
	})
}

// foreseeLabel says what a label would change of a job.
func foreseeLabel(job statistics.JobDetail, label string) (out lifecycle.Outcome, p *Problem) {
	switch {
	case job.Config == nil:
		return out, Problem{Kind: KindConflict, Code: "config_unreadable"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemConfigUnread(job.Name, job.ConfigError), ""
		})
	case job.Config.Generation == jobconfig.Generation2x && label != "":
		return out, Problem{Kind: KindConflict, Code: "conflict"}.SaidAs(i18n.Lang.ProblemNoLabel2x, noHint)
	case job.Config.Label == label:
		out.Skipped = []lifecycle.Skip{{Target: job.Name, Reason: i18n.English.ProblemSoAlready(), Why: lifecycle.SkipSame}}
	default:
		out.Affected = []string{job.Name}
	}
	return out, nil
}

// submitLabel writes it, and returns which one the job had.
func submitLabel(s *Console, c *gin.Context, b Bulk, name string) (out lifecycle.Outcome, had string, p *Problem) {
	before, after, err := s.Configure(c, ConfigChange{Job: name, Reason: b.Reason, Edit: func(config *jobconfig.Config) error {
		config.Label = b.Label
		return nil
	}})
	switch {
	case err != nil:
		return out, "", s.ConfigProblem(c, name, false, before, err)
	case before.Revision() == after.Revision():
		out.Skipped = []lifecycle.Skip{{Target: name, Reason: i18n.English.ProblemSoAlready(), Why: lifecycle.SkipSame}}
		return out, b.Label, nil
	}
	out.Affected = []string{name}
	return out, before.Config.Label, nil
}

// errLabelledSince: a job has another label by now than the change that is taken back
// gave it.
var errLabelledSince = errors.New("console: the job has another label by now")

// undoLabels gives jobs the labels that they had before a change. One that has another
// label by now keeps it.
func undoLabels(s *Console, c *gin.Context, change settings.Change) []BulkResult {
	var results []BulkResult
	for _, r := range change.Results {
		if r.Label == nil {
			continue
		}
		result := BulkResult{Outcome: lifecycle.Outcome{Job: r.Job, Affected: []string{r.Job}}}
		before, _, err := s.Configure(c, ConfigChange{Job: r.Job, Edit: func(config *jobconfig.Config) error {
			if config.Label != r.Label.To {
				return errLabelledSince
			}
			config.Label = r.Label.From
			return nil
		}})
		switch {
		case errors.Is(err, errLabelledSince):
			result.Refused = Problem{Kind: KindConflict, Code: "conflict"}.SaidAs(i18n.Lang.ProblemLabelledSince, noHint)
		case err != nil:
			result.Refused = s.ConfigProblem(c, r.Job, false, before, err)
		}
		results = append(results, result)
	}
	return results
}
