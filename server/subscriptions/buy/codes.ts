import { codeUnknown } from '#shared/rules/billing/code-text.ts';
import {
  codeClosed,
  codeNotFor,
  codeOwn,
  codeUsedBefore,
  codeUsedUp,
  codeUseless,
} from '#shared/rules/billing/discount-codes.ts';
import type { Price } from '#shared/rules/billing/pricing.ts';
import { codeRows, type DiscountCodeRow } from '#server/catalogue/service.ts';
import { type Payer, practices } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { countRedemptions, giveCodeBack, hasRedeemed, insertRedemption, redemptionOf } from '../queries.ts';

export const offerOfCode = ({ code, percent, months }: DiscountCodeRow) => ({ code, percent, months });

/** The code that somebody entered, whether or not they may use it. Tries are limited, so that nobody finds one by guessing. */
export async function findCode(context: Context, actor: ActorRow, entered: string): Promise<DiscountCodeRow> {
  await consume(context, 'discountCodes', actor.id);
  const code = await codeRows.codeNamed(context.db, entered);
  if (!code) throw fieldError('code', codeUnknown);
  return code;
}

/** Why it can't be redeemed by this payer for the tool; null where it can. */
const faultOf = async (db: Db, code: DiscountCodeRow, payer: Payer, toolId: string, now: Date) =>
  codeClosed(code, now) ??
  ((await practices.ownPayers(db, code.madeBy))(payer) ? codeOwn : null) ??
  ((await hasRedeemed(db, code.id, payer, toolId)) ? codeUsedBefore : null) ??
  ((await countRedemptions(db, code.id)) >= code.mostRedemptions ? codeUsedUp : null);

type Priced = { tool: { id: string; name: string }; price: Price; slot: { id: string } | null };

/** Refuses a code that would not be redeemed, or takes nothing off. An open purchase keeps the code it was opened with. */
export async function refuseCode(
  { db, now }: Pick<Context, 'db' | 'now'>,
  code: DiscountCodeRow,
  payer: Payer,
  { tool, price, slot }: Priced,
): Promise<void> {
  const held = slot ? await redemptionOf(db, slot.id) : null;
  const fault =
    codeNotFor(code, tool) ??
    (held?.codeId === code.id ? null : await faultOf(db, code, payer, tool.id, now())) ??
    codeUseless(code, price);
  if (fault !== null) throw fieldError('code', fault);
}

type Claim = { payer: Payer; toolId: string; subscriptionId: string; code: DiscountCodeRow | null };

/**
 * Redeems the code for a purchase, in its transaction, and gives back one that the same purchase had before. The code is locked
 * meanwhile, so that simultaneous purchases don't exceed its limit.
 */
export async function redeemCode(tx: Db, { payer, toolId, subscriptionId, code }: Claim, now: Date): Promise<void> {
  const held = await redemptionOf(tx, subscriptionId);
  if (held !== null && held.codeId === code?.id) return;
  if (held) await giveCodeBack(tx, subscriptionId);
  const locked = code && (await codeRows.lockCode(tx, code.id));
  if (!locked) return;
  const fault = await faultOf(tx, locked, payer, toolId, now);
  if (fault !== null) throw fieldError('code', fault);
  await insertRedemption(tx, payer, { codeId: locked.id, toolId, subscriptionId, createdAt: now });
}
