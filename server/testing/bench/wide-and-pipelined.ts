import { connect } from 'node:net';
import autocannon from 'autocannon';
import type { Server } from '../production-server.ts';
import { load, loadOf, residentMb, round, row } from './measure.ts';

const connections = 40;
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, 0])));

/** How long others wait while forty connections send bodies of 9,000 unknown keys. */
export async function wideBodies(base: string, cookie: string): Promise<string[]> {
  const headers = { 'content-type': 'application/json', origin: base };
  const flood = { url: `${base}/api/register`, method: 'POST', headers, body: wide, connections, duration: 6 } as const;
  const [refused, others] = await Promise.all([
    autocannon({ workers: 1, ...flood }).then(loadOf),
    load(`${base}/api/user`, { cookie, seconds: 4, connections: 4 }),
  ]);
  return [
    row(['GET /api/user, p99 beside 40 connections with 9,000 unknown keys', `${round(others.p99)} ms`, '≤ 250 ms']),
    row(['such bodies refused', `${round(refused.perSecond)} a second`, '']),
  ];
}

const sockets = 10;
const each = {
  large: ['/api/docs/openapi.json', 60],
  small: ['/api/tools', 60],
  many: ['/api/docs/openapi.json', 1000],
} as const;

/** How long others wait, and how much memory is taken, while ten connections send many requests at once and read no answer. */
export async function unreadAnswers({ base, port, pid }: Pick<Server, 'base' | 'port' | 'pid'>): Promise<string[]> {
  const lines: string[] = [];
  for (const [path, times] of Object.values(each)) {
    const before = residentMb(pid);
    const open = Array.from({ length: sockets }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.pause().write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(times));
      return socket;
    });
    const { p99 } = await load(`${base}/healthz`, { seconds: 4, connections: 2 });
    const grown = residentMb(pid) - before;
    for (const socket of open) socket.destroy();
    const what = `${sockets} connections × ${times} of ${path}, unread`;
    lines.push(row([`/healthz, p99 beside ${what}`, `${round(p99)} ms`, '≤ 250 ms']));
    lines.push(row([`memory that they take`, `${round(grown)} MB`, '≤ 100 MB']));
  }
  return lines;
}
