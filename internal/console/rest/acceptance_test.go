package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The names of these tests are those of the acceptance cases.

func TestA01ListOfEveryStatus(t *testing.T) {
	off := "\noff/servers/10.0.0.1 = DISABLED\noff/servers/10.0.0.10 = DISABLED\n"
	gone := "\nmoved/sharding/1/instance = 10.0.0.3@-@9\n"
	dead := "\ndead/config = \"cron: 0/5 * * * * ?\\njobName: dead\\nshardingTotalCount: 1\\n\"\ndead/servers/10.0.0.1 = ENABLED\n"
	consoletest.EachTree(t, consoletest.Plain("ok")+consoletest.Plain("off")+off+consoletest.Plain("moved")+gone+dead, func(t *testing.T, b consoletest.TreeBench) {
		var list []api.Job
		b.Call(t, http.MethodGet, "/api/jobs", "").Into(t, &list)
		var got []string
		for _, j := range list {
			got = append(got, j.JobName+" "+j.Status)
		}
		if diff := cmp.Diff([]string{"dead CRASHED", "moved SHARDING_FLAG", "off DISABLED", "ok OK"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestA02UnreadableConfigsDoNotHideTheOthers(t *testing.T) {
	tree := consoletest.Plain("fine") + consoletest.PlantedJob("old", consoletest.Stored2x) + consoletest.PlantedJob("future", consoletest.Stored3x) + consoletest.PlantedJob("broken", "jobName: [\n")
	consoletest.EachTree(t, tree, func(t *testing.T, b consoletest.TreeBench) {
		var list []api.Job
		b.Call(t, http.MethodGet, "/api/jobs", "").Into(t, &list)
		var broken []string
		for _, j := range list {
			if j.ConfigError != "" {
				broken = append(broken, j.JobName)
			}
		}
		if len(list) != 4 || !slices.Contains(broken, "broken") || slices.Contains(broken, "fine") {
			t.Errorf("%d rows, errors in %q", len(list), broken)
		}
	})
}

func TestA03NodesWithoutConfigAreNoJobs(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j")+"\norphan/servers/10.0.0.1 = ENABLED\n", func(t *testing.T, b consoletest.TreeBench) {
		var list []api.Job
		b.Call(t, http.MethodGet, "/api/jobs", "").Into(t, &list)
		var count int
		b.Call(t, http.MethodGet, "/api/jobs/count", "").Into(t, &count)
		if len(list) != 1 || count != 1 {
			t.Errorf("list of %d, count %d", len(list), count)
		}
	})
}

func TestA04WhatDoesNotExistIs404(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "")
		for _, path := range []string{"/api/jobs/nope", "/api/jobs/nope/sharding", "/api/jobs/config/nope", "/api/servers/9.9.9.9/jobs"} {
			consoletest.WantStatus(t, b.Call(t, http.MethodGet, path, ""), http.StatusNotFound)
		}
		for _, path := range []string{"/api/jobs/nope/trigger", "/api/jobs/nope/disable", "/api/jobs/nope/enable", "/api/jobs/nope/shutdown", "/api/jobs/nope/sharding/0/disable", "/api/servers/9.9.9.9/disable", "/api/servers/9.9.9.9/shutdown"} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, ""), http.StatusNotFound)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/jobs/config/nope", ""), http.StatusNotFound)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/servers/9.9.9.9", ""), http.StatusNotFound)
		if after := b.Tree.Dump(t, ""); after != before {
			t.Errorf("the tree changed:\n%s", cmp.Diff(before, after))
		}
	})
}

func TestA05TriggerReachesEveryInstance(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		r := b.Call(t, http.MethodPost, "/api/jobs/j/trigger", "")
		consoletest.WantStatus(t, r, 200)
		var out api.Outcome
		r.Into(t, &out)
		if diff := cmp.Diff(api.Outcome{Job: "j", Affected: []string{"10.0.0.10@-@8", "10.0.0.1@-@7"}, Skipped: []api.Skip{}}, out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		b.WantDump(t, "j/trigger", "j/trigger/10.0.0.10@-@8", "j/trigger/10.0.0.1@-@7")
		// The other console's request to an instance that is not asked stays.
		if out := b.Call(t, http.MethodPost, "/api/servers/10.0.0.1/jobs/j/trigger", ""); out.StatusCode != http.StatusOK || !strings.Contains(out.Body, `"server":"10.0.0.1","affected":["10.0.0.1@-@7"]`) {
			t.Errorf("one server: %d %s", out.StatusCode, out.Body)
		}
		b.WantDump(t, "j/trigger", "j/trigger/10.0.0.10@-@8", "j/trigger/10.0.0.1@-@7")
	})
}

func TestA06TriggerTwice(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		created := func() int64 {
			stat, _, err := b.Tree.Client.Exists(t.Context(), b.Tree.NS.Job("j").Trigger("10.0.0.1@-@7"))
			if err != nil {
				t.Fatal(err)
			}
			return stat.Czxid
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/trigger", ""), 200)
		first := created()
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/trigger", ""), 200)
		if created() <= first {
			t.Error("an instance that was busy does not see a second request")
		}
	})
}

func TestA07TriggerWithoutInstances(t *testing.T) {
	consoletest.EachTree(t, "j/config = "+fmt.Sprintf("%q", fmt.Sprintf(consoletest.PlainConfig, "j")), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "")
		r := b.Call(t, http.MethodPost, "/api/jobs/j/trigger", "")
		consoletest.WantStatus(t, r, http.StatusConflict)
		if !strings.Contains(r.Body, `"code":"no_instances"`) || b.Tree.Dump(t, "") != before {
			t.Errorf("%s\n%s", r.Body, b.Tree.Dump(t, ""))
		}
	})
}

func TestA08GetsDoNotChangeAnything(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "")
		for _, each := range b.Console.Routes() {
			if each.Method == http.MethodGet || !strings.HasPrefix(each.Path, "/api/") {
				continue
			}
			path := strings.NewReplacer(":job", "j", ":ip", "10.0.0.1", ":item", "0", ":prefix", "j", ":period", "lastHour").Replace(each.Path)
			if slices.ContainsFunc(b.Console.Routes(), func(other app.Route) bool { return other.Method == http.MethodGet && matches(other.Path, path) }) {
				continue
			}
			r := b.Call(t, http.MethodGet, path, "")
			if r.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(r.Header.Get("Allow"), each.Method) {
				t.Errorf("GET %s: status %d, Allow %q", path, r.StatusCode, r.Header.Get("Allow"))
			}
		}
		if after := b.Tree.Dump(t, ""); after != before {
			t.Errorf("the tree changed:\n%s", cmp.Diff(before, after))
		}
	})
}

// matches reports whether a route's pattern covers a path.
func matches(pattern, path string) bool {
	a, b := strings.Split(pattern, "/"), strings.Split(path, "/")
	return len(a) == len(b) && !slices.ContainsFunc(slices.Collect(func(yield func(bool) bool) {
		for i := range a {
			if !yield(strings.HasPrefix(a[i], ":") || a[i] == b[i]) {
				return
			}
		}
	}), func(ok bool) bool { return !ok })
}

func TestA09DisableAndEnable(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/disable", ""), 200)
		b.WantDump(t, "j/servers", `j/servers/10.0.0.1 = "DISABLED"`, `j/servers/10.0.0.10 = "DISABLED"`)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/jobs/j/disable", ""), 200)
		b.WantDump(t, "j/servers", `j/servers/10.0.0.1 = "ENABLED"`, `j/servers/10.0.0.10 = "ENABLED"`)
	})
}

func TestA10DisableAServer(t *testing.T) {
	other := "\nk/config = \"jobName: k\\nshardingTotalCount: 1\\n\"\nk/servers/10.0.0.100 = ENABLED\n"
	consoletest.EachTree(t, consoletest.Plain("i")+consoletest.Plain("j")+other, func(t *testing.T, b consoletest.TreeBench) {
		r := b.Call(t, http.MethodPost, "/api/servers/10.0.0.1/disable", "")
		consoletest.WantStatus(t, r, 200)
		if want := `{"server":"10.0.0.1","affected":["i","j"],"skipped":[]}`; strings.TrimSpace(r.Body) != want {
			t.Errorf("%s, want %s", r.Body, want)
		}
		for _, job := range []string{"i", "j"} {
			b.WantDump(t, job+"/servers", job+`/servers/10.0.0.1 = "DISABLED"`, job+`/servers/10.0.0.10 = "ENABLED"`)
		}
		b.WantDump(t, "k/servers", `k/servers/10.0.0.100 = "ENABLED"`)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/servers/10.0.0.1/jobs/i/enable", ""), 200)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/servers/10.0.0.1/disable", ""), 200)
		b.WantDump(t, "j/servers", `j/servers/10.0.0.1 = "ENABLED"`, `j/servers/10.0.0.10 = "ENABLED"`)
	})
}

func TestA11DisableAnUnknownServer(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("x"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "")
		for _, ip := range []string{"9.9.9.9", "10.0.0.", "10.0.0.100", "a%2Fb", "..", "%00", "DISABLED"} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/servers/"+ip+"/jobs/x/disable", ""), http.StatusNotFound)
			consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/servers/"+ip+"/jobs/x", ""), http.StatusNotFound)
		}
		if after := b.Tree.Dump(t, ""); after != before {
			t.Errorf("the tree changed:\n%s", cmp.Diff(before, after))
		}
	})
}

func TestA12PersistentDisable(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/disable?persistent=perhaps", ""), http.StatusUnprocessableEntity)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/disable?persistent=true", ""), 200)
		want := strings.Replace(consoletest.Stored3x, "futureKey", "disabled: true\nfutureKey", 1)
		if diff := cmp.Diff(want, b.Node(t, "j/config")); diff != "" {
			t.Errorf("configuration (-want +got):\n%s", diff)
		}
		b.WantDump(t, "j/servers", `j/servers/10.0.0.1 = "DISABLED"`, `j/servers/10.0.0.10 = "DISABLED"`)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/enable?persistent=true", ""), 200)
		if diff := cmp.Diff(strings.Replace(want, "disabled: true", "disabled: false", 1), b.Node(t, "j/config")); diff != "" {
			t.Errorf("configuration (-want +got):\n%s", diff)
		}
	})
}

func TestA13Shutdown(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("i")+consoletest.Plain("j")+consoletest.Plain("k"), func(t *testing.T, b consoletest.TreeBench) {
		live := func(job string) []string {
			names, _, err := b.Tree.Client.Children(t.Context(), b.Tree.NS.Job(job).Instances())
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(names)
			return names
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/servers/10.0.0.1/jobs/i/shutdown", ""), 200)
		if got := live("i"); !slices.Equal(got, []string{"10.0.0.10@-@8"}) || len(live("j")) != 2 {
			t.Errorf("one server of one job: %q", got)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/servers/10.0.0.10/shutdown", ""), 200)
		if i, j := live("i"), live("j"); len(i) != 0 || !slices.Equal(j, []string{"10.0.0.1@-@7"}) {
			t.Errorf("one server: %q, %q", i, j)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/j/shutdown", ""), 200)
		if got := live("j"); len(got) != 0 {
			t.Errorf("one job: %q", got)
		}
		if got := live("k"); len(got) != 1 {
			t.Errorf("the third job: %q", got)
		}
	})
}

func TestA14RemoveAServer(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("i")+consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/servers/10.0.0.1", ""), http.StatusNoContent)
		for _, job := range []string{"i", "j"} {
			b.WantDump(t, job+"/servers", job+`/servers/10.0.0.10 = "ENABLED"`)
			if dump := b.Tree.Dump(t, job+"/instances"); strings.Contains(dump, "10.0.0.1@") || !strings.Contains(dump, "10.0.0.10@") {
				t.Errorf("instances:\n%s", dump)
			}
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/servers/10.0.0.10/jobs/i", ""), http.StatusNoContent)
		b.WantDump(t, "i/servers")
		b.WantDump(t, "j/servers", `j/servers/10.0.0.10 = "ENABLED"`)
	})
}

func TestA15RemoveALiveJob(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("x")+consoletest.Plain("y"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "x")
		r := b.Call(t, http.MethodDelete, "/api/jobs/config/x", "")
		consoletest.WantStatus(t, r, http.StatusConflict)
		if b.Tree.Dump(t, "x") != before || !strings.Contains(r.Body, "2 instances are live") {
			t.Errorf("%s", r.Body)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/jobs/config/x?force=true", ""), http.StatusNoContent)
		b.WantDump(t, "x")
		if b.Tree.Dump(t, "y") == "" {
			t.Error("the other job was removed too")
		}
		log := b.Log.String()
		if !strings.Contains(log, "msg=audit") || !strings.Contains(log, "force=true order=remove target=x") || !strings.Contains(log, "outcome=conflict") {
			t.Errorf("audit:\n%s", log)
		}
	})
}

func TestA16SwitchItems(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		before := b.Tree.Dump(t, "")
		for item, status := range map[string]int{"99": 404, "2": 404, "abc": 422, "-1": 422, "01": 422, "+1": 422, "99999999999999999999": 422, "4294967296": 422, "%30": 422} {
			for _, path := range []string{"disable", "enable"} {
				if r := b.Call(t, http.MethodPost, "/api/jobs/j/sharding/"+item+"/"+path, ""); r.StatusCode != status {
					t.Errorf("%s of shard %s: status %d, want %d: %s", path, item, r.StatusCode, status, r.Body)
				}
			}
		}
		if after := b.Tree.Dump(t, ""); after != before {
			t.Errorf("the tree changed:\n%s", cmp.Diff(before, after))
		}
		for path, status := range map[string]int{"0/running": 422, "0/running?instance=10.0.0.1": 422, "0/running?instance=10.0.0.1@-@7": 404, "x/running?instance=10.0.0.1@-@7": 422} {
			if r := b.Call(t, http.MethodDelete, "/api/jobs/j/sharding/"+path, ""); r.StatusCode != status {
				t.Errorf("%s: status %d, want %d: %s", path, r.StatusCode, status, r.Body)
			}
		}
		r := b.Call(t, http.MethodPost, "/api/jobs/j/sharding/0/disable", "")
		consoletest.WantStatus(t, r, 200)
		if want := `{"job":"j","affected":["0"],"skipped":[]}`; strings.TrimSpace(r.Body) != want {
			t.Errorf("%s, want %s", r.Body, want)
		}
		b.WantDump(t, "j/sharding/0", "j/sharding/0/disabled", `j/sharding/0/instance = "10.0.0.1@-@7"`)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/jobs/j/sharding/0/disable", ""), 200)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/sharding/0/enable", ""), 200)
		if after := b.Tree.Dump(t, ""); after != before {
			t.Errorf("the tree is not as before:\n%s", cmp.Diff(before, after))
		}
	})
}

func TestA17ShardsOfAnInstanceThatHasLeft(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j")+"\nj/sharding/1/instance = 10.0.0.3@-@9\n", func(t *testing.T, b consoletest.TreeBench) {
		var shards []api.Shard
		b.Call(t, http.MethodGet, "/api/jobs/j/sharding", "").Into(t, &shards)
		if len(shards) != 2 || shards[1].Status != "SHARDING_FLAG" || shards[1].ServerIP != "10.0.0.3" || shards[0].Status != "PENDING" {
			t.Errorf("%+v", shards)
		}
	})
}

func TestA18AllShardsInOrder(t *testing.T) {
	var tree strings.Builder
	fmt.Fprintf(&tree, "j/config = %q\n", strings.Replace(fmt.Sprintf(consoletest.PlainConfig, "j"), ": 2", ": 12", 1))
	for i := range 12 {
		fmt.Fprintf(&tree, "j/sharding/%d/instance = 10.0.0.1@-@7\n", i)
	}
	consoletest.EachTree(t, tree.String(), func(t *testing.T, b consoletest.TreeBench) {
		var shards []api.Shard
		b.Call(t, http.MethodGet, "/api/jobs/j/sharding", "").Into(t, &shards)
		var items []int
		for _, s := range shards {
			items = append(items, s.Item)
		}
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, items); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestW17JobCalledConfig: an address that means the configuration of another job explains how to
// reach a job called config.
func TestW17JobCalledConfig(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("config"), func(t *testing.T, b consoletest.TreeBench) {
		for method, path := range map[string]string{http.MethodGet: "/sharding", http.MethodDelete: "/disable"} {
			r := b.Call(t, method, "/api/jobs/config"+path, "")
			if r.StatusCode != http.StatusNotFound || !strings.Contains(r.Body, "%63onfig") {
				t.Errorf("%s %s: status %d: %s", method, path, r.StatusCode, r.Body)
			}
			r = b.Call(t, method, "/api/jobs/%63onfig"+path, "")
			consoletest.WantStatus(t, r, http.StatusOK)
		}
	})
}

func TestA23JobsOfAnyName(t *testing.T) {
	names := []string{"a.b", "a b", "作业", "50%", "config", "count", "getAllJobsBriefInfo", "a+b", "%41", "trigger"}
	consoletest.EachTree(t, "", func(t *testing.T, b consoletest.TreeBench) {
		for _, name := range names {
			b.Tree.Put(t, name+"/config", fmt.Sprintf(consoletest.PlainConfig, "'"+name+"'"), zk.Persistent)
			b.Tree.Put(t, name+"/servers/10.0.0.1", "ENABLED", zk.Persistent)
			b.Tree.Put(t, name+"/instances/10.0.0.1@-@7", "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n", zk.Ephemeral)
			b.Tree.Put(t, name+"/sharding/0/instance", "10.0.0.1@-@7", zk.Persistent)
		}
		for _, name := range names {
			job, config := app.JobPath("/api/jobs", name), app.JobPath("/api/jobs/config", name)
			here := app.JobPath("/api/servers/10.0.0.1/jobs", name)
			var settings map[string]any
			b.Call(t, http.MethodGet, config, "").Into(t, &settings)
			if settings["jobName"] != name {
				t.Errorf("%q: settings of %q", name, settings["jobName"])
			}
			for _, step := range []struct {
				method, path, body string
				status             int
			}{
				{"GET", job, "", 200}, {"GET", job + "/sharding", "", 200},
				{"POST", job + "/trigger", "", 200}, {"POST", job + "/disable", "", 200}, {"DELETE", job + "/disable", "", 200},
				{"POST", job + "/disable", "", 200}, {"POST", job + "/enable", "", 200},
				{"POST", job + "/sharding/0/disable", "", 200}, {"POST", job + "/sharding/0/enable", "", 200},
				{"PUT", configRoute, fmt.Sprintf(`{"jobName":%q,"description":"x"}`, name), 204},
				{"POST", here + "/disable", "", 200}, {"DELETE", here + "/disable", "", 200}, {"POST", here + "/trigger", "", 200},
				{"POST", here + "/shutdown", "", 200}, {"DELETE", here, "", 204}, {"DELETE", config, "", 204}, {"GET", job, "", 404},
			} {
				if r := b.Call(t, step.method, step.path, step.body); r.StatusCode != step.status {
					t.Errorf("%q: %s %s: status %d, want %d: %s", name, step.method, step.path, r.StatusCode, step.status, view.Clip(r.Body, 200))
				}
			}
		}
		b.WantDump(t, "")
	})
}
