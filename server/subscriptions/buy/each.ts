import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { workThrough } from '../work-through.ts';

/** Works on each. A failing one does not hold up the others; where Stripe is away or busy the run ends. */
export const eachOf = <Row extends { id: string }>(
  context: Context,
  find: () => Promise<Row[]>,
  work: (row: Row) => Promise<unknown>,
): Promise<void> =>
  workThrough({
    find,
    work,
    most: Infinity,
    now: () => realNow().getTime(),
    failed: async (row, error) => {
      context.log.error({ err: error, id: row.id }, 'a purchase could not go on');
      return error instanceof AppError && error.status === 503;
    },
  });
