import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { random } from './until.ts';

/**
 * A socket that already listens on a port picked by the system. A product must know its address before it starts; it
 * takes over the socket, so that nobody can take the port in between.
 */
export async function holdPort(): Promise<{ socket: net.Server; port: number }> {
  const socket = net.createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
}

/** Has a server listen for this machine alone, on a port picked by the system; to stop it cuts its connections. */
export async function listenLocally(server: net.Server) {
  const open = new Set<net.Socket>();
  server.on('connection', (socket) => {
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => undefined));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A free port for a program that has to be told one: below those the system gives to outgoing connections, and random,
 * so that two runs hardly ever pick the same.
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
