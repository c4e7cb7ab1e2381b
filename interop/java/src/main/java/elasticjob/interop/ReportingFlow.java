package elasticjob.interop;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.dataflow.job.DataflowJob;

/** The dataflow job: each item has three batches of two texts in store for each of its runs. */
public final class ReportingFlow implements DataflowJob<String> {

    private final ConcurrentMap<Integer, Integer> left = new ConcurrentHashMap<>();

    @Override
    public List<String> fetchData(ShardingContext context) {
        int batch = left.merge(context.getShardingItem(), 2, (have, ignored) -> have - 1);
        Report.line("FETCH item=%d batch=%d", context.getShardingItem(), batch);
        if (batch < 0) {
            left.remove(context.getShardingItem());
            return List.of();
        }
        return List.of("first", "second");
    }

    @Override
    public void processData(ShardingContext context, List<String> data) {
        Report.line("PROCESS item=%d data=%s", context.getShardingItem(), String.join(",", data));
    }
}
