package statistics_test

import (
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

var (
	onTime  = statistics.CheckOnTime
	lastRun = statistics.CheckLastRun
)

// obstacle returns an agent's announcement that it can't run the job.
func obstacle(id, code string) string {
	return "\nj/extension/refused/" + id + ` [E] = "{\"code\":\"` + code + `\",\"text\":\"because of this.\"}"` + "\n"
}

// waitingFor returns an obstacle that lists the waiting shards.
func waitingFor(id, code, shards string) string {
	return strings.Replace(obstacle(id, code), "this.", `this.\",\"shards\":\"`+shards, 1)
}

// noFailover is a configuration with which markers are ephemeral.
const noFailover = `j/config = "jobName: j\nshardingTotalCount: 2\nmonitorExecution: true\nmisfire: true\n` + hourly + `"` + "\n"

// Actions of agents and operators: the leader assigns the shards, an instance is elected, two
// processes start, both servers are enabled, and an operator releases the job.
const (
	assigned2 = "- j/leader/sharding/necessary\n- j/leader/sharding/processing\nj/sharding/0/instance = " + secondID + "\nj/sharding/1/instance = " + leaderID + "\n"
	elected   = "- j/leader/election/instance\nj/leader/election/instance [E] = " + leaderID + "\n"
	start     = "j/instances/" + leaderID + ` [E] = "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n"` + "\nj/instances/" + secondID + ` [E] = "jobInstanceId: 10.0.0.10@-@8\nserverIp: 10.0.0.10\n"` + "\n" + elected
	accepted  = "- j/extension/refused\n"
	enable    = "j/servers/10.0.0.1 = ENABLED\nj/servers/10.0.0.10 = ENABLED\n"
	release   = "- j/extension/held\nj/extension/runs/done = {now} {now}\n"
	dropping  = `cron: 0 0/6 * * * ?\ntimeZone: GMT+0\nmisfire: false\n`
	legacy21  = `j/config = "{\"jobName\":\"j\",\"jobType\":\"SIMPLE\",\"jobClass\":\"a.B\",\"cron\":\"0 0 * * * ?\",\"shardingTotalCount\":2,\"monitorExecution\":true}"` + "\nj/servers/10.0.0.1 =\nj/servers/10.0.0.10 =\nj/instances/" + leaderID + " [E] =\nj/instances/" + secondID + " [E] =\n"
)

// third returns the nodes of a third instance, with a server and a Go agent.
func third(id string) string {
	return "\nj/servers/10.0.0.9 = ENABLED\nj/extension/agents/" + id + " [E] = go\nj/instances/" + id + ` [E] = "jobInstanceId: ` + id + `\nserverIp: 10.0.0.9\n"` + "\n"
}

func checksOf(list ...statistics.CheckCode) []statistics.CheckCode { return list }

// plantedCauses are jobs with one cause each, for which they don't run or their runs fail, and
// healthy jobs that look similar.
var plantedCauses = map[string]planted{
	"nothing": {state: explain.Healthy, holds: checksOf(onTime, lastRun)},

	// The job has never completed a run.
	"W81 never ran, ours, no record": {none: true, fired: []int{}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime, lastRun), recovers: []string{"0 ok,ok"}},
	"W81 never ran, ours, records from before": {
		none: true, fired: []int{-30, -30}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime, lastRun),
	},
	"W81 ran, nobody records the runs": {
		none: true, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
		recovers: []string{"0 ok,ok"},
	},
	"W81 never ran, one of Java's": {
		none: true, without: ourAgents[:1], fired: []int{}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
	},
	"W81 never ran, all of Java's": {
		none: true, without: ourAgents, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun),
	},
	"W81 never ran, nobody has looked": {none: true, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime, lastRun)},
	"W81 not due yet":                  {none: true, config: `cron: 0 0 0 1 1 ? 2099\ntimeZone: GMT+0\n`, state: explain.Healthy, claims: checksOf(lastRun)},
	"W81 runs when it is triggered":    {none: true, config: `` + " ", state: explain.Healthy, claims: checksOf(onTime, lastRun)},

	// A shard never runs.
	"W82 a shard takes no part": {
		runs: []string{"0 ok,-", "-1 ok,-", "-2 ok,-"}, state: explain.Partial, code: statistics.CodeShardsMissed, claims: checksOf(onTime),
		recovers: []string{"0 ok,ok", "-1 ok,-"},
	},
	"W82 it took part in the run before":   {runs: []string{"0 ok,-", "-1 ok,ok"}, state: explain.Partial, code: statistics.CodeShardsMissed, claims: checksOf(onTime), recovers: []string{"0 ok,ok", "-1 ok,ok"}},
	"W82 it took part, and has no row":     {runs: []string{"0 ok,-", "-1 ok,ok"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded},
	"W82 it took no part, and one runs":    {runs: []string{"0 ok,-", "-1 ok,ok"}, tree: "j/sharding/0/running = " + secondID, state: explain.Running},
	"W82 nobody has recorded its runs":     {runs: []string{"0 ok,-", "-1 ok,-"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded},
	"W82 the registry says the same":       {runs: []string{"0 ok,-", "-1 ok,-"}, fired: []int{0, -9}, state: explain.Partial, code: statistics.CodeShardsMissed},
	"W82 of Java's rows":                   {without: ourAgents, tree: "j/sharding/1/instance = " + secondID, runs: []string{"0 java,-", "-1 java,-", "-2 java,-"}, state: explain.Partial, code: statistics.CodeShardsMissed},
	"W82 of Java's rows, which come apart": {without: ourAgents, runs: []string{"0 java,-", "-1 -,java", "-2 java,-"}, state: explain.Healthy},
	"W82 it is switched off": {
		tree: "j/sharding/1/disabled", runs: []string{"0 ok,-", "-1 ok,-"}, state: explain.Partial, code: statistics.CodeItemDisabled,
		cure: "- j/sharding/1/disabled", recovers: []string{"0 ok,ok", "-1 ok,-"},
	},

	// The registry shows why the job can't run.
	"W83 cron never again":            {config: `cron: 0 0 0 1 1 ? 2020\ntimeZone: GMT+0\n`, state: explain.Ended, code: statistics.CodeCronNeverAgain, claims: checksOf(onTime), cure: documentOf(hourly)},
	"W83 until is past":               {config: hourly + `props:\n  schedule.until: 2020-06-01T00:00:00Z\n`, state: explain.Ended, code: statistics.CodeScheduleEnded, claims: checksOf(onTime), cure: documentOf(hourly)},
	"W83 no such date":                {config: `cron: 0 0 0 30 2 ?\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 invalid cron":                {config: `cron: 0 0 25 * * ?\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 invalid zone":                {config: `cron: 0 0 * * * ?\ntimeZone: Asia/Shanghai\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 invalid zone by name":        {config: `cron: 0 0 * * * ?\nprops:\n  schedule.zone: Mars\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 invalid rule":                {config: hourly + `props:\n  schedule.until: soon\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 every shard off":             {tree: "j/sharding/0/disabled\nj/sharding/1/disabled", state: explain.Disabled, code: statistics.CodeItemDisabled, claims: checksOf(onTime), cure: "- j/sharding/0/disabled\n- j/sharding/1/disabled"},
	"W83 every live server off":       {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED\nj/servers/10.0.0.3 = ENABLED", state: explain.Down, code: statistics.CodeNoEnabledInstance, cure: enable},
	"W83 every server off":            {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", state: explain.Disabled, code: statistics.CodeJobDisabled, cure: enable},
	"W83 nobody there":                {without: instances, state: explain.Down, code: statistics.CodeNoInstance, cure: start},
	"W83 nobody there, and off":       {without: instances, tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", state: explain.Down, code: statistics.CodeNoInstance},
	"W83 no shards":                   {tree: `j/config = "jobName: j\nshardingTotalCount: 0\n"`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"W83 no document":                 {tree: `j/config = "*/5 * * * * ?"`, state: explain.Unreadable, code: statistics.CodeConfigUnreadable, cure: documentOf(hourly)},
	"W83 unknown key, all of Java's":  {config: hourly + `whatever: 1\n`, without: ourAgents, state: explain.Unreadable, code: statistics.CodeConfigKeyUnknown, cure: documentOf(hourly)},
	"W83 unknown key, one of Java's":  {config: hourly + `whatever: 1\n`, without: ourAgents[:1], state: explain.Partial, code: statistics.CodeConfigKeyUnknown, cure: documentOf(hourly)},
	"W83 unknown key, none of Java's": {config: hourly + `whatever: 1\n`, state: explain.Healthy},
	"W83 no configuration":            {without: []string{"j/config"}, state: explain.Unreadable, code: statistics.CodeConfigAbsent, cure: documentOf(hourly)},
	"nobody leads":                    {without: instances[2:], state: explain.Healthy},
	"nobody leads, and shards wait":   {without: instances[2:], tree: "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeNoLeader, cure: elected + assigned2},
	"the leader is gone":              {tree: "j/leader/election/instance = 10.0.0.9@-@1\nj/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeLeaderGone, cure: elected + assigned2},
	"a resharding is announced":       {tree: "j/leader/sharding/necessary", state: explain.Resharding, code: statistics.CodeReshardingAnnounced, cure: assigned2},
	"a resharding goes on":            {tree: "j/leader/sharding/necessary\nj/leader/sharding/processing [E]", state: explain.Resharding, code: statistics.CodeReshardingProcessing, cure: assigned2},
	"nothing is assigned":             {without: []string{"j/sharding/0/instance", "j/sharding/1/instance"}, state: explain.Resharding, code: statistics.CodeNothingDealt, cure: assigned2},
	"a shard without an owner":        {without: []string{"j/sharding/0/instance"}, state: explain.Resharding, code: statistics.CodeItemWithoutOwner, cure: assigned2},
	"a shard's owner is gone":         {tree: "j/sharding/0/instance = 10.0.0.9@-@1", state: explain.Resharding, code: statistics.CodeItemOwnerGone, cure: assigned2},
	"refused by the only process": {
		without: slices.Concat(instances, ourAgents), tree: "j/extension/refused/10.0.0.1@-@7 [E] = the class is another one", state: explain.Blocked, code: statistics.CodeJobRefused,
		cure: "- j\n" + sound(hourly),
	},
	"refused by one of three": {tree: "j/extension/refused/10.0.0.3@-@9 [E] = the class is another one", state: explain.Healthy},

	// W86: an agent announces why it can't run the job.
	"W86 no such executor, here":        {tree: obstacle(secondID, "EXECUTOR_UNKNOWN"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no such executor, not late":    {tree: obstacle(secondID, "EXECUTOR_UNKNOWN"), state: explain.Partial, code: statistics.CodeAgentObstacle},
	"W86 no such executor, anywhere":    {tree: obstacle(secondID, "EXECUTOR_UNKNOWN") + obstacle(leaderID, "EXECUTOR_UNKNOWN"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no such listener":              {tree: obstacle(secondID, "LISTENER_UNKNOWN") + obstacle(leaderID, "LISTENER_UNKNOWN"), none: true, state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no such error handler":         {tree: obstacle(secondID, "ERROR_HANDLER_UNKNOWN") + obstacle(leaderID, "ERROR_HANDLER_UNKNOWN"), away: true, state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no such strategy":              {tree: obstacle(leaderID, "STRATEGY_UNKNOWN") + "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted + assigned2},
	"W86 no such strategy, not needed":  {tree: obstacle(leaderID, "STRATEGY_UNKNOWN"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 the strategy fails":            {tree: obstacle(leaderID, "ASSIGNING") + "j/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted + assigned2},
	"W86 forbidden, of two":             {tree: obstacle(secondID, "FORBIDDEN"), runs: []string{"-30 ok,ok", "-31 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 forbidden, both":               {tree: obstacle(secondID, "FORBIDDEN") + obstacle(leaderID, "FORBIDDEN"), runs: []string{"-30 ok,ok", "-31 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(statistics.CheckConfig), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 its part for the job panicked": {tree: obstacle(secondID, "BROKEN"), without: []string{"j/instances/" + secondID}, state: explain.Partial, code: statistics.CodeAgentObstacle, cure: accepted + start},
	"W86 the part of each panicked":     {tree: obstacle(secondID, "BROKEN") + obstacle(leaderID, "BROKEN"), without: instances, state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted + start},
	"W86 a listener fails":              {tree: obstacle(secondID, "NOT_BEGUN"), state: explain.Partial, code: statistics.CodeAgentObstacle, cure: accepted},
	"W86 no place":                      {tree: obstacle(secondID, "NO_PLACE") + "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running, code: statistics.CodeAgentObstacle},
	"W86 Debug in one process":          {tree: obstacle(secondID, "DEBUG"), state: explain.Partial, code: statistics.CodeAgentObstacle, cure: accepted},
	"W86 Debug everywhere":              {tree: obstacle(secondID, "DEBUG") + obstacle(leaderID, "DEBUG"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 Debug without a shard":         {tree: obstacle("10.0.0.3@-@9", "DEBUG"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 of a later version":            {tree: obstacle(secondID, "MOON_PHASE") + obstacle(leaderID, "MOON_PHASE"), state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted},
	"W86 a shard that is off":           {tree: obstacle(secondID, "DEBUG") + "j/sharding/0/disabled", state: explain.Partial, code: statistics.CodeItemDisabled},
	"W86 forbidden, and it runs by what it knew": {
		tree: obstacle(secondID, "FORBIDDEN"), state: explain.Healthy, code: statistics.CodeAgentObstacle,
		claims: checksOf(statistics.CheckConfig),
	},
	"W86 it can't follow the job": {tree: obstacle(secondID, "CONTROL") + obstacle(leaderID, "CONTROL"), runs: []string{"-30 ok,ok", "-31 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 forbidden to register":   {tree: obstacle(leaderID, "FORBIDDEN"), without: slices.Concat(instances, ourAgents), state: explain.Blocked, code: statistics.CodeAgentObstacle},
	"W86 junk":                    {tree: "j/extension/refused/" + secondID + " [E] = junk", state: explain.Healthy, code: statistics.CodeJobRefused},

	// W86: user code doesn't return. W89: there's no place for a shard or a requested run.
	"W86 a listener hangs before a run": {
		tree: waitingFor(secondID, "LISTENER_HANGS", "0") + "j/sharding/0/running = " + secondID + "\nj/sharding/0/misfire", runs: []string{"-3 -,ok", "-4 ok,ok"},
		state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted + "- j/sharding/0/running\n- j/sharding/0/misfire\n", recovers: []string{"0 ok,ok"},
	},
	"W86 a listener hangs after a run": {
		tree: waitingFor(secondID, "LISTENER_HANGS", "0"), runs: []string{"-3 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime),
		cure: accepted, recovers: []string{"0 ok,ok"},
	},
	"W86 a handler hangs whose session is over": {
		tree: waitingFor(secondID, "HANDLER_HANGS", "0"), runs: []string{"-3 on,ok", "-4 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime),
		cure: accepted, recovers: []string{"0 ok,ok"},
	},
	"W86 a handler hangs after its timeout": {
		tree: waitingFor(secondID, "HANDLER_HANGS", "0") + "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime),
		cure: accepted + "- j/sharding/0/running\n", recovers: []string{"0 ok,ok"},
	},
	"W86 an error handler hangs": {
		tree: waitingFor(secondID, "ERROR_HANDLER_HANGS", "0") + waitingFor(leaderID, "ERROR_HANDLER_HANGS", "1") + "j/sharding/0/running = " + secondID + "\nj/sharding/1/running = " + leaderID,
		runs: []string{"-3 failed,failed"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime, lastRun),
		cure: accepted + "- j/sharding/0/running\n- j/sharding/1/running\n", recovers: []string{"0 ok,ok"},
	},
	"W89 a shard waits for a place": {
		tree: waitingFor(secondID, "NO_PLACE", "0") + "j/sharding/0/running = " + secondID, runs: []string{"-3 -,ok", "-4 ok,ok"},
		state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted + "- j/sharding/0/running\n", recovers: []string{"0 ok,ok"},
	},
	"W89 requests wait for a place": {
		config: " ", tree: waitingFor(secondID, "NO_PLACE", "0") + waitingFor(leaderID, "NO_PLACE", "1"), runs: []string{"-3 manual,manual"},
		state: explain.Blocked, code: statistics.CodeAgentObstacle, cure: accepted,
	},
	"W86 a shard that waits is off, and junk": {
		tree: waitingFor(secondID, "NO_PLACE", "0,x,-1,99,,0") + "j/sharding/0/disabled", state: explain.Partial, code: statistics.CodeItemDisabled,
	},

	// W89: a running marker wasn't written by the agent it names.
	"W89 a marker by hand names another instance": {
		tree: "j/sharding/0/running = " + leaderID, runs: []string{"-3 ok,ok", "-4 ok,ok"}, state: explain.Partial, code: statistics.CodeRunningForged, claims: checksOf(onTime, statistics.CheckRunning),
		cure: "- j/sharding/0/running", recovers: []string{"0 ok,ok"},
	},
	"W89 markers by hand of every shard": {
		tree: "j/sharding/0/running = " + leaderID + "\nj/sharding/1/running = " + secondID, runs: []string{"-3 ok,ok"}, state: explain.Blocked, code: statistics.CodeRunningForged,
		claims: checksOf(onTime), cure: "- j/sharding/0/running\n- j/sharding/1/running", recovers: []string{"0 ok,ok"},
	},
	"W89 a marker by hand without a name": {
		tree: noFailover + "j/sharding/0/running", runs: []string{"-3 ok,ok", "-4 ok,ok"}, state: explain.Partial, code: statistics.CodeRunningForged, claims: checksOf(onTime, statistics.CheckRunning),
		cure: "- j/sharding/0/running", recovers: []string{"0 ok,ok"},
	},
	"W89 a marker without a session":        {tree: noFailover + "j/sharding/0/running = " + secondID, state: explain.Healthy},
	"W89 a marker without a session, taken": {tree: noFailover + "j/sharding/0/running = " + leaderID, state: explain.Partial, code: statistics.CodeRunningForged, cure: "- j/sharding/0/running"},
	"W89 a marker with its session":         {tree: noFailover + "j/sharding/0/running [E] = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
	"W89 a marker of a takeover":            {tree: "j/sharding/0/failovering = " + leaderID + "\nj/sharding/0/running = " + leaderID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
	"W89 a marker by hand, of Java's":       {without: ourAgents, tree: "j/sharding/0/running = " + leaderID, runs: []string{"0 java,java"}, state: explain.Running},
	"W89 the shard was assigned since":      {tree: "j/sharding/0/running = " + leaderID + "\nj/sharding/0/instance = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},

	// Held.
	"W84 held": {tree: `j/extension/held = "{\"what\":\"schedule\",\"by\":\"root\"}"`, state: explain.Held, code: statistics.CodeHeld, claims: checksOf(onTime), cure: release},
	"W84 held, and it failed before": {
		tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, runs: []string{"0 ok,failed"}, state: explain.Held, code: statistics.CodeHeld, claims: checksOf(onTime, lastRun),
		cure: release, cured: explain.Failing,
	},
	"W83 no configuration, shards and instances": {without: []string{"j/config"}, away: true, state: explain.Unreadable, code: statistics.CodeConfigAbsent, claims: checksOf(lastRun), cure: documentOf(hourly), recovers: []string{"0 ok,ok"}},
	"W84 a hold on requests, one-off":            {config: " ", none: true, tree: `j/extension/held = "{\"what\":\"requests\",\"by\":\"root\"}"`, state: explain.Healthy, code: statistics.CodeHeld, cure: release},
	"W84 its requests are held":                  {tree: `j/extension/held = "{\"what\":\"requests\",\"by\":\"root\"}"`, state: explain.Healthy, holds: checksOf(onTime)},
	"W84 the first run hangs": {
		tree: "j/sharding/0/running = " + secondID + "\nj/sharding/1/running = " + leaderID, runs: []string{"0 on,on"}, state: explain.Running, claims: checksOf(lastRun),
	},
	"it runs":                  {tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running, holds: checksOf(lastRun)},
	"it runs over a fire time": {tree: "j/sharding/0/running = " + secondID, runs: []string{"-2 on,ok", "-3 ok,ok"}, state: explain.Running},

	// Late.
	"W85 late":                            {runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime), holds: checksOf(lastRun), recovers: []string{"0 ok,ok", "-3 ok,ok"}},
	"W85 late, triggered by hand since":   {runs: []string{"0 manual,manual", "-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime)},
	"W85 late without a zone":             {config: `cron: 0 0 * * * ?\n`, runs: []string{"0 manual,manual", "-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
	"W85 late in no zone for sure":        {config: `cron: 0 0 3 * * ?\n`, runs: []string{"-2 ok,ok"}, state: explain.Healthy},
	"late, and a resharding is announced": {tree: "j/leader/sharding/necessary", runs: []string{"-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
	"late by rows, on time by the registry": {
		runs: []string{"-2 ok,ok", "-3 ok,ok"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime),
		recovers: []string{"0 ok,ok"},
	},
	"late, one shard by the registry": {runs: []string{"-2 ok,ok", "-3 ok,ok"}, fired: []int{0, -2}, state: explain.Late, code: statistics.CodeLate},

	// W87: static sharding.
	"W87 static, every owner is gone": {
		config: hourly + `staticSharding: true\n`, tree: "j/sharding/0/instance = 10.0.0.9@-@1\nj/sharding/1/instance = 10.0.0.9@-@1",
		state: explain.Blocked, code: statistics.CodeItemOwnerGone,
		cure: third("10.0.0.9@-@1"),
	},
	"W87 static, an owner is gone": {
		config: hourly + `staticSharding: true\n`, tree: "j/sharding/0/instance = 10.0.0.9@-@1", state: explain.Partial, code: statistics.CodeItemOwnerGone,
		cure: documentOf(hourly) + assigned2,
	},

	// W89: other problems in the registry.
	"W89 a 2.1 document next to agents of ours": {
		tree: `j/config = "{\"jobName\":\"j\",\"jobType\":\"SIMPLE\",\"jobClass\":\"a.B\",\"cron\":\"0 0 * * * ?\",\"shardingTotalCount\":2}"`, without: slices.Concat(instances, ourAgents),
		state: explain.Down, code: statistics.CodeNoInstance,
		cure: "- j\n" + sound(hourly),
	},
	"W89 an offer is left over": {
		tree: "j/leader/failover/items/0", state: explain.Healthy, runs: []string{"0 ok,ok", "-1 ok,ok"},
	},
	"an offer waits": {tree: "j/leader/failover/items/0", runs: []string{"-200 ok,ok"}, state: explain.Failing, code: statistics.CodeFailoverOffered, cure: "- j/leader/failover/items/0\nj/sharding/0/failover [E] = " + leaderID + "\nj/sharding/0/running = " + leaderID, recovers: []string{"0 on,ok", "-1 ok,ok"}, cured: explain.Running},
	"W89 one server is off, others have its shards": {
		tree: "j/servers/10.0.0.10 = DISABLED\nj/sharding/0/instance = " + leaderID, state: explain.Healthy, holds: checksOf(onTime),
	},
	"W89 a junk instance": {tree: "j/instances/10.0.0.3@-@9 [E] = junk", state: explain.Healthy},
	"an interrupted run":  {tree: "j/sharding/0/running = 10.0.0.9@-@1", state: explain.Failing, code: statistics.CodeRunningStale, cure: "- j/sharding/0/running"},

	// W90: unknown must not count as healthy.
	"W90 the history is away":                 {away: true, state: explain.Unknown, code: statistics.CodeHistoryAway, claims: checksOf(onTime, lastRun), recovers: []string{"0 ok,ok"}},
	"W90 the history is away, and it is down": {away: true, without: instances, state: explain.Down, code: statistics.CodeNoInstance},

	// Failing and unstable jobs.
	"failing":                    {runs: []string{"0 ok,failed", "-1 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun), holds: checksOf(onTime), recovers: []string{"0 ok,ok", "-1 ok,ok"}},
	"lost":                       {runs: []string{"0 ok,lost", "-1 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun), recovers: []string{"0 ok,ok", "-1 ok,ok"}},
	"failing and late":           {runs: []string{"-2 ok,failed", "-3 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun, onTime)},
	"failing and down":           {without: instances, runs: []string{"0 ok,failed"}, state: explain.Down, code: statistics.CodeNoInstance, claims: checksOf(lastRun), cure: start, cured: explain.Failing},
	"W23 one of ten failed":      {runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,ok"}, state: explain.Healthy},
	"W23 two of three failed":    {runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable, holds: checksOf(lastRun), recovers: []string{"0 ok,ok", "-1 ok,ok"}},
	"W23 two, one in front":      {runs: []string{"0 ok,failed", "-1 ok,ok", "-2 ok,failed"}, state: explain.Failing, code: statistics.CodeFailing},
	"W23 two, one long ago":      {runs: []string{"0 ok,ok", "-1 ok,ok", "-2 ok,ok", "-3 ok,ok", "-4 ok,failed", "-5 ok,ok", "-6 ok,ok", "-7 ok,ok", "-8 ok,ok", "-9 ok,ok", "-10 ok,failed"}, state: explain.Healthy},
	"W23 two of the last ten":    {runs: []string{"0 ok,ok", "-1 ok,ok", "-2 ok,ok", "-3 ok,ok", "-4 ok,failed", "-5 ok,ok", "-6 ok,ok", "-7 ok,ok", "-8 ok,ok", "-9 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable},
	"W23 unstable, and it runs":  {tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok", "-2 ok,failed", "-3 ok,failed"}, state: explain.Unstable, code: statistics.CodeUnstable},
	"W23 unstable, and disabled": {tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", runs: []string{"0 ok,ok", "-1 ok,failed", "-2 ok,failed"}, state: explain.Disabled, code: statistics.CodeJobDisabled},

	// Findings that hold nothing up.
	"monitorExecution is off": {tree: `j/config = "jobName: j\nshardingTotalCount: 2\ncron: 0 0 * * * ?\ntimeZone: GMT+0\n"`, state: explain.Healthy},
	"a run property is wrong": {config: hourly + `props:\n  run.keep: many\n`, state: explain.Healthy},
	"a stranger's node":       {tree: "j/instances/what is this", state: explain.Healthy},
	"more shards than wanted": {tree: "j/sharding/2/instance = " + leaderID, state: explain.Healthy},
	"a missed fire time":      {tree: "j/sharding/0/misfire", state: explain.Healthy},
	"a trigger waits":         {tree: "j/trigger/" + secondID, state: explain.Healthy},

	// Failover.
	"taken over, not run yet":           {tree: "j/sharding/0/failover [E] = " + leaderID, state: explain.Partial, code: statistics.CodeFailoverTaken, cure: "- j/sharding/0/failover"},
	"taken over, and runs":              {tree: "j/sharding/0/failover [E] = " + leaderID + "\nj/sharding/0/running = " + leaderID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
	"the taker is gone":                 {tree: "j/sharding/0/failover = 10.0.0.9@-@1", state: explain.Failing, code: statistics.CodeFailoverStale, cure: "- j/sharding/0/failover"},
	"the taker's old mark":              {tree: "j/sharding/0/failovering = 10.0.0.9@-@1", state: explain.Healthy},
	"an offer, and nobody is there":     {without: instances, tree: "j/leader/failover/items/0", runs: []string{"-200 ok,ok"}, state: explain.Down, code: statistics.CodeNoInstance, cure: start + "- j/leader/failover/items/0", recovers: []string{"0 ok,ok"}},
	"a marker of an older instance":     {tree: "j/sharding/0/running = 10.0.0.10@-@3", state: explain.Failing, code: statistics.CodeRunningStale, cure: "- j/sharding/0/running"},
	"a marker of one that shut down":    {tree: "j/sharding/0/running [E] = 10.0.0.10@-@3", runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
	"a marker, and one shard fails too": {tree: "j/sharding/0/running = 10.0.0.10@-@3", runs: []string{"0 ok,failed"}, state: explain.Failing, code: statistics.CodeFailing, cure: "- j/sharding/0/running", recovers: []string{"0 ok,ok"}},

	// Shards beyond the configured number hold nothing up, because no agent runs them.
	"beyond the count, and off":     {tree: "j/sharding/2/disabled\nj/sharding/3/disabled", state: explain.Healthy, holds: checksOf(onTime)},
	"beyond the count, interrupted": {tree: "j/sharding/5/running = 10.0.0.9@-@1", state: explain.Healthy},
	"beyond the count, taken over":  {tree: "j/sharding/5/failover = 10.0.0.9@-@1", state: explain.Healthy},
	"beyond the count, offered":     {tree: "j/leader/failover/items/7", state: explain.Healthy},
	"beyond the count, off and late": {
		tree: "j/sharding/2/disabled\nj/sharding/3/disabled", runs: []string{"-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime), recovers: []string{"0 ok,ok"},
	},
	"a shard that rotates": {
		tree: `j/config = "jobName: j\nshardingTotalCount: 1\nmonitorExecution: true\njobShardingStrategyType: SINGLE_SHARDING_BALANCE\n` + hourly + `"` + "\n- j/sharding/1\nj/next-job-instance-ip [E] = 10.0.0.1",
		runs: []string{"0 ok", "-1 ok"}, state: explain.Healthy, holds: checksOf(onTime, lastRun),
	},
	"more shards than before": {tree: `j/config = "jobName: j\nshardingTotalCount: 3\nmonitorExecution: true\n` + hourly + `"`, state: explain.Resharding, code: statistics.CodeItemWithoutOwner, cure: "j/sharding/2/instance = " + leaderID, recovers: []string{"0 ok,ok,ok"}},

	// Instances and servers.
	"the server of an owner is off":     {tree: "j/servers/10.0.0.10 = DISABLED", state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: "j/sharding/0/instance = " + leaderID},
	"it is enabled again":               {tree: "j/servers/10.0.0.10 = DISABLED", state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: enable},
	"the server of an owner is missing": {without: []string{"j/servers/10.0.0.10"}, state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: enable},
	"a server is missing, of no owner":  {without: []string{"j/servers/10.0.0.10"}, tree: "j/sharding/0/instance = " + leaderID, state: explain.Healthy},
	"every server is missing":           {without: []string{"j/servers/10.0.0.1", "j/servers/10.0.0.10"}, state: explain.Down, code: statistics.CodeNoEnabledInstance, claims: checksOf(onTime), cure: enable},
	"a server says something else":      {tree: "j/servers/10.0.0.10 = enabled", state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: enable},
	"a server of nobody is off":         {tree: "j/servers/10.0.0.77 = DISABLED", state: explain.Healthy, holds: checksOf(onTime)},
	"the leader's server is off":        {tree: "j/servers/10.0.0.1 = DISABLED", state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: "j/sharding/1/instance = " + secondID},
	"the leader's server is off, and shards wait": {
		tree: "j/servers/10.0.0.1 = DISABLED\nj/sharding/1/instance = " + secondID + "\nj/leader/sharding/necessary", state: explain.Resharding, code: statistics.CodeReshardingAnnounced, cure: "- j/leader/sharding/necessary",
	},
	"an owner's node is wrong":          {tree: "j/instances/" + secondID + " [E] = TRIGGER", state: explain.Healthy, code: statistics.CodeInstanceUnreadable, holds: checksOf(onTime, lastRun), cure: start},
	"an owner's node names another one": {tree: "j/instances/" + secondID + ` [E] = "jobInstanceId: 10.0.0.9@-@1\nserverIp: 10.0.0.10\n"`, state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: start},
	"W89 every instance's node is wrong": {
		tree: "j/instances/" + secondID + " [E] = junk\nj/instances/" + leaderID + " [E] = junk", state: explain.Healthy, code: statistics.CodeInstanceUnreadable, holds: checksOf(onTime, lastRun), cure: start,
	},
	"W89 every instance's node is wrong, a shard's owner is gone": {
		tree: "j/instances/" + secondID + " [E] = junk\nj/instances/" + leaderID + " [E] = junk\nj/sharding/1/instance = 10.0.0.9@-@1", state: explain.Partial, code: statistics.CodeNoEnabledInstance, cure: start + "j/sharding/1/instance = " + leaderID + "\n",
	},
	"an empty owner":                    {tree: "j/sharding/0/instance =", state: explain.Resharding, code: statistics.CodeItemWithoutOwner, cure: assigned2},
	"a shard's node is missing":         {without: []string{"j/sharding/0/instance", "j/sharding/0"}, state: explain.Resharding, code: statistics.CodeItemWithoutOwner, cure: assigned2},
	"static, the owner's server is off": {config: hourly + `staticSharding: true\n`, tree: "j/servers/10.0.0.10 = DISABLED", state: explain.Partial, code: statistics.CodeItemOwnerDisabled, cure: enable},
	"static, more shards than before":   {config: hourly + `staticSharding: true\n`, tree: "- j/sharding/1", state: explain.Partial, code: statistics.CodeItemWithoutOwner, cure: assigned2},
	"disabled in the configuration":     {config: hourly + `disabled: true\n`, tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", none: true, state: explain.Disabled, code: statistics.CodeJobDisabled, cure: enable, recovers: []string{"0 ok,ok"}},
	"disabled in the document, enabled": {config: hourly + `disabled: true\n`, state: explain.Healthy, holds: checksOf(onTime)},
	"half of a fleet has left":          {without: []string{"j/instances/" + secondID, "j/extension/agents/" + secondID}, state: explain.Resharding, code: statistics.CodeItemOwnerGone, cure: "j/sharding/0/instance = " + leaderID},
	"half of a fleet has left, and it runs": {
		without: []string{"j/instances/" + secondID, "j/extension/agents/" + secondID}, tree: "j/sharding/1/running = " + leaderID, runs: []string{"0 lost,on", "-1 ok,ok"},
		state: explain.Resharding, code: statistics.CodeItemOwnerGone, cure: "j/sharding/0/instance = " + leaderID, cured: explain.Running,
	},

	// Flags and nodes without a session.
	"an old mark of resharding":           {tree: "j/leader/sharding/processing", state: explain.Resharding, code: statistics.CodeReshardingProcessing, cure: "- j/leader/sharding/processing"},
	"an old mark of resharding, Java's":   {without: ourAgents, tree: "j/leader/sharding/processing", state: explain.Healthy},
	"the leader's node has no session":    {tree: "- j/leader/election/instance\nj/leader/election/instance = " + leaderID, state: explain.Healthy},
	"an old leader's node":                {tree: "- j/leader/election/instance\nj/leader/election/instance = 10.0.0.9@-@1", state: explain.Healthy},
	"an old leader's node, shards wait":   {tree: "- j/leader/election/instance\nj/leader/election/instance = 10.0.0.9@-@1\n- j/sharding/0/instance", state: explain.Partial, code: statistics.CodeLeaderGone, cure: elected + assigned2},
	"an empty leader's node":              {tree: "- j/leader/election/instance\nj/leader/election/instance =\nj/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeNoLeader, cure: elected + assigned2},
	"an old latch":                        {tree: "- j/leader/election/instance\nj/leader/election/latch/_c_a-latch-0000000001\nj/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeNoLeader, cure: "- j/leader/election/latch/_c_a-latch-0000000001\n" + elected + assigned2},
	"a frozen process is first in line":   {tree: "- j/leader/election/instance\nj/leader/election/latch/_c_a-latch-0000000001 [E]\nj/leader/sharding/necessary", state: explain.Blocked, code: statistics.CodeNoLeader, cure: "- j/leader/election/latch/_c_a-latch-0000000001\n" + elected + assigned2},
	"an old refusal":                      {tree: strings.Replace(obstacle(secondID, "DEBUG"), " [E]", "", 1), state: explain.Healthy, holds: checksOf(onTime)},
	"an old refusal, and nobody is there": {without: slices.Concat(instances, ourAgents), tree: strings.Replace(obstacle(secondID, "DEBUG"), " [E]", "", 1), state: explain.Down, code: statistics.CodeNoInstance, cure: start + "j/extension/agents/" + leaderID + " [E] = go"},

	// Announcements of agents.
	"W86 the only process can't serve it":           {without: slices.Concat(instances, ourAgents), tree: obstacle(secondID, "LISTENER_UNKNOWN"), state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted + start},
	"W86 of a process that isn't an instance":       {tree: obstacle("10.0.0.3@-@9", "FORBIDDEN"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 no place, for other jobs":                  {tree: obstacle(secondID, "NO_PLACE"), runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no place anywhere":                         {tree: obstacle(secondID, "NO_PLACE") + obstacle(leaderID, "NO_PLACE"), runs: []string{"-2 ok,ok"}, state: explain.Blocked, code: statistics.CodeAgentObstacle, claims: checksOf(onTime), cure: accepted, recovers: []string{"0 ok,ok"}},
	"W86 no place, and nothing tells who runs":      {tree: obstacle(secondID, "NO_PLACE") + `j/config = "jobName: j\nshardingTotalCount: 2\n` + hourly + `"`, state: explain.Healthy, code: statistics.CodeAgentObstacle},
	"W86 forbidden, next to Java":                   {without: ourAgents[:1], tree: obstacle(secondID, "FORBIDDEN"), runs: []string{"-30 ok,ok"}, state: explain.Partial, code: statistics.CodeAgentObstacle, cure: accepted, recovers: []string{"0 java,java"}},
	"W86 Debug of a version that announced nothing": {runs: []string{"-2 ok,ok"}, state: explain.Late, code: statistics.CodeLate, recovers: []string{"0 ok,ok"}},

	// Held.
	"held by an agent after failures": {tree: `j/extension/held = "{\"what\":\"schedule\",\"by\":\"agent 10.0.0.1@-@7\",\"reason\":\"3 runs failed\"}"`, runs: []string{"-2 failed,ok", "-3 failed,ok", "-4 failed,ok"}, state: explain.Held, code: statistics.CodeHeld, claims: checksOf(onTime, lastRun), cure: release, recovers: []string{"0 ok,ok", "-2 failed,ok"}},
	"an instance without a session": {
		tree: "j/servers/10.0.0.9 = ENABLED\nj/instances/10.0.0.9@-@1 = \"jobInstanceId: 10.0.0.9@-@1\\nserverIp: 10.0.0.9\\n\"\nj/sharding/1/instance = 10.0.0.9@-@1", runs: []string{"0 ok,-", "-1 ok,-"},
		state: explain.Partial, code: statistics.CodeInstanceGhost, claims: append(checksOf(onTime), statistics.CheckOwners), cure: "- j/instances/10.0.0.9@-@1\nj/sharding/1/instance = " + leaderID + "\n", recovers: []string{"0 ok,ok", "-1 ok,ok"},
	},
	"an instance without a session or shards": {tree: "j/instances/10.0.0.9@-@1 = \"jobInstanceId: 10.0.0.9@-@1\\nserverIp: 10.0.0.9\\n\"", state: explain.Healthy},
	"W84 held by hand, unheard":               {tree: "- j/extension/runs/bell\nj/extension/held = junk", state: explain.Healthy, code: statistics.CodeHoldUnheard, holds: checksOf(onTime), cure: "- j/extension/held\n"},
	"held by junk":                            {tree: "j/extension/held = junk", state: explain.Held, code: statistics.CodeHeld, cure: release},
	"held with an unknown word":               {tree: `j/extension/held = "{\"what\":\"moon\"}"`, state: explain.Held, code: statistics.CodeHeld, cure: release},
	"held for hours, then released":           {tree: "j/extension/runs/done = {now} {now}", runs: []string{"-9 ok,ok"}, state: explain.Healthy},
	"released, by junk":                       {tree: "j/extension/runs/done = junk", runs: []string{"-9 ok,ok"}, state: explain.Late, code: statistics.CodeLate, recovers: []string{"0 ok,ok"}},
	"held, all of Java's":                     {without: ourAgents, tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, runs: []string{"0 java,java", "-1 java,java"}, state: explain.Healthy, code: statistics.CodeHeld, holds: checksOf(onTime)},
	"held and late, all of Java's":            {without: ourAgents, tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, runs: []string{"-2 java,java", "-3 java,java"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime), recovers: []string{"0 java,java"}},
	"held, one of Java's":                     {without: ourAgents[:1], tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, runs: []string{"0 -,java", "-1 -,java"}, state: explain.Partial, code: statistics.CodeHeld, claims: checksOf(onTime), cure: release, recovers: []string{"0 java,java"}},
	"held, without a schedule":                {config: " ", tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"root\"}"`, state: explain.Healthy, code: statistics.CodeHeld},

	// Schedules.
	"not begun":                        {config: hourly + `props:\n  schedule.from: 2098-01-01T00:00:00Z\n`, none: true, state: explain.Healthy, code: statistics.CodeScheduleNotBegun, claims: checksOf(lastRun)},
	"a day is left out":                {config: hourly + `props:\n  schedule.exclude: 2000-01-01/2098-12-31\n`, none: true, state: explain.Healthy, code: statistics.CodeDayExcluded, claims: checksOf(lastRun)},
	"a jitter that is too large":       {config: hourly + `props:\n  schedule.jitter: 40m\n`, runs: []string{"-5 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
	"a zone by name, next to Java":     {config: `cron: 0 0 * * * ?\nprops:\n  schedule.zone: Asia/Shanghai\n`, without: ourAgents[:1], state: explain.Healthy, code: statistics.CodeZoneUnknownToJava},
	"a zone that is none":              {config: `cron: 0 0 * * * ?\ntimeZone: GMT+25\n`, state: explain.Healthy, code: statistics.CodeTimeZoneIgnored},
	"each minute, the last one missed": {config: `cron: 0 * * * * ?\ntimeZone: GMT+0\n`, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
	"the last fire time of all passed": {config: `cron: 0 0 0 1 1 ? 2026\ntimeZone: GMT+0\n`, none: true, state: explain.Ended, code: statistics.CodeCronNeverAgain, claims: checksOf(onTime, lastRun), cure: documentOf(hourly), recovers: []string{"0 ok,ok"}},
	"one-off, and it failed":           {config: " ", runs: []string{"-50 ok,failed"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun, onTime), recovers: []string{"0 manual,manual"}},
	"one-off, long ago":                {config: " ", runs: []string{"-500 manual,manual"}, state: explain.Healthy, holds: checksOf(lastRun), claims: checksOf(onTime)},
	"one-off, and nobody is there":     {config: " ", without: instances, state: explain.Down, code: statistics.CodeNoInstance, cure: start},
	"wrong shard parameters":           {config: hourly + `shardingItemParameters: 0-a\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"an empty document":                {tree: "j/config =", state: explain.Unreadable, code: statistics.CodeConfigUnreadable, cure: documentOf(hourly)},
	"too many shards":                  {tree: `j/config = "jobName: j\nshardingTotalCount: 2000000000\n"`, state: explain.Unreadable, code: statistics.CodeConfigUnusable, cure: documentOf(hourly)},
	"clocks are compared":              {config: hourly + `maxTimeDiffSeconds: 5\n`, state: explain.Healthy, code: statistics.CodeClockChecked, holds: checksOf(onTime)},

	// Java agents and 2.1.
	"Java's, and late":                      {without: ourAgents, runs: []string{"-2 java,java", "-3 java,java"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime), recovers: []string{"0 java,java"}},
	"Java's leader reshards at its fire":    {without: ourAgents, config: "cron: 0 0 0 1 1 ? 2099\\n", tree: "j/leader/sharding/necessary\n- j/sharding/0/instance", state: explain.Healthy, code: statistics.CodeReshardingAnnounced},
	"Java's leader let it pass":             {without: ourAgents, tree: "j/leader/sharding/necessary", state: explain.Resharding, code: statistics.CodeReshardingAnnounced, cure: assigned2},
	"2.1":                                   {tree: legacy21, without: ourAgents, runs: []string{"0 java,java", "-1 java,java"}, state: explain.Healthy},
	"2.1, and late":                         {tree: legacy21, without: ourAgents, runs: []string{"-2 java,java"}, state: explain.Late, code: statistics.CodeLate, recovers: []string{"0 java,java"}},
	"2.1, triggered":                        {tree: legacy21 + "j/instances/" + leaderID + " [E] = TRIGGER", without: ourAgents, state: explain.Healthy, code: statistics.CodeTriggerWaiting},
	"2.1, a server is off":                  {tree: legacy21 + "j/servers/10.0.0.10 = DISABLED", without: ourAgents, state: explain.Resharding, code: statistics.CodeItemOwnerDisabled, cure: "j/servers/10.0.0.10 ="},
	"2.1, the server is off in 3.0's words": {tree: legacy21 + enable, without: ourAgents, state: explain.Healthy},

	// Runs.
	"it hangs over many fire times":           {tree: "j/sharding/0/running = " + secondID, runs: []string{"-9 on,ok", "-10 ok,ok"}, state: explain.Running, code: statistics.CodeOverrun, claims: checksOf(onTime)},
	"it hangs, and nothing tells where":       {tree: `j/config = "jobName: j\nshardingTotalCount: 2\n` + hourly + `"`, runs: []string{"-9 on,ok", "-10 ok,ok"}, state: explain.Unknown, code: statistics.CodeOverrun, claims: checksOf(onTime)},
	"it hangs, and misfire is off":            {tree: "j/sharding/0/running = " + secondID + "\n" + `j/config = "jobName: j\nshardingTotalCount: 2\nmonitorExecution: true\n` + hourly + `"`, runs: []string{"-9 on,ok", "-10 ok,ok"}, state: explain.Running, code: statistics.CodeOverrun},
	"both shards missed a fire time":          {tree: "j/sharding/0/misfire\nj/sharding/1/misfire", state: explain.Healthy, code: statistics.CodeMisfireWaiting},
	"a trigger for one that has left":         {tree: "j/trigger/10.0.0.9@-@1", state: explain.Healthy, code: statistics.CodeTriggerOrphaned},
	"failing, and a shard is off":             {tree: "j/sharding/1/disabled", runs: []string{"0 failed,-", "-1 ok,ok"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun), recovers: []string{"0 ok,-", "-1 failed,-"}, cured: explain.Partial},
	"failing, and it runs":                    {tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,failed"}, state: explain.Failing, code: statistics.CodeFailing, claims: checksOf(lastRun)},
	"recorded late":                           {runs: []string{"-1 ok,ok", "-2 ok,ok"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime), recovers: []string{"0 ok,ok", "-1 ok,ok"}},
	"W90 no recorder, and frozen since":       {none: true, fired: []int{-1, -1}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime)},
	"W90 a recorder until lately, and frozen": {runs: []string{"-5 ok,ok"}, fired: []int{-2, -2}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime)},
	"W90 no rows of any job, and no records": {
		unwritten: -3, tree: `j/config = "jobName: j\nshardingTotalCount: 2\n` + hourly + `"`, runs: []string{"-3 ok,ok"}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime),
		recovers: []string{"0 ok,ok"},
	},
	"W90 no rows of any job, and late before": {
		unwritten: -1, tree: `j/config = "jobName: j\nshardingTotalCount: 2\n` + hourly + `"`, runs: []string{"-5 ok,ok"}, state: explain.Late, code: statistics.CodeLate, claims: checksOf(onTime),
	},
	"never recorded, and on time":             {none: true, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
	"records of one shard only":               {runs: []string{"-2 ok,ok"}, fired: []int{0}, state: explain.Late, code: statistics.CodeLate, recovers: []string{"0 ok,ok"}},
	"records, and all shards were off":        {runs: []string{"-2 ok,ok"}, fired: []int{0, 0}, ranNothing: true, state: explain.Healthy},
	"records, and a shard is off":             {tree: "j/sharding/1/disabled", runs: []string{"-2 ok,ok"}, fired: []int{0}, state: explain.Partial, code: statistics.CodeItemDisabled, claims: checksOf(onTime)},
	"the history was pruned, and it is off":   {none: true, tree: "j/sharding/0/disabled\nj/sharding/1/disabled", state: explain.Disabled, code: statistics.CodeItemDisabled, cure: "- j/sharding/0/disabled\n- j/sharding/1/disabled", recovers: []string{"0 ok,ok"}},
	"the history is away, and it runs":        {away: true, tree: "j/sharding/0/running = " + secondID, state: explain.Running, claims: checksOf(onTime, lastRun)},
	"the history is away, and a shard is off": {away: true, tree: "j/sharding/0/disabled", state: explain.Partial, code: statistics.CodeItemDisabled, claims: checksOf(onTime, lastRun)},
	"the history is away, one-off":            {away: true, config: " ", state: explain.Unknown, code: statistics.CodeHistoryAway, claims: checksOf(lastRun), recovers: []string{"-5 manual,manual"}},

	// Barriers of listeners. They only open when all shards of the job have come.
	"W89 a listener waits for a shard that is off": {
		config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/started/0 [E]\nj/sharding/1/disabled", runs: []string{"-2 ok,ok"},
		state: explain.Blocked, code: statistics.CodeBarrierWaits, claims: checksOf(onTime), cure: "- j/guarantee\n- j/sharding/1/disabled", recovers: []string{"0 ok,ok"},
	},
	"W89 the end of a run waits for a shard that is off": {
		config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/completed/0\nj/sharding/1/disabled", runs: []string{"0 on,-", "-1 ok,ok"},
		state: explain.Blocked, code: statistics.CodeBarrierWaits, cure: "- j/guarantee\n- j/sharding/1/disabled", recovers: []string{"0 ok,ok"},
	},
	"W89 the end of a run waits for a shard that runs": {
		config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/completed/0\nj/sharding/1/running = " + leaderID, runs: []string{"0 ok,on", "-1 ok,ok"}, state: explain.Running, code: statistics.CodeBarrierWaits,
	},
	"W89 a barrier without listeners":        {tree: "j/guarantee/completed/0\nj/sharding/1/disabled", state: explain.Partial, code: statistics.CodeItemDisabled, cure: "- j/sharding/1/disabled"},
	"W89 all have come":                      {config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/completed/0\nj/guarantee/completed/1", state: explain.Healthy},
	"W89 left at a barrier by one that left": {config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/completed/0\n- j/instances/" + secondID + "\nj/instances/" + secondID + ` [E] = "jobInstanceId: 10.0.0.10@-@8\nserverIp: 10.0.0.10\n"` + "\nj/sharding/1/disabled", state: explain.Partial, code: statistics.CodeItemDisabled},

	// Offers that no instance may take are left over.
	"W89 an offer without failover":           {tree: `j/config = "jobName: j\nshardingTotalCount: 2\nmisfire: true\nmonitorExecution: true\n` + hourly + `"` + "\nj/leader/failover/items/0", state: explain.Healthy, code: statistics.CodeFailoverOffered, holds: checksOf(onTime, lastRun), cure: "- j/leader/failover/items/0"},
	"W89 an offer without failover, and late": {tree: `j/config = "jobName: j\nshardingTotalCount: 2\nmonitorExecution: true\n` + hourly + `"` + "\nj/leader/failover/items/0", runs: []string{"-20 ok,ok"}, state: explain.Late, code: statistics.CodeLate, recovers: []string{"0 ok,ok"}},
	"W89 an offer without monitorExecution":   {tree: `j/config = "jobName: j\nshardingTotalCount: 2\nmisfire: true\nfailover: true\n` + hourly + `"` + "\nj/leader/failover/items/0", state: explain.Healthy, code: statistics.CodeFailoverOffered},

	// Misfire is off, and runs take longer than the time between two fire times.
	"W85 dropped between two runs": {config: dropping, runs: []string{"0 ok+7m,ok"}, state: explain.Late, code: statistics.CodeDropped, claims: checksOf(onTime), holds: checksOf(lastRun), cure: documentOf(hourly), recovers: []string{"0 ok,ok"}},
	"W85 dropped, and it runs":     {config: dropping, tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok+80m,ok+80m"}, state: explain.Running, claims: checksOf(onTime)},
	"W85 one shard dropped it":     {config: strings.Replace(dropping, "0 0/6 *", "0 0 *", 1), runs: []string{"0 ok,-", "-1 ok,ok+65m"}, state: explain.Partial, code: statistics.CodeDropped, claims: checksOf(onTime), recovers: []string{"0 ok,ok"}},
	"W85 the run ends in time":     {config: strings.Replace(dropping, "0 0/6 *", "0 0 *", 1), runs: []string{"0 ok,ok", "-1 ok,ok+50m"}, state: explain.Healthy, holds: checksOf(onTime)},
	"W85 misfire makes up for it":  {runs: []string{"0 ok,ok", "-1 ok,ok+65m"}, state: explain.Healthy, holds: checksOf(onTime)},

	// Other facts.
	"W85 run early by a clock that was ahead": {fired: []int{1, 1}, state: explain.Healthy, code: statistics.CodeFiredEarly, claims: checksOf(onTime), holds: checksOf(lastRun), recovers: []string{"0 ok,ok"}},
	"W85 one shard was run early":             {fired: []int{0, 1}, state: explain.Healthy, holds: checksOf(onTime)},
	"an agent's clock differs":                {tree: "j/extension/agents/" + leaderID + ` [E] = "go clock={now}"`, state: explain.Healthy, code: statistics.CodeClockDiffers},
	"junk where agents announce themselves":   {tree: "j/extension/agents/what is this\nj/extension/agents/" + leaderID + ` [E] = "\x00 parallel=-1 zone=\xff"`, state: explain.Healthy, code: statistics.CodeForeignNode},
	"junk among the shards":                   {tree: "j/sharding/07/instance = junk\nj/sharding/x", state: explain.Healthy, code: statistics.CodeForeignNode},
	"junk among the offers":                   {tree: "j/leader/failover/items/x", state: explain.Healthy, code: statistics.CodeForeignNode},
	"junk in the job and its extension":       {tree: "j/extension/junk/below = x\nj/what/is/this", state: explain.Healthy},
	"junk among the servers":                  {tree: "j/servers/a b = DISABLED", state: explain.Healthy, code: statistics.CodeForeignNode},
}
