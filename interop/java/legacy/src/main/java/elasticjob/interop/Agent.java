package elasticjob.interop;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

import com.dangdang.ddframe.job.config.JobCoreConfiguration;
import com.dangdang.ddframe.job.config.simple.SimpleJobConfiguration;
import com.dangdang.ddframe.job.lite.api.JobScheduler;
import com.dangdang.ddframe.job.lite.config.LiteJobConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperRegistryCenter;
import com.dangdang.ddframe.job.util.env.IpUtils;

/**
 * Serves one job as a Java program of the generation before Apache's does. It takes a part of the
 * arguments of its younger namesake, reports the same, and ends with its standard input.
 */
public final class Agent {

    private Agent() {
    }

    public static void main(String[] args) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            options.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        ZookeeperConfiguration zookeeper = new ZookeeperConfiguration(options.get("--zookeeper"), options.get("--namespace"));
        zookeeper.setSessionTimeoutMilliseconds(12000);
        ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(zookeeper);
        try {
            registry.init();
            new JobScheduler(registry, configuration(options)).init();
        } catch (RuntimeException e) {
            ReportingJob.report("REFUSED %s", e);
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        ReportingJob.report("READY id=%s@-@%s", IpUtils.getIp(), ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        while (System.in.read() >= 0) {
            continue; // It takes no orders.
        }
        Runtime.getRuntime().halt(0);
    }

    private static LiteJobConfiguration configuration(Map<String, String> options) {
        JobCoreConfiguration core = JobCoreConfiguration
                .newBuilder(options.get("--job"), options.get("--cron"), Integer.parseInt(options.getOrDefault("--shards", "1")))
                .shardingItemParameters(options.getOrDefault("--item-parameters", ""))
                .jobParameter(options.getOrDefault("--parameter", ""))
                .description(options.getOrDefault("--description", ""))
                .build();
        return LiteJobConfiguration.newBuilder(new SimpleJobConfiguration(core, ReportingJob.class.getName())).build();
    }
}
