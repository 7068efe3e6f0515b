import http from 'node:http';
import { createStripe, sandboxKeys, type Payments } from '#server/platform/payments.ts';
import { listenLocally } from './ports.ts';

/**
 * `refusing`: no to new subscriptions. `lost`: Stripe makes a new subscription, but the answer never arrives. `away`: every connection is
 * cut. `broken`: answers 500 and does nothing. `silent`: never answers. `busy`: takes only every third try of a request.
 */
export type Fault = 'none' | 'busy' | 'refusing' | 'lost' | 'away' | 'broken' | 'silent';

/**
 * Keys to which Stripe has answered 500. It keeps that answer for at least a day, like any other, and says that asking again is no use.
 * `made`: what was asked for came about all the same.
 */
function spoiltKeys() {
  const keys = new Set<string>();
  let next: { path: RegExp; made: boolean } | null = null;
  return {
    spoilNext: (path: RegExp, { made = false } = {}) => void (next = { path, made }),
    /** What becomes of a request: `kept` is answered 500 without being done, `made` is done and answered so. */
    fateOf(method: string, path: string, key = ''): 'well' | 'kept' | 'made' {
      if (keys.has(key)) return 'kept';
      if (method !== 'POST' || !next?.path.test(path)) return 'well';
      keys.add(key);
      const { made } = next;
      next = null;
      return made ? 'made' : 'kept';
    },
  };
}

/** Stripe says with a 500 that it would only be repeated. */
const noUse = { 'stripe-should-retry': 'false' };

export type FaultyProvider = Awaited<ReturnType<typeof startFaultyProvider>>;

/** Stripe behind a line that can fail: the real SDK, a real socket, the real sandbox. */
export async function startFaultyProvider(payments: Payments, target: { host: string; port: number }) {
  let fault: Fault = 'none';
  /** Writes left until the line dies: the last doesn't reach Stripe, or where `loses` only its answer is lost. */
  let cut: { left: number; loses: boolean } | null = null;
  const { fateOf, spoilNext } = spoiltKeys();
  const hits: { method: string; path: string; key: string | undefined }[] = [];

  const server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    hits.push({ method, path, key });
    if (fault === 'silent') return;
    const last = cut !== null && method === 'POST' && cut.left === 1;
    if (cut !== null && method === 'POST') cut.left -= 1;
    const dead = cut !== null && (cut.left < 0 || (last && !cut.loses) || (method !== 'POST' && cut.left <= 0));
    if (fault === 'away' || dead) return void request.socket.destroy();
    const refuse = (status: number, type: string) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(fate !== 'well' && noUse) });
      response.end(JSON.stringify({ error: { type, message: 'no' } }));
    };
    const subscribing = method === 'POST' && path === '/v1/subscriptions';
    const fate = fateOf(method, path, key);
    if (fate === 'kept') return refuse(500, 'api_error');
    const tries = hits.filter((hit) => hit.method === method && hit.path === path).length;
    if (fault === 'busy' && tries % 3 > 0) return refuse(429, 'invalid_request_error');
    if (fault === 'broken') return refuse(500, 'api_error');
    if (fault === 'refusing' && subscribing) return refuse(400, 'invalid_request_error');
    const losing = last || (fault === 'lost' && subscribing);
    const onward = http.request({ host: target.host, port: target.port, method, path, headers }, (answer) => {
      if (losing) {
        answer.resume().on('end', () => request.socket.destroy());
        return;
      }
      if (fate === 'made') return void answer.resume().on('end', () => refuse(500, 'api_error'));
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
    /** Whether the line has died so: else the product wrote less often, and nothing was cut. */
    wasCut: () => cut !== null && cut.left <= 0,
    /** The next write to this path is answered 500, now and whenever it is asked again under its key. */
    spoilNext,
    stop,
  };
}
