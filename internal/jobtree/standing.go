package jobtree

import (
	"errors"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Standing is whether an instance may be assigned shards, or why it may not.
type Standing int

// An instance serves if its node identifies it and names a registered, enabled server.
const (
	Serves       Standing = iota
	Unreadable            // its node doesn't identify it: leaders skip it
	ServerAbsent          // its server isn't registered
	ServerOff             // its server isn't enabled
)

// ErrNoDocument means that an instance's node doesn't describe an instance.
var ErrNoDocument = errors.New("the node has no document")

// ServerLookup returns the data of a server's node, and whether it exists.
type ServerLookup = func(ip string) (data []byte, exists bool)

// JudgeInstance returns the instance that a node announces, and whether it may be assigned shards.
// All leaders use this rule, Java's included, so call it to assign, predict or explain an
// assignment. Agents of 2.1.x don't write a document, so the node's name counts. The error is the
// reason for [Unreadable], and nil otherwise. server is called at most once.
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

// Standing returns the standing of a decoded instance.
func (i InstanceInfo) Standing(g jobconfig.Generation, server ServerLookup) Standing {
	switch data, exists := server(i.ServerIP); {
	case !exists:
		return ServerAbsent
	case !ServerIsEnabled(data, g):
		return ServerOff
	}
	return Serves
}
