package mask

import (
	"regexp"
	"strings"
)

var (
	urlForm  = regexp.MustCompile(`^(?i:mysql|mariadb|postgres|postgresql|sqlserver|oracle)://`)
	fileForm = regexp.MustCompile(`^(?i:sqlite:|file:)`)
	// goForm recognises what is, or was meant to be, the MySQL driver's own form,
	// "user:password@tcp(host)/name".
	goForm = regexp.MustCompile(`^(.*@)?(tcp|tcp4|tcp6|unix)\(|^[^/\\]*@|^[^/\\]*:.*@`)
	// secretParameter recognises a password among the parameters of a URL.
	secretParameter = regexp.MustCompile(`(?i)([?&][a-z_]*(?:passw|pwd|secret|token)[a-z_]*=)[^&]*`)
	// hostPort is what stands after the scheme when there is no account.
	hostPort = regexp.MustCompile(`^(\[[0-9A-Fa-f:.]*\]|[^:/?#]*)(:[0-9]{1,5})?([/?#][^:]*)?$`)
)

// DSN returns a data source name that may be shown: with Hidden in the place
// of the password. It hides too much rather than too little, because it also
// meets names that nobody could parse.
func DSN(dsn string) string {
	dsn = strings.TrimSpace(dsn)
	if fileForm.MatchString(dsn) {
		return dsn
	}
	prefix := urlForm.FindString(dsn)
	if prefix != "" {
		dsn = secretParameter.ReplaceAllString(dsn, "${1}"+Hidden)
	}
	rest := dsn[len(prefix):]
	if prefix == "" && !goForm.MatchString(dsn) {
		return dsn // a file
	}
	at := strings.LastIndex(rest, "@")
	if at < 0 {
		if strings.Contains(rest, ":") && prefix != "" && !hostPort.MatchString(rest) {
			return prefix + Hidden // perhaps a password whose "@" was forgotten
		}
		return dsn
	}
	user, _, hidden := strings.Cut(rest[:at], ":")
	if hidden {
		user += ":" + Hidden
	}
	return prefix + user + rest[at:]
}
