import type { BillingAddress } from '#shared/api/billing.ts';
import type { State } from '#shared/rules/australia.ts';
import type { Context } from '#server/platform/context.ts';
import { addressOf, storeAddress, type AddressOwner } from './queries-address.ts';

/** `GET /api/billing/address`: what was stored, or null. */
export async function billingAddressOf(context: Context, owner: AddressOwner): Promise<BillingAddress | null> {
  const stored = await addressOf(context.db, owner);
  return stored && { ...stored, line2: stored.line2 ?? '', state: stored.state as State };
}

/** `PUT /api/billing/address` (B §5). */
export async function saveBillingAddress(
  context: Context,
  owner: AddressOwner,
  address: BillingAddress,
): Promise<BillingAddress> {
  await storeAddress(context.db, owner, { ...address, line2: address.line2 || null });
  return address;
}
