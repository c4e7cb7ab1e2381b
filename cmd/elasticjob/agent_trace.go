package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/store"
)

// database chooses the trace database: --dsn, else the data source of the file, else none.
func (c *agentCommand) database(plan *agentPlan) error {
	const hint = "The trace database is the value of --dsn or --dsn-file, else elasticjob.tracing.dataSource, else spring.datasource of the file."
	dsn, err := cli.Secret("dsn", c.DSN, c.DSNFile)
	if err != nil {
		return err
	}
	source := plan.file.Tracing.Source
	switch {
	case dsn != "":
		if !plan.file.Tracing.RDB {
			plan.file.Tracing.RDB = true // Asked for on the command line.
		}
	case !plan.file.Tracing.RDB:
		return nil
	case source.URL == "":
		return cli.Usage(hint, "%s: elasticjob.tracing.type is RDB, and no database is named", plan.name)
	default:
		if dsn, plan.unused, err = dataSourceName(source); err != nil {
			return cli.Usage(hint, "%s: line %d: url: %w", plan.name, source.Line, err)
		}
	}
	if err := store.Check(dsn); err != nil {
		return cli.Usage(hint, "%w", err)
	}
	plan.dsn = dsn
	return nil
}

const jdbcWanted = "want jdbc:mysql://host:3306/name, jdbc:mariadb://host:3306/name, jdbc:postgresql://host:5432/name, jdbc:sqlite:file, or a DSN such as mysql://host:3306/name"

// dataSourceName makes a DSN of a data source in Spring's words. unused names
// parameters that only a Java driver knows. No error repeats the address: it
// may hold a password.
func dataSourceName(source jobfile.DataSource) (dsn string, unused []string, err error) {
	address, jdbc := strings.CutPrefix(source.URL, "jdbc:")
	scheme, _, _ := strings.Cut(address, ":")
	switch {
	case jdbc && scheme == "sqlite":
		return "sqlite:" + strings.TrimPrefix(address, "sqlite:"), nil, nil
	case scheme == "mysql" || scheme == "mariadb" || scheme == "postgresql" || scheme == "postgres" && !jdbc:
	case jdbc:
		return "", nil, fmt.Errorf("a database of kind jdbc:%s is not supported; %s", scheme, jdbcWanted)
	default:
		if source.Username != "" {
			return "", nil, errors.New("username is given, but the address is no URL; put the account into the address")
		}
		return source.URL, nil, nil
	}
	ours, port, tls, translate := "mysql", "3306", "tls", mysqlParameters
	if strings.HasPrefix(scheme, "postgres") {
		ours, port, tls, translate = "postgres", "5432", "sslmode", postgresParameters
	}
	_, place, _ := strings.Cut(address, "//")
	place, _, _ = strings.Cut(place, "?")
	place = place[strings.LastIndexByte(place, '@')+1:]
	u, err := url.Parse(address)
	switch hosts, database, _ := strings.Cut(place, "/"); {
	case strings.ContainsAny(hosts, ",()"):
		return "", nil, fmt.Errorf("not understood, because it lists several hosts and we connect to one; "+
			"name a proxy or a virtual address that follows the primary; %s", jdbcWanted)
	case database == "" && hosts != "":
		return "", nil, fmt.Errorf("not understood, because it names no database; %s", jdbcWanted)
	case err != nil || u.Host == "" || len(u.Path) < 2:
		return "", nil, fmt.Errorf("not understood, because its host, its port or its account can't be read; %s", jdbcWanted)
	}
	query := u.Query()
	user, password := u.User.Username(), ""
	if p, ok := u.User.Password(); ok {
		password = p
	}
	if jdbc {
		user, password = orElse(user, query.Get("user")), orElse(password, query.Get("password"))
		mode, err := store.JavaTLS(scheme, query)
		if err != nil {
			return "", nil, err
		}
		var parameters url.Values
		if parameters, unused = translate(query); mode != "" {
			parameters.Set(tls, mode)
		}
		u.RawQuery = parameters.Encode()
	}
	user, password = orElse(source.Username, user), orElse(source.Password, password)
	u.Scheme, u.User = ours, nil
	if user != "" {
		u.User = url.UserPassword(user, password)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u.String(), unused, nil
}

func orElse(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

// mysqlParameters translates what Java's drivers know into what ours knows.
func mysqlParameters(jdbc url.Values) (ours url.Values, unused []string) {
	ours = url.Values{}
	for _, name := range slices.Sorted(maps.Keys(jdbc)) {
		value := jdbc.Get(name)
		switch strings.ToLower(name) {
		case "user", "password":
		case "connecttimeout":
			ours.Set("timeout", value+"ms")
		case "sockettimeout":
			ours.Set("cli.ReadTimeout", value+"ms")
			ours.Set("cli.WriteTimeout", value+"ms")
		default:
			if !store.IsSecurityParameter(name) {
				unused = append(unused, name)
			}
		}
	}
	return ours, unused
}

// postgresParameters does the same for PostgreSQL.
func postgresParameters(jdbc url.Values) (ours url.Values, unused []string) {
	ours = url.Values{}
	for _, name := range slices.Sorted(maps.Keys(jdbc)) {
		value := jdbc.Get(name)
		switch strings.ToLower(name) {
		case "user", "password":
		case "connecttimeout":
			ours.Set("connect_timeout", value) // seconds there and here
		case "applicationname":
			ours.Set("application_name", value)
		case "currentschema":
			ours.Set("search_path", value)
		default:
			if !store.IsSecurityParameter(name) {
				unused = append(unused, name)
			}
		}
	}
	return ours, unused
}
