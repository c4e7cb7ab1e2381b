package zkfake

// operation is one decoded request, or one step of a multi. Byte slices point
// into the frame it was read from.
type operation struct {
	code    int32
	path    string
	data    []byte
	acl     []ACL
	flags   int32
	version int32
	ttl     int64
	watch   bool
	broken  bool   // a step that a real server fails to read when its turn comes
	scheme  string // of auth
	steps   []operation
	watches watchLists
}

// watchLists is the body of a setWatches request.
type watchLists struct {
	seen               int64
	data, exist, child []string
}

// decode fills op from the body of a request with op.code. What follows the
// known fields is ignored, as the real server ignores it.
func (op *operation) decode(d *decoder) error {
	op.ttl = -1
	switch op.code {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL:
		op.path, op.data, op.acl, op.flags = d.string(), d.bytes(), d.acl(), d.int32()
		if op.code == opCreateTTL {
			op.ttl = d.int64()
		}
	case opDelete, opCheck:
		op.path, op.version = d.string(), d.int32()
	case opSetData:
		op.path, op.data, op.version = d.string(), d.bytes(), d.int32()
	case opExists, opGetData, opGetChildren, opGetChildren2:
		op.path, op.watch = d.string(), d.bool()
	case opGetACL, opSync, opGetEphemerals, opGetAllChildrenNumber:
		op.path = d.string()
	case opSetACL:
		op.path, op.acl, op.version = d.string(), d.acl(), d.int32()
	case opAuth:
		d.int32() // the type, always 0
		op.scheme, op.data = d.string(), d.bytes()
	case opSetWatches:
		op.watches = watchLists{d.int64(), d.strings(), d.strings(), d.strings()}
	case opMulti, opMultiRead:
		return op.decodeSteps(d)
	}
	return d.err
}

func (op *operation) decodeSteps(d *decoder) error {
	for {
		step := operation{code: d.int32()}
		done := d.bool()
		d.int32() // the result code, meaningless in a request
		if d.err != nil {
			return d.err
		}
		if done {
			return nil
		}
		if !stepAllowed(op.code, step.code) {
			return errMalformed
		}
		if err := step.decode(d); err != nil {
			return err
		}
		if op.code == opMulti {
			step.nest()
		}
		op.steps = append(op.steps, step)
	}
}

// nest adapts a step to the ways of a real server, which takes the kind of a
// node created in a multi from the flags alone, whatever the operation is
// called, never gives the longer reply of create2, and stumbles over flags
// that ask for a time to live where there is none.
func (op *operation) nest() {
	switch op.code {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL:
		if createModes[op.flags].ttl {
			op.broken = op.code != opCreateTTL
			return
		}
		op.code, op.ttl = opCreate, -1
		if op.flags == flagContainer {
			op.code = opCreateContainer
		}
	}
}

// resultCode is the operation that the result of a step names.
func (op *operation) resultCode() int32 {
	if op.code == opCreateContainer || op.code == opCreateTTL {
		return opCreate2
	}
	return op.code
}

func stepAllowed(outer, step int32) bool {
	switch step {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL, opDelete, opSetData, opCheck:
		return outer == opMulti
	case opGetData, opGetChildren:
		return outer == opMultiRead
	}
	return false
}

// isWrite tells whether an operation is a transaction: it takes a zxid even
// if it is refused.
func isWrite(op int32) bool {
	switch op {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL, opDelete, opSetData, opSetACL, opCheck, opMulti, opReconfig:
		return true
	}
	return false
}

// handle performs one request of a connection and returns the reply, framed.
// The caller holds the server's lock, so everything here happens at one
// instant; watch events that the request causes are queued on their
// connections before handle returns, hence before the reply.
func (s *Server) handle(c *conn, xid int32, op *operation, malformed bool) []byte {
	s.stats.Ops[opNames[op.code]]++
	switch {
	case op.code == opPing:
		return newReply(0).finish(xidPing, s.zxid, codeOK)
	case op.code == opAuth:
		return newReply(0).finish(xid, 0, s.authenticate(c, op))
	case isWrite(op.code):
		s.stats.Writes++
		return s.write(c, xid, op, malformed)
	case op.code == opClose:
		s.closeSession(c.session)
		return newReply(0).finish(xid, s.zxid, codeOK)
	}
	if op.code != opSync && op.code != opSetWatches {
		s.stats.Reads++
	}
	e := newReply(128)
	err := codeMarshallingError
	if !malformed {
		err = s.read(c, op, e)
	}
	if err != codeOK {
		e.buf = e.buf[:frameHeader] // a refused request has no body
	}
	return e.finish(xid, s.zxid, err)
}

// authenticate adds an identity to the connection.
func (s *Server) authenticate(c *conn, op *operation) code {
	switch op.scheme {
	case "digest":
		c.addIdentity(digestIdentity(string(op.data)))
	case "ip":
		c.addIdentity(c.auth[0])
	default:
		return codeAuthFailed
	}
	return codeOK
}

// begin opens the next transaction.
func (s *Server) begin(session int64, auth []identity) stamp {
	s.zxid++
	s.tree.changes = s.tree.changes[:0]
	s.author = session
	return stamp{zxid: s.zxid, now: nowMillis(), session: session, auth: auth}
}

// write performs one transaction.
func (s *Server) write(c *conn, xid int32, op *operation, malformed bool) []byte {
	tx := s.begin(c.session.id, c.auth)
	e := newReply(96)
	err := codeMarshallingError
	if !malformed {
		if op.code == opMulti {
			err = s.multi(tx, op, e)
		} else {
			err = s.step(tx, op, e)
		}
	}
	if err != codeOK {
		e.buf = e.buf[:frameHeader]
	}
	s.fireChanges()
	return e.finish(xid, tx.zxid, err)
}

// step performs a write that is not a multi, or one step of a multi, and
// appends its result.
func (s *Server) step(tx stamp, op *operation, e *encoder) code {
	switch op.code {
	case opCreate, opCreate2, opCreateContainer, opCreateTTL:
		path, err := s.tree.create(tx, op)
		if err != codeOK {
			return err
		}
		e.string(path)
		if op.code != opCreate {
			e.stat(s.tree.nodes[path].stat())
		}
		if op.code == opCreateContainer || op.code == opCreateTTL {
			s.planReap()
		}
		return codeOK
	case opDelete:
		return s.tree.delete(tx, op.path, op.version)
	case opSetData:
		stat, err := s.tree.setData(tx, op.path, op.data, op.version)
		e.stat(stat)
		return err
	case opSetACL:
		stat, err := s.tree.setACL(tx, op.path, op.acl, op.version)
		e.stat(stat)
		return err
	case opCheck:
		return s.tree.check(tx, op.path, op.version)
	case opReconfig:
		return codeReconfigDisabled
	}
	return codeUnimplemented
}

// multi performs all steps or none. If one is refused, the steps before it
// report "ok" as errors and those after it report that they were not tried;
// the reply as a whole is a success, whose body carries the errors.
func (s *Server) multi(tx stamp, op *operation, e *encoder) code {
	s.tree.undoing, s.tree.undo = true, s.tree.undo[:0]
	defer func() {
		clear(s.tree.undo)
		s.tree.undoing = false
	}()
	for i := range op.steps {
		step := &op.steps[i]
		if step.broken {
			s.tree.rollback()
			return codeMarshallingError
		}
		e.multiHeader(step.resultCode(), false, codeOK)
		err := s.step(tx, step, e)
		if err == codeOK {
			continue
		}
		s.tree.rollback()
		e.buf = e.buf[:frameHeader]
		for j := range op.steps {
			result := codeOK
			switch {
			case j == i:
				result = err
			case j > i:
				result = codeRuntimeInconsistency
			}
			e.multiHeader(opError, false, result)
			e.int32(int32(result))
		}
		break
	}
	e.multiHeader(-1, true, -1)
	return codeOK
}

// read performs a request that changes nothing and appends its result.
func (s *Server) read(c *conn, op *operation, e *encoder) code {
	switch op.code {
	case opExists:
		return s.exists(c, op, e)
	case opGetData:
		return s.getData(c, op, e)
	case opGetChildren, opGetChildren2:
		return s.getChildren(c, op, e)
	case opGetACL:
		return s.getACL(c, op, e)
	case opSync:
		e.string(op.path)
	case opSetWatches:
		s.setWatches(c, op.watches)
	case opGetEphemerals:
		s.getEphemerals(c, op.path, e)
	case opGetAllChildrenNumber:
		return s.getAllChildrenNumber(c, op.path, e)
	case opMultiRead:
		s.multiRead(c, op, e)
	}
	return codeOK
}

func (s *Server) exists(c *conn, op *operation, e *encoder) code {
	for i := range len(op.path) {
		if op.path[i] == 0 {
			return codeBadArguments
		}
	}
	if op.watch {
		s.watch(c, op.path, dataWatch)
	}
	n := s.tree.get(op.path)
	if n == nil {
		return codeNoNode
	}
	e.stat(n.stat())
	return codeOK
}

func (s *Server) getData(c *conn, op *operation, e *encoder) code {
	n, err := s.readable(c, op.path)
	if err != codeOK {
		return err
	}
	if op.watch {
		s.watch(c, op.path, dataWatch)
	}
	e.bytes(n.data)
	e.stat(n.stat())
	return codeOK
}

func (s *Server) getChildren(c *conn, op *operation, e *encoder) code {
	n, err := s.readable(c, op.path)
	if err != codeOK {
		return err
	}
	if op.watch {
		s.watch(c, op.path, childWatch)
	}
	e.int32(int32(len(n.children)))
	for name := range n.children {
		e.string(name)
	}
	if op.code == opGetChildren2 {
		e.stat(n.stat())
	}
	return codeOK
}

func (s *Server) readable(c *conn, path string) (*node, code) {
	n := s.tree.get(path)
	if n == nil {
		return nil, codeNoNode
	}
	return n, checkACL(n.acl, permRead, c.auth)
}

func (s *Server) getACL(c *conn, op *operation, e *encoder) code {
	n := s.tree.get(op.path)
	if n == nil {
		return codeNoNode
	}
	if err := checkACL(n.acl, permRead|permAdmin, c.auth); err != codeOK {
		return err
	}
	list := n.acl
	if checkACL(n.acl, permAdmin, c.auth) != codeOK {
		list = maskACL(list)
	}
	e.acl(list)
	e.stat(n.stat())
	return codeOK
}

func (s *Server) getEphemerals(c *conn, prefix string, e *encoder) {
	var paths []string
	for path := range s.tree.ephemerals[c.session.id] {
		if prefix == "" || prefix == "/" || len(path) >= len(prefix) && path[:len(prefix)] == prefix {
			paths = append(paths, path)
		}
	}
	e.int32(int32(len(paths)))
	for _, path := range paths {
		e.string(path)
	}
}

func (s *Server) getAllChildrenNumber(c *conn, path string, e *encoder) code {
	if _, err := s.readable(c, path); err != codeOK {
		return err
	}
	total := int32(0)
	var walk func(path string)
	walk = func(path string) {
		for name := range s.tree.get(path).children {
			total++
			walk(join(path, name))
		}
	}
	walk(path)
	e.int32(total)
	return codeOK
}

// multiRead performs every step whatever becomes of the others.
func (s *Server) multiRead(c *conn, op *operation, e *encoder) {
	for i := range op.steps {
		step := &op.steps[i]
		start := len(e.buf)
		e.multiHeader(step.code, false, codeOK)
		if err := s.read(c, step, e); err != codeOK {
			e.buf = e.buf[:start]
			e.multiHeader(opError, false, err)
			e.int32(int32(err))
		}
	}
	e.multiHeader(-1, true, -1)
}
