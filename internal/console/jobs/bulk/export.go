package bulk

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// ExportRoute answers with the configurations of several jobs.
const ExportRoute = "/jobs/export"

// exportJobs sends the configurations of the selected jobs as they are stored, one
// YAML document for each; a guest gets them without secrets. A job that cannot be
// read is a comment in the file.
func (s service) exportJobs(c *gin.Context) error {
	names, asked, err := s.selectedJobs(c, c.Request.URL.Query())
	if err != nil {
		return err
	}
	full := app.May(c, app.Configures)
	var text strings.Builder
	if asked > len(names) {
		fmt.Fprintf(&text, "# %d jobs were selected; these are the first %d.\n", asked, len(names))
	}
	for _, name := range names {
		text.WriteString("---\n")
		if jobtree.ValidateNodeName(name) != nil {
			fmt.Fprintf(&text, "# %q cannot be the name of a job.\n", name)
			continue
		}
		job, err := s.LookUp(c, name)
		if p := app.AsProblem(err); err != nil && p.Status() >= http.StatusInternalServerError {
			return err
		} else if err != nil {
			fmt.Fprintf(&text, "# %q: %s\n", name, p.Message)
			continue
		}
		text.WriteString(strings.TrimRight(app.ConfigText(job.RawConfig, full), "\n") + "\n")
	}
	c.Header("Content-Disposition", `attachment; filename="jobs.yaml"`)
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(text.String()))
	return nil
}
