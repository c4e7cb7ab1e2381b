package zkstore_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestReadTree reads documents of 3.0.4 and 2.1.5 with operators' switches and our fields, binary
// data, and the presence of a scheduler. Nothing is written.
func TestReadTree(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		f.put(t, f.tree.App("shop"), appOf304)
		f.put(t, f.tree.App("file"), "appName: other\nappURL: file:///srv/x.tar.gz\nbootstrapScript: x.sh\nfuture: 1\n")
		f.put(t, f.tree.DisabledApp("file"), "file")
		f.put(t, f.tree.Job("settle"), jobOf304+"jobExecutorServiceHandlerType: CPU\n")
		f.put(t, f.tree.Job("old"), jobOf215)
		f.put(t, f.tree.JobExtension("old"), `{"timeZone":"Europe/Berlin"}`)
		f.put(t, f.tree.DisabledJob("old"), "old")
		f.put(t, f.tree.Job("bytes"), "appName: \xff\n")
		f.put(t, f.tree.Job("large"), "description: "+strings.Repeat("x", 300_000)+"\n")
		tree, err := zkstore.ReadTree(t.Context(), f.other, f.ns)
		if err != nil || tree.Size() != 6 || tree.Scheduler {
			t.Fatalf("%+v, %v", tree, err)
		}
		checkDocuments(t, tree.Documents())
		part, absent := tree.Only([]string{"file", "none"})
		if len(part.Apps) != 1 || len(part.Jobs) != 2 || len(absent) != 1 || absent[0] != "none" {
			t.Errorf("%+v, absent %q", part, absent)
		}
		if f.exists(t, f.tree.HA()) || f.exists(t, f.tree.Statuses()) {
			t.Error("reading has written")
		}
		f.put(t, f.tree.Election()+"/x-lock-0000000001", "10.0.0.1")
		if tree, err = zkstore.ReadTree(t.Context(), f.other, f.ns); err != nil || !tree.Scheduler {
			t.Errorf("the scheduler is not seen: %v", err)
		}
	})
}

func checkDocuments(t *testing.T, documents []zkstore.Document) {
	t.Helper()
	of := make(map[string]zkstore.Document)
	for i, d := range documents {
		of[d.Name] = d
		if i > 1 != (d.Kind == cloud.KindJob) {
			t.Errorf("%s %q is number %d", d.Kind, d.Name, i)
		}
	}
	fields := func(name string) string {
		var list []string
		for _, n := range of[name].Notes {
			list = append(list, n.Field)
		}
		return strings.Join(list, " ")
	}
	if a := of["shop"].App; a.URL != "http://repo.example/shop.tar.gz" || a.CPU != 0.5 || a.Disabled || fields("shop") != "" {
		t.Errorf("%+v", of["shop"])
	}
	if a := of["file"].App; a.Name != "file" || !a.Disabled || fields("file") != "appName future" {
		t.Errorf("%+v", of["file"])
	}
	if j := of["settle"].Job; j.Type != cloud.TypeDaemon || j.ExecutorType != "CPU" || fields("settle") != "" || of["settle"].Whole {
		t.Errorf("%+v", of["settle"])
	}
	if j := of["old"].Job; !j.Disabled || j.TimeZone != "Europe/Berlin" || !of["old"].Whole || j.Compat["jobClass"] != "org.example.Settle" ||
		fields("old") != "jobProperties" {
		t.Errorf("%+v: %s", of["old"], fields("old"))
	}
	for name, want := range map[string]string{"bytes": "UTF-8", "large": "300014 bytes"} {
		if err := of[name].Err; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTreesThatCannotBeRead: a missing tree, a missing permission and no answer are three different errors.
func TestTreesThatCannotBeRead(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		if _, err := zkstore.ReadTree(t.Context(), f.other, f.ns); !errors.Is(err, zkstore.ErrNoTree) {
			t.Errorf("no tree: %v", err)
		}
		owner := connect(t, zk.Config{Servers: []string{srv.Addr}, Digest: "ops:secret"})
		if _, err := owner.CreateAll(t.Context(), f.tree.App("shop"), []byte(appOf304), zk.Persistent); err != nil {
			t.Fatal(err)
		}
		if _, err := zkstore.ReadTree(t.Context(), f.other, f.ns); !errors.Is(err, zkstore.ErrTreeForbidden) || errors.Is(err, zkstore.ErrNoTree) {
			t.Errorf("without the digest: %v", err)
		}
		if tree, err := zkstore.ReadTree(t.Context(), owner, f.ns); err != nil || tree.Size() != 1 {
			t.Errorf("with the digest: %+v, %v", tree, err)
		}
		nobody, err := zk.Open(zk.Config{Servers: []string{"127.0.0.1:1"}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer nobody.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if _, err := zkstore.ReadTree(ctx, nobody, f.ns); err == nil || errors.Is(err, zkstore.ErrNoTree) || errors.Is(err, zkstore.ErrTreeForbidden) {
			t.Errorf("no server answers: %v", err)
		}
	})
}
