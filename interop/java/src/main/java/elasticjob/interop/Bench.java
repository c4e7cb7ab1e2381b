package elasticjob.interop;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/**
 * The agent that is measured beside ours: many jobs, and reports of a few bytes that are written
 * some time later, so that reporting does not delay what is measured. Arguments and reports are
 * those of the Go process in bench/agent. It ends with its standard input.
 */
public final class Bench {

    private static final long SLICE_MILLIS = 10;

    private static final long JOURNAL_DELAY_MILLIS = 100;

    private Bench() {
    }

    public static void main(String[] args) throws IOException {
        Options options = new Options(args);
        Journal journal = new Journal();
        ZookeeperConfiguration configuration = new ZookeeperConfiguration(options.required("zookeeper"), options.required("namespace"));
        configuration.setSessionTimeoutMilliseconds(options.number("session-ms", 60000));
        ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(configuration);
        registry.init();
        for (int i = 0; i < options.number("jobs", 1); i++) {
            JobConfiguration job = JobConfiguration.newBuilder(String.format("nightly-report-%04d", i), options.number("shards", 1))
                    .cron(options.required("cron"))
                    .monitorExecution(options.flag("monitor-execution", true))
                    .failover(options.flag("failover", false))
                    .misfire(options.flag("misfire", true))
                    .build();
            new ScheduleJobBootstrap(registry, new Body(journal, i, options.text("body-ms", "0").split(",")), job).schedule();
        }
        journal.add("READY " + micros() + "\n");
        while (System.in.read() >= 0) {
            continue; // No orders are given to a Java agent.
        }
        Runtime.getRuntime().halt(0);
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    /** A job that reports when it starts and ends. */
    private static final class Body implements SimpleJob {

        private final Journal journal;

        private final int job;

        private final List<Long> millis = new ArrayList<>();

        Body(Journal journal, int job, String[] millis) {
            this.journal = journal;
            this.job = job;
            for (String each : millis) {
                this.millis.add(Long.parseLong(each));
            }
        }

        @Override
        public void execute(ShardingContext context) {
            int item = context.getShardingItem();
            stamp('S', item);
            long work = millis.get(Math.min(item, millis.size() - 1));
            try {
                for (long done = 0; done < work; done += SLICE_MILLIS) {
                    Thread.sleep(SLICE_MILLIS);
                }
            } catch (InterruptedException e) {
                stamp('C', item);
                Thread.currentThread().interrupt();
            }
            stamp('E', item);
        }

        private void stamp(char what, int item) {
            journal.add(what + " " + micros() + " " + job + " " + item + "\n");
        }
    }

    /** Collects reports and writes them together. */
    private static final class Journal {

        private StringBuilder lines = new StringBuilder();

        Journal() {
            Thread writer = new Thread(this::write, "journal");
            writer.setDaemon(true);
            writer.start();
        }

        synchronized void add(String line) {
            if (lines.length() == 0) {
                notifyAll();
            }
            lines.append(line);
        }

        private void write() {
            try {
                while (true) {
                    synchronized (this) {
                        while (lines.length() == 0) {
                            wait();
                        }
                    }
                    Thread.sleep(JOURNAL_DELAY_MILLIS);
                    StringBuilder full;
                    synchronized (this) {
                        full = lines;
                        lines = new StringBuilder();
                    }
                    System.out.print(full);
                    System.out.flush();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
