package mask_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// The corpus has § in place of the secret, and tokens are put together from pieces, so that
// scanners don't take this file for one with secrets in it.

// named are texts that name the secret in them.
var named = []string{
	// Variables and properties.
	"DB_PASS=§", "DB_PASS = '§'", "DB_PASS_PROD=§", "export PASS=\"§\"", "rootpw=§", "pw=§", "pass=§",
	"userpass=§", "requirepass=§", "MYSQL_PWD=§", "psw=§",
	"ENCRYPTION_KEY=§", "SIGNING_KEY=§", "STRIPE_KEY=§", "secretKey=§", "signingKey: §", "aesKey=§",
	"appkey=§", "API_KEYS=§", "SECRET_KEY_BASE=§", "KEY_BASE64=x;DATA_KEY_BASE64=§",
	"REDIS_AUTH=§", "basicAuth=§", "auth=§", "jwt=§", "PIN=§", "cardPin=§", "otp: §", "DB_CREDS=§",
	"aws.cred=§", "password_salt=§", "PASSCODE=§", "pass-phrase=§",
	"npm_config_//r.example.com/:_authToken=§", "-Ddb.pass=§", "--set db.pass=§", "-e DB_KEY=§",
	"$env:PASS = \"§\"", "pass := §", "'pass' => '§'", "pass＝§", "client_secret=§",
	"SharedAccessKey=§", "Server=h;Uid=u;Pwd=§;", "AccountKey=§==;EndpointSuffix=x", "JSESSIONID=§", "mima=§",
	// Documents.
	`{"db_pass":"§"}`, `{"apiKey": "§"}`, `{"pin": "§"}`, `{\"pass\":\"§\"}`, "{'pass': '§'}",
	"{&quot;pass&quot;:&quot;§&quot;}", "pass: §", "privateKey: §", "<password>§</password>",
	"<db-pass type=\"x\">§</db-pass>",
	`<property name="password" value="§"/>`, `<add key="ApiKey" value="§" />`,
	`{"name":"DB_PASSWORD","value":"§"}`, "name: DB_PASS, value: §", "{name: token, value: §}",
	"password \"§\"", "secret '§'", "“密码”：“§”", "requirepass §", "masterauth §", "auth_pass §",
	"machine h login u password §",
	// Options.
	"--pass §", "--pass=§", "-pw §", "-pass §", "--api-key §", "--auth §", "--encryption-key '§'",
	"--db_pass \"two §\"", "/pass:§", "cmdkey /pass:§",
	"mongo -u u -p §", "mongodump -u u -p§ db", "docker login -u u -p § r", "helm registry login h -p §",
	"7z x -p§ a", "unzip -P § a", "sqlcmd -S h -P §", "ldapsearch -x -w § a", "mosquitto_pub -P §",
	"sqlplus u/§@db", "sqlldr userid=u/§@db", "openssl rsa -passin pass:§", "smbclient -U u%§ //h/s",
	"lftp -u u,§ h", "redis-cli -a §", "plink -pw § h", "wget --http-passwd=§",
	// Statements.
	"CREATE USER u IDENTIFIED BY '§'", "IDENTIFIED WITH mysql_native_password BY '§'",
	"ALTER ROLE u WITH PASSWORD '§'", "SET PASSWORD = '§'", "PASSWORD('§')", "the password is §",
	"with password §",
	// Headers and addresses.
	"X-Api-Key: §", "X-Auth-Token: §", "Proxy-Authorization: Basic §", "Private-Token: §",
	"Ocp-Apim-Subscription-Key: §", "Set-Cookie: a=§; Path=/", "basic " + "dXNlcjpw§" + "==",
	"http://h/?pass=§", "http://h/?x=1&apikey=§", "a%26db_pass%3D§", "http://h/?sid=§",
	"http://h/?session_id=§", "http://h/;jsessionid=§", "redis://:§@h:6379/0", "amqp://u:§@h",
	"mongodb+srv://u:§@h/db",
	"https://api.telegram.org/bot§/send", "https://sctapi.ftqq.com/§.send",
	"https://x.webhook.office.com/webhookb2/§", "https://open.feishu.cn/open-apis/bot/v2/hook/§",
	// Chinese.
	"密码=§", "密码：§", "密码:§", "密码是§", "密码为 §", "密码 §", "密码§", "数据库密码：§", "用户密码=§，重试", "登录口令：§", "密钥：§", "秘钥=§",
	"访问令牌：§", "私钥 §", "凭证：§", "验证码是§", "密碼：§", "密鑰=§",
	`{"密码":"§"}`, `{"数据库密码": "§"}`, "密码（root）：§", "连接失败，密码：我的 § 口令", "暗号“§”", "授权码:§",
}

// tokens are secrets that are known by their form.
func tokens() []string {
	long, hex := strings.Repeat("aB3x", 12), strings.Repeat("0a1b", 16)
	list := make([]string, 0, 60)
	for _, start := range []string{
		"ghp", "gho", "ghu", "ghs", "ghr", "github_pat", "npm", "hf", "rubygems", "sk_live", "sk_test",
		"rk_live", "whsec", "dop_v1", "shpat", "shpss", "lin_api", "glsa", "sntrys",
	} {
		list = append(list, start+"_"+long)
	}
	for _, start := range []string{
		"glpat", "gldt", "glrt", "glptt", "xoxb", "xoxp", "xapp", "sk", "sk-proj", "sk-ant-api03", "pypi",
		"GOCSPX", "sq0csp", "NRAK", "PMAK", "tskey", "AGE-SECRET-KEY",
	} {
		list = append(list, start+"-"+"1"+long)
	}
	return append(list, "AK"+"IA"+strings.Repeat("A2", 8), "AS"+"IA"+strings.Repeat("A2", 8), "LT"+"AI"+long,
		"AK"+"ID"+long, "AI"+"za"+long[:35], "ya"+"29."+long, "SG"+"."+long+"."+long,
		"key"+"-"+hex[:32], "dapi"+hex[:32], "SE"+"C"+hex, "12345678"+"9:AA"+long[:33], "hvs"+"."+long,
		"dckr"+"_pat_"+long, "ey"+"J"+long+"."+long+"."+long, "$2a"+"$10$"+long, "$6"+"$salt$"+long,
		"x"+long+".atlas"+"v1."+long)
}

// harmless are texts without a secret.
var harmless = []string{
	"primary_key=id", "partitionKey: tenant", "sort-key=name", "public_key=abc", "bypass=true",
	"compass: north", "keyboard=us", "key=value", "monkey=1", "author=bob", "passenger=7", "spinning=1",
	"oauth2: off",
	"open /run/secrets/token: permission denied", "open /etc/tls/server.key: no such file or directory",
	"dingtalk.secret: is missing", "api_key: want a text", "job \"invoices\" failed: exit code 7",
	"msg=request method=GET path=/api/tokens status=200", "reason=wrong_host", "3 passed, 1 failed",
	"key 7 of 10", "/opt/keys/run.sh --all", "task 12:30:45 done", "disk sk: ok", "basic authentication",
	"Basic settings",
	"docker run -p 8080:80 nginx", "zip -r a.zip b", "mysql -h db shop", "tar -p -xf a", "ssh -p 22 h",
	"http://h:8080/a?page=2&size=10", "0=北京,1=上海", "任务失败：连接被拒绝", "密", "证书过期", "公式为空", "私人助理",
	"00000000-0000-0000-0000-000000000000", "sha256:" + strings.Repeat("0a", 32), "time=12:30:45.123",
	"sharding-total-count: 3",
}

// TestW59Corpus: no form of a secret is shown, in texts, in documents, in properties.
func TestW59Corpus(t *testing.T) {
	t.Parallel()
	for _, form := range named {
		form = strings.ReplaceAll(form, "§", canary)
		for _, around := range []string{"%s", "run failed: %s", "x=1 %s\ny=2"} {
			text := fmt.Sprintf(around, form)
			shown := mask.Text(text)
			if strings.Contains(shown, canary) {
				t.Errorf("%s\nis shown as\n%s", text, shown)
			}
			if again := mask.Text(shown); strings.Contains(again, canary) {
				t.Errorf("%q masked again is %q", shown, again)
			}
			doc := string(mask.Document([]byte("jobName: j\njobParameter: " + text + "\n")))
			if strings.Contains(doc, canary) {
				t.Errorf("in a document:\n%s", doc)
			}
		}
	}
	for _, token := range tokens() {
		if shown := mask.Text("got " + token + " back"); shown != "got *** back" {
			t.Errorf("%s is shown as %s", token, shown)
		}
	}
	for _, text := range harmless {
		if shown := mask.Text(text); shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if text := "a: " + text + "\n"; string(mask.Document([]byte(text))) != text {
			t.Errorf("%q in a document is shown as %q", text, mask.Document([]byte(text)))
		}
	}
}

// TestW59Names: the names of properties and parameters that have secrets.
func TestW59Names(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields("password passwd dbPassword DB_PASS pass pw rootpw api_key apiKey x-api-key encryptionKey " +
		"SIGNING_KEY auth redis.auth authToken pin userPin otp creds " +
		"client-secret webhook privateKey salt jwt 密码 数据库密码 登录口令 访问令牌 密碼 'dingtalk.secret' \"pass\":") {
		if !mask.Key(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range strings.Fields("key id name publicKey primary_key partition-key idempotency_key bypass " +
		"compass author passenger pins keyboard tenant spin 城市 密度 server.keys.path cron") {
		if mask.Key(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

// TestW59Pairs: a secret in the line after its name.
func TestW59Pairs(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		"env:\n- name: DB_PASSWORD\n  value: Canary7\n- name: A\n  value: b\n",
		"env:\n  - name: \"DB_PASS\"\n    value: Canary7\n",
		"{\n\"name\": \"API_KEY\",\n\"value\": \"Canary7\"\n}\n",
		"密码：\n  Canary7\nx: y\n",
	} {
		if shown := string(mask.Document([]byte(doc))); strings.Contains(shown, canary) {
			t.Errorf("%s\nis shown as\n%s", doc, shown)
		}
		if shown := mask.Text(doc); strings.Contains(doc, "name") && strings.Contains(shown, canary) {
			t.Errorf("%s\nis shown as the text\n%s", doc, shown)
		}
	}
}
