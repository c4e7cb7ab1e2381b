package zkfake_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// answer reads the reply to a request and records it after the events before it.
func (s *stage) answer(name string, p *probe, request pending, args []string) (err error) {
	a, err := p.await(request)
	if err != nil {
		return err
	}
	if args[0] == "close" {
		slices.Sort(a.events)
	}
	s.events(name, a.events)
	if a.eof {
		s.out = append(s.out, name+": eof")
		p.nc.Close()
		p.nc = nil
		return nil
	}
	text := name + ": " + codeName(a.code)
	if writes[args[0]] {
		text += fmt.Sprintf(" at %s", zxidMark(a.zxid))
	}
	u := &unpacker{a.body}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reply % x: %v", a.body, r)
		}
	}()
	if a.code == 0 {
		if detail := s.reply(args[0], u); detail != "" {
			text += " " + detail
		}
	}
	if len(u.b) > 0 {
		text += fmt.Sprintf(" and %d more bytes", len(u.b))
	}
	s.out = append(s.out, s.local(text))
	return nil
}

var writes = map[string]bool{
	"create": true, "create2": true, "container": true, "ttl": true, "delete": true, "set": true,
	"setacl": true, "multi": true, "reconfig": true,
}

func (s *stage) reply(op string, u *unpacker) string {
	switch op {
	case "create":
		return u.str()
	case "create2", "container", "ttl":
		return u.str() + " " + s.stat(u)
	case "get":
		return u.data() + " " + s.stat(u)
	case "set", "exists", "setacl":
		return s.stat(u)
	case "ls", "ephemerals":
		return s.list(u)
	case "ls2":
		return s.list(u) + " " + s.stat(u)
	case "sync":
		return u.str()
	case "allchildren":
		return strconv.Itoa(int(u.i32()))
	case "getacl":
		var list []string
		for range u.i32() {
			list = append(list, fmt.Sprintf("%d:%s:%s", u.i32(), u.str(), u.str()))
		}
		slices.Sort(list) // identities have no order
		return strings.Join(list, ",") + " " + s.stat(u)
	case "multi", "multiread":
		var results []string
		for {
			kind, done, code := u.i32(), u.flag(), u.i32()
			if done {
				return fmt.Sprintf("{%s} end(%d %d)", strings.Join(results, "; "), kind, code)
			}
			results = append(results, s.result(kind, code, u))
		}
	}
	return ""
}

func (s *stage) result(kind, code int32, u *unpacker) string {
	text := fmt.Sprintf("%d/%s", kind, codeName(code))
	switch kind {
	case -1:
		return text + " " + codeName(u.i32())
	case 1:
		return text + " " + s.reply("create", u)
	case 15, 19, 21:
		return text + " " + s.reply("create2", u)
	case 5:
		return text + " " + s.reply("set", u)
	case 4:
		return text + " " + s.reply("get", u)
	case 8:
		return text + " " + s.reply("ls", u)
	}
	return text
}

func (s *stage) list(u *unpacker) string {
	var names []string
	for range u.i32() {
		names = append(names, s.local(u.str()))
	}
	return sortedList(names)
}

// stat prints the comparable fields and checks the others.
func (s *stage) stat(u *unpacker) string {
	czxid, mzxid, ctime, mtime := u.i64(), u.i64(), u.i64(), u.i64()
	version, cversion, aversion := u.i32(), u.i32(), u.i32()
	owner, length, children, pzxid := u.i64(), u.i32(), u.i32(), u.i64()
	text := fmt.Sprintf("(c%s m%s p%s v%d cv%d av%d own=%s len=%d n=%d)", zxidMark(czxid), zxidMark(mzxid), zxidMark(pzxid),
		version, cversion, aversion, s.owner(owner), length, children)
	if mtime < ctime || ctime == 0 != (czxid == 0) || mzxid == czxid && version == 0 && mtime != ctime {
		text += fmt.Sprintf(" odd times %d %d", ctime, mtime)
	}
	return text
}

func (s *stage) owner(id int64) string {
	if id == 0 {
		return "-"
	}
	if name, ok := s.owners[id]; ok {
		return "s" + name
	}
	return fmt.Sprintf("%#x", uint64(id))
}

// zxidMark is a placeholder for a zxid until normalise knows its rank.
func zxidMark(zxid int64) string { return fmt.Sprintf("<z%d>", zxid) }

func replaceZxids(line string, with func(zxid int64) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "<z")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		digits, after, _ := strings.Cut(rest, ">")
		b.WriteString(with(number(digits)))
		line = after
	}
}

// normalise replaces zxids by their rank in the transcript, because servers agree only on the
// order.
func (s *stage) normalise() []string {
	var order []int64
	for _, line := range s.out {
		replaceZxids(line, func(zxid int64) string {
			if zxid > 0 {
				order = append(order, zxid)
			}
			return ""
		})
	}
	slices.Sort(order)
	order = slices.Compact(order)
	result := make([]string, len(s.out))
	for i, line := range s.out {
		result[i] = replaceZxids(line, func(zxid int64) string {
			if zxid <= 0 {
				return fmt.Sprintf("z(%d)", zxid)
			}
			rank, _ := slices.BinarySearch(order, zxid)
			return "z" + strconv.Itoa(rank+1)
		})
	}
	return result
}
