package config

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// draft is a configuration while it's edited.
type draft struct {
	job string // empty if the job is new
	// base is the configuration at the beginning, of the revision. The browser sends both back, so
	// the stored one is checked again when the draft is stored.
	base     *jobconfig.Config
	baseRaw  []byte
	revision string
	// mine is the base with the typed values; err has their problems.
	mine *jobconfig.Config
	err  error
	// asText means that the document is edited, which is text. Otherwise form has the fields that
	// were typed; nil shows mine.
	asText bool
	text   string
	form   url.Values
	reason string
	// fresh means that the job is new. Instances will register with the class.
	fresh bool
	class string
}

// draftOf begins with the stored configuration of a job.
func draftOf(job string, stored lifecycle.StoredConfig) *draft {
	return &draft{job: job, base: stored.Config, baseRaw: stored.Raw, revision: stored.Revision(), mine: stored.Config, text: string(stored.Raw)}
}

// seen is how a page shows a text.
func seen(text string) string { return string(app.Inert([]byte(text))) }

// readDraft reads a form: its fields, a text, or the document of a review.
func readDraft(c *gin.Context) (*draft, error) {
	malformed := app.MalformedAs(i18n.Lang.ProblemDraft, i18n.Lang.ProblemDraftHint)
	d := &draft{fresh: c.Param("job") == ""}
	var err error
	if !d.fresh {
		if d.job, err = app.JobName(c); err != nil {
			return nil, err
		}
	}
	if err := c.Request.ParseForm(); err != nil {
		return nil, malformed
	}
	form := c.Request.PostForm
	d.revision, d.reason, d.class = form.Get("revision"), strings.TrimSpace(form.Get("reason")), strings.TrimSpace(form.Get("class"))
	if d.baseRaw, err = base64.StdEncoding.DecodeString(form.Get("base")); err != nil {
		return nil, malformed
	}
	if d.base, err = jobconfig.Decode(d.baseRaw); err != nil {
		return nil, malformed
	}
	if d.base.Name != d.job {
		return nil, app.MalformedAs(i18n.Lang.ProblemDraftOther, i18n.Lang.ProblemDraftHint)
	}
	if use := form.Get("use"); use != "" {
		form.Set("cron", use)
	}
	switch {
	case form.Has("document"):
		text, err := base64.StdEncoding.DecodeString(form.Get("document"))
		if err != nil {
			return nil, malformed
		}
		d.mine, d.err = editor.FromText(d.base, d.baseRaw, string(text), seen)
	case form.Has("text"):
		d.asText, d.text = true, form.Get("text")
		d.mine, d.err = editor.FromText(d.base, d.baseRaw, d.text, seen)
	default:
		d.form = form
		d.mine, d.err = editor.FromForm(d.base, form, seen)
	}
	return d, nil
}

// document is mine as it would be stored.
func (d *draft) document() ([]byte, error) { return d.mine.Encode() }

// refresh makes the document the text of the draft.
func (d *draft) refresh() {
	if text, err := d.document(); err == nil {
		d.text = string(text)
	}
}

// hidden are the fields that carry the draft to the next page, with whole its document, too.
func (d *draft) hidden(whole bool) [][2]string {
	fields := [][2]string{{"revision", d.revision}, {"base", base64.StdEncoding.EncodeToString(d.baseRaw)}}
	if text, err := d.document(); whole && err == nil {
		fields = append(fields, [2]string{"class", d.class}, [2]string{"document", base64.StdEncoding.EncodeToString(text)})
	}
	return fields
}

// at is the address of the draft's editor.
func (d *draft) at() string {
	if d.fresh {
		return pageui.NewJobRoute
	}
	return app.JobPath("/jobs", d.job, "config")
}

// typed is the text of a field of the form; otherwise if the form doesn't have it.
func (d *draft) typed(name, otherwise string) string {
	if d.form.Has(name) {
		return d.form.Get(name)
	}
	return otherwise
}

// changed are the keys in which a draft differs from the stored configuration. A new job has none.
func (d *draft) changed() []string {
	if d.fresh {
		return nil
	}
	return editor.Changed(d.base, d.mine)
}

// check adds to the problems of a draft the reasons why it can't be stored.
func (s configs) check(d *draft) error {
	if d.fresh {
		return errors.Join(d.err, lifecycle.ValidateConfig(d.mine), s.MayChange(jobconfig.New("", 1), d.mine))
	}
	return errors.Join(d.err, lifecycle.ValidateChange(d.base, d.mine), s.MayChange(d.base, d.mine))
}

// curl is the request that stores a draft. Keys that its body doesn't have stay as they are.
func (s configs) curl(c *gin.Context, d *draft) string {
	method, query, body := http.MethodPost, url.Values{}, editor.BodyOf(d.mine)
	if d.fresh && d.class != "" {
		query.Set("class", d.class)
	}
	if !d.fresh {
		method, body = http.MethodPut, editor.Body{"jobName": d.mine.Name}
		after := editor.BodyOf(d.mine)
		for _, key := range editor.ChangedKeys(d.base, d.mine) {
			if value, ok := after[key]; ok {
				body[key] = value
			}
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return ""
	}
	command := s.Curl(c, method, apiRoute, query, string(text))
	if d.fresh {
		return command
	}
	head, rest, _ := strings.Cut(command, " \\\n")
	return head + " \\\n" + `  -H 'If-Match: "` + d.revision + `"'` + " \\\n" + rest
}
