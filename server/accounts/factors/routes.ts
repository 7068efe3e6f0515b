import type { Request } from 'express';
import { contract } from '#shared/api/index.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { consumeByAddress } from '#server/platform/http/rate-limit.ts';
import { renewProved, signIn } from '#server/platform/http/session.ts';
import { teamsThatAskForFactor } from '#server/teams/service.ts';
import { completeSignIn } from '../begin-session.ts';
import {
  addApp,
  addPasskey,
  beginApp,
  refuseUnproved,
  removeFactor,
  renewRecoveryCodes,
  stopReset,
} from './change-factors.ts';
import { askForNewPasskey, askForPasskey } from './passkeys.ts';
import { deleteDevice } from './queries.ts';
import { rememberDevice } from './remembered-device.ts';
import { checkProof, completeWithCode, firstStepOf, ownFactors, secondStepOf, userOfPasskey } from './second-step.ts';

/** Signs this browser in again after the first factor has ended every session. */
const added = async (request: Request, { recoveryCodes, user }: Awaited<ReturnType<typeof addApp>>) => {
  if (user) await signIn(request, user, { isProof: true });
  return { recoveryCodes };
};

export const factorRoutes = (context: Context) =>
  implement(
    contract.factors,
    {
      list: async ({ actor }, ctx) => ownFactors(ctx, actor, await teamsThatAskForFactor(ctx.db, actor.id)),
      beginApp: async ({ actor, request }, ctx) => beginApp(ctx, request, actor),
      addApp: async ({ actor, body, request }, ctx) => added(request, await addApp(ctx, request, actor, body)),
      beginPasskey: async ({ actor, request }, ctx) => {
        refuseUnproved(actor);
        return askForNewPasskey(ctx, request, actor);
      },
      addPasskey: async ({ actor, body, request }, ctx) => added(request, await addPasskey(ctx, request, actor, body)),
      remove: ({ actor, params }, ctx) =>
        done(removeFactor(ctx, actor, params.id), 'The verification method was removed.'),
      renewCodes: async ({ actor }, ctx) => ({ recoveryCodes: await renewRecoveryCodes(ctx, actor) }),
      forgetDevice: async ({ actor, params }, ctx) => {
        if (!(await deleteDevice(ctx.db, actor.id, params.id))) throw new AppError('not_found');
        return { message: 'This device will be asked for two-step verification again.' };
      },
      stopReset: ({ actor, body }, ctx) =>
        done(stopReset(ctx, actor, body.token), 'The reset was stopped. Your verification methods stay as they are.'),
      askPasskey: async ({ actor, request }, ctx) => {
        // Somebody signed in is known, however many share the address.
        if (!actor) await consumeByAddress(ctx, 'passkeyIp');
        return askForPasskey(ctx, request, actor?.id ?? secondStepOf(request)?.id ?? null);
      },
      signInWithPasskey: async ({ body, request }, ctx) => {
        const user = await userOfPasskey(ctx, request, body.passkey);
        return completeSignIn(ctx, request, user, { ...firstStepOf(request, user), factorShown: true });
      },
      signInWithCode: async ({ body, request }, ctx) => {
        const user = await completeWithCode(ctx, request, body.code);
        const reply = await completeSignIn(ctx, request, user, { ...firstStepOf(request, user), factorShown: true });
        if (body.remember && 'id' in reply) await rememberDevice(ctx, request, user);
        return reply;
      },
      prove: async ({ actor, body, request }, ctx) => {
        await checkProof(ctx, request, actor, body);
        await renewProved(request);
        return { message: 'Thank you.' };
      },
    },
    context,
  );
