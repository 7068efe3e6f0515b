import type { AccountExport } from '#shared/api/account-export.ts';
import { canonicalEmail } from '#shared/rules/accounts.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { everythingAbout } from './queries-export.ts';
import { toUser } from './service.ts';

/** Everything held about the adviser, as they may have it (decisions §3). */
export async function exportAccount(context: Context, actor: ActorRow): Promise<AccountExport> {
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear } = actor;
  return {
    exportedAt: context.now(),
    account: toUser(actor),
    card:
      cardBrand === null ? null : { brand: cardBrand, last4: cardLast4, expMonth: cardExpMonth, expYear: cardExpYear },
    ...(await everythingAbout(context.db, actor, hashToken(canonicalEmail(actor.email)))),
  };
}
