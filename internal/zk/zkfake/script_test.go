package zkfake_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A script is a list of requests, one per line. Each starts with the number of its session:
//
//	1 create e /a data        mode p, e, s, es, c (container flag), t, ts
//	1 create2 p /a data       the same with the longer reply
//	1 container /a data
//	1 ttl t /a data 5000
//	2 get /a w                w leaves a watch; also exists, ls, ls2
//	1 set /a data -1
//	1 multi create p /a x ; set /a y 0 ; check /a 1
//	1 setwatches seen d=/a e=/b c=/c     since 0, "seen" or "max"
//	1 reconnect
//
// Paths are below the script's own root. "." is the root, and a path that starts with "!" is a
// quoted literal. The data "-" is null, "_" is empty. acl=NAME after a create selects an access
// control list.
//
// The transcript of a script is the same on every server: zxids are replaced by their rank and
// owners by session numbers, and times are only checked for plausibility.
type script []string

// stage runs scripts on one server below one root.
type stage struct {
	dial   func() (net.Conn, error)
	root   string
	probes map[string]*probe
	owners map[int64]string // the name of the session's opener
	out    []string
}

func newStage(dial func() (net.Conn, error), root string) *stage {
	return &stage{dial: dial, root: root, probes: make(map[string]*probe), owners: make(map[int64]string)}
}

// perform runs a script and returns its transcript. Consecutive lines of a session are sent
// together, without waiting for replies.
func (s *stage) perform(lines script) ([]string, error) {
	s.out = nil
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && pipelined(lines[n-1], lines[n]) {
			n++
		}
		if err := s.together(lines[:n]); err != nil {
			return nil, fmt.Errorf("%s: %w", lines[:n], err)
		}
		lines = lines[n:]
	}
	// Read the remaining events.
	for _, name := range s.names() {
		if err := s.barrier(name, false); err != nil {
			return nil, err
		}
	}
	return s.normalise(), nil
}

// pipelined reports whether a line may be sent before the reply to the previous line.
func pipelined(before, line string) bool {
	a, b := strings.Fields(before), strings.Fields(line)
	return a[0] == b[0] && !alone[a[1]] && !alone[b[1]] && !brokenMulti.MatchString(before)
}

// brokenMulti matches a multi with a step that the real server can't handle. Until its reply is
// out, the server doesn't undo the steps before, and a request in between may even crash it.
var brokenMulti = regexp.MustCompile(`multi .*create2? ts? `)

// alone has the requests that depend on earlier replies or change the connection. setacl is one
// because the real server checks the next write against the old list if it arrives too early.
var alone = map[string]bool{
	"reconnect": true, "intrude": true, "close": true, "raw": true, "auth": true, "setwatches": true,
	"setacl": true,
}

func (s *stage) names() []string {
	var names []string
	for name := range s.probes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *stage) end() {
	for _, p := range s.probes {
		p.closeSession()
	}
}

// barrier reads the events that were sent to one session.
func (s *stage) barrier(name string, unordered bool) error {
	p := s.probes[name]
	if p == nil || p.nc == nil {
		return nil
	}
	a, err := p.call(11, nil)
	if err != nil {
		return err
	}
	if unordered {
		slices.Sort(a.events)
	}
	s.events(name, a.events)
	if a.eof {
		s.out = append(s.out, name+": eof")
		p.nc.Close()
		p.nc = nil
	}
	return nil
}

func (s *stage) events(name string, events []string) {
	for _, e := range events {
		s.out = append(s.out, name+": "+s.local(e))
	}
}

// local replaces the root in the server's output.
func (s *stage) local(text string) string { return strings.ReplaceAll(text, s.root, "R") }

// path converts a script's path to the server's.
func (s *stage) path(arg string) string {
	switch {
	case arg == ".":
		return s.root
	case strings.HasPrefix(arg, "!"):
		raw, err := strconv.Unquote(`"` + arg[1:] + `"`)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", arg, err))
		}
		return strings.ReplaceAll(raw, "R", s.root)
	}
	return s.root + arg
}

func scriptData(arg string) []byte {
	switch arg {
	case "-":
		return nil
	case "_":
		return []byte{}
	}
	return []byte(arg)
}

var scriptModes = map[string]int32{"p": 0, "e": 1, "s": 2, "es": 3, "c": 4, "t": 5, "ts": 6, "bad": 9}

type aclEntry struct {
	perms      int32
	scheme, id string
}

var scriptACLs = map[string][]aclEntry{
	"open":      {{31, "world", "anyone"}},
	"none":      {},
	"readonly":  {{1, "world", "anyone"}},
	"nocreate":  {{31 &^ 4, "world", "anyone"}},
	"nodelete":  {{31 &^ 8, "world", "anyone"}},
	"nowrite":   {{31 &^ 2, "world", "anyone"}},
	"noread":    {{31 &^ 1, "world", "anyone"}},
	"noadmin":   {{31 &^ 16, "world", "anyone"}},
	"twice":     {{31, "world", "anyone"}, {31, "world", "anyone"}},
	"creator":   {{31, "auth", ""}},
	"ada":       {{31, "digest", "ada:iBCIfxtKmydtlPdmMLUDj9nG+gg="}},
	"adaread":   {{1, "digest", "ada:iBCIfxtKmydtlPdmMLUDj9nG+gg="}, {16, "world", "anyone"}},
	"mixed":     {{1, "world", "anyone"}, {31, "auth", ""}},
	"local":     {{31, "ip", "127.0.0.1"}},
	"net":       {{31, "ip", "127.0.0.0/8"}},
	"elsewhere": {{31, "ip", "10.1.2.3"}},
	"badip":     {{31, "ip", "nowhere"}},
	"badbits":   {{31, "ip", "127.0.0.1/33"}},
	"someone":   {{31, "world", "someone"}},
	"baddig":    {{31, "digest", "ada"}},
	"baddig3":   {{31, "digest", "a:b:c"}},
	"unknown":   {{31, "kerberos", "ada"}},
	"empty":     {{0, "world", "anyone"}},
}

func (p *packer) acl(name string) *packer {
	if name == "null" {
		return p.i32(-1)
	}
	list, ok := scriptACLs[name]
	if !ok {
		panic("unknown acl " + name)
	}
	p.i32(int32(len(list)))
	for _, a := range list {
		p.i32(a.perms).str(a.scheme).str(a.id)
	}
	return p
}

func number(arg string) int64 {
	n, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

var opCodes = map[string]int32{
	"create": 1, "delete": 2, "exists": 3, "get": 4, "set": 5, "getacl": 6, "setacl": 7, "ls": 8, "sync": 9,
	"ping": 11, "ls2": 12, "check": 13, "multi": 14, "create2": 15, "reconfig": 16, "container": 19, "ttl": 21,
	"multiread": 22, "close": -11, "auth": 100, "setwatches": 101, "ephemerals": 103, "allchildren": 104,
}

// encode returns the body of a request, without its header.
func (s *stage) encode(p *probe, args []string) []byte {
	acl := "open"
	if last := args[len(args)-1]; strings.HasPrefix(last, "acl=") && args[0] != "multi" {
		acl = last[4:]
		args = args[:len(args)-1]
	}
	b := new(packer)
	switch args[0] {
	case "create", "create2":
		b.str(s.path(args[2])).buf(scriptData(args[3])).acl(acl).i32(scriptModes[args[1]])
	case "container":
		b.str(s.path(args[1])).buf(scriptData(args[2])).acl(acl).i32(4)
	case "ttl":
		b.str(s.path(args[2])).buf(scriptData(args[3])).acl(acl).i32(scriptModes[args[1]]).i64(number(args[4]))
	case "delete", "check":
		b.str(s.path(args[1])).i32(int32(number(args[2])))
	case "set":
		b.str(s.path(args[1])).buf(scriptData(args[2])).i32(int32(number(args[3])))
	case "get", "exists", "ls", "ls2":
		b.str(s.path(args[1])).flag(len(args) > 2)
	case "getacl", "sync", "ephemerals", "allchildren":
		b.str(s.path(args[1]))
	case "setacl":
		b.str(s.path(args[1])).acl(args[2]).i32(int32(number(args[3])))
	case "auth":
		b.i32(0).str(args[1]).buf(scriptData(args[2]))
	case "setwatches":
		since := map[string]int64{"seen": p.zxid, "max": 1<<63 - 1, "0": 0}[args[1]]
		lists := map[string][]string{}
		for _, arg := range args[2:] {
			kind, path, _ := strings.Cut(arg, "=")
			lists[kind] = append(lists[kind], s.path(path))
		}
		b.i64(since).strs(lists["d"]).strs(lists["e"]).strs(lists["c"])
	case "multi", "multiread":
		for _, step := range splitSteps(args[1:]) {
			b.i32(opCodes[step[0]]).flag(false).i32(-1).raw(s.encode(p, step))
		}
		b.i32(-1).flag(true).i32(-1)
	case "ping", "close", "reconfig":
		if args[0] == "reconfig" {
			b.buf(nil).buf(nil).buf(nil).i64(-1)
		}
	default:
		panic("unknown request " + args[0])
	}
	return b.b
}

func splitSteps(args []string) [][]string {
	var steps [][]string
	for len(args) > 0 {
		i := slices.Index(args, ";")
		if i < 0 {
			i = len(args)
		}
		steps = append(steps, args[:i])
		args = args[min(i+1, len(args)):]
	}
	return steps
}

// session returns a connected probe, and opens a session if necessary.
func (s *stage) session(name string) (*probe, error) {
	p := s.probes[name]
	if p == nil {
		p = &probe{dial: s.dial}
		s.probes[name] = p
		err := p.connect(0)
		s.owners[p.id] = name
		return p, err
	}
	return p, nil
}

func (s *stage) together(lines script) error {
	name, args := split(lines[0])
	p, err := s.session(name)
	if err != nil {
		return err
	}
	switch args[0] {
	case "reconnect", "intrude":
		return s.reconnect(name, p, lines[0])
	case "close":
		// The server deletes ephemerals in no particular order. Read all earlier events first, and
		// compare the events of this step as a set.
		if err := s.barriers(false); err != nil {
			return err
		}
	}
	connected := p.nc != nil
	var requests []pending
	for _, line := range lines {
		_, args := split(line)
		if args[0] == "raw" { // an operation code and a body in hex
			body, err := hex.DecodeString(strings.Join(args[2:], ""))
			if err != nil {
				return err
			}
			requests = append(requests, p.request(int32(number(args[1])), body))
		} else {
			requests = append(requests, p.request(opCodes[args[0]], s.encode(p, args)))
		}
	}
	if connected {
		p.send(requests...)
	}
	for i, line := range lines {
		s.out = append(s.out, "> "+line)
		if p.nc == nil {
			s.out = append(s.out, name+": not connected")
			continue
		}
		_, args := split(line)
		if err := s.answer(name, p, requests[i], args); err != nil {
			return err
		}
	}
	if args[0] == "close" {
		if p.nc != nil {
			p.nc.Close()
			p.nc = nil
		}
		return s.barriers(true)
	}
	return nil
}

func split(line string) (name string, args []string) {
	fields := strings.Fields(line)
	return fields[0], fields[1:]
}

func (s *stage) barriers(unordered bool) error {
	for _, name := range s.names() {
		if err := s.barrier(name, unordered); err != nil {
			return err
		}
	}
	return nil
}

// reconnect drops a connection and tries to resume the session.
func (s *stage) reconnect(name string, p *probe, line string) error {
	s.out = append(s.out, "> "+line)
	if p.nc != nil {
		p.nc.Close()
	}
	if strings.HasSuffix(line, "intrude") { // a client without the password
		p.passwd = make([]byte, 16)
	}
	switch err := p.connect(p.zxid); {
	case err == nil:
		s.owners[p.id] = name // a new session if the old one had expired
		s.out = append(s.out, name+": resumed")
	case errors.Is(err, errExpired):
		s.out = append(s.out, name+": expired")
		p.nc = nil
	default:
		return err
	}
	return nil
}
