package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** The job that both sides serve: it reports, works for a while, and reports again. */
public final class ReportingJob implements SimpleJob {

    private final long bodyMillis;

    ReportingJob(long bodyMillis) {
        this.bodyMillis = bodyMillis;
    }

    @Override
    public void execute(ShardingContext context) {
        Report.line("START item=%d at=%d task=%s parameter=%s job=%s total=%d", context.getShardingItem(),
                System.currentTimeMillis(), context.getTaskId(), text(context.getShardingParameter()),
                text(context.getJobParameter()), context.getShardingTotalCount());
        String end = "END";
        try {
            Thread.sleep(bodyMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end = "INTERRUPTED";
        }
        Report.line("%s item=%d at=%d task=%s", end, context.getShardingItem(), System.currentTimeMillis(), context.getTaskId());
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }
}
