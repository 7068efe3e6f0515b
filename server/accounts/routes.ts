import { type RequestHandler, Router } from 'express';
import { contract } from '#shared/api/index.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { makeKnown } from '#server/platform/http/known-device.ts';
import { tabKeyFor } from '#server/platform/http/cookies.ts';
import { clearSessionCookie, signIn, signOut, type SessionParts } from '#server/platform/http/session.ts';
import { beginSession, completeSignIn } from './begin-session.ts';
import { askForChange, cancelChange, confirmChange, pendingChange, undoChange } from './change-email.ts';
import { closeAccount } from './close-account.ts';
import { factorRoutes } from './factors/routes.ts';
import { beginSecondStep } from './factors/second-step.ts';
import { shownFor } from './identities/connect.ts';
import { askAt } from './identities/provider.ts';
import { disconnect, finishAt, ownIdentities } from './identities/sign-in.ts';
import { changePassword } from './password.ts';
import { changeProfile, completeProfile, toUser } from './profile.ts';
import { exportAccount } from './export.ts';
import { register, setupAdmin, setupState } from './register.ts';
import { forgotPassword, resetPassword } from './reset-password.ts';
import { endSession, ownKeys, recentSignIns, revokeOwnKey, sessionsOf, signOutHere } from './sessions.ts';
import { refuseSuspended, signInPage } from './sign-in.ts';
import { resendVerification, verifyEmail } from './verification.ts';

export function accountsRoutes(context: Context, sessions: SessionParts): RequestHandler[] {
  // A link in the documentation that the browser itself follows, so it is not an endpoint of the contract.
  const signIns = Router().get('/api/login', (req, res) => res.redirect(302, signInPage(req.query['returnTo'])));

  const endpoints = implement(
    contract.accounts,
    {
      user: ({ actor }, ctx) => Promise.resolve(toUser(ctx, actor)),
      authUser: ({ actor }, ctx) => Promise.resolve(toUser(ctx, actor)),
      tabKey: ({ request }, { env }) => Promise.resolve({ key: tabKeyFor(env, request) }),
      register: async ({ body, request }, ctx) => {
        const user = await register(ctx, body, shownFor(request, body.email)?.isProved ?? false);
        return toUser(ctx, await beginSession(ctx, request, user, { isProof: true }));
      },
      login: async ({ request }, ctx) => {
        const user = await orRefuse(sessions.authenticate(request), 'invalid_credentials');
        await refuseSuspended(ctx, user);
        const secondFactor = await beginSecondStep(ctx, request, user);
        return secondFactor
          ? { secondFactor }
          : completeSignIn(ctx, request, user, { byPassword: true, factorShown: false, identity: null });
      },
      logout: ({ actor, request }, ctx) =>
        done(signOutHere(ctx, actor, request), 'You have been successfully logged out.'),
      completeProfile: async ({ actor, body }, ctx) => toUser(ctx, await completeProfile(ctx, actor, body)),
      updateProfile: async ({ actor, body }, ctx) => toUser(ctx, await changeProfile(ctx, actor, body)),
      verifyEmail: async ({ actor, body }, ctx) => toUser(ctx, await verifyEmail(ctx, actor, body.token)),
      resendVerification: ({ actor }, ctx) =>
        done(resendVerification(ctx, actor), `A new verification link was sent to ${actor.email}.`),
    },
    context,
  );
  return [signIns, endpoints, securityRoutes(context), factorRoutes(context), identityRoutes(context)];
}

const identityRoutes = (context: Context) =>
  implement(
    contract.identities,
    {
      begin: ({ body, request }, ctx) => askAt(ctx, request, body.provider, null),
      finish: ({ actor, body, request }, ctx) => finishAt(ctx, request, actor, body),
      list: ({ actor }, ctx) => ownIdentities(ctx, actor),
      connect: ({ actor, body, request }, ctx) => askAt(ctx, request, body.provider, actor.id),
      remove: ({ actor, params }, ctx) =>
        done(disconnect(ctx, actor, params.id), 'It no longer signs you in. Your password does.'),
    },
    context,
  );

const securityRoutes = (context: Context) =>
  implement(
    contract.security,
    {
      forgotPassword: ({ body }, ctx) =>
        done(
          forgotPassword(ctx, body.email),
          'If an account exists with this email, you will receive password reset instructions.',
        ),
      resetPassword: async ({ body, request }, ctx) => {
        makeKnown(ctx.env, request, await resetPassword(ctx, body));
        return { message: 'Your password was reset. You can sign in with it now.' };
      },
      changePassword: async ({ actor, body, request }, ctx) => {
        const changed = await changePassword(ctx, actor, body);
        await signIn(request, changed, { isProof: !changed.hasSecondFactor });
        return { message: 'Your password was changed. Your other sessions were signed out.' };
      },
      emailChange: ({ actor }, ctx) => pendingChange(ctx, actor),
      changeEmail: ({ actor, body }, ctx) =>
        done(
          askForChange(ctx, actor, body.email),
          `We sent a link to ${body.email}. Your address changes once you open it.`,
        ),
      cancelEmailChange: ({ actor }, ctx) => done(cancelChange(ctx, actor), `Your address stays ${actor.email}.`),
      confirmEmailChange: async ({ actor, body }, ctx) => toUser(ctx, await confirmChange(ctx, actor, body.token)),
      undoEmailChange: async ({ body }, ctx) => {
        const { email, token } = await undoChange(ctx, body.token);
        const message = `Your address is ${email} again, and every device was signed out. We sent you a link to choose a new password.`;
        return { message, token };
      },
      sessions: ({ actor, request }, ctx) => sessionsOf(ctx, actor, request),
      signIns: ({ actor }, ctx) => recentSignIns(ctx, actor),
      endSession: ({ actor, params, request }, ctx) =>
        done(endSession(ctx, actor, params.id, request), 'The session was signed out.'),
      apiKeys: ({ actor }, ctx) => ownKeys(ctx, actor),
      revokeApiKey: ({ actor, params }, ctx) => done(revokeOwnKey(ctx, actor, params.id), 'The API key was revoked.'),
      exportAccount: async ({ actor, request }, ctx) => {
        const all = await exportAccount(ctx, actor);
        request.res?.attachment(`adviserly-export-${sydneyDate(all.exportedAt)}.json`);
        return all;
      },
      closeAccount: async ({ actor, body, request }, ctx) => {
        await closeAccount(ctx, actor, body);
        await signOut(request);
        clearSessionCookie(request, ctx.env);
        return { message: 'Your account was closed.' };
      },
      setupState: (_, ctx) => setupState(ctx),
      setupAdmin: ({ body }, ctx) => setupAdmin(ctx, body),
    },
    context,
  );
