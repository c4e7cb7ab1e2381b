package jobtree

import (
	"errors"
	"testing"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestJudgeInstance pins the rule that the engine, statistics and lifecycle share.
func TestJudgeInstance(t *testing.T) {
	t.Parallel()
	servers := map[string]string{"10.0.0.1": ServerEnabled, "10.0.0.2": ServerDisabled, "10.0.0.3": ""}
	document := func(id, ip string) string { return string(EncodeInstance(InstanceInfo{ID: id, ServerIP: ip})) }
	const on, off, blank, absent = "10.0.0.1@-@7", "10.0.0.2@-@7", "10.0.0.3@-@7", "10.0.0.4@-@7"
	for name, test := range map[string]struct {
		node, data string
		generation jobconfig.Generation
		want       InstanceInfo
		standing   Standing
		err        error
	}{
		"serves":                            {on, document(on, "10.0.0.1"), jobconfig.Generation3x, InstanceInfo{ID: on, ServerIP: "10.0.0.1"}, Serves, nil},
		"on a disabled server":              {off, document(off, "10.0.0.2"), jobconfig.Generation3x, InstanceInfo{ID: off, ServerIP: "10.0.0.2"}, ServerOff, nil},
		"on a server with nothing":          {blank, document(blank, "10.0.0.3"), jobconfig.Generation3x, InstanceInfo{ID: blank, ServerIP: "10.0.0.3"}, ServerOff, nil},
		"on no server":                      {absent, document(absent, "10.0.0.4"), jobconfig.Generation3x, InstanceInfo{ID: absent, ServerIP: "10.0.0.4"}, ServerAbsent, nil},
		"the document counts, not the name": {off, document(on, "10.0.0.1"), jobconfig.Generation3x, InstanceInfo{ID: on, ServerIP: "10.0.0.1"}, Serves, nil},
		"another server than in the id":     {on, document(on, "10.0.0.2"), jobconfig.Generation3x, InstanceInfo{ID: on, ServerIP: "10.0.0.2"}, ServerOff, nil},
		"empty":                             {on, "", jobconfig.Generation3x, InstanceInfo{}, Unreadable, ErrNoDocument},
		"a trigger of 3.0.0":                {on, "TRIGGER", jobconfig.Generation3x, InstanceInfo{}, Unreadable, ErrNoDocument},
		"no document":                       {on, "{", jobconfig.Generation3x, InstanceInfo{}, Unreadable, jobconfig.ErrMalformed},
		"2.1.x":                             {on, "", jobconfig.Generation2x, InstanceInfo{ID: on, ServerIP: "10.0.0.1"}, Serves, nil},
		"2.1.x, triggered":                  {on, "TRIGGER", jobconfig.Generation2x, InstanceInfo{ID: on, ServerIP: "10.0.0.1"}, Serves, nil},
		"2.1.x, disabled":                   {off, "", jobconfig.Generation2x, InstanceInfo{ID: off, ServerIP: "10.0.0.2"}, ServerOff, nil},
		"2.1.x, nothing means enabled":      {blank, "", jobconfig.Generation2x, InstanceInfo{ID: blank, ServerIP: "10.0.0.3"}, Serves, nil},
		"2.1.x, on no server":               {absent, "", jobconfig.Generation2x, InstanceInfo{ID: absent, ServerIP: "10.0.0.4"}, ServerAbsent, nil},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			got, standing, err := JudgeInstance(test.node, []byte(test.data), test.generation, func(ip string) ([]byte, bool) {
				asked++
				data, exists := servers[ip]
				return []byte(data), exists
			})
			if got != test.want || standing != test.standing || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("%+v, %d, %v; want %+v, %d, %v", got, standing, err, test.want, test.standing, test.err)
			}
			if want := map[bool]int{true: 0, false: 1}[standing == Unreadable]; asked != want {
				t.Errorf("a server was asked for %d times, want %d", asked, want)
			}
		})
	}
}
