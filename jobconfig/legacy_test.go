package jobconfig

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const handlers = "com.dangdang.ddframe.job.executor.handler.impl."

func TestLegacyJSON(t *testing.T) {
	text := string(fixture(t, "legacy_2.1.5.json"))
	c := decode(t, text)
	want := &Config{
		Generation: Generation2x, JobClass: "com.example.TestSimpleJob", JobType: "SIMPLE",
		Name: "test_job", Cron: "0/1 * * * * ?", Shards: 3, Failover: true, MaxTimeDiffSeconds: 1000,
		StrategyType: "testClass", ReconcileMinutes: 15, Disabled: true, Overwrite: true,
		ErrorHandlerType: handlers + "DefaultJobExceptionHandler", ExecutorType: handlers + "DefaultExecutorServiceHandler",
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := encode(t, c); got != text {
		t.Errorf("an unchanged document changed:\n%s", got)
	}

	// The consoles of 2.1 lost disabled and overwrite at every edit.
	c.Cron, c.Shards, c.ErrorHandlerType, c.Description = "0 0 * * * ?", 5, "com.example.H", "<b>"
	edited := strings.NewReplacer(
		"0/1 * * * * ?", "0 0 * * * ?",
		`"shardingTotalCount":3`, `"shardingTotalCount":5`,
		handlers+"DefaultJobExceptionHandler", "com.example.H",
		`"description":""`, `"description":"<b>"`,
	).Replace(text)
	if diff := cmp.Diff(edited, encode(t, c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLegacyDefaultsAndProps(t *testing.T) {
	c := decode(t, ` {"jobName":"s","jobType":"SCRIPT","cron":"0 0 * * * ?","shardingTotalCount":"1","scriptCommandLine":"echo","misfire":true,"new":[1]}`)
	want := &Config{
		Generation: Generation2x, JobType: "SCRIPT", Name: "s", Cron: "0 0 * * * ?", Shards: 1, Misfire: true,
		MonitorExecution: true, MaxTimeDiffSeconds: -1, ReconcileMinutes: 10,
		Props: map[string]string{"script.command.line": "echo"},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.Props["script.command.line"], c.Failover = "date", true
	if got, want := encode(t, c), `{"jobName":"s","jobType":"SCRIPT","cron":"0 0 * * * ?","shardingTotalCount":"1","scriptCommandLine":"date","misfire":true,"new":[1],"failover":true}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	flow := decode(t, `{"jobName":"s","jobType":"DATAFLOW","streamingProcess":true,"jobProperties":{}}`)
	if flow.Props["streaming.process"] != "true" {
		t.Errorf("props = %v", flow.Props)
	}
	flow.Props["streaming.process"], flow.Cron, flow.ExecutorType = "false", "0 0 * * * ?", "x.Y"
	if got, want := encode(t, flow), `{"jobName":"s","jobType":"DATAFLOW","streamingProcess":false,"jobProperties":{"executor_service_handler":"x.Y"},"cron":"0 0 * * * ?"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLegacyRefusesWhatItCannotHold(t *testing.T) {
	c := decode(t, string(fixture(t, "legacy_2.1.5.json")))
	c.TimeZone, c.Cron, c.Props = "GMT", "", map[string]string{"a": "b"}
	_, err := c.Encode()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"timeZone", "cron is required", "props.a"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not reported: %v", want, err)
		}
	}
	if _, err := (&Config{Generation: Generation2x, Name: "a"}).Encode(); err == nil {
		t.Error("a new 2.1.x configuration was written")
	}
}
