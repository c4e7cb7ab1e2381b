package elasticjob.cloud;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.infra.context.ShardingItemParameters;

/** Reads the variables that an engine sets, all of them, and says what is wrong with each. */
final class Environment {

    private static final int MOST_SHARDS = 100_000;
    private static final int LONGEST_SHOWN = 100;

    private final Map<String, String> variables;
    private final List<String> wrong = new ArrayList<>();
    private final List<String> misconfigured = new ArrayList<>();

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** The shard to run, or null if there are problems. */
    ShardingContext read() {
        if ("DAEMON".equals(text("ELASTICJOB_EXECUTION_TYPE"))) {
            misconfigured.add("ELASTICJOB_EXECUTION_TYPE is DAEMON, and this program has one run and ends; "
                    + "put cloudrun before it in the application's command, which fires it");
        }
        String job = required("ELASTICJOB_JOB_NAME");
        int total = number("ELASTICJOB_SHARDING_TOTAL_COUNT", text("ELASTICJOB_SHARDING_TOTAL_COUNT"), 1, MOST_SHARDS);
        int item = item(total);
        String parameter = parameter(item);
        String task = text("ELASTICJOB_TASK_ID");
        if (task.isEmpty() && !text("ELASTICJOB_POD_UID").isEmpty()) { // A pod that looks up its shard.
            task = String.join("@-@", job, String.valueOf(item), "READY", required("ELASTICJOB_NODE"), text("ELASTICJOB_POD_UID"));
        } else if (task.isEmpty()) {
            required("ELASTICJOB_TASK_ID");
        }
        return problems().isEmpty() ? new ShardingContext(job, task, total, text("ELASTICJOB_JOB_PARAMETER"), item, parameter) : null;
    }

    List<String> problems() {
        List<String> all = new ArrayList<>(wrong);
        all.addAll(misconfigured);
        return all;
    }

    int exitCode() {
        return wrong.isEmpty() ? ShardProcess.WRONG_CONFIGURATION : ShardProcess.WRONG_ENVIRONMENT;
    }

    private String text(String name) {
        return variables.getOrDefault(name, "");
    }

    private String required(String name) {
        if (text(name).isEmpty()) {
            wrong.add(name + " is not set; the scheduler sets it for each shard of a run");
        }
        return text(name);
    }

    private int number(String name, String value, int least, int most) {
        if (value.isEmpty()) {
            required(name);
            return least;
        }
        try {
            int number = Integer.parseInt(value);
            if (least <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // It is refused below, as what is out of bounds.
        }
        wrong.add(name + " is \"" + shown(value) + "\", want a whole number from " + least + " to " + most);
        return least;
    }

    /** The shard's number. On Kubernetes a run of some of the shards lists them, and a pod knows its place. */
    private int item(int total) {
        String list = text("ELASTICJOB_ITEMS");
        if (!text("ELASTICJOB_ITEM").isEmpty() || list.isEmpty()) {
            return number("ELASTICJOB_ITEM", text("ELASTICJOB_ITEM"), 0, total - 1);
        }
        String[] items = list.split(",", -1);
        int place = number("ELASTICJOB_INDEX", text("ELASTICJOB_INDEX"), 0, items.length - 1);
        return number("ELASTICJOB_ITEMS", items[place], 0, total - 1);
    }

    /** The shard's own parameter, by ElasticJob's rules; null if it has none. */
    private String parameter(int item) {
        try {
            return new ShardingItemParameters(text("ELASTICJOB_SHARDING_ITEM_PARAMETERS")).getMap().get(item);
        } catch (RuntimeException e) {
            misconfigured.add("ELASTICJOB_SHARDING_ITEM_PARAMETERS cannot be read: " + shown(String.valueOf(e.getMessage()))
                    + "; correct shardingItemParameters of the job");
            return null;
        }
    }

    private static String shown(String value) {
        return value.length() <= LONGEST_SHOWN ? value : value.substring(0, LONGEST_SHOWN) + "…";
    }
}
