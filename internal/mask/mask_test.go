package mask_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// canary is in every secret below, and must be in nothing that is shown.
const canary = "Canary7"

// V24: secrets are found by names, in values, and by their form.
func TestV24Text(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"/usr/bin/report --password=Canary7 --all", "/usr/bin/report --password Canary7", "report --db-password 'two Canary7' -v", "x -password=Canary7",
		`report --token="a Canary7 b" -v`, `sh -c "PGPASSWORD=Canary7 psql"`, "API_KEY=Canary7 run", "run --api-key=Canary7", "run --secret-access-key Canary7",
		"curl -u admin:Canary7 http://h/", "curl --user admin:Canary7 http://h/", "mysql -uroot -pCanary7 shop", "mysqldump --opt -p Canary7 db", "sshpass -p Canary7 ssh h",
		"http://h/hook?access_token=Canary7&x=1", "http://h/?x=1&key=Canary7", "https://h/?sig=Canary7#f", "https://user:Canary7@h/path", "https://Canary7@h/", "ftp://a:b@Canary7@h/",
		"jdbc:mysql://h/db?user=root&password=Canary7", "jdbc:postgresql://root:Canary7@h:5432/db", "root:Canary7@tcp(h:3306)/db", "mysql://root:Canary7@h/db",
		"Authorization: Bearer Canary7", "authorization: basic Q2FuYXJ5Nw==Canary7", "-H 'Authorization: Token Canary7'", `{"Authorization":"Bearer Canary7"}`, "bearer Canary7abc",
		`{"password":"Canary7"}`, `{"a":1,"access_token": "x Canary7", "b":2}`, `{"token":5Canary7}`, `{\"password\":\"x Canary7\"}`, "user=a&passwd=Canary7&b=c", "a%3D1&password%3DCanary7",
		"a=1,secret=Canary7,b=2", "password: my Canary7 phrase", "db.password : Canary7", "dingtalk.secret=SEC-Canary7", "Cookie: sid=Canary7", "x-auth-token: Canary7",
		"https://hooks.slack.com/services/T1/B2/Canary7", "https://discord.com/api/webhooks/1/Canary7", "https://x.example/webhook/Canary7",
		"-----BEGIN RSA PRIVATE KEY-----\nCanary7\n-----END RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nCanary7", "eyJhbGciOiJIUzI1NiJ9.Canary7.sig_Canary7", "xoxb-1-Canary7abcdefgh",
		`{"mail.password":["Canary7"]}`, "password: it's Canary7", "token: {a: 'Canary7'}",
		"password=\"esc \\\" Canary7\"", "password='a'\"Canary7\"b",
	} {
		shown := mask.Text(text)
		if strings.Contains(shown, canary) || !strings.Contains(shown, mask.Hidden) {
			t.Errorf("%s\nis shown as\n%s", text, shown)
		}
		if again := mask.Text(shown); strings.Contains(again, canary) {
			t.Errorf("%q masked again is %q", shown, again)
		}
		if doc := string(mask.Document([]byte("jobName: j\njobParameter: " + text + "\ncron: c\n"))); strings.Contains(doc, canary) || !strings.HasPrefix(doc, "jobName: j\n") {
			t.Errorf("in a document:\n%s", doc)
		}
	}
	for _, text := range []string{
		"", "0=Beijing,1=Shanghai", "/usr/local/bin/cleanup --all --days 7", "http://h:8080/path?x=1&y=2", "a=b", "10.0.0.1@-@123", "0 0/5 * * * ?", "mail to bob@example.com",
		"job failed: connection refused", "echo SCRIPT Job: ",
	} {
		if got := mask.Text(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestV24Value(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"email.password": canary, "dingtalk.webhook": "https://h/" + canary, "http.data": `{"anything":"` + canary + `"}`, "my-API_Key": canary, "script.command.line": "x --token " + canary,
		"aws.secret.access": canary, "session.cookie": canary, "user.pwd": canary,
	} {
		if got := mask.Value(name, value); strings.Contains(got, canary) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, value := range map[string]string{"email.username": "jobs", "http.uri": "http://h/x", "email.password": "", "streaming.process": "true"} {
		if got := mask.Value(name, value); got != value {
			t.Errorf("%s: %q is shown as %q", name, value, got)
		}
	}
}

// A mask that is written back is the stored value; a piece of one is nothing.
func TestV24Kept(t *testing.T) {
	t.Parallel()
	const stored = "x --password=" + canary + " -v"
	for _, tc := range []struct {
		stored, written, meant string
		refused                bool
	}{
		{stored, stored, stored, false},
		{stored, mask.Text(stored), stored, false},
		{stored, "y --password=new", "y --password=new", false},
		{stored, "y --password=*** -v", "", true},
		{"", "***", "", true},
		{"ls ***", "ls *** -l", "ls *** -l", false},
	} {
		meant, ok := mask.Kept("script.command.line", tc.stored, tc.written)
		if meant != tc.meant || ok == tc.refused {
			t.Errorf("%q over %q: %q, %v", tc.written, tc.stored, meant, ok)
		}
	}
	if meant, ok := mask.Kept("db.password", canary, mask.Hidden); meant != canary || !ok {
		t.Errorf("%q, %v", meant, ok)
	}
}

func TestV24Document(t *testing.T) {
	t.Parallel()
	config := `cron: 0/5 * * * * ?
jobErrorHandlerType: EMAIL
jobName: token-rotation
props:
  email.username: jobs
  email.password: Canary7
  'dingtalk.secret': "Canary7"
  wechat.webhook: https://qyapi.example.com/send?key=Canary7
  empty.password: ''
  http.data: |
    Canary7
    more
  script.command.line: >-
    /bin/x --password
    Canary7
  token:
    api-Token:  Canary7
  passwords:
  - Canary7
  plain: value
jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
  tracingStorageConfiguration:
    props: {user: u, password: Canary7}
    url: jdbc:mysql://h/db?password=Canary7
- secret: Canary7
`
	want := `cron: 0/5 * * * * ?
jobErrorHandlerType: EMAIL
jobName: token-rotation
props:
  email.username: jobs
  email.password: ***
  'dingtalk.secret': ***
  wechat.webhook: ***
  empty.password: ***
  http.data: ***
  script.command.line: >-
    ***
    ***
  token:
  passwords:
  plain: value
jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
  tracingStorageConfiguration:
    props: ***
    url: ***
- secret: ***
`
	if diff := cmp.Diff(want, string(mask.Document([]byte(config)))); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("x --password=Canary7", "key: value")
	f.Fuzz(func(t *testing.T, a, b string) {
		_ = mask.Document([]byte(a + "\n" + b))
		if got := mask.Text(a + " password=" + canary); strings.Contains(got, canary) && !strings.Contains(a, canary) {
			t.Errorf("%q is shown as %q", a, got)
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	config := []byte(strings.Repeat("cron: 0/5 * * * * ?\njobName: invoices\nshardingTotalCount: 11\nprops:\n  a: b\n", 1000))
	b.SetBytes(int64(len(config)))
	for b.Loop() {
		mask.Document(config)
	}
}
