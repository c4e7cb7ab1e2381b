package app

import (
	"bytes"
	"testing"
)

const regionPage = `<html><body><header data-region="actions"><div>one</div></header><main><div class="x" data-region="jobs"><div><table><thead><tr><th>Job</th></tr></thead>` +
	`<tbody><tr data-job="a" data-row="ka"><td><div>A</div></td></tr><tr data-job="b" data-row="kb"><td>B</td></tr></tbody></table></div></div><div data-region="jobs2"></div></main></body></html>`

func TestElement(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ region, want string }{
		{"actions", `<header data-region="actions"><div>one</div></header>`},
		{"jobs2", `<div data-region="jobs2"></div>`},
		{"nothing", ``},
	} {
		if got, _ := element([]byte(regionPage), "data-region", tt.region); string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.region, got, tt.want)
		}
	}
	jobs, ok := element([]byte(regionPage), "data-region", "jobs")
	if !ok || !bytes.HasSuffix(jobs, []byte("</tbody></table></div></div>")) || bytes.Contains(jobs, []byte("jobs2")) {
		t.Errorf("the region of jobs is %s", jobs)
	}
}

// TestRowsThatAPageHas: they come as empty ones, the others whole.
func TestRowsThatAPageHas(t *testing.T) {
	t.Parallel()
	jobs, _ := element([]byte(regionPage), "data-region", "jobs")
	rowA, _ := element(jobs, "data-row", "ka")
	var out bytes.Buffer
	marked(&out, jobs, "m", map[string]bool{"ka." + markOf(rowA): true, "kb.old": true})
	rowB, _ := element(jobs, "data-row", "kb")
	want := `<div data-h="m" class="x" data-region="jobs"><div><table><thead><tr><th>Job</th></tr></thead><tbody><tr data-row="ka" data-same></tr>` +
		`<tr data-h="` + markOf(rowB) + `" data-job="b" data-row="kb"><td>B</td></tr></tbody></table></div></div>`
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", out.String(), want)
	}
}
