import type { Context } from '#server/platform/context.ts';
import { claimCustomer, payerById } from './queries.ts';
import { asked, isRefusal } from './provider.ts';

/**
 * The adviser's customer at the provider. Two replicas may both get here: the key makes it one customer, and the column
 * is set only while it is empty.
 */
export async function ensureCustomer(context: Context, userId: string): Promise<string> {
  const payer = await payerById(context.db, userId);
  if (payer.stripeCustomerId) return payer.stripeCustomerId;
  const { id } = await asked(context, (stripe) =>
    stripe.customers.create({ metadata: { userId } }, { idempotencyKey: `customer:${userId}` }),
  );
  await asked(context, (stripe) =>
    stripe.customers.update(id, {
      email: payer.email,
      name: `${payer.firstName} ${payer.lastName}`,
      ...(payer.mobile && { phone: payer.mobile }),
    }),
  );
  if (payer.abn) await addAbn(context, id, payer.abn);
  return claimCustomer(context.db, userId, id);
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
