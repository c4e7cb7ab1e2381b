//go:build interop

package interop

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// The programs that write and read a tree of ElasticJob-Cloud with upstream's own classes:
// those of its documents, as far as Apache has published any, and the whole scheduler of
// before.
var cloudTrees = map[string]javaagent.Program{
	"3.0.2": {Dir: filepath.Join("java", "cloud"), Version: "3.0.2"},
	legacy:  {Dir: filepath.Join("java", "cloudlegacy"), Version: legacy},
}

// cloudTree is a tree that a Java program has written.
type cloudTree struct {
	*fleet
	*zkstore.Store
	program javaagent.Program
}

// writeCloudTree has Java write its tree, and returns what we read in it.
func writeCloudTree(t *testing.T, version string) (*cloudTree, map[string]zkstore.Document) {
	t.Helper()
	f := newFleet(t, version)
	tree := &cloudTree{fleet: f, Store: zkstore.New(f.client, f.tree), program: cloudTrees[version]}
	t.Cleanup(tree.Store.Close)
	tree.java("write")
	read, err := zkstore.ReadTree(t.Context(), f.client, f.tree)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]zkstore.Document)
	for _, d := range read.Documents() {
		if d.Err != nil {
			t.Errorf("%s %s: %v", d.Kind, d.Name, d.Err)
		}
		found[d.Name] = d
	}
	return tree, found
}

// java has the Java program do something, and returns what it has printed.
func (c *cloudTree) java(words ...string) string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", append([]string{
		"-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", c.program.ClassPath(), "elasticjob.interop.CloudTree", c.addr, c.namespace,
	}, words...)...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("java %v: %v\n%s", words, err, complaints.String())
	}
	return string(out)
}

// change changes a job as an operator of ours does.
func (c *cloudTree) change(job string, f func(*cloud.Job)) {
	c.t.Helper()
	if _, err := c.Change(c.t.Context(), job, func(d *cloud.Definition) error { f(&d.Job); return nil }); err != nil {
		c.t.Fatal(err)
	}
}

// salesJob is what Java has written of a job, but for what its releases differ in.
func salesJob() cloud.Job {
	j := cloud.NewJob("sales", "shop", 3)
	j.Cron, j.ShardParameters, j.Parameter = "0 0/5 * * * ?", "0=Turin,1=上海,2=Lima", "a: b # c"
	j.CPU, j.MemoryMB, j.Failover, j.Misfire, j.Disabled, j.Description = 0.25, 96.5, true, false, true, `of "all" shops`
	return j
}

// changes is what the tests change of it, and how Java says that then.
func changes(j *cloud.Job) {
	j.Cron, j.TimeZone, j.Shards, j.ShardParameters, j.Parameter = "0 30 4 * * ?", "Europe/Berlin", 2, "0=Oslo,1=北京", `"quoted": 1`
	j.MemoryMB, j.Misfire, j.Disabled = 100, true, false
}

const changed = "sales|shop|TRANSIENT|0.25|100.0|0 30 4 * * ?|2|0=Oslo,1=北京|\"quoted\": 1|true|true|false|of \"all\" shops|"

// TestACloudTreeOfApache: documents of Apache's own classes say to us what they say to them,
// and those that we change and make are read by them.
func TestACloudTreeOfApache(t *testing.T) {
	t.Parallel()
	tree, found := writeCloudTree(t, "3.0.2")
	want := salesJob()
	want.ErrorHandlerType, want.Props = "IGNORE", map[string]string{"script.command.line": "/bin/echo"}
	if diff := cmp.Diff(want, found["sales"].Job); diff != "" || len(found) != 2 {
		t.Errorf("%d documents: %s", len(found), diff)
	}
	want = cloud.NewJob("feed", "shop", 1)
	want.Type, want.Cron, want.Misfire = cloud.TypeDaemon, "0/10 * * * * ?", found["feed"].Job.Misfire
	if diff := cmp.Diff(want, found["feed"].Job); diff != "" {
		t.Error(diff)
	}
	tree.change("sales", changes)
	made := salesJob()
	made.Name, made.Props = "made", map[string]string{"k": "v"}
	if _, err := tree.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	// The switch of an operator is beside the document, as in upstream's scheduler.
	if at := jobtree.NewCloud(tree.tree); !tree.exists(t.Context(), at.DisabledJob("made")) || tree.exists(t.Context(), at.DisabledJob("sales")) {
		t.Error("the switches say something else")
	}
	const loaded = changed + "{script.command.line=/bin/echo}\n" +
		"made|shop|TRANSIENT|0.25|96.5|0 0/5 * * * ?|3|0=Turin,1=上海,2=Lima|a: b # c|true|false|false|of \"all\" shops|{k=v}\n"
	if diff := cmp.Diff(loaded, tree.java("load", "sales", "made")); diff != "" {
		t.Error(diff)
	}
}

// TestACloudTreeOfTheSchedulerBefore: what the services of 2.1.5's scheduler have written,
// switches of its operators among it, and what they load once we have changed it.
func TestACloudTreeOfTheSchedulerBefore(t *testing.T) {
	t.Parallel()
	tree, found := writeCloudTree(t, legacy)
	app := cloud.NewApp("shop")
	app.URL, app.BootstrapScript, app.CPU, app.MemoryMB, app.CacheEnable, app.EventSampling = "http://repo.example/shop.tar.gz", "bin/start.sh", 0.5, 128, false, 7
	if diff := cmp.Diff(app, found["shop"].App); diff != "" {
		t.Error(diff)
	}
	if !found["closed"].App.Disabled || len(found) != 5 {
		t.Errorf("%+v", found)
	}
	want := salesJob()
	want.Compat = found["sales"].Job.Compat
	if diff := cmp.Diff(want, found["sales"].Job); diff != "" {
		t.Error(diff)
	}
	for job, class := range map[string]string{"sales": "org.example.Sales", "feed": "org.example.Feed"} {
		if compat := found[job].Job.Compat; compat["jobClass"] != class {
			t.Errorf("%s: %v", job, compat)
		}
	}
	if compat := found["feed"].Job.Compat; compat["jobType"] != "DATAFLOW" || compat["streamingProcess"] != "true" {
		t.Errorf("%v", compat)
	}
	if compat := found["script"].Job.Compat; compat["jobType"] != "SCRIPT" || compat["scriptCommandLine"] != "/bin/echo" {
		t.Errorf("%v", compat)
	}
	tree.change("sales", changes)
	if diff := cmp.Diff(changed+"org.example.Sales\n", tree.java("load", "sales")); diff != "" {
		t.Error(diff)
	}
	if _, err := tree.ChangeApp(t.Context(), "closed", func(a *cloud.App) error { a.Disabled, a.CPU = false, 0.125; return nil }); err != nil {
		t.Fatal(err)
	}
	if got := tree.java("app", "closed"); !strings.HasPrefix(got, "closed|http://repo.example/closed.tar.gz|bin/start.sh|0.125|") || !strings.HasSuffix(got, "|false\n") {
		t.Error(got)
	}
}
