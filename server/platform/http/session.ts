import { promisify } from 'node:util';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type pg from 'pg';
import { sessionLife } from '#shared/rules/people/accounts.ts';
import { pendingMs, proofMs } from '#shared/rules/people/factors.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import type { ActorRow, SessionIdentity, ShownIdentity } from './actor.ts';
import { realNow } from '../clock.ts';
import type { Env } from '../env.ts';
import { cookieName, cookieOptions } from './cookies.ts';
import { SessionStore } from './session-store.ts';
import { newToken } from '../crypto/tokens.ts';

type SessionOwner = { id: string; epoch: number };

declare module 'express-session' {
  interface SessionData {
    passport?: { user?: SessionOwner };
    /** Browser and operating system of the sign-in, for the list of sessions. */
    device?: string;
    /** When the person last proved who they are. This and the times below are real time, in milliseconds. */
    provenAt?: number;
    /** The password was right, or this identity was shown; the second factor is still to come. */
    secondStep?: { user: SessionOwner; attempt: string; until: number; identity: SessionIdentity | null };
    /** What a provider of identities has to answer to. `connectTo`: the account that asks to be connected. */
    asked?: {
      provider: IdentityProvider;
      state: string;
      nonce: string;
      verifier: string;
      connectTo: string | null;
      until: number;
    };
    /** An identity that is connected to an account once somebody signs in to it, or makes it, with the same address. */
    shown?: ShownIdentity & { until: number };
    identity?: SessionIdentity;
    /** What a passkey is asked to sign. */
    challenge?: { value: string; until: number };
    /** The secret of an authenticator app that is not confirmed yet, encrypted. */
    newApp?: { secret: string; until: number };
  }
}
declare global {
  namespace Express {
    interface User extends ActorRow {
      readonly authEpoch: number;
    }
    interface Request {
      sessionActor?: ActorRow | null;
    }
  }
}

/** Checks an email and a password; null means refused. */
export type Authenticate = (email: string, password: string, request: Request) => Promise<ActorRow | null>;

export type SessionParts = {
  middleware: RequestHandler[];
  /** Runs passport-local on the request's body. */
  authenticate(request: Request): Promise<ActorRow | null>;
};

export const sessionCookie = 'sid';

/** The middleware for sessions: express-session handles the cookie, passport the user. */
export function createSessions(env: Env, pool: pg.Pool, check: Authenticate): SessionParts {
  const instance = new passport.Passport();
  instance.use(
    new LocalStrategy({ usernameField: 'email', passReqToCallback: true }, (request, email, password, done) => {
      check(email, password, request).then(
        (user) => done(null, user ?? false),
        (error: unknown) => done(error),
      );
    }),
  );
  instance.serializeUser<SessionOwner>((user, done) => done(null, { id: user.id, epoch: user.authEpoch }));
  instance.deserializeUser(
    (request: Request, owner: SessionOwner, done: (error: unknown, user: ActorRow | false) => void) => {
      const actor = request.sessionActor;
      done(null, actor?.id === owner.id ? actor : false);
    },
  );
  const store = new SessionStore(pool);
  const cookies = session({
    name: cookieName(env, sessionCookie),
    secret: env.sessionSecrets,
    store,
    resave: false,
    saveUninitialized: false,
    // The header it reads is set by schemeOfAppUrl.
    proxy: true,
    cookie: { ...cookieOptions(env), maxAge: sessionLife.adviser.absolute * 1000 },
  });
  return {
    middleware: [cookies, store.stayAlive, instance.initialize({ compat: false }), instance.session()],
    authenticate: (request) =>
      new Promise((resolve, reject) => {
        const callback = (error: unknown, user?: ActorRow | false | null) =>
          error ? reject(error) : resolve(user || null);
        (instance.authenticate('local', callback) as RequestHandler)(request, request.res!, reject);
      }),
  };
}

/** Waits for what express-session or passport tells a callback. */
const done = (start: (callback: (error: unknown) => void) => void): Promise<void> => promisify(start)();

/** Whether a sign-in is itself proof of who is here: not where it skipped the person's second factor. */
export type SignInProof = { isProof: boolean; identity?: SessionIdentity | null };

/** Signs this browser in under a new session id, which is stored before we answer. An earlier proof or identity in this browser counts on. */
export async function signIn(request: Request, user: ActorRow, { isProof, identity }: SignInProof): Promise<void> {
  const before = request.user?.id === user.id ? request.session : null;
  const provenAt = isProof ? realNow().getTime() : before?.provenAt;
  const began = identity ?? before?.identity;
  // passport makes a new session, so that an id planted before the sign-in is worthless.
  await done((callback) => request.logIn(user, callback));
  if (provenAt !== undefined) request.session.provenAt = provenAt;
  if (began) request.session.identity = began;
  request.session.device = (request.get('user-agent') ?? '').slice(0, 300);
  await done((callback) => request.session.save(callback));
}

/** Signs out whoever is here and notes, under a new session id, that this user's second factor is still to come. */
export async function awaitSecondStep(
  request: Request,
  user: ActorRow,
  identity: SessionIdentity | null,
): Promise<void> {
  const { shown } = request.session;
  await done((callback) => request.session.regenerate(callback));
  request.session.secondStep = {
    user: { id: user.id, epoch: user.authEpoch },
    attempt: newToken(),
    until: realNow().getTime() + pendingMs,
    identity,
  };
  if (shown) request.session.shown = shown;
  await done((callback) => request.session.save(callback));
}

/** Notes that the person has just proved who they are, under a new session id; all else that the session holds goes on under it. */
export async function renewProved(request: Request): Promise<void> {
  const { cookie: _old, ...held } = request.session;
  await done((callback) => request.session.regenerate(callback));
  Object.assign(request.session, held, { provenAt: realNow().getTime() });
  await done((callback) => request.session.save(callback));
}

/** Whether this person proved who they are within the last ten minutes. */
export const hasProved = ({ session: { provenAt } }: Request) =>
  provenAt !== undefined && realNow().getTime() - provenAt < proofMs;

export const clearSessionCookie = (request: Request, env: Env) =>
  request.res?.clearCookie(cookieName(env, sessionCookie), cookieOptions(env));

/** Signs this browser out; the session's row stays as a tombstone. */
export async function signOut(request: Request): Promise<void> {
  await done((callback) => request.logOut(callback));
  // passport leaves a new, empty session, which would be stored and get a cookie.
  await done((callback) => request.session.destroy(callback));
}
