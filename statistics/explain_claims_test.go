package statistics_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// monitorOff is a configuration without monitorExecution, so there are no running markers.
const monitorOff = `j/config = "jobName: j\nshardingTotalCount: 2\nmisfire: true\n` + hourly + `"` + "\n"

// claim is a job, with text that its answer must and must not contain.
type claim struct {
	planted
	says, never []string
}

// taking changes sound so that its agents accept requested runs.
const taking = "- j/extension/agents/" + leaderID + "\n- j/extension/agents/" + secondID + "\nj/extension/runs/done\n" +
	"j/extension/agents/" + leaderID + " [E] = go runs=1\nj/extension/agents/" + secondID + " [E] = go runs=1\n"

// opened is the record of a requested run that no instance has started.
const opened = `j/extension/runs/active/all = "{\"v\":1,\"id\":\"a-1\",\"deal\":\"each\",\"life\":\"x\",\"total\":2,\"wait\":\"0-1\",\"due\":{now}}"` +
	"\nj/extension/runs/active/all/x\n"

var claims = map[string]claim{
	"W83 it hangs, and its session was lost": {
		planted: planted{tree: "j/sharding/0/misfire", runs: []string{"-2 on,ok", "-3 ok,ok"}, state: explain.Unknown, code: statistics.CodeNotRecorded},
		says:    []string{"No run is on record since the fire time ", "Shard 0: " + secondID + " should make up for it when it is free"},
		never:   []string{"Nothing prevents", "still running", "A run is on", "Shard 0: " + secondID + " should run it at the next fire"},
	},
	"W83 it hangs, and monitorExecution is off": {
		planted: planted{tree: monitorOff, runs: []string{"-2 on,ok", "-3 ok,ok"}, state: explain.Unknown, code: statistics.CodeOverrun},
		says:    []string{"Shard 0: by the history still running when the fire time ", "unless the row of an end is late", "Shard 0: " + secondID + " has it; nothing shows whether it runs"},
		never:   []string{"Nothing prevents", "should run it at the next fire", "A run is on", "10.0.0.1 by the history"},
	},
	"F2 two processes are busy, and one has recorded runs of other jobs since": {
		planted: planted{tree: monitorOff, runs: []string{"-2 on,on", "-3 ok,ok"}, wrote: []string{leaderID}, state: explain.Unknown, code: statistics.CodeOverrun},
		says:    []string{"Shards 0, 1: by the history still running when"}, never: []string{"still running on", "A run is on"},
	},
	"F2 two processes are busy, and have recorded runs of other jobs since": {
		planted: planted{tree: monitorOff, runs: []string{"-2 on,on", "-3 ok,ok"}, wrote: []string{leaderID, secondID}, state: explain.Running, code: statistics.CodeOverrun},
		says:    []string{"A run is on. Shards 0, 1: by the history still running when"}, never: []string{"still running on"},
	},
	"W83 an older run hangs": {
		planted: planted{runs: []string{"0 -,ok", "-1 -,ok", "-2 on,ok"}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
		says:    []string{"The end of the run that began at ", "the registry shows no running shard"},
		never:   []string{"Nothing prevents", "still running", "The last run on record did not fail"},
	},
	"F3 the end of the last run isn't on record": {
		planted: planted{runs: []string{"0 on,on", "-1 ok,ok"}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
		never:   []string{"Nothing prevents", "still running", "A run is on"},
	},
	"F3 the end of a run isn't on record, and the job ran since": {
		planted: planted{runs: []string{"-1 on,on", "-2 ok,ok"}, fired: []int{0, 0}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
		says:    []string{" UTC or later, and the results"}, never: []string{"still running", "A run is on"},
	},
	"F3 one shard runs, and the end of the other isn't on record": {
		planted: planted{tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,on", "-1 ok,ok"}, state: explain.Running, left: 1},
		never:   []string{"Shard 1: still running", "Shards 0, 1"},
	},
	"one thread runs both shards": {
		planted: planted{tree: "- j/sharding/1/instance\nj/sharding/1/instance = " + secondID + "\nj/sharding/0/running = " + secondID + "\nj/sharding/1/running = " + secondID, runs: []string{"0 on,-", "-1 ok,ok"}, state: explain.Running, left: 2},
	},
	"W83 a run that no fire time has passed": {
		planted: planted{tree: monitorOff, runs: []string{"0 on,on", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"Nothing prevents"}, never: []string{"still running"},
	},
	"W83 a run over a fire time, and the shards beside it": {
		planted: planted{tree: "j/sharding/0/running = " + secondID + "\nj/sharding/1/instance = " + secondID, runs: []string{"-9 on,ok", "-10 ok,ok"}, state: explain.Running, code: statistics.CodeOverrun},
		says:    []string{"A run is on. Shard 0: still marked as running", "Shard 1: " + secondID + " has it, and is running shard 0"},
		never:   []string{"Nothing prevents", "should run it at the next fire"},
	},
	"W83 a run over a fire time, and a shard is off": {
		planted: planted{tree: "j/sharding/0/running = " + secondID + "\nj/sharding/1/disabled\nj/sharding/1/misfire\nj/sharding/1/running = " + leaderID, runs: []string{"-9 on,on", "-10 ok,ok"}, state: explain.Partial, code: statistics.CodeItemDisabled},
		says:    []string{"A part of the job starts no runs: a run is on. Shard 1", "nothing is made up for while the shard is switched off"},
		never:   []string{"Shard 1: a fire time isn't completed; it is made up for", "Shards 0, 1: still", "it fires next"},
	},
	"W85 late, and the owner may hang": {
		planted: planted{runs: []string{"-2 ok,ok", "-3 ok,ok"}, state: explain.Late, code: statistics.CodeLate},
		says:    []string{"If it's frozen, hangs in a listener, or", "If it answers, trigger the job to have the run now."}, never: []string{" Trigger the job to have the run now"},
	},
	"W89 an offer, and nothing tells who is idle": {
		planted: planted{tree: "j/leader/failover/items/0", runs: []string{"-200 ok,ok"}, state: explain.Failing, code: statistics.CodeFailoverOffered},
		says:    []string{"no instance has taken it yet"}, never: []string{"idle"},
	},
	"W89 the owner waits at the barrier of a listener": {
		planted: planted{config: hourly + `jobListenerTypes:\n- report\n`, tree: "j/guarantee/completed/0\nj/sharding/0/misfire\nj/sharding/1/running = " + leaderID, runs: []string{"0 ok,on", "-1 ok,ok"}, state: explain.Running, code: statistics.CodeBarrierWaits},
		says: []string{
			"Shard 0: a fire time isn't completed; it should be made up for once, when the wait at the barrier of a listener (report) ends, at the end of the run: shard 1 of " + leaderID,
			"Shard 0: " + secondID + " should make up for it when the wait at the barrier of a listener (report) ends",
		},
		never: []string{"when the owner is free", "when it is free"},
	},
	"W86 a listener keeps the owners from making up for it": {
		planted: planted{
			tree:  "j/sharding/0/misfire\nj/sharding/1/misfire" + obstacle(secondID, "NOT_BEGUN") + obstacle(leaderID, "NOT_BEGUN"),
			state: explain.Blocked, code: statistics.CodeAgentObstacle,
		},
		says:  []string{"Shards 0, 1: a fire time isn't completed; the owner tries to make up for it, and the obstacle that it announces keeps it from that."},
		never: []string{"made up for once", "when the owner is free", "when it is free"},
	},
	"W86 an owner was started with Debug": {
		planted: planted{tree: "j/sharding/0/misfire" + obstacle(secondID, "DEBUG"), state: explain.Partial, code: statistics.CodeAgentObstacle},
		says:    []string{"Shard 0: a fire time isn't completed; it is not made up for while the obstacle that the owner announces lasts."},
		never:   []string{"made up for once", "when the owner is free", "when it is free"},
	},
	"W86 a listener failed, and the runs go on": {
		planted: planted{tree: "j/sharding/0/misfire" + obstacle(secondID, "LISTENER_FAILS"), state: explain.Healthy, code: statistics.CodeAgentObstacle},
		says:    []string{"Shard 0: a fire time isn't completed; it should be made up for once, when the owner is free."},
	},
	"W85 a fire time passed, and the owner's server was disabled": {
		planted: planted{tree: "j/sharding/0/misfire\nj/sharding/0/running = " + secondID + "\nj/servers/10.0.0.10 = DISABLED", runs: []string{"-2 on,ok", "-3 ok,ok"}, state: explain.Resharding, code: statistics.CodeItemOwnerDisabled},
		says:    []string{"it is not made up for, because that instance may not run shards now."}, never: []string{"made up for once"},
	},
	"W85 a fire time passed, and the schedule was edited": {
		planted: planted{tree: "j/sharding/0/misfire\n" + documentOf(hourly+"description: edited\\n"), state: explain.Healthy, code: statistics.CodeMisfireWaiting},
		says:    []string{"made up for once, when the owner is free, unless the schedule was edited or the shard moved since."},
	},
	"W85 a fire time passed, and the shard is beyond the new number": {
		planted: planted{tree: "j/sharding/2/instance = " + secondID + "\nj/sharding/2/misfire", state: explain.Healthy, code: statistics.CodeMisfireWaiting},
		says:    []string{"nothing is made up for, because the configuration has fewer shards."}, never: []string{"made up for once"},
	},
	"W84 held, and a fire time was missed": {
		planted: planted{tree: `j/extension/held = "{\"what\":\"schedule\",\"by\":\"root\"}"` + "\nj/sharding/0/misfire", state: explain.Held, code: statistics.CodeHeld},
		says:    []string{"a fire time isn't completed; it is not made up for while the job is held"}, never: []string{"when the owner is free"},
	},
	"W82 a shard without an owner holds up the others": {
		planted: planted{without: []string{"j/sharding/0/instance"}, state: explain.Resharding, code: statistics.CodeItemWithoutOwner},
		says:    []string{"waits until each shard has an owner"}, never: []string{"should run it at the next fire"},
	},
	"W82 a shard without an owner, next to Java": {
		planted: planted{without: []string{"j/sharding/1/instance", ourAgents[0]}, state: explain.Resharding, code: statistics.CodeItemWithoutOwner},
		never:   []string{"10.0.0.1@-@7 should run it at the next fire"},
	},
	"W88 it left, and its run goes on": {
		planted: planted{tree: noFailover + "- j/instances/" + secondID + "\nj/sharding/0/running [E] = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Resharding, code: statistics.CodeItemOwnerGone},
		says:    []string{"Shard 0: sharding/0/running is " + secondID + ", which has left the registry but is still connected"}, never: []string{"left behind"},
	},
	"W90 a Java agent records nothing": {
		planted: planted{without: ourAgents[:1], runs: []string{"0 ok,-", "-1 ok,-", "-2 ok,-"}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
		says:    []string{"The last runs on record are without shard 1; the owner may not record its runs."}, never: []string{"took no part"},
	},
	"W90 Java agents alone, after Go": {
		planted: planted{without: ourAgents, runs: []string{"-3 gone,gone", "-4 gone,gone"}, state: explain.Unknown, code: statistics.CodeNotRecorded, claims: checksOf(onTime)},
	},
	"W86 the run that is on makes up for it": {
		planted: planted{tree: "j/sharding/0/misfire\nj/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		never:   []string{"a fire time isn't completed", "No missed fire time waits"},
	},
	"W86 a process that stops makes up for nothing": {
		planted: planted{tree: "j/sharding/0/running [E] = 10.0.0.9@-@1", runs: []string{"-9 on,ok", "-10 ok,ok"}, state: explain.Running},
		says:    []string{"the instance runs nothing after it"}, never: []string{"made up for once"},
	},
	"W86 a job without a schedule is held": {
		planted: planted{config: " ", tree: `j/extension/held = "{\"what\":\"all\",\"by\":\"ann\"}"`, none: true, state: explain.Healthy},
		says:    []string{"should run it when the job is triggered"}, never: []string{"its fire times pass", "at the next fire"},
	},
	"a requested run, and the configuration can't be used": {
		planted: planted{
			tree:   taking + `j/extension/runs/queue/5-1767225600000-a-1 = "{\"v\":1,\"id\":\"a-1\",\"deal\":\"each\",\"due\":{now}}"` + "\n",
			config: `cron: 0/20 * * * *\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable,
		},
		says:  []string{"Run a-1 waits. Agents can't use the job's configuration: cron: cron expression"},
		never: []string{"decides about it", "Nothing blocks it"},
	},
	"W83 an owner is gone, and the configuration can't be used": {
		planted: planted{tree: "- j/sharding/0/instance\nj/sharding/0/instance = 10.0.0.9@-@1", config: `cron: 0/20 * * * *\ntimeZone: GMT+0\n`, state: explain.Unreadable, code: statistics.CodeConfigUnusable},
		says:    []string{"the owner is 10.0.0.9@-@1", statistics.DealFirst}, never: []string{"one written in Go at once", "leader's process hangs"},
	},
	"a run that was opened, and all servers are disabled": {
		planted: planted{tree: taking + opened + "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", state: explain.Disabled, code: statistics.CodeJobDisabled},
		says:    []string{"Run a-1 waits. The servers of all processes that could run it are disabled"},
	},
	"a run that was opened, and the leader is gone": {
		planted: planted{
			tree:  taking + opened + "- j/leader/election/instance\nj/leader/election/instance = 10.0.0.8@-@8\nj/leader/sharding/necessary",
			state: explain.Blocked, code: statistics.CodeLeaderGone,
		},
		says: []string{"Run a-1 waits. The shards have to be assigned, and the leader is 10.0.0.8@-@8, which isn't there."}, never: []string{"within seconds"},
	},
	"a run that was opened, and nothing is in its way": {
		planted: planted{tree: taking + opened, runs: []string{"0 ok,ok"}, state: explain.Healthy, code: statistics.CodeRunWaits},
		says:    []string{"Run a-1 waits. The registry shows nothing in its way"},
	},
	"a shard of an instance without a session": {
		planted: planted{tree: "j/servers/10.0.0.9 = ENABLED\nj/instances/10.0.0.9@-@1 = \"jobInstanceId: 10.0.0.9@-@1\\nserverIp: 10.0.0.9\\n\"\n- j/sharding/1/instance\nj/sharding/1/instance = 10.0.0.9@-@1", runs: []string{"0 ok,-", "-1 ok,-"}, state: explain.Partial, code: statistics.CodeInstanceGhost},
		says:    []string{"CHECK Instances are alive: 2 instances.", "ROW 1 of 2 shards are assigned to instances that no session holds"},
		never:   []string{"3 instances", "Each shard has an owner", "assigned to live instances"},
	},
	"W89 a resharding waits for a process that drains": {
		planted: planted{tree: "j/leader/sharding/necessary\n- j/instances/" + secondID + "\nj/sharding/0/running [E] = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Resharding, code: statistics.CodeReshardingAnnounced},
		says:    []string{"waits until these running markers go", "They go when the runs end.", statistics.DealFirst}, never: []string{"one written in Go at once"},
	},
	"W90 a resharding waits for a shard beyond the count": {
		planted: planted{
			tree: "j/leader/sharding/necessary\nj/sharding/2/instance = " + secondID + "\nj/sharding/2/running = " + secondID,
			runs: []string{"-1 ok,ok,on", "-2 ok,ok,ok"}, fired: []int{-1, -1}, state: explain.Resharding, code: statistics.CodeReshardingAnnounced,
		},
		says:  []string{"waits until these running markers go: shard 2 of " + secondID},
		never: []string{"without a run", "is on record", "shows no running shard"},
	},
	"W84 the servers of all instances are off": {
		planted: planted{tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED\nj/servers/10.0.0.3 = ENABLED", state: explain.Down, code: statistics.CodeNoEnabledInstance},
		says:    []string{"No instance of the job may run shards."}, never: []string{"follow"},
	},
	"W85 one shard of two dropped a fire time": {
		planted: planted{config: strings.Replace(dropping, "0 0/6 *", "0 0 *", 1), runs: []string{"0 ok,-", "-1 ok,ok+65m"}, state: explain.Partial, code: statistics.CodeDropped, claims: checksOf(onTime)},
		says:    []string{"00 UTC passed for shard 1 while a run went on, and is lost there"},
		never:   []string{"passed while a run", "A part of the job starts no runs", "shard 0", "without a run since"},
	},
	"W82 a shard is missing, and whether it was disabled then isn't known": {
		planted: planted{tree: monitorOff, runs: []string{"0 ok,-", "-1 ok,-", "-2 ok,ok"}, state: explain.Partial, code: statistics.CodeShardsMissed, claims: checksOf(onTime)},
		says:    []string{"are without shard 1.", "If it wasn't disabled then"}, never: []string{"switched on", "does not run"},
	},
	"W91 a run is on, and the job has no schedule": {
		planted: planted{config: " ", tree: "j/sharding/0/running = " + secondID, none: true, state: explain.Running},
		says:    []string{"A run is on, and agents drop triggers until it ends."}, never: []string{"Nothing prevents", "it runs when it is triggered"},
	},
	"W91 requested runs wait": {
		planted: planted{tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"drops triggers, and requested runs wait for the shards that run."},
	},
	"W91 requested runs are skipped": {
		planted: planted{config: hourly + `props:\n  run.overlap: skip\n`, tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"drops triggers, and requested runs are skipped."},
	},
	"W91 requested runs wait, at most one": {
		planted: planted{config: hourly + `props:\n  run.overlap: one\n`, tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"requested runs wait for the shards that run, or are skipped if another one waits already."},
	},
	"W91 requested runs take a free shard": {
		planted: planted{config: `props:\n  run.deal: one\n`, tree: "j/sharding/0/running = " + secondID, none: true, state: explain.Running},
		says:    []string{"drops triggers, and requested runs wait if no other shard is free."},
	},
	"W91 requested runs take a free shard, or are skipped": {
		planted: planted{config: `props:\n  run.deal: one\n  run.overlap: skip\n`, tree: "j/sharding/0/running = " + secondID, none: true, state: explain.Running},
		says:    []string{"drops triggers, and requested runs wait or are skipped if no other shard is free."},
	},
	"W91 one of the servers is disabled": {
		planted: planted{tree: "j/servers/10.0.0.10 = DISABLED\n- j/sharding/0/instance\nj/sharding/0/instance = " + leaderID, state: explain.Healthy, code: statistics.CodeServerDisabled},
		says:    []string{"CHECK Instances are alive: 2 instances, and 1 of them may run shards."},
	},
	"W91 a change of the clock skips the only fire time": {
		planted: planted{config: `cron: 0 30 2 28 3 ? 2027\nprops:\n  schedule.zone: Europe/Berlin\n`, none: true, state: explain.Ended, code: statistics.CodeCronNeverAgain},
		says:    []string{`The schedule "0 30 2 28 3 ? 2027" has no fire time to come: changes of the clock skip all of its times.`},
		never:   []string{"is past"},
	},
	"W91 the schedule begins after the only fire time": {
		planted: planted{config: `cron: 0 0 0 1 1 ? 2020\ntimeZone: GMT+0\nprops:\n  schedule.from: 2020-01-01T12:00:00Z\n`, none: true, state: explain.Ended, code: statistics.CodeCronNeverAgain},
		says:    []string{`The schedule "0 0 0 1 1 ? 2020" has no fire time to come.`}, never: []string{"is past", "changes of the clock"},
	},
	"W91 the job of every second runs past fire times": {
		planted: planted{config: `cron: 0/1 * * * * ?\ntimeZone: GMT+0\n`, tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"Shard 0: still marked as running on " + secondID + " at the fire time 20"}, never: []string{"the next fire time came"},
	},
	"W91 run early by a clock that was ahead": {
		planted: planted{fired: []int{1, 1}, state: explain.Healthy, code: statistics.CodeFiredEarly},
		says:    []string{"Set the clock of that machine. The job runs at its first fire time after 20"}, never: []string{"after that;"},
	},
	"W91 requested runs cancel it": {
		planted: planted{config: hourly + `props:\n  run.overlap: cancel\n`, tree: "j/sharding/0/running = " + secondID, runs: []string{"0 on,ok", "-1 ok,ok"}, state: explain.Running},
		says:    []string{"drops triggers."}, never: []string{"requested runs"},
	},
}

// TestNothingFalseIsClaimed: an answer must not claim anything without evidence.
func TestNothingFalseIsClaimed(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	for name, c := range claims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, server.Addr)
			c.plant(t, s)
			answer := c.check(t, s)
			if c.code != "" && (len(answer.Findings) == 0 || answer.Findings[0].Code != c.code) {
				t.Errorf("the first finding isn't %s: %s", c.code, codes(answer.Findings))
			}
			direct, err := s.reader.Explain(t.Context(), "j")
			if err != nil {
				t.Fatal(err)
			}
			console := statistics.NewWatchingReader(s.Registry())
			t.Cleanup(console.Close)
			console.SetClock(func() time.Time { return s.now })
			watched, err := console.Explain(t.Context(), "j")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(direct, watched); diff != "" {
				t.Errorf("the console's memory answers otherwise (-direct +watched):\n%s", diff)
			}
			detail, err := s.reader.Job(t.Context(), "j")
			if err != nil {
				t.Fatal(err)
			}
			said := []string{answer.Summary}
			for _, f := range answer.Findings {
				said = append(said, f.Sentence, f.Advice)
			}
			for _, check := range answer.Checks {
				said = append(said, "CHECK "+check.Sentence)
			}
			said = append(said, "ROW "+detail.Job.Reason)
			for _, shard := range detail.Shards {
				said = append(said, fmt.Sprintf("Shard %d: %s", shard.Item, shard.Reason))
			}
			text := strings.Join(said, "\n")
			for _, part := range c.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q isn't in:\n%s", part, text)
				}
			}
			if i := slices.IndexFunc(c.never, func(part string) bool { return strings.Contains(text, part) }); i >= 0 {
				t.Errorf("%q is in:\n%s", c.never[i], text)
			}
		})
	}
}
