//go:build !race

package archtest

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Families of packages that some of ours must do without.
var (
	web         = []string{"github.com/gin-gonic/", "github.com/a-h/templ", "github.com/coreos/go-oidc", "golang.org/x/oauth2"}
	databases   = []string{"gorm.io/", "github.com/glebarez/", "modernc.org/", "github.com/go-sql-driver/", "github.com/pressly/goose"}
	metrics     = []string{"github.com/prometheus/"}
	exporters   = []string{"go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters"}
	kubernetes  = []string{"k8s.io/", "sigs.k8s.io/"}
	forTests    = []string{"testing", "github.com/chromedp/", "github.com/google/go-cmp/", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/stretchr/testify", module + "/internal/browser", module + "/internal/zk/zktest", module + "/internal/store/storetest", module + "/internal/testgate", module + "/internal/console/consoletest", module + "/internal/waittest", module + "/internal/cloud/cloudfake", module + "/internal/cloud/enginetest", module + "/internal/cloud/storetest", module + "/internal/cloud/kubetest", module + "/internal/cli/clitest", module + "/coreagent/internal/nodes/nodestest"}
	consoleOnly = []string{module + "/internal/console", module + "/internal/store", module + "/internal/database", module + "/internal/openid", module + "/web/", module + "/cmd/"}
)

// processes are the packages below internal/cloud for programs that run tasks. They know no scheduler, engine or store.
var processes = []string{"internal/cloud/task", "internal/cloud/event", "internal/cloud/daemon"}

// dependencyRules say what the packages of a folder must not carry, and why.
var dependencyRules = []struct {
	folders   []string
	except    []string
	forbidden []string
	allowed   []string // although it's below something forbidden
	why       string
}{
	{
		folders:   []string{"coreagent", "registry", "jobconfig", "internal/zk", "internal/jobtree", "internal/quartz", "tracing", "lifecycle"},
		except:    []string{"tracing/rdb", "coreagent/coreagentprom"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly),
		why:       "an agent is embedded in somebody's service and carries no console, database or metrics library, and of OpenTelemetry the interface alone",
	},
	{
		folders:   []string{"coreagent/coreagentprom"},
		forbidden: slices.Concat(web, databases, exporters, consoleOnly),
		why:       "the metrics of an agent bring Prometheus and nothing else",
	},
	{
		folders:   []string{"coreagent", "registry", "jobconfig", "internal/zk", "internal/jobtree", "internal/quartz", "tracing", "lifecycle", "statistics", "internal/console", "internal/openid", "internal/store", "internal/demo", "web", "cmd"},
		except:    []string{"internal/zk/zktest", "internal/jobtree/treetest", "internal/store/storetest", "coreagent/coreagenttest", "coreagent/internal/nodes/nodestest", "internal/console/consoletest"},
		forbidden: forTests,
		why:       "what tests need never gets into a binary",
	},
	{
		folders:   []string{"coreagent"},
		except:    []string{"coreagent/coreagenttest", "coreagent/internal/nodes/nodestest"},
		forbidden: []string{module + "/internal/zk/zkfake", module + "/lifecycle", module + "/statistics"},
		why:       "the agent stands beside the operator's packages, not on them, and the in-process server is for tests and the demo",
	},
	{
		folders:   []string{"lifecycle", "statistics"},
		forbidden: []string{module + "/coreagent", module + "/internal/zk/zkfake"},
		why:       "operator and agent meet in the tree, never in each other's code",
	},
	{
		folders:   []string{"registry", "internal/connection"},
		forbidden: []string{module + "/coreagent", module + "/lifecycle", module + "/statistics", module + "/internal/zk/zkfake"},
		why:       "agents, operators and readers stand on the registry",
	},
	{
		folders:   []string{"internal/zk"},
		forbidden: []string{module + "/internal/jobtree", module + "/coreagent", module + "/lifecycle", module + "/statistics"},
		why:       "the recipe layer is generic",
	},
	{
		folders:   []string{"jobconfig", "internal/javayaml", "internal/nodename"},
		forbidden: []string{module + "/internal/zk", module + "/internal/jobtree", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"},
		why:       "a document is text and values, wherever it is stored",
	},
	{
		folders:   []string{"cloud"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/internal/zk", module + "/internal/cloud", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		allowed:   processes,
		why:       "what a job of ElasticJob-Cloud is and when it runs depends on no engine and on no store",
	},
	{
		folders:   []string{"internal/cloud/scheduler"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/internal/zk", module + "/internal/cloud/kube", module + "/internal/cloud/local", module + "/internal/cloud/zkstore", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "one scheduler serves every engine and every store",
	},
	{
		folders:   []string{"internal/cloud/local"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/internal/zk", module + "/internal/jobtree", module + "/internal/cloud/zkstore", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "an engine of processes knows files, processes and package cloud",
	},
	{
		folders:   []string{"internal/cloud/archive"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/cloud", module + "/internal/zk", module + "/internal/jobtree", module + "/internal/cloud/kube", module + "/internal/cloud/local", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "what is fetched and unpacked depends on no engine",
	},
	{
		folders:   []string{"internal/notify"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/cloud", module + "/internal/cloud", module + "/internal/zk", module + "/internal/jobtree", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "agents carry what sends a message, and so does the scheduler: it knows neither",
	},
	{
		folders:   []string{"internal/cloud/notices"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/internal/zk", module + "/internal/jobtree", module + "/internal/cloud/kube", module + "/internal/cloud/local", module + "/internal/cloud/zkstore", module + "/internal/cloud/scheduler", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "who is notified of a failed run depends on no engine and on no store",
	},
	{
		folders:   []string{"internal/cloud/zkstore"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		why:       "a store knows ZooKeeper, its tree and package cloud",
	},
	{
		folders:   append([]string{"coreagent/cloudjob"}, processes...),
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/cloud", module + "/internal/cloud", module + "/registry/", module + "/lifecycle", module + "/statistics"}),
		allowed:   processes,
		why:       "a program of ElasticJob-Cloud knows its environment, and no scheduler, engine or store",
	},
	{
		folders:   []string{"cmd/cloudrun"},
		forbidden: slices.Concat(web, databases, metrics, exporters, kubernetes, consoleOnly, forTests, []string{module + "/cloud", module + "/internal/cloud", module + "/internal/zk", module + "/internal/jobtree", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"}),
		allowed:   processes,
		why:       "the wrapper is copied into images of all kinds: it is small, and carries no runtime of jobs",
	},
	{
		folders:   []string{"cmd/elasticjob", "internal/cli"},
		except:    []string{"internal/cli/clitest"},
		forbidden: slices.Concat(web, kubernetes, forTests, []string{module + "/internal/console", module + "/internal/i18n", module + "/internal/cloud/local", module + "/internal/cloud/scheduler", module + "/internal/demo", module + "/lifecycle", module + "/statistics", module + "/web/"}),
		allowed:   []string{"internal/console/api"},
		why:       "the command line is small, and asks a console for all that it shows",
	},
	{
		folders:   []string{"internal/console/api"},
		forbidden: slices.Concat(web, databases, metrics, kubernetes, forTests, []string{module + "/coreagent", module + "/lifecycle", module + "/statistics", module + "/internal/i18n", module + "/internal/store"}),
		why:       "the wire types and the client are for every program",
	},
	{
		folders:   []string{"internal/cloud/kube"},
		forbidden: slices.Concat(databases, exporters, consoleOnly, forTests, []string{"github.com/gin-gonic/", "github.com/a-h/templ", module + "/internal/zk", module + "/internal/jobtree", module + "/internal/cloud/local", module + "/internal/cloud/zkstore", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics", "k8s.io/client-go/informers", "k8s.io/client-go/kubernetes", "k8s.io/client-go/gentype", "sigs.k8s.io/controller-runtime"}),
		why:       "an engine of Kubernetes knows the API, package cloud, and of client-go what it uses: clients of one kind link the types of all groups, 16 MB of the console",
	},
	{
		folders:   []string{"internal/console", "coreagent", "cloud"},
		forbidden: []string{module + "/internal/cloud/kube"},
		why:       "Kubernetes stands behind the interfaces of package cloud, and programs alone choose it",
	},
	{
		folders:   []string{"bench", "chaos", "cmd", "cloud", "coreagent", "examples", "internal", "jobconfig", "jobrun", "lifecycle", "registry", "statistics", "tracing", "web"},
		except:    []string{"bench", "internal/cloud/kube", "internal/cloud/kubetest", "cmd/console"},
		forbidden: kubernetes,
		why:       "one folder knows Kubernetes, and the program that wires it; what is measured on a cluster starts one",
	},
	{
		folders:   []string{"internal/runparams"},
		forbidden: []string{module + "/internal/zk", module + "/internal/jobtree", module + "/internal/runs", module + "/registry", module + "/coreagent", module + "/lifecycle", module + "/statistics"},
		why:       "parameters are text and a schema, whoever asks for a run and wherever it waits",
	},
	{
		folders:   []string{"internal/jobtree"},
		forbidden: []string{module + "/coreagent", module + "/lifecycle", module + "/statistics"},
		why:       "the tree's contract stands below those who write and read it",
	},
	{
		folders:   []string{"internal/sharding"},
		forbidden: []string{module + "/internal/zk", module + "/internal/jobtree", module + "/coreagent", module + "/lifecycle", module + "/statistics"},
		why:       "who gets which shard is arithmetic: the leader does it, and the operator's packages predict it",
	},
	{
		folders:   []string{"internal/console", "web"},
		except:    []string{"internal/console/consoletest"},
		forbidden: []string{module + "/coreagent", module + "/internal/zk/zkfake", module + "/internal/demo"},
		why:       "the console runs no jobs",
	},
	{
		folders:   []string{"internal/console/cronwords", "internal/console/editor", "internal/console/health", "internal/console/members", "internal/console/past", "internal/console/query", "internal/console/schedule", "internal/console/view"},
		forbidden: []string{"github.com/gin-gonic/", module + "/lifecycle"},
		why:       "how things are asked for and how they read has nothing to do with HTTP or with actions",
	},
	{
		folders:   []string{"internal/console/auth"},
		forbidden: []string{"github.com/gin-gonic/", "github.com/a-h/templ", module + "/web/", module + "/statistics", module + "/lifecycle", module + "/tracing", module + "/internal/zk", module + "/internal/jobtree"},
		why:       "who a caller is does not depend on what the console serves",
	},
}

// TestDependencies holds the import rules: what each part may carry, as
// the toolchain sees it, however many packages lie between.
func TestDependencies(t *testing.T) {
	t.Parallel()
	rules := dependencyRules
	packages := list(t)
	for _, rule := range rules {
		matched := 0
		for _, p := range packages {
			if !p.within(rule.folders...) || p.within(rule.except...) {
				continue
			}
			matched++
			for _, dep := range p.Deps {
				if slices.Contains(rule.allowed, strings.TrimPrefix(dep, module+"/")) {
					continue
				}
				for _, bad := range rule.forbidden {
					if dep == bad || strings.HasPrefix(dep, bad) && strings.HasSuffix(bad, "/") || strings.HasPrefix(dep, bad+"/") {
						t.Errorf("%s depends on %s: %s", p.rel(), dep, rule.why)
					}
				}
			}
		}
		if matched == 0 {
			t.Errorf("no package is in %v: the rule checks nothing", rule.folders)
		}
	}
}

// TestConsoleLayers: which of the console's packages may import which. The parts build on app and
// don't import each other. App doesn't import them, because the program passes it their routes.
func TestConsoleLayers(t *testing.T) {
	t.Parallel()
	const console, app = "internal/console", "internal/console/app"
	layers := map[string][]string{
		app:                           {console + "/api", console + "/auth", console + "/editor", console + "/events", console + "/health", console + "/members", console + "/past", console + "/query", console + "/schedule", console + "/view"},
		console + "/api":              {},
		console + "/auth":             {},
		console + "/cloud":            {app, console + "/api", console + "/auth", console + "/cronwords", console + "/query", console + "/ui", console + "/view"},
		console + "/config":           {app, console + "/api", console + "/cronwords", console + "/editor", console + "/jobpage", console + "/schedule", console + "/ui", console + "/view"},
		console + "/cronwords":        {},
		console + "/editor":           {console + "/view"},
		console + "/events":           {},
		console + "/health":           {console + "/members"},
		console + "/members":          {},
		console + "/jobpage":          {app, console + "/health", console + "/members", console + "/query", console + "/ui", console + "/view"},
		console + "/jobs":             {app, console + "/api", console + "/health", console + "/jobpage", console + "/jobs/bulk", console + "/jobs/explain", console + "/members", console + "/query", console + "/ui", console + "/view"},
		console + "/jobs/explain":     {app, console + "/api", console + "/health", console + "/jobpage", console + "/members", console + "/past", console + "/query", console + "/ui", console + "/view"},
		console + "/jobs/bulk":        {app, console + "/api", console + "/query", console + "/ui", console + "/view"},
		console + "/past":             {console + "/members"},
		console + "/query":            {console + "/health", console + "/view"},
		console + "/schedule":         {},
		console + "/settings":         {app, console + "/api", console + "/auth", console + "/ui", console + "/view"},
		console + "/parts":            {app, console + "/audit", console + "/cloud", console + "/config", console + "/jobs", console + "/overview", console + "/pages", console + "/reference", console + "/requested", console + "/rest", console + "/runs", console + "/servers", console + "/settings", console + "/views"},
		console + "/ui":               {app, console + "/cronwords", console + "/editor", console + "/health", console + "/members", console + "/query", console + "/view"},
		console + "/view":             {},
		console + "/rest":             {app, console + "/api", console + "/auth", console + "/cronwords", console + "/editor", console + "/health", console + "/past", console + "/query", console + "/schedule", console + "/view"},
		console + "/pages":            {app, console + "/api", console + "/auth", console + "/cronwords", console + "/editor", console + "/events", console + "/health", console + "/jobpage", console + "/members", console + "/past", console + "/query", console + "/schedule", console + "/ui", console + "/view"},
		console + "/consoletest":      {app, console + "/api", console + "/auth", console + "/view"},
		console + "/requested":        {app, console + "/api", console + "/auth", console + "/health", console + "/jobpage", console + "/query", console + "/requested/params", console + "/ui", console + "/view"},
		console + "/requested/params": {},
		console + "/audit":            {app, console + "/api", console + "/editor", console + "/query", console + "/ui", console + "/view"},
		console + "/runs":             {app, console + "/api", console + "/members", console + "/query", console + "/ui", console + "/view"},
		console + "/views":            {app, console + "/api", console + "/query", console + "/ui", console + "/view"},
		console + "/overview":         {app, console + "/api", console + "/jobpage", console + "/members", console + "/query", console + "/ui", console + "/view"},
		console + "/servers":          {app, console + "/api", console + "/query", console + "/ui", console + "/view"},
		console + "/reference":        {app},
	}
	for _, p := range list(t) {
		if !p.within(console) {
			continue
		}
		below, known := layers[p.rel()]
		if !known {
			t.Errorf("%s has no place among the layers of the console", p.rel())
		}
		for _, imported := range p.Imports {
			if p.rel() != console+"/consoletest" && (imported == module+"/internal/zk" || imported == module+"/internal/registries") {
				t.Errorf("%s imports %s; who wires the console gives it what it declares", p.rel(), imported)
			}
			if rel := strings.TrimPrefix(imported, module+"/"); strings.HasPrefix(rel, console) && !slices.Contains(below, rel) {
				t.Errorf("%s imports %s; it may import %v of the console", p.rel(), rel, below)
			}
		}
	}
}

// TestSlicesStandAlone: no part of the console depends on another one, however many packages lie
// between. Code that two of them need belongs further down: in the console itself, api or ui.
func TestSlicesStandAlone(t *testing.T) {
	t.Parallel()
	const console = "internal/console"
	packages := map[string]goPackage{}
	for _, p := range list(t) {
		packages[p.rel()] = p
	}
	var parts []string
	for _, imported := range packages[console+"/parts"].Imports {
		if rel := strings.TrimPrefix(imported, module+"/"); strings.HasPrefix(rel, console+"/") && rel != console+"/app" {
			parts = append(parts, rel)
		}
	}
	if len(parts) < 3 {
		t.Fatalf("the console has the parts %v: the rule checks nothing", parts)
	}
	for _, part := range parts {
		for _, dep := range packages[part].Deps {
			if rel := strings.TrimPrefix(dep, module+"/"); slices.Contains(parts, rel) {
				t.Errorf("%s depends on %s; move what both need into app, api or ui of %s", part, rel, console)
			}
		}
	}
}

// TestEngineLayers: who of the agent's inner packages may import whom. The engine
// stands on all of them, and none of them knows the engine. What is not here, no
// package named here may import of coreagent.
func TestEngineLayers(t *testing.T) {
	t.Parallel()
	const inner = "coreagent/internal/"
	layers := map[string][]string{
		"nodes":      {},
		"timers":     {},
		"usercode":   {},
		"barrier":    {"nodes"},
		"firetime":   {},
		"firerecord": {"nodes", "firetime"},
		"failover":   {"nodes", "firetime", "firerecord"},
		"reshard":    {"nodes", "firetime", "firerecord", "failover", "view"},
		"places":     {},
		"schedule":   {"firetime", "timers", "view"},
		"obstacle":   {"nodes"},
		"misfire":    {"nodes", "firetime", "firerecord", "failover", "view", "schedule"},
		"departure":  {"nodes", "failover", "timers"},
		"requested":  {"nodes", "host", "reshard", "runhistory", "steward", "timers", "view"},
		"control": {
			"failover", "firerecord", "firetime", "host", "lead", "misfire", "nodes", "obstacle", "reshard", "run", "schedule", "timers",
			"view",
		},
		"lead": {"firerecord", "host", "nodes", "obstacle", "reshard", "run", "usercode", "view"},
		"run": {
			"barrier", "core", "errorhandler", "failover", "firerecord", "firetime", "gate", "host", "misfire", "nodes", "obstacle",
			"requested", "reshard", "runhistory", "schedule", "timers", "usercode", "view",
		},
		"host": {"core", "departure", "errorhandler", "gate", "nodes", "places", "runhistory", "steward", "timers"},
		"view": {"nodes", "firetime", "firerecord"},
	}
	found := 0
	for _, p := range list(t) {
		below, known := layers[strings.TrimPrefix(p.rel(), inner)]
		if !known {
			continue
		}
		found++
		for _, imported := range p.Imports {
			rel, ours := strings.CutPrefix(imported, module+"/coreagent")
			if ours && !slices.Contains(below, strings.TrimPrefix(rel, "/internal/")) {
				t.Errorf("%s imports %s; of coreagent it may import %v", p.rel(), imported, below)
			}
		}
	}
	if found != len(layers) {
		t.Errorf("%d of the packages %v exist", found, slices.Sorted(maps.Keys(layers)))
	}
}

// TestW22DriversAreSeparateImports: a program that imports package rdb links no database driver,
// and a program that imports rdb/mysql links the driver of MySQL alone.
func TestW22DriversAreSeparateImports(t *testing.T) {
	t.Parallel()
	drivers := map[string][]string{
		"mysql":    {"github.com/go-sql-driver/", "gorm.io/driver/mysql"},
		"postgres": {"github.com/jackc/", "gorm.io/driver/postgres"},
		"sqlite":   {"github.com/glebarez/", "modernc.org/"},
	}
	found := 0
	for _, p := range list(t) {
		own, ok := strings.CutPrefix(p.rel(), "tracing/rdb")
		if !ok {
			continue
		}
		found++
		for driver, packages := range drivers {
			links := slices.ContainsFunc(p.Deps, func(dep string) bool {
				return slices.ContainsFunc(packages, func(prefix string) bool { return strings.HasPrefix(dep, prefix) })
			})
			if wants := own == "/"+driver; links != wants {
				t.Errorf("%s links the driver of %s: %t, want %t", p.rel(), driver, links, wants)
			}
		}
	}
	if found != 1+len(drivers) {
		t.Errorf("%d packages of tracing/rdb, want it and a package per driver", found)
	}
}

// TestOneZooKeeperClient: the library's sharp edges have one owner.
func TestOneZooKeeperClient(t *testing.T) {
	t.Parallel()
	found := false
	for _, p := range list(t) {
		uses := func(imports []string) bool { return slices.Contains(imports, "github.com/go-zookeeper/zk") }
		found = found || uses(p.Imports)
		switch {
		case p.rel() == "internal/zk":
		case p.within("internal/zk/zkfake", "internal/zk/zktest"):
			// The tests of the in-process server speak to it with the
			// unmodified client; that is the point of them. The harness runs
			// the same table against the real one.
			if uses(p.Imports) && p.rel() != "internal/zk/zktest" {
				t.Errorf("%s imports the ZooKeeper client outside its tests", p.rel())
			}
		case uses(p.allImports()):
			t.Errorf("%s imports the ZooKeeper client; use internal/zk", p.rel())
		}
	}
	if !found {
		t.Error("no package imports the ZooKeeper client: the rule checks nothing")
	}
}

// TestOneZooKeeperCodec: one package knows where the fields of a frame are.
func TestOneZooKeeperCodec(t *testing.T) {
	t.Parallel()
	found := false
	for _, p := range list(t) {
		if !p.within("internal/zk") || !slices.Contains(p.Imports, "encoding/binary") {
			continue
		}
		if found = true; p.rel() != "internal/zk/wire" {
			t.Errorf("%s imports encoding/binary; parse and write frames with internal/zk/wire", p.rel())
		}
	}
	if !found {
		t.Error("no package below internal/zk imports encoding/binary: the rule checks nothing")
	}
}

// TestOneAssertionStyle: tests use the standard library and go-cmp.
func TestOneAssertionStyle(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		for _, imported := range p.allImports() {
			if strings.HasPrefix(imported, "github.com/stretchr/testify") {
				t.Errorf("%s imports %s; use the standard library and go-cmp", p.rel(), imported)
			}
		}
	}
}
