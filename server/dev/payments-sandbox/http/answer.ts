import { createHash } from 'node:crypto';
import type pg from 'pg';
import { operations } from '../operations.ts';
import { asSent } from '../store/objects.ts';
import { change, createStore, type Store } from '../store/store.ts';
import { refusalOf, SandboxError } from './error.ts';
import { expandObject } from './expand.ts';
import { checkParams, findRoute, parseForm } from './parameters.ts';

type Answer = { status: number; body: object; replayed?: boolean };

/** When a change happens, what asked for it, and the key under which its answer is remembered. */
type Request = { at: number; requestId: string; once?: { key: string; fingerprint: string } | undefined };

/**
 * Runs one piece of work whose refusals are answers: a decline keeps its traces, any other refusal leaves nothing. The
 * answer is remembered in the same transaction, so a crash leaves both or neither.
 */
export const carryOut = (
  pool: pg.Pool,
  { at, requestId, once }: Request,
  work: (store: Store) => Promise<object>,
): Promise<Answer> =>
  change(pool, async (client) => {
    const find = 'select request, status, body from sandbox.answers where idempotency_key = $1';
    const known = once && (await client.query<Answer & { request: string }>(find, [once.key])).rows[0];
    if (known && known.request !== once.fingerprint) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${once.key}' if you meant to execute a different request.`;
      return new SandboxError(message, { type: 'idempotency_error' }).answer();
    }
    if (known) return { status: known.status, body: known.body, replayed: true };
    const store = createStore(client, at, { requestId, idempotencyKey: once?.key ?? null });
    const answer = await work(store).then(
      (body): Answer => ({ status: 200, body }),
      async (error: unknown) => {
        const refusal = refusalOf(error);
        if (error instanceof SandboxError && !error.keepsEffect) await client.query('rollback to savepoint work');
        return refusal;
      },
    );
    const save = 'insert into sandbox.answers (idempotency_key, request, status, body) values ($1, $2, $3, $4)';
    if (once) await client.query(save, [once.key, once.fingerprint, answer.status, JSON.stringify(answer.body)]);
    return answer;
  });

type Call = { method: string; path: string; form: string; requestId: string; key: string | undefined };

/** Answers one call from the SDK. Throws what it refuses before it asks the database, and faults. */
export async function answer(pool: pg.Pool, at: number, call: Call): Promise<Answer> {
  const { method, path, form, requestId, key } = call;
  const { operation, ids } = findRoute(method, path);
  const params = checkParams(operation, parseForm(form));
  const { id = '', ...owners } = ids;
  const fingerprint = createHash('sha256').update(`${method} ${path}\n${form}`).digest('hex');
  const once = method === 'POST' && key ? { key, fingerprint } : undefined;
  return carryOut(pool, { at, requestId, once }, async (store) => {
    const expand = (params['expand'] ?? []) as string[];
    const body = await operations[operation]({ store, params, id, owner: Object.values(owners)[0] ?? '' });
    return asSent(await expandObject(store, body, expand));
  });
}
