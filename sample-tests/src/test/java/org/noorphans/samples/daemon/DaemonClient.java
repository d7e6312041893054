/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Talks to the daemon the way its clients do. */
final class DaemonClient {

    private static final Gson JSON = new Gson();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI daemon;

    DaemonClient(URI daemon) {
        this.daemon = daemon;
    }

    /** A status and a body. */
    record Reply(int status, String body) {
        <T> T as(Class<T> type) {
            return JSON.fromJson(body, type);
        }
    }

    /** S1-2. */
    void configure(Path claude) {
        Reply reply = send(
                "PUT",
                "/api/app-config",
                Map.of(
                        "agentId",
                        "claude",
                        "agentCliEnv",
                        Map.of("claude", Map.of("CLAUDE_BIN", claude.toString())),
                        "telemetry",
                        Map.of("metrics", true)));
        assertThat(reply.status()).isEqualTo(200);
    }

    /** A project with a random id; gives the id. */
    String createProject() {
        String id = "retry_orphan_" + UUID.randomUUID();
        Reply reply = send("POST", "/api/projects", Map.of("id", id, "name", "Retry orphan process group probe"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.as(JsonObject.class).get("conversationId").getAsString())
                .isNotEmpty();
        return id;
    }

    /** S1-3: a new project, and a run in it; gives the run's id. */
    String createRun() {
        return createRun("please do not orphan my descendants");
    }

    String createRun(String message) {
        Reply reply = tryToCreateRun(createProject(), message);
        assertThat(reply.status()).isEqualTo(202);
        return reply.as(JsonObject.class).get("runId").getAsString();
    }

    Reply tryToCreateRun(String projectId, String message) {
        return send(
                "POST",
                "/api/runs",
                Map.of(
                        "projectId",
                        projectId,
                        "agentId",
                        "claude",
                        "message",
                        message,
                        "clientRequestId",
                        UUID.randomUUID().toString()));
    }

    RunView run(String id) {
        Reply reply = send("GET", "/api/runs/" + id, null);
        assertThat(reply.status()).isEqualTo(200);
        return reply.as(RunView.class);
    }

    RunView cancel(String id) {
        Reply reply = send("POST", "/api/runs/" + id + "/cancel", null);
        assertThat(reply.status()).isEqualTo(200);
        return reply.as(RunView.class);
    }

    List<RunEvent> events(String id) {
        Reply reply = send("GET", "/api/runs/" + id + "/events", null);
        assertThat(reply.status()).isEqualTo(200);
        return List.of(reply.as(RunEvent[].class));
    }

    List<RunEvent> events(String id, String type) {
        return events(id).stream().filter(event -> event.type().equals(type)).toList();
    }

    /** S1-4: polls every 100 ms, for 15 s at most, until the run has ended. */
    RunView awaitEnd(String id) {
        return awaitEnd(id, Duration.ofSeconds(15));
    }

    /** S1-5: says which run did not end. */
    RunView awaitEnd(String id, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            RunView run = run(id);
            if (run.status().isTerminal()) {
                return run;
            }
            pause();
        }
        throw new AssertionError("run " + id + " did not finish");
    }

    Reply send(String method, String path, Object body) {
        var content = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(JSON.toJson(body), StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(daemon.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .method(method, content)
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
