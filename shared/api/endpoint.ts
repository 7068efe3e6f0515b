import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, message, token, toolId } from './fields.ts';

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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Path = `/api/${string}`;

/** One call, as data. The server, the client, the access-matrix test and the OpenAPI page all read this. */
export type Endpoint = {
  method: Method;
  path: Path;
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
  /** Answers a download of this type instead of JSON. */
  file?: 'text/csv' | 'application/pdf' | 'application/json' | 'application/timestamp-reply' | 'application/zip';
  response: z.ZodType;
  /** Other errors it may answer with, for people who build on it. */
  refuses?: readonly ErrorCode[];
  /** What an Idempotency-Key does, where it takes one. */
  idempotencyKey?: string;
};
export type Api = Record<string, Endpoint>;

/** What a name in a path stands for, such as `:teamId`. */
const pathParams = {
  id,
  codeId: id,
  invitationId: id,
  teamId: id,
  userId: id,
  toolId,
  token: token('Not a valid link'),
  sha256: z.string().regex(/^[\da-f]{64}$/, { error: 'Not a SHA-256' }),
};
type PathParams = typeof pathParams;

/** A call as a noun's file declares it. */
type Declared = Omit<Endpoint, 'method' | 'path' | 'access' | 'response'> & {
  route: `${Method} ${Path}`;
  /** As most of its noun unless said. */
  access?: Access;
  /** By the names in the path unless said. */
  params?: z.ZodType;
  /** A sentence, or the file, unless said. */
  response?: z.ZodType;
};

type NamesIn<Route> = Route extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Route extends `${string}/:${infer Name}`
    ? Name
    : never;
type ParamsOf<D extends Declared> = D extends { params: z.ZodType }
  ? Pick<D, 'params'>
  : [NamesIn<D['route']>] extends [never]
    ? unknown
    : { params: z.ZodObject<Pick<PathParams, NamesIn<D['route']> & keyof PathParams>, z.core.$strict> };
type ResponseOf<D extends Declared> = D extends { response: infer R extends z.ZodType }
  ? R
  : D extends { file: string }
    ? typeof file
    : typeof message;
type MadeEndpoint<D extends Declared, Usual> = Omit<D, 'route' | 'params' | 'response'> &
  (D extends { access: Access } ? unknown : { access: Usual }) &
  (D['route'] extends `${infer M extends Method} ${infer P extends Path}` ? { method: M; path: P } : never) &
  ParamsOf<D> & { response: ResponseOf<D> };

function endpointOf(access: Access, { route, ...declared }: Declared): Endpoint {
  const [method, path] = route.split(' ') as [Method, Path];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof PathParams);
  const params = z.strictObject(Object.fromEntries(names.map((name) => [name, pathParams[name]])));
  const response = declared.file ? file : message;
  return { method, path, access, ...(names.length > 0 && { params }), response, ...declared };
}

type Declaration = Record<string, Declared>;
const madeOf = (declaration: Declaration, make: (declared: Declared) => Endpoint) =>
  Object.fromEntries(Object.entries(declaration).map(([name, declared]) => [name, make(declared)]));

/** The calls of a noun, open to `usual` unless one says otherwise. What is open to anybody says so itself. */
export const defineApi = <const Usual extends 'signedIn' | 'member', const D extends Declaration>(
  usual: Usual,
  declaration: D,
) =>
  madeOf(declaration, (declared) => endpointOf(usual, declared)) as {
    [Name in keyof D]: MadeEndpoint<D[Name], Usual>;
  };

/** Calls for administrators. Each write asks for proof and carries the token of `csrfApi`; one without a body takes no other field. */
export const defineAdminApi = <const D extends Record<string, Omit<Declared, 'access' | 'proof'>>>(declaration: D) =>
  madeOf(declaration, (declared) => {
    const write = { proof: 'always', body: z.strictObject({}) } as const;
    return endpointOf('admin', { ...(!declared.route.startsWith('GET ') && write), ...declared });
  }) as { [Name in keyof D]: MadeEndpoint<D[Name], 'admin'> };

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
