package javaagent

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestV40ExpectationsByVersion: what tests expect of Java depends on its
// version, by number and not as text.
func TestV40ExpectationsByVersion(t *testing.T) {
	t.Parallel()
	const old, young = "jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType"
	for version, want := range map[string]struct {
		key, source, lambda string
		blank, written      bool // forgotten servers
		statuses            int
	}{
		"3.0.2":          {key: old, source: "LITE_EXECUTOR", lambda: "$$Lambda$"},
		"3.0.3":          {key: old, source: "LITE_EXECUTOR", lambda: "$$Lambda$"},
		"3.0.4":          {key: old, source: "LITE_EXECUTOR", lambda: "$$Lambda$", blank: true},
		"3.0.5":          {key: young, lambda: "$$Lambda", written: true, statuses: 3},
		"3.0.6-SNAPSHOT": {key: young, lambda: "$$Lambda", written: true, statuses: 3},
		"3.0.10":         {key: young, lambda: "$$Lambda", written: true, statuses: 3},
		"3.1":            {key: young, lambda: "$$Lambda", written: true, statuses: 3},
	} {
		r := ReleaseOf(version)
		if r.Version != version || r.ExecutorKey != want.key || r.TraceSource != want.source || r.LambdaMark != want.lambda || r.Statuses(3) != want.statuses {
			t.Errorf("%s: %+v", version, r)
		}
		if r.Forgets("") != want.blank || r.Forgets("ENABLED") != want.written || r.Forgets("DISABLED") != want.written {
			t.Errorf("%s forgets blank %v, ENABLED %v, DISABLED %v", version, r.Forgets(""), r.Forgets("ENABLED"), r.Forgets("DISABLED"))
		}
		if column := r.SourceColumn(); (column == "source") != (want.source != "") {
			t.Errorf("%s: column %s", version, column)
		}
		if strings.Contains(r.TracingTag, ".kernel.") != (want.key == young) || strings.HasPrefix(r.UnknownStrategy, "Cannot") != (want.key == old) {
			t.Errorf("%s: %s, %s", version, r.TracingTag, r.UnknownStrategy)
		}
		for config, reads := range map[string]bool{
			"jobName: j\n": true, old + ": CPU\n": want.key == old, young + ": CPU\n": want.key == young,
			"jobExtraConfigurations:\n- " + ReleaseOf("3.0.4").TracingTag + "\n": want.key == old,
			"jobExtraConfigurations:\n- " + ReleaseOf("3.0.5").TracingTag + "\n": want.key == young,
		} {
			if r.Reads(config) != reads {
				t.Errorf("%s reads %q: %v", version, config, !reads)
			}
		}
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{{"3.0.10", "3.0.5", true}, {"3.0.5", "3.0.10", false}, {"3", "3.0.5", false}, {"2.1.5", "3.0.4", false}, {"4", "3.0.5", true}, {"3.0.5.1", "3.0.5", true}} {
		if atLeast(tt.a, tt.b) != tt.want {
			t.Errorf("%s at least %s: %v", tt.a, tt.b, !tt.want)
		}
	}
}

// TestW54SourcesByVersion: the agent's sources have the names of 3.0.4, and are built with the
// artifact and the packages of the version that a test asks for.
func TestW54SourcesByVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]struct{ artifact, job, listener, folder string }{
		"3.0.2": {"elasticjob-lite-core", "lite.api.bootstrap.impl.ScheduleJobBootstrap;", "elasticjob.infra.listener.ElasticJobListener", "agent"},
		"3.0.5": {"elasticjob-bootstrap", "bootstrap.type.ScheduleJobBootstrap;", "elasticjob.spi.listener.ElasticJobListener", "agent/target/3.0.5/renamed"},
		"3.1.0": {"elasticjob-bootstrap", "bootstrap.type.ScheduleJobBootstrap;", "elasticjob.spi.listener.ElasticJobListener", "agent/target/3.1.0/renamed"},
	} {
		p := Program{Dir: filepath.Join("..", "..", "interop", "java"), Version: version}
		files, err := p.sources()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(files["pom.xml"], "<artifactId>"+want.artifact+"<") {
			t.Errorf("%s needs %s:\n%s", version, want.artifact, files["pom.xml"])
		}
		if service := files["src/main/java/elasticjob/interop/Service.java"]; !strings.Contains(service, "elasticjob."+want.job) {
			t.Errorf("%s needs %s:\n%s", version, want.job, service)
		}
		if files["src/main/resources/META-INF/services/org.apache.shardingsphere."+want.listener] == "" {
			t.Errorf("%s does not find the listener", version)
		}
		for name, text := range files {
			if want.artifact == "elasticjob-bootstrap" && strings.Contains(text, "elasticjob.lite") {
				t.Errorf("%s: %s has a package of before 3.0.5", version, name)
			}
		}
		if got := (Program{Dir: "agent", Version: version}).folder(); filepath.ToSlash(got) != want.folder {
			t.Errorf("%s is built in %s", version, got)
		}
	}
}
