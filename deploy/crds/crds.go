// Package crds has the definitions of the resources of ElasticJob-Cloud on Kubernetes, for
// programs that print them and tests that install them.
package crds

import _ "embed"

// ElasticJobs and ElasticJobApps are the two definitions as YAML.
var (
	//go:embed elasticjobs.yaml
	ElasticJobs []byte
	//go:embed elasticjobapps.yaml
	ElasticJobApps []byte
)
