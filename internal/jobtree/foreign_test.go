package jobtree

import (
	"slices"
	"strings"
	"testing"
)

// TestV18OwnChildren: each list should keep only the possible names.
func TestV18OwnChildren(t *testing.T) {
	t.Parallel()
	ns, err := NewNamespace("team/billing")
	if err != nil {
		t.Fatal(err)
	}
	job := ns.Job("job")
	all := []string{"10.0.0.1@-@7", "@-@", "a@-@", "fe80::1%eth0", "10.0.0.1", "host-1.example", "..x y", "0", "7", "07", "99999", "100000", "-1", strings.Repeat("a", 254)}
	for parent, want := range map[string][]string{
		job.Instances():              {"10.0.0.1@-@7"},
		job.Triggers():               {"10.0.0.1@-@7"},
		job.Agents():                 {"10.0.0.1@-@7"},
		job.AllLeft():                {"10.0.0.1@-@7"},
		job.Servers():                {"fe80::1%eth0", "10.0.0.1", "host-1.example", "0", "7", "07", "99999", "100000", "-1"},
		job.Sharding():               {"0", "7", "99999"},
		job.FailoverItems():          {"0", "7", "99999"},
		job.GuaranteeStarted():       {"0", "7", "99999"},
		job.GuaranteeCompleted():     {"0", "7", "99999"},
		job.FireRecords():            {"0", "7", "99999"},
		job.Item(0):                  all,
		job.Leader():                 all,
		ns.Root():                    all,
		ns.Job("job2").Root() + "/x": all,
	} {
		own, foreign := ns.OwnChildren(parent, slices.Clone(all))
		if !slices.Equal(own, want) || len(own)+len(foreign) != len(all) {
			t.Errorf("%s: own %q, foreign %q", parent, own, foreign)
		}
	}
	for data, ok := range map[string]bool{
		"jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1": true, "jobInstanceId: 10.0.0.1@-@7": true,
		"jobInstanceId: '@-@'": false, "jobInstanceId: a/b@-@7": false, "jobInstanceId: 10.0.0.1@-@7\nserverIp: ../x": false,
	} {
		if _, got, err := DecodeInstance([]byte(data)); got != ok || (err == nil) != ok {
			t.Errorf("%q: %v, %v, want %v", data, got, err, ok)
		}
	}
}
