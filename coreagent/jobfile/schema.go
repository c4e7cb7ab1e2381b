package jobfile

import (
	"slices"
	"strings"
)

// kind is the form of a key's value.
type kind int

const (
	text    kind = iota
	number       // a whole number
	boolean      // true or false
	list         // a list, or one text with commas
	props        // names and texts, nested or with dots
	section      // our own keys
	jobs         // job names and sections
)

// String describes the expected form.
func (k kind) String() string {
	return [...]string{"a text", "a whole number", "true or false", "a list", "names and texts", "keys", "job names"}[k]
}

// key is one key of the file. The tables below are the keys that the reader knows, suggests for
// misspelt ones, and documents in docs/agent.md.
type key struct {
	name     string // in the spelling of the starter's manual
	kind     kind
	sub      []key // of a section; of each job
	open     bool  // a section that may have other keys
	secret   bool  // the value is never shown
	ignored  bool  // known, but without an effect here
	foreign  bool  // not ElasticJob's, so no Java process knows it
	required bool
	def      string // the default, for the manual
	doc      string // for the manual
}

// document is the whole file.
var document = []key{
	{name: "elasticjob", kind: section, sub: elasticjob},
	{name: "spring", kind: section, open: true, sub: []key{
		{name: "datasource", kind: section, open: true, sub: dataSource},
	}},
}

var elasticjob = []key{
	{name: "enabled", kind: boolean, def: "true", doc: "false serves nothing."},
	{name: "regCenter", kind: section, sub: regCenter},
	{name: "jobs", kind: jobs, sub: job},
	{name: "jobDefaults", kind: section, sub: job, foreign: true, doc: "Any keys of a job, for the jobs that don't have them. `props` are joined."},
	{name: "tracing", kind: section, sub: tracingKeys},
	{name: "dump", kind: section, sub: dump},
	{name: "worker", kind: section, sub: worker, foreign: true},
	{name: "runLog", kind: section, sub: runLog, foreign: true},
}

var worker = []key{
	{name: "maxParallel", kind: number, foreign: true, def: "0", doc: "Handlers that run at once in the process, of all its jobs together. 0: no limit; at most 100000."},
	{name: "executors", kind: props, foreign: true, doc: "Thread pools by name, for `jobExecutorServiceHandlerType`: how many shards of a job run side by side in the process, 1 to 100000. Each job has a pool of its own."},
	{name: "debug", kind: text, foreign: true, def: "none", doc: "What the process does not begin on its own: `schedule`, `requests` or `all`."},
}

var runLog = []key{
	{name: "level", kind: text, foreign: true, def: "info", doc: "The least level of the lines that are stored of an execution: `debug`, `info`, `warn` or `error`."},
	{name: "lines", kind: number, foreign: true, def: "1000", doc: "Lines that are stored of an execution; -1 stores none; at most 100000."},
	{name: "kilobytes", kind: number, foreign: true, def: "256", doc: "KiB that are stored of it; at most 65536."},
}

var regCenter = []key{
	{name: "serverLists", kind: list, required: true, doc: "The ensemble: `host:port`, several with commas; without a port it is 2181. After the last one a chroot, if any: `zk1:2181,zk2:2181/elastic`; it must exist."},
	{name: "namespace", kind: text, required: true, doc: "The folder in ZooKeeper for the jobs. All processes of a job use the same one."},
	{name: "digest", kind: text, secret: true, doc: "`user:password` for ZooKeeper's digest scheme. Everything is then accessible to that user only."},
	{name: "sessionTimeoutMilliseconds", kind: number, def: "30000", doc: "After so long without contact ZooKeeper gives a process's shards away: 200 to 300000; 0 is the default. Java's default is 60000."},
	{name: "connectionTimeoutMilliseconds", kind: number, def: "5000", doc: "Bounds one attempt to connect; 0 is the default; at most 3600000."},
	{name: "type", kind: text, def: "zookeeper", doc: "Nothing else is supported."},
	{name: "baseSleepTimeMilliseconds", kind: number, ignored: true, doc: "The agent has its own pauses and goes on trying."},
	{name: "maxSleepTimeMilliseconds", kind: number, ignored: true, doc: "The agent has its own pauses and goes on trying."},
	{name: "maxRetries", kind: number, ignored: true, doc: "The agent has its own pauses and goes on trying."},
	{name: "ensembleTracker", kind: boolean, ignored: true, doc: "Host names are resolved at each connection instead."},
}

var job = []key{
	{name: "elasticJobType", kind: text, doc: "`SCRIPT` or `HTTP`, which need no code, or a type of your own. Either this or `elasticJobClass` is required."},
	{name: "elasticJobClass", kind: text, doc: "The class of the job when it needs code: what Java processes of the job have, any name otherwise. `elasticjob agent` cannot run it."},
	{name: "cron", kind: text, def: "none: a one-off job", doc: "Quartz expression with seconds. Without one the job runs when it is triggered."},
	{name: "timeZone", kind: text, def: "the process's", doc: "Zone of `cron` as an offset: `GMT+08:00`."},
	{name: "scheduleZone", kind: text, foreign: true, doc: "Zone of `cron` by its IANA name, such as `Europe/Berlin`, in place of `timeZone`."},
	{name: "scheduleFrom", kind: text, foreign: true, doc: "The job fires from then on: `2026-12-24T08:00:00Z`."},
	{name: "scheduleUntil", kind: text, foreign: true, doc: "It fires before then. Agents of Java know none of the `schedule` keys and fire all the same."},
	{name: "scheduleExclude", kind: list, foreign: true, doc: "Days on which it does not fire, in the job's zone: dates, ranges such as `2026-12-24/2027-01-02`, and weekdays such as `SAT`."},
	{name: "scheduleJitterMilliseconds", kind: number, foreign: true, def: "0", doc: "Put each fire time off by a part of this, another one for each job: less than half the smallest gap between fires; at most 3600000."},
	{name: "shardingTotalCount", kind: number, required: true, doc: "Number of shards: 1 to 100000."},
	{name: "shardingItemParameters", kind: text, doc: "A parameter per shard: `0=Beijing,1=Shanghai`."},
	{name: "jobParameter", kind: text, doc: "Handed to every shard."},
	{name: "monitorExecution", kind: boolean, def: "true", doc: "Mark running shards in ZooKeeper."},
	{name: "failover", kind: boolean, def: "false", doc: "Other instances run the shards that were running when their process died. Needs `monitorExecution`."},
	{name: "eagerFailover", kind: boolean, foreign: true, def: "false", doc: "Take such shards at once also while the job runs here. Needs `failover`."},
	{name: "misfire", kind: boolean, def: "true", doc: "Make up for a fire time that passed during a run."},
	{name: "maxTimeDiffSeconds", kind: number, def: "-1", doc: "Report a clock that differs more from ZooKeeper's. 0 and -1: off; at most 31536000."},
	{name: "reconcileIntervalMinutes", kind: number, def: "10", doc: "Compare the assignment with the living instances so often. 0 and -1: off; at most 525600."},
	{name: "jobShardingStrategyType", kind: text, def: "AVG_ALLOCATION", doc: "`AVG_ALLOCATION`, `ODEVITY`, `ROUND_ROBIN` or `SINGLE_SHARDING_BALANCE`."},
	{name: "jobExecutorServiceHandlerType", kind: text, def: "CPU", doc: "`CPU`, `SINGLE_THREAD` or a name in `worker.executors`."},
	{name: "jobExecutorThreadPoolSizeProviderType", kind: text, def: "CPU", doc: "The same in the words of 3.0.5."},
	{name: "jobErrorHandlerType", kind: text, def: "LOG", doc: "`LOG`, `THROW`, `IGNORE`, `EMAIL`, `WECHAT` or `DINGTALK`; the last three read their settings from `props`."},
	{name: "jobListenerTypes", kind: list, doc: "Listeners the process has registered under these names."},
	{name: "description", kind: text, doc: "For operators."},
	{name: "title", kind: text, foreign: true, doc: "The name that the console shows next to the job's: one line of at most 100 characters."},
	{name: "props", kind: props, doc: "The job's properties, see below."},
	{name: "disabled", kind: boolean, def: "false", doc: "Register this server as disabled when it is new."},
	{name: "overwrite", kind: boolean, def: "false", doc: "Write this declaration over the stored one at each start."},
	{name: "staticSharding", kind: boolean, def: "false", doc: "Leave shards where they are when instances come and go."},
	{name: "timeoutMilliseconds", kind: number, foreign: true, def: "0", doc: "End a run that takes longer: a script is killed, a request cancelled. 0: no limit; at most 2147483647."},
	{name: "runAssign", kind: text, foreign: true, def: "each", doc: "Who takes part in a requested run: `each` shard, or `one` that is free, which needs a job without `cron` and `monitorExecution`."},
	{name: "runOverlap", kind: text, foreign: true, def: "queue", doc: "What becomes of a requested run whose time comes while the job is busy: `queue`, `one`, `skip` or `cancel`."},
	{name: "runRetries", kind: number, foreign: true, def: "0", doc: "Attempts that may follow the first when shards fail: 0 to 100."},
	{name: "runBackoffMilliseconds", kind: number, foreign: true, def: "0", doc: "Pause before the second attempt; it doubles with each further one. At most 86400000."},
	{name: "runBackoffMaxMilliseconds", kind: number, foreign: true, def: "3600000", doc: "The longest such pause, at most 86400000."},
	{name: "runLost", kind: text, foreign: true, def: "again", doc: "What becomes of a requested run's shard whose instance dies: it runs `again`, or it must `fail`."},
	{name: "runExpiryMinutes", kind: number, foreign: true, def: "10080", doc: "A requested run that has not begun so long after its time is given up. -1: never; at most 525600."},
	{name: "runKeep", kind: number, foreign: true, def: "100", doc: "Requested runs that have ended and stay in ZooKeeper: 0 to 1000."},
	{name: "pauseAfterFailures", kind: number, foreign: true, def: "0", doc: "Hold the job when so many requested runs in a row have failed. 0: never; at most 1000."},
	{name: "runLog", kind: boolean, foreign: true, def: "true", doc: "Store the lines that handlers log with the history of the job's runs, within the bounds of `elasticjob.runLog`."},
	{name: "runParameters", kind: text, foreign: true, doc: "The schema of the parameters of requested runs, as JSON text in the subset that runs.md describes."},
	{name: "label", kind: text, ignored: true, doc: "Only a component of ElasticJob up to 3.0.4 reads it."},
	{name: "jobBootstrapBeanName", kind: text, ignored: true, doc: "Go has no beans; a one-off job is triggered by its name."},
	{name: "maxWaitMillis", kind: number, ignored: true, doc: "The agent bounds its own waits."},
}

var tracingKeys = []key{
	{name: "type", kind: text, doc: "`RDB` records runs in a database. Without it nothing is recorded."},
	{name: "dataSource", kind: section, open: true, sub: dataSource},
	{name: "includeJobNames", kind: list, doc: "Record these jobs only."},
	{name: "excludeJobNames", kind: list, doc: "Record all jobs but these. Not together with `includeJobNames`."},
}

// dataSource has the keys that we read of elasticjob.tracing.dataSource, else of spring.datasource;
// both have many more.
var dataSource = []key{
	{name: "url", kind: text, required: true, doc: "`jdbc:mysql://host:3306/name`, `jdbc:mariadb:…`, `jdbc:postgresql://host:5432/name`, `jdbc:sqlite:file`, or a DSN as `console serve` takes it. A security parameter of a JDBC URL that we do not understand is an error."},
	{name: "username", kind: text, doc: ""},
	{name: "password", kind: text, secret: true, doc: ""},
	{name: "driverClassName", kind: text, ignored: true, doc: "The scheme of `url` decides."},
}

var dump = []key{
	{name: "enabled", kind: boolean, def: "true", doc: ""},
	{name: "port", kind: number, doc: "Answer `dump@job` on this port of the loopback address; 0 takes a free one. Without a port there is no dump service."},
}

// secretProps are the secret properties of ElasticJob's notifiers, including addresses with a token.
var secretProps = []string{"email.password", "dingtalk.secret", "dingtalk.webhook", "wechat.webhook"}

// canon maps spellings of a key that are equal for Spring to the same text.
func canon(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func find(keys []key, name string) (key, bool) {
	name = canon(name)
	for _, k := range keys {
		if canon(k.name) == name {
			return k, true
		}
	}
	return key{}, false
}

func names(keys []key) []string { return namesOf(keys, func(k key) string { return k.name }) }

// isSecretProp reports whether a job property's value must not be shown. The user's own properties
// are judged by name.
func isSecretProp(name string) bool {
	name = strings.ToLower(name)
	words := []string{"password", "passwd", "secret", "token", "credential", "apikey", "api.key", "api-key"}
	return slices.Contains(secretProps, name) || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}
