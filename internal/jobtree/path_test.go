package jobtree

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func TestPaths(t *testing.T) {
	ns, err := NewNamespace("team/billing")
	if err != nil {
		t.Fatal(err)
	}
	j := ns.Job("作业 50%")
	for got, want := range map[string]string{
		j.Root():                    "",
		j.Config():                  "/config",
		j.Servers():                 "/servers",
		j.Server("10.0.0.1"):        "/servers/10.0.0.1",
		j.Instances():               "/instances",
		j.Instance("a@-@1"):         "/instances/a@-@1",
		j.Leader():                  "/leader",
		j.ElectionLatch():           "/leader/election/latch",
		j.LeaderInstance():          "/leader/election/instance",
		j.Necessary():               "/leader/sharding/necessary",
		j.Processing():              "/leader/sharding/processing",
		j.FailoverItems():           "/leader/failover/items",
		j.FailoverItem(7):           "/leader/failover/items/7",
		j.FailoverLatch():           "/leader/failover/latch",
		j.Sharding():                "/sharding",
		j.Item(0):                   "/sharding/0",
		j.ItemInstance(10):          "/sharding/10/instance",
		j.ItemRunning(1):            "/sharding/1/running",
		j.ItemMisfire(1):            "/sharding/1/misfire",
		j.ItemDisabled(1):           "/sharding/1/disabled",
		j.ItemFailover(1):           "/sharding/1/failover",
		j.ItemFailovering(1):        "/sharding/1/failovering",
		j.Triggers():                "/trigger",
		j.Trigger("a@-@1"):          "/trigger/a@-@1",
		j.SystemTime():              "/systemTime/current",
		j.Guarantee():               "/guarantee",
		j.GuaranteeStarted():        "/guarantee/started",
		j.GuaranteeStartedItem(2):   "/guarantee/started/2",
		j.GuaranteeStartedLatch():   "/guarantee/started-latch",
		j.GuaranteeCompleted():      "/guarantee/completed",
		j.GuaranteeCompletedItem(2): "/guarantee/completed/2",
		j.GuaranteeCompletedLatch(): "/guarantee/completed-latch",
		j.NextInstanceIP():          "/next-job-instance-ip",
		j.Extension():               "/extension",
		j.Agents():                  "/extension/agents",
		j.AllLeft():                 "/extension/left",
		j.FireRecords():             "/extension/fired",
		j.FireRecord(7):             "/extension/fired/7",
		j.Assignment():              "/extension/dealt",
	} {
		if full := "/team/billing/作业 50%" + want; got != full {
			t.Errorf("got %s, want %s", got, full)
		}
	}
	if j.Namespace() != ns || ns.Root() != "/team/billing" || ns.String() != "team/billing" {
		t.Errorf("the job is in %q, which is read as %q", ns.Root(), ns.String())
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "a.b", "a b", "作业", "50%", "config", "...", "zookeeper"} {
		if err := ValidateNodeName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "a/b", ".", "..", "a\x00", "a\nb", "\x7f", "😀", "\ue000", "\xff"} {
		if err := ValidateNodeName(name); !errors.Is(err, ErrName) {
			t.Errorf("%q: error %v, want ErrName", name, err)
		}
	}
	for _, name := range []string{"", "/", "/a", "a/", "a//b", "a/../b", "zookeeper", "zookeeper/a", "a\n"} {
		if _, err := NewNamespace(name); !errors.Is(err, ErrName) {
			t.Errorf("namespace %q: error %v, want ErrName", name, err)
		}
	}
	for id, ok := range map[string]bool{
		"10.0.0.1@-@123": true, "10.0.0.1@-@go-77": true,
		"": false, "10.0.0.1": false, "@-@1": false, "a@-@": false, "a@-@b@-@c": false, "a@-@b/c": false,
	} {
		if err := ValidateInstanceID(id); (err == nil) != ok {
			t.Errorf("instance id %q: error %v", id, err)
		}
	}
}

func TestParseItem(t *testing.T) {
	for name, want := range map[string]int{"0": 0, "10": 10, "07": -1, "+7": -1, "-1": -1, "": -1, "abc": -1, "99999999999999999999": -1} {
		got, ok := ParseItem(name)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("ParseItem(%q) = %d, %t", name, got, ok)
		}
	}
}

func TestK52ParseItemParameters(t *testing.T) {
	for text, want := range map[string]map[int]string{
		"":                     {},
		"0=a":                  {0: "a"},
		"0=a,":                 {0: "a"},
		"0=a,,":                {0: "a"},
		" 0 = a , 1 = b c ":    {0: "a", 1: "b c"}, //nolint:gocritic // the spaces are the case
		"0=a,0=b":              {0: "b"},
		"+1=x,-1=y":            {1: "x", -1: "y"},
		"0=Beijing,1=Shanghai": {0: "Beijing", 1: "Shanghai"},
	} {
		got, err := jobconfig.ParseItemParameters(text)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0=a,1", "0=", "0=a=b", ",0=a", "0=a,,1=b", "=a", "0= ", " ", "a"} {
		want := "Sharding item parameters '" + text + "' format error, should be int=xx,int=xx"
		if _, err := jobconfig.ParseItemParameters(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	for text, key := range map[string]string{"x=1": "x", "0=a, 1x =b": "1x", "99999999999=a": "99999999999", "1.0=a": "1.0"} {
		want := "Sharding item parameters key '" + key + "' is not an integer."
		if _, err := jobconfig.ParseItemParameters(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestK61TaskID(t *testing.T) {
	for _, test := range []struct {
		job   string
		items []int
		id    string
		turn  string
		want  string
	}{
		{"test_job", []int{0, 1, 2}, "10.0.0.1@-@4242", "", "test_job@-@0,1,2@-@READY@-@10.0.0.1@-@4242"},
		{"test_job", nil, "10.0.0.1@-@4242", "", "test_job@-@@-@READY@-@10.0.0.1@-@4242"},
		{"test_job", []int{7}, "", "", "test_job@-@7@-@READY@-@127.0.0.1@-@1"},
		{"test_job", []int{7}, "10.0.0.1@-@web_0", "", "test_job@-@7@-@READY@-@10.0.0.1@-@web_0"},
		{"test_job", []int{7}, "10.0.0.1@-@web_0", "abcdefg234", "test_job@-@7@-@READY@-@10.0.0.1@-@web_0_abcdefg234"},
	} {
		got := TaskID(test.job, test.items, test.id, test.turn)
		if got != test.want {
			t.Errorf("TaskID = %s, want %s", got, test.want)
		}
		parts, err := ParseTaskID(got)
		if err != nil {
			t.Errorf("%s: %v", got, err)
			continue
		}
		if parts.Job != test.job || !cmp.Equal(parts.Items, test.items) || parts.ExecutionType != "READY" || parts.Turn != test.turn {
			t.Errorf("ParseTaskID(%s) = %+v", got, parts)
		}
		if test.id != "" && parts.InstanceID() != test.id {
			t.Errorf("instance %s, want %s", parts.InstanceID(), test.id)
		}
	}
	for _, id := range []string{"", "a@-@b", "j@-@0@-@READY@-@10.0.0.1", "j@-@0@-@READY@-@a@-@b@-@c", "j@-@x@-@READY@-@a@-@b"} {
		if parts, err := ParseTaskID(id); err == nil {
			t.Errorf("ParseTaskID(%q) = %+v", id, parts)
		}
	}
}

// TestNewTurn: ParseTaskID should find the unique part of a task id.
func TestNewTurn(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		turn := NewTurn()
		parts, err := ParseTaskID(TaskID("j", []int{1}, "10.0.0.1@-@4242", turn))
		if err != nil || parts.Turn != turn || parts.InstanceID() != "10.0.0.1@-@4242" || seen[turn] {
			t.Fatalf("turn %s, %t before: %+v, %v", turn, seen[turn], parts, err)
		}
		seen[turn] = true
	}
}

func TestDecodeInstance(t *testing.T) {
	for text, want := range map[string]InstanceInfo{
		"jobInstanceId: 10.0.0.1@-@15247\nserverIp: 10.0.0.1\n":           {ID: "10.0.0.1@-@15247", ServerIP: "10.0.0.1"},
		"jobInstanceId: 10.0.0.1@-@1\nlabels: null\nserverIp: 10.0.0.1\n": {ID: "10.0.0.1@-@1", ServerIP: "10.0.0.1"},
		"{jobInstanceId: 10.0.0.1@-@1, zone: x}":                          {ID: "10.0.0.1@-@1", ServerIP: "10.0.0.1"},
	} {
		got, ok, err := DecodeInstance([]byte(text))
		if err != nil || !ok || got != want {
			t.Errorf("%q: %+v, %t, %v", text, got, ok, err)
		}
	}
	for _, text := range []string{"", "\n", "TRIGGER", "null", "- a\n", "'x'"} {
		if got, ok, err := DecodeInstance([]byte(text)); ok || err != nil {
			t.Errorf("%q: %+v, %t, %v; want it skipped", text, got, ok, err)
		}
	}
	for _, text := range []string{"serverIp: a\n", "jobInstanceId: [", "jobInstanceId: {}\n"} {
		if got, ok, err := DecodeInstance([]byte(text)); ok || !errors.Is(err, javayaml.ErrMalformed) {
			t.Errorf("%q: %+v, %t, %v; want ErrMalformed", text, got, ok, err)
		}
	}
	if InstanceIP("10.0.0.1@-@1") == InstanceIP("10.0.0.10@-@1") || InstanceIP("host") != "host" {
		t.Error("InstanceIP is wrong")
	}
}

func TestInstanceRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		suffix := rapid.StringMatching(`[a-z0-9:.]{1,12}`).Draw(t, "suffix")
		ip := rapid.StringMatching(`[0-9]{1,3}(\.[0-9]{1,3}){0,3}|[0-9a-f:]{2,9}`).Draw(t, "ip")
		want := InstanceInfo{ID: NewInstanceID(ip, suffix), ServerIP: ip, Labels: strings.TrimSpace(anyText().Draw(t, "labels"))}
		got, ok, err := DecodeInstance(EncodeInstance(want))
		if err != nil || !ok || got != want {
			t.Fatalf("%+v, %t, %v; want %+v", got, ok, err, want)
		}
	})
}

// The YAML parser reads the same from each document that plainInstance accepts. The comment makes
// DecodeInstance call the parser.
func TestPlainInstanceProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func(name string, usual ...string) string {
			return rapid.OneOf(rapid.SampledFrom(usual), anyText()).Draw(t, name)
		}
		data := part("key", "jobInstanceId: ", "jobInstanceId:") + part("ip", "10.0.0.1", "010.0.0.1", "1.5", "::1") +
			part("separator", "@-@", "@") + part("suffix", "7", "7-1", "0af-9", "a b", "") + "\n" +
			part("server", "serverIp: ", "labels: a\nserverIp: ") + part("address", "10.0.0.1", "10.0.0.2", "010.0.0.1") + part("end", "\n", "")
		got, plain := plainInstance(data)
		if want, ok, err := DecodeInstance([]byte("# comment\n" + data)); plain && (got != want || !ok || err != nil) {
			t.Fatalf("%q: %+v; with a comment %+v, %t, %v", data, got, want, ok, err)
		}
	})
	plain, ok := plainInstance("jobInstanceId: 10.0.0.1@-@7-1\nserverIp: 10.0.0.1\n")
	if want := (InstanceInfo{ID: "10.0.0.1@-@7-1", ServerIP: "10.0.0.1"}); !ok || plain != want {
		t.Errorf("%+v, %t", plain, ok)
	}
}

// anyText draws texts with the characters that matter to YAML.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringOf(rapid.RuneFrom([]rune("ab01 :#-,'\"\\[]{}&*!|>%@`=?.~_\n\t\r\x00\x01\x1b\u0085\u2028\u2029\ufeff\ufffe日😀"))),
		rapid.String(),
		rapid.SampledFrom([]string{"", "yes", "null", "~", "1:30", "0x1F", "<<", "---", "- a", "a\n\n", "\n", " ", "\n\n", "a\n ", strings.Repeat("w ", 60)}),
	)
}
