package zkfake

import (
	"maps"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// nested returns a step of a multi as a real server interprets it. The flags alone decide the kind
// of a new node, independent of the operation, and the reply is never create2's longer reply. broken is a
// step that fails in the server, because its flags ask for a time to live that it doesn't have.
func nested(op wire.Request) (step wire.Request, broken bool) {
	switch op.Op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		if createModes[op.Flags].ttl {
			return op, op.Op != wire.OpCreateTTL
		}
		op.Op = wire.OpCreate
		if op.Flags == flagContainer {
			op.Op = wire.OpCreateContainer
		}
	}
	return op, false
}

// resultOp returns the operation named in a step's result.
func resultOp(step wire.Op) wire.Op {
	if step == wire.OpCreateContainer || step == wire.OpCreateTTL {
		return wire.OpCreate2
	}
	return step
}

// isWrite reports whether an operation is a transaction, which takes a zxid even if it's refused.
func isWrite(op wire.Op) bool {
	switch op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL, wire.OpDelete, wire.OpSetData, wire.OpSetACL, wire.OpCheck, wire.OpMulti, wire.OpReconfig:
		return true
	}
	return false
}

// handle performs one request of a connection and fills in the reply. The caller holds the server's
// lock, so it's atomic. handle queues the request's watch events before it returns, and so before
// the reply.
func (s *Server) handle(c *conn, op *wire.Request, result *wire.Result, malformed bool) wire.ReplyHeader {
	s.stats.Ops[op.Op.String()]++
	reply := wire.ReplyHeader{Xid: op.Xid}
	result.Op = op.Op
	switch {
	case op.Op == wire.OpAuth:
		reply.Code = s.authenticate(c, op)
		return reply
	case op.Op == wire.OpPing:
		reply.Xid = wire.XidPing
	case op.Op == wire.OpClose:
		s.closeSession(c.session)
	case isWrite(op.Op):
		s.stats.Writes++
		reply.Code = s.write(c, op, result, malformed)
	default:
		if op.Op != wire.OpSync && op.Op != wire.OpSetWatches {
			s.stats.Reads++
		}
		if reply.Code = wire.CodeMarshallingError; !malformed {
			reply.Code = s.read(c, op, result)
		}
	}
	reply.Zxid = s.zxid
	return reply
}

func (s *Server) authenticate(c *conn, op *wire.Request) wire.Code {
	switch op.Scheme {
	case "digest":
		c.addIdentity(digestIdentity(string(op.Data)))
	case "ip":
		c.addIdentity(c.auth[0])
	default:
		return wire.CodeAuthFailed
	}
	return wire.CodeOK
}

func (s *Server) begin(session int64, auth []identity) stamp {
	s.zxid++
	s.tree.changes = s.tree.changes[:0]
	s.author = session
	return stamp{zxid: s.zxid, now: nowMillis(), session: session, auth: auth}
}

func (s *Server) write(c *conn, op *wire.Request, r *wire.Result, malformed bool) (err wire.Code) {
	tx := s.begin(c.session.id, c.auth)
	switch {
	case malformed:
		err = wire.CodeMarshallingError
	case op.Op == wire.OpMulti:
		err = s.multi(tx, op, r)
	default:
		err = s.step(tx, op, r)
	}
	s.fireChanges()
	return err
}

// step performs a single write, or one step of a multi.
func (s *Server) step(tx stamp, op *wire.Request, r *wire.Result) (err wire.Code) {
	switch op.Op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		if r.Path, err = s.tree.create(tx, op); err != wire.CodeOK {
			return err
		}
		r.Stat = s.tree.nodes[r.Path].stat()
		if op.Op == wire.OpCreateContainer || op.Op == wire.OpCreateTTL {
			s.planReap()
		}
	case wire.OpDelete:
		return s.tree.delete(tx, op.Path, op.Version)
	case wire.OpSetData:
		r.Stat, err = s.tree.setData(tx, op.Path, op.Data, op.Version)
	case wire.OpSetACL:
		r.Stat, err = s.tree.setACL(tx, op.Path, op.ACL, op.Version)
	case wire.OpCheck:
		return s.tree.check(tx, op.Path, op.Version)
	case wire.OpReconfig:
		return wire.CodeReconfigDisabled
	default:
		return wire.CodeUnimplemented
	}
	return err
}

// multi performs all steps or none. If one is refused, earlier steps report "ok" as errors and
// later steps that they weren't tried. The reply itself is a success with the errors in its body.
func (s *Server) multi(tx stamp, op *wire.Request, r *wire.Result) wire.Code {
	s.tree.undoing, s.tree.undo = true, s.tree.undo[:0]
	defer func() {
		clear(s.tree.undo)
		s.tree.undoing = false
	}()
	r.Results = make([]wire.Result, len(op.Steps))
	for i, step := range op.Steps {
		step, broken := nested(step)
		if broken {
			s.tree.rollback()
			return wire.CodeMarshallingError
		}
		r.Results[i].Op = resultOp(step.Op)
		err := s.step(tx, &step, &r.Results[i])
		if err == wire.CodeOK {
			continue
		}
		s.tree.rollback()
		for j := range r.Results {
			result := wire.CodeOK
			switch {
			case j == i:
				result = err
			case j > i:
				result = wire.CodeRuntimeInconsistency
			}
			r.Results[j] = wire.Result{Op: wire.OpError, Code: result}
		}
		break
	}
	return wire.CodeOK
}

func (s *Server) read(c *conn, op *wire.Request, r *wire.Result) wire.Code {
	switch op.Op {
	case wire.OpExists:
		return s.exists(c, op, r)
	case wire.OpGetData, wire.OpGetChildren, wire.OpGetChildren2:
		return s.getNode(c, op, r)
	case wire.OpGetACL:
		return s.getACL(c, op, r)
	case wire.OpSync:
		r.Path = op.Path
	case wire.OpSetWatches:
		s.setWatches(c, op)
	case wire.OpGetEphemerals:
		for path := range s.tree.ephemerals[c.session.id] {
			if op.Path == "/" || strings.HasPrefix(path, op.Path) {
				r.Children = append(r.Children, path)
			}
		}
	case wire.OpGetAllChildrenNumber:
		return s.getAllChildrenNumber(c, op.Path, r)
	case wire.OpMultiRead:
		s.multiRead(c, op, r)
	}
	return wire.CodeOK
}

func (s *Server) exists(c *conn, op *wire.Request, r *wire.Result) wire.Code {
	if strings.IndexByte(op.Path, 0) >= 0 {
		return wire.CodeBadArguments
	}
	if op.Watch {
		s.watch(c, op.Path, wire.WatchData)
	}
	n := s.tree.get(op.Path)
	if n == nil {
		return wire.CodeNoNode
	}
	r.Stat = n.stat()
	return wire.CodeOK
}

func (s *Server) getNode(c *conn, op *wire.Request, r *wire.Result) wire.Code {
	n, err := s.readable(c, op.Path)
	if err != wire.CodeOK {
		return err
	}
	kind := wire.WatchData
	if r.Stat = n.stat(); op.Op == wire.OpGetData {
		r.Data = n.data
	} else {
		kind = wire.WatchChild
		r.Children = slices.AppendSeq(make([]string, 0, len(n.children)), maps.Keys(n.children))
	}
	if op.Watch {
		s.watch(c, op.Path, kind)
	}
	return wire.CodeOK
}

func (s *Server) readable(c *conn, path string) (*node, wire.Code) {
	n := s.tree.get(path)
	if n == nil {
		return nil, wire.CodeNoNode
	}
	return n, checkACL(n.acl, permRead, c.auth)
}

func (s *Server) getACL(c *conn, op *wire.Request, r *wire.Result) wire.Code {
	n := s.tree.get(op.Path)
	if n == nil {
		return wire.CodeNoNode
	}
	if err := checkACL(n.acl, permRead|permAdmin, c.auth); err != wire.CodeOK {
		return err
	}
	r.ACL, r.Stat = n.acl, n.stat()
	if checkACL(n.acl, permAdmin, c.auth) != wire.CodeOK {
		r.ACL = maskACL(n.acl)
	}
	return wire.CodeOK
}

func (s *Server) getAllChildrenNumber(c *conn, path string, r *wire.Result) wire.Code {
	if _, err := s.readable(c, path); err != wire.CodeOK {
		return err
	}
	var walk func(path string)
	walk = func(path string) {
		for name := range s.tree.get(path).children {
			r.Count++
			walk(join(path, name))
		}
	}
	walk(path)
	return wire.CodeOK
}

// multiRead performs every step, even after failures.
func (s *Server) multiRead(c *conn, op *wire.Request, r *wire.Result) {
	r.Results = make([]wire.Result, len(op.Steps))
	for i := range op.Steps {
		step, result := &op.Steps[i], &r.Results[i]
		result.Op = step.Op
		if err := s.read(c, step, result); err != wire.CodeOK {
			*result = wire.Result{Op: wire.OpError, Code: err}
		}
	}
}
