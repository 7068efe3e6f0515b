import * as z from 'zod';
import { csrf } from './csrf.ts';
import { ofTool, ownTool, toolCheck } from './developers.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, message, requiredLine } from './fields.ts';

const requested = ownTool.extend({ ownerName: z.string(), requestedAt: date, check: toolCheck.nullable() });
export type RequestedTool = z.output<typeof requested>;

const offered = z.object({
  id: z.string(),
  name: z.string(),
  /** Its maker; null for a tool of the operator's own. */
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  closedAt: date.nullable(),
  closedFor: z.string().nullable(),
  comingSoon: z.boolean(),
});
export type OfferedTool = z.output<typeof offered>;
const why = z.strictObject({ reason: requiredLine(500, 'Please give a reason'), ...csrf });

/** What administrators decide about publishing tools, and closing them to new subscribers. */
export const publicationsApi = defineApi({
  list: {
    method: 'GET',
    path: '/api/admin/tool-requests',
    access: 'admin',
    summary: 'Tools whose makers ask for them to be published, those who wait longest first',
    response: z.array(requested),
  },
  approve: {
    method: 'POST',
    path: '/api/admin/tool-requests/:toolId/approve',
    access: 'admin',
    proof: 'always',
    summary: 'Publish a tool for a price a month, GST included',
    params: ofTool,
    /** With the time of the request that was looked at, which no longer matches if its maker has changed the tool since. */
    body: z.strictObject({ priceCents: cents.min(100).max(1_000_000), requestedAt: z.iso.datetime(), ...csrf }),
    response: message,
  },
  tryOut: {
    method: 'POST',
    path: '/api/admin/tool-requests/:toolId/launch',
    access: 'admin',
    proof: 'always',
    summary: 'Open a tool that waits to be published, as one of its test advisers; the address works once',
    params: ofTool,
    body: z.strictObject(csrf),
    response: z.object({ url: z.string(), name: z.string() }),
  },
  refuse: {
    method: 'POST',
    path: '/api/admin/tool-requests/:toolId/refuse',
    access: 'admin',
    proof: 'always',
    summary: 'Refuse to publish a tool, with the reason for its maker',
    params: ofTool,
    body: why,
    response: message,
  },
  offered: {
    method: 'GET',
    path: '/api/admin/tools',
    access: 'admin',
    summary: 'The tools of the catalogue, by name, and whether they are closed to new subscribers',
    response: z.array(offered),
  },
  close: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/close',
    access: 'admin',
    proof: 'always',
    summary: 'Close a tool to new subscribers; those who have it go on',
    params: ofTool,
    body: why,
    response: message,
  },
  reopen: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/reopen',
    access: 'admin',
    proof: 'always',
    summary: 'Open a tool to new subscribers again',
    params: ofTool,
    body: why,
    response: message,
  },
});
