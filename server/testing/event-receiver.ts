import http from 'node:http';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { toolEvents } from '#shared/api/tool-events.ts';
import { tools } from '#shared/schema/tools.ts';
import { listenLocally } from './ports.ts';
import type { TestApp } from './test-app.ts';
import { makeSecret } from './tool-secrets.ts';

export type Received = {
  id: string;
  type: string;
  timestamp: string;
  data: { sub?: string; tool_id: string; reason?: string; erasure_id?: string };
};
type Answer = number | 'hang up';

/** A tool's server that verifies events with the library `standardwebhooks` and answers as it is told to. */
export async function eventServer() {
  let secret = '';
  let answer: Answer = 204;
  const events: Received[] = [];
  const { url, stop } = await listenLocally(
    http.createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => (body += String(chunk)));
      req.on('end', () => {
        const event = new Webhook(secret).verify(body, req.headers as Record<string, string>) as Omit<Received, 'id'>;
        // Throws where the event is not what the documentation says.
        toolEvents[event.type as keyof typeof toolEvents].body.parse(event);
        events.push({ id: String(req.headers['webhook-id']), ...event });
        if (answer === 'hang up') res.destroy();
        else res.writeHead(answer, { location: `${url}/elsewhere` }).end();
      });
    }),
  );
  return {
    url,
    /** About this person; undefined: about the tool itself. */
    of: (userId: string | undefined) => events.filter((event) => event.data.sub === userId),
    answerWith: (next: Answer) => (answer = next),
    verifyWith: (next: string) => (secret = next),
    stop,
  };
}

/** A receiver that is registered as the server of one tool. */
export async function receiveEvents(app: TestApp, toolId: string) {
  const server = await eventServer();
  /** Makes a new secret; the server keeps verifying with the old one until `verifyWith`. */
  const rotate = () => makeSecret(app, toolId, 'signing');
  const eventsUrl = `${server.url}/events`;
  await app.context.db.update(tools).set({ eventsUrl }).where(eq(tools.id, toolId));
  server.verifyWith(await rotate());
  return { ...server, rotate };
}
