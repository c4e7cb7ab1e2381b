package jobfile_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestV16V17NumbersOfTheFile: every number of a file at 0, -1, its limits, one beyond, and the
// largest of its type is accepted, or refused with line, key and limit.
func TestV16V17NumbersOfTheFile(t *testing.T) {
	t.Parallel()
	inJob := func(key string) func(int) string {
		return func(n int) string {
			keys := "elasticJobType: SCRIPT, props: {script.command.line: echo}"
			if key != "shardingTotalCount" {
				keys += ", shardingTotalCount: 2"
			}
			return center + fmt.Sprintf("  jobs:\n    a: {%s, %s: %d}\n", keys, key, n)
		}
	}
	inProps := func(key string) func(int) string {
		return func(n int) string {
			return center + fmt.Sprintf("  jobs:\n    a: {elasticJobType: HTTP, shardingTotalCount: 2, props: {http.uri: 'http://localhost/', http.method: GET, %s: %d}}\n", key, n)
		}
	}
	inCenter := func(key string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf("elasticjob:\n  regCenter:\n    serverLists: localhost:2181\n    namespace: n\n    %s: %d\n  jobs: {a: {elasticJobClass: a.B, shardingTotalCount: 1}}\n", key, n)
		}
	}
	for key, number := range map[string]struct {
		file        func(n int) string
		least, most int
	}{
		"shardingTotalCount":                {inJob("shardingTotalCount"), 1, 100_000},
		"maxTimeDiffSeconds":                {inJob("maxTimeDiffSeconds"), -1, 365 * 24 * 60 * 60},
		"reconcileIntervalMinutes":          {inJob("reconcileIntervalMinutes"), -1, 365 * 24 * 60},
		"runRetries":                        {inJob("runRetries"), 0, 100},
		"runBackoffMilliseconds":            {inJob("runBackoffMilliseconds"), 0, 86_400_000},
		"runBackoffMaxMilliseconds":         {inJob("runBackoffMaxMilliseconds"), 0, 86_400_000},
		"runExpiryMinutes":                  {inJob("runExpiryMinutes"), -1, 365 * 24 * 60},
		"runKeep":                           {inJob("runKeep"), 0, 1000},
		"pauseAfterFailures":                {inJob("pauseAfterFailures"), 0, 1000},
		"timeoutMilliseconds":               {inJob("timeoutMilliseconds"), 0, math.MaxInt32},
		"http.connect.timeout.milliseconds": {inProps("http.connect.timeout.milliseconds"), 1, math.MaxInt32},
		"http.read.timeout.milliseconds":    {inProps("http.read.timeout.milliseconds"), 1, math.MaxInt32},
		"sessionTimeoutMilliseconds":        {inCenter("sessionTimeoutMilliseconds"), 0, 300_000},
		"connectionTimeoutMilliseconds":     {inCenter("connectionTimeoutMilliseconds"), 0, 3_600_000},
	} {
		for _, n := range []int{math.MinInt64, -2, -1, 0, number.least - 1, number.least, number.most, number.most + 1, math.MaxInt32, math.MaxInt64} {
			if key == "sessionTimeoutMilliseconds" && n > 0 && n < 200 {
				continue // too short, for another reason
			}
			wrong := problems(t, nil, number.file(n))
			if n >= number.least && n <= number.most {
				if len(wrong) > 0 {
					t.Errorf("%s: %d is refused: %q", key, n, wrong)
				}
				continue
			}
			if len(wrong) != 1 || !strings.Contains(wrong[0], key) || !strings.Contains(wrong[0], fmt.Sprint(number.most)) || !strings.Contains(wrong[0], fmt.Sprint(n)) || !strings.HasPrefix(wrong[0], "line ") {
				t.Errorf("%s: %d: %q, want the bounds %d and %d", key, n, wrong, number.least, number.most)
			}
		}
	}
}
