import type { Context } from '#server/platform/context.ts';
import { payerKey, type Payer } from './payer.ts';
import { asked, isRefusal } from './provider.ts';
import { claimCustomer, customerDetails } from './queries-payer.ts';

/**
 * The payer's customer at the provider. Two replicas may both get here: the key makes it one customer, and the column
 * is set only while it is empty.
 */
export async function ensureCustomer(context: Context, payer: Payer): Promise<string> {
  const details = await customerDetails(context.db, payer);
  if (details.stripeCustomerId) return details.stripeCustomerId;
  const metadata: Record<string, string> = payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId };
  const { id } = await asked(context, (stripe) =>
    stripe.customers.create({ metadata }, { idempotencyKey: `customer:${payerKey(payer)}` }),
  );
  await asked(context, (stripe) =>
    stripe.customers.update(id, {
      email: details.email,
      name: details.name,
      ...(details.mobile && { phone: details.mobile }),
    }),
  );
  if (details.abn) await addAbn(context, id, details.abn);
  return claimCustomer(context.db, payer, id);
}

/** An ABN the provider does not like must not stand in the way of a purchase. */
async function addAbn(context: Context, customer: string, abn: string): Promise<void> {
  try {
    await asked(context, (stripe) =>
      stripe.customers.createTaxId(
        customer,
        { type: 'au_abn', value: abn },
        { idempotencyKey: `tax-id:${customer}:${abn}` },
      ),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.warn({ err: error, customer }, 'the provider refused an ABN');
  }
}
