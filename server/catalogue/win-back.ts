import { isDeepStrictEqual } from 'node:util';
import type { Input } from '#shared/api/endpoint.ts';
import type { offersApi } from '#shared/api/offers.ts';
import {
  releasedWinBack,
  stepsFault,
  termsText,
  winBackNames,
  winBackOfferIds,
  type WinBackSettings,
} from '#shared/rules/win-back.ts';
import { audit } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/database.ts';
import { insertWinBackChange, lockDiscounts, newestWinBack } from './queries.ts';

/** The offers to come back as they are now, and how often they were changed. */
export async function winBackNow(db: Db): Promise<{ number: number; settings: WinBackSettings }> {
  const [newest] = await newestWinBack(db);
  return newest ? { number: newest.number, settings: newest.after } : { number: 0, settings: releasedWinBack };
}

export const winBackSettings = async (context: Pick<Context, 'db'>) => (await winBackNow(context.db)).settings;

/** `POST /api/admin/win-back`: what people who come back are offered from now on. An offer already taken stays as it was. */
export const setWinBack = (
  context: Context,
  actor: ActorRow,
  { number, settings: after, reason }: Input<typeof offersApi.setWinBack>['body'],
): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockDiscounts(tx, 'win-back');
    const inside = within(context, tx);
    const before = await winBackNow(tx);
    if (before.number !== number) throw new AppError('discounts_changed');
    for (const offerId of winBackOfferIds) {
      const fault = stepsFault(after[offerId].steps);
      if (fault !== null) throw fieldError(`settings.${offerId}.steps`, fault);
    }
    const changed = winBackOfferIds.filter((id) => !isDeepStrictEqual(after[id], before.settings[id]));
    if (changed.length === 0) throw new AppError('same_discounts');
    await insertWinBackChange(tx, {
      number: number + 1,
      before: before.settings,
      after,
      reason,
      changedBy: actor.id,
      createdAt: inside.now(),
    });
    await audit(inside, 'admin.win_back_set', {
      after: { changed: changed.map((id) => `${winBackNames[id]}: ${termsText(after[id])}`).join('; '), reason },
    });
  });
