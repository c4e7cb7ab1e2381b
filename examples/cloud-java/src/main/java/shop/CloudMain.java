package shop;

import org.apache.shardingsphere.elasticjob.cloud.api.JobBootstrap;

/** The main class of a program as it is written for ElasticJob-Cloud on Mesos. */
public final class CloudMain {

    private CloudMain() {
    }

    public static void main(String[] args) {
        JobBootstrap.execute(new SettlementJob());
    }
}
