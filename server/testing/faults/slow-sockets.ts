import { connect, type Socket } from 'node:net';
import { countOf, expectServed, slowestOf, statusLine, steadyLoad } from './load.ts';
import { call, signUp } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, seconds, until } from '../until.ts';

/** What a slow socket says: nothing, headers a byte at a time, or a body a byte at a time. */
const kinds = [
  { name: 'silent', count: 400, head: '', limitMs: 15_000 },
  { name: 'slow headers', count: 400, head: 'GET /api/user HTTP/1.1\r\nhost: x\r\nx-slow: ', limitMs: 15_000 },
  {
    name: 'slow body',
    count: 200,
    head: 'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n',
    limitMs: 24_000,
  },
];
const dripMs = 1000;

export const slowSockets: Scenario = {
  name: 'slow-sockets',
  expected: '1,000 slow sockets: cut in 15 s (a slow body in 24 s), others served',
  run: async ({ database, say }) => {
    const server = await startServer(database);
    const adviser = await signUp(server, database);
    const begin = performance.now();
    const lives = kinds.flatMap(({ name, count, head, limitMs }) =>
      Array.from({ length: count }, () => {
        const socket: Socket = connect(server.port, '127.0.0.1');
        const life = { name, limitMs, connected: false, ms: 0 };
        socket.on('error', () => undefined).resume();
        socket.once('connect', () => {
          life.connected = true;
          if (!head) return;
          socket.write(head);
          const drip = setInterval(() => socket.write('x'), dripMs);
          socket.once('close', () => clearInterval(drip));
        });
        socket.once('close', () => (life.ms = performance.now() - begin));
        return life;
      }),
    );
    await until('all are connected', 10_000, () => lives.every((life) => life.connected));
    const load = steadyLoad([1, 2].map(() => () => call(server, '/api/user', { cookie: adviser.cookie })));
    await until('all are cut', 26_000, () => lives.every((life) => life.ms > 0), 100);
    const tally = await load.stop();

    const longest = kinds.map(({ name }) => {
      const ms = Math.max(...lives.filter((life) => life.name === name).map((life) => life.ms));
      return `${name} ${seconds(ms)}`;
    });
    const slowest = `${slowestOf(tally, 200).toFixed(0)} ms`;
    say(`cut at last: ${longest.join(', ')}; meanwhile ${statusLine(tally)}, slowest ${slowest}`);
    for (const { name, ms, limitMs } of lives) expect(ms <= limitMs, `${name}: cut only after ${seconds(ms)}`);
    expectServed(tally, 1000);
    return `${longest.join(', ')}; ${countOf(tally, 200)} others served meanwhile, the slowest in ${slowest}`;
  },
};
