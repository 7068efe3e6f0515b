import * as z from 'zod';
import { packFailures, packFiles, packStates } from '#shared/rules/record/evidence.ts';
import { longestReference } from '#shared/rules/record/record.ts';
import { defineAdminApi, defineApi } from './endpoint.ts';
import { date, id, line, page, pagination, requiredLine, toolId } from './fields.ts';
import { whyText } from './record.ts';
import { closedKept, closedSession } from './recorded.ts';

/** A calendar day in Sydney; empty: none. */
const day = z.union([z.literal(''), z.iso.date().refine((text) => text >= '2000-01-01' && text < '2100-01-01')], {
  error: 'Please enter a day',
});

const pack = z.object({
  id: z.string(),
  teamId: z.string().nullable(),
  state: z.enum(packStates),
  failedFor: z.enum(packFailures).nullable(),
  /** Who asked; empty where they have closed their account. */
  askedBy: z.string(),
  createdAt: date,
  /** Whose sessions; null: everybody's in the practice. */
  adviserName: z.string().nullable(),
  toolName: z.string().nullable(),
  /** Empty where it was redacted. */
  clientReference: z.string().nullable(),
  /** Only what this recall touches. */
  recallId: z.string().nullable(),
  fromDay: z.string().nullable(),
  toDay: z.string().nullable(),
  sessionsTotal: z.int(),
  sessionsRead: z.int(),
  /** Null until it is made. */
  made: z
    .object({
      at: date,
      head: z.string(),
      lines: z.int(),
      csvBytes: z.int(),
      pdfBytes: z.int(),
      /** Who vouches since when for the head; null until an authority has answered, or where none is configured. */
      stamp: z.object({ authority: z.string(), at: date }).nullable(),
    })
    .nullable(),
});
export type EvidencePack = z.output<typeof pack>;

const choice = z.object({ id: z.string(), name: z.string() });
const ofOwner = { teamId: id.optional() };

/** Evidence packs: the record of AI use as files that show later changes. */
export const evidenceApi = defineApi('member', {
  list: {
    route: 'GET /api/record/packs',
    summary: 'My evidence packs, or those of a practice whose record I may read, newest first',
    query: z.strictObject({ ...ofOwner, page }),
    response: z.object({ packs: z.array(pack), pagination }),
  },
  choices: {
    route: 'GET /api/record/packs/choices',
    summary: 'The tools and advisers that a pack can be narrowed to',
    query: z.strictObject(ofOwner),
    response: z.object({ tools: z.array(choice), advisers: z.array(choice) }),
  },
  ask: {
    route: 'POST /api/record/packs',
    summary:
      'Ask for an evidence pack of my sessions, or of a practice whose record I may read; it is made in the background',
    status: 201,
    body: z
      .strictObject({
        ...ofOwner,
        adviserId: z.union([z.literal(''), id], { error: 'Not a valid id' }).optional(),
        toolId: z.union([z.literal(''), toolId], { error: 'Not a valid tool ID' }).optional(),
        clientReference: line(longestReference).optional(),
        recallId: z.union([z.literal(''), id], { error: 'Not a valid id' }).optional(),
        fromDay: day.optional(),
        toDay: day.optional(),
      })
      .refine(({ fromDay, toDay }) => !fromDay || !toDay || fromDay <= toDay, {
        path: ['toDay'],
        error: 'The last day is before the first',
      }),
    response: z.object({ id: z.string() }),
  },
  pdf: {
    route: 'GET /api/record/packs/:id/pdf',
    summary: 'A pack to read',
    file: 'application/pdf',
  },
  csv: {
    route: 'GET /api/record/packs/:id/csv',
    summary: 'A pack line by line, each with its link of the chain',
    file: 'text/csv',
  },
  manifest: {
    route: 'GET /api/record/packs/:id/manifest',
    summary: 'What the files of a pack are: sizes, sums, and the head of the chain',
    file: 'application/json',
  },
  stamp: {
    route: 'GET /api/record/packs/:id/stamp',
    summary: 'The time stamp of a pack’s head, as the authority answered (RFC 3161); 404 where there is none',
    file: 'application/timestamp-reply',
  },
  people: {
    route: 'GET /api/record/packs/:id/people',
    summary: 'Who is who in a practice’s pack, as of now',
    file: 'text/csv',
  },
  issued: {
    route: 'GET /api/record/issued/:sha256',
    access: 'public',
    summary: 'Whether we issued a pack with this head of its chain, or a PDF of this SHA-256',
    response: z.object({
      issued: z
        .object({ pack: z.string(), file: z.enum(packFiles), madeAt: date, lines: z.int(), head: z.string() })
        .nullable(),
    }),
  },
  redact: {
    route: 'POST /api/teams/:teamId/record/lines/:id/redaction',
    summary:
      'Take remark and client reference out of a review, a sign-off or a review of a tool or, by the id of a session, a client reference that no review says, with a reason; packs that hold it are withdrawn',
    body: z.strictObject({ reason: whyText }),
  },
});

/** What administrators do about the record of a closed practice, which has no owner any more to do it. */
export const closedRecordApi = defineAdminApi({
  find: {
    route: 'GET /api/admin/teams/:teamId/record',
    summary: 'A session of a closed practice by its id, or its sessions for a client reference, with their reviews',
    query: z.strictObject({
      search: requiredLine(longestReference, 'Please enter a session ID or a client reference'),
    }),
    response: z.array(closedSession),
  },
  kept: {
    route: 'GET /api/admin/teams/:teamId/record/kept',
    summary: 'The reviews of tools of a closed practice, and the client references that it holds',
    response: closedKept,
  },
  release: {
    route: 'POST /api/admin/teams/:teamId/record/holds/:id/release',
    summary: 'Release a client reference that a closed practice holds',
    body: z.strictObject({ reason: whyText }),
  },
  redact: {
    route: 'POST /api/admin/teams/:teamId/record/lines/:id/redaction',
    summary: 'Take remark and client reference out of a line of a closed practice; packs that hold it are withdrawn',
    body: z.strictObject({ reason: whyText }),
  },
});
