package explain

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
)

// An explanation as plain text, for a ticket or a chat: what the page says, in its
// order and language, and nothing that the reader may not see there.

const plainText = "text/plain; charset=utf-8"

// textHref is where an explanation is as text; at is the past time it is about, if any.
func textHref(job, at string) string {
	v := url.Values{"format": {"text"}}
	if at != "" {
		v.Set("at", at)
	}
	return query.WithQuery(app.JobPath("/jobs", job, "explain"), v)
}

// wantsText reads ?format=, with a hint about one that there is not.
func wantsText(c *gin.Context, l i18n.Lang) (asText bool, hint string) {
	switch format := c.Query("format"); format {
	case "":
		return false, ""
	case "text":
		return true, ""
	default:
		return false, l.ExplainBadFormat(strconv.Quote(view.Clip(format, 40)))
	}
}

// textLines writes lines, each part of one after a blank.
type textLines struct{ strings.Builder }

func (t *textLines) line(indent string, parts ...string) {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, part)
		}
	}
	if len(said) > 0 {
		t.WriteString(indent + strings.Join(said, " ") + "\n")
	}
}

func (t *textLines) heading(text string) { t.WriteString("\n" + text + "\n") }

// explainText is the page of an explanation as text.
func explainText(l i18n.Lang, job string, p jobs.ExplainProps, now time.Time) string {
	var t textLines
	t.line("", job+":", p.Heading+".", p.Summary)
	t.line("", view.DateTime(now).Text)
	if len(p.Findings) > 0 {
		t.heading(l.ExplainChecks())
	}
	for _, f := range p.Findings {
		t.line("- ", f.Sentence, f.Advice, f.Alike)
		since := ""
		if f.Since.ISO != "" {
			since = "(" + f.Since.ISO + ")"
		}
		t.line("  ", f.Node, f.Value, since)
	}
	if len(p.Checks) > 0 {
		t.heading(l.ExplainTextFine())
	}
	for _, check := range p.Checks {
		node := ""
		if check.Node != "" {
			node = "(" + check.Node + ")"
		}
		t.line("- ", check.Text, check.Note, node)
	}
	textOfHappened(&t, l.ExplainAround(), p.Around)
	return t.String()
}

// pastText is the page of a past time as text.
func pastText(l i18n.Lang, job string, p jobs.PastProps, now time.Time) string {
	var t textLines
	t.line("", job+":", p.Heading)
	t.line("", view.DateTime(now).Text)
	for _, part := range []struct {
		heading string
		list    []string
	}{{l.PastReasons(), p.Reasons}, {l.PastUnknown(), p.Unknown}} {
		if len(part.list) > 0 {
			t.heading(part.heading)
		}
		for _, sentence := range part.list {
			t.line("- ", sentence)
		}
	}
	textOfHappened(&t, l.PastAround(), p.Around)
	return t.String()
}

func textOfHappened(t *textLines, heading string, rows []jobs.Happened) {
	if len(rows) > 0 {
		t.heading(heading)
	}
	for _, row := range rows {
		t.line("- ", row.At.ISO, row.Text, row.Note)
	}
}
