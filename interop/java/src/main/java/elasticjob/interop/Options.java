package elasticjob.interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of the form --name=value, of which the last one of a name counts unless it is a list.
 * The Go process of the tests takes the same ones.
 */
final class Options {

    private static final String ALSO = "--also";

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    Options(String[] args) {
        this(Arrays.asList(args));
    }

    private Options(List<String> args) {
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("argument '" + arg + "' is not --name=value");
            }
            values.computeIfAbsent(arg.substring(2, equals), name -> new ArrayList<>()).add(arg.substring(equals + 1));
        }
    }

    /**
     * The jobs of a process: what comes before the first --also describes one and holds for all, and
     * each --also is followed by what describes another.
     */
    static List<Options> jobs(String[] args) {
        List<Options> result = new ArrayList<>();
        List<String> all = Arrays.asList(args);
        int first = all.indexOf(ALSO);
        List<String> shared = first < 0 ? all : all.subList(0, first);
        result.add(new Options(shared));
        for (int at = first; at >= 0 && at < all.size();) {
            int next = all.subList(at + 1, all.size()).indexOf(ALSO);
            int end = next < 0 ? all.size() : at + 1 + next;
            List<String> own = new ArrayList<>(shared);
            own.addAll(all.subList(at + 1, end));
            result.add(new Options(own));
            at = end;
        }
        return result;
    }

    List<String> list(String name) {
        return values.getOrDefault(name, List.of());
    }

    String text(String name, String missing) {
        List<String> given = list(name);
        return given.isEmpty() ? missing : given.get(given.size() - 1);
    }

    String required(String name) {
        String value = text(name, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("--" + name + " is required");
        }
        return value;
    }

    int number(String name, int missing) {
        return Integer.parseInt(text(name, Integer.toString(missing)));
    }

    boolean flag(String name, boolean missing) {
        return Boolean.parseBoolean(text(name, Boolean.toString(missing)));
    }
}
