package elasticjob.interop;

import java.util.LinkedHashMap;
import java.util.Map;

/** Arguments of the form --name=value. The Go process of the tests takes the same ones. */
final class Options {

    private final Map<String, String> values = new LinkedHashMap<>();

    Options(String[] args) {
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("argument '" + arg + "' is not --name=value");
            }
            values.put(arg.substring(2, equals), arg.substring(equals + 1));
        }
    }

    String text(String name, String missing) {
        return values.getOrDefault(name, missing);
    }

    String required(String name) {
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("--" + name + " is required");
        }
        return value;
    }

    int number(String name, int missing) {
        String value = values.get(name);
        return value == null ? missing : Integer.parseInt(value);
    }

    boolean flag(String name, boolean missing) {
        String value = values.get(name);
        return value == null ? missing : Boolean.parseBoolean(value);
    }
}
