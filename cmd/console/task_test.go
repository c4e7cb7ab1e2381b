//go:build servers && unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/demo"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// TestTaskA76NewcomerInABrowser: whoever opens the demo for the first time finds with
// at most three presses which job failed last, why and on which instance.
func TestTaskA76NewcomerInABrowser(t *testing.T) {
	t.Parallel()
	_, f := startDemo(t, "--restart-after=0s")
	tab := startBrowser(t)
	must(t, tab.Size(1440, 900), tab.SignIn(f.site, "guest", "guest"))
	const failure = `[data-region="results"] [data-testid="failed"]`
	must(t, tab.Open(f.site+"/"))
	eventually(t, "something of the demo fails, and the open page says so", func() bool { return count(t, tab, failure) > 0 })
	// The job may be healthy again, but the page of its run doesn't change.
	presses := 0
	for _, element := range []string{failure, `[data-testid="run"]:has([href$="/jobs/payment-reminders"]) [data-testid="to-run"]`} {
		presses++
		follow(t, tab, element)
	}
	if presses > 3 {
		t.Errorf("%d presses", presses)
	}
	eventually(t, "the page says what failed, why and where", func() bool {
		address, err := tab.Address()
		must(t, err)
		text, err := browser.Read[string](tab, `document.querySelector("main")?.innerText ?? ""`)
		must(t, err)
		where := slices.ContainsFunc(demoAddresses, func(ip string) bool { return strings.Contains(text, ip) })
		return strings.Contains(address, "/jobs/payment-reminders/runs/") && strings.Contains(text, "mail.example.org answered 421") && where
	})
}

// follow presses a link until it opens another page: one that moves away under the pointer,
// because the page shows something new at that moment, is pressed again.
func follow(t *testing.T, tab *browser.Tab, element string) {
	t.Helper()
	before, err := tab.Address()
	must(t, err)
	eventually(t, element+" leads away from "+before, func() bool {
		must(t, tab.Click(element))
		for opened := time.Now().Add(5 * time.Second); time.Now().Before(opened); {
			now, err := tab.Address()
			must(t, err)
			if now != before {
				return true
			}
		}
		return false
	})
}

// TestTaskA74KillAnAgentInABrowser: when an agent's session has ended, the page of a job says
// who left, the lost shards and where they fail over to, without a press. Busy instances are
// named first, and then the instance that takes the shard.
func TestTaskA74KillAnAgentInABrowser(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		shards int
	}{{"one instance is free", 2}, {"all are busy", len(demo.Cities)}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			killAnAgent(t, tt.shards)
		})
	}
}

// victimFleet is a demo whose long job runs and waits for the death of an agent.
type victimFleet struct {
	fleet
	tree    jobtree.Job
	client  *zk.Client
	running map[string][]int // shards by instance
	// victim is one of those, survivors are the addresses of the others.
	victim    string
	survivors []string
}

// startVictims starts one whose long job has some shards.
func startVictims(t *testing.T, shards int) (v victimFleet, stop func()) {
	t.Helper()
	registry := clitest.FreeAddress(t)
	p, f := startDemo(t, "--restart-after=0s", "--registry="+registry)
	client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{registry}})
	must(t, err)
	namespace, err := jobtree.NewNamespace(demoNamespace)
	must(t, err)
	v = victimFleet{fleet: f, tree: namespace.Job(demo.LongJob), client: client, running: map[string][]int{}}
	a := f.signIn(t, "root")
	f.awaitAssigned(t, a, demo.LongJob)
	// It runs when the test says so.
	change := map[string]any{"jobName": demo.LongJob, "cron": "0 0 0 1 1 ?", "shardingTotalCount": shards, "shardingItemParameters": ""}
	if status := a.call(t, http.MethodPut, "/api/jobs/config", change, nil); status != http.StatusNoContent {
		t.Fatalf("change of the job: status %d", status)
	}
	eventually(t, "nothing runs", func() bool {
		list := a.job(t, demo.LongJob).Shards
		return len(list) == shards && !slices.ContainsFunc(list, func(s shardState) bool { return s.RunningOn != "" || s.InstanceID == "" })
	})
	if status := a.call(t, http.MethodPost, "/api/jobs/"+demo.LongJob+"/trigger", nil, nil); status != http.StatusOK {
		t.Fatalf("trigger: status %d", status)
	}
	eventually(t, "every shard runs", func() bool {
		clear(v.running)
		list := a.job(t, demo.LongJob).Shards
		for _, s := range list {
			v.running[s.RunningOn] = append(v.running[s.RunningOn], s.Item)
		}
		return len(list) == shards && v.running[""] == nil
	})
	for _, address := range demoAddresses {
		if id := v.instance(address); v.victim == "" && v.running[id] != nil {
			v.victim = id
		} else {
			v.survivors = append(v.survivors, address)
		}
	}
	return v, func() {
		client.Close()
		p.Stop()
	}
}

// instance is the id of the agent with an address.
func (f fleet) instance(address string) string {
	return address + "@-@" + strconv.Itoa(f.agents[address])
}

// killAnAgent kills one under the long job of a demo, which has some shards, and looks at what
// the page says.
func killAnAgent(t *testing.T, shards int) {
	t.Helper()
	v, end := startVictims(t, shards)
	defer end()
	tab, stop, err := browser.Start(t.Context())
	must(t, err)
	defer stop()
	must(t, tab.Size(1440, 900), tab.SignIn(v.site, "guest", "guest"), tab.Open(v.site+"/jobs/"+demo.LongJob))
	page := watchStory(t, tab)
	address, _, _ := strings.Cut(v.victim, "@")
	v.kill(t, address)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	must(t, v.client.AwaitDeletion(ctx, v.tree.Instance(v.victim)))
	page.until(t, "the page says who left and what was lost", func(text string) bool {
		return strings.Contains(text, v.victim+" left at") && strings.Contains(text, "while it ran shard")
	})
	page.until(t, "the page says who fails it over, or may", func(text string) bool {
		waits := strings.Contains(text, "instance that is free: "+v.survivors[0]) && strings.Contains(text, v.survivors[1]+"@-@")
		return strings.Contains(text, "failed over after") || waits && shards > len(demoAddresses)
	})
	page.until(t, "the page says who failed it over", func(text string) bool {
		return slices.ContainsFunc(v.survivors, func(ip string) bool { return strings.Contains(text, v.instance(ip)+" runs shard") })
	})
	if !page.kept(t) {
		t.Error("the page was loaded again")
	}
}

// story is what the page of a job says about instances that left.
type story struct{ tab *browser.Tab }

// watchStory has the page note it from now on.
func watchStory(t *testing.T, tab *browser.Tab) story {
	t.Helper()
	_, err := browser.Eval[string](tab, `window.stories = [];
		new MutationObserver(() => {
			const text = document.querySelector('[data-testid="story"]')?.textContent.replace(/\s+/g, " ").trim() ?? "";
			if (stories.at(-1) !== text) stories.push(text);
		}).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true }); ""`)
	must(t, err)
	return story{tab}
}

// until waits until the page has or had a text.
func (s story) until(t *testing.T, what string, ok func(text string) bool) {
	t.Helper()
	eventually(t, what, func() bool {
		var texts []string
		list, err := browser.Eval[string](s.tab, `JSON.stringify(window.stories ?? [])`)
		must(t, err, json.Unmarshal([]byte(list), &texts))
		return slices.ContainsFunc(texts, ok)
	})
}

// kept reports whether the page is still the one that was loaded first.
func (s story) kept(t *testing.T) bool {
	t.Helper()
	kept, err := browser.Eval[string](s.tab, `String(Array.isArray(window.stories))`)
	must(t, err)
	return kept == fmt.Sprint(true)
}
