package main

import (
	"regexp"

	"github.com/elasticjob-go/elasticjob/deploy"
	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// label matches the names that a cluster takes for namespaces.
var label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// cloudInstallCommand is `elasticjob cloud install`. It asks no console, and no cluster either:
// the rights that it prints are not the console's to give.
type cloudInstallCommand struct {
	Print          bool   `help:"Print it as YAML for kubectl apply -f -."`
	CRDs           bool   `name:"crds-only" help:"Only the custom resources."`
	CloudNamespace string `default:"elasticjob" placeholder:"NAME" help:"The namespace of the runs, which the rights are for. It has to be there."`
}

func (c *cloudInstallCommand) Run(p *cli.Process) error {
	if !c.Print {
		return cli.Usage("Run `elasticjob cloud install --print | kubectl apply -f -` with a kubeconfig of an administrator.\nWithout `| kubectl apply -f -` it shows what would be installed.",
			"an administrator of the cluster installs it: the console installs nothing")
	}
	if !label.MatchString(c.CloudNamespace) {
		return cli.Usage("Give the name of a namespace, such as jobs.", "--cloud-namespace %q: a namespace has at most 63 letters from a to z, digits and hyphens, and no hyphen at its ends", c.CloudNamespace)
	}
	text, err := deploy.CustomResources()
	if !c.CRDs {
		text, err = deploy.Installation(c.CloudNamespace)
	}
	if err != nil {
		return err
	}
	_, err = p.Stdout.Write(text)
	return err
}
