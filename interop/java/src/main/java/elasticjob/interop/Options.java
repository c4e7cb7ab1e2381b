package elasticjob.interop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of the form --name=value, of which the last one of a name counts unless it is a list.
 * The Go process of the tests takes the same ones.
 */
final class Options {

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    Options(String[] args) {
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("argument '" + arg + "' is not --name=value");
            }
            values.computeIfAbsent(arg.substring(2, equals), name -> new ArrayList<>()).add(arg.substring(equals + 1));
        }
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
