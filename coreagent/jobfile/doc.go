// Package jobfile reads jobs from a YAML file in the form of ElasticJob's Spring Boot starter, so
// Java and Go can share a file, and jobs of the types SCRIPT and HTTP run without any code:
// `elasticjob agent --config jobs.yaml` only uses this package.
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
// [Load] and [Parse] check everything that can be checked without a server, and report all problems
// of a file at once, each with its line, the key, the value and the allowed values. An unknown key
// is a problem, too, because Spring ignores it and the job silently runs with a default.
//
// # Spelling
//
// Keys may be written as shardingTotalCount, sharding-total-count or sharding_total_count, and joined
// by dots, as in elasticjob.regCenter.namespace. YAML's anchors and merge keys work. Other keys next to
// elasticjob are ignored, except spring.datasource, which elasticjob.tracing falls back to as in Java.
//
// # Values from outside the file
//
// ${NAME} is the value of the environment variable NAME; else the content of the file named by the
// variable NAME_FILE; else the value of the key NAME of the same file, such as
// ${spring.application.name}. ${NAME:default} has a default, which may be empty and may contain a
// placeholder. \${ is not a placeholder.
//
// Values from the environment or a file, and secrets, appear in no error: the text shows the
// placeholder, or "***".
//
// # Differences from Java's starter
//
// Missing keys have the defaults of ElasticJob's manual and its Java API: monitorExecution and
// misfire true, reconcileIntervalMinutes 10. Contrary to its manual the starter uses false, false
// and 0. Write the three keys if Java and Go share the file.
package jobfile
