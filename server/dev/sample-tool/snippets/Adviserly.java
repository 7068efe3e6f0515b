import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.*;
import java.security.MessageDigest;
import java.time.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Adviserly {
  static final Map<String, String> env = System.getenv();
  static final HttpClient client = HttpClient.newHttpClient();

  static String post(String path, String body, String type) throws Exception {
    var credentials = (env.get("TOOL_ID") + ":" + env.get("TOOL_SECRET")).getBytes(UTF_8);
    var request = HttpRequest.newBuilder(URI.create(env.get("ADVISERLY") + path))
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials))
        .header("Content-Type", type)
        .timeout(Duration.ofSeconds(10))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IOException("Adviserly answered " + answer.statusCode());
    return answer.body();
  }

  /** Who opened the tool, as JSON; null where nobody may. */
  static String exchange(String token) throws Exception {
    var form = "token=" + URLEncoder.encode(token, UTF_8);
    var who = post("/api/tools/introspect", form, "application/x-www-form-urlencoded");
    return who.contains("\"active\":true") ? who : null;
  }

  static String report(String event) throws Exception {
    return post("/api/tools/usage", "{\"events\":[" + event + "]}", "application/json");
  }

  /** Whether an event is ours. Give "" for a header that is missing, and the body as the bytes that came. */
  static boolean isOurs(String id, String at, String signatures, byte[] body) throws Exception {
    if (!at.matches("\\d{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(at)) > 300) return false;
    var key = Base64.getDecoder().decode(env.get("TOOL_SIGNING_SECRET").substring("whsec_".length()));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + at + ".").getBytes(UTF_8));
    var right = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    return Arrays.stream(signatures.split(" ")).anyMatch(one -> MessageDigest.isEqual(one.getBytes(UTF_8), right));
  }
}
