package elasticjob.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.infra.env.IpUtils;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.OneOffJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;

/**
 * Serves one job as any Java program does, and obeys commands on standard input, one a line:
 * trigger (one-off jobs), shutdown (the job's bootstrap), exit. It ends with its standard input.
 */
public final class Agent {

    private Agent() {
    }

    public static void main(String[] args) throws IOException {
        Options options = new Options(args);
        ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(registryConfiguration(options));
        Service service;
        try {
            registry.init();
            service = Service.start(registry, options);
        } catch (RuntimeException e) {
            Report.line("REFUSED %s", e);
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
            return;
        }
        Report.line("READY id=%s@-@%s", IpUtils.getIp(), ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        obey(service);
        Runtime.getRuntime().halt(0);
    }

    private static ZookeeperConfiguration registryConfiguration(Options options) {
        ZookeeperConfiguration result = new ZookeeperConfiguration(options.required("zookeeper"), options.required("namespace"));
        result.setSessionTimeoutMilliseconds(options.number("session-ms", 4000));
        return result;
    }

    private static void obey(Service service) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            switch (line) {
                case "trigger":
                    service.trigger();
                    Report.line("TRIGGERED");
                    break;
                case "shutdown":
                    service.shutdown();
                    Report.line("STOPPED");
                    break;
                case "exit":
                    System.exit(0); // With the hooks that a terminated process runs.
                    break;
                default:
                    Report.line("UNKNOWN %s", line);
            }
        }
    }

    private static JobConfiguration jobConfiguration(Options options) {
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
                .overwrite(options.flag("overwrite", false));
        if (!options.text("cron", "").isEmpty()) {
            result.cron(options.text("cron", ""));
        }
        if (!options.text("time-zone", "").isEmpty()) {
            result.timeZone(options.text("time-zone", ""));
        }
        if (!options.text("strategy", "").isEmpty()) {
            result.jobShardingStrategyType(options.text("strategy", ""));
        }
        if (!options.text("property", "").isEmpty()) {
            String[] property = options.text("property", "").split("=", 2);
            result.setProperty(property[0], property[1]);
        }
        return result.build();
    }

    /** The two kinds of bootstraps behind one face. */
    private static final class Service {

        private ScheduleJobBootstrap scheduled;
        private OneOffJobBootstrap oneOff;

        static Service start(ZookeeperRegistryCenter registry, Options options) {
            Service result = new Service();
            JobConfiguration configuration = jobConfiguration(options);
            ReportingJob job = new ReportingJob(options.number("body-ms", 0));
            if (configuration.getCron() == null) {
                result.oneOff = new OneOffJobBootstrap(registry, job, configuration);
            } else {
                result.scheduled = new ScheduleJobBootstrap(registry, job, configuration);
                result.scheduled.schedule();
            }
            return result;
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
    }
}
