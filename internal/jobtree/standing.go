package jobtree

import (
	"errors"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Standing says whether an instance may be assigned shards and, if not, why.
type Standing int

// The standings. An instance serves if its node says which instance it is, and
// names a server that is registered and enabled.
const (
	Serves       Standing = iota
	Unreadable            // its node does not say which instance it is: leaders skip it
	ServerAbsent          // the server that it names is not registered
	ServerOff             // the server that it names is not enabled
)

// ErrNoDocument says that an instance's node holds nothing that announces one.
var ErrNoDocument = errors.New("it holds no document")

// ServerLookup returns the data of a server's node, and whether there is one.
type ServerLookup = func(ip string) (data []byte, exists bool)

// JudgeInstance says which instance the node of a name announces, and whether it
// may be assigned shards. This is the rule of every leader, Java's included, so
// whoever assigns, predicts or explains asks it here. Agents of 2.1.x put no
// document into their node; the name counts. The error says why a node is
// [Unreadable], and is nil for every other standing. server is asked once at
// most, for the address that counts.
func JudgeInstance(name string, data []byte, g jobconfig.Generation, server ServerLookup) (InstanceInfo, Standing, error) {
	info := InstanceInfo{ID: name, ServerIP: InstanceIP(name)}
	if g != jobconfig.Generation2x {
		var ok bool
		var err error
		if info, ok, err = DecodeInstance(data); err == nil && !ok {
			err = ErrNoDocument
		}
		if err != nil {
			return InstanceInfo{}, Unreadable, err
		}
	}
	return info, info.Standing(g, server), nil
}

// Standing is that of an instance of which it is known what it announces.
func (i InstanceInfo) Standing(g jobconfig.Generation, server ServerLookup) Standing {
	switch data, exists := server(i.ServerIP); {
	case !exists:
		return ServerAbsent
	case !ServerIsEnabled(data, g):
		return ServerOff
	}
	return Serves
}
