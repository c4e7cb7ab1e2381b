package kubetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	rbacclient "k8s.io/client-go/kubernetes/typed/rbac/v1"
	"k8s.io/client-go/rest"
)

const (
	// nodes is the number of simulated nodes.
	nodes = 4
	// schedulerUser is the scheduler's user in the API server.
	schedulerUser = "elasticjob-cloud"
	// ConsoleAccount is its ServiceAccount in an installation.
	ConsoleAccount = "elasticjob-console"
	// LogLine is the log of each simulated pod.
	LogLine = "the log of a played pod"
	// Played is the label, with the value "true", of simulated nodes. For other nodes a test plays
	// the kubelet itself.
	Played = "kubetest.example/played"
	// unreachable is how many seconds a pod stays on a silent node. Installations wait for five minutes.
	unreachable = 10
)

// Cluster is a control plane with simulated nodes. It's safe for concurrent use, except for
// stopping and starting the API server.
type Cluster struct {
	// Admin has all rights. Scheduler only has the rights of a Role in [Cluster.Namespace].
	Admin, Scheduler *rest.Config

	Batch *batchclient.BatchV1Client
	Core  *coreclient.CoreV1Client
	// Resources is for all other resources, with an administrator's rights.
	Resources dynamic.Interface
	rbac      *rbacclient.RbacV1Client

	dir    string
	files  map[string]string
	ports  struct{ etcd, peer, api, manager, scheduler, kwok int }
	api    *process
	others []*process // in the order in which they end

	reached string // the kind of address by which the API server reaches nodes
	node    *node  // nil without a real one
}

// Start starts a control plane with simulated nodes in a folder. It builds missing programs.
func Start(ctx context.Context, dir string, log func(string, ...any)) (c *Cluster, err error) {
	return start(ctx, dir, log, playedPrograms, "InternalIP", (*Cluster).playNodes)
}

// start starts a control plane. nodes creates its nodes, which the API server reaches by a kind of address.
func start(ctx context.Context, dir string, log func(string, ...any), needed []string, reached string, nodes func(*Cluster, context.Context) error) (c *Cluster, err error) {
	files, err := find(ctx, needed, log)
	if err != nil {
		return nil, fmt.Errorf("programs of Kubernetes: %w", err)
	}
	c = &Cluster{dir: dir, files: files, reached: reached}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	for _, port := range []*int{&c.ports.etcd, &c.ports.peer, &c.ports.api, &c.ports.manager, &c.ports.scheduler, &c.ports.kwok} {
		if *port, err = freePort(); err != nil {
			return c, err
		}
	}
	if err := c.identify(); err != nil {
		return c, err
	}
	for _, step := range []func(*Cluster, context.Context) error{(*Cluster).etcd, (*Cluster).StartAPIServer, (*Cluster).controllers, nodes} {
		if err := step(c, ctx); err != nil {
			return c, err
		}
	}
	return c, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

// identify writes keys and tokens, and creates the clients.
func (c *Cluster) identify() error {
	authority, err := keys(c.dir)
	if err != nil {
		return err
	}
	admin, scheduler := rand.Text(), rand.Text()
	lines := fmt.Sprintf("%s,admin,admin,system:masters\n%s,%s,%s\n", admin, scheduler, schedulerUser, schedulerUser)
	if err := os.WriteFile(c.path("tokens.csv"), []byte(lines), 0o600); err != nil {
		return err
	}
	host := fmt.Sprintf("https://127.0.0.1:%d", c.ports.api)
	c.Admin = &rest.Config{Host: host, BearerToken: admin, TLSClientConfig: rest.TLSClientConfig{CAData: authority}, QPS: 1000, Burst: 2000}
	c.Scheduler = &rest.Config{Host: host, BearerToken: scheduler, TLSClientConfig: rest.TLSClientConfig{CAData: authority}}
	if err := c.writeKubeconfig("kubeconfig", c.Admin, metav1.NamespaceDefault); err != nil {
		return err
	}
	if c.Batch, err = batchclient.NewForConfig(c.Admin); err != nil {
		return err
	}
	if c.Core, err = coreclient.NewForConfig(c.Admin); err != nil {
		return err
	}
	if c.Resources, err = dynamic.NewForConfig(c.Admin); err != nil {
		return err
	}
	c.rbac, err = rbacclient.NewForConfig(c.Admin)
	return err
}

// begin starts a program that ends before the programs started earlier.
func (c *Cluster) begin(name string, args ...string) (*process, error) {
	p, err := run(name, c.files[name], c.dir, args...)
	if err != nil {
		return nil, err
	}
	c.others = append([]*process{p}, c.others...)
	return p, nil
}

func local(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

func (c *Cluster) etcd(ctx context.Context) error {
	p, err := c.begin("etcd", "--name", "test", "--data-dir", c.path("etcd"), "--listen-client-urls", local(c.ports.etcd), "--advertise-client-urls", local(c.ports.etcd),
		"--listen-peer-urls", local(c.ports.peer), "--initial-advertise-peer-urls", local(c.ports.peer), "--initial-cluster", "test="+local(c.ports.peer),
		"--unsafe-no-fsync", "--log-level", "warn")
	if err != nil {
		return err
	}
	return p.until(ctx, "etcd", func(ctx context.Context) error { return get(ctx, local(c.ports.etcd)+"/health") })
}

func get(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// StartAPIServer starts the API server and waits until it's ready.
func (c *Cluster) StartAPIServer(ctx context.Context) error {
	p, err := run("kube-apiserver", c.files["kube-apiserver"], c.dir, "--etcd-servers", local(c.ports.etcd), "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1",
		"--secure-port", strconv.Itoa(c.ports.api), "--endpoint-reconciler-type", "none", "--service-cluster-ip-range", "10.234.0.0/16",
		// As in installations. Otherwise the API server forbids pods that a policy should refuse.
		"--allow-privileged=true", "--default-unreachable-toleration-seconds", strconv.Itoa(unreachable), "--authorization-mode", "Node,RBAC", "--token-auth-file", c.path("tokens.csv"), "--client-ca-file", c.path("ca.crt"),
		"--tls-cert-file", c.path("server.crt"), "--tls-private-key-file", c.path("server.key"),
		"--kubelet-client-certificate", c.path("kubelet-client.crt"), "--kubelet-client-key", c.path("kubelet-client.key"), "--kubelet-preferred-address-types", c.reached,
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", c.path("sa.key"), "--service-account-signing-key-file", c.path("sa.key"))
	if err != nil {
		return err
	}
	c.api = p
	return p.until(ctx, "the API server", func(ctx context.Context) error {
		return c.Core.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
}

func (c *Cluster) controllers(ctx context.Context) error {
	kubeconfig := c.path("kubeconfig")
	// No request limits, because the default of 20/s would be the bottleneck.
	fast := []string{"--kube-api-qps", "2000", "--kube-api-burst", "4000"}
	common := append([]string{"--kubeconfig", kubeconfig, "--authentication-kubeconfig", kubeconfig, "--authorization-kubeconfig", kubeconfig, "--bind-address", "127.0.0.1", "--leader-elect=false"}, fast...)
	manager, err := c.begin("kube-controller-manager", append(common, "--secure-port", strconv.Itoa(c.ports.manager), "--concurrent-job-syncs", "20",
		"--service-account-private-key-file", c.path("sa.key"), "--root-ca-file", c.path("ca.crt"), "--cert-dir", c.path("manager"))...)
	if err != nil {
		return err
	}
	if _, err := c.begin("kube-scheduler", append(common, "--secure-port", strconv.Itoa(c.ports.scheduler), "--cert-dir", c.path("scheduler"))...); err != nil {
		return err
	}
	return manager.until(ctx, "the controllers", func(ctx context.Context) error {
		_, err := c.Core.ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

func (c *Cluster) playNodes(ctx context.Context) error {
	if err := os.WriteFile(c.path("pod.log"), []byte("2026-11-22T10:49:00.000000000Z stdout F "+LogLine+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.path("stages.yaml"), []byte(stages(c.path("pod.log"))), 0o600); err != nil {
		return err
	}
	port := strconv.Itoa(c.ports.kwok)
	kwok, err := c.begin("kwok", "--kubeconfig", c.path("kubeconfig"), "--config", c.path("stages.yaml"), "--manage-all-nodes=false", "--manage-nodes-with-label-selector", Played+"=true", "--cidr", "10.240.0.1/16",
		"--node-ip", "127.0.0.1", "--node-port", port, "--server-address", "127.0.0.1:"+port, "--tls-cert-file", c.path("server.crt"), "--tls-private-key-file", c.path("server.key"),
		"--node-lease-duration-seconds", "40")
	if err != nil {
		return err
	}
	for i := range nodes {
		name := fmt.Sprintf("node-%d", i+1)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name, Played: "true"}}}
		if _, err := c.Core.Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return kwok.until(ctx, "the played nodes", func(ctx context.Context) error {
		list, err := c.Core.Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, node := range list.Items {
			if len(node.Status.Conditions) == 0 || len(node.Spec.Taints) > 0 {
				return fmt.Errorf("node %s is not ready", node.Name)
			}
		}
		return nil
	})
}

// Close ends everything.
func (c *Cluster) Close() {
	if c.node != nil {
		c.node.close(c.dir)
	}
	for _, p := range c.others[:max(0, len(c.others)-1)] {
		p.stop()
	}
	if c.api != nil {
		c.api.stop()
	}
	if len(c.others) > 0 {
		c.others[len(c.others)-1].stop() // etcd was the first.
	}
}

// Namespace creates a namespace in which the scheduler and the ServiceAccount of installations only
// have the rights of the shipped Role.
func (c *Cluster) Namespace(ctx context.Context, name string) error {
	if _, err := c.Core.Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	role, err := shippedRole()
	if err != nil {
		return err
	}
	role.Name = schedulerUser
	if _, err := c.rbac.Roles(name).Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: ConsoleAccount}}
	if _, err := c.Core.ServiceAccounts(name).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := c.rbac.RoleBindings(name).Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: schedulerUser}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: schedulerUser},
		Subjects: []rbacv1.Subject{
			{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: schedulerUser},
			{Kind: rbacv1.ServiceAccountKind, Name: ConsoleAccount, Namespace: name},
		},
	}, metav1.CreateOptions{}); err != nil {
		return err
	}
	return c.awaitRights(ctx, name, true)
}

// awaitRights waits until the scheduler may list Jobs, or may not, because the API server sees a Role
// later, by its own watch.
func (c *Cluster) awaitRights(ctx context.Context, namespace string, jobs bool) error {
	scheduler, err := batchclient.NewForConfig(c.Scheduler)
	if err != nil {
		return err
	}
	return c.api.until(ctx, "the scheduler's rights in "+namespace, func(ctx context.Context) error {
		switch _, err := scheduler.Jobs(namespace).List(ctx, metav1.ListOptions{Limit: 1}); {
		case jobs:
			return err
		case apierrors.IsForbidden(err):
			return nil
		default:
			return fmt.Errorf("list Jobs: %w", err)
		}
	})
}

// shippedRole is the Role of deploy/kustomize, so the tests have the rights of installations.
func shippedRole() (*rbacv1.Role, error) {
	programs, err := folder()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(programs, "../../../../deploy/kustomize/base/role.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the scheduler's Role: %w", err)
	}
	role := &rbacv1.Role{}
	if err := yaml.Unmarshal(text, role); err != nil || role.Kind != "Role" || len(role.Rules) == 0 {
		return nil, fmt.Errorf("%s is not a Role with rules: %w", path, err)
	}
	return role, nil
}
