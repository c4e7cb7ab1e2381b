package registry

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"reflect"
	"testing"
)

// TestEveryFieldReachesTheClient: a setting that we don't pass on would be ignored without an error.
func TestEveryFieldReachesTheClient(t *testing.T) {
	cfg := Config{Namespace: "billing", Logger: slog.Default(), ZooKeeper: ZooKeeper{
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
	if cfg.client().Logger != cfg.Logger {
		t.Error("Logger does not reach the client")
	}
}
