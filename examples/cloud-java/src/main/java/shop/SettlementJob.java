package shop;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/**
 * A job as it is written for ElasticJob. It settles the invoices of a region, as many as the
 * job's parameter says. It knows nothing of processes, variables and exit codes.
 */
public final class SettlementJob implements SimpleJob {

    @Override
    public void execute(ShardingContext context) {
        String region = context.getShardingParameter();
        if (region == null) {
            throw new IllegalStateException("shard " + context.getShardingItem() + " has no region");
        }
        int invoices = Integer.parseInt(context.getJobParameter());
        System.out.printf("settling %s: shard %d of %d%n", region, context.getShardingItem(), context.getShardingTotalCount());
        for (int n = 1; n <= invoices; n++) {
            settle(region, n);
        }
        System.out.printf("%s is settled: %d invoices%n", region, invoices);
    }

    private static void settle(String region, int invoice) {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at invoice " + invoice + " of " + region, e);
        }
        System.out.printf("%s: invoice %d%n", region, invoice);
    }
}
