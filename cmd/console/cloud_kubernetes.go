package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloudevent"
	"github.com/elasticjob-go/elasticjob/internal/cloudtask"
)

// mostServiceAccounts bounds --cloud-service-accounts.
const mostServiceAccounts = 100

// kubernetesOptions are those of the engine that makes Jobs of a cluster.
type kubernetesOptions struct {
	config          *rest.Config
	namespace       string
	serviceAccounts []string
	eventsURL       string
	archives        kube.Archives
	zone            *time.Location
}

func (f *cloudFlags) kubernetesOptions(zone *time.Location, hosts archive.Hosts) (*kubernetesOptions, error) {
	config, namespace, err := kube.LoadConfig(f.CloudKubeconfig, "elasticjob-console/"+build.Get().Version)
	switch {
	case err != nil && f.CloudKubeconfig == "":
		return nil, usage("Name a kubeconfig with --cloud-kubeconfig, or run the console in the cluster: see docs/cloud-operations.md.", "--cloud kubernetes: %w", err)
	case err != nil:
		return nil, usage("Name a file that `kubectl --kubeconfig FILE get pods` works with.", "--cloud-kubeconfig %s: %w", f.CloudKubeconfig, err)
	case f.CloudNamespace != "":
		namespace = f.CloudNamespace
	}
	if wrong := validation.IsDNS1123Label(namespace); wrong != nil {
		return nil, usage("Give the name of a namespace, such as jobs.", "--cloud-namespace %q: %s", namespace, wrong[0])
	}
	if len(f.CloudServiceAccounts) > mostServiceAccounts {
		return nil, usage("Name those that pods need and no others.", "--cloud-service-accounts has %d names, at most %d are taken", len(f.CloudServiceAccounts), mostServiceAccounts)
	}
	for _, name := range f.CloudServiceAccounts {
		if wrong := validation.IsDNS1123Subdomain(name); wrong != nil {
			return nil, usage("Give names of service accounts, separated by commas.", "--cloud-service-accounts %q: %s", name, wrong[0])
		}
	}
	if err := checkEventsURL(f.CloudEventsURL); err != nil {
		return nil, err
	}
	archives, err := f.archives(hosts)
	if err != nil {
		return nil, err
	}
	return &kubernetesOptions{config: config, namespace: namespace, serviceAccounts: f.CloudServiceAccounts, eventsURL: f.CloudEventsURL, archives: archives, zone: zone}, nil
}

// mostImage bounds the name of an image.
const mostImage = 2000

// archives say how pods fetch theirs.
func (f *cloudFlags) archives(hosts archive.Hosts) (kube.Archives, error) {
	for flag, image := range map[string]string{"--cloud-fetch-image": f.CloudFetchImage, "--cloud-runtime-image": f.CloudRuntimeImage} {
		if strings.ContainsAny(image, " \t\r\n") || len(image) > mostImage {
			return kube.Archives{}, usage("Give a reference such as registry.example/elasticjob-console:1.", "%s is no image's name of at most %d bytes without blanks", flag, mostImage)
		}
	}
	if len(hosts) > 0 && f.CloudFetchImage == "" {
		return kube.Archives{}, usage("Name the image of this console with --cloud-fetch-image: in a pod it fetches the archive.", "--cloud-fetch-hosts is given, and no image that fetches")
	}
	return kube.Archives{Hosts: hosts, FetchImage: f.CloudFetchImage, RuntimeImage: f.CloudRuntimeImage}, nil
}

// checkEventsURL refuses what processes could not post to. It is not repeated: somebody may
// have put a password into it.
func checkEventsURL(text string) error {
	if text == "" {
		return nil
	}
	address, err := url.Parse(text)
	if err == nil && len(text) <= cloudtask.MaxURL && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != "" &&
		address.User == nil && address.Fragment == "" && strings.HasSuffix(address.Path, cloudevent.Path) {
		return nil
	}
	return usage("Give the address of this console as pods reach it, such as http://elasticjob-console.jobs:8899"+cloudevent.Path+".",
		"--cloud-events-url is no address of http or https that ends in %s, without a user and a password, of at most %d bytes", cloudevent.Path, cloudtask.MaxURL)
}

// openKubernetes opens the engine of a cluster, with applications and jobs as its custom
// resources. It does not wait for the cluster.
func (s *site) openKubernetes(ctx context.Context, o *kubernetesOptions) (*cloudParts, error) {
	kube.LogTo(s.log)
	clients, err := kube.Connect(o.config)
	if err != nil {
		return nil, err
	}
	store, err := crdstore.New(crdstore.Config{Clients: clients, Namespace: o.namespace, Install: installResources, Logger: s.log})
	if err != nil {
		return nil, fmt.Errorf("ElasticJob-Cloud: %w", err)
	}
	s.cleanups.add("close the store of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { return store.Close() })
	engine, err := kube.Open(kube.Config{
		Clients: clients, Namespace: o.namespace, Owners: store, Policy: kube.Policy{ServiceAccounts: o.serviceAccounts, Archives: o.archives}, Version: build.Get().Version, Logger: s.log,
		Zone: o.zone, EventsURL: o.eventsURL,
	})
	if err != nil {
		return nil, fmt.Errorf("ElasticJob-Cloud: %w", err)
	}
	s.cleanups.add("stop the engine of ElasticJob-Cloud", 10*time.Second, func(context.Context) error { return engine.Close() })
	s.log.InfoContext(ctx, "ElasticJob-Cloud started", slog.String("engine", engineKubernetes), slog.String("server", o.config.Host), slog.String("namespace", o.namespace))
	return &cloudParts{
		store: store, engine: engine, leadership: kube.NewLeadership(clients.Leases, o.namespace, s.addr(), kube.Timing{}, s.log),
		connected: func(context.Context) error { return nil },
	}, nil
}
