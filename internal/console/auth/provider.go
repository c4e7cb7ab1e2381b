package auth

import (
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/openid"
)

// ProviderPrefix begins the names of people from the provider; accounts of
// auth.properties cannot have it.
const ProviderPrefix = "oidc:"

// OIDC is the sign-in by OpenID Connect. Whoever is in neither group is
// refused.
type OIDC struct {
	Provider *openid.Provider
	// RootGroup and GuestGroup are the groups whose members become root and
	// guest; empty for none. Who is in both is root.
	RootGroup, GuestGroup string
}

// Role is what the members of groups may do.
func (o *OIDC) Role(groups []string) (Role, bool) {
	for _, g := range []struct {
		group string
		role  Role
	}{{o.RootGroup, RoleRoot}, {o.GuestGroup, RoleGuest}} {
		if g.group != "" && slices.Contains(groups, g.group) {
			return g.role, true
		}
	}
	return "", false
}

// Account is the account of somebody whom the provider vouched for. Its mark
// is made of the configuration: with another provider, or other groups, the
// sessions that the old one made are over.
func (o *OIDC) Account(name string, role Role) (Account, bool) {
	group := map[Role]string{RoleRoot: o.RootGroup, RoleGuest: o.GuestGroup}[role]
	if group == "" {
		return Account{}, false
	}
	return Account{Name: name, Role: role, secret: fmt.Sprintf("%s %q", o.Provider.Fingerprint(), group)}, true
}
