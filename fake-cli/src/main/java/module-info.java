/* SPDX-License-Identifier: Apache-2.0 */

/** Scriptable stand-ins for the command lines of coding agents. */
module org.noorphans.fakecli {
    requires com.google.gson;
    requires info.picocli;
    requires org.snakeyaml.engine;
    requires static org.jspecify;

    exports org.noorphans.fakecli;
    exports org.noorphans.fakecli.model;

    opens org.noorphans.fakecli.internal.cli to
            info.picocli;
}
