//go:build interop

package interop

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// ledger is the database in which both kinds record their runs.
type ledger struct {
	f    *fleet
	db   *store.DB
	dsn  string
	jdbc string
}

func (f *fleet) ledger() ledger {
	f.t.Helper()
	server := storetest.StartMariaDB(f.t)
	name := server.NewDatabase(f.t)
	return ledger{
		f: f, db: storetest.Open(f.t, server.DSN(name)), dsn: server.DSN(name),
		jdbc: "jdbc:mysql://" + server.Addr + "/" + name + "?useSSL=false&allowPublicKeyRetrieval=true",
	}
}

// args are the arguments of a side by which it records its runs here.
func (l ledger) args(s side, more ...string) []string {
	if s == golang {
		return append(more, "--tracing="+l.dsn)
	}
	return append(more, "--jdbc="+l.jdbc, "--jdbc-user="+storetest.User, "--jdbc-password="+storetest.Password)
}

// execution and status are rows, as far as they are the same for every run.
type (
	execution struct {
		Item     int
		IP       string
		Source   string
		Success  int
		Complete bool
		Cause    bool
	}
	status struct {
		Slave, Source, Type, Items, State, Message string
	}
)

// await waits until as many executions and statuses were recorded as there
// should be.
func (l ledger) await(executions, statuses int) {
	l.f.t.Helper()
	l.f.until(patience, func(ctx context.Context) error {
		for table, want := range map[string]int{
			"JOB_EXECUTION_LOG WHERE complete_time IS NOT NULL OR failure_cause IS NOT NULL": executions,
			"JOB_STATUS_TRACE_LOG": statuses,
		} {
			var got int
			if err := l.db.WithContext(ctx).Raw("SELECT COUNT(*) FROM " + table).Scan(&got).Error; err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("%d rows in %s, want %d", got, table, want)
			}
		}
		return nil
	})
}

func (l ledger) executions(p *process) []execution {
	l.f.t.Helper()
	var rows []struct {
		TaskID          string
		IP              string
		ShardingItem    int
		ExecutionSource string
		IsSuccess       int
		FailureCause    sql.NullString
		StartTime       sql.NullTime
		CompleteTime    sql.NullTime
	}
	l.query(&rows, "SELECT task_id, ip, sharding_item, execution_source, is_success, failure_cause, start_time, complete_time "+
		"FROM JOB_EXECUTION_LOG WHERE ip = ? ORDER BY start_time, sharding_item", p)
	var list []execution
	hourAgo := time.Now().Add(-time.Hour)
	for _, r := range rows {
		l.checkTask(r.TaskID, p)
		if !r.StartTime.Valid || r.StartTime.Time.Before(hourAgo) {
			l.f.t.Errorf("%s started shard %d at %v", p.name, r.ShardingItem, r.StartTime)
		}
		if len([]rune(r.FailureCause.String)) > 4000 {
			l.f.t.Errorf("%s recorded a cause of %d characters", p.name, len(r.FailureCause.String))
		}
		// When its two events overtake each other, Java leaves out when a failed
		// run ended.
		complete := r.CompleteTime.Valid || p.java && r.IsSuccess == 0
		list = append(list, execution{r.ShardingItem, r.IP, r.ExecutionSource, r.IsSuccess, complete, r.FailureCause.String != ""})
	}
	return list
}

func (l ledger) statuses(p *process, source string) []status {
	l.f.t.Helper()
	var rows []struct{ TaskID, SlaveID, Source, ExecutionType, ShardingItem, State, Message string }
	// Java writes them by several threads, so that only states tell the order.
	l.query(&rows, "SELECT task_id, slave_id, "+source+" AS source, execution_type, sharding_item, state, message FROM JOB_STATUS_TRACE_LOG "+
		"WHERE slave_id = ? ORDER BY FIELD(state, 'TASK_STAGING', 'TASK_RUNNING', 'TASK_FINISHED', 'TASK_ERROR'), message", p)
	var list []status
	for _, r := range rows {
		l.checkTask(r.TaskID, p)
		list = append(list, status{r.SlaveID, r.Source, r.ExecutionType, r.ShardingItem, r.State, r.Message})
	}
	return list
}

func (l ledger) query(rows any, statement string, p *process) {
	l.f.t.Helper()
	if err := l.db.Raw(statement, p.ip()).Scan(rows).Error; err != nil {
		l.f.t.Fatal(err)
	}
}

// checkTask checks the five parts of a task's id, the last of which ends in
// something that tells runs apart in ours.
func (l ledger) checkTask(id string, p *process) {
	l.f.t.Helper()
	parts := strings.Split(id, "@-@")
	if len(parts) != 5 || parts[0] != l.f.job.Name() || parts[2] != "READY" || parts[3] != p.ip() || p.java && parts[3]+"@-@"+parts[4] != p.id {
		l.f.t.Errorf("%s recorded the task %q", p.name, id)
	}
}

// expected are the rows of one run of two shards, the second of which fails.
func expected(p *process, ok, fails int, source string) ([]execution, []status) {
	line := func(state, message string) status {
		return status{p.ip(), source, "READY", fmt.Sprintf("[%d, %d]", ok, fails), state, message}
	}
	return []execution{
			{ok, p.ip(), "NORMAL_TRIGGER", 1, true, false},
			{fails, p.ip(), "NORMAL_TRIGGER", 0, true, true},
		}, []status{
			line("TASK_STAGING", "Job 'job' execute begin."),
			line("TASK_RUNNING", ""),
			line("TASK_ERROR", fmt.Sprintf("{%d=", fails)),
		}
}

// cut shortens what differs between the languages: the traces of failures.
func cut(statuses []status) []status {
	for k, s := range statuses {
		if s.State == "TASK_ERROR" {
			statuses[k].Message, _, _ = strings.Cut(s.Message, "=")
			statuses[k].Message += "="
		}
	}
	return statuses
}

// TestK49K61K62K63K69TracingTogether has both kinds record their runs in one
// MariaDB, in the tables that Java makes: rows of the same form, of runs that
// fail and of runs without shards. Java's settings for it are in the stored
// configuration, where a change by the console leaves them as they are.
func TestK49K61K62K63K69TracingTogether(t *testing.T) {
	withEveryJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=4", "--fail-words=1000")
		release := javaagent.ReleaseOf(version)
		source, column := release.TraceSource, release.SourceColumn()
		l := f.ledger()
		java := f.startJava("java", l.args(java, "--fail-item=1")...)
		block := f.get(t.Context(), f.job.Config())
		block = block[strings.Index(block, "jobExtraConfigurations:"):strings.Index(block, "jobName:")]
		if !strings.HasPrefix(block, "jobExtraConfigurations:\n- "+release.TracingTag) {
			t.Errorf("Java's settings:\n%s", block)
		}
		f.awaitLeader(java)
		f.awaitTables(l)
		goAgent := f.start(golang, l.args(golang, "--fail-item=3")...)
		mayComplain(java, goAgent)
		f.runOnce(4, java, goAgent)
		l.await(4, 6)
		for p, items := range map[*process][2]int{java: {0, 1}, goAgent: {2, 3}} {
			executions, statuses := expected(p, items[0], items[1], source)
			if diff := cmp.Diff(executions, l.executions(p)); diff != "" {
				t.Errorf("executions of %s (-want +got):\n%s", p.name, diff)
			}
			if diff := cmp.Diff(statuses, cut(l.statuses(p, column))); diff != "" {
				t.Errorf("statuses of %s (-want +got):\n%s", p.name, diff)
			}
		}

		// Now with nothing to do, after an edit.
		f.configure(func(c *jobconfig.Config) { c.Parameter, c.Description = "edited", "edited" })
		if now := f.get(t.Context(), f.job.Config()); !strings.Contains(now, block) || !strings.Contains(now, "jobParameter: edited\n") {
			t.Errorf("the edited configuration:\n%s", now)
		}
		for n := range 4 {
			if err := f.operator().DisableShard(t.Context(), f.job.Name(), n); err != nil {
				t.Fatal(err)
			}
		}
		from := time.Now()
		f.trigger()
		l.await(4, 10)
		f.nothingRuns(from)
		for _, p := range []*process{java, goAgent} {
			var empty []status
			for _, s := range l.statuses(p, column) {
				if s.Items == "[]" {
					empty = append(empty, s)
				}
			}
			want := []status{
				{p.ip(), source, "READY", "[]", "TASK_STAGING", "Job 'job' execute begin."},
				{p.ip(), source, "READY", "[]", "TASK_FINISHED", "Sharding item for job 'job' is empty."},
			}
			if diff := cmp.Diff(want, empty); diff != "" {
				t.Errorf("statuses of %s without shards (-want +got):\n%s", p.name, diff)
			}
		}
	})
}

// awaitTables waits until Java has made its tables.
func (f *fleet) awaitTables(l ledger) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		return l.db.WithContext(ctx).Exec("SELECT 1 FROM JOB_EXECUTION_LOG, JOB_STATUS_TRACE_LOG").Error
	})
}

// TestTracingTables305 has both kinds record their runs in tables of 3.0.5's
// form, which have no column for the source: ours writes all rows, a Java before
// 3.0.5 its executions only, as it does.
func TestTracingTables305(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=4")
		l := f.ledger()
		storetest.CreateJavaTables(t, l.db, storetest.Java305)
		java := f.startJava("java", l.args(java, "--fail-item=1")...)
		f.awaitLeader(java)
		goAgent := f.start(golang, l.args(golang, "--fail-item=3")...)
		mayComplain(java, goAgent)
		f.runOnce(4, java, goAgent)
		stepsOfJava := javaagent.ReleaseOf(version).Statuses(3)
		l.await(4, 3+stepsOfJava)
		for p, items := range map[*process][2]int{java: {0, 1}, goAgent: {2, 3}} {
			executions, statuses := expected(p, items[0], items[1], "")
			if p.java && stepsOfJava == 0 {
				statuses = nil
			}
			if diff := cmp.Diff(executions, l.executions(p)); diff != "" {
				t.Errorf("executions of %s (-want +got):\n%s", p.name, diff)
			}
			if diff := cmp.Diff(statuses, cut(l.statuses(p, "''"))); diff != "" {
				t.Errorf("statuses of %s (-want +got):\n%s", p.name, diff)
			}
		}
	})
}
