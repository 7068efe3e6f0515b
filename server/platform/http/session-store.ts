import connectPgSimple from 'connect-pg-simple';
import { getTableColumns } from 'drizzle-orm';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import type pg from 'pg';
import { sessionLife } from '#shared/rules/people/accounts.ts';
import { users } from '#shared/schema/accounts.ts';
import { realNow } from '../clock.ts';
import type { ActorRow } from './actor.ts';
import { sharing } from '../data/together.ts';
import { hashToken } from '../crypto/tokens.ts';

type Loaded = { actor: ActorRow | null; lastSeenAt: Date; isAdmin: boolean };

/**
 * What was read with a session, kept on the session under a symbol, which JSON leaves out. In a WeakMap it would outlive its request:
 * V8's minor collections keep the values of an old map.
 */
const loaded = Symbol('loaded');

declare module 'express-session' {
  interface SessionData {
    [loaded]?: Loaded;
  }
}

type StoredRow = {
  sid: string;
  /** As text, so that every request that shares the row parses its own copy. */
  sess: string;
  session_epoch: number | null;
  session_created_at: Date;
  last_seen_at: Date;
} & Record<string, unknown>;

/** A session is written at most this often, so that most reads cost no write. */
const touchEveryMs = 5 * 60_000;

const { password: _hidden, seq: _order, ...columns } = getTableColumns(users);
const actorColumns = Object.entries(columns).map(([property, column]) => [property, column.name] as const);
const selected = actorColumns.map(([, column]) => `u.${column}`).join(', ');

function toActor(row: Record<string, unknown>): ActorRow {
  const actor: Record<string, unknown> = {};
  for (const [property, column] of actorColumns) actor[property] = row[column];
  return actor as ActorRow;
}

/** Session and user in one prepared query, without destroyed and expired sessions. */
const loadText = `select s.sid, s.sess::text as sess, s.auth_epoch as session_epoch, s.created_at as session_created_at, s.last_seen_at, ${selected}
  from sessions s left join users u on u.id = s.user_id
  where s.sid = any($1) and s.destroyed_at is null and s.expire > now()`;

const saveText = `insert into sessions (sid, sess, expire, user_id, auth_epoch, device)
  values ($1, $2, now() + make_interval(secs => $3), $4, $5, $6)
  on conflict (sid) do update set sess = excluded.sess, user_id = excluded.user_id, auth_epoch = excluded.auth_epoch, device = excluded.device
  where sessions.destroyed_at is null`;

const touchText = `update sessions set last_seen_at = now(), expire = least(now() + make_interval(secs => $2), created_at + make_interval(secs => $3))
  where sid = $1 and destroyed_at is null and expire > now()`;

const destroyText = `update sessions set destroyed_at = now(), sess = '{}', user_id = null, device = null where sid = $1 and destroyed_at is null`;

const lifeOf = (isAdmin: boolean) => (isAdmin ? sessionLife.admin : sessionLife.adviser);

type Callback<T> = (error: unknown, value?: T) => void;
const toCallback = <T>(work: Promise<T>, callback?: Callback<T>) => {
  work.then(
    (value) => callback?.(null, value),
    (error: unknown) => callback?.(error),
  );
};

/**
 * connect-pg-simple with hashed ids and tombstones. A request in flight at sign-out saves its session after it was destroyed;
 * the plain store would insert it again, and the cookie would work once more. Here a destroyed row stays, so that nothing revives
 * it, until a job deletes it a day later.
 */
export class SessionStore extends connectPgSimple(session) {
  readonly #pool: pg.Pool;
  /** Nothing is cached, so that rights are read with each request. */
  readonly #find = sharing<StoredRow>((hashes) => this.#read(hashes), { atOnce: 100 });

  constructor(pool: pg.Pool) {
    super({ pool, tableName: 'sessions', createTableIfMissing: false, pruneSessionInterval: false });
    this.#pool = pool;
    // If a store has `touch`, express-session hashes each session once more to see whether to call it. Ours is `stayAlive`.
    Object.assign(this, { touch: undefined });
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void) {
    toCallback(this.#load(sid), callback);
  }

  /** One row or null for each hash, in their order. */
  async #read(hashes: readonly string[]): Promise<(StoredRow | null)[]> {
    const wanted = [...new Set(hashes)];
    const { rows } = await this.#pool.query<StoredRow>({ name: 'session-load', text: loadText, values: [wanted] });
    const found = new Map(rows.map((row) => [row.sid, row]));
    return hashes.map((hash) => found.get(hash) ?? null);
  }

  async #load(sid: string): Promise<SessionData | null> {
    const row = await this.#find(hashToken(sid));
    if (!row) return null;
    const actor = row['id'] ? toActor(row) : null;
    if (row.session_epoch !== null && row.session_epoch !== actor?.authEpoch) return null;
    if (actor && actor.suspendedAt !== null) return null;
    const isAdmin = actor?.isAdmin ?? false;
    const { idle, absolute } = lifeOf(isAdmin);
    const now = realNow().getTime();
    if (now - row.last_seen_at.getTime() > idle * 1000 || now - row.session_created_at.getTime() > absolute * 1000)
      return null;
    const sess = JSON.parse(row.sess) as SessionData;
    sess[loaded] = { actor, lastSeenAt: row.last_seen_at, isAdmin };
    return sess;
  }

  /** Hands the user read with the session to passport, which then needs no query. */
  override createSession(req: Request, sess: SessionData) {
    const created = super.createSession(req, sess);
    const read = sess[loaded];
    if (read) {
      created[loaded] = read;
      req.sessionActor = read.actor;
    }
    // The browser has had its cookie since the sign-in, for as long as the session can live, so express-session need not hash to see
    // whether to send it again.
    created.cookie.expires = null;
    return created;
  }

  override set(sid: string, sess: SessionData, callback?: (error?: unknown) => void) {
    const owner = sess.passport?.user;
    const values = [
      hashToken(sid),
      JSON.stringify(sess),
      sessionLife.adviser.idle,
      owner?.id ?? null,
      owner?.epoch ?? null,
      sess.device ?? null,
    ];
    toCallback(this.#pool.query({ name: 'session-save', text: saveText, values }), (error) => callback?.(error));
  }

  /** Notes that this request uses its session, unless the page sent it by itself or use was noted within `touchEveryMs`. */
  readonly stayAlive: RequestHandler = (req, _res, next) => {
    const read = req.session[loaded];
    const isDue = read && realNow().getTime() - read.lastSeenAt.getTime() >= touchEveryMs;
    if (!isDue || req.headers['x-background'] === '1') return next();
    const { idle, absolute } = lifeOf(read.isAdmin);
    const values = [hashToken(req.sessionID), idle, absolute];
    toCallback(this.#pool.query({ name: 'session-touch', text: touchText, values }), (error) => next(error));
  };

  override destroy(sid: string, callback?: (error?: unknown) => void) {
    toCallback(this.#pool.query({ name: 'session-destroy', text: destroyText, values: [hashToken(sid)] }), (error) =>
      callback?.(error),
    );
  }
}
