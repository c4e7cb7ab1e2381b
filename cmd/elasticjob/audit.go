package main

import (
	"io"
	"net/url"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// auditCommand is `elasticjob audit`.
type auditCommand struct {
	jobAccess
	watching
	Text    string  `arg:"" optional:"" name:"text" help:"Only records with this part in the account, the address, the target or the detail."`
	Last    string  `placeholder:"SPAN" help:"24h, 7d, 30d or all, up to now."`
	From    instant `placeholder:"TIME" help:"From this time on, such as -1h, yesterday or 2026-11-22T02:30:00Z."`
	To      instant `placeholder:"TIME" help:"Before this time."`
	Account string  `placeholder:"NAME" help:"Only records of this account."`
	Target  string  `placeholder:"NAME" help:"Only records about this job, server or setting."`
	Kind    string  `placeholder:"KIND" help:"changes, refused, sign-ins or all."`
	Outcome string  `placeholder:"OUTCOME" help:"done, or the code of a refusal such as forbidden."`
	Limit   int     `placeholder:"N" help:"How many at most, up to 200. Default: 50."`
}

func (c *auditCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	for name, value := range map[string]string{"q": c.Text, "last": c.Last, "from": string(c.From), "to": string(c.To), "user": c.Account, "target": c.Target, "kind": c.Kind, "outcome": c.Outcome} {
		set(asked, name, value)
	}
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	return show(p, c, c.watching, question[api.Page[api.AuditRecord]]{
		path: "/api/audit", query: asked, names: func(page api.Page[api.AuditRecord]) []string {
			return namesOf(func(r api.AuditRecord) string { return strconv.FormatInt(r.ID, 10) })(page.Rows)
		},
		text: func(w io.Writer, page api.Page[api.AuditRecord]) error {
			return table(w, "AT USER FROM ACTION TARGET OUTCOME DETAIL", func(row func(...any)) {
				for _, r := range page.Rows {
					row(moment(r.At), r.User, r.Remote, r.Action, r.Target, r.Outcome, r.Detail)
				}
			})
		},
	})
}
