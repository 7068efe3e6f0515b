import { Router } from 'express';
import { contract } from '#shared/api/index.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { signIn, signOut, type SessionParts } from '#server/platform/session.ts';
import { ownPath } from './return-to.ts';
import { completeProfile, register, toUser, verifyEmail } from './service.ts';
import { resendVerification } from './verification.ts';

export function accountsRoutes(context: Context, sessions: SessionParts): Router {
  const router = Router();

  /** Where pages send a browser whose session ended: the sign-in page, and back afterwards (decisions §2). */
  router.get('/api/login', (req, res) => {
    const returnTo = ownPath(req.query['returnTo']);
    res.redirect(302, returnTo ? `/auth?returnTo=${encodeURIComponent(returnTo)}` : '/auth');
  });

  const calls = implement(
    contract.accounts,
    {
      user: async ({ actor }) => toUser(actor),
      authUser: async ({ actor }) => toUser(actor),
      register: async ({ body, request }, ctx) => {
        const user = await register(ctx, body, request);
        await signIn(request, user);
        return toUser(user);
      },
      login: async ({ request, body }) => {
        request.body = body;
        const user = await sessions.authenticate(request);
        if (!user) throw new AppError('invalid_credentials');
        await signIn(request, user);
        return toUser(user);
      },
      logout: async ({ request }) => {
        await signOut(request);
        return { message: 'You have been successfully logged out.' };
      },
      completeProfile: ({ actor, body }, ctx) => completeProfile(ctx, actor, body),
      verifyEmail: ({ body, request }, ctx) => verifyEmail(ctx, body.token, request),
      resendVerification: ({ actor }, ctx) => resendVerification(ctx, actor),
    },
    context,
  );
  return router.use(calls);
}
