import http from 'node:http';
import { createStripe, sandboxKeys, type Payments } from '#server/platform/payments.ts';
import { listenLocally } from './ports.ts';

/**
 * `refusing`: no to new subscriptions. `lost`: Stripe makes a new subscription, but the answer never arrives. `away`: every connection is
 * cut. `broken`: answers 500 and does nothing. `silent`: never answers. `busy`: takes only every third request.
 */
export type Fault = 'none' | 'busy' | 'refusing' | 'lost' | 'away' | 'broken' | 'silent';

/** Stripe behind a line that can fail: the real SDK, a real socket, the real sandbox. */
export async function startFaultyProvider(payments: Payments, target: { host: string; port: number }) {
  let fault: Fault = 'none';
  /** Writes left until the line dies: the last doesn't reach Stripe, or where `loses` only its answer is lost. */
  let cut: { left: number; loses: boolean } | null = null;
  const hits: { method: string; path: string; key: string | undefined }[] = [];

  const server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    hits.push({ method, path, key: headers['idempotency-key'] as string | undefined });
    if (fault === 'silent') return;
    const last = cut !== null && method === 'POST' && cut.left === 1;
    if (cut !== null && method === 'POST') cut.left -= 1;
    const dead = cut !== null && (cut.left < 0 || (last && !cut.loses) || (method !== 'POST' && cut.left <= 0));
    if (fault === 'away' || dead) return void request.socket.destroy();
    const refuse = (status: number, type: string) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type, message: 'no' } }));
    };
    const subscribing = method === 'POST' && path === '/v1/subscriptions';
    if (fault === 'busy' && hits.length % 3 > 0) return refuse(429, 'invalid_request_error');
    if (fault === 'broken') return refuse(500, 'api_error');
    if (fault === 'refusing' && subscribing) return refuse(400, 'invalid_request_error');
    const losing = last || (fault === 'lost' && subscribing);
    const onward = http.request({ host: target.host, port: target.port, method, path, headers }, (answer) => {
      if (losing) {
        answer.resume().on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const { port, stop } = await listenLocally(server);
  const stripe = createStripe({ secretKey: sandboxKeys.secret, host: '127.0.0.1', port });

  return {
    payments: { ...payments, stripe },
    hits,
    set: (next: Fault) => {
      fault = next;
      cut = null;
    },
    /** As if the process died at its nth write from here: just before it, or after it where `loses`. */
    cutAt: (write: number, loses: boolean) => {
      cut = { left: write, loses };
    },
    stop,
  };
}
