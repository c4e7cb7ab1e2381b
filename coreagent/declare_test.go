package coreagent_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

// TestConfigProblems are all reported at once, each with its field.
func TestConfigProblems(t *testing.T) {
	t.Parallel()
	err := coreagent.Config{
		Namespace: "a//b", Address: "localhost", InstanceSuffix: "a@-@b", DrainTimeout: -1,
		ZooKeeper: registry.ZooKeeper{Servers: []string{"no:port"}, SessionTimeout: time.Hour, ConnectTimeout: -1, Digest: "nobody"},
	}.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"Namespace: ", "a//b", `Address: "localhost" is not an IP address`, `InstanceSuffix: "a@-@b"`, "DrainTimeout: -1ns is outside 0 to",
		`"no:port"`, "SessionTimeout: 1h0m0s", "200ms to 5m0s", "ConnectTimeout: -1ns is outside 0 to 1h0m0s", "Digest: ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "nobody") {
		t.Errorf("the error shows the credentials:\n%v", err)
	}
	if _, err := coreagent.New(coreagent.Config{}); err == nil || !strings.Contains(err.Error(), "coreagent config: Namespace: ") || !strings.Contains(err.Error(), "Servers") {
		t.Errorf("empty configuration: %v", err)
	}
}

func nop(context.Context, *coreagent.Shard) error { return nil }

func idleAgent(t *testing.T) *coreagent.Agent {
	t.Helper()
	agent, err := coreagent.New(coreagent.Config{Namespace: "declare", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}}})
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// wrongJob is a declaration that Add refuses, and parts of the error.
type wrongJob struct {
	job     coreagent.Job
	handler coreagent.Handler
	want    []string
}

var idle = coreagent.HandlerFunc(nop)

// saneBut returns a valid job with one change.
func saneBut(change func(job *coreagent.Job)) coreagent.Job {
	job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?"}, Shards: 1}
	change(&job)
	return job
}

func wrongJobs() map[string]wrongJob {
	return map[string]wrongJob{
		"no name":           {saneBut(func(j *coreagent.Job) { j.Name = "" }), idle, []string{`Name: ""`}},
		"slash in name":     {saneBut(func(j *coreagent.Job) { j.Name = "a/b" }), idle, []string{`Name: "a/b"`}},
		"separator in name": {saneBut(func(j *coreagent.Job) { j.Name = "a@-@b" }), idle, []string{`Name: "a@-@b"`}},
		"no shards":         {saneBut(func(j *coreagent.Job) { j.Shards = 0 }), idle, []string{`Shards: "0"`}},
		"cron":              {saneBut(func(j *coreagent.Job) { j.Schedule.Cron = "0 0 25 * * ?" }), idle, []string{"Schedule.Cron: ", `"0 0 25 * * ?"`, "25", "0-23"}},
		"cron fields":       {saneBut(func(j *coreagent.Job) { j.Schedule.Cron = "* * * * *" }), idle, []string{"Schedule.Cron: ", `"* * * * *"`}},
		"offset":            {saneBut(func(j *coreagent.Job) { j.Schedule.Zone = "GMT+25" }), idle, []string{`Schedule.Zone: "GMT+25"`}},
		"W11 zone":          {saneBut(func(j *coreagent.Job) { j.Schedule.Zone = "Mars/Olympus" }), idle, []string{"Schedule.Zone: ", "Mars/Olympus", "Europe/Berlin"}},
		"W11 two by props": {
			saneBut(func(j *coreagent.Job) {
				j.Props, j.Schedule.Zone = map[string]string{"schedule.zone": "Asia/Shanghai"}, "GMT+8"
			}),
			idle, []string{`Schedule.Zone is "GMT+8", and Props has schedule.zone "Asia/Shanghai"`},
		},
		"strategy":      {saneBut(func(j *coreagent.Job) { j.Strategy.Name = "BEST" }), idle, []string{"Strategy: ", "'BEST'"}},
		"parameters":    {saneBut(func(j *coreagent.Job) { j.ShardParameters = "0=a,1" }), idle, []string{"ShardParameters: ", "0=a,1"}},
		"reconcile":     {saneBut(func(j *coreagent.Job) { j.ReconcileInterval = 90 * time.Second }), idle, []string{"ReconcileInterval: 1m30s", "minutes"}},
		"clock":         {saneBut(func(j *coreagent.Job) { j.MaxTimeDiff = time.Millisecond }), idle, []string{"MaxTimeDiff: 1ms", "seconds"}},
		"timeout":       {saneBut(func(j *coreagent.Job) { j.Timeout = -time.Second }), idle, []string{"Timeout: -1s is outside 0 to 596h31m23.647s"}},
		"failover":      {saneBut(func(j *coreagent.Job) { j.Failover, j.Unmonitored = true, true }), idle, []string{"Failover: ", "Unmonitored"}},
		"no handler":    {saneBut(func(*coreagent.Job) {}), nil, []string{"handler is nil"}},
		"script quotes": {saneBut(func(*coreagent.Job) {}), coreagent.Script(`sh -c 'x`), []string{"Script: ", "unbalanced '"}},
		"script class":  {saneBut(func(j *coreagent.Job) { j.Class = "X" }), coreagent.Script("true"), []string{`Class: "X"`, "SCRIPT"}},
		"empty script":  {saneBut(func(*coreagent.Job) {}), coreagent.Script(" "), []string{"Cannot find script command line"}},
		"http":          {saneBut(func(*coreagent.Job) {}), coreagent.HTTP(coreagent.HTTPRequest{URL: "ftp://x", Method: "put"}), []string{`URL: "ftp://x"`, `Method: "put"`, "GET, POST"}},
		"http password": {saneBut(func(*coreagent.Job) {}), coreagent.HTTP(coreagent.HTTPRequest{URL: "ftp://u:hunter2@x", Method: "GET"}), []string{`URL: "ftp://x"`}},
		"http garbage":  {saneBut(func(*coreagent.Job) {}), coreagent.HTTP(coreagent.HTTPRequest{URL: "http://u:hunter2@%zz", Method: "GET"}), []string{`URL: "***@%zz"`}},
		"props":         {saneBut(func(j *coreagent.Job) { j.Props = map[string]string{"email.password": "hunter2\xff"} }), idle, []string{"Props.email.password", "valid UTF-8"}},
		"dataflow":      {saneBut(func(*coreagent.Job) {}), coreagent.Dataflow[int]{}, []string{"Dataflow: Fetch and Process"}},
	}
}

// TestJobProblems name the field, the value and the allowed values. New, Add and Stop need no server.
func TestJobProblems(t *testing.T) {
	t.Parallel()
	agent := idleAgent(t)
	for name, c := range wrongJobs() {
		err := agent.Add(c.job, c.handler)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: a secret in %q", name, err)
		}
		for _, want := range append(c.want, "add job ") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %q", name, want, err)
			}
		}
	}
	// The refused jobs left nothing, so the name is free.
	if err := agent.Add(saneBut(func(*coreagent.Job) {}), idle); err != nil {
		t.Error(err)
	}
	several := agent.Add(coreagent.Job{Name: "a/b", Schedule: coreagent.Schedule{Cron: "x"}, Shards: -1}, idle)
	for _, want := range []string{`Name: "a/b"`, `Shards: "-1"`, "Schedule.Cron: "} {
		if several == nil || !strings.Contains(several.Error(), want) {
			t.Errorf("several problems: no %q in %v", want, several)
		}
	}
	if err := agent.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestHandleFuncPanics for programming errors.
func TestHandleFuncPanics(t *testing.T) {
	t.Parallel()
	agent := idleAgent(t)
	job := coreagent.Job{Name: "job", Shards: 1}
	agent.HandleFunc(job, nop)
	for name, call := range map[string]func(){
		"duplicate": func() { agent.HandleFunc(job, nop) },
		"invalid":   func() { agent.HandleFunc(coreagent.Job{Name: "other"}, nop) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "coreagent: ") {
					t.Errorf("%s: panic %q", name, text)
				}
			}()
			call()
			t.Errorf("%s: no panic", name)
		}()
	}
}

// TestJobError wraps its cause and names the job.
func TestJobError(t *testing.T) {
	t.Parallel()
	err := &coreagent.JobError{Op: "start", Job: "billing", Err: io.EOF}
	if err.Error() != `start job "billing": EOF` || !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
