import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Keys, Log } from '../options.ts';
import { newRequestId } from '../store/objects.ts';
import type { ApiAnswer, ApiRequest } from './answer.ts';
import { SandboxError } from './error.ts';

const BODY_LIMIT = 1_000_000;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new SandboxError('The request body is too large.', { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function toApiRequest(request: IncomingMessage, requestId: string, secret: string): Promise<ApiRequest> {
  if (request.headers.authorization !== `Bearer ${secret}`)
    throw new SandboxError('Invalid API Key provided. The payments sandbox has one secret key.', { status: 401 });
  const { pathname, search } = new URL(request.url ?? '/', 'http://sandbox');
  const body = await readBody(request);
  const key = request.headers['idempotency-key'];
  return {
    method: request.method ?? 'GET',
    path: pathname,
    form: [search.slice(1), body].filter(Boolean).join('&'),
    requestId,
    idempotencyKey: typeof key === 'string' ? key : null,
  };
}

/** The address the SDK talks to. On loopback only, on a port of the system's choosing. */
export async function listen(
  answer: (request: ApiRequest) => Promise<ApiAnswer>,
  { keys, log }: { keys: Keys; log: Log },
) {
  const server: Server = createServer((request, response) => {
    const requestId = newRequestId();
    const send = ({ status, body, replayed }: ApiAnswer) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': requestId,
        ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
      });
      response.end(JSON.stringify(body));
    };
    toApiRequest(request, requestId, keys.secret)
      .then(answer)
      .then(send)
      .catch((error: unknown) => {
        if (error instanceof SandboxError) return send({ status: error.status, body: error.body() });
        log.error({ err: error, method: request.method, path: request.url?.split('?')[0] }, 'payments sandbox: fault');
        return send({ status: 500, body: { error: { type: 'api_error', message: 'The payments sandbox failed.' } } });
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
