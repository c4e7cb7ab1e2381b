package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// treeLimit bounds the reading of a tree, the connecting included.
const treeLimit = 15 * time.Second

// cloudImportCommand is `elasticjob cloud import`.
type cloudImportCommand struct {
	ofCloud
	Zookeeper  []string         `placeholder:"HOST:PORT,…" help:"Read the tree here, from this machine: the ensemble of the other scheduler (zk_servers), behind the last address a chroot, if there is one."`
	Namespace  string           `placeholder:"NAME" help:"The namespace of the other scheduler (zk_namespace). Default: elasticjob-cloud, or with --registry the namespace that was entered with it."`
	Digest     string           `placeholder:"USER:PASSWORD" help:"The digest of the other scheduler (zk_digest), if it has one."`
	DigestFile string           `placeholder:"FILE" help:"A file with the value of --digest."`
	Secure     cli.ZooKeeperTLS `embed:"" prefix:"zookeeper-"`
	Registry   string           `placeholder:"NAME" help:"In place of --zookeeper: have the console read the tree, in a registry that was entered there; default is the registry of its command line."`
	App        []string         `placeholder:"APP,…" help:"Only these applications and their jobs. Default: all."`
	Disabled   bool             `help:"Make all jobs disabled, and switch nothing that is here already."`
	DryRun     bool             `help:"Print the changes, and make none."`
}

// cloudImportAnswer is the answer to an import.
type cloudImportAnswer struct{ api.CloudImportAnswer }

func (c *cloudImportCommand) Run(p *cli.Process) error {
	body := api.CloudImportRequest{Registry: c.Registry, Namespace: c.Namespace, Apps: c.App, Disabled: c.Disabled, DryRun: c.DryRun}
	switch {
	case c.Registry == "" && len(c.Zookeeper) == 0:
		return cli.Usage("Give --zookeeper zk1:2181,zk2:2181 to read the tree from here, or --registry with the name of a registry of the console.", "the place of the tree is missing")
	case c.Registry != "" && len(c.Zookeeper) > 0:
		return cli.Usage("Give one of them; "+cli.EnvName("zookeeper")+" counts as the latter.", "--registry and --zookeeper are both given")
	case c.Registry == "":
		tree, err := c.read(p)
		if err != nil {
			return err
		}
		body.Tree, body.Namespace, body.Apps = &tree, "", nil
	}
	return c.access.with(p, "", "elasticjob cloud jobs", func(ctx context.Context, client *client) error {
		var answer cloudImportAnswer
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: cloudPath("import"), Body: body}, &answer)
		if err != nil {
			return err
		}
		return errors.Join(c.print(p, raw, func() error { return answer.print(p.Stdout) }), answer.result())
	})
}

// read reads the tree from this machine, the part of it that is asked for.
func (c *cloudImportCommand) read(p *cli.Process) (tree zkstore.Tree, err error) {
	name := c.Namespace
	if name == "" {
		name = zkstore.Namespace
	}
	namespace, err := jobtree.NewNamespace(name)
	if err != nil {
		return tree, cli.Usage("Give the namespace of the other scheduler, such as elasticjob-cloud.", "--namespace: %w", err)
	}
	digest, err := cli.Secret("digest", c.Digest, c.DigestFile)
	if err != nil {
		return tree, err
	}
	secure, err := c.Secure.Config()
	if err != nil {
		return tree, err
	}
	config := zk.Config{Servers: c.Zookeeper, Digest: digest, TLS: secure, Logger: p.Log}
	if err := config.Validate(); err != nil {
		return tree, cli.Usage("Give the ensemble as host:port, several separated by commas, and a chroot behind the last: zk1:2181,zk2:2181/elastic.", "--zookeeper: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(p.Ctx, treeLimit, fmt.Errorf("it took longer than %v", treeLimit))
	defer cancel()
	servers := strings.Join(c.Zookeeper, ",")
	client, err := zk.Connect(ctx, config)
	if err == nil {
		tree, err = zkstore.ReadTree(ctx, client, namespace)
		err = errors.Join(err, client.Close())
	}
	switch {
	case errors.Is(err, zk.ErrNoChroot), errors.Is(err, zkstore.ErrNoTree):
		return tree, cli.Fail("Is that the ensemble, and is "+name+" the namespace of the scheduler (zk_namespace)? A chroot is behind the last address.", "%s: %w", servers, err)
	case errors.Is(err, zkstore.ErrTreeForbidden):
		return tree, cli.Fail("Give the digest of the scheduler (zk_digest) with --digest-file.", "%s: %w", servers, err)
	case errors.Is(err, zkstore.ErrTreeTooLarge):
		return tree, cli.Fail("Register what you need with `elasticjob cloud apply`.", "%s: %w", servers, err)
	case err != nil:
		return tree, cli.Fail("Can ZooKeeper be reached from this machine at that address? If it speaks TLS, --zookeeper-tls and the flags behind it have the details: see docs/security.md.", "%s: %w", servers, err)
	}
	tree, absent := tree.Only(c.App)
	if len(absent) > 0 {
		return tree, cli.Usage("Leave it out to see all of them, with --dry-run.", "--app: the tree has no application %s", strings.Join(absent, ", "))
	}
	return tree, nil
}

// print prints the outcome for each application and job, with refusals and notes below.
func (a cloudImportAnswer) print(to io.Writer) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, d := range a.Documents {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", d.Kind, api.Plain(d.Name), d.Action, strings.Join(d.Fields, ", "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, d := range a.Documents {
		if d.Action == "refused" && len(d.Refused) == 0 {
			fmt.Fprintf(to, "%s %s: %s\n", d.Kind, api.Plain(d.Name), api.Plain(d.Reason))
		}
		for _, f := range d.Refused {
			fmt.Fprintf(to, "%s %s: %s%s: want %s\n", d.Kind, api.Plain(d.Name), api.Plain(f.Field), inQuotes(f.Value), api.Plain(f.Want))
		}
		for _, n := range d.Notes {
			fmt.Fprintf(to, "%s %s: %s%s: %s\n", d.Kind, api.Plain(d.Name), api.Plain(n.Field), inQuotes(n.Value), api.Plain(n.Note))
		}
	}
	if a.Scheduler {
		fmt.Fprintln(to, "A scheduler takes part in the election in the tree: stop it before jobs are enabled here.")
	}
	return nil
}

// inQuotes is a value in a line; nothing for none.
func inQuotes(value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(" %q", api.Plain(value))
}

// result is an error if something was left out.
func (a cloudImportAnswer) result() error {
	out := 0
	for _, d := range a.Documents {
		if d.Action == "refused" {
			out++
		}
	}
	if out == 0 {
		return nil
	}
	done := "imported"
	if a.DryRun {
		done = "what would be imported"
	}
	return cli.Fail("Correct them in the tree, or register them here first: an application that is here keeps its image, its command and its archive, and its jobs come with the next import.",
		"%d of %d are not %s: the lines above have the reasons", out, len(a.Documents), done)
}
