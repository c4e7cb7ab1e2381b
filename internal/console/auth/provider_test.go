package auth

import (
	"testing"
)

// TestA41RolesOfGroups: a group that is not configured is nobody's, also not
// that of somebody whose provider lists an empty one.
func TestA41RolesOfGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		root, guest string
		groups      []string
		want        Role
	}{
		{"ops", "staff", []string{"staff", "ops"}, RoleRoot}, {"ops", "staff", []string{"staff"}, RoleGuest}, {"ops", "staff", []string{"Ops", "/ops", "ops "}, ""},
		{"", "staff", []string{"", "staff"}, RoleGuest}, {"ops", "", []string{""}, ""}, {"ops", "staff", nil, ""},
	} {
		role, ok := (&OIDC{RootGroup: c.root, GuestGroup: c.guest}).Role(c.groups)
		if role != c.want || ok != (c.want != "") {
			t.Errorf("%q of %q and %q: %q, %t", c.groups, c.root, c.guest, role, ok)
		}
	}
}
