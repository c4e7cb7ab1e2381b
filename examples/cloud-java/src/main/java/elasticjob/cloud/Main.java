package elasticjob.cloud;

import org.apache.shardingsphere.elasticjob.api.ElasticJob;

/**
 * Runs a class of a job for the shard of this process.
 *
 * <pre>java -cp 'lib/*' elasticjob.cloud.Main shop.SettlementJob</pre>
 *
 * Further arguments are left alone: cloudrun adds the sharding context.
 */
public final class Main {

    private Main() {
    }

    public static void main(String[] args) {
        System.exit(ShardProcess.run(() -> job(args)));
    }

    private static ElasticJob job(String[] args) throws Exception {
        if (args.length == 0) {
            throw new ShardProcess.Misconfigured("no job is named; the application's command ends with its class: elasticjob.cloud.Main shop.SettlementJob");
        }
        Class<?> found;
        try {
            found = Class.forName(args[0]);
        } catch (ClassNotFoundException e) {
            throw new ShardProcess.Misconfigured("there is no class " + args[0] + " in the class path; correct the application's command");
        }
        if (!ElasticJob.class.isAssignableFrom(found)) {
            throw new ShardProcess.Misconfigured(args[0] + " is no job: it does not implement SimpleJob");
        }
        try {
            return (ElasticJob) found.getConstructor().newInstance();
        } catch (NoSuchMethodException | InstantiationException e) {
            throw new ShardProcess.Misconfigured(args[0] + " cannot be made: it has no public constructor without arguments; write a main class with JobBootstrap.execute(new …)");
        }
    }
}
