package jobtree

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// InstanceInfo is the content of an instance node.
type InstanceInfo struct {
	// ID is the instance id, IP@-@SUFFIX.
	ID string
	// ServerIP is the address of the instance's server node.
	ServerIP string
	// Labels is a comma-separated list, and usually empty.
	Labels string
}

// EncodeInstance returns the document that ElasticJob writes for an instance: keys in alphabetical
// order, labels only if there are any. Never add a key: one unknown key in any instance node fails
// every trigger of every Java agent of the job.
func EncodeInstance(info InstanceInfo) []byte {
	var w javayaml.Writer
	w.Entry("jobInstanceId", info.ID)
	if info.Labels != "" {
		w.Entry("labels", info.Labels)
	}
	w.Entry("serverIp", info.ServerIP)
	return w.Bytes()
}

// DecodeInstance reads an instance node. It returns false without an error for content to skip:
// empty data (ElasticJob 2.1.x), or a bare scalar such as TRIGGER, which ElasticJob 3.0.0 wrote
// over the document by mistake. A missing serverIp is taken from the id. Broken YAML, and a mapping
// without a valid id or address, are an error that wraps ErrMalformed.
func DecodeInstance(data []byte) (InstanceInfo, bool, error) {
	if info, plain := plainInstance(string(data)); plain {
		return info, true, nil
	}
	root, err := javayaml.Parse(data)
	if err != nil {
		return InstanceInfo{}, false, fmt.Errorf("decode instance: %w", err)
	}
	if root == nil || root.Kind != yaml.MappingNode {
		return InstanceInfo{}, false, nil
	}
	var info InstanceInfo
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return InstanceInfo{}, false, fmt.Errorf("decode instance: %w", err)
	}
	for _, e := range entries {
		var dst *string
		switch e.Key {
		case "jobInstanceId":
			dst = &info.ID
		case "serverIp":
			dst = &info.ServerIP
		case "labels":
			dst = &info.Labels
		default:
			continue
		}
		if *dst, _, err = javayaml.Text(e.Key, e.Value); err != nil {
			return InstanceInfo{}, false, fmt.Errorf("decode instance: %w", err)
		}
	}
	if info.ID == "" {
		return InstanceInfo{}, false, fmt.Errorf("decode instance: %w",
			&javayaml.SyntaxError{Field: "jobInstanceId", Reason: "is missing or empty"})
	}
	if info.ServerIP == "" {
		info.ServerIP = InstanceIP(info.ID)
	}
	for _, part := range []struct {
		field string
		err   error
	}{{"jobInstanceId", ValidateInstanceID(info.ID)}, {"serverIp", ValidateServer(info.ServerIP)}} {
		if part.err != nil {
			return InstanceInfo{}, false, fmt.Errorf("decode instance: %w", &javayaml.SyntaxError{Field: part.field, Reason: "is unusable: " + part.err.Error()})
		}
	}
	return info, true, nil
}

// plainInstance reads the document of most agents without a YAML parser, because the console reads
// tens of thousands of them. It only accepts an IPv4 address and an id that no parser would read
// differently.
func plainInstance(data string) (info InstanceInfo, plain bool) {
	first, rest, _ := strings.Cut(data, "\n")
	second, rest, _ := strings.Cut(rest, "\n")
	id, hasID := strings.CutPrefix(first, "jobInstanceId: ")
	ip, hasIP := strings.CutPrefix(second, "serverIp: ")
	suffix, own := strings.CutPrefix(id, ip+idSeparator)
	address, err := netip.ParseAddr(ip)
	if !hasID || !hasIP || !own || rest != "" || err != nil || !address.Is4() || strings.Trim(suffix, "-0123456789abcdef") != "" {
		return info, false
	}
	return InstanceInfo{ID: id, ServerIP: ip}, ValidateInstanceID(id) == nil
}

// InstanceIP returns the address in an instance id: the text before "@-@", or the whole id without
// a separator. Compare addresses only with ==, because 10.0.0.1 is a prefix of 10.0.0.10.
func InstanceIP(id string) string {
	ip, _, _ := strings.Cut(id, idSeparator)
	return ip
}

// NewInstanceID joins an address and a suffix. Check foreign input with ValidateInstanceID.
func NewInstanceID(ip, suffix string) string { return ip + idSeparator + suffix }

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

func (i InstanceInfo) Standing(g jobconfig.Generation, server ServerLookup) Standing {
	switch data, exists := server(i.ServerIP); {
	case !exists:
		return ServerAbsent
	case !ServerIsEnabled(data, g):
		return ServerOff
	}
	return Serves
}

// ServerIsEnabled reports whether agents treat the server with this data as enabled. Since
// ElasticJob 3.0.2 that needs the exact text ENABLED; agents of 2.1.x accept anything but DISABLED.
func ServerIsEnabled(data []byte, g jobconfig.Generation) bool {
	if g == jobconfig.Generation2x {
		return string(data) != ServerDisabled
	}
	return string(data) == ServerEnabled
}

// ServerValue is the data that enables or disables a server. It differs between generations: an
// agent of 3.x accepts the empty text of 2.1.x for neither state, and waits a second at every
// check.
func ServerValue(enabled bool, g jobconfig.Generation) []byte {
	switch {
	case !enabled:
		return []byte(ServerDisabled)
	case g == jobconfig.Generation2x:
		return []byte{}
	default:
		return []byte(ServerEnabled)
	}
}
