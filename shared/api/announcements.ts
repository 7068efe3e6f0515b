import * as z from 'zod';
import { announceable } from '#shared/rules/record/announcements.ts';
import { date, day, mailedText } from './fields.ts';

const what = mailedText(300);

/** What a maker announces; empty means that it stays. */
export const announcing = z
  .strictObject({
    version: z.string().regex(/^$|^\S(.{0,38}\S)?$/, { error: 'Please enter at most 40 characters' }),
    model: what,
    dataLocation: what,
    subProcessors: what,
    note: mailedText(1000),
    /** The Sydney day of the change. */
    onDay: day,
    /** It mends a fault, so it need not wait for the days of notice. */
    mends: z.boolean({ error: 'Please say whether it mends a fault' }),
  })
  .refine((said) => announceable.some((about) => said[about] !== ''), {
    path: ['version'],
    error: 'Please say what will change',
  });

export const announcement = z.object({
  id: z.string(),
  version: z.string().nullable(),
  model: z.string().nullable(),
  dataLocation: z.string().nullable(),
  subProcessors: z.string().nullable(),
  note: z.string(),
  onDay: z.string(),
  mends: z.boolean(),
  announcedAt: date,
});
export type Announcement = z.output<typeof announcement>;

/** For a tool's maker and for administrators. */
export const announcementsOfTool = z.object({
  /** The versions that its sessions reported, the last used first, and whether each was stated or announced. */
  versions: z.array(z.object({ version: z.string(), sessions: z.int(), lastUsedAt: date, announced: z.boolean() })),
  announcements: z.array(announcement),
});

/** Of a tool, against the maker's answers that a practice reviewed. */
export const difference = z.object({
  about: z.enum(announceable),
  before: z.string().nullable(),
  after: z.string(),
  onDay: z.string().nullable(),
});
