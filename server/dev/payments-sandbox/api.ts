import { createHash } from 'node:crypto';
import type pg from 'pg';
import { expandObject } from './expand.ts';
import type { Operation } from './operations.ts';
import * as queries from './queries.ts';
import { checkParams, findRoute, parseForm } from './requests.ts';
import { handlers } from './routes.ts';
import { SandboxError } from './sandbox-error.ts';
import { createStore, type Origin, type Store } from './store.ts';

export type ApiRequest = {
  method: string;
  path: string;
  form: string;
  requestId: string;
  idempotencyKey: string | null;
};
export type ApiAnswer = queries.Answer & { operation?: Operation; replayed?: boolean };

/**
 * Runs one piece of work whose refusals are answers: a decline keeps its traces, any other refusal leaves nothing. The
 * answer is remembered under the idempotency key in the same transaction, so a crash leaves both or neither.
 */
export async function answerOnce(
  pool: pg.Pool,
  { at, origin, fingerprint }: { at: number; origin: Origin; fingerprint: string },
  work: (store: Store) => Promise<object>,
): Promise<ApiAnswer> {
  return queries.change(pool, async (client) => {
    const key = origin.idempotencyKey;
    const known = key ? await queries.findAnswer(client, key) : null;
    if (known && known.request !== fingerprint) return changedRequest(key ?? '');
    if (known) return { status: known.status, body: known.body, replayed: true };
    await client.query('savepoint work');
    const answer = await work(createStore(client, at, origin)).then(
      (body) => ({ status: 200, body }),
      async (error: unknown) => {
        if (!(error instanceof SandboxError)) throw error;
        if (!error.keepsEffect) await client.query('rollback to savepoint work');
        return { status: error.status, body: error.body() };
      },
    );
    if (key) await queries.saveAnswer(client, key, fingerprint, answer);
    return answer;
  });
}

function changedRequest(key: string): ApiAnswer {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return { status: 400, body: new SandboxError(message, { type: 'idempotency_error' }).body() };
}

/** One call of the SDK. Faults that are no refusals are thrown. */
export async function answer(pool: pg.Pool, at: number, request: ApiRequest): Promise<ApiAnswer> {
  try {
    const { operation, ids } = findRoute(request.method, request.path);
    const params = checkParams(operation, parseForm(request.form));
    const { id = '', ...owners } = ids;
    const fingerprint = createHash('sha256').update(`${request.method} ${request.path}\n${request.form}`).digest('hex');
    const origin = {
      requestId: request.requestId,
      idempotencyKey: request.method === 'POST' ? request.idempotencyKey : null,
    };
    const answered = await answerOnce(pool, { at, origin, fingerprint }, async (store) => {
      const expand = (params['expand'] ?? []) as string[];
      const body = await handlers[operation]({ store, params, id, owner: Object.values(owners)[0] ?? '' });
      return expandObject(store, body, expand);
    });
    return { ...answered, operation };
  } catch (error) {
    if (error instanceof SandboxError) return { status: error.status, body: error.body() };
    throw error;
  }
}
