package jobs

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// matrixShards is how many shards a matrix has columns for, matrixRows for how
	// many instances it has rows; a job with more is drawn with cells.
	matrixShards = 24
	matrixRows   = 40
	// cellRows is how many lines the cells have at most.
	cellRows = 200
	// tableShards is how many shards a page of the table lists.
	tableShards = 100
)

// shardsPage is the shards of a job.
func (s service) shardsPage(c *gin.Context) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	runs, _ := s.ReadLastRuns(c, []string{job.Name}, pageui.LastExecutions(job.Job)) // The page works without them.
	p := jobs.ShardsProps{Job: jobpage.Head(s.Console, c, job, "shards", runs[job.Name]), Servers: serverRows(l, job), Heading: l.MatrixAll()}
	if n, ok := reshardNotice(l, job); ok {
		p.Notices = append(p.Notices, n)
	}
	board := newShardBoard(l, job, runs[job.Name], s.departed(c, job, runs[job.Name]), now)
	if f := s.JobHealth(c, job.Job).Finding; f != nil && f.Code == statistics.CodeShardsMissed {
		board.silent = f.Items
	}
	asked, hints := board.ask(c.Request.URL.Query())
	p.Job.Frame.Ignored = append(p.Job.Frame.Ignored, hints...)
	p.Matrix, p.Summary = board.matrix(asked), board.summary()
	addRunLinks(c, job.Name, &p.Matrix)
	listed := job.Shards
	if asked.owner != "" {
		listed = board.of(asked.owner)
		p.Heading, p.Summary, p.AllHref = l.MatrixOfOwner(asked.owner), "", p.Job.Href+"/shards"
	}
	listed = board.found(listed, asked)
	if asked.searches() {
		p.Heading, p.Summary, p.AllHref = l.MatrixFound(len(listed)), "", p.Job.Href+"/shards"
	}
	p.Search = board.search(asked, p.Job.Href+"/shards")
	shown, pager := shardsOnPage(l, listed, asked, p.Job.Href+"/shards")
	p.Rows, p.Pager = board.rows(shown), pager
	if app.May(c, app.Operates) {
		addShardSwitch(l, &p, shown, job.Name)
	}
	p.Reshard = s.reshard(c, job)
	if len(shown) == 0 && asked.searches() {
		p.Empty = &ui.Empty{Heading: l.MatrixFoundNone(), Text: l.MatrixFoundNoneText(), Href: p.AllHref, Label: l.MatrixShowAll(), TestID: "shards-none"}
	} else if len(shown) == 0 {
		p.Empty = &ui.Empty{Heading: l.JobNoShard(), Text: l.JobNoShardText()}
	}
	if len(p.Servers) == 0 {
		p.NoHost = &ui.Empty{Heading: l.JobNoServer(), Text: l.JobNoServerText()}
	}
	s.Render(c, 200, jobs.ShardsPage(p))
	return nil
}

// departed are the instances of a job that left with shards that no instance owns yet, or has
// begun again.
func (s service) departed(c *gin.Context, job statistics.JobDetail, runs []tracing.Execution) []members.Departed {
	if log := s.Members(c); log != nil {
		return departedOf(job, runs, log.Departed(job.Name), jobpage.EventsOf(job, log.Of(job.Name, jobpage.StoryEvents), runs))
	}
	return nil
}

// departedOf adds lost instances to the instances that left: their shards have another owner by
// now, and no instance has begun them again.
func departedOf(job statistics.JobDetail, runs []tracing.Execution, list []members.Departed, events []members.Event) []members.Departed {
	waiting, board := make(map[int]bool), newShardBoard(i18n.English, job, runs, nil, time.Time{})
	for _, s := range job.Shards {
		waiting[s.Item] = s.Lost || board.state(s) == pageui.ShardLost
	}
	for _, e := range events {
		if e.Kind == members.FailedOver {
			for _, item := range e.Shards {
				waiting[item] = false
			}
		}
		if e.Kind != members.Left || slices.ContainsFunc(job.Instances, func(i statistics.Instance) bool { return i.ID == e.Instance }) {
			continue
		}
		for _, item := range e.Lost {
			if !waiting[item] {
				continue
			}
			waiting[item] = false
			at := slices.IndexFunc(list, func(g members.Departed) bool { return g.Instance == e.Instance })
			if at < 0 {
				at, list = len(list), append(list, members.Departed{Instance: e.Instance, At: e.At})
			}
			if !slices.Contains(list[at].Shards, item) {
				list[at].Shards = append(list[at].Shards, item)
			}
		}
	}
	return list
}

// shardBoard draws which instance has which shard.
type shardBoard struct {
	l        i18n.Lang
	job      statistics.JobDetail
	ran      map[int][]tracing.Execution // the executions that are known of each shard
	departed []members.Departed
	now      time.Time
	live     map[string]bool
	silent   []int // shards that take no part in the runs, by the history
}

func newShardBoard(l i18n.Lang, job statistics.JobDetail, runs []tracing.Execution, departed []members.Departed, now time.Time) shardBoard {
	b := shardBoard{l: l, job: job, departed: departed, now: now, ran: make(map[int][]tracing.Execution), live: make(map[string]bool)}
	for _, e := range runs {
		b.ran[e.Item] = append(b.ran[e.Item], e)
	}
	for _, i := range job.Instances {
		b.live[i.ID] = true
	}
	return b
}

// shardsAsked is what the address of the shards asks for.
type shardsAsked struct {
	order, owner string
	text, state  string
	page         int
}

// ask reads the address. What it does not know is said, and the rest applied.
func (b shardBoard) ask(v url.Values) (a shardsAsked, hints []string) {
	switch a.order = v.Get("order"); a.order {
	case "", "owner", "number", "state":
	default:
		hints = append(hints, b.l.MatrixBadOrder(view.Clip(strconv.Quote(a.order), 40)))
		a.order = ""
	}
	if a.owner = v.Get("owner"); a.owner != "" && len(b.of(a.owner)) == 0 && !b.live[a.owner] {
		hints = append(hints, b.l.MatrixBadOwner(view.Clip(strconv.Quote(a.owner), 80)))
		a.owner = ""
	}
	hints = append(hints, a.askSearch(b.l, v)...)
	page, _, problems := query.ParseShards(url.Values{"page": v["page"]})
	a.page = page
	return a, append(hints, problems.In(b.l)...)
}

// of are the shards assigned to an instance.
func (b shardBoard) of(id string) []statistics.Shard {
	return slices.DeleteFunc(slices.Clone(b.job.Shards), func(s statistics.Shard) bool { return s.Instance != id })
}

func (b shardBoard) matrix(a shardsAsked) jobs.Matrix {
	p := jobs.Matrix{Sub: b.l.MatrixSub(b.l.MatrixOwns(len(b.job.Shards)), b.l.MatrixInstances(len(b.job.Instances))), Legend: b.legend()}
	switch {
	case len(b.job.Shards) == 0:
	case len(b.job.Shards) > matrixShards || len(b.job.Instances)+len(b.departed) > matrixRows:
		b.large(&p, a)
	default:
		b.small(&p)
	}
	return p
}

// addRunLinks leads from each column of a matrix to the page that asks before the shard runs.
func addRunLinks(c *gin.Context, job string, m *jobs.Matrix) {
	for i := range m.Columns {
		if item, err := strconv.Atoi(m.Columns[i].Item); err == nil && app.May(c, app.Operates) {
			m.Columns[i].RunHref = pageui.RerunPath(job, []int{item}, "")
		}
	}
}

// small draws a row for each instance and a column for each shard.
func (b shardBoard) small(p *jobs.Matrix) {
	for _, s := range b.job.Shards {
		p.Columns = append(p.Columns, jobs.MatrixColumn{Item: strconv.Itoa(s.Item), Parameter: s.Parameter})
	}
	for _, i := range b.job.Instances {
		row := b.row(i.ID, func(s statistics.Shard) bool { return b.at(s) == i.ID })
		row.Leader = i.Leader
		p.Rows = append(p.Rows, row)
	}
	kept := make(map[string]bool)
	for _, g := range b.departed {
		kept[g.Instance] = true
		p.Rows = append(p.Rows, b.departedRow(g))
	}
	rest := b.row("", func(s statistics.Shard) bool { return !b.live[b.at(s)] && !kept[s.Instance] })
	if slices.ContainsFunc(rest.Cells, func(c jobs.MatrixCell) bool { return c.Label != "" }) {
		rest.Label = b.l.MatrixNobody()
		p.Rows = append(p.Rows, rest)
	}
}

// at is the instance that a shard is drawn at: where it runs, else its owner.
func (b shardBoard) at(s statistics.Shard) string {
	for _, id := range []string{s.RunningOn, s.Failover} {
		if b.live[id] {
			return id
		}
	}
	return s.Instance
}

func (b shardBoard) row(id string, has func(statistics.Shard) bool) jobs.MatrixRow {
	row := jobs.MatrixRow{Instance: id, Label: jobtree.InstanceIP(id)}
	n := 0
	for _, s := range b.job.Shards {
		var cell jobs.MatrixCell
		if has(s) {
			n++
			state := b.state(s)
			if state == pageui.ShardLost && slices.ContainsFunc(b.departed, func(g members.Departed) bool { return slices.Contains(g.Shards, s.Item) }) {
				state = pageui.ShardIdle // It's lost in the row of the instance that was lost.
			}
			look := pageui.ShardLooks[state]
			cell.Tone, cell.Label = look.Tone, look.Cell(b.l)
			cell.Title = b.l.MatrixCell(strconv.Itoa(s.Item), cmp.Or(id, b.l.MatrixNobody()), cell.Label)
			if s.Status == statistics.ShardRunning && !s.RunningSince.IsZero() {
				cell.Label = view.ClockSpan(b.now.Sub(s.RunningSince))
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	row.Note = b.l.MatrixOwns(n)
	if n == 0 {
		row.Note = b.l.MatrixNone()
	}
	return row
}

// departedRow is an instance that left, with the shards it had.
func (b shardBoard) departedRow(g members.Departed) jobs.MatrixRow {
	row := jobs.MatrixRow{Instance: g.Instance, Label: jobtree.InstanceIP(g.Instance), Left: g.At.UTC().Format("15:04:05")}
	var to []string
	for _, s := range b.job.Shards {
		var cell jobs.MatrixCell
		if slices.Contains(g.Shards, s.Item) {
			cell = jobs.MatrixCell{Tone: ui.ToneQuiet, Label: b.l.MatrixHad()}
			if s.Lost || b.state(s) == pageui.ShardLost || slices.Contains(g.Open, s.Item) {
				cell = jobs.MatrixCell{Tone: ui.ToneLost, Label: b.l.MatrixLost()}
			}
			cell.Title = b.l.MatrixCell(strconv.Itoa(s.Item), g.Instance, cell.Label)
			if at := b.at(s); b.live[at] && !slices.Contains(to, jobtree.InstanceIP(at)) {
				to = append(to, jobtree.InstanceIP(at))
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	row.Note = b.l.MatrixDepartedOpen(len(g.Open))
	if len(to) > 0 {
		row.Note = b.l.MatrixDepartedTo(view.Enumerate(to, 3))
	}
	return row
}

// large draws a line of cells for each instance, or for each state, or all by number.
func (b shardBoard) large(p *jobs.Matrix, a shardsAsked) {
	href := app.JobPath("/jobs", b.job.Name, "shards")
	for _, o := range []struct {
		key  string
		word string
	}{{"owner", b.l.MatrixByOwner()}, {"number", b.l.MatrixByNumber()}, {"state", b.l.MatrixByState()}} {
		p.Sorts = append(p.Sorts, ui.Tab{Label: o.word, Href: query.WithQuery(href, url.Values{"order": {o.key}}), Active: o.key == cmp.Or(a.order, "owner")})
	}
	p.Large = &chart.Cells{Label: b.l.MatrixLargeNote()}
	type line struct {
		key   string
		items []int
		row   chart.CellRow
	}
	lines := make(map[string]*line)
	var order []*line
	drawn := 0
	add := func(key string, s statistics.Shard, row chart.CellRow) {
		ln := lines[key]
		if ln == nil {
			ln = &line{key: key, row: row}
			lines[key] = ln
			order = append(order, ln)
		}
		ln.items = append(ln.items, s.Item)
		if drawn++; drawn <= pageui.MostCells {
			ln.row.Cells = append(ln.row.Cells, pageui.ShardLooks[b.state(s)].Tone)
		}
	}
	for _, s := range b.job.Shards {
		switch a.order {
		case "number":
			add("", s, chart.CellRow{})
		case "state":
			look := pageui.ShardLooks[b.state(s)]
			add(look.Cell(b.l), s, chart.CellRow{Label: look.Cell(b.l), Tone: look.Tone})
		default:
			row := chart.CellRow{Label: b.l.MatrixNobody()}
			if s.Instance != "" {
				row = chart.CellRow{Label: jobtree.InstanceIP(s.Instance), Title: s.Instance, Picked: s.Instance == a.owner,
					Href: query.WithQuery(href, url.Values{"owner": {s.Instance}}) + "#h-shards"}
				if !b.live[s.Instance] {
					row.Tone = ui.ToneLost
				}
			}
			add(s.Instance, s, row)
		}
	}
	if a.order == "state" {
		slices.SortStableFunc(order, func(x, y *line) int { return cmp.Compare(len(x.items), len(y.items)) })
	} else {
		slices.SortStableFunc(order, func(x, y *line) int { return view.CompareIPs(x.row.Label, y.row.Label) })
	}
	if drawn > pageui.MostCells {
		p.Sub = b.l.MatrixNotDrawn(p.Sub, drawn-pageui.MostCells)
	}
	for _, ln := range order[:min(len(order), cellRows)] {
		ln.row.Note = pageui.ShardRanges(b.l, ln.items)
		p.Large.Rows = append(p.Large.Rows, ln.row)
	}
}

// addShardSwitch gives the rows of shards their boxes and buttons, and the table its
// bar.
func addShardSwitch(l i18n.Lang, p *jobs.ShardsProps, shards []statistics.Shard, job string) {
	p.Picks = &jobs.ShardPicks{Clear: pageui.ShardsPath(job), Disable: pageui.ShardsPath(job, app.DisableShard.Verb), Enable: pageui.ShardsPath(job, app.EnableShard.Verb), Rerun: pageui.AskRunPath(job)}
	for i, s := range shards {
		o, label := app.DisableShard, l.BulkMenuDisable()
		if s.Disabled {
			o, label = app.EnableShard, l.BulkMenuEnable()
		}
		item := strconv.Itoa(s.Item)
		p.Rows[i].Key, p.Rows[i].Pick = "shard-"+item, l.ShardsPick(item)
		p.Rows[i].Buttons = []ui.Button{{
			Small: true, Label: label, Href: query.WithQuery(pageui.ShardsPath(job, o.Verb), url.Values{"item": {item}}), Subject: l.ShardsOne(item), TestID: "shard-" + o.Verb,
		}}
		if !s.Disabled {
			again := ui.Button{Small: true, Label: l.RerunAgain(), Href: pageui.RerunPath(job, []int{s.Item}, ""), Subject: l.ShardsOne(item), TestID: "shard-rerun"}
			p.Rows[i].Buttons = append([]ui.Button{again}, p.Rows[i].Buttons...)
		}
	}
}
