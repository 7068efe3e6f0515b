import express, { Router } from 'express';
import * as z from 'zod';
import { AppError } from '#server/platform/http/app-error.ts';
import type { PaymentsData } from './console-payments-page.ts';
import type { Sandbox } from './payments-sandbox/index.ts';
import { SandboxError } from './payments-sandbox/http/error.ts';

const on = z.literal('on').optional();
const form = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['decline', 'refund', 'dispute', 'resend']), id: z.string().max(100) }),
  z.strictObject({ action: z.literal('hold') }),
  z.strictObject({ action: z.literal('release'), shuffle: on, duplicate: on, drop: on }),
]);
type Form = z.infer<typeof form>;

async function carryOut({ controls, webhooks }: Sandbox, asked: Form): Promise<string> {
  switch (asked.action) {
    case 'decline':
      await controls.failNextCharges(asked.id);
      return 'The next charge of this customer will be declined.';
    case 'refund':
      return `Refunded with ${(await controls.refundInvoice(asked.id)).number}.`;
    case 'dispute':
      return `Dispute ${(await controls.openDispute(asked.id)).id} is open.`;
    case 'resend':
      await webhooks.resend(asked.id);
      return 'Sent again.';
    case 'hold':
      await webhooks.hold();
      return 'Webhooks are kept back from now on.';
    case 'release': {
      const { posted, duplicated, dropped } = await webhooks.release({
        shuffle: asked.shuffle === 'on',
        duplicate: asked.duplicate ? 0.5 : 0,
        drop: asked.drop ? 0.25 : 0,
      });
      return `${posted} sent, ${duplicated} of them twice, ${dropped} lost.`;
    }
  }
}

export async function paymentsData(sandbox: Sandbox | null, said: unknown): Promise<PaymentsData | null> {
  if (!sandbox) return null;
  const [objects, held, holding] = await Promise.all([
    sandbox.list(),
    sandbox.webhooks.held(),
    sandbox.webhooks.holding(),
  ]);
  return { objects, held: held.map(({ type }) => type), holding, said: typeof said === 'string' ? said : null };
}

/** The buttons of /dev that do to the sandbox what a bank, a merchant or a bad network would. */
export function paymentsRoutes(sandbox: Sandbox | null): Router {
  const router = Router();
  router.post('/dev/payments', express.urlencoded({ extended: false, limit: '1kb' }), async (req, res) => {
    const asked = form.safeParse(req.body);
    if (!sandbox || !asked.success) throw new AppError('malformed_request');
    const said = await carryOut(sandbox, asked.data).catch((error: unknown) => {
      if (error instanceof SandboxError) return error.message;
      throw error;
    });
    res.redirect(303, `/dev?${new URLSearchParams({ said }).toString()}#payments`);
  });
  return router;
}
