import { createHash } from 'node:crypto';
import type pg from 'pg';
import { operations, type Operation } from '../operations.ts';
import * as queries from '../store/queries.ts';
import { createStore, type Store } from '../store/store.ts';
import { asSent } from './as-sent.ts';
import { SandboxError } from './error.ts';
import { expandObject } from './expand.ts';
import { checkParams, findRoute, parseForm } from './parameters.ts';

export type ApiRequest = {
  method: string;
  path: string;
  form: string;
  requestId: string;
  idempotencyKey: string | null;
};
export type ApiAnswer = queries.Answer & { operation?: Operation; replayed?: boolean };

/** When a change happens, what asked for it, and the key under which its answer is remembered. */
type Request = { at: number; requestId: string; once?: { key: string; fingerprint: string } | undefined };

/**
 * Runs one piece of work whose refusals are answers: a decline keeps its traces, any other refusal leaves nothing. The
 * answer is remembered in the same transaction, so a crash leaves both or neither.
 */
export async function carryOut(
  pool: pg.Pool,
  { at, requestId, once }: Request,
  work: (store: Store) => Promise<object>,
): Promise<ApiAnswer> {
  return queries.change(pool, async (client) => {
    const known = once ? await queries.findAnswer(client, once.key) : null;
    if (once && known && known.request !== once.fingerprint) return changedRequest(once.key);
    if (known) return { status: known.status, body: known.body, replayed: true };
    const store = createStore(client, at, { requestId, idempotencyKey: once?.key ?? null });
    const answer = await work(store).then(
      (body) => ({ status: 200, body }),
      async (error: unknown) => {
        if (!(error instanceof SandboxError)) throw error;
        if (!error.keepsEffect) await client.query('rollback to savepoint work');
        return { status: error.status, body: error.body() };
      },
    );
    if (once) await queries.saveAnswer(client, once.key, once.fingerprint, answer);
    return answer;
  });
}

function changedRequest(key: string): ApiAnswer {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return { status: 400, body: new SandboxError(message, { type: 'idempotency_error' }).body() };
}

/** One call from the SDK. Throws faults that are not refusals. */
export async function answer(pool: pg.Pool, at: number, request: ApiRequest): Promise<ApiAnswer> {
  const { method, path, form, requestId, idempotencyKey: key } = request;
  try {
    const { operation, ids } = findRoute(method, path);
    const params = checkParams(operation, parseForm(form));
    const { id = '', ...owners } = ids;
    const fingerprint = createHash('sha256').update(`${method} ${path}\n${form}`).digest('hex');
    const once = method === 'POST' && key ? { key, fingerprint } : undefined;
    const answered = await carryOut(pool, { at, requestId, once }, async (store) => {
      const expand = (params['expand'] ?? []) as string[];
      const body = await operations[operation]({ store, params, id, owner: Object.values(owners)[0] ?? '' });
      return asSent(await expandObject(store, body, expand));
    });
    return { ...answered, operation };
  } catch (error) {
    if (error instanceof SandboxError) return { status: error.status, body: error.body() };
    throw error;
  }
}
