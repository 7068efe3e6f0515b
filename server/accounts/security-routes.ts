import { contract } from '#shared/api/index.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { clearSessionCookie, signIn, signOut } from '#server/platform/session.ts';
import { changePassword } from './change-password.ts';
import { closeAccount } from './close-account.ts';
import { exportAccount } from './export.ts';
import { forgotPassword } from './forgot-password.ts';
import { resetPassword } from './reset-password.ts';
import { setupAdmin } from './setup-admin.ts';
import { endSession, sessionsOf } from './sessions.ts';

export const securityRoutes = (context: Context) =>
  implement(
    contract.security,
    {
      forgotPassword: async ({ body }, ctx) => {
        await forgotPassword(ctx, body.email);
        return { message: 'If an account exists with this email, you will receive password reset instructions.' };
      },
      resetPassword: async ({ body, request }, ctx) => {
        await resetPassword(ctx, body, request);
        return { message: 'Your password was reset. You can sign in with it now.' };
      },
      changePassword: async ({ actor, body, request }, ctx) => {
        await signIn(request, await changePassword(ctx, actor, body, request));
        return { message: 'Your password was changed. Your other sessions were signed out.' };
      },
      sessions: ({ actor, request }, ctx) => sessionsOf(ctx, actor, request),
      endSession: async ({ actor, params, request }, ctx) => {
        await endSession(ctx, actor, params.id, request);
        return { message: 'The session was signed out.' };
      },
      exportAccount: async ({ actor, request }, ctx) => {
        const all = await exportAccount(ctx, actor);
        request.res?.attachment(`adviserly-export-${sydneyDate(all.exportedAt)}.json`);
        return all;
      },
      closeAccount: async ({ actor, body, request }, ctx) => {
        await closeAccount(ctx, actor, body.password, request);
        await signOut(request);
        clearSessionCookie(request, ctx.env);
        return { message: 'Your account was closed.' };
      },
      setupAdmin: ({ body, request }, ctx) => setupAdmin(ctx, body, request),
    },
    context,
  );
