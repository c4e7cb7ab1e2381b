// Package conf holds the configuration files the console is shipped with.
//
//	conf/auth.properties ──embedded──► used when no file is named
package conf

import _ "embed"

// AuthProperties is the sample file of accounts. Its passwords are the shipped
// defaults, which the console accepts on a loopback address only.
//
//go:embed auth.properties
var AuthProperties []byte
