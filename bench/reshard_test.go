package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestV42WorkNotManaged: shards that nobody assigns within the time are reported
// as such, whatever the request was doing that the time cut off.
func TestV42WorkNotManaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		namespace, err := jobtree.NewNamespace("reshard")
		if err != nil {
			t.Fatal(err)
		}
		s := &sharded{scene: &scene{w: &watcher{client: client}}, job: namespace.Job("job"), items: reshardItems}
		if _, err := s.complete(t.Context(), 3); !errors.Is(err, errUnmanaged) || !strings.Contains(err.Error(), "1000 shards to 3 instances: not managed within 1m0s") {
			t.Errorf("error %v", err)
		}
	})
}

// TestV42JavaFigureOfWorkNotManaged: what Java's agents did not manage stands in
// their column, and what they had managed before stays.
func TestV42JavaFigureOfWorkNotManaged(t *testing.T) {
	took := resharding{follower: []float64{2228}}
	took.current = &took.leader
	took.giveUp()
	if !slices.Equal(took.follower, []float64{2228}) || !slices.Equal(took.leader, []float64{unmanaged}) || !slices.Equal(took.added, []float64{unmanaged}) {
		t.Fatalf("%+v", took)
	}
	r := result{figures: []figure{{name: "reshard-leader-killed", unit: "ms", values: []float64{20}, target: 40, java: 2529}}}
	r.beside([]figure{{name: "reshard-leader-killed", values: took.leader}})
	row := r.figures[0].row()
	if !strings.Contains(row, "not within 60 s") || strings.Contains(row, "Inf") || !r.figures[0].met() {
		t.Error(row)
	}
	again := resharding{follower: []float64{2000, 2300}, leader: []float64{2500}, added: []float64{3000, 3100, 3200}}
	again.current = &again.leader
	again.giveUp()
	if got := spread(again.leader); got != "2500 / 2500 / not within 60 s" {
		t.Error(got)
	}
}
