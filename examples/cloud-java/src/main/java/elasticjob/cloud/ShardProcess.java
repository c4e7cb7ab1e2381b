package elasticjob.cloud;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.shardingsphere.elasticjob.api.ElasticJob;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;
import sun.misc.Signal;

/**
 * A process that runs one shard of a job.
 *
 * <pre>
 * variables ──▶ Environment ── ShardingContext ──▶ SimpleJob.execute ──▶ exit code
 *                                                      ▲
 *                                SIGTERM ── interrupt ─┘
 * </pre>
 *
 * The exit codes are those of docs/cloud.md. The last line on standard error says why a shard
 * failed, and the console shows it.
 */
public final class ShardProcess {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_ENVIRONMENT = 64;
    static final int WRONG_CONFIGURATION = 78;
    static final int ENDED = 143;

    /** The end of the longest cause that is said. */
    private static final int LONGEST = 1000;

    private ShardProcess() {
    }

    /** What the configuration of the job or its application says, and is wrong: no engine tries again. */
    public static final class Misconfigured extends Exception {

        private static final long serialVersionUID = 1L;

        public Misconfigured(String problem) {
            super(problem);
        }
    }

    /** Makes the job and runs it for the shard that the environment names. Returns the exit code. */
    public static int run(Callable<ElasticJob> making) {
        Environment environment = new Environment(System.getenv());
        ShardingContext context = environment.read();
        if (context == null) {
            environment.problems().forEach(System.err::println);
            return environment.exitCode();
        }
        AtomicBoolean stopping = interruptAtSigterm(Thread.currentThread());
        String shard = "job " + context.getJobName() + ", shard " + context.getShardingItem() + ": ";
        try {
            ElasticJob job = making.call();
            if (!(job instanceof SimpleJob)) {
                throw new Misconfigured(job.getClass().getName() + " is no SimpleJob, and other jobs are not run here");
            }
            ((SimpleJob) job).execute(context);
            return DONE;
        } catch (Misconfigured e) {
            System.err.println(shard + e.getMessage());
            return WRONG_CONFIGURATION;
        } catch (Throwable e) { // Errors too: a class that is missing fails the shard.
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            cause.printStackTrace();
            System.err.println(shard + (stopping.get() ? "ended by SIGTERM: " : "") + line(cause));
            return stopping.get() ? ENDED : FAILED;
        }
    }

    /**
     * At SIGTERM the job is interrupted and may end in its own time, until the engine's grace is
     * over. A second signal ends the process at once. A shutdown hook cannot do this: it does not
     * learn whether a signal or the job itself ends the process.
     */
    private static AtomicBoolean interruptAtSigterm(Thread job) {
        AtomicBoolean stopping = new AtomicBoolean();
        Signal.handle(new Signal("TERM"), signal -> {
            if (stopping.getAndSet(true)) {
                Runtime.getRuntime().halt(ENDED);
            }
            job.interrupt();
        });
        return stopping;
    }

    /** An exception as one line. */
    private static String line(Throwable cause) {
        String text = cause.toString().replaceAll("\\s+", " ");
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
