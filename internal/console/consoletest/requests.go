package consoletest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// requests are those under way, by the number in their header.
type requests struct {
	mu   sync.Mutex
	last int
	done map[string]chan struct{}
}

const requestHeader = "X-Test-Request"

// number gives a request its number.
func (r *requests) number(req *http.Request) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	n := strconv.Itoa(r.last)
	req.Header.Set(requestHeader, n)
	return n
}

func (r *requests) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		done := make(chan struct{})
		defer close(done)
		r.mu.Lock()
		r.done[req.Header.Get(requestHeader)] = done
		r.mu.Unlock()
		next.ServeHTTP(w, req)
	})
}

// wait waits until the handler of a request that was answered has returned: what
// the console does after it has written an answer, such as recording it. A page of
// more than a buffer reaches the client before.
func (r *requests) wait(number string) {
	r.mu.Lock()
	done := r.done[number]
	r.mu.Unlock()
	if done != nil { // else the server itself refused it
		<-done
	}
}

// Fields are the fields of a form as a browser sends them, without its buttons.
func Fields(t *testing.T, page Reply, testID string) url.Values {
	t.Helper()
	form := url.Values{}
	page.Doc(t).Find(`[data-testid="` + testID + `"]`).Find("input, textarea, select").Each(func(_ int, field *goquery.Selection) {
		name := field.AttrOr("name", "")
		kind := field.AttrOr("type", "")
		_, checked := field.Attr("checked")
		switch {
		case name == "":
		case goquery.NodeName(field) == "textarea":
			form.Add(name, strings.TrimPrefix(field.Text(), "\n"))
		case goquery.NodeName(field) == "select":
			form.Add(name, field.Find("option[selected]").AttrOr("value", field.Find("option").First().AttrOr("value", "")))
		case (kind == "checkbox" || kind == "radio") && !checked:
		default:
			form.Add(name, field.AttrOr("value", ""))
		}
	})
	if len(form) == 0 {
		t.Fatalf("no form %s on %s:\n%s", testID, page.Request.URL, page.Body[:min(len(page.Body), 3000)])
	}
	return form
}

// InChinese makes a request like a browser that prefers Chinese.
func InChinese(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN,zh;q=0.9") }

// WantCode checks the status and the code of a refusal.
func WantCode(t *testing.T, r Reply, status int, code string) {
	t.Helper()
	WantStatus(t, r, status)
	var body api.ErrorBody
	r.Into(t, &body)
	if body.Code != code || body.Message == "" || body.Hint == "" {
		t.Errorf("%s %s: %+v, want the code %s", r.Request.Method, r.Request.URL, body, code)
	}
}

// GetJSON gets an answer of the REST interface.
func GetJSON[T any](t *testing.T, b *Bench, target string) (T, Reply) {
	t.Helper()
	r := b.As(t, auth.RoleGuest, http.MethodGet, target, nil)
	WantStatus(t, r, 200)
	if got := r.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("%s: content type %q", target, got)
	}
	var v T
	if err := json.Unmarshal([]byte(r.Body), &v); err != nil {
		t.Fatalf("%s: %v in %s", target, err, view.Clip(r.Body, 300))
	}
	return v, r
}
