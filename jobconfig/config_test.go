package jobconfig

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

const commented = `# kept by the platform team
cron: 0/5 * * * * ?
description: 'nightly'  # trailing
# about failover
failover: true

foo:   {a: [1,  2]}   # nobody knows this key
jobExecutorThreadPoolSizeProviderType: SINGLE_THREAD
`

func tagged(t *testing.T) string {
	return commented + string(fixture(t, "tracing_block.yaml")) + `jobName: j
misfire: TRUE
monitorExecution: yes
props:
    b: "2"
    a: 1
shardingTotalCount: 3
# the end
`
}

func TestK69EditKeepsEverythingElse(t *testing.T) {
	text := tagged(t)
	for name, edit := range map[string]struct {
		change func(*Config)
		want   func(string) string
	}{
		"nothing": {func(*Config) {}, func(s string) string { return s }},
		"replace": {
			func(c *Config) { c.Cron = "*/5 * * * * ?" },
			func(s string) string {
				return strings.Replace(s, "cron: 0/5 * * * * ?\n", "cron: '*/5 * * * * ?'\n", 1)
			},
		},
		"remove keeps the comment below": {
			func(c *Config) { c.Cron = "" },
			func(s string) string { return strings.Replace(s, "cron: 0/5 * * * * ?\n", "", 1) },
		},
		"replace keeps the comment below": {
			func(c *Config) { c.Description = "" },
			func(s string) string {
				return strings.Replace(s, "description: 'nightly'  # trailing\n", "description: ''\n", 1)
			},
		},
		"insert in order": {
			func(c *Config) { c.Label = "on" },
			func(s string) string { return strings.Replace(s, "misfire:", "label: 'on'\nmisfire:", 1) },
		},
		"append": {
			func(c *Config) { c.TimeZone = "GMT+8:00" },
			func(s string) string { return s + "timeZone: GMT+8:00\n" },
		},
		"props keep their order": {
			func(c *Config) { c.Props["0"] = "x"; c.Props["a"] = "on" },
			func(s string) string {
				return strings.Replace(s, "props:\n    b: \"2\"\n    a: 1\n", "props:\n  b: '2'\n  a: 'on'\n  '0': x\n", 1)
			},
		},
		"dialect key is kept": {
			func(c *Config) { c.ExecutorType = "CPU" },
			func(s string) string { return strings.Replace(s, "SINGLE_THREAD", "CPU", 1) },
		},
		"dialect can be changed": {
			func(c *Config) { c.Dialect = Dialect304 },
			func(s string) string { return strings.Replace(s, executorKey305, executorKey304, 1) },
		},
		"before the tagged block": {
			func(c *Config) { c.ErrorHandlerType = "THROW" },
			func(s string) string {
				return strings.Replace(s, executorKey305, "jobErrorHandlerType: THROW\n"+executorKey305, 1)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := decode(t, text)
			edit.change(c)
			if diff := cmp.Diff(edit.want(text), encode(t, c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestK69OntoKeepsWhatIsNotOurs: a foreign configuration replaces a stored one.
func TestK69OntoKeepsWhatIsNotOurs(t *testing.T) {
	stored := decode(t, tagged(t)+"label: lab\n")
	fresh := New("j", 7)
	fresh.Props, fresh.ExecutorType, fresh.Dialect = map[string]string{"new": "1"}, "CPU", Dialect304
	text := encode(t, fresh.Onto(stored))
	for _, kept := range []string{string(fixture(t, "tracing_block.yaml")), "foo:   {a: [1,  2]}   # nobody knows this key\n", "label: lab\n", executorKey305 + ": CPU\n"} {
		if !strings.Contains(text, kept) {
			t.Errorf("the text lacks %q:\n%s", kept, text)
		}
	}
	want := fresh.Clone()
	want.Label, want.Dialect = "lab", Dialect305
	if got := decode(t, text); !got.Equal(want) {
		t.Errorf("it means %+v, want %+v", got, want)
	}
	legacy := &Config{Generation: Generation2x}
	if got := fresh.Onto(legacy); got.origin != nil || !got.Equal(fresh) {
		t.Errorf("onto another generation: %+v", got)
	}
}

func TestEditOfDuplicateKey(t *testing.T) {
	c := decode(t, "cron: a\n# first\njobName: j\ncron: b\nshardingTotalCount: 1\n")
	if c.Cron != "b" {
		t.Fatalf("cron = %q, want the last one", c.Cron)
	}
	c.Cron = "c"
	if got, want := encode(t, c), "# first\njobName: j\ncron: c\nshardingTotalCount: 1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Texts that can't be split at their keys should be rewritten, including unknown keys and their tags.
func TestEditOfUnusualTexts(t *testing.T) {
	for name, text := range map[string]string{
		"flow":         `{jobName: j, shardingTotalCount: 1, foo: !!com.example.T {x: [1, 'yes']}}`,
		"document end": "jobName: j\nshardingTotalCount: 1\nfoo: !!com.example.T\n  x: [1, 'yes']\n...\n",
		"crlf":         "jobName: j\r\nshardingTotalCount: 1\r\nfoo: !!com.example.T\r\n  x: [1, 'yes']\r\n",
		"indented":     "  jobName: j\n  shardingTotalCount: 1\n  foo: !!com.example.T\n    x: [1, 'yes']\n",
		"shared":       "jobName: &n j\nshardingTotalCount: 1\nfoo: !!com.example.T\n  x: [1, 'yes']\n  n: *n\n",
		"no newline":   "foo: !!com.example.T {x: [1, 'yes']}\njobName: j\nshardingTotalCount: 1",
	} {
		t.Run(name, func(t *testing.T) {
			c := decode(t, text)
			c.Name, c.Shards, c.TimeZone = "k", 2, "GMT"
			got := encode(t, c)
			if diff := cmp.Diff(c, decode(t, got)); diff != "" {
				t.Errorf("meaning (-want +got):\n%s", diff)
			}
			for _, part := range []string{"foo:", "com.example.T", "yes"} {
				if !strings.Contains(got, part) {
					t.Errorf("%q was lost:\n%s", part, got)
				}
			}
			if strings.Contains(got, "x: [1, yes]") {
				t.Errorf("text became a boolean:\n%s", got)
			}
		})
	}
}

func TestBothDialectKeys(t *testing.T) {
	for _, text := range []string{
		executorKey304 + ": A\n" + executorKey305 + ": B\njobName: j\nshardingTotalCount: 1\n",
		executorKey305 + ": B\n" + executorKey304 + ": A\njobName: j\nshardingTotalCount: 1\n",
	} {
		c := decode(t, text)
		if c.ExecutorType != "A" || c.Dialect != Dialect304 {
			t.Errorf("executor %q, dialect %v; the older key wins", c.ExecutorType, c.Dialect)
		}
		c.Shards = 2
		if got, want := encode(t, c), strings.Replace(text, "Count: 1", "Count: 2", 1); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	fresh := New("j", 1)
	if got := encode(t, fresh); strings.Contains(got, "jobExecutor") {
		t.Errorf("nobody asked for the key on which the dialects disagree:\n%s", got)
	}
	fresh.ExecutorType, fresh.Dialect = "CPU", Dialect305
	if got := encode(t, fresh); !strings.Contains(got, executorKey305+": CPU\n") {
		t.Errorf("the dialect is ignored:\n%s", got)
	}
}

func TestBrokenConfigurations(t *testing.T) {
	for text, want := range map[string]javayaml.SyntaxError{
		"":                                {Reason: "the document is empty"},
		"# only a comment\n":              {Reason: "the document is empty"},
		"~\n":                             {Reason: "the document is empty"},
		"TRIGGER":                         {Line: 1, Reason: `the document is "TRIGGER", want keys with values`},
		"- a\n":                           {Line: 1, Reason: "the document is a list, want keys with values"},
		"jobName: a\nfailover: perhaps\n": {Line: 2, Field: "failover", Reason: `is "perhaps", want true or false`},
		"failover:\n":                     {Line: 1, Field: "failover", Reason: `is "", want true or false`},
		"jobName: a\n\nshardingTotalCount: 3.0\n":                           {Line: 3, Field: "shardingTotalCount", Reason: `is "3.0", want a whole number`},
		"shardingTotalCount: 99999999999\n":                                 {Line: 1, Field: "shardingTotalCount", Reason: `is "99999999999", want a whole number`},
		"cron: {a: 1}\n":                                                    {Line: 1, Field: "cron", Reason: "is a mapping, want text"},
		"props: [a]\n":                                                      {Line: 1, Field: "props", Reason: "is a list, want keys with values"},
		"props:\n  a: [1]\n":                                                {Line: 2, Field: "props.a", Reason: "is a list, want text"},
		"jobListenerTypes: a\n":                                             {Line: 1, Field: "jobListenerTypes", Reason: `is "a", want a list of names`},
		"cron: !!binary '%%'\n":                                             {Line: 1, Field: "cron", Reason: "is marked as binary but is not base64"},
		"a: &a {<<: [*a, *a, *a, *a]}\n<<: *a\n":                            {Line: 1, Reason: "merge keys (<<) stand for too many mappings"},
		"jobName: a\n---\njobName: b\n":                                     {Line: 2, Reason: "a second document follows, want a single one"},
		`{"jobName":"a","jobType":"SIMPLE","failover":"maybe"}`:             {Line: 1, Field: "failover", Reason: `is "maybe", want true or false`},
		"{\"jobType\":\"SIMPLE\",\n\"shardingTotalCount\":[3]}":             {Line: 2, Field: "shardingTotalCount", Reason: "is [3], want a whole number"},
		`{"jobType":"SIMPLE","jobProperties":{"job_exception_handler":{}}}`: {Line: 1, Field: "jobProperties", Reason: "job_exception_handler is {}, want text"},
	} {
		_, err := Decode([]byte(text))
		var got *javayaml.SyntaxError
		if !errors.As(err, &got) || !errors.Is(err, javayaml.ErrMalformed) {
			t.Errorf("%q: error %v, want a javayaml.SyntaxError", text, err)
			continue
		}
		if *got != want {
			t.Errorf("%q:\n got %#v\nwant %#v", text, *got, want)
		}
	}
}

func TestBrokenYAMLNamesTheLine(t *testing.T) {
	for text, line := range map[string]int{
		"jobName: a\ncron: */5 * * * * ?\n":    2,
		"jobName: a\nshardingTotalCount: '3\n": 2,
		"jobName: a\n  cron: b\n":              2,
		"cron: */5 * * * * ?\n":                1,
		"jobName: a\n\ncron: \x01\n":           3,
		"jobName: a\ncron: \xff\n":             2,
		"jobName: a\n\tcron: b\n":              2,
	} {
		_, err := Decode([]byte(text))
		var got *javayaml.SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("%q: error %v, want a javayaml.SyntaxError", text, err)
			continue
		}
		// The parser reports where it noticed the problem, maybe one line later.
		if got.Line < line-1 || got.Line > line+1 {
			t.Errorf("%q: line %d in %v, want about %d", text, got.Line, err, line)
		}
	}
}

func TestValidateReportsEverything(t *testing.T) {
	c := &Config{
		Name: "a/b", Shards: -1, ItemParameters: "0=a,1", Cron: "0 0\n* * * ?", Description: "\xff",
		ListenerTypes: []string{""}, Props: map[string]string{"": "x"},
	}
	err := c.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"jobName", "shardingTotalCount", "shardingItemParameters", "cron", "description", "jobListenerTypes[0]", "props."} {
		if !strings.Contains(err.Error(), want+": ") {
			t.Errorf("%s is not reported in:\n%v", want, err)
		}
	}
	var field *FieldError
	if !errors.As(err, &field) || field.Want == "" {
		t.Errorf("the problems are not FieldErrors: %v", err)
	}
	for name, ok := range golden() {
		if err := ok.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInvalidUTF8IsNotWritten(t *testing.T) {
	c := New("j", 1)
	c.Props = map[string]string{"a\xff": "b"}
	if _, err := c.Encode(); err == nil {
		t.Error("invalid UTF-8 was encoded")
	}
	stored := decode(t, "jobName: j\nshardingTotalCount: 1\n")
	stored.Description = "\xff"
	if _, err := stored.Encode(); err == nil {
		t.Error("invalid UTF-8 was encoded into a stored document")
	}
}

func TestCloneIsDeep(t *testing.T) {
	c := golden()["full"]
	clone := c.Clone()
	clone.Props["a"], clone.ListenerTypes[0] = "changed", "changed"
	if c.Props["a"] != "1" || c.ListenerTypes[0] != "L1" {
		t.Error("the clone shares its lists or maps")
	}
	if c.Equal(clone) || !c.Equal(golden()["full"]) {
		t.Error("Equal is wrong")
	}
}

// With aliases a few lines can expand to millions of nodes, so we refuse to expand them.
func TestAliasBombIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("jobName: j\nshardingTotalCount: 1\nx0: &x0 [a, b, c, d, e, f, g, h, i]\n")
	for i := range 12 {
		n := string(rune('a' + i))
		prev := "x0"
		if i > 0 {
			prev = string(rune('a' + i - 1))
		}
		b.WriteString(n + ": &" + n + " [" + strings.TrimSuffix(strings.Repeat("*"+prev+", ", 9), ", ") + "]\n")
	}
	b.WriteString("...\n") // forces a rewrite
	c := decode(t, b.String())
	c.Shards = 2
	if _, err := c.Encode(); err == nil {
		t.Error("the bomb was expanded")
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

func anyConfig() *rapid.Generator[*Config] {
	return rapid.Custom(func(t *rapid.T) *Config {
		text := anyText()
		return &Config{
			Name: text.Draw(t, "name"), Cron: text.Draw(t, "cron"), TimeZone: text.Draw(t, "zone"),
			Description: text.Draw(t, "description"), Parameter: text.Draw(t, "parameter"),
			ItemParameters: text.Draw(t, "items"), Shards: int(rapid.Int32().Draw(t, "shards")),
			Failover: rapid.Bool().Draw(t, "failover"), Misfire: rapid.Bool().Draw(t, "misfire"),
			MonitorExecution: rapid.Bool().Draw(t, "monitor"), Disabled: rapid.Bool().Draw(t, "disabled"),
			Overwrite: rapid.Bool().Draw(t, "overwrite"), StaticSharding: rapid.Bool().Draw(t, "static"),
			ReconcileMinutes:   int(rapid.Int32().Draw(t, "reconcile")),
			MaxTimeDiffSeconds: int(rapid.Int32().Draw(t, "diff")),
			StrategyType:       text.Draw(t, "strategy"), ExecutorType: text.Draw(t, "executor"),
			ErrorHandlerType: text.Draw(t, "handler"), Label: text.Draw(t, "label"),
			Dialect:       Dialect(rapid.IntRange(0, 1).Draw(t, "dialect")),
			ListenerTypes: rapid.SliceOfN(text, 0, 3).Draw(t, "listeners"),
			Props:         rapid.MapOfN(text, text, 0, 4).Draw(t, "props"),
		}
	})
}

func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig().Draw(t, "config")
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !again.Equal(c) {
			t.Fatalf("(-want +got):\n%s\n%s", cmp.Diff(c.exported(), again.exported()), data)
		}
		// Editing it must be able to produce any other configuration.
		other := anyConfig().Draw(t, "other")
		other.origin = again.origin
		edited, err := other.Encode()
		if err != nil {
			t.Fatal(err)
		}
		end, err := Decode(edited)
		if err != nil {
			t.Fatalf("%v\n%s", err, edited)
		}
		if !end.Equal(other) {
			t.Fatalf("(-want +got):\n%s\n%s", cmp.Diff(other.exported(), end.exported()), edited)
		}
	})
}

// exported returns the values for a readable difference.
func (c *Config) exported() map[string]any {
	values := map[string]any{"listeners": c.ListenerTypes, "props": c.Props, "shards": c.Shards, "dialect": c.Dialect}
	for _, f := range fields {
		if f.text != nil {
			values[f.key] = *f.text(c)
		}
	}
	return values
}

func FuzzDecodeConfig(f *testing.F) {
	for _, seed := range []string{
		"", "TRIGGER", "a: *a", "a: &a [*a]", "? a\n: b", "<<: {a: b}", "<<: [{a: b}]", "props: {<<: *x}", "jobName: !!binary YQ==",
		`{"jobType":"SIMPLE","jobProperties":{"job_exception_handler":"x"}}`, "a: 1\n---\nb: 2", "%YAML 1.1\n---\ncron: a\n...\n",
		commented, "jobName: a\nshardingTotalCount: 2\nprops:\n  ? |\n    a\n  : x\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Decode(data)
		if err != nil {
			if !errors.Is(err, javayaml.ErrMalformed) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		same, err := c.Encode()
		if err != nil || string(same) != string(data) {
			t.Fatalf("an unchanged document changed: %v\n%q\n%q", err, data, same)
		}
		c.Shards++
		c.Cron += "x"
		edited, err := c.Encode()
		if err != nil {
			return // refusing is fine, writing a different value isn't
		}
		again, err := Decode(edited)
		if err != nil {
			t.Fatalf("%v\n%q", err, edited)
		}
		if !again.Equal(c) {
			t.Fatalf("the edit went astray: %s\n%q\n%q", cmp.Diff(c.exported(), again.exported()), data, edited)
		}
	})
}
