package kubetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	schedulingclient "k8s.io/client-go/kubernetes/typed/scheduling/v1"
)

// FillEtcd makes etcd refuse all writes, as if its space was used up. Reads work.
func (c *Cluster) FillEtcd(ctx context.Context) error { return c.alarm(ctx, "ACTIVATE") }

// EmptyEtcd ends [Cluster.FillEtcd].
func (c *Cluster) EmptyEtcd(ctx context.Context) error { return c.alarm(ctx, "DEACTIVATE") }

func (c *Cluster) alarm(ctx context.Context, action string) error {
	var status struct {
		Header struct {
			Member string `json:"member_id"`
		}
	}
	if err := c.askEtcd(ctx, "/v3/maintenance/status", struct{}{}, &status); err != nil {
		return err
	}
	return c.askEtcd(ctx, "/v3/maintenance/alarm", map[string]string{"action": action, "memberID": status.Header.Member, "alarm": "NOSPACE"}, nil)
}

func (c *Cluster) askEtcd(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, local(c.ports.etcd)+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd %s: %s: %s", path, response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
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

// Prioritise creates a priority class.
func (c *Cluster) Prioritise(ctx context.Context, class *schedulingv1.PriorityClass) error {
	client, err := schedulingclient.NewForConfig(c.Admin)
	if err != nil {
		return err
	}
	_, err = client.PriorityClasses().Create(ctx, class, metav1.CreateOptions{})
	return err
}
