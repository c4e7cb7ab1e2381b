package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** The job that both sides serve: it reports, works for a while, and reports again. */
public final class ReportingJob implements SimpleJob {

    private final long bodyMillis;
    private final int failingItem;
    private final int failWords;

    ReportingJob(Options options) {
        bodyMillis = options.number("body-ms", 0);
        failingItem = options.number("fail-item", -1);
        failWords = options.number("fail-words", 0);
    }

    @Override
    public void execute(ShardingContext context) {
        report("START", context);
        String end = "END";
        try {
            Thread.sleep(bodyMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end = "INTERRUPTED";
        }
        Report.line("%s item=%d at=%d task=%s", end, context.getShardingItem(), System.currentTimeMillis(), context.getTaskId());
        if (context.getShardingItem() == failingItem) {
            throw new IllegalStateException("planned failure" + " word".repeat(failWords));
        }
    }

    static void report(String word, ShardingContext context) {
        Report.line("%s item=%d at=%d task=%s parameter=%s job=%s total=%d", word, context.getShardingItem(),
                System.currentTimeMillis(), context.getTaskId(), text(context.getShardingParameter()),
                text(context.getJobParameter()), context.getShardingTotalCount());
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
