package statistics_test

import (
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

var (
	onTime  = statistics.CheckOnTime
	lastRun = statistics.CheckLastRun
)

// obstacle is the node in which an agent announces why it doesn't run the job.
func obstacle(id, code string) string {
	return "\nj/extension/refused/" + id + ` [E] = "{\"code\":\"` + code + `\",\"text\":\"because of this.\"}"` + "\n"
}

// checksOf lists codes of checks.
func checksOf(list ...statistics.CheckCode) []statistics.CheckCode { return list }

// plantedCauses are jobs with one cause each for which they don't run, or run and fail, and
// jobs that look so and are well.
var plantedCauses = map[string]planted{
	"nothing": {state: explain.Healthy, holds: checksOf(onTime, lastRun)},

	// The job has never managed its first run.
	"W81 never ran, ours, no record": {none: true, fired: []int{}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime, lastRun)},
	"W81 never ran, ours, records from before": {
		none: true, fired: []int{-30, -30}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime, lastRun),
	},
	"W81 ran, nobody records the runs": {
		none: true, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
	},
	"W81 never ran, one of Java's": {
		none: true, without: agents[:1], fired: []int{}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
	},
	"W81 never ran, all of Java's": {
		none: true, without: agents, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
	},
	"W81 never ran, nobody has looked": {none: true, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun)},
	"W81 not due yet":                  {none: true, config: `cron: 0 0 0 1 1 ? 2099\ntimeZone: GMT+0\n`, state: explain.Healthy, claims: checksOf(lastRun)},
	"W81 runs when it is triggered":    {none: true, config: `` + " ", state: explain.Healthy, claims: checksOf(onTime, lastRun)},

	// A shard that never runs.
	"W82 a shard takes no part": {
		runs: []string{"0 ok,-", "-1 ok,-", "-2 ok,-"}, state: explain.Partial, code: statistics.CodeShardsMissed, claims: checksOf(onTime),
	},
	"W82 it took part in the run before":   {runs: []string{"0 ok,-", "-1 ok,ok"}, state: explain.Healthy},
	"W82 nobody has recorded its runs":     {runs: []string{"0 ok,-", "-1 ok,-"}, fired: []int{0, 0}, state: explain.Healthy},
	"W82 the registry says the same":       {runs: []string{"0 ok,-", "-1 ok,-"}, fired: []int{0, -9}, state: explain.Partial, code: statistics.CodeShardsMissed},
	"W82 of Java's rows":                   {without: agents, runs: []string{"0 java,-", "-1 java,-", "-2 java,-"}, state: explain.Partial, code: statistics.CodeShardsMissed},
	"W82 of Java's rows, which come apart": {without: agents, runs: []string{"0 java,-", "-1 -,java", "-2 java,-"}, state: explain.Healthy},
	"W82 it is switched off": {
		tree: "j/sharding/1/disabled", runs: []string{"0 ok,-", "-1 ok,-"}, state: explain.Partial, code: statistics.CodeItemDisabled,
	},

	// The registry alone keeps the job from running.
	"W83 cron never again":            {config: `cron: 0 0 0 1 1 ? 2020\ntimeZone: GMT+0\n`, state: explain.Ended, code: statistics.CodeCronNeverAgain, claims: checksOf(onTime)},
	"W83 until is past":               {config: hourly + `props:\n  schedule.until: 2020-06-01T00:00:00Z\n`, state: explain.Ended, code: statistics.CodeScheduleEnded, claims: checksOf(onTime)},
	"W83 no such date":                {config: `cron: 0 0 0 30 2 ?\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 invalid cron":                {config: `cron: 0 0 25 * * ?\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 invalid zone":                {config: `cron: 0 0 * * * ?\ntimeZone: Asia/Shanghai\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 invalid zone by name":        {config: `cron: 0 0 * * * ?\nprops:\n  schedule.zone: Mars\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 invalid rule":                {config: hourly + `props:\n  schedule.until: soon\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 every shard off":             {tree: "j/sharding/0/disabled\nj/sharding/1/disabled", state: explain.Disabled, code: statistics.CodeItemDisabled, claims: checksOf(onTime)},
	"W83 every live server off":       {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.2 = DISABLED\nj/servers/10.0.0.3 = ENABLED", state: explain.Down, code: statistics.CodeNoEnabledInstance},
	"W83 every server off":            {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.2 = DISABLED", state: explain.Disabled, code: statistics.CodeJobDisabled},
	"W83 nobody there":                {without: instances, state: explain.Down, code: statistics.CodeNoInstance},
	"W83 nobody there, and off":       {without: instances, tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.2 = DISABLED", state: explain.Down, code: statistics.CodeNoInstance},
	"W83 no shards":                   {tree: `j/config = "jobName: j\nshardingTotalCount: 0\n"`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
	"W83 no document":                 {tree: `j/config = "*/5 * * * * ?"`, state: explain.Unreadable, code: statistics.CodeConfigUnreadable},
	"W83 unknown key, all of Java's":  {config: hourly + `whatever: 1\n`, without: agents, state: explain.Unreadable, code: statistics.CodeConfigKeyUnknown},
	"W83 unknown key, one of Java's":  {config: hourly + `whatever: 1\n`, without: agents[:1], state: explain.Partial, code: statistics.CodeConfigKeyUnknown},
	"W83 unknown key, none of Java's": {config: hourly + `whatever: 1\n`, state: explain.Healthy},
	"W83 no configuration":            {without: []string{"j/config"}, state: explain.Unreadable, code: statistics.CodeConfigAbsent},
	"nobody leads":                    {without: instances[2:], state: explain.Healthy},
	"nobody leads, and shards wait":   {without: instances[2:], tree: "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeNoLeader},
	"the leader is gone":              {tree: "j/leader/election/instance = 10.0.0.9@-@1\nj/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeLeaderGone},
	"a resharding is announced":       {tree: "j/leader/sharding/necessary", state: explain.Resharding, code: statistics.CodeReshardingAnnounced},
	"a resharding goes on":            {tree: "j/leader/sharding/necessary\nj/leader/sharding/processing [E]", state: explain.Resharding, code: statistics.CodeReshardingProcessing},
	"nothing is assigned":             {without: []string{"j/sharding/0/instance", "j/sharding/1/instance"}, state: explain.Resharding, code: statistics.CodeNothingDealt},
	"a shard without an owner":        {without: []string{"j/sharding/0/instance"}, state: explain.Resharding, code: statistics.CodeItemWithoutOwner},
	"a shard's owner is gone":         {tree: "j/sharding/0/instance = 10.0.0.9@-@1", state: explain.Resharding, code: statistics.CodeItemOwnerGone},
	"refused by the only process": {
		without: append(instances, agents...), tree: "j/extension/refused/10.0.0.1@-@7 [E] = the class is another one", state: explain.Blocked, code: statistics.CodeJobRefused,
	},
	"refused by one of three": {tree: "j/extension/refused/10.0.0.3@-@9 [E] = the class is another one", state: explain.Healthy},

	// W86: an agent announces why it doesn't run the job.
	"W86 no such executor, here":       {tree: obstacle(secondID, "EXECUTOR_UNKNOWN"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime)},
	"W86 no such executor, not late":   {tree: obstacle(secondID, "EXECUTOR_UNKNOWN"), state: explain.Partial, code: statistics.CodeAgentObstacle},
	"W86 no such executor, anywhere":   {tree: obstacle(secondID, "EXECUTOR_UNKNOWN") + obstacle(leaderID, "EXECUTOR_UNKNOWN"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime)},
	"W86 no such listener":             {tree: obstacle(secondID, "LISTENER_UNKNOWN") + obstacle(leaderID, "LISTENER_UNKNOWN"), none: true, state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 no such error handler":        {tree: obstacle(secondID, "ERROR_HANDLER_UNKNOWN") + obstacle(leaderID, "ERROR_HANDLER_UNKNOWN"), away: true, state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 no such strategy":             {tree: obstacle(leaderID, "STRATEGY_UNKNOWN") + "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 no such strategy, not needed": {tree: obstacle(leaderID, "STRATEGY_UNKNOWN"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 the strategy fails":           {tree: obstacle(leaderID, "ASSIGNING") + "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 forbidden, of two":            {tree: obstacle(secondID, "FORBIDDEN"), state: explain.Partial, code: statistics.CodeAgentObstacle},
	"W86 forbidden, both":              {tree: obstacle(secondID, "FORBIDDEN") + obstacle(leaderID, "FORBIDDEN"), state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 a listener fails":             {tree: obstacle(secondID, "NOT_BEGUN"), state: explain.Partial, code: statistics.CodeAgentObstacle},
	"W86 no place":                     {tree: obstacle(secondID, "NO_PLACE") + "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running, code: statistics.CodeAgentObstacle},
	"W86 Debug in one process":         {tree: obstacle(secondID, "DEBUG"), state: explain.Partial, code: statistics.CodeAgentObstacle},
	"W86 Debug everywhere":             {tree: obstacle(secondID, "DEBUG") + obstacle(leaderID, "DEBUG"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime)},
	"W86 Debug without a shard":        {tree: obstacle("10.0.0.3@-@9", "DEBUG"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 of a later version":           {tree: obstacle(secondID, "MOON_PHASE") + obstacle(leaderID, "MOON_PHASE"), state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 a shard that is off":          {tree: obstacle(secondID, "DEBUG") + "j/sharding/0/disabled", state: explain.Partial, code: statistics.CodeItemDisabled},
	"W86 it can't follow the job":      {tree: obstacle(secondID, "CONTROL") + obstacle(leaderID, "CONTROL"), state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 forbidden to register":        {tree: obstacle(leaderID, "FORBIDDEN"), without: append(instances, agents...), state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 junk":                         {tree: "j/extension/refused/" + secondID + " [E] = junk", state: explain.Healthy, code: statistics.CodeJobRefused},

	// Held.
	"W84 held": {tree: `j/extension/held = "{\"what\":\"schedule\",\"by\":\"root\"}"`, state: explain.Held, code: statistics.CodeHeld, claims: checksOf(onTime)},
	"W84 held, and it failed before": {
		tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, runs: []string{"0 ok,failed"}, state: explain.Held, code: statistics.CodeHeld, claims: checksOf(onTime, lastRun),
	},
	"W84 its requests are held": {tree: `j/extension/held = "{\"what\":\"requests\",\"by\":\"root\"}"`, state: explain.Healthy, holds: checksOf(onTime)},
	"W84 the first run hangs": {
		tree: "j/sharding/0/running = " + secondID + "\nj/sharding/1/running = " + leaderID, runs: []string{"0 on,on"}, state: explain.Running, claims: checksOf(lastRun),
	},
	"it runs":                  {tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running, holds: checksOf(lastRun)},
	"it runs over a fire time": {tree: "j/sharding/0/running = " + secondID, runs: []string{"-2 on,ok", "-3 ok,ok"}, state: explain.Running},

	// Late.
	"W85 late":                            {runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime), holds: checksOf(lastRun)},
	"W85 late, triggered by hand since":   {runs: []string{"0 manual,manual", "-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime)},
	"W85 late without a zone":             {config: `cron: 0 0 * * * ?\n`, runs: []string{"0 manual,manual", "-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
	"W85 late in no zone for sure":        {config: `cron: 0 0 3 * * ?\n`, runs: []string{"-2 ok,ok"}, state: explain.Healthy},
	"late, and a resharding is announced": {tree: "j/leader/sharding/necessary", runs: []string{"-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
	"late by rows, on time by the registry": {
		runs: []string{"-2 ok,ok", "-3 ok,ok"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime),
	},
	"late, one shard by the registry": {runs: []string{"-2 ok,ok", "-3 ok,ok"}, fired: []int{0, -2}, state: explain.Late, code: statistics.CodeLate},

	// W87: static sharding.
	"W87 static, every owner is gone": {
		config: hourly + `staticSharding: true\n`, tree: "j/sharding/0/instance = 10.0.0.9@-@1\nj/sharding/1/instance = 10.0.0.9@-@1",
		state: explain.Blocked, code: statistics.CodeItemOwnerGone,
	},
	"W87 static, an owner is gone": {
		config: hourly + `staticSharding: true\n`, tree: "j/sharding/0/instance = 10.0.0.9@-@1", state: explain.Partial, code: statistics.CodeItemOwnerGone,
	},

	// W89.
	"W89 a 2.1 document next to agents of ours": {
		tree: `j/config = "{\"jobName\":\"j\",\"jobType\":\"SIMPLE\",\"jobClass\":\"a.B\",\"cron\":\"0 0 * * * ?\",\"shardingTotalCount\":2}"`, without: append(instances, agents...),
		state: explain.Down, code: statistics.CodeNoInstance,
	},
	"W89 an offer is left over": {
		tree: "j/leader/failover/items/0", state: explain.Healthy, runs: []string{"0 ok,ok", "-1 ok,ok"},
	},
	"an offer waits": {tree: "j/leader/failover/items/0", runs: []string{"-200 ok,ok"}, state: explain.Failing, code: statistics.CodeFailoverOffered},
	"W89 one server is off, others have its shards": {
		tree: "j/servers/10.0.0.2 = DISABLED\nj/sharding/0/instance = " + leaderID, state: explain.Healthy, holds: checksOf(onTime),
	},
	"W89 a junk instance": {tree: "j/instances/10.0.0.3@-@9 [E] = junk", state: explain.Healthy},
	"an interrupted run":  {tree: "j/sharding/0/running = 10.0.0.9@-@1", state: explain.Failing, code: statistics.CodeRunningStale},

	// W90: unknown isn't healthy.
	"W90 the history is away":                 {away: true, state: explain.Unknown, code: statistics.CodeHistoryAway, claims: checksOf(onTime, lastRun)},
	"W90 the history is away, and it is down": {away: true, without: instances, state: explain.Down, code: statistics.CodeNoInstance},

	// Failing, and unstable.
	"failing":                    {runs: []string{"0 ok,failed", "-1 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun), holds: checksOf(onTime)},
	"lost":                       {runs: []string{"0 ok,lost", "-1 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun)},
	"failing and late":           {runs: []string{"-2 ok,failed", "-3 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun, onTime)},
	"failing and down":           {without: instances, runs: []string{"0 ok,failed"}, state: explain.Down, code: statistics.CodeNoInstance, claims: checksOf(lastRun)},
	"W23 one of ten failed":      {runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,ok"}, state: explain.Healthy},
	"W23 two of three failed":    {runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable, holds: checksOf(lastRun)},
	"W23 two, one in front":      {runs: []string{"0 ok,failed", "-1 ok,ok", "-2 ok,failed"}, state: explain.Failing, code: statistics.CodeFailing},
	"W23 two, one long ago":      {runs: []string{"0 ok,ok", "-1 ok,ok", "-2 ok,ok", "-3 ok,ok", "-4 ok,failed", "-5 ok,ok", "-6 ok,ok", "-7 ok,ok", "-8 ok,ok", "-9 ok,ok", "-10 ok,failed"}, state: explain.Healthy},
	"W23 two of the last ten":    {runs: []string{"0 ok,ok", "-1 ok,ok", "-2 ok,ok", "-3 ok,ok", "-4 ok,failed", "-5 ok,ok", "-6 ok,ok", "-7 ok,ok", "-8 ok,ok", "-9 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable},
	"W23 unstable, and it runs":  {tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok", "-2 ok,failed", "-3 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable},
	"W23 unstable, and disabled": {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.2 = DISABLED", runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,failed"}, state: explain.Disabled, code: statistics.CodeJobDisabled},

	// What explains and holds nothing up.
	"monitorExecution is off": {tree: `j/config = "jobName: j\nshardingTotalCount: 2\ncron: 0 0 * * * ?\ntimeZone: GMT+0\n"`, state: explain.Healthy},
	"a run property is wrong": {config: hourly + `props:\n  run.keep: many\n`, state: explain.Healthy},
	"a stranger's node":       {tree: "j/instances/what is this", state: explain.Healthy},
	"more shards than wanted": {tree: "j/sharding/2/instance = " + leaderID, state: explain.Healthy},
	"a missed fire time":      {tree: "j/sharding/0/misfire", state: explain.Healthy},
	"a trigger waits":         {tree: "j/trigger/" + secondID, state: explain.Healthy},
}
