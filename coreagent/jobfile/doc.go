// Package jobfile reads jobs from a YAML file in the shape of ElasticJob's
// Spring Boot starter, so that a file serves Java and Go alike, and jobs of the
// types SCRIPT and HTTP run without any code: `console agent --config
// jobs.yaml` is this package and nothing else.
//
//	elasticjob:
//	  regCenter:                          ─▶ File.Config  ─▶ coreagent.New
//	    serverLists: zk1:2181,zk2:2181
//	    namespace: billing
//	    digest: ${ZK_DIGEST}              ◀─ the environment, or a file
//	  jobs:
//	    cleanup:                          ─▶ File.Jobs    ─▶ Agent.Add
//	      elasticJobType: SCRIPT              with Job.Handler, or your own
//	      cron: 0 0 3 * * ?
//	      shardingTotalCount: 1
//	      props:
//	        script.command.line: /usr/local/bin/cleanup
//	  tracing:                            ─▶ File.Tracing ─▶ you open the database
//	    type: RDB
//	  dump:                               ─▶ File.Config
//	    port: 9888
//
// [Load] and [Parse] check everything that can be checked without a server and
// report all problems of a file at once, each with its line, the key, the value
// and what is allowed. An unknown key is a problem, too: Spring ignores it, and
// the job quietly runs with a default.
//
// # Spelling
//
// Keys may be written as shardingTotalCount, sharding-total-count or
// sharding_total_count, and joined by dots, as in
// elasticjob.regCenter.namespace. YAML's anchors and merge keys work. What
// stands beside elasticjob in the file belongs to somebody else and is ignored,
// except for spring.datasource, which elasticjob.tracing falls back to as it
// does in Java.
//
// # Values from elsewhere
//
// ${NAME} is the value of the environment variable NAME; if there is none, the
// content of the file that the variable NAME_FILE names; if there is none
// either, the value of the key NAME of the same file, such as
// ${spring.application.name}. ${NAME:default} has a default, which may be empty
// and may hold a placeholder. \${ is not a placeholder.
//
// What came from the environment or a file, and what is secret by its nature,
// appears in no error: the text shows the placeholder, or "***".
//
// # Where this differs from Java's starter
//
// Keys that are left out have the defaults of ElasticJob's manual and its Java
// API: monitorExecution and misfire true, reconcileIntervalMinutes 10. The
// starter takes false, false and 0 against its manual. Write the three keys
// where a file serves both.
package jobfile
