import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLocally } from '../ports.ts';

const ASK_EVERY_MS = 200;
/** Failures in a row before a server gets no more requests: one slow answer is no reason. */
const FALL = 3;

export type Balancer = { base: string; isReady(port: number): boolean; stop(): Promise<void> };

/**
 * The plainest balancer: asks each server's /readyz, and sends each request to the next server that is ready, over connections that it
 * keeps open and without retries. What it can't send on is a 502.
 */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive: true });
  const ready = new Set<number>();
  let stopped = false;
  let turn = 0;

  const watch = async (port: number) => {
    for (let failures = 0; !stopped;) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
        () => null,
      );
      await answer?.text().catch(() => '');
      failures = answer?.ok ? 0 : failures + 1;
      if (failures === 0) ready.add(port);
      else if (failures >= FALL) ready.delete(port);
      await pause(ASK_EVERY_MS);
    }
  };
  const watching = ports.map(watch);

  const server = http.createServer((request, response) => {
    const candidates = ports.filter((port) => ready.has(port));
    const port = candidates[(turn += 1) % candidates.length];
    const { method, url: path, headers } = request;
    const refuse = (why: string) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end(why);
    };
    if (port === undefined) return refuse('no server is ready');
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const { connection: _hop, ...kept } = answer.headers;
      response.writeHead(answer.statusCode!, kept);
      answer.pipe(response);
    });
    onward.on('error', (error) => refuse(`${port}: ${error.message}`));
    request.pipe(onward);
  });
  // As long as the product's: after Node's 5 s on a busy machine it would close a connection just as the next request is sent.
  server.keepAliveTimeout = 65_000;
  const { url, stop } = await listenLocally(server);
  return {
    base: url,
    isReady: (port) => ready.has(port),
    stop: async () => {
      stopped = true;
      await Promise.all(watching);
      agent.destroy();
      await stop();
    },
  };
}
