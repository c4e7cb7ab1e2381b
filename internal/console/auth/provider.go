package auth

import (
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/openid"
)

// ProviderPrefix begins the names of people from the provider; accounts of
// auth.properties cannot have it.
const ProviderPrefix = "oidc:"

// OIDC is the sign-in by OpenID Connect. People who are in none of the groups are
// refused.
type OIDC struct {
	Provider *openid.Provider
	// RootGroup, OperatorGroup and GuestGroup are the groups whose members become
	// admins, operators and viewers; empty for none. A member of several gets the
	// role that may do most.
	RootGroup, OperatorGroup, GuestGroup string
}

// Role is what the members of groups may do.
func (o *OIDC) Role(groups []string) (Role, bool) {
	for _, g := range []struct {
		group string
		role  Role
	}{{o.RootGroup, RoleRoot}, {o.OperatorGroup, RoleOperator}, {o.GuestGroup, RoleGuest}} {
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
	group := map[Role]string{RoleRoot: o.RootGroup, RoleOperator: o.OperatorGroup, RoleGuest: o.GuestGroup}[role]
	if group == "" {
		return Account{}, false
	}
	return Account{Name: name, Role: role, secret: fmt.Sprintf("%s %q", o.Provider.Fingerprint(), group)}, true
}
