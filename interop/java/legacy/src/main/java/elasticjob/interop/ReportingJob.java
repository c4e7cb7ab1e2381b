package elasticjob.interop;

import com.dangdang.ddframe.job.api.ShardingContext;
import com.dangdang.ddframe.job.api.simple.SimpleJob;

/** The reporting job of the other agents, without a body. */
public final class ReportingJob implements SimpleJob {

    @Override
    public void execute(ShardingContext context) {
        for (String word : new String[] {"START", "END"}) {
            report("%s item=%d at=%d task=%s parameter=%s job=%s total=%d", word, context.getShardingItem(),
                    System.currentTimeMillis(), context.getTaskId(), context.getShardingParameter(),
                    context.getJobParameter(), context.getShardingTotalCount());
        }
    }

    static synchronized void report(String format, Object... args) {
        System.out.println(String.format(format, args).replace('\n', ' '));
        System.out.flush();
    }
}
