package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The fourth list of this program is that of requested runs: docs/runs-cases.md. A case
// may lack a test there, and then the list says so.

var (
	runCaseTest   = regexp.MustCompile(`^Test((?:R[0-9]{2})+)`)
	runCaseNumber = regexp.MustCompile(`R[0-9]{2}`)
)

// noRunTest is what the list says of a case without one.
const noRunTest = "none yet"

const runsHeading = `# Cases of requested runs

What must hold of [runs with parameters](runs.md), case by case, and the tests that bear
the number of the case, or are named by it. ` + "`go run ./internal/conformance -runs`" + ` writes this
file from the sources. A fast test fails when this file names a test that no longer exists,
or says *none yet* of a case that has one.

*Virtual time*, *both servers*, *processes* and *databases* mean what they do in
[must-survive.md](must-survive.md). *Beside Java* are tests of ` + "`make interop`" + `, with agents of
Apache ElasticJob; *console* are tests of its REST interface and its pages, by HTTP.

`

// runsDocument is docs/runs-cases.md.
func runsDocument(found map[string][]proof) string {
	table := surveyTable("Given", runCases, found)
	return runsHeading + strings.ReplaceAll(table, " |  |\n", " | "+noRunTest+" |\n") + surveyGaps(runShortfalls)
}

func writeRunCases(root string) error {
	found, err := proofsOf(root, runCases, runCaseTest, runCaseNumber)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "runs-cases.md"), []byte(runsDocument(found)), 0o644)
}

// runCases are all there are.
var runCases = []fault{
	{number: "R01", title: "A run with parameters is submitted from code; one agent", holds: "The handler gets them, once; the run succeeds, and no node of it stays but its end"},
	{number: "R02", title: "A delay of 5 s", holds: "`scheduled` until then; it begins within 50 ms after its time and never before"},
	{number: "R03", title: "It is cancelled while it waits for its delay", holds: "`cancelled`, never executed; the reason names who did it and why"},
	{number: "R04", title: "Three agents, six shards, `each`", holds: "Every shard is executed once with the parameters; an instance makes at most 5 requests of ZooKeeper"},
	{number: "R05", title: "Three agents, six shards, `one`, 200 runs of 1 s", holds: "Six at once at most, never two on a shard, and all end"},
	{number: "R06", title: "One shard, `one`, 50 runs of random length", holds: "They begin in the order in which they were submitted"},
	{number: "R07", title: "A second run while one works, policy `skip`", holds: "`skipped`, and the reason names the run that works; a fire time that works counts as busy"},
	{number: "R08", title: "The same with `one`, `cancel` and `queue`", holds: "One waits and the third is skipped; the first is cancelled and the second follows; all run in turn"},
	{number: "R09", title: "It fails twice and once more, two retries, no back-off", holds: "Three attempts, `failed`; the error handler is called once, for the last"},
	{number: "R10", title: "Back-off 1 min, at most 3 min, five retries", holds: "Pauses of 1, 2, 3, 3, 3 min, each a fifth more or less"},
	{number: "R11", title: "`each`, four shards, one of them fails", holds: "The second attempt has that shard only"},
	{number: "R12", title: "`Permanent`, `RetryAfter`, `Snooze` and `SkipRun`", holds: "It fails for good; waits as long as was asked; snoozes without an attempt; is skipped"},
	{number: "R13", title: "A timeout, and a handler that obeys", holds: "The attempt fails at the timeout, and says so"},
	{number: "R14", title: "A timeout, and a handler that ignores it", holds: "It stays `running`, the log names it, the shard stays taken, and nothing is executed beside it"},
	{number: "R15", title: "A cancel while it runs, and a handler that obeys", holds: "Its context ends within 50 ms with `ErrCancelled`; `cancelled`, and never tried again"},
	{number: "R16", title: "A cancel while it runs, and a handler that returns nil", holds: "`succeeded`, and the reason says that the cancel came too late"},
	{number: "R17", title: "A cancel beside each transaction of a run", holds: "One end; markers and records go"},
	{number: "R18", title: "The owner dies at each transaction of a run, `one` and `each`", holds: "`succeeded`, executed at most once more than there were losses; nothing stays"},
	{number: "R19", title: "The owner dies in the handler, `LostFail`", holds: "`failed`, the reason says that it was lost; not executed again"},
	{number: "R20", title: "A handler that ends its process each time", holds: "`failed` at the third loss"},
	{number: "R21", title: "The steward dies at each of its transactions", holds: "The next steward finishes; nothing moves twice"},
	{number: "R22", title: "Replies are lost, to whatever request", holds: "As if they had come: no second run, no orphan"},
	{number: "R23", title: "The session is lost in the handler, and nobody else is there", holds: "What was interrupted runs again under the next session"},
	{number: "R24", title: "The session is lost, and another instance is faster", holds: "The second execution has a greater fencing token, and the late end of the first one is refused"},
	{number: "R25", title: "The owner is cut off beyond its session and resumes", holds: "Its context ends first, and its end changes nothing"},
	{number: "R26", title: "An agent stops while a run works there; it ends in time, or not", holds: "`succeeded`; or `queued` again without an attempt, and another agent executes it"},
	{number: "R27", title: "No agent for an hour, during which runs come due and expire", holds: "Those that expired say so, and the rest run when an agent comes"},
	{number: "R28", title: "Instances join and leave while a run of each shard is half done", holds: "Each shard once; those that wait run at their new owner"},
	{number: "R29", title: "Fewer shards during a run", holds: "The run fails with a reason; the next one has the new number"},
	{number: "R30", title: "Disabled shards, some or all", holds: "Left out and counted; or the run is skipped"},
	{number: "R31", title: "Every server is disabled, then one is enabled", holds: "It waits, says why, and runs"},
	{number: "R32", title: "A job that fires each second and has runs of 3 s", holds: "No run waits longer than a run and a fire; what was missed is made up for as one"},
	{number: "R33", title: "A fire time fails, one retry after 10 s", holds: "The shards that failed are tried again after 10 s, and not if the next fire time comes first"},
	{number: "R34", title: "A hold of the schedule, or of requests", holds: "No fire time runs, what is suppressed is counted, few rows tell of it; what a person asks for runs; the release makes up for nothing"},
	{number: "R35", title: "A process that debugs", holds: "It begins nothing but what a person asks for"},
	{number: "R36", title: "`PauseAfter` 3, and three failures in a row", holds: "Held by the agent, with the reason; the release counts from zero"},
	{number: "R37", title: "A window of the schedule, and excluded days", holds: "No fire time outside; preview, explanation and agents agree"},
	{number: "R38", title: "Jitter, three agents, a new owner in between", holds: "All fire at the same moment, once"},
	{number: "R39", title: "Past fire times are backfilled, and the agent that requests the runs stops half way", holds: "Each fire time once, in order, with its `ScheduledAt`"},
	{number: "R40", title: "`MaxParallel` 2, jobs with ten shards", holds: "Never three handlers at once; runs of `one` go to other processes"},
	{number: "R41", title: "A key is used again during the run, 5 and 11 min after it", holds: "The same id twice, then a new run; with other parameters `ErrKeyInUse`"},
	{number: "R42", title: "10,000 delayed runs of one job; the steward dies", holds: "They begin in order; no list of nodes is longer than its bound"},
	{number: "R43", title: "One request more than a bucket takes, one large one more, one key more", holds: "`ErrQueueFull`, and it says what is full"},
	{number: "R44", title: "Three of ten watch events are lost", holds: "Every run ends within two reconcile intervals"},
	{number: "R45", title: "Jobs that never have a run", holds: "They cost no request more at a fire time"},
	{number: "R46", title: "The job is removed with runs that wait and one that works", holds: "No node of it is made again"},
	{number: "R47", title: "An agent of a version before owns a shard", holds: "It is not counted on: the run waits, and runs when that agent is new"},
	{number: "R48", title: "An agent whose struct of parameters lacks a new field", holds: "The run is left to others; parameters that break the stored schema fail it for good"},
	{number: "R49", title: "An agent of Java owns a shard, `each`", holds: "Refused, with the shards and the agents"},
	{number: "R50", title: "Failover is on, the owner of ours dies, an agent of Java lives", holds: "Java executes nothing, an agent of ours runs it again, no marker stays"},
	{number: "R51", title: "A thousand runs wait beside agents of Java", holds: "No session of theirs ends, and their fires stay punctual"},
	{number: "R52", title: "A leader of Java reshards while a run works", holds: "It waits for the end of the run"},
	{number: "R53", title: "The database is away for 10 min; logs and progress go on", holds: "No handler is slower, runs end, and what is lost is counted"},
	{number: "R54", title: "A million lines logged by one handler; a line of 1 MB; invalid UTF-8", holds: "The bounds hold, a line tells what was left out, text is cut between characters"},
	{number: "R55", title: "The history is pruned while agents write", holds: "As MS48, for the four tables of runs"},
	{number: "R56", title: "A form or a request with wrong parameters, of every kind", holds: "Refused with every problem; too large is refused as such; a job without a schema takes any object"},
	{number: "R57", title: "A guest submits, cancels, holds, and reads secrets", holds: "Refused; secrets are hidden, also in the audit"},
	{number: "R58", title: "One key from twenty clients at once", holds: "One run, and nineteen answers that repeat it"},
	{number: "R59", title: "Names and parameters with blanks, Chinese, markup and characters of four bytes", holds: "Paths work, markup is text, and what was stored comes back byte for byte"},
	{number: "R60", title: "ZooKeeper is away during a request, a cancel, a hold and a list", holds: "Refused within 5 s, nothing half done; runs that work go on"},
	{number: "R61", title: "`console job run --wait`, each end, and an interrupt", holds: "The exit code of that end; an interrupt leaves the run alone and prints its id", also: []string{"TestJobWaitEndsWithTheCodeOfTheRun", "TestJobWaitIsInterrupted", "TestJobWaitOutlivesAnOutage"}},
	{number: "R62", title: "Random histories: five agents, faults, retries, snoozes, cancels, keys", holds: "Every id ends once; bounded attempts and executions, never two at once, nothing before its time, nothing stays"},
	{number: "R63", title: "The markers of a run that works are removed", holds: "Its end is written all the same, and nothing runs twice in a process"},
	{number: "R64", title: "An operator shuts an instance down during a run, failover on, beside Java", holds: "Refused; done if it is forced"},
	{number: "R65", title: "A new session finds the marker of its last one, failover on", holds: "The marker goes, nothing fails over, and the run goes on by its record"},
	{number: "R66", title: "50 instances, 500 shards, `each`", holds: "All are claimed within 1 s, by a bounded number of transactions"},
	{number: "R67", title: "A stored property of runs is wrong", holds: "Its default counts, and the log and explain name it; one of the schedule stops that"},
	{number: "R68", title: "Two people hold and release, or cancel and start, the same", holds: "One wins, and the other learns the state"},
}

// runShortfalls are where less holds than the case asks for, or is shown.
var runShortfalls = []departure{
	{[]string{"R04"}, "An instance makes 6 requests: it reads the bell twice, as it is rung for the request and for the opened run, reads the record, claims, reads the record that others have written since, and ends. The steward, the one that opens the run, makes 7, however many shards there are, up to 48: in the place of the first reading of the record it reads the request, the switches of the shards and the records by one request, and opens the run. A claim that is refused, because another instance was faster, costs 2 more. Once `run.keep` runs have ended, the steward makes 4 more to remove the oldest outcome. The test allows no more than that. With more shards, the switches are read by one request for each 50. With a ZooKeeper before 3.6 they are read one by one, and the records by themselves."},
	{[]string{"R47"}, "While a job has an agent that takes no runs, the run of each shard is refused where Java owns a shard, and waits where an agent of ours of a version before does."},
	{[]string{"R53"}, "What is lost and counted is lost without a spool. Runs do not wait for the database: their ends are in ZooKeeper."},
	{[]string{"R61"}, "The command runs in the test's own process."},
}
