package kube

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// namespaceFile is where a pod finds its namespace, as Kubernetes documents it.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// LoadConfig finds the API server: that of a kubeconfig file, or, if none is named, that
// of the cluster that this process is a pod of. namespace is the one that the file or the
// pod has, "default" if the file says none. agent is what we are called in its logs.
func LoadConfig(kubeconfig, agent string) (cfg *rest.Config, namespace string, err error) {
	if kubeconfig == "" {
		if cfg, err = rest.InClusterConfig(); err != nil {
			return nil, "", fmt.Errorf("this process is not in a cluster: %w", err)
		}
		text, err := os.ReadFile(namespaceFile)
		if err != nil {
			return nil, "", fmt.Errorf("the namespace of this pod: %w", err)
		}
		cfg.UserAgent = agent
		return cfg, strings.TrimSpace(string(text)), nil
	}
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}, nil)
	if cfg, err = loaded.ClientConfig(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig: %w", err)
	}
	if namespace, _, err = loaded.Namespace(); err != nil {
		return nil, "", fmt.Errorf("kubeconfig: %w", err)
	}
	cfg.UserAgent = agent
	return cfg, namespace, nil
}

// LogTo has what client-go reports by itself logged by log, instead of on standard error.
// It is of the whole process.
func LogTo(log *slog.Logger) { klog.SetSlogLogger(log) }
