import type Stripe from 'stripe';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { audit } from '#server/admin/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { isMissing } from '#server/platform/payments.ts';
import { cardOnFile } from './card-on-file.ts';
import { ensureCustomer } from './customers.ts';
import { payerKey, type Payer } from './payer.ts';
import { asked, idOf, isRefusal } from './provider.ts';
import { customerDetails } from './queries-payer.ts';
import { spreadCard } from './spread-card.ts';

/** Seconds after which a job looks whether the new card is everywhere: by then the request has done it, or died. */
const lookAgainAfter = 60;

/** `POST /api/billing/setup-intent`: what the browser confirms a card with. */
export async function beginCard(context: Context, payer: Payer): Promise<{ clientSecret: string }> {
  const customer = await ensureCustomer(context, payer);
  const intent = await asked(context, (stripe) =>
    stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    }),
  );
  if (!intent.client_secret) throw new Error(`setup intent ${intent.id} has no secret`);
  return { clientSecret: intent.client_secret };
}

/**
 * `POST /api/billing/payment-method`: the card of a setup intent that this payer's customer has confirmed pays everything
 * from now on, also what is owed. An intent of somebody else does not exist (404). Repeating it is safe.
 */
export async function saveCard(
  context: Context,
  actorId: string,
  payer: Payer,
  setupIntentId: string,
): Promise<PaymentMethod> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  const intent = customer === null ? null : await setupIntent(context, setupIntentId);
  if (!intent || idOf(intent.customer) !== customer || customer === null) throw new AppError('not_found');
  const method = intent.payment_method;
  if (intent.status !== 'succeeded' || !method || typeof method === 'string' || idOf(method.customer) !== customer)
    throw new AppError('card_unconfirmed');

  await context.queue.send(context.db, 'spread-card', { payer }, { startAfter: lookAgainAfter });
  await makeDefault(context, customer, method.id);
  await spreadCard(context, payer);
  await transaction(context.db, (tx) =>
    audit(within(context, tx), {
      action: 'billing.card_changed',
      actorId,
      subjectType: payer.kind,
      subjectId: payer.kind === 'user' ? payer.userId : payer.teamId,
      after: { brand: method.card?.brand ?? null, last4: method.card?.last4 ?? null },
    }),
  );
  const saved = cardOnFile(await customerDetails(context.db, payer));
  if (!saved) throw new Error(`the card of ${payerKey(payer)} was not kept`);
  return saved;
}

async function setupIntent(context: Context, id: string): Promise<Stripe.SetupIntent | null> {
  try {
    return await asked(context, (stripe) => stripe.setupIntents.retrieve(id, { expand: ['payment_method'] }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function makeDefault(context: Context, customer: string, methodId: string): Promise<void> {
  try {
    await asked(context, (stripe) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: methodId } }),
    );
  } catch (error) {
    // Another card has taken its place meanwhile, and it was detached.
    if (isRefusal(error)) throw new AppError('card_unconfirmed', { cause: error });
    throw error;
  }
}
