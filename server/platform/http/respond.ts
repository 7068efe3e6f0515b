import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import compression from 'compression';
import type { Response } from 'express';
import type { FileReply } from '#shared/api/endpoint.ts';

/** Sends a download; a client that leaves early is no error. */
export async function sendFile(res: Response, type: string, { name, body }: FileReply): Promise<void> {
  res.attachment(name).type(type);
  compress(res.req, res, () => undefined);
  if (typeof body === 'string' || body instanceof Uint8Array) return void res.end(body);
  await pipeline(Readable.from(body), res).catch((error: unknown) => {
    if (!res.destroyed) throw error;
  });
}

/** Costs a twentieth of a call's time, so answers that fit into one packet anyway skip it. */
const compress = compression();
const worthCompressing = 1024;

/** What Express does with text, without working out its type and an ETag. */
export function sendJson(res: Response, json: string): void {
  const length = Buffer.byteLength(json);
  if (length >= worthCompressing) compress(res.req, res, () => undefined);
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', length);
  res.end(json);
}
