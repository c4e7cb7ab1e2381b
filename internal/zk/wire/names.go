package wire

import "fmt"

// Op is the code of an operation.
type Op int32

// The operations of [Request] and [Result].
const (
	OpCreate               Op = 1
	OpDelete               Op = 2
	OpExists               Op = 3
	OpGetData              Op = 4
	OpSetData              Op = 5
	OpGetACL               Op = 6
	OpSetACL               Op = 7
	OpGetChildren          Op = 8
	OpSync                 Op = 9
	OpPing                 Op = 11
	OpGetChildren2         Op = 12
	OpCheck                Op = 13
	OpMulti                Op = 14
	OpCreate2              Op = 15
	OpReconfig             Op = 16
	OpCreateContainer      Op = 19
	OpCreateTTL            Op = 21
	OpMultiRead            Op = 22
	OpAuth                 Op = 100
	OpSetWatches           Op = 101
	OpGetEphemerals        Op = 103
	OpGetAllChildrenNumber Op = 104
	OpClose                Op = -11

	// OpError marks the result of a refused step.
	OpError Op = -1
)

var opNames = map[Op]string{
	OpCreate: "create", OpDelete: "delete", OpExists: "exists", OpGetData: "getData", OpSetData: "setData",
	OpGetACL: "getACL", OpSetACL: "setACL", OpGetChildren: "getChildren", OpSync: "sync", OpPing: "ping",
	OpGetChildren2: "getChildren2", OpCheck: "check", OpMulti: "multi", OpCreate2: "create2",
	OpReconfig: "reconfig", OpCreateContainer: "createContainer", OpCreateTTL: "createTTL",
	OpMultiRead: "multiRead", OpAuth: "auth", OpSetWatches: "setWatches", OpGetEphemerals: "getEphemerals",
	OpGetAllChildrenNumber: "getAllChildrenNumber", OpClose: "close",
}

// String returns the operation's name, empty if unknown.
func (o Op) String() string { return opNames[o] }

// holds reports whether step may be a step of o.
func (o Op) holds(step Op) bool {
	switch step {
	case OpCreate, OpCreate2, OpCreateContainer, OpCreateTTL, OpDelete, OpSetData, OpCheck:
		return o == OpMulti
	case OpGetData, OpGetChildren:
		return o == OpMultiRead
	}
	return false
}

// Reserved xids.
const (
	XidEvent = -1
	XidPing  = -2
)

// Code is the result code of a reply or step.
type Code int32

// The result codes.
const (
	CodeOK                   Code = 0
	CodeRuntimeInconsistency Code = -2
	CodeMarshallingError     Code = -5
	CodeUnimplemented        Code = -6
	CodeBadArguments         Code = -8
	CodeNoNode               Code = -101
	CodeNoAuth               Code = -102
	CodeBadVersion           Code = -103
	CodeNoChildrenForEph     Code = -108
	CodeNodeExists           Code = -110
	CodeNotEmpty             Code = -111
	CodeSessionExpired       Code = -112
	CodeInvalidACL           Code = -114
	CodeAuthFailed           Code = -115
	CodeSessionMoved         Code = -118
	CodeReconfigDisabled     Code = -123
)

// EventType is the kind of a watch event.
type EventType int32

// The kinds of watch events.
const (
	NodeCreated         EventType = 1
	NodeDeleted         EventType = 2
	NodeDataChanged     EventType = 3
	NodeChildrenChanged EventType = 4
)

func (t EventType) String() string {
	switch t {
	case NodeCreated:
		return "created"
	case NodeDeleted:
		return "deleted"
	case NodeDataChanged:
		return "dataChanged"
	case NodeChildrenChanged:
		return "childrenChanged"
	}
	return fmt.Sprintf("EventType(%d)", int32(t))
}

// WatchKind is one of the three lists of a setWatches request.
type WatchKind uint8

// The kinds of watches, in the order of their lists.
const (
	WatchData  WatchKind = iota // on an existing node: changed, deleted
	WatchExist                  // on an absent node: created
	WatchChild                  // children created or deleted, or the node deleted
	WatchKinds
)
