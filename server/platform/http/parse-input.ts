import express, { type Request, type RequestHandler } from 'express';
import type * as z from 'zod';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { AppError, fieldError } from './app-error.ts';

/** How many of our fields an answer names, how many that we don't know, and how much of a name it repeats. */
const mostOwn = 30;
const mostUnknown = 10;
const longestName = 100;

/** Field → first sentence, in the order of the schema's checks. */
function fieldsOf(error: z.core.$ZodError): Record<string, string> {
  // Without a prototype: a field may be called `hasOwnProperty`.
  const fields = Object.create(null) as Record<string, string>;
  let [own, unknown] = [mostOwn, mostUnknown];
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      const named = issue.keys.slice(0, unknown);
      unknown -= named.length;
      for (const key of named) {
        const name = [...issue.path, key].join('.').slice(0, longestName);
        fields[name] ??= `Unknown field: ${name}`;
      }
    } else if (own > 0) {
      own -= 1;
      fields[issue.path.join('.') || 'body'] ??= issue.message;
    }
  }
  return fields;
}

const mostFields = 1000;
const [quote, backslash, colon] = [...Buffer.from('"\\:')];

/** Whether JSON has more fields than any call takes. Making thousands of properties is slow, so this is asked before it is parsed. */
function hasTooManyFields(json: Buffer): boolean {
  let fields = 0;
  let isText = false;
  for (let at = 0; at < json.length && fields <= mostFields; at += 1) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText && byte === backslash) at += 1;
    else if (!isText && byte === colon) fields += 1;
  }
  return fields > mostFields;
}

/** Reads a JSON body of at most 100 kB and a thousand fields. */
export const jsonBody = (): RequestHandler =>
  express.json({
    limit: '100kb',
    strict: true,
    verify: (_req, _res, json, charset) => {
      if (charset !== 'utf-8') throw new AppError('unsupported_media_type');
      if (hasTooManyFields(json)) throw fieldError('body', 'At most 1,000 fields are taken.');
    },
  });

/** Parses a part of the caller's input; faults name their fields. A ZodError from anywhere else is a bug of ours. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('invalid_input', { fields: fieldsOf(result.error) });
  return result.data;
}

/** The parsed body. JSON only, so that no form on another site can write; a missing body counts as empty. */
function bodyOf(endpoint: Endpoint, req: Request): unknown {
  const form = 'application/x-www-form-urlencoded';
  const wanted = { json: ['application/json'], form: [form], any: ['application/json', form] }[
    endpoint.bodyType ?? 'json'
  ];
  const present = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (present && endpoint.method !== 'GET' && !req.is(wanted))
    throw new AppError('unsupported_media_type', {
      fields: { 'content-type': `The request must be ${wanted.join(' or ')}.` },
    });
  return endpoint.body && parseInput(endpoint.body, req.body ?? {});
}

export function inputOf(endpoint: Endpoint, req: Request) {
  const body = bodyOf(endpoint, req);
  return { ...addressInput(endpoint, req), body };
}

export const addressInput = ({ params, query }: Endpoint, given: { params?: unknown; query?: unknown }) => ({
  params: params && parseInput(params, given.params),
  query: query && parseInput(query, given.query ?? {}),
});
