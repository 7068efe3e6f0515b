import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { forgotPassword } from './forgot-password.ts';
import { resetPassword } from './reset-password.ts';

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
    },
    context,
  );
