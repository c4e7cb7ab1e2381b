package pages

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostListed is among how many runs the last one is looked for.
const mostListed = 100

// mostRead is how many runs are read for the parameters of the last one: those of a run
// that has ended are kept if they are small.
const mostRead = 10

// fillLast fills the parameters in as those of the newest run that has any. When and
// where the run is to be stays as it is: only run again repeats that.
func (s requestPages) fillLast(c *gin.Context, f *requestForm) error {
	page, err := s.requested().List(c, f.job.Name, console.RequestedFilter{Limit: mostListed})
	if err != nil {
		return err
	}
	runs := slices.DeleteFunc(slices.Clone(page.Runs), func(r jobrun.Run) bool { return !r.HasParams })
	slices.SortFunc(runs, func(a, b jobrun.Run) int { return b.Submitted.Compare(a.Submitted) })
	for _, listed := range runs[:min(len(runs), mostRead)] {
		found, err := s.requested().Read(c, f.job.Name, listed.ID) // the list may have no parameters
		if err != nil {
			if console.AsProblem(err).Status() >= http.StatusInternalServerError {
				return err
			}
			continue
		}
		if len(found.Run.Params) == 0 {
			continue
		}
		f.params = shownParams(found.Run.Params)
		f.notices = append(f.notices, ui.Notice{Tone: ui.ToneRun, Heading: f.lang.RequestParameters(), Text: f.lang.RequestFilled(found.ID), TestID: "request-filled"})
		f.fillFields(found.Run)
		return nil
	}
	f.notices = append(f.notices, ui.Notice{Tone: ui.ToneWarn, Heading: f.lang.RequestParameters(), Text: f.lang.RequestFillNone(), TestID: "request-filled"})
	return nil
}
