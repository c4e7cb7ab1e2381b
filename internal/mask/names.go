package mask

import "regexp"

// The names of secrets, in expressions that ignore case.
const (
	// within are pieces of names that are enough wherever they are. The address of a robot is
	// a secret, because anyone who has it can write in the robot's name.
	within = `passw|pwd|pass[_.\-]?phrase|pass[_.\-]?code|secret|token|webhook|credential|digest|signature|cookie|` +
		`authorization|(?:api|access|private|account|sas)[_.\-]?key|jsessionid|phpsessid`
	// atEnd are the ends of names: DB_PASS, rootpw, signingKey. Names in harmless aren't meant.
	atEnd = `\b[\w.\-]*(?:pass|pw|[a-z0-9][_.\-]*keys?(?:[_.\-]?(?:b64|base64|value|pem|data|text))?)\d*`
	// segments are whole words of a name: redis.auth, PIN, userPin.
	segments = `\b(?:[\w.\-]*[_.\-])?(?:pin|otp|auth|jwt|creds?|salt|psw|mima|miyao|kouling)\d*|` +
		`\b[\w.\-]*(?-i:[a-z0-9](?:Pin|Otp|Auth|Jwt|Creds?|Salt))\d*|\b[\w.\-]*[a-z0-9][_.\-](?:pass|pw)[_.\-][\w.\-]*`
	name = `(?:[\w.\-]*(?:` + within + `)[\w.\-]*|` + atEnd + `|` + segments + `)`

	// chinese are the names of secrets in Chinese.
	chinese = `(?:密码|密碼|口令|密钥|密鑰|秘钥|秘鑰|令牌|权杖|權杖|凭证|憑證|凭据|憑據|私钥|私鑰|暗号|暗號|验证码|驗證碼|授权码|授權碼)`
)

// named and namedInChinese are pieces of words, one of which is in every name; the rules
// about names need not be tried without.
var (
	named = []string{
		"pass", "pw", "psw", "secret", "token", "webhook", "cred", "digest", "signature", "cookie", "auth", "key",
		"sessid", "jsessionid", "pin", "otp", "jwt", "salt", "mima", "miyao", "kouling",
	}
	namedInChinese = []string{"密", "秘", "口令", "令牌", "杖", "证", "證", "凭", "憑", "私", "暗", "码", "碼"}
)

var (
	secretName = regexp.MustCompile(`(?i)(` + name + `)(?:[^\w.\-]|$)|` + chinese)
	// harmless are names that end like the name of a secret.
	harmless = regexp.MustCompile(`(?i)(?:by|com|sur|tres|over|under)pass\d*$|` +
		`(?:public|pub|primary|foreign|partition|sort|order|shard|sharding|routing|idempotency|object|row|cache|message|` +
		`group|map|index|lookup|params|hot|mon|tur|don|joc|hoc|whis|translation|sub|candidate|unique|composite|surrogate|` +
		`natural|context|job)[_.\-]?keys?\d*$`)
)

// Key reports whether the name of a property, parameter or attribute says that its value is
// a secret.
func Key(name string) bool {
	match := secretName.FindStringSubmatch(name)
	return match != nil && !harmless.MatchString(match[1])
}
