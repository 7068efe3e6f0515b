import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: `signedIn` any session, `member` a session whose profile is complete, `admin` an administrator,
 * `tool` a tool's server with HTTP Basic (tool id and tool secret).
 */
export type Access = 'public' | 'signedIn' | 'member' | 'admin' | 'tool';

/**
 * `always`; `factor`: only from those with a second factor, since the call takes the password itself; `team`: where its body
 * names a team.
 */
export type Proof = 'always' | 'factor' | 'team';

/** One call, as data. The server, the client, the access-matrix test and the OpenAPI page all read this. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/api/${string}`;
  access: Access;
  /** Whether the caller must have proved who they are within the last ten minutes; if not, they get `proof_needed`. */
  proof?: Proof;
  summary: string;
  /** Success status; 200 unless said. */
  status?: 200 | 201;
  /** Bodies are JSON unless said; RFC 7662 wants a form, and one-click unsubscribing (RFC 8058) takes either. */
  bodyType?: 'json' | 'form' | 'any';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Answers a download of this type instead of JSON; `response` then is `file`. */
  file?: 'text/csv' | 'application/pdf' | 'application/json';
  response: z.ZodType;
  /** Other errors it may answer with, for people who build on it. */
  refuses?: readonly ErrorCode[];
  /** What an Idempotency-Key does, where it takes one. */
  idempotencyKey?: string;
};
export type Api = Record<string, Endpoint>;

export const defineApi = <const A extends Api>(api: A) => api;

/** What is sent differs from what is parsed: a field with a default may be left out, but is always there once parsed. */
type Sent<K extends string, S> = S extends z.ZodType ? { [k in K]: z.input<S> } : unknown;
type Parsed<K extends string, S> = S extends z.ZodType ? { [k in K]: z.output<S> } : unknown;

export type Args<E extends Endpoint> = Sent<'params', E['params']> &
  Sent<'query', E['query']> &
  Sent<'body', E['body']>;
export type Input<E extends Endpoint> = Parsed<'params', E['params']> &
  Parsed<'query', E['query']> &
  Parsed<'body', E['body']>;

/** What the handler returns and the caller receives. */
export type Reply<E extends Endpoint> = z.output<E['response']>;

/** What the handler of a download returns: the file's name, and its content, whole or piece by piece. */
export type FileReply = { name: string; body: Uint8Array | string | AsyncIterable<string | Uint8Array> };
export const file = z.custom<FileReply>((value) => typeof value === 'object' && value !== null && 'name' in value);
