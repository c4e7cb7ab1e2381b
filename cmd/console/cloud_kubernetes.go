package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/registry"
)

const (
	// mostNames bounds --cloud-service-accounts and --cloud-secrets.
	mostNames = 100
	// mostNamespaces bounds --cloud-namespaces: each is five watches.
	mostNamespaces = 50
)

// installResources is the command that installs the custom resources. A console that lacks them
// names it in its error.
const installResources = "elasticjob cloud install --print --crds-only | kubectl apply -f -"

// kubernetesOptions are those of the engine that makes Jobs of a cluster.
type kubernetesOptions struct {
	config          *rest.Config
	namespace       string
	others          []string // further namespaces
	serviceAccounts []string
	secrets         []string
	eventsURL       string
	registry        kube.Registry
	archives        kube.Archives
	zone            *time.Location
}

func (f *cloudFlags) kubernetesOptions(zone *time.Location, hosts archive.Hosts) (*kubernetesOptions, error) {
	config, namespace, err := kube.LoadConfig(f.CloudKubeconfig, "elasticjob-console/"+build.Get().Version)
	switch {
	case err != nil && f.CloudKubeconfig == "":
		return nil, cli.Usage("Name a kubeconfig with --cloud-kubeconfig, or run the console in the cluster: see docs/cloud-operations.md.", "--cloud kubernetes: %w", err)
	case err != nil:
		return nil, cli.Usage("Name a file that `kubectl --kubeconfig FILE get pods` works with.", "--cloud-kubeconfig %s: %w", f.CloudKubeconfig, err)
	case f.CloudNamespace != "":
		namespace = f.CloudNamespace
	}
	if wrong := validation.IsDNS1123Label(namespace); wrong != nil {
		return nil, cli.Usage("Give the name of a namespace, such as jobs.", "--cloud-namespace %q: %s", namespace, wrong[0])
	}
	others, err := f.otherNamespaces(namespace)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(checkNames("--cloud-service-accounts", f.CloudServiceAccounts), checkNames("--cloud-secrets", f.CloudSecrets)); err != nil {
		return nil, err
	}
	if err := checkEventsURL(f.CloudEventsURL); err != nil {
		return nil, err
	}
	shared, err := f.registry()
	if err != nil {
		return nil, err
	}
	archives, err := f.archives(hosts)
	if err != nil {
		return nil, err
	}
	return &kubernetesOptions{
		config: config, namespace: namespace, others: others, serviceAccounts: f.CloudServiceAccounts, secrets: f.CloudSecrets, eventsURL: f.CloudEventsURL, registry: shared,
		archives: archives, zone: zone,
	}, nil
}

// checkNames refuses a list of names of objects that applications may name.
func checkNames(flag string, names []string) error {
	if len(names) > mostNames {
		return cli.Usage("Name those that pods need and no others.", "%s has %d names, at most %d are taken", flag, len(names), mostNames)
	}
	for _, name := range names {
		if wrong := validation.IsDNS1123Subdomain(name); wrong != nil {
			return cli.Usage("Give names of objects in the namespace, separated by commas.", "%s %q: %s", flag, name, wrong[0])
		}
	}
	return nil
}

// registry is the ZooKeeper by which processes share their shards.
func (f *cloudFlags) registry() (kube.Registry, error) {
	switch {
	case len(f.CloudRegistryServers) == 0 && f.CloudRegistrySpace == "":
		return kube.Registry{}, nil
	case len(f.CloudRegistryServers) == 0 || f.CloudRegistrySpace == "":
		return kube.Registry{}, cli.Usage("Give both, or leave out both.", "--cloud-registry-servers and --cloud-registry-namespace belong together")
	}
	if err := (registry.ZooKeeper{Servers: f.CloudRegistryServers}).Validate(); err != nil {
		return kube.Registry{}, cli.Usage("Give addresses such as zk-0.zk:2181, separated by commas.", "--cloud-registry-servers: %w", err)
	}
	if _, err := jobtree.NewNamespace(f.CloudRegistrySpace); err != nil {
		return kube.Registry{}, cli.Usage("Give the namespace that the agents have, such as shop.", "--cloud-registry-namespace: %w", err)
	}
	return kube.Registry{Servers: strings.Join(f.CloudRegistryServers, ","), Namespace: f.CloudRegistrySpace}, nil
}

// otherNamespaces are those of --cloud-namespaces, each once and without the first one.
func (f *cloudFlags) otherNamespaces(first string) (others []string, err error) {
	if len(f.CloudNamespaces) > mostNamespaces {
		return nil, cli.Usage("Serve the others with a console of their own.", "--cloud-namespaces has %d names, at most %d are taken", len(f.CloudNamespaces), mostNamespaces)
	}
	for _, name := range f.CloudNamespaces {
		if wrong := validation.IsDNS1123Label(name); wrong != nil {
			return nil, cli.Usage("Give names of namespaces, separated by commas, such as shop,billing. All namespaces of a cluster cannot be meant by one word.", "--cloud-namespaces %q: %s", name, wrong[0])
		}
		if name != first && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	return others, nil
}

// mostImage bounds the name of an image.
const mostImage = 2000

// archives say how pods fetch theirs.
func (f *cloudFlags) archives(hosts archive.Hosts) (kube.Archives, error) {
	for flag, image := range map[string]string{"--cloud-fetch-image": f.CloudFetchImage, "--cloud-runtime-image": f.CloudRuntimeImage} {
		if strings.ContainsAny(image, " \t\r\n") || len(image) > mostImage {
			return kube.Archives{}, cli.Usage("Give a reference such as registry.example/elasticjob-console:1.", "%s is no image's name of at most %d bytes without blanks", flag, mostImage)
		}
	}
	if len(hosts) > 0 && f.CloudFetchImage == "" {
		return kube.Archives{}, cli.Usage("Name the image of this console with --cloud-fetch-image: in a pod it fetches the archive.", "--cloud-fetch-hosts is given, and no image that fetches")
	}
	for flag, name := range map[string]string{"--cloud-archive-cache": f.CloudArchiveCache, "--cloud-fetch-authority": f.CloudFetchAuthority} {
		if name != "" && len(validation.IsDNS1123Subdomain(name)) > 0 {
			return kube.Archives{}, cli.Usage("Name an object that is in the namespace, such as archives.", "%s %q is no name of Kubernetes", flag, name)
		}
	}
	return kube.Archives{
		Hosts: hosts, FetchImage: f.CloudFetchImage, RuntimeImage: f.CloudRuntimeImage, CacheClaim: f.CloudArchiveCache, Authority: f.CloudFetchAuthority,
	}, nil
}

// checkEventsURL refuses what processes could not post to. It is not repeated: somebody may
// have put a password into it.
func checkEventsURL(text string) error {
	if text == "" {
		return nil
	}
	address, err := url.Parse(text)
	if err == nil && len(text) <= task.MaxURL && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != "" &&
		address.User == nil && address.Fragment == "" && strings.HasSuffix(address.Path, event.Path) {
		return nil
	}
	return cli.Usage("Give the address of this console as pods reach it, such as http://elasticjob-console.jobs:8899"+event.Path+".",
		"--cloud-events-url is no address of http or https that ends in %s, without a user and a password, of at most %d bytes", event.Path, task.MaxURL)
}

// openKubernetes opens the engine of a cluster, with applications and jobs as its custom
// resources. It does not wait for the cluster.
func (s *site) openKubernetes(ctx context.Context, o *kubernetesOptions) (*cloudParts, error) {
	kube.LogTo(s.log)
	clients, err := kube.Connect(o.config)
	if err != nil {
		return nil, err
	}
	store, err := crdstore.New(crdstore.Config{Clients: clients, Namespace: o.namespace, Namespaces: o.others, Install: installResources, Logger: s.log})
	if err != nil {
		return nil, fmt.Errorf("ElasticJob-Cloud: %w", err)
	}
	s.cleanups.Add("close the store of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { return store.Close() })
	engine, err := openEngine(kube.Config{
		Clients: clients, Namespace: o.namespace, Policy: kube.Policy{ServiceAccounts: o.serviceAccounts, Secrets: o.secrets, Archives: o.archives}, Version: build.Get().Version, Logger: s.log,
		Zone: o.zone, EventsURL: o.eventsURL, Registry: o.registry,
	}, o.others, store)
	if err != nil {
		return nil, fmt.Errorf("ElasticJob-Cloud: %w", err)
	}
	s.cleanups.Add("stop the engine of ElasticJob-Cloud", 10*time.Second, func(context.Context) error { return engine.Close() })
	namespaces := append([]string{o.namespace}, o.others...)
	s.log.InfoContext(ctx, "ElasticJob-Cloud started", slog.String("engine", engineKubernetes), slog.String("server", o.config.Host), slog.String("namespace", strings.Join(namespaces, ",")))
	return &cloudParts{
		store: store, engine: engine, leadership: kube.NewLeadership(clients.Leases, o.namespace, s.addr(), kube.Timing{}, s.log),
		connected: func(context.Context) error { return nil }, namespaces: namespaces,
	}, nil
}

// closing is an engine with an end.
type closing interface {
	cloud.Engine
	Close() error
}

// openEngine opens the engine of one namespace, or of several.
func openEngine(c kube.Config, others []string, store *crdstore.Store) (closing, error) {
	if len(others) > 0 {
		return kube.OpenAll(c, others, store.In)
	}
	c.Owners = store.In(c.Namespace)
	return kube.Open(c)
}
