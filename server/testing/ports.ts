import { once } from 'node:events';
import type http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { random } from './until.ts';

/**
 * A socket that listens already, on a port that the system picked. A product needs to know its address before it starts;
 * it takes the socket over, so that nobody can take the port in between.
 */
export async function holdPort(): Promise<{ socket: net.Server; port: number }> {
  const socket = net.createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
}

/** Lets a server listen for this machine alone, on a port that the system picks. */
export async function listenLocally(server: http.Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A free port for a program that has to be told one: from below those the system gives to outgoing connections, and at
 * random, so that two runs do not pick the same.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + random(10_000);
    const probe = net.createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
