/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.Base64;
import java.util.Objects;

/** Output that is more than a line. */
public sealed interface OutputStep extends Step {
    /**
     * Prints exactly these bytes to standard output, NUL too.
     *
     * @param base64 the bytes
     */
    record Bytes(String base64) implements OutputStep {
        public Bytes {
            try {
                base64 = Base64.getEncoder().encodeToString(Base64.getDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("bytes needs base64, but was given \"" + base64 + "\"", e);
            }
        }

        /** The bytes. */
        public byte[] decoded() {
            return Base64.getDecoder().decode(base64);
        }
    }

    /**
     * Prints a recording to standard output, byte for byte. It is read when the scenario is installed.
     *
     * @param file its path; a relative one begins at the working directory of who installs
     */
    record Replay(String file) implements OutputStep {
        public Replay {
            if (file.isEmpty() || file.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("replay needs the path of a file");
            }
        }

        @Override
        public String describe() {
            return "replay " + file;
        }
    }

    /**
     * Prints a flood of lines of 1,023 letters x, to fill pipes that nobody drains. The last line may be shorter.
     *
     * @param stream where to
     * @param bytes how many, line ends included; 1 to 1 GiB
     */
    record Flood(Stream stream, long bytes) implements OutputStep {
        public Flood {
            Objects.requireNonNull(stream, "stream");
            if (bytes < 1 || bytes > 1L << 30) {
                throw new IllegalArgumentException("flood must be 1 to 1073741824 bytes, but was " + bytes);
            }
        }
    }

    /**
     * From here on standard output is held back and printed in one go by the step that ends the fake with a code, as
     * a program with a block-buffered standard output does. A signal loses it.
     */
    record Burst() implements OutputStep {}

    /** An output stream. */
    enum Stream {
        /** Standard output. */
        OUT,
        /** Standard error. */
        ERR
    }
}
