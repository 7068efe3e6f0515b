import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { receive } from './inbox.ts';

/** Seconds a signature may be away from the real time, in the past or in the future. */
const tolerance = 300;

/** The event behind a signed body, or 400. The SDK accepts signatures dated in the future; we do not. */
function verified(context: Context, body: unknown, signature: string): Stripe.Event {
  try {
    const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
    if (!(signedAt - realNow().getTime() / 1000 <= tolerance)) throw new Error('the signature is dated in the future');
    const { stripe, webhookSecret } = context.payments;
    return stripe.webhooks.constructEvent(body as Buffer, signature, webhookSecret, tolerance);
  } catch (error) {
    throw new AppError('malformed_request', { cause: error });
  }
}

/**
 * `POST /api/webhooks/stripe`: the event is recorded once, with its job, before the 200; what it says is not believed,
 * the object is read again by the job (decisions §6).
 */
export const stripeWebhook =
  (context: Context): RequestHandler =>
  async (req, res) => {
    await receive(context, verified(context, req.body, String(req.headers['stripe-signature'] ?? '')));
    res.json({ received: true });
  };
