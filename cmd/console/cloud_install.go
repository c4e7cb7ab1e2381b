package main

import (
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/elasticjob-go/elasticjob/deploy"
)

// installResources is the command that installs the custom resources, as a console without
// them says.
const installResources = "console cloud install --print --crds-only | kubectl apply -f -"

// cloudInstallCommand is `console cloud install`. It asks no console, and no cluster either:
// the rights that it prints are not the console's to give.
type cloudInstallCommand struct {
	ofCloud
	Print bool `help:"Print it as YAML for kubectl apply -f -."`
	CRDs  bool `name:"crds-only" help:"Only the custom resources."`
	// Not --namespace, whose variable has the console's namespace of ZooKeeper.
	CloudNamespace string `default:"elasticjob" placeholder:"NAME" help:"The namespace of the runs, which the rights are for. It has to be there."`
}

func (c *cloudInstallCommand) run(p *process) error {
	if !c.Print {
		return usage("Run `console cloud install --print | kubectl apply -f -` with a kubeconfig of an administrator.\nWithout `| kubectl apply -f -` it shows what would be installed.",
			"an administrator of the cluster installs it: the console installs nothing")
	}
	if wrong := validation.IsDNS1123Label(c.CloudNamespace); wrong != nil {
		return usage("Give the name of a namespace, such as jobs.", "--cloud-namespace %q: %s", c.CloudNamespace, wrong[0])
	}
	text, err := deploy.CustomResources()
	if !c.CRDs {
		text, err = deploy.Installation(c.CloudNamespace)
	}
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}
