package jobfile

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// maxConnect is the longest attempt to connect.
const maxConnect = time.Hour

// builder makes a File from a tree and checks its values.
type builder struct {
	*findings
	known  coreagent.Config // registered by the program
	looked []string         // values from outside the file
}

// bad reports a value. The reason may contain the value, so it's left out if the value was looked
// up or is secret.
func (b builder) bad(v value, want string, reason error) {
	switch {
	case v.looked:
		b.refuse(v.line, v.path, "%s has a value that is not allowed; want %s", v.shown(), want)
	case v.secret || reason == nil:
		hint := ""
		if !v.secret {
			hint = fullwidth.Hint(v.raw)
		}
		b.refuse(v.line, v.path, "%s is not allowed; want %s%s", v.shown(), want, hint)
	default:
		b.refuse(v.line, v.path, "%v", reason)
	}
}

func (b builder) text(t *tree, name string) string {
	if sub := t.at(name); sub != nil && sub.set {
		return sub.value.text
	}
	return ""
}

func (b builder) needed(t *tree, name, want string) string {
	if s := b.text(t, name); strings.TrimSpace(s) != "" {
		return s
	}
	b.missing(t, name, want)
	return ""
}

func (b builder) missing(t *tree, name, want string) {
	line := t.line
	if sub := t.at(name); sub != nil {
		line = sub.line
	}
	if path := t.path + "." + name; !b.within(path) && !b.itself(t.path) {
		b.refuse(line, path, "is missing; want %s", want)
	}
}

// number returns a key's value between two limits, or otherwise if there is none.
func (b builder) number(t *tree, name string, least, most, otherwise int) int {
	if !t.has(name) {
		return otherwise
	}
	v := t.at(name).value
	n, err := strconv.ParseInt(strings.TrimSpace(v.text), 10, 64)
	digits := strings.TrimLeft(strings.TrimSpace(v.text), "+-")
	if err != nil || n < int64(least) || n > int64(most) || len(digits) > 1 && digits[0] == '0' {
		b.bad(v, jobconfig.Bounds{Least: least, Most: most}.String(), nil)
		return otherwise
	}
	return int(n)
}

// flag returns a key's value in any form that Spring accepts.
func (b builder) flag(t *tree, name string, otherwise bool) bool {
	if !t.has(name) {
		return otherwise
	}
	v := t.at(name).value
	switch strings.ToLower(strings.TrimSpace(v.text)) {
	case "true", "on", "yes", "1":
		return true
	case "false", "off", "no", "0":
		return false
	}
	b.bad(v, "true or false", nil)
	return otherwise
}

func (b builder) texts(t *tree, name string) []string {
	sub := t.at(name)
	if sub == nil {
		return nil
	}
	var all []string
	for _, v := range sub.list {
		all = append(all, v.text)
	}
	return all
}

func (b builder) file(t *tree) *File {
	root := t.at("elasticjob")
	if root == nil {
		if !b.within("elasticjob") && len(b.problems) == 0 {
			b.refuse(1, "elasticjob", "is missing; all keys of the file belong below it")
		}
		return nil
	}
	f := &File{Enabled: b.flag(root, "enabled", true), Config: b.known}
	center, _ := root.child("regCenter", root.line)
	b.regCenter(f, center)
	b.worker(f, root)
	b.known.Executors = f.Config.Executors
	names := make(map[string]bool)
	if list := root.at("jobs"); list != nil {
		for _, name := range list.order {
			names[name] = true
			if defaults := root.at("jobDefaults"); defaults != nil && len(list.sub[name].sub) > 0 {
				list.sub[name].inherit(defaults)
			}
			if j, ok := b.job(name, list.sub[name]); ok {
				f.Jobs = append(f.Jobs, j)
			}
		}
	}
	if sub := root.at("tracing"); sub != nil {
		b.tracing(f, sub, t.at("spring", "datasource"), slices.Sorted(maps.Keys(names)))
	}
	if sub := root.at("dump"); sub != nil {
		b.dump(f, sub)
	}
	b.ignored(root, elasticjob)
	if len(b.problems) == 0 {
		b.rehearse(f, center.line)
	}
	return f
}

func (b builder) ignored(t *tree, keys []key) {
	for _, k := range keys {
		sub := t.at(k.name)
		switch {
		case sub == nil:
		case k.ignored:
			b.note(sub.line, sub.path, "has no effect: %s", k.doc)
		case k.kind == section:
			b.ignored(sub, k.sub)
		case k.kind == jobs:
			for _, name := range sub.order {
				b.ignored(sub.sub[name], k.sub)
			}
		}
	}
}

func (b builder) regCenter(f *File, t *tree) {
	c := &f.Config
	c.Namespace = b.needed(t, "namespace", "the folder in ZooKeeper for the jobs, such as billing")
	if c.Namespace != "" {
		if _, err := jobtree.NewNamespace(c.Namespace); err != nil {
			b.bad(t.at("namespace").value, "a ZooKeeper path such as team/billing", err)
		}
	}
	if kind := b.text(t, "type"); kind != "" && !strings.EqualFold(kind, "zookeeper") {
		b.bad(t.at("type").value, "zookeeper; upstream's etcd registry is not safe for agents, see docs/java.md", nil)
	}
	c.ZooKeeper.Servers = b.texts(t, "serverLists")
	if len(c.ZooKeeper.Servers) == 0 {
		b.missing(t, "serverLists", "the ensemble, such as zk1:2181,zk2:2181,zk3:2181")
	} else {
		b.servers(t.at("serverLists").list)
	}
	if b.text(t, "digest") != "" {
		v := t.at("digest").value
		c.ZooKeeper.Digest = v.text
		if user, password, ok := strings.Cut(v.text, ":"); !ok || user == "" || password == "" {
			b.bad(v, "user:password", nil)
		}
		if !v.looked {
			b.note(v.line, v.path, "is in the file in plain text; ${ZK_DIGEST} would take it from the environment, or from the file that ZK_DIGEST_FILE names")
		}
	}
	session := b.number(t, "sessionTimeoutMilliseconds", 0, 300_000, 0)
	if session > 0 && session < 200 {
		b.bad(t.at("sessionTimeoutMilliseconds").value, "0 for the default, or 200 to 300000", nil)
	}
	if session > 0 {
		c.ZooKeeper.SessionTimeout = time.Duration(session) * time.Millisecond
	}
	if connect := b.number(t, "connectionTimeoutMilliseconds", 0, int(maxConnect.Milliseconds()), 0); connect > 0 {
		c.ZooKeeper.ConnectTimeout = time.Duration(connect) * time.Millisecond
	}
}

// servers checks each address separately, to name the wrong one. A chroot may follow the last.
func (b builder) servers(list []value) {
	for i, v := range list {
		_, _, err := zk.ParseServers([]string{v.text})
		switch rooted := strings.Contains(v.text, "/"); {
		case rooted && (err != nil || i < len(list)-1):
			b.bad(v, "host:port; write a chroot such as /elastic once, after the last address", nil)
		case err != nil:
			b.bad(v, "host:port", nil)
		}
	}
}

func (b builder) dump(f *File, t *tree) {
	enabled := b.flag(t, "enabled", true)
	port := b.number(t, "port", 0, 65535, -1)
	if enabled && port < 0 {
		b.missing(t, "port", "0 to 65535; without a dump service leave elasticjob.dump out")
	}
	if f.Config.Dump.Port = port; !enabled {
		f.Config.Dump.Port = 0
	} else if port == 0 {
		f.Config.Dump.Port = -1 // the library's value for any port
	}
}

func (b builder) tracing(f *File, t, shared *tree, known []string) {
	switch v := t.at("type"); {
	case v != nil && v.set && strings.EqualFold(v.value.text, "RDB"):
		f.Tracing.RDB = true
	case v != nil && v.set:
		b.bad(v.value, "RDB", nil)
	case len(t.sub) > 0:
		b.missing(t, "type", "RDB, or nothing at all under elasticjob.tracing")
	}
	f.Tracing.Include, f.Tracing.Exclude = b.texts(t, "includeJobNames"), b.texts(t, "excludeJobNames")
	if len(f.Tracing.Include) > 0 && len(f.Tracing.Exclude) > 0 {
		second := max(t.at("includeJobNames").line, t.at("excludeJobNames").line)
		b.refuse(second, t.path, "includeJobNames and excludeJobNames are both given; want one of them")
	}
	for _, name := range []string{"includeJobNames", "excludeJobNames"} {
		if sub := t.at(name); sub != nil {
			for _, v := range sub.list {
				b.knownJob(v, known)
			}
		}
	}
	source := t.at("dataSource")
	if source == nil || len(source.sub) == 0 {
		source = shared
	}
	if !f.Tracing.RDB || source == nil {
		return
	}
	f.Tracing.Source = DataSource{
		URL: b.needed(source, "url", "jdbc:mysql://host:3306/name, jdbc:postgresql://host:5432/name, jdbc:sqlite:file, or a DSN"), Username: b.text(source, "username"),
		Password: b.text(source, "password"), Line: source.line,
	}
	if u := source.at("url"); u != nil {
		f.Tracing.Source.Line = u.line
	}
	if v := source.at("password"); v != nil && v.set && !v.value.looked && v.value.text != "" {
		b.note(v.line, v.path, "is in the file in plain text; ${DB_PASSWORD} would take it from the environment, or from the file that DB_PASSWORD_FILE names")
	}
}

func (b builder) knownJob(v value, known []string) {
	if slices.Contains(known, v.text) {
		return
	}
	if near := spelling.Nearest(v.text, known); near != "" {
		b.refuse(v.line, v.path, "the file has no job %s; did you mean %s?", v.shown(), near)
		return
	}
	b.note(v.line, v.path, "the file has no job %s", v.shown())
}

// rehearse creates an agent that is never started, so that anything refused by New and Add is refused here.
func (b builder) rehearse(f *File, line int) {
	config := f.Config
	agent, err := coreagent.New(config)
	if err != nil {
		b.refuse(line, "elasticjob.regCenter", "%s", b.masked(err))
		return
	}
	for _, j := range f.Jobs {
		var h coreagent.Handler
		if j.NeedsCode() {
			h = coreagent.HandlerFunc(nil) // never called
		}
		if err := agent.Add(j.Job, h); err != nil {
			b.refuse(j.Line, "elasticjob.jobs."+j.Name, "%s", b.masked(err))
		}
	}
}

// masked returns an error's text without values from outside the file.
func (b builder) masked(err error) string {
	text := err.Error()
	for _, v := range b.looked {
		if len(v) > 2 {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return text
}

// zone reports a time zone that ElasticJob refuses or silently treats as GMT, and an unknown name.
func (b builder) zone(t *tree) {
	zone, rules := b.text(t, "timeZone"), quartz.Rules{Zone: b.text(t, "scheduleZone")}
	if !quartz.IsTimeZone(zone) {
		b.bad(t.at("timeZone").value, "an offset from GMT such as GMT+08:00; names such as Asia/Shanghai go into scheduleZone", nil)
	}
	if rules.Zone == "" {
		return
	}
	if zone != "" {
		b.refuse(t.at("scheduleZone").line, t.at("scheduleZone").path, "timeZone in line %d is set, too; want one of them", t.at("timeZone").line)
	} else if _, err := rules.Location(""); err != nil {
		b.bad(t.at("scheduleZone").value, "an IANA name such as Europe/Berlin", nil)
	}
}
