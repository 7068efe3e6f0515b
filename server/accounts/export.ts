import type { AccountExport } from '#shared/api/account-export.ts';
import { dataGroups, seenSentence, sentence } from '#shared/rules/people/data-map.ts';
import { columnsOf } from '#shared/schema/personal-columns.ts';
import { personalTables } from '#shared/schema/personal-data.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { createGate } from '#server/platform/http/gate.ts';
import { askerOf, consume } from '#server/platform/http/rate-limit.ts';
import { leaverOf } from './leaver.ts';
import { toUser } from './profile.ts';
import { everythingAbout } from './queries-export.ts';

/** Each runs some twenty queries: with only two at once, the pool stays free for everybody else. */
const gate = createGate({ atOnce: 2, limit: 64, share: 4, deadlineMs: 15_000 });

export const exportAccount = (context: Context, actor: ActorRow): Promise<AccountExport> =>
  gate.run(async () => {
    await consume(context, 'exports', actor.id);
    return everythingOf(context, actor);
  }, askerOf(context));

/** The data map, with the sections of the export in which each group stands. */
const index: AccountExport['index'] = dataGroups.map(({ id, title, what, why, kept, closing }) => ({
  title,
  what: sentence(what),
  why: sentence(why),
  seenBy: seenSentence(id),
  kept: sentence(kept),
  whenYouClose: closing,
  sections: [
    ...new Set(
      personalTables.flatMap(({ name, handling }) =>
        id !== 'housekeeping' && 'exported' in handling && columnsOf(name).some(([group]) => group === id)
          ? [handling.exported]
          : [],
      ),
    ),
  ],
}));

async function everythingOf(context: Context, actor: ActorRow): Promise<AccountExport> {
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear } = actor;
  return {
    exportedAt: context.now(),
    index,
    account: { ...toUser(context, actor), creditCents: actor.creditCents },
    card:
      cardBrand === null ? null : { brand: cardBrand, last4: cardLast4, expMonth: cardExpMonth, expYear: cardExpYear },
    ...(await everythingAbout(context.db, leaverOf(actor))),
  };
}
