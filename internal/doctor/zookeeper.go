package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	// connectTimeout bounds the wait for a session, and each question to a server.
	connectTimeout = 5 * time.Second
	// fewConnections is the limit of connections per client under which a fleet soon fails: each
	// process needs at least one, and processes on a Kubernetes node may share an address.
	fewConnections = 10
	// clockWarning is how far clocks may differ before we warn. From clockError on, the table of
	// missed fire times in docs/guarantees.md doesn't hold.
	clockWarning, clockError = 10 * time.Second, time.Minute
	// mostJobs is how many jobs' ACLs are read.
	mostJobs = 1000
)

// ZooKeeper checks an ensemble and the namespace that agents or a console use there. If it isn't
// thorough, it leaves out the checks that would burden the ensemble when a whole fleet starts.
func ZooKeeper(ctx context.Context, cfg zk.Config, namespace jobtree.Namespace, thorough bool) []Finding {
	cfg.Logger, cfg.ConnectTimeout, cfg.Observe = slog.New(slog.DiscardHandler), connectTimeout, nil
	check := ensemble{ctx: ctx, cfg: cfg, namespace: namespace, thorough: thorough,
		where: "ZooKeeper " + strings.Join(cfg.Servers, ",")}
	if err := cfg.Validate(); err != nil {
		check.add(Error, check.where, err.Error(), "there's no connection to ZooKeeper", "correct the setting")
		return check.list
	}
	if cfg.OpenToAll() {
		check.add(Warning, check.where,
			"new nodes are open to every user who reaches the ensemble (world:anyone)", whyOpen,
			"give a digest or an ACL of x509, or choose the ACL open if that's intended: see docs/security.md")
	}
	check.servers()
	check.session()
	return check.list
}

const whyOpen = "nodes decide what agents run, so that user can run commands on their machines"

// ensemble collects the findings of one ensemble.
type ensemble struct {
	ctx       context.Context
	cfg       zk.Config
	namespace jobtree.Namespace
	thorough  bool
	where     string
	client    *zk.Client
	list      []Finding
}

func (e *ensemble) add(severity Severity, where, problem, why, fix string) {
	e.list = append(e.list, New(severity, where, problem, why, fix))
}

// server is one server's answers to the words `srvr` and `conf`.
type server struct {
	addr, state, settings string
	stateErr, settingsErr error
}

// servers asks each server for its version and its limits.
func (e *ensemble) servers() {
	addresses, _, _ := zk.ParseServers(e.cfg.Servers) // valid, see Validate
	list := make([]server, len(addresses))
	var asked sync.WaitGroup
	for i, addr := range addresses {
		asked.Go(func() {
			s := &list[i]
			s.addr = addr
			s.state, s.stateErr = e.cfg.Ask(e.ctx, addr, "srvr")
			if s.stateErr == nil || errors.Is(s.stateErr, zk.ErrNotListed) {
				s.settings, s.settingsErr = e.cfg.Ask(e.ctx, addr, "conf")
			}
		})
	}
	asked.Wait()
	var versions []string
	for _, s := range list {
		if version := e.server(s); version != "" {
			versions = append(versions, version)
		}
	}
	slices.Sort(versions)
	if versions = slices.Compact(versions); len(versions) > 1 {
		e.add(Note, e.where, "its servers have different versions: "+strings.Join(versions, ", "),
			"they may refuse requests that the others allow", "finish the upgrade")
	}
}

// server judges the answers of one server and returns its version, if it's known.
func (e *ensemble) server(s server) (version string) {
	where := "ZooKeeper " + s.addr
	switch {
	case errors.Is(s.stateErr, zk.ErrNotListed):
		e.add(Note, where, "couldn't read the version because the word srvr isn't allowed there",
			"a server before 3.5 refuses our requests", allow("srvr"))
	case s.stateErr != nil:
		e.add(Warning, where, s.stateErr.Error(),
			"clients that try this server wait, and the ensemble survives fewer failures",
			"start the server, or correct its address")
		return ""
	case !strings.Contains(s.state, "Zookeeper version: "):
		e.add(Warning, where, "it doesn't serve requests: "+s.state,
			"clients that try this server wait, and the ensemble survives fewer failures",
			"look at the server's log; it has no quorum, or it isn't a ZooKeeper server")
		return ""
	}
	version = value(s.state, "Zookeeper version: ")
	version, _, _ = strings.Cut(version, "-")
	version, _, _ = strings.Cut(version, ",")
	if old(version) {
		e.add(Error, where, "its version is "+version,
			"we need 3.5 or newer, because older servers have no container nodes", "upgrade the server")
	}
	if strings.HasPrefix(value(s.state, "Mode: "), "read-only") {
		e.add(Warning, where, "it's in read-only mode", "it has lost the quorum and no agent can register there",
			"bring the other servers back")
	}
	switch limit, err := strconv.Atoi(value(s.settings, "maxClientCnxns=")); {
	case errors.Is(s.settingsErr, zk.ErrNotListed):
		e.add(Note, where, "couldn't read maxClientCnxns because the word conf isn't allowed there",
			"if the limit is too low, the server closes the connections of more processes on one address",
			allow("conf"))
	case s.settingsErr != nil:
		e.add(Note, where, "couldn't read maxClientCnxns: "+s.settingsErr.Error(),
			"the limit may be too low for the fleet", "ask again, or look into zoo.cfg")
	case err == nil && limit > 0 && limit < fewConnections:
		e.add(Warning, where, fmt.Sprintf("maxClientCnxns is %d", limit),
			"the server closes connections of further processes on the same address, and each agent and console "+
				"needs one",
			"set maxClientCnxns in zoo.cfg to 60, ZooKeeper's default, or more")
	}
	return version
}

func allow(word string) string {
	return "set 4lw.commands.whitelist=srvr,conf in zoo.cfg if you want to know: " + word + " only reads"
}

// value returns the rest of the line that begins with a key.
func value(text, key string) string {
	_, rest, _ := strings.Cut("\n"+text, "\n"+key)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// old reports whether a version is before 3.5. It isn't if it can't be read.
func old(version string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor)
	return n == 2 && (major < 3 || major == 3 && minor < 5)
}

// session checks what only a client with a session can see.
func (e *ensemble) session() {
	ctx, cancel := context.WithTimeout(e.ctx, 2*connectTimeout)
	defer cancel()
	client, err := zk.Connect(ctx, e.cfg)
	switch {
	case errors.Is(err, zk.ErrNoChroot):
		e.add(Error, e.where, "the chroot behind the last address doesn't exist", "agents and consoles don't start",
			"correct it, or create the node with zkCli.sh; we don't, because a typing error would begin a second tree")
		return
	case err != nil:
		e.add(Error, e.where, err.Error(), "agents don't start, and the console shows nothing",
			"is this the ensemble, can this machine reach it, and are TLS and digest right?")
		return
	}
	defer func() { _ = client.Close() }() // It always returns nil.
	e.client = client
	if asked, granted := e.cfg.SessionTimeout, client.Session().Timeout; asked > 0 && asked != granted {
		e.add(Note, e.where, fmt.Sprintf("it granted a session timeout of %v instead of %v", granted, asked),
			"a crash is noticed after that time",
			"change minSessionTimeout or maxSessionTimeout in zoo.cfg, or ask for the granted time")
	}
	e.checkClock(e.checkNamespace())
	if e.thorough {
		e.checkPackets()
	}
}

// checkNamespace returns the namespace's node, if it exists.
func (e *ensemble) checkNamespace() (node string) {
	root := e.namespace.Root()
	where := "namespace " + e.namespace.String()
	_, exists, err := e.client.Exists(e.ctx, root)
	if err != nil {
		e.unchecked(where, "the namespace", err)
		return ""
	}
	if !exists {
		e.add(Warning, where, "it doesn't exist in ZooKeeper",
			"there are no jobs, and agents register somewhere else if the name is misspelled",
			"correct the name or the chroot, or start the first agent, which creates the namespace")
		return ""
	}
	names, _, err := e.client.Children(e.ctx, root)
	if errors.Is(err, zk.ErrNoAuth) {
		e.add(Error, where, "its ACL doesn't let us read it", "no job can be served or shown",
			"use the digest or the client certificate of the agents")
		return root
	}
	if err != nil {
		e.unchecked(where, "the namespace", err)
		return root
	}
	if e.cfg.ACL != zk.ACLOpen && !e.cfg.OpenToAll() {
		e.checkOpenNodes(where, names)
	}
	return root
}

// checkOpenNodes looks for nodes that were created before there was an ACL, which they don't get later.
func (e *ensemble) checkOpenNodes(where string, jobs []string) {
	paths := []string{e.namespace.Root()}
	for _, name := range jobs[:min(len(jobs), mostJobs)] {
		if !e.thorough {
			break
		}
		paths = append(paths, e.namespace.Job(name).Config())
	}
	var open []string
	for _, path := range paths {
		switch is, err := e.client.IsOpen(e.ctx, path); {
		case errors.Is(err, zk.ErrNoNode), errors.Is(err, zk.ErrNoAuth): // A stranger can't change it either.
		case err != nil:
			e.unchecked(where, "the ACLs", err)
			return
		case is:
			open = append(open, path)
		}
	}
	if len(open) > 0 {
		e.add(Warning, where, fmt.Sprintf("%d nodes are open to every user who reaches the ensemble "+
			"(world:anyone), such as %s", len(open), open[0]),
			"they were created without an ACL and keep that; "+whyOpen,
			"run setAcl -R on "+e.namespace.Root()+" with zkCli.sh; see docs/security.md")
	}
}

// checkClock compares this machine's clock with the leader's. The namespace's node is the second
// choice, because agents and consoles list its children again at each change.
func (e *ensemble) checkClock(namespace string) {
	before := time.Now()
	leader, err := e.client.ServerClock(e.ctx, "/")
	if errors.Is(err, zk.ErrNoAuth) && namespace != "" && e.thorough {
		before = time.Now()
		leader, err = e.client.ServerClock(e.ctx, namespace)
	}
	if err != nil {
		e.unchecked(e.where, "the clock", err)
		return
	}
	e.list = append(e.list, clock(e.where, before, leader, time.Now())...)
}

// clock judges the leader's time, which it read between two of our times.
func clock(where string, before, leader, after time.Time) []Finding {
	off := max(leader.Sub(after), before.Sub(leader))
	severity := Warning
	switch {
	case off < clockWarning:
		return nil
	case off >= clockError:
		severity = Error
	}
	return []Finding{New(severity, where, fmt.Sprintf("its clock and this machine's clock differ by %v",
		off.Round(time.Second)),
		"fire times run early or late, and after an outage the wrong ones are made up for, because clocks must "+
			"agree within a minute",
		"run NTP or chrony on the servers and on this machine")}
}

// checkPackets comes last because a server with a small jute.maxbuffer closes the connection.
func (e *ensemble) checkPackets() {
	err := e.client.CheckPackets(e.ctx)
	if err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(e.ctx, connectTimeout)
	defer cancel()
	if errors.Is(err, zk.ErrUnavailable) && e.client.AwaitConnected(ctx) == nil {
		e.add(Warning, e.where, "it closes the connection at requests of 1 MiB, so its jute.maxbuffer is smaller "+
			"than the default",
			"large configurations and registrations of many shards fail, and the session may be lost",
			"remove jute.maxbuffer from the servers' settings, or set it to 1048575")
		return
	}
	e.unchecked(e.where, "jute.maxbuffer", err)
}

// unchecked notes that a check couldn't be made.
func (e *ensemble) unchecked(where, subject string, err error) {
	fix := "run the doctor again"
	if errors.Is(err, zk.ErrNoAuth) {
		fix = "run the doctor with the digest or the client certificate of the agents"
	}
	e.add(Note, where, "couldn't check "+subject+": "+err.Error(), "there may be a fault that we don't see", fix)
}
