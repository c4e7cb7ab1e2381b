package api

// Addresses of the settings.
const (
	RegistriesPath  = "/api/registry-center"
	DataSourcesPath = "/api/data-source"
	TokensPath      = "/api/tokens"
	ImportPath      = "/api/settings/import"
)

// NameRequest names a registry or a data source.
type NameRequest struct {
	Name string `json:"name"`
}

// Registry is ElasticJob's RegistryCenterConfiguration without its digest.
type Registry struct {
	Name      string `json:"name"`
	Servers   string `json:"zkAddressList"`
	Namespace string `json:"namespace"`
	HasDigest bool   `json:"hasDigest"`
	// TLS is absent without TLS. Its private key is never shown.
	TLS *RegistryTLS `json:"tls,omitempty"`
	ACL string       `json:"acl,omitempty"`
	// Activated: requests with this token that name no registry are about this one.
	Activated bool `json:"activated"`
	// Fixed: it comes from the command line and can't be changed here.
	Fixed bool `json:"fixed"`
}

// RegistryTLS configures TLS to a registry.
type RegistryTLS struct {
	Enabled    bool   `json:"enabled"`
	CA         string `json:"ca,omitempty"`
	Cert       string `json:"cert,omitempty"`
	Key        string `json:"key,omitempty"` // in requests only
	ServerName string `json:"serverName,omitempty"`
}

// RegistryRequest adds or changes a registry. An absent digest, tls or acl stays as it is.
type RegistryRequest struct {
	Name      string  `json:"name"`
	Servers   string  `json:"zkAddressList"`
	Namespace string  `json:"namespace"`
	Digest    *string `json:"digest"`
	// TLS is replaced as a whole, except that an absent key stays with its certificate.
	TLS *RegistryTLS `json:"tls"`
	ACL *string      `json:"acl"`
}

// DataSource is an event-trace data source in parts, and as ElasticJob's
// EventTraceDataSourceConfiguration. The password is never shown.
type DataSource struct {
	Name        string            `json:"name"`
	Type        string            `json:"type"`
	Host        string            `json:"host"`
	Port        int               `json:"port"`
	Database    string            `json:"database"`
	Username    string            `json:"username"`
	HasPassword bool              `json:"hasPassword"`
	Options     map[string]string `json:"options"`
	Driver      string            `json:"driver"`
	URL         string            `json:"url"`
	// Activated: requests with this token that name no data source are about this one.
	Activated bool `json:"activated"`
	// Fixed: it comes from the command line and can't be changed here.
	Fixed bool `json:"fixed"`
}

// DataSourceRequest adds or changes a data source, in parts or by a JDBC URL. An absent password
// stays as it is.
type DataSourceRequest struct {
	Name     string            `json:"name"`
	Type     string            `json:"type"`
	Host     string            `json:"host"`
	Port     int               `json:"port"`
	Database string            `json:"database"`
	Username string            `json:"username"`
	Password *string           `json:"password"`
	Options  map[string]string `json:"options"`
	URL      string            `json:"url"`
}

// ImportRequest has the text of a Configurations.xml of ElasticJob's console. Preview has no
// default.
type ImportRequest struct {
	XML     string `json:"xml"`
	Preview *bool  `json:"preview"`
}

// Import reports the entries that an import added, or would add.
type Import struct {
	Preview bool          `json:"preview"`
	Added   int           `json:"added"`
	Present int           `json:"present"`
	Refused int           `json:"refused"`
	Entries []ImportEntry `json:"entries"`
}

// Outcomes of an entry of an import.
const (
	ImportNew     = "new"
	ImportAdded   = "added"
	ImportPresent = "present" // an entry of this name exists, and stays as it is
	ImportRefused = "refused" // for the reason in the message
)

// ImportEntry is an entry of an imported file.
type ImportEntry struct {
	Kind       string      `json:"kind"`
	Name       string      `json:"name"`
	Outcome    string      `json:"outcome"`
	Message    string      `json:"message,omitempty"`
	Registry   *Registry   `json:"registry,omitempty"`
	DataSource *DataSource `json:"dataSource,omitempty"`
	// Dropped are parameters of the URL without a meaning here.
	Dropped []string `json:"dropped,omitempty"`
}
