import { connect } from 'node:net';
import { once } from 'node:events';
import { newReports, report, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer, type Server } from '../production-server.ts';
import { expect, seconds, until } from '../until.ts';

const drainMs = 10_000;
const inFlight = 5;

/** A request whose end is sent on demand; `finish` returns what came back, '' if the connection was cut. */
async function halfRequest(server: Server, head: string, rest: string) {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(head);
  return {
    finish: async () => {
      socket.write(rest);
      await until('an answer or the end', 5000, () => received.includes('\r\n\r\n') || socket.destroyed);
      return received;
    },
    closed,
  };
}

export const sigterm: Scenario = {
  name: 'sigterm',
  expected: 'SIGTERM with requests in flight: /readyz off, in-flight finished within 10 s, exit 0',
  short: true,
  run: async ({ database, say }) => {
    const { server, tool, session } = await startReporting(database);

    const letGo = await database.hold('select 1 from tool_usage for update');
    const working = Array.from({ length: inFlight }, () => report(server, tool, newReports(session, 1)));
    // One is enough: reports of one tool are written together.
    await until('they are in the middle of their work', 2000, async () => (await database.waiting()) > 0);
    const probe = await halfRequest(server, 'GET /readyz HTTP/1.1\r\nhost: x\r\n', '\r\n');

    const stopped = server.stop();
    const health = () => fetch(`${server.base}/healthz`).catch(() => null);
    await until('new connections are refused', 2000, async () => !(await health())?.ok);
    const readiness = await probe.finish();
    await letGo();
    const answers = await Promise.all(working);
    const { code, ms } = await stopped;
    const statuses = answers.map((answer) => answer.status).join(' ');
    const [readyz = ''] = readiness.split('\r\n');
    say(`readyz "${readyz}", in flight ${statuses}, exit ${code} after ${seconds(ms)}`);
    expect(readyz === '' || readyz.startsWith('HTTP/1.1 503'), `/readyz said ${readyz}`);
    expect(/^(200 ?)+$/.test(statuses), `requests in flight: ${statuses}`);
    expect(ms < 5000, `it took ${seconds(ms)} to stop, long after the last answer`);
    expect((await database.count('select count(*) from usage_analytics')) === inFlight, 'a report is missing');

    const hanging = await startServer(database, { port: server.port });
    const body = 'content-type: application/json\r\ncontent-length: 1000';
    const head = `POST /api/login HTTP/1.1\r\nhost: localhost:${server.port}\r\n${body}\r\n\r\n{`;
    const never = await halfRequest(hanging, head, '');
    await fetch(`${hanging.base}/healthz`);
    const second = await hanging.stop();
    await never.closed;
    say(`with a request that never ends: exit ${second.code} after ${seconds(second.ms)}`);
    expect(second.ms < drainMs + 2000, `it took ${seconds(second.ms)} to stop`);
    return `readyz off, ${inFlight} in flight answered 200, exit 0 after ${seconds(ms)}; with a request that never ends after ${seconds(second.ms)}`;
  },
};
