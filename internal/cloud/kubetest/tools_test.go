//go:build kubernetes

package kubetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"os/exec"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Tools and tokens of a cluster, for the tests of this package.

// Kubectl runs kubectl as an administrator with stdin, and returns its output. An error contains its message.
func (c *Cluster) Kubectl(ctx context.Context, stdin string, args ...string) (string, error) {
	return c.tool(ctx, "kubectl", stdin, args)
}

// Helm runs helm as an administrator and returns its output. An error contains its message.
func (c *Cluster) Helm(ctx context.Context, args ...string) (string, error) {
	return c.tool(ctx, "helm", "", args)
}

func (c *Cluster) tool(ctx context.Context, name, stdin string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, c.files[name], args...)
	var out, words bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.dir, strings.NewReader(stdin), &out, &words
	// Nothing of the caller's environment: no cluster, no plugins, no proxy.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "KUBECONFIG=" + c.path("kubeconfig")}
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(words.String()))
	}
	return out.String(), nil
}

// Account returns the client configuration of an existing ServiceAccount, like a pod's process that runs as it.
func (c *Cluster) Account(ctx context.Context, namespace, name string) (*rest.Config, error) {
	token, err := c.tokenOf(ctx, namespace, name, nil)
	if err != nil {
		return nil, err
	}
	account := rest.CopyConfig(c.Scheduler)
	account.BearerToken = token
	return account, nil
}

// TokenOfSecret creates a Secret and a token of a ServiceAccount that is valid while the Secret exists.
func (c *Cluster) TokenOfSecret(ctx context.Context, namespace, account, secret string) (string, error) {
	s, err := c.Core.Secrets(namespace).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	bound := &authenticationv1.BoundObjectReference{Kind: "Secret", APIVersion: "v1", Name: secret, UID: s.UID}
	return c.tokenOf(ctx, namespace, account, bound)
}

// TokenOfPod returns the token that the node would put into a pod: its ServiceAccount's, for an
// audience, valid while the pod lives.
func (c *Cluster) TokenOfPod(ctx context.Context, namespace, name, audience string) (string, error) {
	pod, err := c.Core.Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	bound := &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: name, UID: pod.UID}
	return c.tokenOf(ctx, namespace, pod.Spec.ServiceAccountName, bound, audience)
}

// tokenOf returns a token of a ServiceAccount that is valid while an object exists, for an hour at most.
func (c *Cluster) tokenOf(
	ctx context.Context, namespace, account string, bound *authenticationv1.BoundObjectReference, audiences ...string,
) (string, error) {
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		Audiences: audiences, ExpirationSeconds: new(int64(3600)), BoundObjectRef: bound,
	}}
	token, err := c.Core.ServiceAccounts(namespace).CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("a token of ServiceAccount %s/%s: %w", namespace, account, err)
	}
	return token.Status.Token, nil
}

// ServeTLS returns the configuration for a server that pods reach by Gateway, and the PEM
// certificate of the authority to trust.
func (c *Cluster) ServeTLS() (server *tls.Config, authority []byte, err error) {
	own, err := tls.LoadX509KeyPair(c.path("server.crt"), c.path("server.key"))
	if err != nil {
		return nil, nil, err
	}
	authority, err = os.ReadFile(c.path("ca.crt"))
	return &tls.Config{Certificates: []tls.Certificate{own}}, authority, err
}
