import { IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import type { Express } from 'express';

/** Makes `made` stand where Express's own prototype stood: the same parents, and the same `app`. */
function take(made: object, original: object): void {
  Object.setPrototypeOf(made, Object.getPrototypeOf(original) as object);
  const { constructor: _own, ...properties } = Object.getOwnPropertyDescriptors(original);
  Object.defineProperties(made, properties);
}

/**
 * A node:http server whose requests and responses have Express's prototypes from the start. Express sets them on every
 * request otherwise, which throws V8 of Node 20 and 22 off its fast paths: three times slower. They are real subclasses,
 * since V8 keeps one shape only for those. Slow sockets are cut: 10 s for the headers, 20 s for the whole request,
 * looked at every 2 s.
 */
export function createHttpServer(app: Express): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  take(AppRequest.prototype, app.request);
  take(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return createServer(
    {
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse as typeof ServerResponse,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      connectionsCheckingInterval: 2000,
      keepAliveTimeout: 65_000,
    },
    app,
  );
}
