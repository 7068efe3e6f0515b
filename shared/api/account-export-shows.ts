import type * as z from 'zod';
import type { PersonalTable, ShownColumns } from '#shared/schema/personal-columns.ts';

/** What a section shows of a table: every column that the data map has in a group, but housekeeping, or this doesn't compile. */
export type Shows<Name extends PersonalTable, LeftOut extends ShownColumns<Name> = never> = z.ZodType<
  Record<Exclude<ShownColumns<Name>, LeftOut>, unknown>
>;
