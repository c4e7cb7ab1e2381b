package store_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// TestW21SecurityParameters: a connection is never less safe than Java's driver makes it, and
// a parameter that we don't understand is an error that names it, without its value.
func TestW21SecurityParameters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ scheme, query, want, err string }{
		{"mysql", "useSSL=true&requireSSL=true&verifyServerCertificate=true", "true", ""},
		{"mysql", "useSSL=true&requireSSL=true", "skip-verify", ""},
		{"mysql", "requireSSL=true", "skip-verify", ""},
		{"mysql", "useSSL=true&verifyServerCertificate=true", "true", ""},
		{"mysql", "useSSL=true&verifyServerCertificate=false", "preferred", ""},
		{"mysql", "useSSL=true", "preferred", ""},
		{"mysql", "USESSL=TRUE&requiressl=yes", "skip-verify", ""},
		{"mysql", "useSSL=false&requireSSL=false", "false", ""},
		{"mysql", "useSSL=false&requireSSL=true", "", "take one of them out"},
		{"mysql", "useSSL=1", "", `"useSSL" of the URL is not understood; want true or false`},
		{"mysql", "sslMode=VERIFY_IDENTITY&useSSL=false", "true", ""},
		{"mysql", "sslMode=DISABLED&useSSL=true", "false", ""},
		{"mysql", "sslMode=STRICT", "", `"sslMode" of the URL is not understood`},
		{"mysql", "sslMode=REQUIRED&enabledTLSProtocols=TLSv1.2,TLSv1.3", "skip-verify", ""},
		{"mysql", "sslMode=REQUIRED&tlsVersions=TLSv1.3", "", `"tlsVersions"`},
		{"mysql", "sslMode=VERIFY_CA&trustCertificateKeyStorePassword=hunter2", "", `"trustCertificateKeyStorePassword"`},
		{"mysql", "sslMode=VERIFY_CA&fallbackToSystemTrustStore=false", "", `"fallbackToSystemTrustStore"`},
		{"mysql", "serverRSAPublicKeyFile=x", "", `"serverRSAPublicKeyFile"`},
		{"mysql", "authenticationPlugins=x", "", `"authenticationPlugins"`},
		{"mysql", "useUnicode=true&allowPublicKeyRetrieval=true", "", ""},
		{"mariadb", "useSsl=true", "true", ""},
		{"mariadb", "useSsl=true&trustServerCertificate=true", "skip-verify", ""},
		{"mariadb", "sslMode=trust", "skip-verify", ""},
		{"mariadb", "serverSslCert=x", "", `"serverSslCert"`},
		{"mariadb", "useSsl=true&trustStore=x", "", `"trustStore"`},
		{"postgresql", "ssl=true", "verify-full", ""},
		{"postgresql", "ssl", "verify-full", ""},
		{"postgresql", "ssl=false", "", ""},
		{"postgresql", "ssl=true&sslmode=require", "require", ""},
		{"postgresql", "sslmode=strict", "", `"sslmode"`},
		{"postgresql", "sslrootcert=x", "", `"sslrootcert"`},
		{"postgresql", "sslpassword=hunter2", "", `"sslpassword"`},
		{"postgresql", "channelBinding=require", "", `"channelBinding"`},
		{"postgresql", "gssEncMode=require", "", `"gssEncMode"`},
		{"postgresql", "applicationName=a&currentSchema=x", "", ""},
	} {
		query, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := store.JavaTLS(tt.scheme, query)
		switch {
		case tt.err == "" && (err != nil || got != tt.want):
			t.Errorf("%s %s: %q, %v; want %q", tt.scheme, tt.query, got, err, tt.want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s %s: %v; want %q", tt.scheme, tt.query, err, tt.err)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s %s: the error has the password: %v", tt.scheme, tt.query, err)
		}
		fields, _, fieldsErr := store.FromJDBC("jdbc:"+tt.scheme+"://db/jobs?"+tt.query, "u", "p")
		mode := fields.Options["tls"] + fields.Options["sslmode"]
		if (fieldsErr == nil) != (tt.err == "") || mode != tt.want {
			t.Errorf("%s %s: fields %v, %v", tt.scheme, tt.query, fields.Options, fieldsErr)
		}
	}
}
