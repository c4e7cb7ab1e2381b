package zk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// onEach runs a test on the fake and on the real server, with its own client and root, and then
// again within a chroot (V08).
func onEach(t *testing.T, test func(t *testing.T, c *Client, root string)) {
	t.Helper()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		c := mustConnect(t, targetConfig(t, srv))
		mustCreate(t, c, root, "", Persistent)
		test(t, c, root)
		t.Run("chroot", func(t *testing.T) {
			cfg := targetConfig(t, srv)
			chroot := mustCreate(t, c, "/"+zktest.Namespace(t)+"/team", "", Persistent)
			cfg.Servers[0] += chroot
			inner := mustConnect(t, cfg)
			mustCreate(t, inner, root, "", Persistent)
			if _, there, err := c.Exists(t.Context(), chroot+root); !there || err != nil {
				t.Errorf("%s is not where it should be: %v", chroot+root, err)
			}
			test(t, inner, root)
		})
	})
}

func targetConfig(t testing.TB, srv zktest.Target) Config {
	return Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second, Logger: testLogger(t)}
}

func TestOperations(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		ctx := t.Context()
		before := time.Now().Truncate(time.Millisecond)
		name, err := c.Create(ctx, root+"/a", []byte("one"), Persistent)
		if name != root+"/a" || err != nil {
			t.Fatalf("create: %q, %v", name, err)
		}
		data, stat, err := c.Get(ctx, root+"/a")
		if string(data) != "one" || err != nil || stat.Version != 0 || stat.DataLength != 3 || stat.EphemeralOwner != 0 || stat.Czxid == 0 || stat.Ctime.Before(before) || stat.Ctime.After(time.Now()) {
			t.Errorf("get: %q, %+v, %v", data, stat, err)
		}
		stat, err = c.Set(ctx, root+"/a", []byte("two"), 0)
		if err != nil || stat.Version != 1 || stat.Mzxid <= stat.Czxid {
			t.Errorf("set: %+v, %v", stat, err)
		}
		if _, err = c.Set(ctx, root+"/a", nil, AnyVersion); err != nil {
			t.Errorf("set: %v", err)
		}
		if data, _, err = c.Get(ctx, root+"/a"); len(data) != 0 || err != nil {
			t.Errorf("get of nothing: %q, %v", data, err)
		}
		if _, ok, err := c.Exists(ctx, root+"/none"); ok || err != nil {
			t.Errorf("exists: %v, %v", ok, err)
		}
		mine := mustCreate(t, c, root+"/a/deep/down/mine", "x", Ephemeral)
		if stat, ok, err := c.Exists(ctx, mine); !ok || err != nil || stat.EphemeralOwner != c.Session().ID {
			t.Errorf("exists: %+v, %v, %v", stat, ok, err)
		}
		for i := range 3 {
			want := fmt.Sprintf("%s/s-%010d", root, i+1)
			mode := []CreateMode{PersistentSequential, EphemeralSequential}[i%2]
			if name, err := c.Create(ctx, root+"/s-", nil, mode); name != want || err != nil {
				t.Errorf("sequential: %q, %v, want %q", name, err, want)
			}
		}
		if _, err := c.Create(ctx, root+"/box", nil, Container); err != nil {
			t.Errorf("container: %v", err)
		}
		names, stat, err := c.Children(ctx, root)
		slices.Sort(names)
		if want := []string{"a", "box", "s-0000000001", "s-0000000002", "s-0000000003"}; !slices.Equal(names, want) || err != nil || stat.NumChildren != 5 {
			t.Errorf("children: %v, %+v, %v", names, stat, err)
		}
		if err := c.Sync(ctx, root); err != nil {
			t.Errorf("sync: %v", err)
		}
		if err := c.Delete(ctx, root+"/box", 0); err != nil {
			t.Errorf("delete: %v", err)
		}
		for range 2 { // The second finds nothing and succeeds.
			if err := c.DeleteAll(ctx, root); err != nil {
				t.Errorf("delete all: %v", err)
			}
		}
		if _, ok, err := c.Exists(ctx, root); ok || err != nil {
			t.Errorf("exists after delete all: %v, %v", ok, err)
		}
	})
}

func TestKindsOfFailure(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		ctx := t.Context()
		mustCreate(t, c, root+"/full/child", "", Persistent)
		mustCreate(t, c, root+"/mine", "", Ephemeral)
		big := make([]byte, 2<<20)
		create := func(path string, data []byte, mode CreateMode) error {
			_, err := c.Create(ctx, path, data, mode)
			return err
		}
		get := func(path string) error { _, _, err := c.Get(ctx, path); return err }
		set := func(path string, data []byte, version int32) error {
			_, err := c.Set(ctx, path, data, version)
			return err
		}
		children := func(path string) error { _, _, err := c.Children(ctx, path); return err }
		exists := func(path string) error { _, _, err := c.Exists(ctx, path); return err }
		for name, tc := range map[string]struct{ got, want error }{
			"get of nothing":          {get(root + "/none"), ErrNoNode},
			"children of nothing":     {children(root + "/none"), ErrNoNode},
			"set of nothing":          {set(root+"/none", nil, AnyVersion), ErrNoNode},
			"delete of nothing":       {c.Delete(ctx, root+"/none", AnyVersion), ErrNoNode},
			"create without parent":   {create(root+"/none/child", nil, Persistent), ErrNoNode},
			"create again":            {create(root+"/full", nil, Persistent), ErrNodeExists},
			"container again":         {create(root+"/full", nil, Container), ErrNodeExists},
			"delete of a parent":      {c.Delete(ctx, root+"/full", AnyVersion), ErrNotEmpty},
			"set of another version":  {set(root+"/full", nil, 7), ErrBadVersion},
			"delete another version":  {c.Delete(ctx, root+"/mine", 7), ErrBadVersion},
			"child of an ephemeral":   {create(root+"/mine/child", nil, Persistent), ErrInvalid},
			"path without slash":      {get("none"), ErrInvalid},
			"path that ends with one": {exists(root + "/"), ErrInvalid},
			"empty element":           {children(root + "//x"), ErrInvalid},
			"dots":                    {set(root+"/../x", nil, AnyVersion), ErrInvalid},
			"NUL":                     {create(root+"/a\x00b", nil, Persistent), ErrInvalid},
			"mode":                    {create(root+"/x", nil, 99), ErrInvalid},
			"create too large":        {create(root+"/x", big, Persistent), ErrInvalid},
			"set too large":           {set(root+"/full", big, AnyVersion), ErrInvalid},
			"multi too large":         {c.Multi(ctx, SetOp(root+"/full", big, AnyVersion)), ErrInvalid},
			"root":                    {c.DeleteAll(ctx, "/"), ErrInvalid},
		} {
			if !errors.Is(tc.got, tc.want) || Retriable(tc.got) {
				t.Errorf("%s: %v, want %v", name, tc.got, tc.want)
			}
			if e := (*Error)(nil); !errors.As(tc.got, &e) || e.Op == "" || strings.Contains(tc.got.Error(), "zk:") && !errors.Is(tc.want, ErrInvalid) {
				t.Errorf("%s: %#v", name, tc.got)
			}
		}
		if c.Session().Epoch != 1 || c.State() != Connected {
			t.Error("a refusal cost the connection")
		}
	})
}

func TestMultiIsAllOrNothing(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		ctx := t.Context()
		if err := c.Multi(ctx); err != nil {
			t.Errorf("empty: %v", err)
		}
		err := c.Multi(ctx,
			CreateOp(root+"/a", []byte("1"), Persistent),
			CreateOp(root+"/a/b", nil, Ephemeral),
			CreateOp(root+"/a/s-", nil, PersistentSequential),
			SetOp(root+"/a", []byte("2"), 0),
			CheckOp(root+"/a", 1),
			DeleteOp(root+"/a/b", AnyVersion))
		if err != nil {
			t.Fatal(err)
		}
		if data, stat, err := c.Get(ctx, root+"/a"); string(data) != "2" || stat.NumChildren != 1 || err != nil {
			t.Errorf("%q, %+v, %v", data, stat, err)
		}
		for index, bad := range map[int]struct {
			op   Op
			want error
		}{
			0: {DeleteOp(root+"/none", AnyVersion), ErrNoNode},
			1: {CreateOp(root+"/a", nil, Persistent), ErrNodeExists},
			2: {CheckOp(root+"/a", 9), ErrBadVersion},
			3: {DeleteOp(root+"/a", AnyVersion), ErrNotEmpty},
			4: {CreateOp(root+"/box", nil, Container), ErrInvalid},
			5: {Op{Path: "/"}, ErrInvalid},
		} {
			ops := make([]Op, 0, 7)
			for i := range 6 {
				ops = append(ops, CreateOp(fmt.Sprintf("%s/n%d", root, i), nil, Persistent))
			}
			ops = slices.Insert(ops, index, bad.op)
			err := c.Multi(ctx, ops...)
			var refused *MultiError
			if !errors.As(err, &refused) || refused.Index != index || refused.Op.Path != bad.op.Path || !errors.Is(err, bad.want) || Retriable(err) {
				t.Errorf("refused at %d: %v, want %v", index, err, bad.want)
			}
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("operation %d", index)) || !strings.Contains(err.Error(), bad.op.Path) {
				t.Errorf("the error does not name the operation: %v", err)
			}
		}
		if names, _, err := c.Children(ctx, root); !slices.Equal(names, []string{"a"}) || err != nil {
			t.Errorf("a refused transaction left %v, %v", names, err)
		}
	})
}

// TestMultiStats: the result of a set operation identifies the transaction. For a node that the
// transaction created, it's also the node's creating transaction.
func TestMultiStats(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		stats, err := c.MultiStats(t.Context(), CreateOp(root+"/a", nil, Ephemeral), CreateOp(root+"/b", nil, Persistent), SetOp(root+"/b", []byte("1"), 0))
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := c.Exists(t.Context(), root+"/a")
		if err != nil {
			t.Fatal(err)
		}
		if len(stats) != 3 || stats[2].Mzxid == 0 || stats[2].Mzxid != a.Czxid || stats[2].Version != 1 || stats[0].Mzxid != 0 {
			t.Errorf("%+v; the transaction was %d", stats, a.Czxid)
		}
		if stats, err := c.MultiStats(t.Context(), SetOp(root+"/b", nil, 0)); stats != nil || !errors.Is(err, ErrBadVersion) {
			t.Errorf("refused: %+v, %v", stats, err)
		}
	})
}

// Requests within our own limit should pass the server's, even for the nodes with the most overhead.
func TestLargestRequestsPass(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := targetConfig(t, srv)
		cfg.Digest = strings.Repeat("u", 50) + ":secret"
		c := mustConnect(t, cfg)
		root := "/" + zktest.Namespace(t) + strings.Repeat("x", 2000)
		mustCreate(t, c, root, "", Persistent)
		data := make([]byte, maxPacket-len(root+"/a"))
		if _, err := c.Create(t.Context(), root+"/a", data, Persistent); err != nil {
			t.Error(err)
		}
		if _, err := c.Set(t.Context(), root+"/a", data, AnyVersion); err != nil {
			t.Error(err)
		}
		if got, _, err := c.Get(t.Context(), root+"/a"); len(got) != len(data) || err != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		short := "/" + zktest.Namespace(t)
		mustCreate(t, c, short, "", Persistent)
		var ops []Op
		for size := 0; ; {
			op := CreateOp(fmt.Sprintf("%s/%d", short, len(ops)), nil, Persistent)
			if size += op.Size(); size > MaxTransaction {
				break
			}
			ops = append(ops, op)
		}
		if err := c.Multi(t.Context(), ops...); err != nil {
			t.Errorf("%d operations: %v", len(ops), err)
		}
		if names, _, err := c.Children(t.Context(), short); len(names) != len(ops) || err != nil {
			t.Errorf("%d children, %v", len(names), err)
		}
		if c.Session().Epoch != 1 || c.Condition().Since.After(time.Now()) {
			t.Error("the connection was cut")
		}
	})
}

func TestCreateAllAndDeleteAllRace(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for k := range 15 {
					path := fmt.Sprintf("%s/a/b%d/c%d", root, k%3, i)
					if i%2 == 0 {
						if _, err := c.CreateAll(t.Context(), path, nil, Persistent); err != nil && !errors.Is(err, ErrNodeExists) {
							t.Error(err)
						}
					} else if err := c.DeleteAll(t.Context(), root+"/a"); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
	})
}

func TestErrorTexts(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{&Error{Op: "get", Path: "/a", Err: ErrNoNode}, "zookeeper get /a: node does not exist"},
		{&Error{Op: "connect", Err: ErrClosed}, "zookeeper connect: ZooKeeper client closed"},
		{&MultiError{Index: 2, Op: CheckOp("/a", 1), Err: ErrBadVersion}, "zookeeper transaction refused at operation 2 (check /a): version conflict"},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	for s, want := range map[State]string{Connected: "CONNECTED", Suspended: "SUSPENDED", Lost: "LOST", Closed: "CLOSED", 9: "State(9)"} {
		if s.String() != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
}

// TestNothingIsNeverNull: a node without data should have zero bytes, as Java agents write it, and
// never null, at which they fail.
func TestNothingIsNeverNull(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		ctx := t.Context()
		mustCreate(t, c, root+"/parent/made", "", Persistent)
		if _, err := c.Create(ctx, root+"/created", nil, Persistent); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Create(ctx, root+"/set", []byte("x"), Persistent); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Set(ctx, root+"/set", nil, AnyVersion); err != nil {
			t.Fatal(err)
		}
		if err := c.Multi(ctx, CreateOp(root+"/op", nil, Persistent), SetOp(root+"/created", nil, AnyVersion)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"/parent", "/created", "/set", "/op"} {
			if data, _, err := c.Get(ctx, root+name); data == nil || len(data) > 0 || err != nil {
				t.Errorf("%s holds %#v, %v; want no bytes, not null", name, data, err)
			}
		}
	})
}
