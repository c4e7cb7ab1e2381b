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

// namespaceFile has a pod's namespace, as documented by Kubernetes.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// LoadConfig returns the API server of a kubeconfig file or, without one, of the cluster in which
// this process is a pod. namespace is from the file or the pod, by default "default". agent is our
// name in the server's logs.
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

// LogTo sends client-go's own log messages to log instead of standard error, for the whole process.
func LogTo(log *slog.Logger) { klog.SetSlogLogger(log) }
