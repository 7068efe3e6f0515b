import * as z from 'zod';
import { defineApi } from './endpoint.ts';
import { clientReference, date, decimalString, line, toolId, toolVersion } from './fields.ts';
import { silentSessionHours } from '#shared/rules/record/analytics.ts';
import { purposes } from '#shared/rules/record/record.ts';
import { toolIconNames, toolScopes } from '#shared/rules/tools/tools.ts';

export const tool = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  basePrice: decimalString,
  domain: z.string(),
  isActive: z.boolean(),
  comingSoon: z.boolean(),
  icon: z.enum(toolIconNames),
  /** Nobody new can begin to use it; those who have it go on. */
  closed: z.boolean(),
  minutesSaved: z.int(),
  createdAt: date,
});
export type Tool = z.output<typeof tool>;

/**
 * RFC 7662 with claims of our own; an inactive token answers `{active: false}`. The reason is given only for an API key whose owner's
 * team asks for a second factor.
 */
const introspection = z.union([
  z.object({
    active: z.literal(true),
    sub: z.string(),
    tool_id: z.string(),
    session_id: z.string(),
    exp: z.int().meta({
      description:
        'Until when you may keep this answer, in seconds since 1970 (RFC 7662): a launch token’s end, or a minute for an API key; no limit of your session',
    }),
    key_expires_at: z
      .int()
      .optional()
      .meta({ description: 'Of an API key: when the key itself runs out, in seconds since 1970' }),
    /** This and the next five are left out where the tool did not ask for them when it was registered. */
    email: z.string().optional(),
    name: z.string().optional(),
    given_name: z.string().optional(),
    family_name: z.string().optional(),
    dealer_group: z.string().nullable().optional(),
    team: z.string().nullable().optional(),
    status: z.string(),
    client_reference: z.string().nullable().meta({
      description: 'The file number that the adviser opened you for; null where they named none. Never a name.',
    }),
    purpose: z
      .enum(purposes)
      .nullable()
      .meta({ description: 'What they opened you for; null where they did not say.' }),
  }),
  z.object({
    active: z.literal(false),
    reason: z.enum(['team_factor_required', 'team_microsoft_required']).optional(),
    /** A sentence for the key's owner. */
    message: z.string().optional(),
  }),
]);

/** Why one usage event was refused; the rest of its batch is unaffected. */
export const usageRefusals = ['invalid', 'unknown_session', 'too_late', 'out_of_range', 'event_id_reused'] as const;

/** A session takes reports for this many hours after its last one or, without one, after its start: then it is closed. */
export const usageLateHours = silentSessionHours;

/** The most that one event may report; in total, a session's reports may exceed its age by no more than this. */
export const longestUsageSeconds = 24 * 3600;

/** For what is not a whole number; zod has its own sentences for too small and too big. */
const whole = (sentence: string) => (issue: { code?: string }) =>
  issue.code === 'invalid_type' ? sentence : undefined;

/** One usage event, as it is parsed, and as `/api/docs` and the guide show it. */
export const usageEvent = z.strictObject({
  event_id: line(100)
    .min(1)
    .meta({
      description: 'Yours, unique within your tool. Sent again, it counts once.',
      examples: ['report-1042'],
    }),
  session_id: z.uuid().meta({
    description: 'From the introspection.',
    examples: ['6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'],
  }),
  duration_seconds: z
    .int({ error: whole('It is a whole number of seconds.') })
    .nonnegative()
    .max(longestUsageSeconds)
    .meta({ description: 'Whole seconds worked since the last event of this session.', examples: [600] }),
  actions_performed: z
    .int({ error: whole('It is a whole number.') })
    .nonnegative()
    .max(1_000_000)
    .default(0)
    .meta({ description: 'What the adviser had done, such as documents made.', examples: [4] }),
  data_processed: z
    .int({ error: whole('It is a whole number of bytes.') })
    .nonnegative()
    .max(2_000_000_000)
    .default(0)
    .meta({ description: 'Whole bytes.', examples: [52_000] }),
  performance_score: z
    .number()
    .min(0)
    .max(10)
    .nullish()
    .meta({ description: 'Your own measure of the session, kept to two decimals.', examples: [8.5] }),
  version: toolVersion.nullish().meta({
    description: 'Which version of your tool, or of its model, was at work.',
    examples: ['2026.11.2'],
  }),
  purpose: z
    .enum(purposes)
    .nullish()
    .meta({ description: 'What the session was for.', examples: ['file_note'] }),
  client_reference: clientReference.nullish().meta({
    description: 'The file number for which the adviser worked, as they gave it to you. Never a name.',
    examples: ['F-10234'],
  }),
});

/** For which file, and for what, somebody opens a tool. */
export const openedFor = {
  clientReference: clientReference.optional(),
  purpose: z.enum(purposes, { error: 'Please choose a purpose from the list' }).optional(),
};

export const toolsApi = defineApi('member', {
  list: { route: 'GET /api/tools', access: 'public', summary: 'The catalogue', response: z.array(tool) },
  texts: {
    route: 'GET /api/tools/:toolId/texts',
    access: 'public',
    summary: 'What a tool says of itself',
    response: z.object({
      about: z.string(),
      audience: z.string(),
      features: z.array(z.string()),
      benefits: z.array(z.string()),
      /** Which of a person's details it is given. */
      scopes: z.array(z.enum(toolScopes)),
    }),
  },
  launch: {
    route: 'POST /api/auth/token',
    summary: 'A one-time token that opens a tool signed in, for a client where one is named',
    body: z.strictObject({ toolId, ...openedFor }),
    response: z.object({ token: z.string(), url: z.string(), expiresAt: date }),
  },
  myUsage: {
    route: 'GET /api/user/usage',
    summary: 'Each tool that one ever used: sessions in all, the first and the last use; the last used first',
    response: z.array(
      z.object({
        toolId: z.string(),
        sessions: z.int(),
        /** When the first session began. */
        createdAt: date,
        lastAccessed: date,
      }),
    ),
  },
  introspect: {
    route: 'POST /api/tools/introspect',
    access: 'tool',
    summary: 'Exchange a launch token, or check an API key (RFC 7662)',
    bodyType: 'form',
    idempotencyKey: 'The same call with the same key is answered the same for 60 seconds. A new one for each visit.',
    body: z.object({
      token: z.string({ error: 'token is required' }).min(1, { error: 'token is required' }),
      token_type_hint: z.string().optional(),
    }),
    response: introspection,
  },
  session: {
    route: 'GET /api/tools/sessions/:id',
    access: 'tool',
    summary: 'Whether a session of this tool may go on',
    refuses: ['session_not_found'],
    response: z.object({
      session_id: z.string(),
      sub: z.string(),
      /** False once the adviser may no longer use the tool: end the session. */
      access: z.boolean(),
      /** That of the subscription that gives access. */
      status: z.string().nullable(),
      started_at: date,
    }),
  },
  testLaunch: {
    route: 'POST /api/tools/test-launches',
    access: 'tool',
    summary:
      'A token as of a launch by a test adviser of a tool that is not published, to check the tool where it is built',
    refuses: ['no_staging', 'test_adviser_needed'],
    body: z.strictObject({
      /** The first or the second of those who have access. */
      adviser: z.int().min(0).max(1),
      /** One that ran out a minute ago. */
      expired: z.boolean().default(false),
    }),
    response: z.object({
      token: z.string(),
      adviser: z.object({ sub: z.string(), email: z.string(), name: z.string(), given_name: z.string() }),
    }),
  },
  confirmErasure: {
    route: 'POST /api/tools/erasures/:id',
    access: 'tool',
    summary: 'Say that a person was erased, as the event person.erase asked',
    refuses: ['erasure_not_found'],
    response: z.object({ confirmed: z.literal(true) }),
  },
  reportUsage: {
    route: 'POST /api/tools/usage',
    access: 'tool',
    summary: 'Report usage; each event is accepted or refused on its own',
    body: z.strictObject({
      events: z
        // Each is judged by itself, so that one fault does not refuse the others.
        .array(z.unknown().meta({ shownAs: usageEvent }), { error: 'events must be a list' })
        .min(1, { error: 'events must not be empty' })
        .max(50, { error: 'At most 50 events at a time' }),
    }),
    response: z.object({
      events: z.array(
        z.object({
          event_id: z.string().nullable(),
          accepted: z.boolean(),
          duplicate: z.boolean(),
          /** Whether the session may go on; null where there is no such session. */
          access: z.boolean().nullable(),
          reason: z.enum(usageRefusals).optional(),
          /** The field at fault, and a sentence for whoever reads your log. */
          field: z.string().optional(),
          message: z.string().optional(),
        }),
      ),
    }),
  },
});
