package jobtree

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseJobChildren: every path of a job should lead through a known child.
func TestParseJobChildren(t *testing.T) {
	t.Parallel()
	ns, err := NewNamespace("ns")
	if err != nil {
		t.Fatal(err)
	}
	j := ns.Job("j")
	for _, p := range []string{
		j.Servers(), j.Instances(), j.Leader(), j.Sharding(), j.Triggers(),
		j.Guarantee(), j.NextInstanceIP(), j.Extension(), path.Dir(j.SystemTime()),
	} {
		want := JobChildren{Own: true, Served: p == j.Instances() || p == j.Sharding()}
		if got := ParseJobChildren([]string{j.Below(p)}); !cmp.Equal(want, got) {
			t.Errorf("%s: %+v", p, got)
		}
	}
	for _, test := range []struct {
		names []string
		want  JobChildren
	}{
		{nil, JobChildren{}},
		{[]string{"config"}, JobChildren{Configured: true, Own: true}},
		{[]string{"otherJob", "config", ""}, JobChildren{Configured: true, Own: true, Foreign: []string{"otherJob", ""}}},
		{[]string{"otherJob"}, JobChildren{Foreign: []string{"otherJob"}}},
	} {
		if diff := cmp.Diff(test.want, ParseJobChildren(test.names)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.names, diff)
		}
	}
}

func TestParseItemChildren(t *testing.T) {
	t.Parallel()
	j := Namespace{root: "/ns"}.Job("j")
	for p, want := range map[string]ItemChildren{
		j.ItemInstance(3):    {Instance: true},
		j.ItemRunning(3):     {Running: true},
		j.ItemMisfire(3):     {Misfire: true},
		j.ItemDisabled(3):    {Disabled: true},
		j.ItemFailover(3):    {Failover: true},
		j.ItemFailovering(3): {Failovering: true},
		j.Item(3) + "/other": {},
	} {
		if diff := cmp.Diff(want, ParseItemChildren([]string{path.Base(p)})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
	}
	all := ItemChildren{Instance: true, Running: true, Misfire: true, Disabled: true, Failover: true, Failovering: true}
	if got := ParseItemChildren([]string{"running", "disabled", "failovering", "failover", "misfire", "instance", "x"}); got != all {
		t.Errorf("%+v", got)
	}
}

func TestWherePathsBelong(t *testing.T) {
	t.Parallel()
	ns := Namespace{root: "/team/billing"}
	j := ns.Job("j")
	for p, want := range map[string]string{
		j.ItemRunning(3): "sharding/3/running", j.Root(): "/team/billing/j", "/team/billing/jj/config": "/team/billing/jj/config",
	} {
		if got := j.Below(p); got != want {
			t.Errorf("Below(%s) = %q, want %q", p, got, want)
		}
	}
	for p, want := range map[string]bool{
		j.ItemRunning(0): true, j.ItemRunning(12): true, j.Item(12): false, j.ItemFailover(0): false,
		j.Sharding() + "/x/running": false, ns.Job("k").ItemRunning(0): false, j.ItemRunning(0) + "/x": false,
	} {
		if j.IsItemRunning(p) != want {
			t.Errorf("IsItemRunning(%s) = %t", p, !want)
		}
	}
	for p, want := range map[string]string{j.ItemRunning(3): "j", j.Root(): "j", ns.Root(): "", "/team/billings/j": "", "/": ""} {
		if job, below := ns.JobOf(p); below != (want != "") || below && job != ns.Job(want) {
			t.Errorf("JobOf(%s) = %+v, %t", p, job, below)
		}
	}
}
