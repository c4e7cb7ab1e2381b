package app

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// What viewers see of the history, and everyone but admins of configurations: everything
// goes through here, right where it was read.

// LooksOnly reports whether the caller may only look. Secrets in parameters of runs,
// errors and logs are masked then; secrets in configurations are masked for everyone who
// may not change them.
func LooksOnly(c *gin.Context) bool { return !May(c, Operates) }

func maskedJob(j statistics.Job) statistics.Job {
	j.Title = mask.Text(j.Title)
	j.Description, j.Reason, j.ConfigError = mask.Text(j.Description), mask.Text(j.Reason), mask.Text(j.ConfigError)
	j.Findings = maskedFindings(j.Findings)
	return j
}

func maskedJobs(list []statistics.Job) []statistics.Job {
	list = slices.Clone(list) // The one that was read belongs to others, too.
	for i := range list {
		list[i] = maskedJob(list[i])
	}
	return list
}

func maskedDetail(d statistics.JobDetail) statistics.JobDetail {
	d.Job = maskedJob(d.Job)
	d.RawConfig = mask.Document(d.RawConfig)
	if d.Config != nil {
		d.Config = MaskedConfig(d.Config)
	}
	d.Shards = slices.Clone(d.Shards)
	for i := range d.Shards {
		d.Shards[i].Parameter = mask.Text(d.Shards[i].Parameter)
	}
	return d
}

func maskedExplanation(e *statistics.Explanation) *statistics.Explanation {
	masked := *e
	masked.Findings = maskedFindings(e.Findings)
	return &masked
}

func maskedFindings(list []statistics.Finding) []statistics.Finding {
	list = slices.Clone(list)
	for i, f := range list {
		list[i].Sentence, list[i].Value = mask.Text(f.Sentence), mask.Value(f.Field, f.Value)
	}
	return list
}

func maskedExecutions(list []tracing.Execution) []tracing.Execution {
	list = slices.Clone(list)
	for i := range list {
		list[i].FailureCause = mask.Text(list[i].FailureCause)
	}
	return list
}

// MaskedConfig is a copy of a configuration as whoever may only look sees it.
func MaskedConfig(c *jobconfig.Config) *jobconfig.Config {
	c = c.Clone()
	for _, text := range editor.FreeTexts(c) {
		*text = mask.Text(*text)
	}
	if c.Props != nil {
		c.Props = mask.Values(c.Props)
	}
	return c
}

// MaxShownConfig bounds the configurations that pages show, in bytes: a page has the text
// several times. Usual configurations are much smaller.
const MaxShownConfig = 128 << 10

// LargeConfig is the answer of a page about a larger configuration.
func LargeConfig(job string, size int) *Problem {
	return Problem{Kind: KindTooLarge, Code: "too_large"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemLargeConfig(strconv.Quote(job), view.Thousands(size), view.Thousands(MaxShownConfig)), l.ProblemLargeConfigHint(url.PathEscape(job))
	})
}

// ConfigText is the stored configuration as the reader may see it. It may hold
// secrets; whoever may only look does not see those.
func ConfigText(raw []byte, operates bool) string {
	if operates {
		return string(raw)
	}
	return string(mask.Document(raw))
}
