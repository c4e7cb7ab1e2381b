package zkfake

import (
	"crypto/sha1"
	"encoding/base64"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

const (
	permRead   = 1
	permWrite  = 2
	permCreate = 4
	permDelete = 8
	permAdmin  = 16
	permAll    = 31
)

var (
	openACL     = []wire.ACL{{Perms: permAll, Scheme: "world", ID: "anyone"}}
	readOnlyACL = []wire.ACL{{Perms: permRead, Scheme: "world", ID: "anyone"}}
)

// identity is a connection's proven identity under one scheme.
type identity struct {
	scheme, id string
}

// digestIdentity returns the identity of the credentials "user:password".
func digestIdentity(credentials string) identity {
	user, _, _ := strings.Cut(credentials, ":")
	sum := sha1.Sum([]byte(credentials))
	return identity{"digest", user + ":" + base64.StdEncoding.EncodeToString(sum[:])}
}

// fixACL checks a list sent by a client and replaces entries of the scheme "auth" by the identities
// of the connection.
func fixACL(list []wire.ACL, auth []identity) ([]wire.ACL, wire.Code) {
	if len(list) == 1 && list[0] == openACL[0] {
		return openACL, wire.CodeOK // nearly every node, so share one list
	}
	var unique []wire.ACL
	for _, a := range list {
		if !slices.Contains(unique, a) {
			unique = append(unique, a)
		}
	}
	if len(unique) == 0 {
		return nil, wire.CodeInvalidACL
	}
	var fixed []wire.ACL
	for _, a := range unique {
		switch a.Scheme {
		case "world":
			if a.ID != "anyone" {
				return nil, wire.CodeInvalidACL
			}
			fixed = append(fixed, a)
		case "auth":
			valid := false
			for _, who := range auth {
				if who.scheme == "digest" {
					valid = true
					fixed = append(fixed, wire.ACL{Perms: a.Perms, Scheme: who.scheme, ID: who.id})
				}
			}
			if !valid {
				return nil, wire.CodeInvalidACL
			}
		case "digest":
			// Exactly one colon, and something after it.
			_, hash, ok := strings.Cut(strings.TrimRight(a.ID, ":"), ":")
			if !ok || strings.Contains(hash, ":") {
				return nil, wire.CodeInvalidACL
			}
			fixed = append(fixed, a)
		case "ip":
			if _, ok := parseIPRange(a.ID); !ok {
				return nil, wire.CodeInvalidACL
			}
			fixed = append(fixed, a)
		default:
			return nil, wire.CodeInvalidACL
		}
	}
	return fixed, wire.CodeOK
}

// checkACL checks whether one of the identities has one of the permissions.
func checkACL(list []wire.ACL, perm int32, auth []identity) wire.Code {
	for _, a := range list {
		if a.Perms&perm == 0 {
			continue
		}
		if a.Scheme == "world" {
			return wire.CodeOK
		}
		for _, who := range auth {
			if who.scheme != a.Scheme {
				continue
			}
			if a.Scheme == "ip" {
				within, ok := parseIPRange(a.ID)
				addr, err := netip.ParseAddr(who.id)
				if ok && err == nil && within.Contains(addr.Unmap()) {
					return wire.CodeOK
				}
			} else if who.id == a.ID {
				return wire.CodeOK
			}
		}
	}
	return wire.CodeNoAuth
}

// maskACL hides password hashes from readers without the admin right.
func maskACL(list []wire.ACL) []wire.ACL {
	masked := slices.Clone(list)
	for i, a := range masked {
		if user, _, ok := strings.Cut(a.ID, ":"); ok && a.Scheme == "digest" {
			masked[i].ID = user + ":x"
		}
	}
	return masked
}

func parseIPRange(s string) (netip.Prefix, bool) {
	host, bits, ranged := strings.Cut(s, "/")
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}, false
	}
	size := addr.BitLen()
	if ranged {
		if size, err = strconv.Atoi(bits); err != nil || size < 0 || size > addr.BitLen() {
			return netip.Prefix{}, false
		}
	}
	return netip.PrefixFrom(addr, size), true
}
