package cloud

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// The addresses of the forms of new documents. They are no names of jobs and applications.
const (
	cloudAddJob = cloudRoute + "/add-job"
	cloudAddApp = cloudRoute + "/add-app"
)

// namespaceField is where a document is, or is to be, if there are several namespaces. Nothing
// moves from one to another.
func namespaceField[T any](at *Cloud, stored bool, namespace func(*T) *string) []docField[T] {
	if !at.Several() {
		return nil
	}
	f := docText("namespace", i18n.Lang.CloudHelpNamespace, cloudui.FieldChoice, namespace)
	if f.choices, f.fixed = at.Namespaces, stored; stored {
		f.kind = cloudui.FieldCode
	}
	f.set = func(doc *T, typed string) string {
		if !slices.Contains(at.Namespaces, typed) {
			return "one that is served: " + strings.Join(at.Namespaces, ", ")
		}
		*namespace(doc) = typed
		return ""
	}
	return []docField[T]{f}
}

// jobSections are the fields of a job. apps are those that it may name.
func jobSections(l i18n.Lang, at *Cloud, stored *cloud.Job, apps []string) []docSection[cloud.Job] {
	type job = cloud.Job
	name := docText("jobName", i18n.Lang.CloudHelpName, cloudui.FieldCode, func(j *job) *string { return &j.Name })
	name.fixed = stored != nil
	app := docText("appName", i18n.Lang.CloudHelpApp, cloudui.FieldChoice, func(j *job) *string { return &j.AppName })
	app.choices = apps
	return []docSection[job]{
		{l.CloudFormWhat(), slices.Concat([]docField[job]{name}, namespaceField(at, stored != nil, func(j *job) *string { return &j.Namespace }), []docField[job]{
			app,
			docText("description", i18n.Lang.CloudHelpDescription, cloudui.FieldText, func(j *job) *string { return &j.Description }),
			docWhole("shardingTotalCount", i18n.Lang.CloudHelpShards, 1, cloud.MaxShards, func(j *job) *int { return &j.Shards }),
			docText("shardingItemParameters", i18n.Lang.CloudHelpShardParameters, cloudui.FieldCode, func(j *job) *string { return &j.ShardParameters }),
			docText("jobParameter", i18n.Lang.CloudHelpParameter, cloudui.FieldText, func(j *job) *string { return &j.Parameter }),
			docAmount("cpuCount", i18n.Lang.CloudHelpCpu, cloud.LeastCPU, cloud.MaxCPU, func(j *job) *float64 { return &j.CPU }),
			docAmount("memoryMB", i18n.Lang.CloudHelpMemory, cloud.LeastMemoryMB, cloud.MaxMemoryMB, func(j *job) *float64 { return &j.MemoryMB }),
		})},
		{l.CloudFormWhen(), []docField[job]{
			docText("cron", i18n.Lang.CloudHelpCron, cloudui.FieldCode, func(j *job) *string { return &j.Cron }),
			docText("timeZone", i18n.Lang.CloudHelpZone, cloudui.FieldText, func(j *job) *string { return &j.TimeZone }),
			docSwitch("misfire", i18n.Lang.CloudHelpMisfire, func(j *job) *bool { return &j.Misfire }),
			docSwitch("failover", i18n.Lang.CloudHelpFailover, func(j *job) *bool { return &j.Failover }),
			docText("jobErrorHandlerType", i18n.Lang.CloudHelpErrorHandler, cloudui.FieldText, func(j *job) *string { return &j.ErrorHandlerType }),
			docPairs("props", i18n.Lang.CloudHelpProps, func(j *job) *map[string]string { return &j.Props }),
		}},
	}
}

// namespaceQuery is how a request says where something is to be made.
func queryOf(namespace string) url.Values {
	if namespace == "" {
		return nil
	}
	return url.Values{"namespace": {namespace}}
}

// jobForm is the form of a job, of a new one if stored is nil.
func (s cloudPages) jobForm(c *gin.Context, at *Cloud, stored *cloud.Job) *docForm[cloud.Job] {
	l := i18n.From(c.Request.Context())
	var apps []string
	for _, a := range at.Seen.Apps() {
		apps = append(apps, a.Name)
	}
	var f *docForm[cloud.Job]
	f = &docForm[cloud.Job]{
		stored: stored, effects: func(l i18n.Lang, j *cloud.Job) []string {
			list := []string{l.CloudFormRuns()}
			if script, err := j.Script(); err == nil && script != nil {
				list = append(list, l.CloudExecutes(strings.Join(script, " ")))
			}
			list = append(list, at.Warnings(l, Document{Kind: cloud.KindJob, Job: *j}, true)...)
			if stored == nil && j.Cron != "" {
				return append([]string{l.CloudFormFires()}, list...)
			}
			return list
		},
		saved: func() string { return cloudPath("jobs", f.wanted.Name) },
	}
	if stored == nil {
		f.head = s.oneHead(c, at, l.CloudJobNew(), "jobs", l.FrameJobs())
		f.path, f.back, f.method, f.api = cloudAddJob, cloudPath("jobs"), http.MethodPost, "/api/cloud/jobs"
		f.wanted = cloud.NewJob("", "", 1)
		f.wanted.Namespace = at.Place("")
		f.query = func() url.Values { return queryOf(f.wanted.Namespace) }
		if len(apps) > 0 {
			f.wanted.AppName = apps[0]
		}
		f.save = func(ctx context.Context) error {
			_, err := at.CreateJob(ctx, f.wanted)
			return err
		}
		f.did = func(l i18n.Lang) string { return l.CloudDidMake(f.wanted.Name) }
	} else {
		name := stored.Name
		f.head = s.oneHead(c, at, l.CloudEditTitle(name), "jobs", l.FrameJobs(), layout.Crumb{Label: name, Href: cloudPath("jobs", name), Mono: true})
		f.path, f.back, f.method, f.api = cloudPath("jobs", name, "edit"), cloudPath("jobs", name), http.MethodPut, "/api"+cloudPath("jobs", name)
		f.wanted = stored.Clone()
		f.save = func(ctx context.Context) error { _, err := at.StoreJob(ctx, *stored, f.wanted); return err }
		f.did = func(l i18n.Lang) string { return l.CloudDidSave(name) }
		if !slices.Contains(apps, stored.AppName) {
			apps = append(apps, stored.AppName)
		}
	}
	f.sections = jobSections(l, at, stored, apps)
	return f
}

func (s cloudPages) newJobPage(c *gin.Context, at *Cloud) error {
	return s.jobForm(c, at, nil).show(s, c, http.StatusOK, nil, nil, nil)
}

func (s cloudPages) newJob(c *gin.Context, at *Cloud) error {
	f := s.jobForm(c, at, nil)
	return f.take(s, c, func(ctx context.Context) error { return at.CheckJob(ctx, f.wanted) })
}

// storedJob is the job of an address, as it is stored.
func (s cloudPages) storedJob(c *gin.Context, at *Cloud) (*cloud.Job, error) {
	name, err := nameOf(c, "job")
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	d, err := at.ReadJob(ctx, name)
	return &d.Job, err
}

func (s cloudPages) editJobPage(c *gin.Context, at *Cloud) error {
	stored, err := s.storedJob(c, at)
	if err != nil {
		return err
	}
	return s.jobForm(c, at, stored).show(s, c, http.StatusOK, nil, nil, nil)
}

func (s cloudPages) editJob(c *gin.Context, at *Cloud) error {
	stored, err := s.storedJob(c, at)
	if err != nil {
		return err
	}
	f := s.jobForm(c, at, stored)
	return f.take(s, c, func(ctx context.Context) error { return at.CheckJob(ctx, f.wanted) })
}

// appSections are the fields of an application. Which of them start a program depends on
// the engine.
func appSections(l i18n.Lang, at *Cloud, stored *cloud.App) []docSection[cloud.App] {
	type app = cloud.App
	engine := at.Engine.Capabilities().Engine
	name := docText("appName", i18n.Lang.CloudHelpName, cloudui.FieldCode, func(a *app) *string { return &a.Name })
	name.fixed = stored != nil
	what := append([]docField[app]{name}, namespaceField(at, stored != nil, func(a *app) *string { return &a.Namespace })...)
	if engine != cloud.EngineLocal || stored != nil && stored.Image != "" {
		what = append(what, docText("image", i18n.Lang.CloudHelpImage, cloudui.FieldCode, func(a *app) *string { return &a.Image }))
	}
	what = append(what,
		docWords("command", i18n.Lang.CloudHelpCommand, func(a *app) *[]string { return &a.Command }),
		docWords("args", i18n.Lang.CloudHelpArgs, func(a *app) *[]string { return &a.Args }),
		docText("bootstrapScript", i18n.Lang.CloudHelpScript, cloudui.FieldLines, func(a *app) *string { return &a.BootstrapScript }),
	)
	if engine == cloud.EngineLocal {
		what = append(what, docSwitch("shell", i18n.Lang.CloudHelpShell, func(a *app) *bool { return &a.Shell }))
	}
	return []docSection[app]{{l.CloudProcess(), what}, {l.CloudNeeds(), []docField[app]{
		docAmount("cpuCount", i18n.Lang.CloudHelpCpu, cloud.LeastCPU, cloud.MaxCPU, func(a *app) *float64 { return &a.CPU }),
		docAmount("memoryMB", i18n.Lang.CloudHelpMemory, cloud.LeastMemoryMB, cloud.MaxMemoryMB, func(a *app) *float64 { return &a.MemoryMB }),
		docWhole("terminationGracePeriodSeconds", i18n.Lang.CloudHelpGrace, 0, 24*60*60, func(a *app) *int { return &a.GraceSeconds }),
		docPairs("env", i18n.Lang.CloudHelpEnv, func(a *app) *map[string]string { return &a.Env }),
	}}}
}

// executes says what an application has started, so that nobody saves it by mistake.
func executes(l i18n.Lang, a *cloud.App) []string {
	program := strings.Join(slices.Concat(a.Command, a.Args), " ")
	switch {
	case a.Image != "" && program == "" && a.BootstrapScript == "":
		return []string{l.CloudExecutesImage(a.Image), l.CloudFormRuns()}
	case a.Image != "":
		return []string{l.CloudExecutesInImage(a.Image, strings.TrimSpace(program+" "+a.BootstrapScript)), l.CloudFormRuns()}
	case a.Shell:
		return []string{l.CloudExecutesShell(a.BootstrapScript), l.CloudFormRuns()}
	}
	return []string{l.CloudExecutes(strings.TrimSpace(program + " " + a.BootstrapScript)), l.CloudFormRuns()}
}

// appForm is the form of an application, of a new one if stored is nil.
func (s cloudPages) appForm(c *gin.Context, at *Cloud, stored *cloud.App) *docForm[cloud.App] {
	l, commands := i18n.From(c.Request.Context()), s.Options().CommandChanges
	var f *docForm[cloud.App]
	f = &docForm[cloud.App]{
		stored: stored, sections: appSections(l, at, stored), effects: executes,
		saved: func() string { return cloudPath("apps", f.wanted.Name) },
	}
	if stored == nil {
		f.head = s.oneHead(c, at, l.CloudAppNew(), "apps", l.CloudApps())
		f.path, f.back, f.method, f.api = cloudAddApp, cloudPath("apps"), http.MethodPost, "/api/cloud/apps"
		f.wanted = cloud.NewApp("")
		f.wanted.Namespace = at.Place("")
		f.query = func() url.Values { return queryOf(f.wanted.Namespace) }
		f.save = func(ctx context.Context) error {
			_, err := at.CreateApp(ctx, f.wanted, commands)
			return err
		}
		f.did = func(l i18n.Lang) string { return l.CloudDidMake(f.wanted.Name) }
		return f
	}
	name := stored.Name
	f.head = s.oneHead(c, at, l.CloudEditTitle(name), "apps", l.CloudApps(), layout.Crumb{Label: name, Href: cloudPath("apps", name), Mono: true})
	f.path, f.back, f.method, f.api = cloudPath("apps", name, "edit"), cloudPath("apps", name), http.MethodPut, "/api"+cloudPath("apps", name)
	f.wanted = stored.Clone()
	f.save = func(ctx context.Context) error {
		_, err := at.StoreApp(ctx, *stored, f.wanted, commands)
		return err
	}
	f.did = func(l i18n.Lang) string { return l.CloudDidSave(name) }
	return f
}

func (s cloudPages) newAppPage(c *gin.Context, at *Cloud) error {
	return s.appForm(c, at, nil).show(s, c, http.StatusOK, nil, nil, nil)
}

func (s cloudPages) newApp(c *gin.Context, at *Cloud) error { return s.takeApp(c, at, nil) }

// takeApp takes the form of an application.
func (s cloudPages) takeApp(c *gin.Context, at *Cloud, stored *cloud.App) error {
	f := s.appForm(c, at, stored)
	return f.take(s, c, func(context.Context) error {
		before := cloud.App{}
		if stored != nil {
			before = *stored
		}
		return checkApp(before, f.wanted, s.Options().CommandChanges)
	})
}

// storedApp is the application of an address, as it is stored.
func (s cloudPages) storedApp(c *gin.Context, at *Cloud) (*cloud.App, error) {
	name, err := nameOf(c, "app")
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	a, err := at.ReadApp(ctx, name)
	return &a, err
}

func (s cloudPages) editAppPage(c *gin.Context, at *Cloud) error {
	stored, err := s.storedApp(c, at)
	if err != nil {
		return err
	}
	return s.appForm(c, at, stored).show(s, c, http.StatusOK, nil, nil, nil)
}

func (s cloudPages) editApp(c *gin.Context, at *Cloud) error {
	stored, err := s.storedApp(c, at)
	if err != nil {
		return err
	}
	return s.takeApp(c, at, stored)
}
