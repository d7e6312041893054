/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs agent CLIs for HTTP clients on this machine.
 *
 * <pre>
 * PUT  /api/app-config         200  which agent, which executable: {"agentId": …, "agentCliEnv": {"claude": {"CLAUDE_BIN": …}}}
 * POST /api/projects           200  {"id": …} gives {"conversationId": …}
 * POST /api/runs               202  {"projectId": …, "agentId": …, "message": …} gives {"runId": …}; 503 during shutdown
 * GET  /api/runs/{id}          200  a {@link RunView}
 * POST /api/runs/{id}/cancel   200  the same, once the run has ended
 * GET  /api/runs/{id}/events   200  a list of {@link RunEvent}
 * </pre>
 *
 * <p>Retry, cancel, failure and shutdown end the agent together with its process group. A run that ends by itself leaves
 * alone what its agent left running: an agent may have been asked to start a server.
 */
public final class AgentDaemon implements AutoCloseable {

    private static final Gson JSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final Pattern RUN = Pattern.compile("/api/runs/([^/]+)(/cancel|/events)?");

    private record NewProject(@Nullable String id) {}

    private record NewRun(
            @Nullable String projectId,
            @Nullable String agentId,
            @Nullable String message) {}

    private record Reply(int status, Object body) {}

    private final DaemonSettings settings;
    private final RunRegistry runs;
    private final Map<String, String> conversations = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final ExecutorService threads = DaemonThreads.perRequest();
    private volatile AppConfig config = AppConfig.EMPTY;

    private AgentDaemon(DaemonSettings settings, HttpServer server) {
        this.settings = settings;
        this.runs = new RunRegistry(settings);
        this.server = server;
    }

    /**
     * Starts a daemon on a free port of the loopback interface.
     *
     * @throws IOException if there is none
     */
    public static AgentDaemon start(DaemonSettings settings) throws IOException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var daemon = new AgentDaemon(settings, HttpServer.create(anyPort, 0));
        daemon.server.createContext("/api/", daemon::handle);
        daemon.server.setExecutor(daemon.threads);
        daemon.server.start();
        return daemon;
    }

    /** Where to reach it; without a slash at the end. */
    public URI url() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Ends all runs and their processes; questions are still answered, new runs are not taken. May be repeated. */
    public void shutdown() {
        runs.shutdown();
    }

    /** Shuts down, then stops listening. */
    @Override
    public void close() {
        shutdown();
        server.stop(0);
        threads.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Reply reply =
                    answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), body);
            byte[] bytes = JSON.toJson(reply.body()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(reply.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Reply answer(String method, String path, String body) {
        try {
            return switch (method + " " + path) {
                case "PUT /api/app-config" -> configure(body);
                case "POST /api/projects" -> createProject(body);
                case "POST /api/runs" -> createRun(body);
                default -> answerAboutRun(method, RUN.matcher(path));
            };
        } catch (JsonParseException e) {
            return error(400, "not the JSON expected here");
        }
    }

    private Reply answerAboutRun(String method, Matcher path) {
        if (!path.matches()) {
            return error(404, "no such resource");
        }
        String action = path.group(2) == null ? "" : path.group(2);
        Function<Run, Object> question = switch (method + action) {
            case "GET" -> Run::view;
            case "GET/events" -> Run::events;
            case "POST/cancel" ->
                run -> {
                    run.cancel();
                    return run.view();
                };
            default -> run -> error(405, "no such method");
        };
        return runs.find(path.group(1))
                .map(question)
                .map(result -> result instanceof Reply reply ? reply : new Reply(200, result))
                .orElseGet(() -> error(404, "no such run"));
    }

    private Reply configure(String body) {
        config = parse(body, AppConfig.class);
        return new Reply(200, Map.of("ok", true));
    }

    private Reply createProject(String body) {
        NewProject project = parse(body, NewProject.class);
        String id = project.id() == null ? UUID.randomUUID().toString() : project.id();
        String conversation =
                conversations.computeIfAbsent(id, any -> UUID.randomUUID().toString());
        return new Reply(200, Map.of("id", id, "conversationId", conversation));
    }

    private Reply createRun(String body) {
        NewRun wanted = parse(body, NewRun.class);
        if (wanted.projectId() == null || !conversations.containsKey(wanted.projectId())) {
            return error(404, "no such project");
        }
        AgentCli cli = config.agent(wanted.agentId(), settings.environment());
        String prompt = wanted.message() == null ? "" : wanted.message();
        return runs.create(cli, prompt)
                .map(run -> {
                    run.start();
                    return new Reply(202, Map.of("runId", run.id()));
                })
                .orElseGet(() -> error(503, "shutting down"));
    }

    private static <T> T parse(String body, Class<T> type) {
        T parsed = JSON.fromJson(body, type);
        if (parsed == null) {
            throw new JsonParseException("empty body");
        }
        return parsed;
    }

    private static Reply error(int status, String reason) {
        return new Reply(status, Map.of("error", reason));
    }
}
