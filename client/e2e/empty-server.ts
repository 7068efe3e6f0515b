import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from './fixtures.ts';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A product of its own with nobody in it: the one of the journeys has its administrator already. */
export async function startEmptyServer() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, ['--import', 'tsx', 'server/testing/e2e-server.ts'], {
    env: { ...process.env, PORT: String(port), DEMO_DATA: 'off' },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    await expect.poll(ready, { timeout: 45_000 }).toBe(200);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
