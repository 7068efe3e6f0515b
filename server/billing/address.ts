import type { BillingAddress } from '#shared/api/billing.ts';
import type { State } from '#shared/rules/australia.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { customerChanged } from './customers.ts';
import type { Payer } from './payer.ts';
import { addressOf, storeAddress } from './queries-address.ts';

/** `GET /api/billing/address`: what was stored, or null; invoices then name the address of the business. */
export async function billingAddressOf(context: Context, payer: Payer): Promise<BillingAddress | null> {
  const stored = await addressOf(context.db, payer);
  return stored && { ...stored, line2: stored.line2 ?? '', state: stored.state as State };
}

/** `PUT /api/billing/address` (B §5): stored, and sent to the provider by a job, so that it never waits for it. */
export async function saveBillingAddress(
  context: Context,
  payer: Payer,
  address: BillingAddress,
): Promise<BillingAddress> {
  await transaction(context.db, async (tx) => {
    await storeAddress(tx, payer, { ...address, line2: address.line2 || null });
    await customerChanged(within(context, tx), payer);
  });
  return address;
}
