import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type pg from 'pg';
import { sessionLife } from '#shared/rules/accounts.ts';
import type { ActorRow } from './actor.ts';
import type { Env } from './env.ts';
import { SessionStore } from './session-store.ts';

type SessionOwner = { id: string; epoch: number };

declare module 'express-session' {
  interface SessionData {
    passport?: { user?: SessionOwner };
    /** Browser and system of the sign-in, for the list of sessions. */
    device?: string;
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

/** Checks an e-mail and a password; null means refused. */
export type Authenticate = (email: string, password: string, request: Request) => Promise<ActorRow | null>;

export type SessionParts = {
  middleware: RequestHandler[];
  /** Runs passport-local on the request's body. */
  authenticate(request: Request): Promise<ActorRow | null>;
};

/** `__Host-` binds the cookie to this very host over TLS; browsers refuse the prefix on plain http. */
export const sessionCookieName = (env: Env) => (env.appUrl.startsWith('https:') ? '__Host-sid' : 'sid');

/** The session and passport part of the stack. express-session stays in charge of the cookie, passport of the user. */
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
  const cookies = session({
    name: sessionCookieName(env),
    secret: env.sessionSecret,
    store: new SessionStore(pool),
    resave: false,
    saveUninitialized: false,
    proxy: env.trustProxy !== false,
    cookie: {
      httpOnly: true,
      sameSite: 'lax',
      secure: env.appUrl.startsWith('https:'),
      path: '/',
      maxAge: sessionLife.adviser.absolute * 1000,
    },
  });
  return {
    middleware: [cookies, instance.initialize(), instance.session()],
    authenticate: (request) =>
      new Promise((resolve, reject) => {
        const callback = (error: unknown, user?: ActorRow | false | null) =>
          error ? reject(error) : resolve(user || null);
        (instance.authenticate('local', callback) as RequestHandler)(request, request.res!, reject);
      }),
  };
}

/** Signs this browser in under a new session id, stored before it answers. */
export function signIn(request: Request, user: ActorRow): Promise<void> {
  return new Promise((resolve, reject) => {
    // passport regenerates the session: an id planted before sign-in is worthless after it.
    request.logIn(user, (error: unknown) => {
      if (error) return reject(error);
      request.session.device = (request.get('user-agent') ?? '').slice(0, 300);
      request.session.save((failure: unknown) => (failure ? reject(failure) : resolve()));
    });
  });
}

/** Takes the cookie away from this browser. */
export function clearSessionCookie(request: Request, env: Env): void {
  const secure = env.appUrl.startsWith('https:');
  request.res?.clearCookie(sessionCookieName(env), { path: '/', httpOnly: true, sameSite: 'lax', secure });
}

/** Signs this browser out; the session becomes a tombstone. */
export function signOut(request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    request.logOut((error: unknown) => {
      if (error) return reject(error);
      // passport leaves a new, empty session behind, which would be stored and given a cookie.
      request.session.destroy((failure: unknown) => (failure ? reject(failure) : resolve()));
    });
  });
}
