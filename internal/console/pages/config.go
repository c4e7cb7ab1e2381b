package pages

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// maxConfigForm is the most a form about a configuration may have: the document as
// it was, as it is to be, and what the form itself says.
const maxConfigForm = 6 << 20

// draft is a configuration that somebody is editing.
type draft struct {
	job string
	// base is what the editing began with, of the revision. The browser sends both
	// back: what is stored is judged again when it is written.
	base     *jobconfig.Config
	baseRaw  []byte
	revision string
	// mine is the base with what was typed; err says what of that cannot be taken.
	mine *jobconfig.Config
	err  error
	// asText: it is edited as text, which is what was typed. form is what was typed
	// in the fields; nil to show mine.
	asText bool
	text   string
	form   url.Values
	reason string
	// fresh: the job is not there yet, and instances are to call its class so.
	fresh bool
	class string
}

// draftOf begins with what is stored.
func draftOf(job string, stored lifecycle.StoredConfig) *draft {
	return &draft{job: job, base: stored.Config, baseRaw: stored.Raw, revision: stored.Revision(), mine: stored.Config, text: string(stored.Raw)}
}

// seen is what a page shows of a text.
func seen(text string) string { return string(console.Inert([]byte(text))) }

// readDraft reads a form: fields, a text, or the document that a review carries.
func readDraft(c *gin.Context, job string) (*draft, error) {
	malformed := console.MalformedAs(i18n.Lang.ProblemDraft, i18n.Lang.ProblemDraftHint)
	if err := c.Request.ParseForm(); err != nil {
		return nil, malformed
	}
	form := c.Request.PostForm
	raw, err := base64.StdEncoding.DecodeString(form.Get("base"))
	if err != nil {
		return nil, malformed
	}
	base, err := jobconfig.Decode(raw)
	if err != nil {
		return nil, malformed
	}
	d := &draft{job: job, base: base, baseRaw: raw, revision: form.Get("revision"), reason: strings.TrimSpace(form.Get("reason")), class: strings.TrimSpace(form.Get("class"))}
	if use := form.Get("use"); use != "" {
		form.Set("cron", use)
	}
	switch {
	case form.Has("document"):
		text, err := base64.StdEncoding.DecodeString(form.Get("document"))
		if err != nil {
			return nil, malformed
		}
		d.mine, d.err = editor.FromText(base, raw, string(text), seen)
	case form.Has("text"):
		d.asText, d.text = true, form.Get("text")
		d.mine, d.err = editor.FromText(base, raw, d.text, seen)
	default:
		d.form = form
		d.mine, d.err = editor.FromForm(base, form, seen)
	}
	return d, nil
}

// document is mine as it would be stored.
func (d *draft) document() ([]byte, error) { return d.mine.Encode() }

// hidden are the fields that carry the draft to the next page.
func (d *draft) hidden(whole bool) []jobs.Hidden {
	fields := []jobs.Hidden{{Name: "revision", Value: d.revision}, {Name: "base", Value: base64.StdEncoding.EncodeToString(d.baseRaw)}}
	if text, err := d.document(); whole && err == nil {
		fields = append(fields, jobs.Hidden{Name: "class", Value: d.class}, jobs.Hidden{Name: "document", Value: base64.StdEncoding.EncodeToString(text)})
	}
	return fields
}

// configPage shows the configuration of a job, to be edited by who may.
func (s *Pages) configPage(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	stored, problem := s.storedConfig(c, job)
	if problem != nil {
		s.Fail(c, problem)
		return
	}
	d := draftOf(job, stored)
	var notices []ui.Notice
	l := i18n.From(c.Request.Context())
	var hints []string
	switch version := c.Query("version"); {
	case version == "":
	case !console.May(c, console.Configures):
		hints = append(hints, l.ConfigVersionOperators())
	default:
		n, err := s.restore(c, d, stored)
		if err != nil {
			s.Fail(c, err)
			return
		}
		notices = append(notices, n)
	}
	hints = append(hints, askedView(c, d)...)
	s.showEditor(c, http.StatusOK, d, notices, hints...)
}

// askedView sets which view of the editor the address asks for; a hint says that there
// is no such one.
func askedView(c *gin.Context, d *draft) (hints []string) {
	switch asked := c.Query("view"); asked {
	case "", "form":
	case "yaml", "text":
		d.asText = true
	default:
		hints = append(hints, i18n.From(c.Request.Context()).ConfigUnknownView(strconv.Quote(view.Clip(asked, 40))))
	}
	return hints
}

// storedConfig reads what is stored. A configuration that nobody can read is a
// problem: there is nothing to edit.
func (s *Pages) storedConfig(c *gin.Context, job string) (lifecycle.StoredConfig, *console.Problem) {
	if _, stale := console.SnapshotOf(c); stale {
		return rememberedConfig(s, c, job)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.RegistryOf(c).Operator.StoredConfig(ctx, job)
	switch {
	case err != nil:
		return stored, s.ConfigProblem(c, job, false, stored, err)
	case len(stored.Raw) > console.MaxShownConfig:
		return stored, console.LargeConfig(job, len(stored.Raw))
	}
	return stored, nil
}

// rememberedConfig is what was stored when the connection was lost. Nothing can be based
// on it: only what is there now has a revision.
func rememberedConfig(s *Pages, c *gin.Context, job string) (stored lifecycle.StoredConfig, _ *console.Problem) {
	found, err := s.LookUp(c, job)
	if err != nil {
		return stored, console.AsProblem(err)
	}
	stored.Raw, stored.Version = found.RawConfig, found.ConfigVersion
	if stored.Config, err = jobconfig.Decode(stored.Raw); err != nil {
		return stored, s.ConfigProblem(c, job, false, stored, &lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrInvalid, Err: err})
	}
	return stored, nil
}

// edits tells whether the reader can change configurations now.
func edits(c *gin.Context) bool {
	_, stale := console.SnapshotOf(c)
	return !stale && console.May(c, console.Configures)
}

// previewConfig answers a form of the editor with the next page: the other view, or
// the review of what would be stored. It stores nothing.
func (s *Pages) previewConfig(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	d, err := readDraft(c, job)
	if err == nil && d.base.Name != job {
		err = console.MalformedAs(i18n.Lang.ProblemDraftOther, i18n.Lang.ProblemDraftHint)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	if c.PostForm("go") == "beside" {
		s.configRegion(c, d)
		return
	}
	stored, problem := s.storedConfig(c, job)
	if problem != nil {
		s.keepTyped(c, d, problem)
		return
	}
	notices, conflicts, problem := s.rebase(c, d, stored)
	if problem != nil {
		s.keepTyped(c, d, problem)
		return
	}
	if len(conflicts) > 0 {
		s.showConflict(c, http.StatusOK, d, stored, conflicts)
		return
	}
	s.answerDraft(c, d, notices)
}

// answerDraft shows the page that the form asks for; the editor again if something
// cannot be taken.
func (s *Pages) answerDraft(c *gin.Context, d *draft, notices []ui.Notice) {
	d.err = s.check(d)
	text, err := d.document()
	if d.err != nil || err != nil {
		d.err = errors.Join(d.err, err)
		s.showEditor(c, http.StatusUnprocessableEntity, d, notices)
		return
	}
	switch next := c.PostForm("go"); {
	case next == "text":
		d.asText, d.text, d.form = true, string(text), nil
		s.showEditor(c, http.StatusOK, d, notices)
	case next == "preview" && d.asText:
		s.showEditor(c, http.StatusOK, d, notices)
	case next == "form" || next == "preview" || c.PostForm("use") != "":
		d.asText, d.form = false, nil
		s.showEditor(c, http.StatusOK, d, notices)
	default:
		s.showReview(c, http.StatusOK, d, notices)
	}
}

// keepTyped shows the editor with what was typed, and why it could not be taken
// further.
func (s *Pages) keepTyped(c *gin.Context, d *draft, p *console.Problem) {
	s.LogFailure(c, p)
	console.Refused(c, p.Code)
	s.showEditor(c, p.Status(), d, []ui.Notice{pageui.ProblemNotice(i18n.From(c.Request.Context()), p, ui.ToneBad, "config-problem")})
}

// rebase brings a draft to what is stored now, if that is another revision than the
// one it was begun with. What both have changed is returned, unless the form says
// which of the two is meant.
func (s *Pages) rebase(c *gin.Context, d *draft, stored lifecycle.StoredConfig) (notices []ui.Notice, conflicts []editor.Conflict, problem *console.Problem) {
	if d.err != nil || stored.Revision() == d.revision {
		return nil, nil, nil
	}
	l := i18n.From(c.Request.Context())
	pick := make(map[string]bool)
	for field := range c.Request.PostForm {
		if key, ok := strings.CutPrefix(field, "pick."); ok {
			pick[key] = c.PostForm(field) == "theirs"
		}
	}
	merged, conflicts, err := editor.Merge(d.base, d.mine, stored.Config, pick)
	if err != nil {
		return nil, nil, console.Invalid("The change cannot be merged with what is stored now: "+err.Error()+".", "Open the configuration again and make the change anew. Nothing was stored.")
	}
	chosen := len(pick) > 0 && c.PostForm("theirs") == stored.Revision()
	for _, conflict := range conflicts {
		if _, ok := pick[conflict.Key]; !ok || !chosen {
			return nil, conflicts, nil
		}
	}
	n := ui.Notice{Tone: ui.ToneWarn, Heading: l.ConfigMerged(s.savedBy(c, d.job, stored.Revision()), strings.Join(editor.Changed(d.base, stored.Config), ", ")), Text: l.ConfigMergedText(), TestID: "config-merged"}
	if chosen {
		n.Text = l.ConfigMergedChoice()
	}
	d.base, d.baseRaw, d.revision, d.mine, d.form = stored.Config, stored.Raw, stored.Revision(), merged, nil
	if text, err := d.document(); err == nil {
		d.text = string(text)
	}
	return []ui.Notice{n}, nil, nil
}

// savedBy names who saved a revision, the newest for "", as far as this console knows.
func (s *Pages) savedBy(c *gin.Context, job, revision string) string {
	list, _ := s.ReadVersions(c, job) // without them it was somebody; the newest comes first
	for _, v := range list {
		if (revision == "" || v.Revision == revision) && v.User != "" {
			return v.User
		}
	}
	return i18n.From(c.Request.Context()).ConfigSomebody()
}

// saveConfig stores what was reviewed.
func (s *Pages) saveConfig(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	d, err := readDraft(c, job)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if d.err != nil || console.Resumed(c) {
		console.Refused(c, "invalid")
		s.answerDraft(c, d, nil)
		return
	}
	l := i18n.From(c.Request.Context())
	before, after, err := s.Configure(c, console.ConfigChange{Job: job, Revision: d.revision, Reason: d.reason, Edit: func(config *jobconfig.Config) error {
		// The base came from the browser: what stands there is what the revision names.
		*config = *editor.Onto(d.mine, config)
		return nil
	}})
	stale, isStale := errors.AsType[*lifecycle.StaleConfigError](err)
	switch {
	case err == nil && before.Revision() == after.Revision():
		s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.ConfigSavedNothing(job)})
	case err == nil:
		s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.ConfigSaved(job), Lines: []string{l.ConfigSavedKeys(strings.Join(editor.Changed(before.Config, after.Config), ", "))}})
	case isStale && stale.Stored.Config != nil && stale.Stored.Config.Equal(d.mine):
		// The same once more, as of a button that was pressed twice.
		s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.ConfigSavedAlready(job)})
	case isStale && stale.Stored.Config != nil:
		console.Refused(c, "stale_config")
		notices, conflicts, problem := s.rebase(c, d, stale.Stored)
		if problem != nil {
			s.keepTyped(c, d, problem)
			return
		}
		if len(conflicts) > 0 {
			s.showConflict(c, http.StatusPreconditionFailed, d, stale.Stored, conflicts)
			return
		}
		s.showReview(c, http.StatusPreconditionFailed, d, notices)
		return
	case len(lifecycle.FieldErrors(err)) > 0:
		console.Refused(c, "invalid")
		d.err = err
		s.showEditor(c, http.StatusUnprocessableEntity, d, nil)
		return
	default:
		s.keepTyped(c, d, s.ConfigProblem(c, job, true, before, err))
		return
	}
	s.RedirectHere(c, console.JobPath("/jobs", job, "config"))
}
