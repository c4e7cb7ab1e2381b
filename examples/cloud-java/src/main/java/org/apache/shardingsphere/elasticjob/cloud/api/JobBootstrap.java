package org.apache.shardingsphere.elasticjob.cloud.api;

import elasticjob.cloud.ShardProcess;
import org.apache.shardingsphere.elasticjob.api.ElasticJob;

/**
 * Stands in the place of the class of elasticjob-cloud-executor, which speaks to Mesos, so that a
 * program's own main class stays as it is. Leave that artifact out of the class path.
 */
public final class JobBootstrap {

    private JobBootstrap() {
    }

    /** Runs the job for the shard of this process, and ends the process. */
    public static void execute(ElasticJob job) {
        System.exit(ShardProcess.run(() -> job));
    }

    /** Refuses a job that has a type and no class: cloudrun starts scripts. */
    public static void execute(String type) {
        System.exit(ShardProcess.run(() -> {
            throw new ShardProcess.Misconfigured("a job of the type " + type + " has no class; a script needs no Java: name it "
                    + "behind cloudrun in the application's command");
        }));
    }
}
