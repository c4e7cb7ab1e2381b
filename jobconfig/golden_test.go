package jobconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixture reads a document written by ElasticJob.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "java", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func encode(t *testing.T, c *Config) string {
	t.Helper()
	data, err := c.Encode()
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return string(data)
}

func decode(t *testing.T, data string) *Config {
	t.Helper()
	c, err := Decode([]byte(data))
	if err != nil {
		t.Fatalf("Decode: %v\n%s", err, data)
	}
	return c
}

const cities = "0=Beijing,1=Shanghai,2=Guangzhou"

// golden returns the configurations of the fixtures.
func golden() map[string]*Config {
	simple := New("javaSimpleJob", 3)
	simple.Cron = "0/5 * * * * ?"
	simple.ItemParameters = cities

	dataflow := simple.Clone()
	dataflow.Name = "javaDataflowJob"
	dataflow.Props = map[string]string{"streaming.process": "true"}

	script := New("scriptJob", 3)
	script.Cron = "0/5 * * * * ?"
	script.Props = map[string]string{"script.command.line": "echo SCRIPT Job: "}

	http := simple.Clone()
	http.Name = "javaHttpJob"
	http.Props = map[string]string{
		"http.uri":                          "http://127.0.0.1:8080/execute",
		"http.method":                       "POST",
		"http.data":                         "source=ejob",
		"http.connect.timeout.milliseconds": "3000",
		"http.read.timeout.milliseconds":    "5000",
		"http.content.type":                 "application/x-www-form-urlencoded",
	}

	full := &Config{
		Name: "fullJob", Shards: 10, Cron: "0 0 2 * * ?", TimeZone: "GMT+8:00",
		Description: `第一 "q" 'z'`, Parameter: "k=v: x #y", ItemParameters: "0=a",
		Failover: true, Disabled: true, Overwrite: true, StaticSharding: true,
		ReconcileMinutes: 5, MaxTimeDiffSeconds: 60,
		StrategyType: "ROUND_ROBIN", ExecutorType: "SINGLE_THREAD", ErrorHandlerType: "THROW", Label: "lab",
		ListenerTypes: []string{"L1", "L2"},
		Props:         map[string]string{"a": "1", "d": "line1\nline2"},
	}
	return map[string]*Config{"simple": simple, "dataflow": dataflow, "script": script, "http": http, "full": full}
}

func TestK01JavaBytes(t *testing.T) {
	for name, c := range golden() {
		t.Run(name, func(t *testing.T) {
			want := string(fixture(t, name+".yaml"))
			if name == "http" {
				// Java's order inside props comes from a hash table. Compare the rest.
				got := decode(t, encode(t, c))
				if diff := cmp.Diff(decode(t, want), got); diff != "" {
					t.Errorf("meaning differs (-java +ours):\n%s", diff)
				}
				return
			}
			if diff := cmp.Diff(want, encode(t, c)); diff != "" {
				t.Errorf("bytes differ (-java +ours):\n%s", diff)
			}
		})
	}
}

func TestK01JavaBytesAreReadAndKept(t *testing.T) {
	for name, want := range golden() {
		t.Run(name, func(t *testing.T) {
			text := string(fixture(t, name+".yaml"))
			got := decode(t, text)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("meaning (-want +got):\n%s", diff)
			}
			if again := encode(t, got); again != text {
				t.Errorf("an unchanged document changed:\n%s", cmp.Diff(text, again))
			}
		})
	}
}

func TestK02MinimalJob(t *testing.T) {
	want := `description: ''
disabled: false
failover: false
jobName: minJob
jobParameter: ''
maxTimeDiffSeconds: -1
misfire: true
monitorExecution: true
overwrite: false
reconcileIntervalMinutes: 10
shardingItemParameters: ''
shardingTotalCount: 1
staticSharding: false
`
	got := encode(t, New("minJob", 1))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-java +ours):\n%s", diff)
	}
	if keys := strings.Count(got, "\n"); keys != 13 {
		t.Errorf("%d keys, want 13", keys)
	}
}

func TestK03PropsAreText(t *testing.T) {
	c := New("j", 1)
	c.Props = map[string]string{"streaming.process": "true"}
	if got := encode(t, c); !strings.Contains(got, "props:\n  streaming.process: 'true'\n") {
		t.Errorf("the property is not quoted text:\n%s", got)
	}
}

func TestK04ReaderDefaults(t *testing.T) {
	// Unset fields are false, 0 or empty.
	want := &Config{Name: "a", Shards: 2, MaxTimeDiffSeconds: -1}
	if diff := cmp.Diff(want, decode(t, "jobName: a\nshardingTotalCount: 2\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestK05UnknownKey(t *testing.T) {
	c := decode(t, "foo: 1\njobName: a\nshardingTotalCount: 2\n")
	if c.Name != "a" || c.Shards != 2 {
		t.Errorf("got %+v", c)
	}
	if err := c.Usable(); err != nil {
		t.Errorf("Usable: %v", err)
	}
	fresh := c.Clone()
	fresh.origin = nil
	if got := encode(t, fresh); strings.Contains(got, "foo") {
		t.Errorf("a new document has a foreign key:\n%s", got)
	}
}

func TestK06OtherStyles(t *testing.T) {
	want := &Config{Name: "a", Shards: 2, Misfire: true, MaxTimeDiffSeconds: -1, Props: map[string]string{"n": "1", "b": "true", "x": "0x1F"}}
	for name, text := range map[string]string{
		"flow":     `{jobName: a, shardingTotalCount: 2, misfire: yes, props: {n: 1, b: true, x: 0x1F}}`,
		"json":     `{"jobName":"a","shardingTotalCount":2,"misfire":true,"props":{"n":1,"b":true,"x":"0x1F"}}`,
		"quoted":   "\"jobName\": \"a\"\n'shardingTotalCount': '2'\n\"misfire\": \"true\"\nprops: {n: 1, b: true, x: 0x1F}\n",
		"document": "--- # ours\njobName: a\nshardingTotalCount: 2\nmisfire: on\nprops:\n    n: 1\n    b: true\n    x: 0x1F\n",
		"crlf":     "jobName: a\r\nshardingTotalCount: 2\r\nmisfire: on\r\nprops:\r\n  n: 1\r\n  b: true\r\n  x: 0x1F\r\n",
		"anchors":  "base: &b {shardingTotalCount: 2, misfire: true}\n<<: *b\njobName: &n a\nprops: {n: 1, b: true, x: 0x1F}\n",
		"twice":    "jobName: b\nshardingTotalCount: 9\nmisfire: Yes\nprops: {n: 1, b: true, x: 0x1F}\njobName: a\nshardingTotalCount: 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := decode(t, text)
			if diff := cmp.Diff(want, c); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := encode(t, c); got != text {
				t.Errorf("an unchanged document changed:\n%s", got)
			}
			// Documents in any style should be editable.
			c.Shards, c.Description, c.Props["n"] = 5, "on", "7"
			again := decode(t, encode(t, c))
			if diff := cmp.Diff(c, again); diff != "" {
				t.Errorf("after an edit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestK07UnusableConfigurations(t *testing.T) {
	for text, want := range map[string]string{
		"jobName: a\nshardingTotalCount: 0\n": "shardingTotalCount should larger than zero.",
		"jobName: a\n":                        "shardingTotalCount should larger than zero.",
		"shardingTotalCount: 1\n":             "jobName can not be empty.",
	} {
		err := decode(t, text).Usable()
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
