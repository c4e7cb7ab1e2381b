package coreagent

import (
	"context"
	"crypto/tls"
	"net"
	"reflect"
	"testing"

	"github.com/elasticjob-go/elasticjob/registry"
)

// TestEveryConnectionSettingReachesTheClient: a setting that isn't passed on would silently have no effect.
func TestEveryConnectionSettingReachesTheClient(t *testing.T) {
	t.Parallel()
	cfg := Config{ZooKeeper: registry.ZooKeeper{
		Servers: []string{"zk1:2181"}, Digest: "user:password", ACL: "open", TLS: &tls.Config{MinVersion: tls.VersionTLS12},
		SessionTimeout: 1, ConnectTimeout: 2, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, nil },
	}}
	set, client := reflect.ValueOf(cfg.ZooKeeper), reflect.ValueOf(cfg.client())
	for i := range set.NumField() {
		name := set.Type().Field(i).Name
		if set.Field(i).IsZero() {
			t.Errorf("%s is not set by this test", name)
		}
		if field := client.FieldByName(name); !field.IsValid() || field.IsZero() {
			t.Errorf("%s does not reach the client", name)
		}
	}
}
