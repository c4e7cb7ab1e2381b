package rest

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// jobBody is a job in a list: ElasticJob's JobBriefInfo and what it lacks.
type jobBody struct {
	JobName            string `json:"jobName"`
	Status             string `json:"status"`
	Reason             string `json:"reason,omitempty"`
	Title              string `json:"title,omitempty"`
	Description        string `json:"description"`
	Cron               string `json:"cron"`
	TimeZone           string `json:"timeZone,omitempty"`
	NextFireTime       string `json:"nextFireTime,omitempty"`
	NoFireReason       string `json:"noFireReason,omitempty"`
	Type               string `json:"type,omitempty"`
	InstanceCount      int    `json:"instanceCount"`
	ShardingTotalCount int    `json:"shardingTotalCount"`
	ServerCount        int    `json:"serverCount"`
	DisabledServers    int    `json:"disabledServerCount"`
	DisabledShards     int    `json:"disabledShardCount"`
	Leader             string `json:"leader,omitempty"`
	ConfigError        string `json:"configError,omitempty"`
	// Health is the state that pages show, HealthReason says why in at most five
	// words and HealthSentence in full. Status and Reason are what the registry
	// alone tells.
	Health         string `json:"health"`
	HealthReason   string `json:"healthReason,omitempty"`
	HealthSentence string `json:"healthSentence"`
	HealthSince    string `json:"healthSince,omitempty"`
	NeverRan       bool   `json:"neverRan,omitempty"`
	// Held is what stands still until somebody releases the job; absent for nothing.
	Held *api.Hold `json:"held,omitempty"`
}

// shardBody is ElasticJob's ShardingInfo and what it lacks.
type shardBody struct {
	Item             int    `json:"item"`
	Parameter        string `json:"parameter,omitempty"`
	ServerIP         string `json:"serverIp"`
	InstanceID       string `json:"instanceId"`
	Status           string `json:"status"`
	Reason           string `json:"reason,omitempty"`
	Failover         bool   `json:"failover"`
	FailoverInstance string `json:"failoverInstance,omitempty"`
	RunningOn        string `json:"runningOn,omitempty"`
	RunningSince     string `json:"runningSince,omitempty"`
	Disabled         bool   `json:"disabled"`
	Misfire          bool   `json:"misfire"`
	Lost             bool   `json:"lost"`
}

type jobServerBody struct {
	IP        string   `json:"ip"`
	Enabled   bool     `json:"enabled"`
	Instances []string `json:"instances"`
}

type instanceBody struct {
	ID      string `json:"id"`
	IP      string `json:"ip"`
	Leader  bool   `json:"leader"`
	Enabled bool   `json:"enabled"`
	Since   string `json:"since,omitempty"`
	// Agent is what its agent announces; null for agents of Java's.
	Agent *agentBody `json:"agent"`
}

type agentBody struct {
	Version     string      `json:"version,omitempty"`
	Started     string      `json:"started,omitempty"`
	TimeZone    string      `json:"timeZone,omitempty"`
	Debug       jobrun.Held `json:"debug,omitempty"`
	MaxParallel int         `json:"maxParallel,omitempty"`
	// NoRecorder: it records no runs.
	NoRecorder bool `json:"noRecorder,omitempty"`
}

func agentJSON(a statistics.Agent) *agentBody {
	if !a.Ours {
		return nil
	}
	return &agentBody{Version: a.Version, Started: optionalTime(a.Started), TimeZone: a.Zone, Debug: a.Debug, MaxParallel: a.MaxParallel, NoRecorder: a.NoRecorder}
}

type jobDetailBody struct {
	jobBody
	NextFireTimes []string `json:"nextFireTimes"`
	Config        string   `json:"config"`
	ConfigVersion int32    `json:"configVersion"`
	// Shards are the first [query.MaxShards]; the others are read page by page.
	Shards           []shardBody     `json:"shards"`
	Servers          []jobServerBody `json:"servers"`
	Instances        []instanceBody  `json:"instances"`
	ReshardingNeeded bool            `json:"reshardingNeeded"`
	Resharding       bool            `json:"resharding"`
	// Warnings are about fields of the configuration that could not be written
	// like this here, or that not all agents take for the same.
	Warnings []console.FieldBody `json:"warnings"`
}

type outcomeBody struct {
	// Job is empty for an action on every job of a server; Affected then
	// names jobs. Otherwise it names servers, instances or the shard.
	Job      string     `json:"job,omitempty"`
	Server   string     `json:"server,omitempty"`
	Affected []string   `json:"affected"`
	Skipped  []skipBody `json:"skipped"`
}

type skipBody struct {
	Target string `json:"target"`
	Reason string `json:"reason"`
}

// jobs answers with the list of jobs. Without page and pageSize it is the
// whole list, as ElasticJob's console answered; X-Total-Count has the number of
// jobs that match either way.
func (s *API) jobs(c *gin.Context) {
	values := c.Request.URL.Query()
	asked, problems := query.ParseJobs(values)
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if !values.Has("page") && !values.Has("pageSize") {
		asked.Size = max(1, len(all))
	}
	found := asked.Select(all, s.Now(), s.ReadHealth(c, all).Seen())
	rows := []jobBody{} // never null in JSON
	if asked.Page == found.Page {
		for _, j := range found.Rows {
			rows = append(rows, jobJSON(*j.Job, j.Plan, *j.Health))
		}
	}
	c.Header("X-Total-Count", strconv.Itoa(found.Total))
	writeModel(c, http.StatusOK, rows)
}

// jobsCount answers with the number of jobs: the length of the list.
func (s *API) jobsCount(c *gin.Context) {
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, len(all))
}

// job answers with everything about one job.
func (s *API) job(c *gin.Context) {
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, jobDetailJSON(job, s.JobHealth(c, job.Job), console.Caller(c).Role == auth.RoleRoot, s.Now()))
}

// actionFromAPI carries out an action and answers with its outcome; a removal
// leaves nothing to tell.
func (s *API) actionFromAPI(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		t, err := targetOf(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		chosen := o
		switch word := c.Query(o.Variant); {
		case o.Variant == "" || word == "" || word == "false":
		case word == "true":
			chosen.Call = o.CallVariant
			s.Note(c, slog.Bool(o.Variant, true))
		default:
			s.Fail(c, console.Invalid(fmt.Sprintf("%s %q is neither true nor false.", o.Variant, view.Clip(word, 40)), "Correct the query string. Nothing was changed."))
			return
		}
		s.answerAction(c, chosen, t)
	}
}

// answerAction carries an action out and answers with what it did.
func (s *API) answerAction(c *gin.Context, o console.Action, t console.Target) {
	out, err := s.Submit(c, o, t)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if o.Verb == console.Remove.Verb || console.Enveloped(c) {
		console.Done(c)
		return
	}
	writeModel(c, http.StatusOK, outcomeJSON(t, out))
}

// reasoned is a handler whose requests may say why, for the audit.
func (s *API) reasoned(next gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		reason := strings.TrimSpace(c.Query("reason"))
		if p := console.CheckReason(reason); p != nil {
			s.Fail(c, p)
			return
		}
		if reason != "" {
			s.Note(c, slog.String("reason", reason))
		}
		next(c)
	}
}

// targetOf is what the address of an action names.
func targetOf(c *gin.Context) (t console.Target, err error) {
	if _, named := c.Params.Get("job"); named {
		if t.Job, err = console.JobName(c); err != nil {
			return t, err
		}
	}
	if _, named := c.Params.Get("ip"); named {
		if t.IP, err = console.ServerIP(c); err != nil {
			return t, err
		}
	}
	if text, named := c.Params.Get("item"); named {
		t.IsShard, t.Instance = true, c.Query("instance")
		if t.Item, err = strconv.Atoi(text); err != nil || t.Item < 0 || t.Item > math.MaxInt32 || text != strconv.Itoa(t.Item) {
			return t, console.Invalid(fmt.Sprintf("%q is not the number of a shard.", view.Clip(text, 40)), "Shards are numbered from 0. Nothing was changed.")
		}
	}
	return t, nil
}

func outcomeJSON(t console.Target, out lifecycle.Outcome) outcomeBody {
	body := outcomeBody{Job: t.Job, Server: t.IP, Affected: append([]string{}, out.Affected...), Skipped: []skipBody{}}
	for _, skip := range out.Skipped {
		body.Skipped = append(body.Skipped, skipBody{Target: skip.Target, Reason: skip.Reason})
	}
	return body
}

func jobJSON(j statistics.Job, p view.Plan, h health.Health) jobBody {
	body := jobBody{
		JobName: j.Name, Status: string(j.Status), Reason: j.Reason, Title: j.Title, Description: j.Description,
		Cron: jobtree.Shown(j.Cron), TimeZone: jobtree.Shown(j.Zone()), Type: j.Type,
		InstanceCount: j.Instances, ShardingTotalCount: j.Shards,
		ServerCount: j.Servers, DisabledServers: j.DisabledServers, DisabledShards: j.DisabledItems,
		Leader: j.Leader, ConfigError: j.ConfigError, NoFireReason: string(p.Why),
		Health: string(h.State), HealthReason: h.Reason, HealthSentence: h.Sentence, HealthSince: optionalTime(h.Since), NeverRan: h.NeverRan, Held: holdJSON(j.Held),
	}
	if next := p.Next(); !next.IsZero() {
		body.NextFireTime = view.IsoTime(next)
	}
	return body
}

func jobDetailJSON(job statistics.JobDetail, h health.Health, operates bool, now time.Time) jobDetailBody {
	p := view.PlanOf(job.Job, now, view.PlannedFires)
	body := jobDetailBody{
		jobBody:       jobJSON(job.Job, p, h),
		NextFireTimes: []string{}, Config: console.ConfigText(job.RawConfig, operates), ConfigVersion: job.ConfigVersion,
		Shards: shardsJSON(job.Shards[:min(query.MaxShards, len(job.Shards))]), Servers: []jobServerBody{}, Instances: []instanceBody{},
		ReshardingNeeded: job.ReshardingNeeded, Resharding: job.Resharding, Warnings: console.ConfigWarnings(job, operates),
	}
	for _, t := range p.Fires {
		if p.Why == "" {
			body.NextFireTimes = append(body.NextFireTimes, view.IsoTime(t))
		}
	}
	for _, srv := range job.Servers {
		body.Servers = append(body.Servers, jobServerBody{IP: srv.IP, Enabled: srv.Enabled, Instances: append([]string{}, srv.Instances...)})
	}
	for _, i := range job.Instances {
		body.Instances = append(body.Instances, instanceBody{ID: i.ID, IP: i.IP, Leader: i.Leader, Enabled: i.Enabled, Since: optionalTime(i.Since), Agent: agentJSON(i.Agent)})
	}
	return body
}

func shardsJSON(shards []statistics.Shard) []shardBody {
	list := []shardBody{}
	for _, sh := range shards {
		ip := sh.IP
		if ip == "" && sh.Instance != "" {
			ip = jobtree.InstanceIP(sh.Instance)
		}
		list = append(list, shardBody{
			Item: sh.Item, Parameter: sh.Parameter, ServerIP: ip, InstanceID: sh.Instance,
			Status: string(sh.Status), Reason: sh.Reason, Failover: sh.Failover != "", FailoverInstance: sh.Failover,
			RunningOn: sh.RunningOn, RunningSince: optionalTime(sh.RunningSince), Disabled: sh.Disabled, Misfire: sh.Misfire, Lost: sh.Lost,
		})
	}
	return list
}

// optionalTime is an instant as precise as it is known, empty if it is not.
func optionalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
