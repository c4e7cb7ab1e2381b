#!/bin/sh
# Starts a Java class: its name and its arguments are those of this script, its class path
# is the folder lib beside bin. JAVA_OPTS may have options, such as -Xmx96m.
#
# Java reads variables in the encoding of the locale: without one, Chinese would be lost. It
# is started with exec, so that SIGTERM reaches it and its exit code is that of the process.
export LANG="${LANG:-C.UTF-8}"
# shellcheck disable=SC2086 # words
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" ${JAVA_OPTS-} -cp "$(dirname "$0")/../lib/*" "$@"
