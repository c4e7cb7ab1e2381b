package elasticjob.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.apache.shardingsphere.elasticjob.infra.env.IpUtils;
import org.apache.shardingsphere.elasticjob.lite.internal.snapshot.SnapshotService;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;

/**
 * Serves a job, or several, as any Java program does, and obeys commands on standard input, one a
 * line, that are for the first: trigger (one-off jobs), shutdown (the job's bootstrap), exit. It ends
 * with its standard input.
 */
public final class Agent {

    private Agent() {
    }

    public static void main(String[] args) throws IOException {
        List<Options> jobs = Options.jobs(args);
        Options options = jobs.get(0);
        ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(registryConfiguration(options));
        Service service;
        try {
            registry.init();
            if (options.number("dump-port", 0) > 0) {
                new SnapshotService(registry, options.number("dump-port", 0)).listen();
            }
            service = new Service(registry, options);
            for (Options each : jobs.subList(1, jobs.size())) {
                new Service(registry, each);
            }
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
        result.setSessionTimeoutMilliseconds(options.number("session-ms", 12000));
        if (!options.text("digest", "").isEmpty()) {
            result.setDigest(options.text("digest", ""));
        }
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
}
