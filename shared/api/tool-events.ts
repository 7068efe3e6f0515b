import * as z from 'zod';
import { endReasons } from '#shared/rules/tools/tools.ts';
import { id } from './fields.ts';

const about = {
  sub: z.string().meta({ description: 'Whom it is about: the `sub` of the introspection.' }),
  tool_id: z.string(),
};
const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When it came to be, not when it was sent.' }),
    data: z.object({ ...about, ...data }),
  });

/** What a tool's server is told, as it is sent and as `/api/docs` shows it. */
export const toolEvents = {
  'access.ended': {
    summary: 'Somebody may not go on: end their sessions',
    body: event('access.ended', { reason: z.enum(endReasons) }),
  },
  'access.restored': {
    summary: 'Somebody of whom you heard that they may not go on may open the tool again',
    body: event('access.restored', {}),
  },
  'member.removed': {
    summary: 'Somebody left the team whose subscription opened the tool',
    body: event('member.removed', {}),
  },
  'account.closed': { summary: 'An account is gone', body: event('account.closed', {}) },
  'person.erase': {
    summary: 'Delete what you hold of the person, then confirm it',
    body: event('person.erase', {
      erasure_id: id.meta({ description: 'For POST /api/tools/erasures/{id}, after your 2xx.' }),
    }),
  },
} as const;
