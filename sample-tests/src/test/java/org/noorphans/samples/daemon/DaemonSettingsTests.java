/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DaemonSettingsTests {

    // S1-31, S1-32
    @ParameterizedTest
    @CsvSource({
        "1200, 1200",
        "0, 0",
        "1200.9, 1200",
        "-1, 600000",
        "soon, 600000",
        "NaN, 600000",
        "1e300, 86400000",
    })
    void the_environment_sets_the_inactivity_timeout(String text, long millis) {
        var settings = DaemonSettings.fromEnvironment(Map.of(DaemonSettings.INACTIVITY_TIMEOUT, text));
        assertThat(settings.inactivityTimeout()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void an_empty_environment_gives_the_defaults() {
        var settings = DaemonSettings.fromEnvironment(Map.of());
        assertThat(settings.inactivityTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.retryBackoff()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.cancelGrace()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.teardown()).isInstanceOf(WholeGroup.class);
    }
}
