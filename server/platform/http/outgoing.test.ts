import http from 'node:http';
import { expect, it } from 'vitest';
import { listenLocally } from '#server/testing/ports.ts';
import { isPublic, postOut } from './outgoing.ts';

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['::ffff:0:7f00:1', false],
  ['3fff::1', false],
  ['localhost', false],
])('the guard knows whether %s is public: %s', (ip, expected) => expect(isPublic(ip)).toBe(expected));

const receiver = async (answer: http.RequestListener) => {
  const asked: string[] = [];
  const { url, stop } = await listenLocally(
    http.createServer((req, res) => {
      asked.push(req.url ?? '');
      answer(req, res);
    }),
  );
  return { url, asked, stop };
};
const post = (url: string, publicOnly: boolean, deadlineMs = 5000) =>
  postOut(url, { headers: {}, body: '{}', deadlineMs, publicOnly });

it('a call answers the status, follows no redirect, and waits no longer than told', async () => {
  const redirecting = await receiver((_req, res) => res.writeHead(302, { location: '/elsewhere' }).end());
  expect(await post(`${redirecting.url}/a`, false)).toBe(302);
  expect(redirecting.asked).toEqual(['/a']);
  await redirecting.stop();
  const silent = await receiver(() => undefined);
  await expect(post(silent.url, false, 50)).rejects.toThrow('no answer within 0.05 s');
  await silent.stop();
});

it('a call connects to no address inside our own network, however it is written', async () => {
  const inside = await receiver((_req, res) => res.end());
  const { port } = new URL(inside.url);
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', '0.0.0.0'])
    await expect(post(`http://${host}:${port}/`, true), host).rejects.toThrow('not a public one');
  expect(inside.asked).toEqual([]);
  await inside.stop();
});
