package fullwidth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestW17FullWidth: an error about a cron expression, a list or a value of a job file names a
// full-width character.
func TestW17FullWidth(t *testing.T) {
	t.Parallel()
	cron := func(text string) error { _, err := quartz.Parse(text); return err }
	list := func(text string) error { _, err := jobconfig.ParseItemParameters(text); return err }
	value := func(text string) error {
		const file = "elasticjob: {regCenter: {serverLists: a, namespace: b}, jobs: {x: {%s}}}"
		_, err := jobfile.Parse(strings.NewReader(fmt.Sprintf(file, text)))
		return err
	}
	for text, tc := range map[string]struct {
		parse func(string) error
		wide  string
		ascii string
	}{
		"0 0 2 * * ？":             {cron, "？", "?"},
		"0 0 ，2 * * ?":            {cron, "，", ","},
		"0 0 2 * *　?":             {cron, "　", " "},
		"0=北京，1=上海":               {list, "，", ","},
		"0=北京、1=上海":               {list, "、", ","},
		"0＝北京":                    {list, "＝", "="},
		`jobListenerTypes: "a，b"`: {value, "，", ","},
		`shardingTotalCount: "２"`: {value, "２", "2"},
	} {
		want := `it has the full-width "` + tc.wide + `", write "` + tc.ascii + `"`
		if err := tc.parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"", "0 0 2 * *", "0=北京,1"} {
		if hint := fullwidth.Hint(text); hint != "" {
			t.Errorf("%q: %s", text, hint)
		}
	}
}
