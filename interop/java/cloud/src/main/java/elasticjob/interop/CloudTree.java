package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.cloud.config.CloudJobConfiguration;
import org.apache.shardingsphere.elasticjob.cloud.config.CloudJobExecutionType;
import org.apache.shardingsphere.elasticjob.cloud.config.pojo.CloudJobConfigurationPOJO;
import org.apache.shardingsphere.elasticjob.infra.yaml.YamlEngine;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;

/**
 * Writes or loads jobs of ElasticJob-Cloud. The arguments are the servers, the namespace and
 * "write", or "load" and the names of jobs. A loaded job is a line of its fields.
 */
public final class CloudTree {

    private CloudTree() {
    }

    public static void main(String[] args) {
        ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(new ZookeeperConfiguration(args[0], args[1]));
        registry.init();
        try {
            if ("write".equals(args[2])) {
                write(registry);
            }
            for (int i = 3; i < args.length; i++) {
                load(registry, args[i]);
            }
        } finally {
            registry.close();
        }
    }

    private static void write(ZookeeperRegistryCenter registry) {
        JobConfiguration sales = JobConfiguration.newBuilder("sales", 3)
                .cron("0 0/5 * * * ?").shardingItemParameters("0=Turin,1=上海,2=Lima").jobParameter("a: b # c")
                .failover(true).misfire(false).description("of \"all\" shops").disabled(true)
                .jobErrorHandlerType("IGNORE").setProperty("script.command.line", "/bin/echo").build();
        put(registry, new CloudJobConfiguration("shop", 0.25, 96.5, CloudJobExecutionType.TRANSIENT, sales));
        JobConfiguration feed = JobConfiguration.newBuilder("feed", 1).cron("0/10 * * * * ?").build();
        put(registry, new CloudJobConfiguration("shop", 1, 128, CloudJobExecutionType.DAEMON, feed));
    }

    private static void put(ZookeeperRegistryCenter registry, CloudJobConfiguration job) {
        registry.persist(path(job.getJobConfig().getJobName()), YamlEngine.marshal(CloudJobConfigurationPOJO.fromCloudJobConfiguration(job)));
    }

    private static void load(ZookeeperRegistryCenter registry, String name) {
        CloudJobConfiguration cloud = YamlEngine.unmarshal(registry.getDirectly(path(name)), CloudJobConfigurationPOJO.class).toCloudJobConfiguration();
        JobConfiguration job = cloud.getJobConfig();
        System.out.println(String.join("|", job.getJobName(), cloud.getAppName(), cloud.getJobExecutionType().name(),
                String.valueOf(cloud.getCpuCount()), String.valueOf(cloud.getMemoryMB()), job.getCron(), String.valueOf(job.getShardingTotalCount()),
                job.getShardingItemParameters(), job.getJobParameter(), String.valueOf(job.isFailover()), String.valueOf(job.isMisfire()),
                String.valueOf(job.isDisabled()), job.getDescription(), String.valueOf(job.getProps())));
    }

    private static String path(String job) {
        return "/config/job/" + job;
    }
}
