package elasticjob.interop;

import com.dangdang.ddframe.job.cloud.scheduler.config.app.CloudAppConfiguration;
import com.dangdang.ddframe.job.cloud.scheduler.config.app.CloudAppConfigurationService;
import com.dangdang.ddframe.job.cloud.scheduler.config.job.CloudJobConfiguration;
import com.dangdang.ddframe.job.cloud.scheduler.config.job.CloudJobConfigurationService;
import com.dangdang.ddframe.job.cloud.scheduler.config.job.CloudJobExecutionType;
import com.dangdang.ddframe.job.cloud.scheduler.state.disable.app.DisableAppService;
import com.dangdang.ddframe.job.cloud.scheduler.state.disable.job.DisableJobService;
import com.dangdang.ddframe.job.config.JobCoreConfiguration;
import com.dangdang.ddframe.job.config.JobTypeConfiguration;
import com.dangdang.ddframe.job.config.dataflow.DataflowJobConfiguration;
import com.dangdang.ddframe.job.config.script.ScriptJobConfiguration;
import com.dangdang.ddframe.job.config.simple.SimpleJobConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperRegistryCenter;

/**
 * Writes or loads applications and jobs by the services of the scheduler. The arguments are
 * those of its younger namesake; "app" and the name of an application loads that.
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
                if ("app".equals(args[2])) {
                    loadApp(registry, args[i]);
                } else {
                    load(registry, args[i]);
                }
            }
        } finally {
            registry.close();
        }
    }

    private static void write(ZookeeperRegistryCenter registry) {
        CloudAppConfigurationService apps = new CloudAppConfigurationService(registry);
        apps.add(new CloudAppConfiguration("shop", "http://repo.example/shop.tar.gz", "bin/start.sh", 0.5, 128, false, 7));
        apps.add(new CloudAppConfiguration("closed", "http://repo.example/closed.tar.gz", "bin/start.sh"));
        CloudJobConfigurationService jobs = new CloudJobConfigurationService(registry);
        JobCoreConfiguration core = JobCoreConfiguration.newBuilder("sales", "0 0/5 * * * ?", 3)
                .shardingItemParameters("0=Turin,1=上海,2=Lima").jobParameter("a: b # c").failover(true).misfire(false).description("of \"all\" shops").build();
        jobs.add(job("shop", CloudJobExecutionType.TRANSIENT, new SimpleJobConfiguration(core, "org.example.Sales")));
        jobs.add(job("shop", CloudJobExecutionType.DAEMON, new DataflowJobConfiguration(core("feed"), "org.example.Feed", true)));
        jobs.add(job("closed", CloudJobExecutionType.TRANSIENT, new ScriptJobConfiguration(core("script"), "/bin/echo")));
        new DisableJobService(registry).add("sales");
        new DisableAppService(registry).add("closed");
    }

    private static JobCoreConfiguration core(String name) {
        return JobCoreConfiguration.newBuilder(name, "0/10 * * * * ?", 1).build();
    }

    private static CloudJobConfiguration job(String app, CloudJobExecutionType type, JobTypeConfiguration configuration) {
        return new CloudJobConfiguration(app, configuration, 0.25, 96.5, type);
    }

    private static void load(ZookeeperRegistryCenter registry, String name) {
        CloudJobConfiguration job = new CloudJobConfigurationService(registry).load(name).get();
        JobCoreConfiguration core = job.getTypeConfig().getCoreConfig();
        System.out.println(String.join("|", job.getJobName(), job.getAppName(), job.getJobExecutionType().name(),
                String.valueOf(job.getCpuCount()), String.valueOf(job.getMemoryMB()), core.getCron(), String.valueOf(core.getShardingTotalCount()),
                core.getShardingItemParameters(), core.getJobParameter(), String.valueOf(core.isFailover()), String.valueOf(core.isMisfire()),
                String.valueOf(new DisableJobService(registry).isDisabled(name)), core.getDescription(), job.getTypeConfig().getJobClass()));
    }

    private static void loadApp(ZookeeperRegistryCenter registry, String name) {
        CloudAppConfiguration app = new CloudAppConfigurationService(registry).load(name).get();
        System.out.println(String.join("|", app.getAppName(), app.getAppURL(), app.getBootstrapScript(), String.valueOf(app.getCpuCount()),
                String.valueOf(app.getMemoryMB()), String.valueOf(app.isAppCacheEnable()), String.valueOf(app.getEventTraceSamplingCount()),
                String.valueOf(new DisableAppService(registry).isDisabled(name))));
    }
}
