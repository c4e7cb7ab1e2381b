package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCloudNamespaces: what is new is made in the first namespace, or in the one that the
// request or the document names; nothing moves, a job uses an application of its own, lists say
// where things are, and a namespace that is not served is refused with those that are.
func TestCloudNamespaces(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Cloud.InNamespaces(b.Console.Options())
	const app, job = `{"appName":"shelves","command":["a.sh"]}`, `{"jobName":"stock","appName":"shelves","shardingTotalCount":1}`
	resource := func(kind, namespace, spec string) string {
		return `{"apiVersion":"cloud.elasticjob.dev/v1","kind":"` + kind + `","metadata":{"name":"x","namespace":"` + namespace + `"},"spec":` + spec + `}`
	}
	apply := func(documents ...string) string {
		return `{"documents":[` + strings.Join(documents, ",") + `]}`
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		words              string
	}{
		{http.MethodGet, "/api/cloud", "", 200, `"namespaces":["jobs","shop"]`},
		{http.MethodPost, "/api/cloud/apps?namespace=mall", app, 422, "jobs, shop"},
		{http.MethodPost, "/api/cloud/apps?namespace=shop", app, 201, `"namespace":"shop"`},
		{http.MethodPost, "/api/cloud/jobs", job, 422, "an application of namespace jobs"},
		{http.MethodPost, "/api/cloud/jobs?namespace=shop", job, 201, `"namespace":"shop"`},
		{http.MethodPost, "/api/cloud/jobs", `{"jobName":"plain","appName":"billing","shardingTotalCount":1}`, 201, `"namespace":"jobs"`},
		{http.MethodPost, "/api/job/register?namespace=shop", `{"jobName":"upstream","appName":"shelves","shardingTotalCount":1,"cpuCount":1,"memoryMB":1,"jobExecutionType":"TRANSIENT"}`, 200, "true"},
		{http.MethodGet, "/api/cloud/jobs/stock", "", 200, `"namespace":"shop"`},
		{http.MethodGet, "/api/cloud/jobs/stock?namespace=jobs", "", 404, "namespace shop has it"},
		{http.MethodPut, "/api/cloud/jobs/stock", `{"memoryMB":64}`, 200, `"namespace":"shop"`},
		{http.MethodPut, "/api/job/update?replace=true", `{"jobName":"stock","appName":"shelves","shardingTotalCount":2}`, 200, "true"},
		{http.MethodPut, "/api/job/update?namespace=jobs", `{"jobName":"stock","memoryMB":64}`, 404, "namespace shop has it"},
		{http.MethodPost, "/api/cloud/jobs/stock/disable?namespace=jobs", "", 404, "namespace shop has it"},
		{http.MethodDelete, "/api/cloud/apps/shelves?namespace=jobs", "", 404, "namespace shop has it"},
		{http.MethodPost, "/api/cloud/apply", apply(resource("ElasticJob", "mall", job)), 422, "jobs, shop"},
		{http.MethodPost, "/api/cloud/apply", apply(resource("ElasticJob", "jobs", job)), 422, "shop, which has it"},
		{http.MethodPost, "/api/cloud/apply", apply(resource("ElasticJobApp", "shop", `{"appName":"b","command":["b.sh"]}`), resource("ElasticJob", "jobs", `{"jobName":"b","appName":"b","shardingTotalCount":1}`)), 422, "an application of namespace jobs"},
		{http.MethodPost, "/api/cloud/apply?namespace=shop", apply(`{"appName":"c","command":["c.sh"]}`, `{"jobName":"c","appName":"c","shardingTotalCount":1}`, job), 200, "created"},
		{http.MethodGet, "/api/cloud/jobs/c", "", 200, `"namespace":"shop"`},
		{http.MethodDelete, "/api/cloud/jobs/c?namespace=shop", "", 204, ""},
	} {
		r := b.Call(t, c.method, c.path, c.body)
		if r.StatusCode != c.status || !strings.Contains(r.Body, c.words) {
			t.Errorf("%s %s: %d %s; want %d with %s", c.method, c.path, r.StatusCode, r.Body, c.status, c.words)
		}
	}
	for path, names := range map[string][2]string{"/api/cloud/jobs": {"stock", "invoices"}, "/api/cloud/apps": {"shelves", "billing"}, "/api/job/jobs": {"stock", "invoices"}} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path+"?namespace=shop", nil)
		if !strings.Contains(r.Body, names[0]) || strings.Contains(r.Body, names[1]) {
			t.Errorf("%s of shop: %s", path, r.Body)
		}
	}
}

// TestCloudWithoutNamespaces: where there are none, or one alone, no answer says one, and only
// that one can be asked for.
func TestCloudWithoutNamespaces(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, served := range [][]string{nil, {"jobs"}} {
		b.Console.Options().Cloud.Namespaces = served
		for _, path := range []string{"/api/cloud", "/api/cloud/jobs", "/api/cloud/apps", "/api/cloud/runs"} {
			if r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil); r.StatusCode != http.StatusOK || strings.Contains(r.Body, "namespace") {
				t.Errorf("%s: %d %s", path, r.StatusCode, r.Body)
			}
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/cloud/jobs?namespace=shop", nil), http.StatusUnprocessableEntity)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/cloud/jobs/invoices?namespace=jobs", nil), http.StatusOK)
}
