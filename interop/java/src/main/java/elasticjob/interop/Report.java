package elasticjob.interop;

/** The lines that tests read from standard output, one report each. */
final class Report {

    private Report() {
    }

    static synchronized void line(String format, Object... args) {
        System.out.println(String.format(format, args).replace('\n', ' '));
        System.out.flush();
    }
}
