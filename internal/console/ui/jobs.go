package ui

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// JobsEmpty is shown instead of an empty list of jobs.
func JobsEmpty(l i18n.Lang, q query.Jobs, v query.JobsPage, at *layout.Registry) *ui.Empty {
	switch {
	case q.Text != "" && v.All == 0:
		text := l.JobsNoMatchText()
		if len(q.Tokens()) > 0 {
			text = "" // filters look at more than that
		}
		return &ui.Empty{Heading: l.JobsNoMatch(strconv.Quote(q.Text)), Text: text, Href: "/jobs", Label: l.JobsShowAll(), TestID: "jobs-empty"}
	case q.Status != "", q.State != "":
		_, label := JobState(l, q.State)
		return &ui.Empty{Heading: l.JobsNoneInState(cmp.Or(label, string(q.Status))), Href: q.WithState("").Href(), Label: l.JobsShowEveryState(), TestID: "jobs-empty"}
	case q.Text != "":
		return &ui.Empty{Heading: l.JobsNoMatch(strconv.Quote(q.Text)), Href: "/jobs", Label: l.JobsShowAll(), TestID: "jobs-empty"}
	}
	namespace := ""
	if at != nil {
		namespace = at.Namespace
	}
	return &ui.Empty{Heading: l.JobsEmpty(), Text: l.JobsEmptyText(namespace), Code: starter(l, at), TestID: "jobs-empty"}
}

// starter is a first job for elasticjob agent, which registers where the console looks.
func starter(l i18n.Lang, at *layout.Registry) string {
	if at == nil || at.Address == "" {
		return ""
	}
	return fmt.Sprintf(`cat > jobs.yaml <<'EOF'
elasticjob:
  regCenter:
    serverLists: %s
    namespace: %s
  jobs:
    hello:
      elasticJobType: SCRIPT
      cron: 0 * * * * ?
      shardingTotalCount: 2
      props:
        script.command.line: /bin/echo hello
EOF
elasticjob agent --config jobs.yaml   # %s
`, strconv.Quote(at.Address), strconv.Quote(at.Namespace), l.JobsStarter())
}
