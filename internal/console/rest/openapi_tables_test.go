package rest

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// What the types of our bodies do not say of their fields: which texts are
// instants, and which are one of a few. A test reads every answer of every route
// with it.

// instants are the fields that are an instant of RFC 3339, by schema.
var instants = map[string][]string{
	"auditRecord":  {"at"},
	"bulkRequest":  {"enableAt"},
	"cloudJob":     {"startTime", "endTime", "createdAt", "lastFireTime", "nextFireTime"},
	"cloudLastRun": {"completeTime"}, "cloudCondition": {"since"}, "cloudReason": {"since"}, "cloudTriggerRequest": {"notBefore"}, "cloudReportedRun": {"scheduledAt", "startTime", "completeTime"},
	"cloudRun": cloudRunInstants, "cloudRunDetail": cloudRunInstants, "cloudTask": {"createdAt", "startTime", "completeTime"},
	"backfillAnswer": {"first", "last"}, "backfillRequest": {"from", "to"}, "backfill": {"requestedAt", "completeTime", "from", "to", "next"},
	"execution":     {"startTime", "completeTime", "scheduledAt"},
	"explanation":   {"at", "nextFireTime"},
	"finding":       {"since"},
	"instance":      {"since"},
	"job":           {"nextFireTime", "healthSince"},
	"jobDetail":     {"nextFireTimes", "healthSince"},
	"loginResponse": {"expiresAt"},
	"me":            {"expiresAt"},
	"loss":          {"at"},
	"past":          {"at", "fireTime"},
	"readyCheck":    {"since"},
	"results":       {"from", "to"},
	"run":           {"startTime", "completeTime", "scheduledAt"},
	"runRequest":    {"notBefore", "fireTime"},
	"requestedRun":  requestedInstants, "submittedRun": requestedInstants,
	"batchEntry": {"notBefore", "fireTime"}, "batchRun": {"dueAt"},
	"cancellation": {"at"}, "runShard": {"since"}, "requestedRunDetail": requestedInstants,
	"runStep": {"at"}, "runProgress": {"at"}, "runLogLine": {"at"},
	"runDetail": {"startTime", "completeTime", "scheduledAt"},
	"shard":     {"runningSince"},
	"status":    {"creationTime"},
	"token":     {"createdAt", "expiresAt", "lastUsedAt"}, "newToken": {"createdAt", "expiresAt", "lastUsedAt"}, "tokenRequest": {"expiresAt"},
	"view": {"at"},
}

// cloudRunStates are the states of runs of ElasticJob-Cloud.
var cloudRunStates = texts(cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)

var cloudRunInstants = []string{"fireTime", "createdAt", "startTime", "completeTime"}

var requestedInstants = []string{"submittedAt", "dueAt", "expiresAt", "startTime", "completeTime"}

// The states of requested runs, how they are assigned, which the trace database does not say, and
// where they were read. What only a later version knows is "unknown".
var (
	shownStates = append(slices.Clone(query.RequestedStates), "unknown")
	assigns     = []string{"each", "one", "unknown", ""}
	sources     = []string{api.FromRegistry, api.FromDatabase}
)

// bulkOrders are the actions on several jobs.
var bulkOrders = append(verbs(), app.Label.Verb, app.Hold.Verb, app.Release.Verb, app.CancelWaiting.Verb)

// choices are the fields that are one of a few texts, by schema and field.
var choices = map[string][]string{
	"bulk.order":                bulkOrders,
	"bulkRequest.order":         bulkOrders,
	"dataSource.type":           texts(store.SQLite, store.MySQL, store.Postgres, ""),
	"execution.state":           texts(query.RunStates...),
	"cloudJob.jobExecutionType": texts(cloud.TypeTransient, cloud.TypeDaemon), "cloudRun.state": cloudRunStates, "cloudRunDetail.state": cloudRunStates,
	"finding.effect":           texts(statistics.EffectJob, statistics.EffectServer, statistics.EffectShards, statistics.EffectNothing),
	"importEntry.kind":         {"registry", "data source"},
	"loss.exit":                {"lost", "unknown"},
	"job.health":               texts(explain.States...),
	"jobDetail.health":         texts(explain.States...),
	"explanation.health":       texts(explain.States...),
	"job.status":               texts(query.JobStatuses...),
	"me.role":                  texts(auth.RoleRoot, auth.RoleOperator, auth.RoleGuest),
	"result.statisticInterval": {"MINUTE", "HOUR", "DAY"}, "results.statisticInterval": {"MINUTE", "HOUR", "DAY"},
	"ready.status":      {"ok", "failed"},
	"readyCheck.status": {"ok", "failed"},
	"run.state":         texts(query.RunStates...),
	"runDetail.state":   texts(query.RunStates...),
	"hold.what":         texts(app.Holds...), "holdRequest.what": texts(app.Holds...),
	"requestedRun.state": shownStates, "submittedRun.state": shownStates, "requestedRunDetail.state": shownStates,
	"requestedRun.assign": assigns, "submittedRun.assign": assigns, "requestedRunDetail.assign": assigns,
	"requestedRun.source": sources, "submittedRun.source": sources, "requestedRunDetail.source": sources, "requestedRuns.source": append([]string{api.FromBoth}, sources...),
	"requestedRunDetail.record": texts(app.Recorded, app.NoDatabase, app.NoTables, app.DatabaseDown),
	"runRequest.overlap":        {"queue", "one", "skip", "cancel"},
	"allRequestedRuns.source":   append([]string{api.FromBoth, api.FromNowhere}, sources...), "allRequestedRuns.registry": texts(api.PlaceRead, api.PlaceNotAsked, api.PlaceUnavailable),
	"allRequestedRuns.database": append(texts(api.PlaceRead, api.PlaceNotAsked), texts(app.NoDatabase, app.NoTables, app.DatabaseDown)...),
	"backfill.state":            {"queued", "running", "succeeded", "failed", "cancelled"},
	"batchEntry.overlap":        {"queue", "one", "skip", "cancel"},
	"runShard.state":            {"running", "failed", "cancelled", "waiting", "skipped", "succeeded"},
	"serverJob.status":          {"OK", "DISABLED"},
	"shard.status":              texts(statistics.ShardDisabled, statistics.ShardRunning, statistics.ShardShardingFlag, statistics.ShardBlocked, statistics.ShardPending),
	"view.area":                 query.Areas,
	"viewRequest.area":          query.Areas,
	"token.scope":               texts(auth.Scopes...),
	"newToken.scope":            texts(auth.Scopes...),
	"tokenRequest.scope":        texts(auth.Scopes...),
	"dataSourceRequest.type":    texts(store.SQLite, store.MySQL, store.Postgres, ""),
}

// values are the parameters that are no text of any kind, by name, and where one
// name means several things by route and name.
var values = map[string]map[string]any{
	"page": number(1), "pageSize": number(1), "limit": number(1), "shards": number(1), "item": number(0), "port": number(1),
	"persistent": {"type": "boolean"}, "force": {"type": "boolean"}, "offline": {"type": "boolean"}, "preview": {"type": "boolean"},
	"order": oneOf("asc", "desc"), "match": oneOf("prefix"), "interval": oneOf(texts(rdb.Minute, rdb.Hour, rdb.Day)...),
	"since": oneOf("last24hours"), "period": oneOf("lastMinute", "lastHour", "lastWeek", "online"),
	"from": instant(), "to": instant(),
	"GET /api/jobs/:job/reshard-plan from": number(0),
	"GET /api/cloud/runs state":            oneOf(cloudRunStates...), "running": oneOf("kill", "suspend", "finish"), "tail": number(1),
	"GET /api/jobs status":                       oneOf(texts(query.JobStatuses...)...),
	"GET /api/jobs/getAllJobsBriefInfo status":   oneOf(texts(query.JobStatuses...)...),
	"GET /api/runs state":                        oneOf(texts(query.RunStates...)...),
	"GET /api/runs/export state":                 oneOf(texts(query.RunStates...)...),
	"GET /api/jobs/:job/runs state":              oneOf(texts(query.RunStates...)...),
	"GET /api/jobs/:job/requested-runs state":    oneOf(query.RequestedStates...),
	"GET /api/requested-runs state":              oneOf(query.RequestedStates...),
	"origin":                                     oneOf(query.RequestedOrigins...),
	"DELETE /api/jobs/:job/requested-runs state": oneOf("scheduled", "queued", "scheduled,queued", "queued,scheduled"),
	"trigger":                              oneOf(texts(query.Triggers...)...),
	"started":                              oneOf("in", "any"),
	"format":                               oneOf("csv", "json"),
	"area":                                 oneOf(query.Areas...),
	"shared":                               {"type": "boolean"},
	"GET /api/event-trace/execution state": oneOf(texts(query.RunStates...)...),
	"GET /api/event-trace/execution sort":  oneOf(texts(query.SortKeys()...)...),
}

func number(least int) map[string]any { return map[string]any{"type": "integer", "minimum": least} }

func instant() map[string]any { return map[string]any{"type": "string", "format": "date-time"} }

func oneOf(texts ...string) map[string]any { return map[string]any{"type": "string", "enum": texts} }

func texts[S ~string](list ...S) []string {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = string(s)
	}
	return all
}

func verbs() []string {
	var list []string
	for _, o := range app.Actions {
		list = append(list, o.Verb)
	}
	return list
}

// valueOf is the schema of a parameter.
func valueOf(r app.Route, name string) map[string]any {
	if v, ok := values[r.Method+" "+r.Path+" "+name]; ok {
		return v
	}
	if v, ok := values[name]; ok {
		return v
	}
	return map[string]any{"type": "string"}
}

// refine says of a field what its type does not.
func refine(schema, field string, of map[string]any) map[string]any {
	switch {
	case slices.Contains(instants[schema], field):
		return refined(of, "format", "date-time")
	case choices[schema+"."+field] != nil:
		return refined(of, "enum", choices[schema+"."+field])
	}
	return of
}

// refined is a schema with something more said of its texts: its own, or those
// of a list.
func refined(of map[string]any, key string, value any) map[string]any {
	of = maps.Clone(of)
	if items, ok := of["items"].(map[string]any); ok {
		of["items"] = refined(items, key, value)
		return of
	}
	of[key] = value
	return of
}

// settings is the schema of an [editor.Body].
func (s schemas) settings() map[string]any {
	const name = "settings"
	if s[name] == nil {
		properties := map[string]any{}
		sample := jobconfig.New("sample", 1)
		for _, list := range editor.Generations() {
			for _, key := range list {
				if value := key.Read(sample); value == nil || strings.HasPrefix(key.Name, "jobExecutor") {
					properties[key.Name] = map[string]any{"type": []string{"string", "null"}}
				} else {
					properties[key.Name] = s.of(reflect.TypeOf(value))
				}
			}
		}
		properties["jobExtraConfigurations"] = map[string]any{}
		for key, of := range properties {
			properties[key] = described(name, key, of.(map[string]any))
		}
		s[name] = map[string]any{"type": "object", "properties": properties}
	}
	return map[string]any{"$ref": "#/components/schemas/" + name}
}
