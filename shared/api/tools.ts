import * as z from 'zod';
import { defineApi } from './endpoint.ts';
import { date, decimalString, line, toolId } from './fields.ts';

export const tool = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  basePrice: decimalString,
  domain: z.string(),
  isActive: z.boolean(),
  comingSoon: z.boolean(),
  minutesSaved: z.int(),
  createdAt: date,
});
export type Tool = z.output<typeof tool>;

/** RFC 7662 with claims of our own; an inactive token answers `{active: false}` and nothing else. */
const introspection = z.union([
  z.object({
    active: z.literal(true),
    sub: z.string(),
    tool_id: z.string(),
    session_id: z.string(),
    /** Seconds since 1970, as RFC 7662 says. */
    exp: z.int(),
    email: z.string(),
    name: z.string(),
    given_name: z.string(),
    family_name: z.string(),
    dealer_group: z.string().nullable(),
    team: z.string().nullable(),
    status: z.string(),
  }),
  z.object({ active: z.literal(false) }),
]);

/** Why one usage event was refused; the rest of its batch is unaffected. */
export const usageRefusals = ['invalid', 'unknown_session', 'too_late', 'out_of_range'] as const;

/** Bounds of one usage event; beyond them the tool is at fault. */
export const usageLimits = {
  durationSeconds: 24 * 3600,
  actions: 1_000_000,
  bytes: 2_000_000_000,
  lateHours: 48,
} as const;

export const usageEvent = z.strictObject({
  event_id: line(100).min(1),
  session_id: z.uuid(),
  duration_seconds: z.int().nonnegative(),
  actions_performed: z.int().nonnegative().default(0),
  data_processed: z.int().nonnegative().default(0),
  performance_score: z.number().nullish(),
});

export const toolsApi = defineApi({
  list: { method: 'GET', path: '/api/tools', access: 'public', summary: 'The catalogue', response: z.array(tool) },
  launch: {
    method: 'POST',
    path: '/api/auth/token',
    access: 'member',
    summary: 'A one-time token that opens a tool signed in',
    body: z.strictObject({ toolId }),
    response: z.object({ token: z.string(), url: z.string(), expiresAt: date }),
  },
  myUsage: {
    method: 'GET',
    path: '/api/user/usage',
    access: 'member',
    summary: 'Tool sessions of the last 90 days, newest first, at most 500',
    response: z.array(
      z.object({
        id: z.string(),
        toolId: z.string(),
        sessionId: z.string().nullable(),
        createdAt: date,
        lastAccessed: date,
      }),
    ),
  },
  introspect: {
    method: 'POST',
    path: '/api/tools/introspect',
    access: 'tool',
    summary: 'Exchange a launch token, or check an API key (RFC 7662)',
    bodyType: 'form',
    body: z.object({
      token: z.string({ error: 'token is required' }).min(1, { error: 'token is required' }),
      token_type_hint: z.string().optional(),
    }),
    response: introspection,
  },
  reportUsage: {
    method: 'POST',
    path: '/api/tools/usage',
    access: 'tool',
    summary: 'Report usage; each event is accepted or refused on its own',
    body: z.strictObject({
      events: z
        .array(z.unknown(), { error: 'events must be a list' })
        .min(1, { error: 'events must not be empty' })
        .max(50, { error: 'At most 50 events at a time' }),
    }),
    response: z.object({
      events: z.array(
        z.object({
          event_id: z.string().nullable(),
          accepted: z.boolean(),
          duplicate: z.boolean(),
          reason: z.enum(usageRefusals).optional(),
        }),
      ),
    }),
  },
});
