package elasticjob.interop;

import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import org.apache.shardingsphere.elasticjob.api.ElasticJob;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.OneOffJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.tracing.api.TracingConfiguration;

/** The job as its options describe it, with the two kinds of bootstraps behind one face. */
final class Service {

    private ScheduleJobBootstrap scheduled;
    private OneOffJobBootstrap oneOff;

    Service(ZookeeperRegistryCenter registry, Options options) {
        JobConfiguration configuration = configuration(options);
        String type = options.text("type", "");
        boolean external = type.equals("SCRIPT") || type.equals("HTTP");
        ElasticJob job = type.equals("DATAFLOW") ? new ReportingFlow() : new ReportingJob(options);
        if (configuration.getCron() == null) {
            oneOff = external
                    ? new OneOffJobBootstrap(registry, type, configuration)
                    : new OneOffJobBootstrap(registry, job, configuration);
        } else {
            scheduled = external
                    ? new ScheduleJobBootstrap(registry, type, configuration)
                    : new ScheduleJobBootstrap(registry, job, configuration);
            scheduled.schedule();
        }
    }

    void trigger() {
        if (oneOff == null) {
            throw new IllegalStateException("only one-off jobs are triggered by their own process");
        }
        oneOff.execute();
    }

    void shutdown() {
        if (oneOff != null) {
            oneOff.shutdown();
        } else {
            scheduled.shutdown();
        }
    }

    private static JobConfiguration configuration(Options options) {
        JobConfiguration.Builder result = JobConfiguration.newBuilder(options.required("job"), options.number("shards", 1))
                .shardingItemParameters(options.text("item-parameters", ""))
                .jobParameter(options.text("parameter", ""))
                .description(options.text("description", ""))
                .monitorExecution(options.flag("monitor-execution", true))
                .failover(options.flag("failover", false))
                .misfire(options.flag("misfire", true))
                .maxTimeDiffSeconds(options.number("max-time-diff-seconds", -1))
                .reconcileIntervalMinutes(options.number("reconcile-minutes", 10))
                .disabled(options.flag("disabled", false))
                .staticSharding(options.flag("static-sharding", false))
                .overwrite(options.flag("overwrite", false))
                .jobListenerTypes(options.list("listener").toArray(new String[0]));
        // Absent is not the same as empty for what follows.
        options.list("cron").forEach(result::cron);
        options.list("time-zone").forEach(result::timeZone);
        options.list("strategy").forEach(result::jobShardingStrategyType);
        options.list("error-handler").forEach(result::jobErrorHandlerType);
        options.list("pool").forEach(result::jobExecutorServiceHandlerType);
        for (String each : options.list("property")) {
            String[] property = each.split("=", 2);
            result.setProperty(property[0], property[1]);
        }
        List<String> database = options.list("jdbc");
        if (!database.isEmpty()) {
            result.addExtraConfigurations(new TracingConfiguration<>("RDB", dataSource(database.get(0), options)));
        }
        return result.build();
    }

    private static HikariDataSource dataSource(String url, Options options) {
        HikariDataSource result = new HikariDataSource();
        result.setDriverClassName("com.mysql.cj.jdbc.Driver");
        result.setJdbcUrl(url);
        result.setUsername(options.required("jdbc-user"));
        result.setPassword(options.required("jdbc-password"));
        return result;
    }
}
