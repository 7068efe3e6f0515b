import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createHttpServer } from './http-server.ts';

let app: TestApp;
/** The calls of a route of the test's own that have begun, and how many were under way at once. */
const seen = { begun: [] as string[], atOnce: 0, most: 0 };
const big = Buffer.alloc(600_000, 'x');

beforeAll(async () => {
  app = await startTestApp({}, undefined, {
    mount: (routes) => {
      routes.all('/test/:name', async (req, res) => {
        seen.begun.push(req.params['name']);
        seen.most = Math.max(seen.most, (seen.atOnce += 1));
        res.once('finish', () => (seen.atOnce -= 1));
        await app.context.db.execute('select 1');
        if (req.params['name'] === 'big') res.send(big);
        else res.send(`<${req.params['name']}${await body(req)}>`);
      });
    },
  });
});
afterAll(() => app.stop());

async function body(sent: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of sent) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const get = (name: string) => `GET /test/${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const post = (name: string, text: string) =>
  `POST /test/${name} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
const last = 'GET /test/end HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

/** Sends everything at once on one connection, and reads what comes back until it is closed. */
async function pipelined(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  return body(socket);
}

const begin = () => Object.assign(seen, { begun: [], atOnce: 0, most: 0 });

describe('requests that one connection sends at once', () => {
  it('are worked one after another, and answered in their order', async () => {
    begin();
    const names = Array.from({ length: 40 }, (_, n) => `n${n}`);
    const answered = await pipelined(app.port, names.map(get).join('') + last);
    expect(answered.match(/<\w+>/g)).toEqual([...names, 'end'].map((name) => `<${name}>`));
    expect(seen.most).toBe(1);
  });

  it('keep their bodies, however long', async () => {
    begin();
    const text = 'y'.repeat(300_000);
    const answered = await pipelined(app.port, post('a', text) + get('b') + post('c', text) + get('d') + last);
    const sizes = [...answered.matchAll(/<([a-d]|end)(y*)>/g)].map(([, name, sent]) => [name, sent!.length]);
    expect(sizes).toEqual([
      ['a', text.length],
      ['b', 0],
      ['c', text.length],
      ['d', 0],
      ['end', 0],
    ]);
  });

  it('stop being worked while their answers are not read', async () => {
    begin();
    const socket = connect(app.port, '127.0.0.1').pause();
    socket.write(get('big').repeat(50));
    for (let i = 0; i < 20; i += 1) await app.agent().get('/test/other').expect(200);
    // The kernel's buffers take some.
    expect(seen.begun.filter((name) => name === 'big').length).toBeLessThan(25);
    socket.destroy();
  });

  it('end the connection where they are more than may wait', async () => {
    begin();
    const socket = connect(app.port, '127.0.0.1').pause();
    socket.write(get('big').repeat(2000));
    await new Promise((resolve) =>
      socket
        .on('error', () => undefined)
        .once('close', resolve)
        .resume(),
    );
    expect(seen.begun.length).toBeLessThan(100);
  });
});

it.each([
  ['one Host', 'host: localhost', 200],
  ['two different ones', 'host: localhost\r\nhost: evil.example', 400],
  ['the same twice, in other letters', 'host: localhost\r\nHOST: localhost', 400],
])('a request with %s is answered %s', async (_what, hosts, status) => {
  const answer = await pipelined(app.port, `GET /api/tools HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it.each(['/assets/gone.js', '/gone.png', '/api/gone'])('no cache keeps that %s is missing', async (path) => {
  const { headers } = await app.agent().get(path).expect(404);
  expect(headers['cache-control']).toBe('no-store');
});

it('a connection on which nothing is read is ended', async () => {
  const server = createHttpServer(
    express().use((_req, res) => void res.send(Buffer.alloc(30_000_000))),
    200,
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(get('all'));
  const [ended] = (await once(server, 'connection')) as [NodeJS.EventEmitter];
  await once(ended, 'close');
  socket.destroy();
  server.close();
});
