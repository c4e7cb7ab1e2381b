package rest

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// boundedNumber is a number of a configuration that has bounds.
type boundedNumber struct {
	field  string
	bounds jobconfig.Bounds
	prop   bool
}

func boundedNumbers(t *testing.T) []boundedNumber {
	t.Helper()
	fields := []boundedNumber{}
	for _, key := range []string{"shardingTotalCount", "maxTimeDiffSeconds", "reconcileIntervalMinutes"} {
		bounds, known := jobconfig.NumberBounds(key)
		if !known {
			t.Fatalf("%s has no bounds", key)
		}
		fields = append(fields, boundedNumber{key, bounds, false})
	}
	for _, key := range []string{
		"email.port", "http.connect.timeout.milliseconds", "http.read.timeout.milliseconds", "wechat.connectTimeoutMilliseconds",
		"wechat.readTimeoutMilliseconds", "dingtalk.connectTimeoutMilliseconds", "dingtalk.readTimeoutMilliseconds",
	} {
		bounds, known := jobconfig.NumericProp(key)
		if !known {
			t.Fatalf("%s has no bounds", key)
		}
		fields = append(fields, boundedNumber{key, bounds, true})
	}
	return fields
}

// TestV16V17NumbersOverREST: every number of a configuration at 0, -1, its
// bounds, one beyond, and the largest of its type: taken, or refused with the
// field and the bound, and then nothing is stored.
func TestV16V17NumbersOverREST(t *testing.T) {
	t.Parallel()
	fields := boundedNumbers(t)
	const stored = "jobName: j\nshardingTotalCount: 2\n"
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		bundle := treetest.New(t, srv.Addr)
		bundle.Plant(t, consoletest.PlantedJob("j", stored))
		b := consoletest.TreeBench{Bench: consoletest.New(t, func(o *app.Options) {
			o.Jobs, o.Operator = statistics.NewReader(bundle.Registry()), lifecycle.NewOperator(bundle.Registry())
			o.CommandChanges = true
		}), Tree: bundle}
		tried := 0
		for _, f := range fields {
			for _, n := range []int{math.MinInt64, math.MinInt32, -2, -1, 0, f.bounds.Least - 1, f.bounds.Least, f.bounds.Most, f.bounds.Most + 1, math.MaxInt32, math.MaxInt64} {
				tried++
				body := fmt.Sprintf(`{"jobName":"j",%q:%d}`, f.field, n)
				name := f.field
				if f.prop {
					body, name = fmt.Sprintf(`{"jobName":"j","props":{%q:"%d"}}`, f.field, n), "props."+f.field
				}
				before := b.Node(t, "j/config")
				r := b.Call(t, http.MethodPut, configRoute, body)
				if f.bounds.Has(n) {
					consoletest.WantStatus(t, r, http.StatusNoContent)
					continue
				}
				consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
				var answer api.ErrorBody
				r.Into(t, &answer)
				if len(answer.Fields) != 1 || answer.Fields[0].Field != name || !strings.Contains(answer.Fields[0].Want, f.bounds.String()) || !strings.Contains(answer.Fields[0].Value, fmt.Sprint(n)) {
					t.Errorf("%s: %+v, want the bounds %s", body, answer.Fields, f.bounds)
				}
				if b.Node(t, "j/config") != before {
					t.Errorf("%s was stored", body)
				}
			}
		}
		if tried != 11*len(fields) {
			t.Errorf("%d numbers were tried", tried)
		}
		for _, odd := range []string{`1.5`, `"1e3"`, `1e3`, `""`, `"two"`, `true`, `[1]`, `{}`, `99999999999999999999999999`} {
			r := b.Call(t, http.MethodPut, configRoute, `{"jobName":"j","shardingTotalCount":`+odd+`}`)
			consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
			if !strings.Contains(r.Body, "a whole number from 1 to 100000") {
				t.Errorf("%s: %s", odd, r.Body)
			}
		}
	})
}
