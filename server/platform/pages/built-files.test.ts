import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '#server/testing/outside.ts';
import { until } from '#server/testing/until.ts';
import { builtFiles } from './built-files.ts';

const folder = scratchFolder('built-files-');
afterAll(() => fs.rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Buffer) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), content);
};
/** The files that this process has open; one may be closed while they are listed. */
const openFiles = () =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
const script = 'export const one = 1;\n'.repeat(100);
for (const name of ['assets/app-1.js', 'assets/gone-1.js']) {
  write(name, script);
  write(`${name}.br`, brotliCompressSync(script));
  write(`${name}.gz`, gzipSync(script));
}
write('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
write('assets/picture.webp', '');
// More than a connection's buffers take.
fs.truncateSync(path.join(folder, 'assets/picture.webp'), 256 * 1024 ** 2);
write('.vite/manifest.json', '{}');

const app = express()
  .use(builtFiles(folder))
  .use((req, res) => void res.status(404).json({ missing: req.url }));
const get = (url: string, encoding = 'identity') => request(app).get(url).set('accept-encoding', encoding);

describe('a built file', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['deflate', undefined],
  ])('comes as the browser takes it: %s', async (accepted, encoding) => {
    const { headers, text } = await get('/assets/app-1.js?v=1', accepted).expect(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    if (encoding !== 'br') expect(text).toBe(script);
  });

  it('outside the assets is revalidated each time', async () => {
    const { headers } = await get('/icon.svg').expect(200).expect('cache-control', 'no-cache');
    expect(headers['content-type']).toBe('image/svg+xml');
    await get('/icon.svg').set('if-none-match', headers['etag']!).expect(304);
  });

  it.each(['/assets', '/', '/.vite/manifest.json', '/../package.json', '/assets/%', '/no-such-file.js'])(
    'is none at %s',
    async (url) => {
      const { status } = await get(url, 'br');
      expect([400, 404]).toContain(status);
    },
  );

  it('that has gone since the start is missing, and the server goes on', async () => {
    for (const name of fs.readdirSync(path.join(folder, 'assets')).filter((one) => one.startsWith('gone')))
      fs.rmSync(path.join(folder, 'assets', name));
    const { headers } = await get('/assets/gone-1.js', 'br').expect(404, { missing: '/assets/gone-1.js' });
    expect(headers['content-encoding']).toBeUndefined();
    await get('/assets/app-1.js').expect(200);
  });

  it.runIf(process.platform === 'linux')('is closed when its reader goes away in the middle', async () => {
    const server = app.listen(0);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/assets/picture.webp`;
    const [response] = (await once(http.get(url), 'response')) as [http.IncomingMessage];
    const isOpen = () => openFiles().some((file) => file.endsWith('picture.webp'));
    await until('the file is open', 10_000, isOpen);
    response.destroy();
    await until('the file is closed', 10_000, () => !isOpen());
    server.close();
  });
});
