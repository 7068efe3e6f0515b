import * as z from 'zod';
import { severities } from '#shared/rules/record/recalls.ts';
import { endReasons } from '#shared/rules/tools/tools.ts';
import { id } from './fields.ts';

const person = {
  sub: z.string().meta({ description: 'Whom it is about: the `sub` of the introspection.' }),
};
const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When it came to be, not when it was sent.' }),
    data: z.object({ tool_id: z.string(), ...data }),
  });
const incident = { incident_id: id };
const orStays = z.string().nullable().meta({ description: 'null: it stays as it is' });

/** What a tool's server is told, as it is sent and as `/api/docs` shows it. */
export const toolEvents = {
  'access.ended': {
    summary: 'Somebody may not go on: end their sessions',
    body: event('access.ended', { ...person, reason: z.enum(endReasons) }),
  },
  'access.restored': {
    summary: 'Somebody of whom you heard that they may not go on may open the tool again',
    body: event('access.restored', person),
  },
  'member.removed': {
    summary: 'Somebody left the team whose subscription opened the tool',
    body: event('member.removed', person),
  },
  'account.closed': { summary: 'An account is gone', body: event('account.closed', person) },
  'person.erase': {
    summary: 'Delete what you hold of the person, then confirm it',
    body: event('person.erase', {
      ...person,
      erasure_id: id.meta({ description: 'For POST /api/tools/erasures/{id}, after your 2xx.' }),
    }),
  },
  'tool.changed': {
    summary: 'A change of your tool was announced to those who use it',
    body: event('tool.changed', {
      announcement_id: id,
      version: orStays,
      model: orStays,
      data_location: orStays,
      sub_processors: orStays,
      note: z.string(),
      on_day: z.iso.date().meta({ description: 'The day of the change, in Sydney.' }),
      mends_fault: z.boolean(),
    }),
  },
  'incident.opened': {
    summary: 'Sessions with your tool are looked at again; comes again where the incident is changed',
    body: event('incident.opened', {
      ...incident,
      versions: z.array(z.string()).meta({ description: 'Empty: every version.' }),
      from_day: z.iso.date(),
      until_day: z.iso.date().nullable(),
      wrong: z.string(),
      look_for: z.string(),
      severity: z.enum(severities),
      stops_new_sessions: z.boolean(),
    }),
  },
  'incident.closed': {
    summary: 'The incident touches no further sessions',
    body: event('incident.closed', { ...incident, reason: z.string() }),
  },
} as const;
