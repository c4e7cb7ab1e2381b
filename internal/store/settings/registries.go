package settings

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// Registry is a registry that was entered.
type Registry struct {
	Name      string
	Servers   []string // host:port
	Namespace string
	Digest    string // "user:password"; a secret
	Access    Access
	// Revision is another after every change.
	Revision int64
}

// Access says how a registry is spoken to. The zero Access is without
// TLS, and with the ACL that goes with the digest.
type Access struct {
	TLS        bool   `json:"tls,omitempty"`
	CA         string `json:"ca,omitempty"`   // PEM; empty: the authorities of the machine
	Cert       string `json:"cert,omitempty"` // PEM
	Key        string `json:"key,omitempty"`  // PEM; a secret
	ServerName string `json:"serverName,omitempty"`
	ACL        string `json:"acl,omitempty"` // as of package zk
}

type registryRow struct {
	Name      string `gorm:"primaryKey"`
	Servers   string
	Namespace string
	Digest    string
	Access    *string
	Revision  int64
}

func (registryRow) TableName() string { return "elasticjob_registry" }

func (r registryRow) name() string { return r.Name }

func registryPlace(name string) string { return "registry/" + name }

func accessPlace(name string) string { return "registry access/" + name }

func (s *Store) registryRow(r Registry) (registryRow, error) {
	row := registryRow{Name: r.Name, Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, Revision: rand.Int64()}
	var err error
	if row.Digest, err = s.key.seal(r.Digest, registryPlace(r.Name)); err != nil || r.Access == (Access{}) {
		return row, err
	}
	text, err := json.Marshal(r.Access)
	if err != nil {
		return row, err
	}
	access, err := s.key.seal(string(text), accessPlace(r.Name))
	row.Access = &access
	return row, err
}

func (s *Store) registry(row registryRow) (Registry, error) {
	r := Registry{Name: row.Name, Servers: strings.Split(row.Servers, ","), Namespace: row.Namespace, Revision: row.Revision}
	var err error
	if r.Digest, err = s.key.open(row.Digest, registryPlace(row.Name)); err != nil || row.Access == nil {
		return r, err
	}
	text, err := s.key.open(*row.Access, accessPlace(row.Name))
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(text), &r.Access)
}

// Registries are the registries that were entered.
func (s *Store) Registries() Entries[Registry] {
	return table[Registry, registryRow]{s, "registry", s.registryRow, s.registry}
}
