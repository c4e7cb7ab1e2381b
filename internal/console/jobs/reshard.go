package jobs

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// plannedRows is how many shards a plan lists, plannedLoads of how many instances
	// it names the shares one by one.
	plannedRows  = 200
	plannedLoads = 12
)

// plannable are the strategies whose outcome can be predicted.
var plannable = []string{sharding.NameAverage, sharding.NameOdevity, sharding.NameRoundRobin}

// reshardAsked is what the address asks a dry run for. Without plan there is none.
type reshardAsked struct {
	asked            bool
	shards, strategy string
	without, with    string
	change           statistics.Change
	wrong            string
}

// askReshard reads it.
func askReshard(l i18n.Lang, v url.Values, job statistics.JobDetail) (a reshardAsked) {
	a = reshardAsked{
		asked: cmp.Or(v.Get("plan"), v.Get("shards"), v.Get("strategy"), v.Get("without"), v.Get("with")) != "", shards: view.Clip(strings.TrimSpace(v.Get("shards")), 40), strategy: v.Get("strategy"),
		without: v.Get("without"), with: view.Clip(strings.TrimSpace(v.Get("with")), 200),
	}
	if !a.asked {
		return a
	}
	if a.shards != "" {
		n, err := strconv.Atoi(a.shards)
		if err != nil || n < 1 || n > jobconfig.MaxShards {
			a.wrong = l.ReshardBadShards(view.Clip(strconv.Quote(a.shards), 40), jobconfig.MaxShards)
			return a
		}
		a.change.Shards = n
	}
	if a.strategy != "" {
		if !slices.Contains(plannable, a.strategy) {
			a.wrong = l.ReshardBadStrategy(view.Clip(strconv.Quote(a.strategy), 60))
			return a
		}
		a.change.Strategy = a.strategy
	}
	if a.without != "" {
		if !slices.ContainsFunc(job.Instances, func(i statistics.Instance) bool { return i.ID == a.without }) {
			a.wrong = l.ReshardBadInstance(view.Clip(strconv.Quote(a.without), 80))
			return a
		}
		a.change.Leave = []string{a.without}
	}
	if a.with != "" {
		id := a.with
		if jobtree.ValidateInstanceID(id) != nil {
			id = jobtree.NewInstanceID(id, "new")
		}
		if jobtree.ValidateServer(jobtree.InstanceIP(id)) != nil || jobtree.ValidateInstanceID(id) != nil {
			a.wrong = l.ReshardBadWith(view.Clip(strconv.Quote(a.with), 80))
			return a
		}
		a.change.Join = []string{id}
	}
	return a
}

// link is the address of the plan.
func (a reshardAsked) link(job string) string {
	v := url.Values{"plan": {"1"}}
	for key, value := range map[string]string{"shards": a.shards, "strategy": a.strategy, "without": a.without, "with": a.with} {
		if value != "" {
			v.Set(key, value)
		}
	}
	return query.WithQuery(pageui.ShardsPath(job), v) + "#reshard"
}

// values are the parameters of REST's plan.
func (a reshardAsked) values() url.Values {
	v := url.Values{}
	for key, value := range map[string][]string{"leave": a.change.Leave, "join": a.change.Join} {
		if len(value) > 0 {
			v[key] = value
		}
	}
	if a.change.Shards > 0 {
		v.Set("shards", strconv.Itoa(a.change.Shards))
	}
	if a.change.Strategy != "" {
		v.Set("strategy", a.change.Strategy)
	}
	return v
}

// reshard is the card of the dry run. The plan is made for a page that is loaded, not
// for one that keeps itself up to date.
func (s service) reshard(c *gin.Context, job statistics.JobDetail) *jobs.Reshard {
	if job.Config == nil || !app.AsksRegion(c, "reshard") {
		return nil
	}
	l := i18n.From(c.Request.Context())
	a := askReshard(l, c.Request.URL.Query(), job)
	p := &jobs.Reshard{Action: pageui.ShardsPath(job.Name), Shards: a.shards, With: a.with, Error: a.wrong}
	if p.Shards == "" {
		p.Shards = strconv.Itoa(job.Job.Shards)
	}
	chosen := a.strategy
	if chosen == "" {
		chosen = job.Config.StrategyType
	}
	if chosen == "" {
		chosen = sharding.NameAverage
	}
	for _, name := range plannable {
		p.Strategies = append(p.Strategies, ui.Choice{Value: name, Label: name, Selected: name == chosen})
	}
	p.Without = []ui.Choice{{Label: l.ReshardWithoutNone(), Selected: a.without == ""}}
	for _, i := range job.Instances[:min(len(job.Instances), query.MaxShards)] {
		p.Without = append(p.Without, ui.Choice{Value: i.ID, Label: i.ID, Selected: i.ID == a.without})
	}
	if !a.asked || a.wrong != "" {
		return p
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan, err := s.RegistryOf(c).Jobs.PlanReshard(ctx, job.Name, a.change)
	switch {
	case errors.Is(err, statistics.ErrInvalidChange):
		p.Error = l.ReshardImpossible()
	case errors.Is(err, statistics.ErrUnpredictable):
		p.Error = l.ReshardUnpredictable()
	case err != nil:
		p.Error = app.AsProblem(s.RegistryDown(c, err)).Message
	default:
		s.addPlan(c, p, job, a, plan)
	}
	return p
}

// addPlan shows a plan.
func (s service) addPlan(c *gin.Context, p *jobs.Reshard, job statistics.JobDetail, a reshardAsked, plan *statistics.ReshardPlan) {
	l := i18n.From(c.Request.Context())
	p.Planned, p.Link, p.Load = true, a.link(job.Name), planLoad(l, plan)
	p.Curl = s.Curl(c, http.MethodGet, app.JobPath("/api/jobs", job.Name, "reshard-plan"), a.values(), "")
	if a.change.Shards > 0 && a.change.Shards != job.Job.Shards || a.change.Strategy != "" && a.change.Strategy != job.Config.StrategyType && !(a.change.Strategy == sharding.NameAverage && job.Config.StrategyType == "") {
		p.ConfigHref = app.JobPath("/jobs", job.Name, "config")
	}
	moves := make(map[int]statistics.Move, len(plan.Moves))
	fresh, gone, moved := 0, 0, 0
	for _, m := range plan.Moves {
		moves[m.Item] = m
		switch {
		case m.To == "":
			gone++
		case m.From == "":
			fresh++
		default:
			moved++
		}
	}
	p.Verdict = l.ReshardVerdictNone()
	if len(plan.Moves) > 0 {
		p.Verdict = l.ReshardVerdict(moved, fresh, gone)
	}
	if len(plan.Waits) > 0 {
		p.Waits = l.ReshardWaits(len(plan.Waits))
	}
	name, parameters := instanceNames(plan, job), make(map[int]string, len(job.Shards))
	for _, sh := range job.Shards {
		parameters[sh.Item] = sh.Parameter
	}
	add := func(n int, now, then string) {
		row := jobs.ReshardRow{Shard: strings.TrimSpace(strconv.Itoa(n) + " " + parameters[n]), Now: name(now), Then: name(then), Tone: ui.ToneQuiet, Change: l.ReshardStays()}
		switch {
		case now == then:
		case then == "":
			row.Tone, row.Change = ui.ToneOff, l.ReshardGoes()
		case now == "":
			row.Tone, row.Change = ui.ToneRun, l.ReshardIsNew()
		default:
			row.Tone, row.Change = ui.ToneWarn, l.ReshardMoves()
		}
		p.Rows = append(p.Rows, row)
	}
	few := len(plan.Owners)+gone <= plannedRows
	for n, then := range plan.Owners {
		m, moves := moves[n]
		if now := m.From; moves && len(p.Rows) < plannedRows {
			add(n, now, then)
		} else if few {
			add(n, then, then)
		}
	}
	for _, m := range plan.Moves {
		if m.Item >= len(plan.Owners) && len(p.Rows) < plannedRows {
			add(m.Item, m.From, "")
		}
	}
	if rest := len(plan.Owners) + gone - len(p.Rows); rest > 0 {
		p.More = l.ReshardMore(rest)
	}
}

// instanceNames names an instance by its address, and in full if another of the plan has
// the same address.
func instanceNames(plan *statistics.ReshardPlan, job statistics.JobDetail) func(id string) string {
	at := make(map[string]string)
	several := make(map[string]bool)
	note := func(id string) {
		ip := jobtree.InstanceIP(id)
		if other, known := at[ip]; known && other != id {
			several[ip] = true
		}
		at[ip] = id
	}
	for _, id := range plan.Instances {
		note(id)
	}
	for _, i := range job.Instances {
		note(i.ID)
	}
	for _, m := range plan.Moves {
		note(m.From)
	}
	return func(id string) string {
		if ip := jobtree.InstanceIP(id); !several[ip] {
			return jobtree.Shown(ip)
		}
		return jobtree.Shown(id)
	}
}

// planLoad says how many shards each instance would have.
func planLoad(l i18n.Lang, plan *statistics.ReshardPlan) string {
	if len(plan.Instances) == 0 {
		return l.ReshardNobody()
	}
	counts := make(map[string]int, len(plan.Instances))
	for _, owner := range plan.Owners {
		counts[owner]++
	}
	least, most := len(plan.Owners), 0
	var shares []string
	for _, id := range plan.Instances {
		n := counts[id]
		least, most = min(least, n), max(most, n)
		shares = append(shares, strconv.Itoa(n))
	}
	if len(shares) <= plannedLoads {
		return l.ReshardLoad(strings.Join(shares, " · "))
	}
	return l.ReshardLoadRange(len(shares), least, most)
}
