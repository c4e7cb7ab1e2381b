package cloud

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Special values in the table below.
const (
	none     = ""         // empty, null or absent
	required = "required" // a document without it is refused
	unknown  = "-"        // no such field
)

// upstreamDefault is the value of an absent field: in ElasticJob-Cloud 2.1.5, in 3.0.0-alpha, in
// 3.0.0 to 3.0.4, and in the manual of 3.x. Ours is the same unless why has a reason.
type upstreamDefault struct{ field, v215, alpha, v304, manual, ours, why string }

// executor is the reason for ElasticJob-Lite's default in fields without an effect in ElasticJob-Cloud.
const executor = "upstream's executors take the default of ElasticJob-Lite and ignore the document"

var jobDefaults = []upstreamDefault{
	{"jobName", required, required, required, required, required, ""},
	{"appName", required, required, required, required, required, ""},
	{"shardingTotalCount", required, required, required, required, required, ""},
	{"jobExecutionType", required, none, none, required, "TRANSIENT", "3.x schedules nothing without it"},
	{"cpuCount", required, "0", "0", required, "1", "as an application's; 3.x asks for no processor"},
	{"memoryMB", required, "0", "0", required, "128", "as an application's; 3.x asks for no memory"},
	{"cron", required, none, none, none, none, "2.1.5 requires it; a job without one runs on request"},
	{"shardingItemParameters", none, none, none, none, none, ""},
	{"jobParameter", none, none, none, none, none, ""},
	{"failover", "false", "false", "false", "false", "false", ""},
	{"misfire", "false", "false", "false", "false", "false", ""},
	{"monitorExecution", unknown, "false", "false", unknown, "true", executor},
	{"maxTimeDiffSeconds", unknown, "0", "0", unknown, "-1", executor},
	{"reconcileIntervalMinutes", unknown, "0", "0", unknown, "10", executor},
	{"jobShardingStrategyType", unknown, none, none, unknown, none, ""},
	{"jobExecutorServiceHandlerType", unknown, none, none, "false", none, "the manual calls a text a switch"},
	{"jobErrorHandlerType", unknown, none, none, "false", none, "the manual calls a text a switch"},
	{"description", none, none, none, none, none, ""},
	{"props", unknown, none, none, none, none, ""},
	{"disabled", unknown, "false", "false", unknown, "false", ""},
	{"overwrite", unknown, "false", "false", unknown, "false", ""},
}

var appDefaults = []upstreamDefault{
	{"appName", required, required, required, required, required, ""},
	{"appURL", none, none, none, required, none, "an image or a folder has the program as well"},
	{"bootstrapScript", none, none, none, required, none, "an image or a command has the program as well"},
	{"cpuCount", "1", "1", "1", "1", "1", ""},
	{"memoryMB", "128", "128", "128", "128", "128", ""},
	{"appCacheEnable", "true", "true", "true", "true", "true", ""},
	{"eventTraceSamplingCount", "0", "0", "0", "0", "0", ""},
}

// TestW40UpstreamDefaults: an absent field should have upstream's default in each generation, or we give a
// reason for another.
func TestW40UpstreamDefaults(t *testing.T) {
	t.Parallel()
	job, app := NewJob("", "", 0), NewApp("")
	checkDefaults(t, "job", jobDefaults, job, job.Validate())
	checkDefaults(t, "application", appDefaults, app, app.Validate())
}

func checkDefaults(t *testing.T, what string, table []upstreamDefault, document any, refused error) {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, d := range table {
		listed[d.field] = true
		ours := none
		if value := fields[d.field]; value != nil {
			ours = fmt.Sprint(value)
		}
		if strings.Contains(fmt.Sprint(refused), d.field) {
			ours = required
		}
		if ours != d.ours {
			t.Errorf("%s without %s: %q, want %q", what, d.field, ours, d.ours)
		}
		same := true
		for _, theirs := range []string{d.v215, d.alpha, d.v304, d.manual} {
			same = same && (theirs == d.ours || theirs == unknown)
		}
		if same != (d.why == "") {
			t.Errorf("%s without %s: upstream has %q, %q, %q and %q, ours is %q because %q", what, d.field, d.v215, d.alpha, d.v304, d.manual, d.ours, d.why)
		}
	}
	for field := range fields {
		if !listed[field] {
			t.Errorf("%s: the table of defaults lacks %s", what, field)
		}
	}
}
