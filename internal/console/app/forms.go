package app

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// What becomes of forms that were sent.
//
//	sent twice            ─▶ sentForms: the first is carried out, the second gets its answer
//	sent without a session ─▶ keptForms ─▶ sign-in ─▶ GET /resume ─▶ the page of the form, with what was typed

const (
	// sentKept is how long a form that was sent is remembered, sentMost how many are.
	sentKept = 10 * time.Minute
	sentMost = 10_000
	// sentAtOnce is how long after the first a second one is the same press.
	sentAtOnce = 5 * time.Second
)

// sentForms lets each form of a page be carried out once by this console. The zero
// value is ready. Actions with a record of their own, see [Bulk], are carried out once
// by all consoles of a database.
type sentForms struct {
	mu    sync.Mutex
	known map[string]*sentForm
	order []*sentForm // the oldest first
}

// sentForm is a form that was sent. The rest is known once done is closed.
type sentForm struct {
	key  string
	at   time.Time
	done chan struct{}
	// location is where the answer led, empty if nothing was carried out.
	location string
	cookies  []string
}

// begin returns the form of a key, and whether the caller carries it out.
func (f *sentForms) begin(key string, now time.Time) (sent *sentForm, mine bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if before, ok := f.known[key]; ok {
		select {
		case <-before.done:
			if before.location != "" {
				return before, false
			}
		default:
			return before, false
		}
	}
	if f.known == nil {
		f.known = make(map[string]*sentForm)
	}
	for len(f.order) > 0 && (len(f.order) >= sentMost || now.Sub(f.order[0].at) > sentKept) {
		if oldest := f.order[0]; f.known[oldest.key] == oldest {
			delete(f.known, oldest.key)
		}
		f.order = f.order[1:]
	}
	sent = &sentForm{key: key, at: now, done: make(chan struct{})}
	f.known[key] = sent
	f.order = append(f.order, sent)
	return sent, true
}

// once carries a form out that names itself, see [ui.Once], unless it was before: then
// the answer is that of the first. One that was refused can be sent again.
func once(s *Console, c *gin.Context) {
	id := c.PostForm(ui.FormField)
	if !ui.IsFormID(id) {
		return
	}
	key := Caller(c).Name + " " + c.Request.URL.Path + " " + id
	for {
		sent, mine := s.sent.begin(key, s.Now())
		if mine {
			defer sent.finish(c)
			c.Next()
			return
		}
		select {
		case <-sent.done:
		case <-c.Request.Context().Done():
			c.Abort()
			return
		}
		if sent.location == "" {
			continue
		}
		Refused(c, "repeated")
		if s.Now().Sub(sent.at) <= sentAtOnce {
			for _, cookie := range sent.cookies {
				c.Writer.Header().Add("Set-Cookie", cookie)
			}
		} else {
			s.SetFlash(c, ui.Flash{Tone: ui.ToneWarn, Title: i18n.From(c.Request.Context()).BulkResultRepeated()})
		}
		c.Redirect(http.StatusSeeOther, sent.location)
		c.Abort()
		return
	}
}

// finish notes the answer.
func (f *sentForm) finish(c *gin.Context) {
	if c.Writer.Status() == http.StatusSeeOther && c.GetString(outcomeKey) == "" {
		f.location, f.cookies = c.Writer.Header().Get("Location"), slices.Clone(c.Writer.Header()["Set-Cookie"])
	}
	close(f.done)
}

// ResumeRoute is where a form comes back that was sent without a session.
const ResumeRoute = "/resume"

const (
	// keptFor is how long such a form is kept.
	keptFor = 30 * time.Minute
	// mostKept bounds how many there are, mostKeptOf of one address, and keptBytes all
	// together.
	mostKept   = 500
	mostKeptOf = 10
	keptBytes  = 32 << 20
)

// secretFields are not kept.
var secretFields = []string{"password", "digest", "key", "confirm", ui.FormField}

// keptForms are forms that were sent without a session, in this process. The zero
// value is ready.
type keptForms struct {
	mu   sync.Mutex
	list []keptForm // the oldest first
}

// keptForm is one of them.
type keptForm struct {
	id, remote, path string
	at               time.Time
	values           url.Values
	size             int
}

// keep keeps the form of a request, and returns its name; empty if there is none.
func (f *keptForms) keep(c *gin.Context, now time.Time) (id string) {
	if mode := c.GetHeader("Sec-Fetch-Mode"); c.Request.Method != http.MethodPost || mode != "" && mode != "navigate" || c.Request.ParseForm() != nil {
		return ""
	}
	kept := keptForm{id: ui.NewFormID(), remote: Remote(c), path: outside(c, c.Request.URL.RequestURI()), at: now, values: url.Values{}}
	for name, values := range c.Request.PostForm {
		if slices.Contains(secretFields, name) {
			continue
		}
		kept.values[name] = slices.Clone(values)
		for _, value := range values {
			kept.size += len(name) + len(value)
		}
	}
	if len(kept.values) == 0 {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, kept)
	of, bytes, first := 0, 0, len(f.list)
	for first > 0 { // of the newest as many as may be
		one := f.list[first-1]
		bytes += one.size
		if now.Sub(one.at) > keptFor || len(f.list)-first >= mostKept || bytes > keptBytes {
			break
		}
		first--
	}
	f.list = slices.Delete(f.list, 0, first)
	for i := len(f.list) - 1; i >= 0; i-- {
		if f.list[i].remote != kept.remote {
			continue
		}
		if of++; of > mostKeptOf {
			f.list = slices.Delete(f.list, i, i+1)
		}
	}
	return kept.id
}

// find returns the form of a name.
func (f *keptForms) find(id string, now time.Time) (keptForm, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, kept := range f.list {
		if kept.id == id && now.Sub(kept.at) <= keptFor {
			return kept, true
		}
	}
	return keptForm{}, false
}

type resumedKey struct{}

// Resumed reports whether the request is a form that comes back after a sign-in: it is
// shown again, with what was typed, and not carried out.
func Resumed(c *gin.Context) bool {
	resumed, _ := c.Request.Context().Value(resumedKey{}).(bool)
	return resumed
}

// FormStatus is the status of a form that is shown again: a refusal, unless it comes
// back after a sign-in.
func FormStatus(c *gin.Context) int {
	if Resumed(c) {
		return http.StatusOK
	}
	return http.StatusUnprocessableEntity
}

// resume shows the page of a form that was sent without a session.
func resume(s *Console, c *gin.Context) {
	kept, ok := s.kept.find(c.Query("form"), s.Now())
	address, err := url.Parse(kept.path)
	if !ok || err != nil {
		l := i18n.From(c.Request.Context())
		s.Fail(c, NotFound(l.SignInFormForgotten(), l.SignInFormForgottenText()))
		return
	}
	inner := c.Request.Clone(context.WithValue(c.Request.Context(), resumedKey{}, true))
	inner.Method, inner.URL, inner.RequestURI, inner.Body, inner.ContentLength = http.MethodPost, address, kept.path, http.NoBody, 0
	inner.PostForm, inner.Form = kept.values, address.Query()
	for name, values := range kept.values {
		inner.Form[name] = append(slices.Clone(values), inner.Form[name]...)
	}
	for name := range inner.Header {
		if strings.HasPrefix(name, "Sec-Fetch-") || name == "Origin" || name == RegionHeader {
			inner.Header.Del(name) // nothing is changed, whoever led here
		}
	}
	inner.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.ServeHTTP(c.Writer, inner)
}
