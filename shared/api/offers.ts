import * as z from 'zod';
import { noticeDays } from '../rules/billing/own-price.ts';
import { mostTiers } from '../rules/billing/tiers.ts';
import { defineAdminApi } from './endpoint.ts';
import { cents, date, id, reason, whole } from './fields.ts';

const percent = whole(1, 90, 'Please enter a whole percentage from 1 to 90');
/** How often it had been changed when the page was loaded. */
const number = z.int().min(0);

const tier = z.strictObject({
  toolCount: whole(2, 50, 'Please enter a number of tools from 2 to 50'),
  discountPercent: percent,
});
const tiers = z.array(tier).max(mostTiers, { error: `Please use at most ${mostTiers} discounts` });
const shownTiers = z.array(z.object({ toolCount: z.int(), discountPercent: z.number() }));

const change = { number: z.int(), by: z.string(), reason: z.string(), createdAt: date };

const volumeDiscounts = z.object({
  number: z.int(),
  tiers: shownTiers,
  /** What was announced and has not begun; until it begins, it may be taken back. */
  coming: z.object({ number: z.int(), tiers: shownTiers, startsAt: date }).nullable(),
  /** The newest first. */
  history: z.array(
    z.object({
      ...change,
      before: shownTiers,
      after: shownTiers,
      startsAt: date.nullable(),
      withdraws: z.int().nullable(),
      isWithdrawn: z.boolean(),
    }),
  ),
});
export type VolumeDiscounts = z.output<typeof volumeDiscounts>;

/** The volume discounts, which everybody is offered alike. */
export const offersApi = defineAdminApi({
  tiers: {
    route: 'GET /api/admin/tiers',
    summary: 'The bulk discounts, what was announced, and what was changed',
    response: volumeDiscounts,
  },
  previewTiers: {
    route: 'GET /api/admin/tiers/preview',
    summary: 'Whom other bulk discounts would reach',
    query: z.strictObject({
      tiers: z
        .string()
        .max(200)
        .regex(/^(\d{1,2}:\d{1,2}(,\d{1,2}:\d{1,2})*)?$/, { error: 'Please enter discounts such as 2:5,3:10' })
        .transform((text) =>
          text === ''
            ? []
            : text.split(',').map((pair) => {
                const [toolCount = 0, discountPercent = 0] = pair.split(':').map(Number);
                return { toolCount, discountPercent };
              }),
        )
        .pipe(tiers),
      after: id.optional(),
    }),
    response: z.object({
      /** Somebody could pay more, so the change needs notice. */
      isDearer: z.boolean(),
      /** Payers whose months cost more or less, and by how much in total. */
      dearer: z.int(),
      dearerCents: cents,
      cheaper: z.int(),
      cheaperCents: cents,
      same: z.int(),
      /** Where there are more payers: the `after` that counts the next ones. */
      next: id.nullable(),
    }),
  },
  setTiers: {
    route: 'POST /api/admin/tiers',
    summary: `Change the bulk discounts: at once where nobody pays more, else from a day at least ${noticeDays} days ahead`,
    body: z.strictObject({
      number,
      tiers,
      /** A day in Sydney. */
      startsOn: z.iso.date({ error: 'Please choose a day' }).optional(),
      reason,
    }),
  },
  withdrawTiers: {
    route: 'POST /api/admin/tiers/withdraw',
    summary: 'Take back a change of the bulk discounts that was announced and has not begun',
    body: z.strictObject({ number: z.int().min(1), reason }),
  },
});
