import * as z from 'zod';
import { contactTopics } from '#shared/rules/site.ts';
import { defineApi } from './endpoint.ts';
import { email, multiline, requiredLine } from './fields.ts';

/** The pages everybody may see: landing, help and privacy. */
export const siteApi = defineApi('member', {
  contact: {
    route: 'POST /api/contact',
    access: 'public',
    summary: 'Write to support',
    body: z.strictObject({
      name: requiredLine(200, 'Your name is required'),
      email,
      topic: z.enum(contactTopics, { error: 'Please choose a topic' }),
      message: multiline(5000).min(1, { error: 'A message is required' }),
    }),
  },
});
