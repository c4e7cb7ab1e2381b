package jobtree

import "github.com/elasticjob-go/elasticjob/jobconfig"

// A job's configuration is public and lives in package jobconfig. The names here
// are those by which the engine, which reads the tree, knows it.
type (
	// Config is [jobconfig.Config].
	Config = jobconfig.Config
	// Generation is [jobconfig.Generation].
	Generation = jobconfig.Generation
	// Dialect is [jobconfig.Dialect].
	Dialect = jobconfig.Dialect
)

// The values of [Generation] and [Dialect], and the largest number of shards.
const (
	Generation3x = jobconfig.Generation3x
	Generation2x = jobconfig.Generation2x
	Dialect304   = jobconfig.Dialect304
	Dialect305   = jobconfig.Dialect305
	MaxShards    = jobconfig.MaxShards
)

// NewConfig is [jobconfig.New].
func NewConfig(name string, shards int) *Config { return jobconfig.New(name, shards) }

// DecodeConfig is [jobconfig.Decode].
func DecodeConfig(data []byte) (*Config, error) { return jobconfig.Decode(data) }

// ParseItemParameters is [jobconfig.ParseItemParameters].
func ParseItemParameters(s string) (map[int]string, error) { return jobconfig.ParseItemParameters(s) }
