package config

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// page shows the configuration of a job, in an editor if the caller may change it.
func (s configs) page(c *gin.Context) error {
	job, err := app.JobName(c)
	if err != nil {
		return err
	}
	stored, err := s.stored(c, job)
	if err != nil {
		return err
	}
	d, l := draftOf(job, stored), i18n.From(c.Request.Context())
	var notices []ui.Notice
	var hints []string
	if version := c.Query("version"); version != "" && !app.May(c, app.Configures) {
		hints = append(hints, l.ConfigVersionOperators())
	} else if version != "" {
		n, err := s.restore(c, d, stored)
		if err != nil {
			return err
		}
		notices = append(notices, n)
	}
	return s.showEditor(c, http.StatusOK, d, notices, append(hints, askedView(c, d)...)...)
}

// newPage is the editor of a new job: empty, or filled with the configuration of another one.
func (s configs) newPage(c *gin.Context) error {
	config := jobconfig.New("", 1)
	if from := c.Query("from"); from != "" {
		stored, err := s.stored(c, from)
		if err != nil {
			return err
		}
		if stored.Config.Generation == jobconfig.Generation3x {
			config = stored.Config.Clone()
			config.Name = ""
		}
	}
	raw, err := config.Encode()
	if err != nil {
		return err
	}
	d := &draft{fresh: true, base: config, baseRaw: raw, mine: config, text: string(raw)}
	return s.showEditor(c, http.StatusOK, d, nil, askedView(c, d)...)
}

// askedView sets the view of the editor that the address asks for. A hint names an unknown one.
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

// stored reads a configuration for a page. An unreadable one can't be edited, so it's an error.
// During an outage it's the remembered one, which has no revision.
func (s configs) stored(c *gin.Context, job string) (stored lifecycle.StoredConfig, err error) {
	if _, stale := app.SnapshotOf(c); stale {
		found, err := s.LookUp(c, job)
		if err != nil {
			return stored, err
		}
		stored.Raw, stored.Version = found.RawConfig, found.ConfigVersion
		if stored.Config, err = jobconfig.Decode(stored.Raw); err != nil {
			return stored, s.ConfigProblem(c, job, false, stored, &lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrInvalid, Err: err})
		}
		return stored, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err = s.RegistryOf(c).Operator.StoredConfig(ctx, job)
	switch {
	case err != nil:
		return stored, s.ConfigProblem(c, job, false, stored, err)
	case len(stored.Raw) > app.MaxShownConfig:
		return stored, app.LargeConfig(job, len(stored.Raw))
	}
	return stored, nil
}

// edits reports whether the caller can change configurations now.
func edits(c *gin.Context) bool {
	_, stale := app.SnapshotOf(c)
	return !stale && app.May(c, app.Configures)
}

// previewPage answers a form of the editor with the next page: the other view, or the review. It
// stores nothing.
func (s configs) previewPage(c *gin.Context) error {
	d, err := readDraft(c)
	if err != nil {
		return err
	}
	if c.PostForm("go") == "beside" {
		return s.region(c, d)
	}
	if d.fresh {
		return s.next(c, d, nil)
	}
	stored, err := s.stored(c, d.job)
	if err != nil {
		return s.keepTyped(c, d, err)
	}
	return s.rebase(c, http.StatusOK, d, stored, func(notices []ui.Notice) error { return s.next(c, d, notices) })
}

// next shows the page that the form asks for; the editor again if the draft has problems.
func (s configs) next(c *gin.Context, d *draft, notices []ui.Notice) error {
	d.err = s.check(d)
	text, err := d.document()
	if d.err = errors.Join(d.err, err); d.err != nil {
		return s.showEditor(c, http.StatusUnprocessableEntity, d, notices)
	}
	switch next := c.PostForm("go"); {
	case next == "text":
		d.asText, d.text, d.form = true, string(text), nil
	case next == "preview" && d.asText:
	case next == "form" || next == "preview" || c.PostForm("use") != "":
		d.asText, d.form = false, nil
	default:
		return s.showReview(c, http.StatusOK, d, notices)
	}
	return s.showEditor(c, http.StatusOK, d, notices)
}

// keepTyped shows the editor with the typed values, and why it can't go on.
func (s configs) keepTyped(c *gin.Context, d *draft, err error) error {
	p := app.AsProblem(err)
	s.LogFailure(c, p)
	app.Refused(c, p.Code)
	return s.showEditor(c, p.Status(), d, []ui.Notice{pageui.ProblemNotice(i18n.From(c.Request.Context()), p, ui.ToneBad, "config-problem")})
}

// rebase brings a draft to the stored configuration, if that has another revision than the draft's,
// and goes on. For keys that both have changed it asks with the status, unless the form has the
// answer.
func (s configs) rebase(c *gin.Context, status int, d *draft, stored lifecycle.StoredConfig, goOn func([]ui.Notice) error) error {
	if d.err != nil || stored.Revision() == d.revision {
		return goOn(nil)
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
		return s.keepTyped(c, d, app.Invalid("The change cannot be merged with the stored configuration: "+err.Error()+".", "Open the configuration again and repeat the change. Nothing was stored."))
	}
	by := s.savedBy(c, d.job, stored.Revision())
	chosen := len(pick) > 0 && c.PostForm("theirs") == stored.Revision()
	if slices.ContainsFunc(conflicts, func(x editor.Conflict) bool { _, ok := pick[x.Key]; return !ok || !chosen }) {
		slices.SortFunc(conflicts, func(a, b editor.Conflict) int { return strings.Compare(a.Key, b.Key) })
		p := jobs.ConflictProps{ConfigPage: s.configPage(c, l.ConfigConflictTitle(d.job), d, nil), Text: l.ConfigConflict(by), Rows: conflicts}
		p.Hidden = append(d.hidden(true), [2]string{"theirs", stored.Revision()}, [2]string{"reason", d.reason})
		s.Render(c, status, jobs.ConfigConflict(p))
		return nil
	}
	n := ui.Notice{Tone: ui.ToneWarn, Heading: l.ConfigMerged(by, strings.Join(editor.Changed(d.base, stored.Config), ", ")), Text: l.ConfigMergedText(), TestID: "config-merged"}
	if chosen {
		n.Text = l.ConfigMergedChoice()
	}
	d.base, d.baseRaw, d.revision, d.mine, d.form = stored.Config, stored.Raw, stored.Revision(), merged, nil
	d.refresh()
	return goOn([]ui.Notice{n})
}

// savedBy is the account that saved a revision, or the newest one for "", as far as it's known.
func (s configs) savedBy(c *gin.Context, job, revision string) string {
	list, _ := s.ReadVersions(c, job) // newest first; without them the account is unknown
	for _, v := range list {
		if (revision == "" || v.Revision == revision) && v.User != "" {
			return v.User
		}
	}
	return i18n.From(c.Request.Context()).ConfigSomebody()
}

// saveFromPage stores a draft.
func (s configs) saveFromPage(c *gin.Context) error {
	d, err := readDraft(c)
	if err != nil {
		return err
	}
	if d.err != nil || app.Resumed(c) {
		app.Refused(c, "invalid")
		return s.next(c, d, nil)
	}
	l := i18n.From(c.Request.Context())
	done := ui.Flash{Tone: ui.ToneOK, Title: l.ConfigSaved(d.job)}
	to := d.at()
	var before, after lifecycle.StoredConfig
	if d.fresh {
		_, err = s.CreateJob(c, d.mine, d.class, d.reason)
		done.Title, to = l.ConfigCreated(d.mine.Name), app.JobPath("/jobs", d.mine.Name)
	} else {
		before, after, err = s.Configure(c, app.ConfigChange{Job: d.job, Revision: d.revision, Reason: d.reason, Edit: func(config *jobconfig.Config) error {
			// The base came from the browser. The stored revision is the real one.
			*config = *editor.Onto(d.mine, config)
			return nil
		}})
		if err == nil && before.Revision() == after.Revision() {
			done.Title = l.ConfigSavedNothing(d.job)
		} else if err == nil {
			done.Lines = []string{l.ConfigSavedKeys(strings.Join(editor.Changed(before.Config, after.Config), ", "))}
		}
	}
	stale, isStale := errors.AsType[*lifecycle.StaleConfigError](err)
	switch {
	case err == nil:
	case isStale && stale.Stored.Config != nil && stale.Stored.Config.Equal(d.mine):
		done.Title = l.ConfigSavedAlready(d.job) // as if a button was pressed twice
	case isStale && stale.Stored.Config != nil:
		app.Refused(c, "stale_config")
		return s.rebase(c, http.StatusPreconditionFailed, d, stale.Stored, func(notices []ui.Notice) error {
			return s.showReview(c, http.StatusPreconditionFailed, d, notices)
		})
	case len(lifecycle.FieldErrors(err)) > 0:
		app.Refused(c, "invalid")
		d.err = err
		return s.showEditor(c, http.StatusUnprocessableEntity, d, nil)
	default:
		return s.keepTyped(c, d, s.ConfigProblem(c, d.mine.Name, !d.fresh, before, err))
	}
	s.SetFlash(c, done)
	s.RedirectHere(c, to)
	return nil
}

// configPage begins a page about a draft.
func (s configs) configPage(c *gin.Context, title string, d *draft, notices []ui.Notice) jobs.ConfigPage {
	p := jobs.ConfigPage{Job: d.job, JobHref: app.JobPath("/jobs", d.job), At: d.at(), Notices: notices}
	if d.fresh {
		title, p.JobHref = i18n.From(c.Request.Context()).ConfigNew(), ""
	}
	p.Frame = s.Frame(c, title, app.AreaJobs)
	return p
}

// showReview shows the changes of a draft, with the consequences and the request.
func (s configs) showReview(c *gin.Context, status int, d *draft, notices []ui.Notice) error {
	l := i18n.From(c.Request.Context())
	text, err := d.document()
	if err != nil {
		d.err = err
		return s.showEditor(c, http.StatusUnprocessableEntity, d, notices)
	}
	p := jobs.ReviewProps{ConfigPage: s.configPage(c, l.ConfigReviewTitle(d.job), d, notices), Preview: s.preview(c, d, string(text)), Reason: d.reason}
	p.Hidden = d.hidden(true)
	s.Render(c, status, jobs.ConfigReview(p))
	return nil
}

// preview has the changes of a draft and their consequences; text is its document.
func (s configs) preview(c *gin.Context, d *draft, text string) jobs.Preview {
	l := i18n.From(c.Request.Context())
	switch {
	case d.fresh:
		return jobs.Preview{Fresh: true, Lines: pageui.DiffLines("", text), Effects: newJobEffects(l, d.mine), Curl: s.curl(c, d)}
	case d.mine.Equal(d.base):
		return jobs.Preview{Nothing: true}
	}
	return jobs.Preview{
		Lines: pageui.DiffLines(string(d.baseRaw), text), Curl: s.curl(c, d),
		Effects: effects(l, d.base, d.mine, s.facts(c, d.job, d.base, d.mine)),
	}
}

// versionsPage lists the saved configurations of a job, each with its changes.
func (s configs) versionsPage(c *gin.Context) error {
	job, err := app.JobName(c)
	if err != nil {
		return err
	}
	list, err := s.ReadVersions(c, job)
	if err != nil {
		return err
	}
	stored, err := s.stored(c, job)
	if err != nil && stored.Raw == nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	p := jobs.VersionsProps{
		Frame: s.Frame(c, l.ConfigVersionsTitle(job), app.AreaJobs), Job: job, JobHref: app.JobPath("/jobs", job),
		Tabs: jobpage.Tabs(l, job, 0, "config"), Operates: edits(c),
	}
	for i, v := range list {
		row := jobs.VersionRow{ConfigVersion: v, Current: v.Revision == stored.Revision()}
		if i+1 < len(list) {
			row.Lines = pageui.DiffLines(list[i+1].Document, v.Document)
			before, errB := jobconfig.Decode([]byte(list[i+1].Document))
			after, errA := jobconfig.Decode([]byte(v.Document))
			if errB == nil && errA == nil {
				row.Changed = strings.Join(editor.Changed(before, after), ", ")
			}
		}
		p.Rows = append(p.Rows, row)
	}
	if len(list) > 0 && list[0].Revision != stored.Revision() {
		p.Elsewhere = l.ConfigVersionsElsewhere(stored.Revision())
	}
	s.Render(c, http.StatusOK, jobs.ConfigVersions(p))
	return nil
}

// restore fills a draft with an earlier version. Its base is the stored configuration, so the review
// shows what going back changes.
func (s configs) restore(c *gin.Context, d *draft, stored lifecycle.StoredConfig) (ui.Notice, error) {
	l := i18n.From(c.Request.Context())
	list, err := s.ReadVersions(c, d.job)
	if err != nil {
		return ui.Notice{}, err
	}
	i := slices.IndexFunc(list, func(v settings.ConfigVersion) bool { return strconv.FormatInt(v.ID, 10) == c.Query("version") })
	if i < 0 {
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.ConfigVersionMissing(view.Clip(c.Query("version"), 40)), TestID: "version-missing"}, nil
	}
	old, err := jobconfig.Decode([]byte(list[i].Document))
	if err != nil || old.Generation != stored.Config.Generation {
		return ui.Notice{Tone: ui.ToneBad, Heading: l.ConfigVersionUnreadable(), TestID: "version-missing"}, nil
	}
	d.mine = editor.Onto(old, stored.Config)
	d.refresh()
	return ui.Notice{Tone: ui.ToneRun, Heading: l.ConfigVersionOf(view.DateTime(list[i].At).Text), Text: l.ConfigVersionText(), TestID: "version-restored"}, nil
}
