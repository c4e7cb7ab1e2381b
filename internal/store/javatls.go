package store

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var securityParameter = regexp.MustCompile(
	`(?i)ssl|tls|cert|keystore|truststore|auth|gss|kerberos|channelbinding|rsapublickey|socketfactory`)

// IsSecurityParameter reports whether a parameter of a JDBC address affects encryption or the
// login. [JavaTLS] reads these parameters.
func IsSecurityParameter(name string) bool { return securityParameter.MatchString(name) }

// javaModes are the values of Java's sslMode in our drivers' words.
var javaModes = map[string]map[string]string{
	MySQL: {
		"disabled": "false", "disable": "false", "preferred": "preferred", "required": "skip-verify", "trust": "skip-verify",
		"verify-ca": "true", "verify-identity": "true", "verify-full": "true",
	},
	Postgres: {
		"disable": "disable", "allow": "allow", "prefer": "prefer", "require": "require",
		"verify-ca": "verify-ca", "verify-full": "verify-full",
	},
}

// JavaTLS reads the security parameters of a JDBC address. Its scheme is "mysql",
// "mariadb" or "postgresql". JavaTLS returns the value for MySQL's tls or PostgreSQL's sslmode that
// is at least as strict as they are, or "" if the address has none. A parameter that we don't
// understand is an error, because the connection might be less safe without it.
func JavaTLS(scheme string, query url.Values) (mode string, err error) {
	given, named := map[string]string{}, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if IsSecurityParameter(name) {
			key := strings.ToLower(name)
			given[key], named[key] = strings.ToLower(strings.ReplaceAll(query.Get(name), "_", "-")), name
		}
	}
	refuse := func(name, want string) { // without the value, which may be a password
		if err == nil {
			err = fmt.Errorf("the security parameter %s of the URL is not understood; %s", clipped(named[name], 40), want)
		}
	}
	flag := func(name string) (set, isGiven bool) {
		value, isGiven := given[name]
		if isGiven && !slices.Contains([]string{"true", "false", "yes", "no", ""}, value) {
			refuse(name, "want true or false")
		}
		delete(given, name)
		return value != "false" && value != "no", isGiven
	}
	kind := MySQL
	if scheme == "postgresql" {
		kind = Postgres
	}
	value, modeGiven := given["sslmode"]
	if mode = javaModes[kind][value]; modeGiven && mode == "" {
		refuse("sslmode", "want "+strings.Join(slices.Sorted(maps.Keys(javaModes[kind])), ", "))
	}
	delete(given, "sslmode")
	if kind == Postgres {
		if ssl, isGiven := flag("ssl"); ssl && isGiven && !modeGiven {
			mode = "verify-full"
		}
	} else if legacy, contradicts := legacyTLS(scheme, flag); !modeGiven {
		if mode = legacy; contradicts {
			return "", fmt.Errorf("the URL turns TLS off with useSSL=false and demands it with another parameter; " +
				"take one of them out")
		}
	}
	for _, name := range []string{"enabledtlsprotocols", "enabledsslprotocolsuites", "tlsversions"} {
		if strings.Contains(given[name], "tlsv1.2") { // the oldest version that our drivers accept
			delete(given, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		refuse(name, "take it out and check that the connection is as safe as it must be, with sslMode")
	}
	return mode, err
}

// legacyTLS reads the parameters from before sslMode. With useSSL alone, MariaDB's driver checks
// the certificate, and MySQL's encrypts if the server can.
func legacyTLS(scheme string, flag func(string) (set, isGiven bool)) (mode string, contradicts bool) {
	use, useGiven := flag("usessl")
	require, requireGiven := flag("requiressl")
	verify, verifyGiven := flag("verifyservercertificate")
	trust, trustGiven := flag("trustservercertificate")
	require, verify, trust = require && requireGiven, verify && verifyGiven, trust && trustGiven
	switch {
	case useGiven && !use:
		return "false", require || verify
	case verify, scheme == "mariadb" && useGiven && !trust:
		return "true", false
	case require, trust && useGiven:
		return "skip-verify", false
	case useGiven:
		return "preferred", false
	}
	return "", false
}
