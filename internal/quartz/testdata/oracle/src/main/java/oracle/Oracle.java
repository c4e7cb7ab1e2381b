package oracle;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import org.quartz.CronExpression;

/**
 * Asks Quartz for fire times and writes them down, one line each:
 *
 * <pre>
 * lastyear Y          the year after which Quartz fires nothing
 * zone ID OFFSET      a custom time zone and its offset in seconds
 * start N ID MILLIS   the instants searches start from
 * ! EXPRESSION        refused
 * = EXPRESSION        accepted; its rows follow
 * N D1 D2 D3 D4 D5    seconds from start N to the first fire time, then from each to the next;
 *                     "." where there is none; "~" where Quartz does not return (after the third of these
 *                     the expression gets no more rows)
 * </pre>
 *
 * The expressions are those of a file and random ones of a fixed seed. An expression whose search
 * throws is written as refused: it never gets a job scheduled.
 */
public final class Oracle {

    private static final int TIMES = 5;
    private static final int RANDOM_EXPRESSIONS = 900;
    private static final int STARTS_OF_RANDOM = 5;

    private static final long END_OF_2037 = 2145916800_000L;

    private record Start(String zone, long millis) {}

    private static final List<Start> STARTS = new ArrayList<>();

    static {
        // Zones without changes, month and year ends, leap years, a fraction of a second.
        start("UTC", "2026-01-31T23:59:59");
        start("UTC", "2027-12-30T11:07:13");
        start("UTC", "2024-02-28T22:59:58.500");
        start("UTC", "2099-12-31T23:59:59");
        start("Asia/Shanghai", "2026-11-21T08:00:00");
        start("GMT+8", "2028-02-29T00:00:00");
        start("GMT+08:00", "2025-08-30T17:45:30");
        start("GMT-0330", "2026-06-05T23:59:59");
        start("Africa/Nairobi", "2027-01-29T13:14:15");
        // New York: the gap, both passes through the overlap, and after the end of Java's tables.
        start("America/New_York", "2026-03-08T01:40:00");
        start("America/New_York", "2026-03-07T12:00:00");
        start("America/New_York", "2026-11-01T00:59:59");
        instant("America/New_York", 1793511000L * 1000); // the first 01:30
        instant("America/New_York", 1793511000L * 1000 + 3600_000); // the second 01:30
        start("America/New_York", "2040-03-10T20:00:00");
        start("America/New_York", "2040-11-03T20:00:00");
        start("Europe/Berlin", "2026-03-28T23:30:00");
        start("Europe/Berlin", "2026-10-24T23:30:00");
        start("Europe/Dublin", "2027-03-27T12:00:00");
        // Half an hour, two hours, midnight, a lost day, changes of the standard offset.
        start("Australia/Lord_Howe", "2026-10-04T01:50:00");
        start("Australia/Lord_Howe", "2026-04-04T22:00:00");
        start("Antarctica/Troll", "2026-03-29T00:20:00");
        start("Antarctica/Troll", "2026-10-25T00:20:00");
        start("Africa/Cairo", "2026-04-22T18:00:00");
        start("Africa/Cairo", "2026-10-29T18:00:00");
        start("Africa/Casablanca", "2026-02-14T20:00:00");
        start("Africa/Casablanca", "2026-03-21T20:00:00");
        start("America/Havana", "2026-03-07T20:00:00");
        start("America/Santiago", "2026-09-05T22:30:00");
        start("Asia/Beirut", "2026-03-28T20:00:00");
        start("America/St_Johns", "2026-03-07T23:00:00");
        start("Pacific/Apia", "2011-12-29T20:00:00");
        start("Asia/Pyongyang", "2018-05-04T20:00:00");
        start("Asia/Kathmandu", "2026-05-31T23:59:00");
    }

    private static void start(final String zone, final String local) {
        final long millis = LocalDateTime.parse(local)
                .atZone(TimeZone.getTimeZone(zone).toZoneId()).toInstant().toEpochMilli();
        instant(zone, millis);
    }

    private static void instant(final String zone, final long millis) {
        STARTS.add(new Start(zone, millis));
    }

    private static final String[] ZONES = {
        "GMT", "GMT0", "GMT+0", "GMT-0", "GMT+8", "GMT+08", "GMT+8:00", "GMT+08:00", "GMT+0800", "GMT+800",
        "GMT-3:30", "GMT-0330", "GMT-330", "GMT+14", "GMT+23:59", "GMT+2359", "GMT-23:59", "GMT+:30", "GMT+00800",
        "GMT+24", "GMT+25", "GMT+8:60", "GMT+8:0", "GMT+8:000", "GMT+008:00", "GMT+12345", "GMT+1:2:3", "GMTx",
        "GMT8", "GMT+", "GMT-", "GMT+8 ", "GMT +8", "GMT+x", "GMT+8x", "GMT+860", "GMT+00", "GMT+1:", "GMT00", "GMT-00:00",
    };

    public static void main(final String[] args) throws IOException, InterruptedException {
        final Set<String> expressions = new LinkedHashSet<>();
        for (final String line : Files.readAllLines(Path.of(args[1]))) {
            if (!line.isEmpty() && line.charAt(0) != ';') {
                expressions.add(unescape(line));
            }
        }
        final int written = expressions.size();
        final Random random = new Random(20261121);
        while (expressions.size() < written + RANDOM_EXPRESSIONS) {
            expressions.add(randomExpression(random));
        }
        int number = 0;
        try (PrintWriter out = new PrintWriter(args[2], "UTF-8")) {
            out.print("# Written by Quartz " + args[0] + " through testdata/oracle. Do not edit.\n");
            out.print("lastyear " + CronExpression.MAX_YEAR + "\n");
            for (final String zone : ZONES) {
                out.print("zone " + zone.replace(' ', '_') + " " + TimeZone.getTimeZone(zone).getRawOffset() / 1000 + "\n");
            }
            for (int i = 0; i < STARTS.size(); i++) {
                out.print("start " + i + " " + STARTS.get(i).zone + " " + STARTS.get(i).millis + "\n");
            }
            for (final String expression : expressions) {
                final boolean isRandom = number++ >= written;
                final List<Integer> starts = new ArrayList<>();
                for (int i = 0; i < (isRandom ? STARTS_OF_RANDOM : STARTS.size()); i++) {
                    starts.add(isRandom ? random.nextInt(STARTS.size()) : i);
                }
                out.print(rows(expression, starts));
            }
        }
        System.exit(0); // searches that hang are still running
    }

    private static String rows(final String expression, final List<Integer> starts) throws InterruptedException {
        final String shown = escape(expression);
        final StringBuilder rows = new StringBuilder("= " + shown + "\n");
        int hangs = 0;
        for (final int number : starts) {
            final Start start = STARTS.get(number);
            // Quartz compares the milliseconds of the wall clock with those of the start in W rules.
            if (start.millis % 1000 != 0 && expression.toUpperCase().contains("W")) {
                continue;
            }
            final FutureTask<String> search = new FutureTask<>(() -> search(expression, start));
            final Thread thread = new Thread(search);
            thread.setDaemon(true);
            thread.start();
            try {
                final String times = search.get(1, TimeUnit.SECONDS);
                if (times.isEmpty()) {
                    continue;
                }
                rows.append(number).append(times).append('\n');
            } catch (final TimeoutException ex) {
                thread.stop();
                rows.append(number).append(" ~\n");
                if (++hangs == 3) {
                    break;
                }
            } catch (final ExecutionException ex) {
                if (ex.getCause() instanceof ParseException || ex.getCause() instanceof NoSuchElementException) {
                    return "! " + shown + "\n";
                }
                throw new IllegalStateException(expression, ex);
            }
        }
        return rows.toString();
    }

    private static String search(final String text, final Start start) throws ParseException {
        final CronExpression expression = new CronExpression(text);
        expression.setTimeZone(TimeZone.getTimeZone(start.zone));
        final StringBuilder result = new StringBuilder();
        Date from = new Date(start.millis);
        for (int i = 0; i < TIMES; i++) {
            final Date next = expression.getTimeAfter(from);
            if (next == null) {
                return result.append(" .").toString();
            }
            // Java keeps single changes of a zone until 2037, Go all of them. Only Morocco has later ones.
            if (start.zone.equals("Africa/Casablanca") && next.getTime() > END_OF_2037) {
                return "";
            }
            result.append(' ').append(Math.floorDiv(next.getTime(), 1000L) - Math.floorDiv(from.getTime(), 1000L));
            from = next;
        }
        return result.toString();
    }

    private static String unescape(final String text) {
        return Pattern.compile("\\\\u([0-9a-f]{4})").matcher(text)
                .replaceAll(match -> Character.toString(Integer.parseInt(match.group(1), 16)))
                .translateEscapes();
    }

    private static String escape(final String text) {
        final StringBuilder result = new StringBuilder();
        for (final char c : text.toCharArray()) {
            if (c < ' ' || c > '~' || c == '\\') {
                result.append(String.format("\\u%04x", (int) c));
            } else {
                result.append(c);
            }
        }
        return result.toString();
    }

    private static final int[] LOW = {0, 0, 0, 1, 1, 1, 2020};
    private static final int[] HIGH = {59, 59, 23, 31, 12, 7, 2040};
    private static final String[] MONTHS =
        {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
    private static final String[] DAYS = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

    private static String randomExpression(final Random random) {
        final StringBuilder result = new StringBuilder();
        final boolean weekday = random.nextInt(5) < 2;
        for (int field = 0; field < 7; field++) {
            if (field == 6 && random.nextInt(4) > 0) {
                break;
            }
            if (field > 0) {
                result.append(' ');
            }
            if (field == 3 && weekday || field == 5 && !weekday) {
                result.append('?');
            } else if (field < 2 && random.nextInt(2) == 0) {
                result.append(random.nextInt(3) == 0 ? "0/15" : "0");
            } else {
                result.append(randomField(random, field));
            }
        }
        // One in fifty gets a random character somewhere.
        if (random.nextInt(50) == 0) {
            result.setCharAt(random.nextInt(result.length()), "?*/,-#LW0123456789XJ".charAt(random.nextInt(20)));
        }
        return result.toString();
    }

    private static String randomField(final Random random, final int field) {
        if (field == 4 && random.nextInt(2) == 0 || random.nextInt(4) == 0) {
            return "*";
        }
        if (field == 3 && random.nextInt(3) == 0) {
            return switch (random.nextInt(4)) {
                case 0 -> "L";
                case 1 -> "L-" + random.nextInt(8) + (random.nextInt(3) == 0 ? "W" : "");
                case 2 -> "LW";
                default -> number(random, field) + "W";
            };
        }
        if (field == 5 && random.nextInt(3) == 0) {
            return switch (random.nextInt(3)) {
                case 0 -> number(random, field) + "L";
                case 1 -> number(random, field) + "#" + (1 + random.nextInt(5));
                default -> random.nextInt(5) == 0 ? "L" : DAYS[random.nextInt(7)] + "#" + (1 + random.nextInt(5));
            };
        }
        final StringBuilder result = new StringBuilder(element(random, field));
        while (random.nextInt(3) == 0) {
            result.append(',').append(element(random, field));
        }
        return result.toString();
    }

    private static String element(final Random random, final int field) {
        final int limit = 1 + (HIGH[field] - LOW[field]) / 2;
        return switch (random.nextInt(6)) {
            case 0 -> number(random, field) + "-" + number(random, field);
            case 1 -> number(random, field) + "-" + number(random, field) + "/" + (1 + random.nextInt(limit));
            case 2 -> number(random, field) + "/" + (1 + random.nextInt(limit));
            case 3 -> (random.nextInt(2) == 0 ? "*/" : "/") + (1 + random.nextInt(limit));
            case 4 -> field == 4 ? MONTHS[random.nextInt(12)] : field == 5 ? DAYS[random.nextInt(7)]
                : String.valueOf(number(random, field));
            default -> String.valueOf(number(random, field));
        };
    }

    private static int number(final Random random, final int field) {
        return LOW[field] + random.nextInt(HIGH[field] - LOW[field] + 1);
    }
}
