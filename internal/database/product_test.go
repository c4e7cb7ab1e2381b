package database

import "testing"

func TestV43VersionsAreRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		dialect, text, product string
		v                      version
		ok                     bool
	}{
		{MySQL, "5.6.51", "MySQL", version{5, 6, 51}, true},
		{MySQL, "8.0.36-0ubuntu0.22.04.1", "MySQL", version{8, 0, 36}, true},
		{MySQL, "10.11.6-MariaDB-0+deb12u1", "MariaDB", version{10, 11, 6}, true},
		{MySQL, "5.5.5-10.5.8-MariaDB", "MariaDB", version{10, 5, 8}, true},
		{MySQL, "8.0.11-TiDB-v7.5.0", "MySQL", version{8, 0, 11}, true},
		{Postgres, "15.6 (Debian 15.6-0+deb12u1)", "PostgreSQL", version{15, 6, 0}, true},
		{Postgres, "9.6.24", "PostgreSQL", version{9, 6, 24}, true},
		{Postgres, "17beta1", "PostgreSQL", version{17, 0, 0}, true},
		{SQLite, "3.45.1", "SQLite", version{3, 45, 1}, true},
		{MySQL, "unknown", "MySQL", version{}, false},
		{MySQL, "", "MySQL", version{}, false},
	} {
		product, v, ok := productOf(tc.dialect, tc.text)
		if product != tc.product || v != tc.v || ok != tc.ok {
			t.Errorf("%s: %s %v %v", tc.text, product, v, ok)
		}
	}
	for v, old := range map[version]bool{{5, 6, 99}: true, {5, 7, 0}: false, {8, 0, 0}: false, {4, 9, 9}: true} {
		if v.before(oldest["MySQL"]) != old {
			t.Errorf("MySQL %s: too old %v", v, !old)
		}
	}
}
