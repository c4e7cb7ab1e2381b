package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.infra.listener.ShardingContexts;
import org.apache.shardingsphere.elasticjob.lite.api.listener.AbstractDistributeOnceElasticJobListener;

/** Reports the beginning and the end of each run of all items, on one of the agents. */
public final class OnceListener extends AbstractDistributeOnceElasticJobListener {

    /** What a job's configuration calls it. */
    public static final String TYPE = "ONCE";

    private static final long TIMEOUT_MILLIS = 5000;

    public OnceListener() {
        super(TIMEOUT_MILLIS, TIMEOUT_MILLIS);
    }

    @Override
    public void doBeforeJobExecutedAtLastStarted(ShardingContexts contexts) {
        Report.line("ALLSTARTED at=%d", System.currentTimeMillis());
    }

    @Override
    public void doAfterJobExecutedAtLastCompleted(ShardingContexts contexts) {
        Report.line("ALLCOMPLETED at=%d", System.currentTimeMillis());
    }

    @Override
    public String getType() {
        return TYPE;
    }
}
