package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// shots are the pictures the documentation shows.
var shots = []shot{
	{file: "overview.png", path: "/", width: 1440, height: 1000},
	{file: "jobs.png", path: "/jobs", width: 1440, height: 700},
	{file: "job.png", path: "/jobs/stock-count", width: 1440, height: 1000},
}

// Whose pages a scene has, and of which console.
const (
	nobody = "" // before signing in
	root   = "root"
	guest  = "guest"
)

// scene is what one person sees of one console, after something was done.
type scene struct {
	site site
	user string
	// before is done as root before the pictures.
	before []step
	shots  []shot
}

// review is every page as a reviewer wants to see it, in the order in which the pictures
// are taken: what is done before the later ones would be seen in the earlier ones.
func review() []scene {
	return []scene{
		{user: nobody, shots: signInShots()},
		{user: root, shots: rootShots()},
		{user: root, before: slices.Concat(createJob("night-import"), saveVersion("0 * * * * ?", "30 * * * * ?", "Away from the full minute."), saveVersion("30 * * * * ?", "0 * * * * ?", "As before.")), shots: changedShots()},
		{user: root, before: disableTwo, shots: variants(map[string]string{"bulk-done": "", "disabled": "/jobs/invoices", "activity-disabled": "/jobs/invoices/activity"})},
		{user: root, before: requestOne, shots: variants(map[string]string{"requested-run": "", "requested-list": "/jobs/year-end-report/requested-runs"})},
		{user: root, before: backfillOne, shots: variants(map[string]string{"backfill-list": ""})},
		{user: root, before: holdOne, shots: variants(map[string]string{"held": "", "held-explain": "/jobs/year-end-report/explain", "held-jobs": "/jobs?state=held", "held-list": "/jobs", "held-overview": "/"})},
		{user: root, before: restrictOne, shots: slices.Concat(
			variants(map[string]string{"restricted": "/jobs/ledger-export", "restricted-config": "/jobs/ledger-export/config"}),
			after(append(fields("props.schedule.until", "2020-01-01T00:00:00Z", "props.schedule.from", "2021-01-01T00:00:00Z", "props.schedule.jitter", "2h"), refuseConfig), map[string]string{"restricted-wrong": "/jobs/ledger-export/config"}),
			after(previewBackfill, map[string]string{"backfill-preview": "/jobs/ledger-export/backfill"}),
		)},
		{user: root, before: slices.Concat(createToken(`"deploy-pipeline"`, "billing-*"), createToken(`"report"`, "*")), shots: slices.Concat(
			variants(map[string]string{"tokens": "/tokens"}),
			after([]step{{click: `[data-testid="revoke"]`, wait: `[data-testid="confirm-form"]`}}, map[string]string{"token-revoke": "/tokens"}),
			after(refuseToken, map[string]string{"token-wrong": "/tokens"}),
			after(createToken(`"deploy " + Date.now()`, "nothing-*")[1:], map[string]string{"token-made": "/tokens"}),
		)},
		{user: guest, shots: variants(map[string]string{"guest-jobs": "/jobs", "guest-job": "/jobs/stock-count", "guest-config": "/jobs/stock-count/config", "error-forbidden": "/audit"})},
		{site: emptySite, user: root, shots: variants(map[string]string{
			"empty-overview": "/", "empty-jobs": "/jobs", "empty-runs": "/runs", "empty-status": "/runs?level=status", "empty-executions": "/executions",
			"empty-servers": "/servers", "empty-audit": "/audit?q=zzz", "empty-search": "/search?q=zzz", "empty-cleanup": "/servers/cleanup",
		})},
		{site: cloudSite, user: root, before: []step{{open: "/cloud/runs"}, {run: "0", wait: `[data-testid="run"]`}}, shots: cloudShots()},
		{site: staleSite, user: root, shots: variants(map[string]string{
			"stale-overview": "/", "stale-jobs": "/jobs", "stale-job": "/jobs/stock-count", "stale-shards": "/jobs/stock-count/shards",
			"stale-config": "/jobs/stock-count/config", "stale-servers": "/servers", "stale-confirm": "/jobs/invoices/remove",
		})},
	}
}

func signInShots() []shot {
	wrong := []step{
		{fill: `input[name="username"]`, text: "li.wei"}, {fill: `input[name="password"]`, text: "wrong"},
		{click: `[data-testid="login-form"] button[type="submit"]`, wait: ".flash"},
	}
	return slices.Concat(variants(map[string]string{"signin": "/login", "signin-back": "/jobs/invoices/remove"}), after(wrong, map[string]string{"signin-wrong": "/login"}))
}

// rootShots are the pages on which nothing was done yet.
func rootShots() []shot {
	list := variants(map[string]string{
		"overview": "/", "jobs": "/jobs", "jobs-wrong": "/jobs?status=purple", "jobs-none": "/jobs?q=zzz", "jobs-filtered": "/jobs?q=state%3Afailing+last%3Afailed+pay", "job": "/jobs/orders-import", "job-failing": "/jobs/payment-reminders", "long": "/jobs/stock-count",
		"shards": "/jobs/stock-count/shards", "activity": "/jobs/stock-count/activity", "config": "/jobs/stock-count/config", "config-yaml": "/jobs/stock-count/config?view=yaml",
		"versions-none": "/jobs/stock-count/config/versions", "new": "/jobs/new", "new-yaml": "/jobs/new?view=yaml", "new-like": "/jobs/new?from=stock-count",
		"bulk": "/jobs/bulk?do=disable&job=invoices&job=stock-count&job=payment-reminders", "bulk-trigger": "/jobs/bulk?do=trigger&job=invoices&job=stock-count", "bulk-enable": "/jobs/bulk?do=enable&job=invoices&job=stock-count",
		"bulk-label": "/jobs/bulk?do=label&job=invoices&job=stock-count", "bulk-one": "/jobs/bulk?do=disable&job=invoices",
		"one-off": "/jobs/year-end-report", "hold": "/jobs/year-end-report/hold", "request": "/jobs/year-end-report/run", "requested": "/jobs/year-end-report/requested-runs", "backfill": "/jobs/invoices/backfill", "servers": "/servers", "server": "/servers/127.0.0.11", "server-stop": "/servers/127.0.0.11/shutdown", "server-disable": "/servers/127.0.0.11/disable", "cleanup": "/servers/cleanup",
		"executions": "/executions", "confirm": "/jobs/invoices/remove", "confirm-stop": "/jobs/invoices/shutdown", "missing": "/jobs/no-such-job", "error-address": "/no-such-page", "error-run": "/jobs/invoices/runs/nothing",
		"runs": "/runs", "runs-none": "/runs?job=zzz", "status": "/runs?level=status", "audit": "/audit",
		"shards-off": "/jobs/stock-count/shards/disable?item=1&item=2", "shards-on": "/jobs/stock-count/shards/enable?item=1", "reshard": "/jobs/stock-count/shards?plan=1&shards=8", "rerun": "/jobs/stock-count/run?item=0&item=1",
		"explain": "/jobs/payment-reminders/explain", "registries": "/registries", "sources": "/sources", "tokens-none": "/tokens", "keys": "/keys",
		"reference": "/reference", "reference-legacy": "/reference/legacy", "reference-search": "/reference?q=hold", "reference-none": "/reference?q=zzz", "reference-error": "/reference/operations/nothing",
		"reference-get": "/reference/operations/getJobsJob", "reference-post": "/reference/operations/postJobsJobRequestedRuns", "reference-old": "/reference/operations/deleteJobsJobDisable",
		"search": "/search?q=in", "view-save": "/views?area=jobs&query=q%3Dstate%3Afailing",
	})
	found := []step{{click: ".jump", wait: ".pal-q"}, {fill: ".pal-q", text: "in", wait: ".pal [data-testid=\"found\"]"}}
	list = append(list, after(found, map[string]string{"palette": "/jobs"})...)
	list = append(list, after([]step{{click: `[data-testid="do-run"]`, wait: `dialog [data-testid="request-submit"]`}}, map[string]string{"ask-run": "/jobs/stock-count", "ask-params": "/jobs/year-end-report"})...)
	for _, page := range []struct{ name, path string }{{"run", "/runs?job=stock-count"}, {"run-failed", "/runs?state=failed"}} {
		for _, s := range variants(map[string]string{page.name: page.path}) {
			s.follow = `main td a[href*="/runs/"]`
			list = append(list, s)
		}
	}
	return list
}

// changedShots are those of a job that was created, and of configurations that are being
// edited or were saved.
func changedShots() []shot {
	filled := fields("jobName", "stock-export", "cron", "0 0 2 * * ?", "shardingTotalCount", "4")
	edited := fields("cron", "0 0/7 * * * ?", "shardingTotalCount", "8")
	wrong := fields("cron", "every day", "shardingTotalCount", "0")
	check := step{click: `[data-testid="config-review"]`, wait: `[data-testid="config-save"]`}
	refuse := refuseConfig
	preview := step{click: `[data-testid="config-preview"]`, wait: `[data-testid="effects"]`}
	open := step{run: `document.querySelectorAll("main details").forEach((d) => { d.open = true })`}
	newJob, config, versions := "/jobs/new", "/jobs/stock-count/config", "/jobs/stock-count/config/versions"
	return slices.Concat(
		after(append(filled, preview), map[string]string{"new-filled": newJob}), after(append(filled, check), map[string]string{"new-review": newJob}),
		after(append(wrong, refuse), map[string]string{"new-wrong": newJob}),
		after(append(edited, preview), map[string]string{"config-edited": config}), after(append(edited, check), map[string]string{"config-review": config}),
		after(append(wrong, refuse), map[string]string{"config-wrong": config}),
		after([]step{open}, map[string]string{"versions-diff": versions}),
		after([]step{{click: `[data-testid="restore"]`, wait: `[data-testid="config-form"]`}}, map[string]string{"versions-restore": versions}),
		variants(map[string]string{
			"versions": versions, "activity-saved": "/jobs/stock-count/activity", "audit-saved": "/audit", "fresh": "/jobs/night-import", "fresh-shards": "/jobs/night-import/shards",
			"fresh-explain": "/jobs/night-import/explain", "fresh-activity": "/jobs/night-import/activity",
		}),
	)
}

// disableTwo ends on the page of what became of it.
var disableTwo = []step{
	{open: "/jobs/bulk?do=disable&job=invoices&job=exchange-rates"}, {fill: `[data-testid="bulk-reason"]`, text: "mail.internal answers 503, INC-4821"},
	{click: `[data-testid="bulk-submit"]`, wait: ".flash-links a"}, {click: ".flash-links a", wait: `[data-testid="change"]`},
}

// createToken creates a token with the name that an expression of JavaScript makes.
func createToken(name, jobs string) []step {
	return []step{
		{open: "/tokens"}, {run: `document.querySelector('[data-testid="create-token"] input[name="name"]').value = ` + name},
		{fill: `input[name="jobs"]`, text: jobs}, {click: `[data-testid="create-token"] button[type="submit"]`, wait: `[data-testid="made"]`},
	}
}

// refuseToken asks for a token with a name that another one has.
var refuseToken = []step{
	{fill: `input[name="name"]`, text: "deploy-pipeline"}, {click: `[data-testid="create-token"] button[type="submit"]`, wait: `[data-testid="token-refused"]`},
}

// requestOne ends on the page of a run that one of its branches does not answer at first.
var requestOne = []step{
	{open: "/jobs/year-end-report/run"}, {fill: `[data-testid="p.year"]`, text: "2025"},
	{fill: `[data-testid="p.regions"]`, text: "Berlin\nHamburg\nOslo\nTurin"},
	{click: `[data-testid="request-submit"]`, wait: `[data-testid="requested-steps"]`},
}

// holdOne ends on the page of the job that is held.
// Another one, whose schedule is held, is in the lists.
var holdOne = []step{
	{open: "/jobs/ledger-export/hold"}, {click: `[data-testid="confirm-hold"]`, wait: `[data-testid="held"]`},
	{open: "/jobs/year-end-report/hold"}, {fill: `[data-testid="reason"]`, text: "migration of the ledger, INC-4821"},
	{click: `[data-testid="confirm-hold"]`, wait: `[data-testid="held"]`},
}

// restrictOne leaves days out of a schedule, and ends on the page of the job.
var restrictOne = slices.Concat([]step{{open: "/jobs/ledger-export/config"}},
	fields("props.schedule.exclude", "SAT\nSUN\n2026-12-24/2027-01-02", "props.schedule.until", "2099-01-01T00:00:00Z", "props.schedule.jitter", "5s"),
	saved("The ledger is closed then."))

// refuseConfig asks for the review of what cannot be taken.
var refuseConfig = step{click: `[data-testid="config-review"]`, wait: ".field-error"}

// backfillOne begins a backfill, and ends on the page with its progress.
var backfillOne = slices.Concat([]step{{open: "/jobs/invoices/backfill"}}, previewBackfill,
	[]step{{click: `[data-testid="confirm-backfill"]`, wait: `[data-testid="backfills"]`}})

// previewBackfill asks which times of some days are fire times.
var previewBackfill = []step{
	{fill: `[data-testid="from"]`, text: "2026-11-13T23:40"}, {fill: `[data-testid="to"]`, text: "2026-11-14T00:20"},
	{click: `[data-testid="preview-backfill"]`, wait: `[data-testid="backfill-preview"]`},
}

// fields fills in fields of the editor, name by name.
func fields(values ...string) (list []step) {
	for pair := range slices.Chunk(values, 2) {
		list = append(list, step{fill: fmt.Sprintf(`[id="f-%s"]`, pair[0]), text: pair[1]})
	}
	return list
}

// saved are the steps that review and store what was filled in.
func saved(reason string) []step {
	return []step{
		{click: `[data-testid="config-review"]`, wait: `[data-testid="config-save"]`}, {fill: `input[name="reason"]`, text: reason},
		{click: `[data-testid="config-save"]`, wait: ".flash"},
	}
}

func createJob(name string) []step {
	return slices.Concat([]step{{open: "/jobs/new"}}, fields("jobName", name, "cron", "0 0 2 * * ?", "shardingTotalCount", "4"), saved("For the new branch."))
}

// saveVersion changes when the long job fires, twice as other people do: there and back.
func saveVersion(from, cron, reason string) []step {
	return slices.Concat([]step{{open: "/jobs/stock-count/config", wait: fmt.Sprintf("#f-cron[value=%q]", from)}}, fields("cron", cron), saved(reason))
}

// after are pages on which steps are done before the picture.
func after(steps []step, pages map[string]string) []shot {
	list := variants(pages)
	for i := range list {
		list[i].steps = slices.Clone(steps)
	}
	return list
}

// variants are pages in four widths, both themes and both languages.
func variants(pages map[string]string) []shot {
	var list []shot
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, width := range []int64{1440, 1280, 1024, 390} {
			for _, dark := range []bool{false, true} {
				theme := "light"
				if dark {
					theme = "dark"
				}
				for _, language := range i18n.Languages {
					file := fmt.Sprintf("%s-%d-%s-%s.png", name, width, theme, language.Tag())
					list = append(list, shot{name: name, file: file, path: pages[name], dark: dark, language: language.Tag(), width: width})
				}
			}
		}
	}
	return list
}

// cloudShots are the pages of ElasticJob-Cloud, and its forms.
func cloudShots() []shot {
	const job, addJob, addApp = "/cloud/jobs/cloud-stocktake", "/cloud/add-job", "/cloud/add-app"
	review := step{click: `[data-testid="form-review"]`, wait: `[data-testid="form-save"]`}
	refused := step{click: `[data-testid="form-review"]`, wait: ".field-error"}
	return slices.Concat(
		variants(map[string]string{
			"cloud": "/cloud", "cloud-runs": "/cloud/runs", "cloud-jobs": "/cloud/jobs", "cloud-job": job, "cloud-trigger": job + "/trigger", "cloud-disable": job + "/disable",
			"cloud-apps": "/cloud/apps", "cloud-queues": "/cloud/queues", "cloud-daemon": "/cloud/jobs/cloud-heartbeat", "cloud-daemon-run": "/cloud/runs/cloud-heartbeat-daemon", "cloud-edit": job + "/edit", "cloud-new": addJob, "cloud-app-new": addApp,
		}),
		after(append(fields("jobName", "cloud-night", "cron", "0 0 2 * * ?", "shardingTotalCount", "4"), review), map[string]string{"cloud-review": addJob}),
		after(append(fields("cron", "soon", "cpuCount", "-1"), refused), map[string]string{"cloud-wrong": addJob}),
		after(append(fields("appName", "night", "command", "night.sh\n--all"), review), map[string]string{"cloud-app-review": addApp}),
	)
}
