package kubetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"go.yaml.in/yaml/v3"
)

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
	var fields map[string]any
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if text, err = json.Marshal(fields); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	role := &rbacv1.Role{}
	if err := json.Unmarshal(text, role); err != nil || role.Kind != "Role" || len(role.Rules) == 0 {
		return nil, fmt.Errorf("%s is not a Role with rules: %w", path, err)
	}
	return role, nil
}
