import { Router } from 'express';
import { contract } from '#shared/api/index.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { clearSessionCookie, signIn, signOut, type SessionParts } from '#server/platform/session.ts';
import { changeProfile, completeProfile } from './profile.ts';
import { register } from './register.ts';
import { securityRoutes } from './security-routes.ts';
import { signInPage } from './return-to.ts';
import { toUser } from './service.ts';
import { resendVerification, verifyEmail } from './verification.ts';

export function accountsRoutes(context: Context, sessions: SessionParts): Router {
  const router = Router();
  // A link of the documents, followed by the browser itself; so it is no endpoint of the contract.
  router.get('/api/login', (req, res) => res.redirect(302, signInPage(req.query['returnTo'])));

  const endpoints = implement(
    contract.accounts,
    {
      user: ({ actor }) => Promise.resolve(toUser(actor)),
      authUser: ({ actor }) => Promise.resolve(toUser(actor)),
      register: async ({ body, request }, ctx) => {
        const user = await register(ctx, body, request);
        await signIn(request, user);
        return toUser(user);
      },
      login: async ({ request }) => {
        const user = await sessions.authenticate(request);
        if (!user) throw new AppError('invalid_credentials');
        await signIn(request, user);
        return toUser(user);
      },
      logout: async ({ actor, request }, { env }) => {
        // Without a user there is nothing to end, and passport would store an empty session first.
        if (actor) await signOut(request);
        clearSessionCookie(request, env);
        return { message: 'You have been successfully logged out.' };
      },
      completeProfile: async ({ actor, body }, ctx) => toUser(await completeProfile(ctx, actor, body)),
      updateProfile: async ({ actor, body }, ctx) => toUser(await changeProfile(ctx, actor, body)),
      verifyEmail: async ({ body, request }, ctx) => toUser(await verifyEmail(ctx, body.token, request)),
      resendVerification: async ({ actor }, ctx) => {
        await resendVerification(ctx, actor);
        return { message: `A new verification link was sent to ${actor.email}.` };
      },
    },
    context,
  );
  return router.use(endpoints, securityRoutes(context));
}
