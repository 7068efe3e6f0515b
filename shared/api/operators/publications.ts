import * as z from 'zod';
import { publicationDemands, usualSharePercent } from '#shared/rules/tools/publication.ts';
import { toolIconNames } from '#shared/rules/tools/tools.ts';
import { ownTool, toolCheck } from '../developers.ts';
import { defineAdminApi } from '../endpoint.ts';
import { cents, date, requiredLine } from '../fields.ts';

const requested = ownTool.extend({
  ownerName: z.string(),
  requestedAt: date,
  check: toolCheck.nullable(),
  missing: z.array(z.enum(publicationDemands)),
  /** What its maker proposes. */
  proposedCents: cents.nullable(),
});
export type RequestedTool = z.output<typeof requested>;

const offered = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.enum(toolIconNames),
  /** Its maker; null for a tool of the operator's own. */
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  closedAt: date.nullable(),
  closedFor: z.string().nullable(),
  comingSoon: z.boolean(),
  /** A month, GST included; 0 for the free tool. */
  priceCents: cents,
  /** False until an operator has set where it opens. */
  hasAddress: z.boolean(),
  /** Advisers and practices who have it now, paid or in grace. */
  subscribers: z.int(),
  trials: z.int(),
});
export type OfferedTool = z.output<typeof offered>;
const why = z.strictObject({ reason: requiredLine(500, 'Please give a reason') });

/** What administrators decide about publishing tools, and closing them to new subscribers. */
export const publicationsApi = defineAdminApi({
  list: {
    route: 'GET /api/admin/tool-requests',
    summary: 'Tools whose makers ask for them to be published, or promoted from staging; who waits longest is first',
    response: z.array(requested),
  },
  approve: {
    route: 'POST /api/admin/tool-requests/:toolId/approve',
    summary: 'Publish a tool for the price that its maker proposed, and agree on the maker’s share of it',
    /** With the time of the request that was looked at, which no longer matches if its maker has changed the tool since. */
    body: z.strictObject({
      priceCents: cents.min(100).max(1_000_000),
      /** The maker's part of what is paid, less what is refunded. */
      sharePercent: z.int().min(0).max(100).default(usualSharePercent),
      requestedAt: z.iso.datetime(),
    }),
  },
  promote: {
    route: 'POST /api/admin/tool-requests/:toolId/promote',
    summary: 'Give a published tool the addresses of its staging twin, and the answers that wait with it',
    body: z.strictObject({ requestedAt: z.iso.datetime() }),
  },
  tryOut: {
    route: 'POST /api/admin/tool-requests/:toolId/launch',
    summary: 'Open a tool that waits to be published, as one of its test advisers; the address works once',
    response: z.object({ url: z.string(), name: z.string() }),
  },
  refuse: {
    route: 'POST /api/admin/tool-requests/:toolId/refuse',
    summary: 'Refuse to publish a tool, with the reason for its maker',
    body: why,
  },
  offered: {
    route: 'GET /api/admin/tools',
    summary: 'The tools of the catalogue, by name, and whether they are closed to new subscribers',
    response: z.array(offered),
  },
  close: {
    route: 'POST /api/admin/tools/:toolId/close',
    summary: 'Close a tool to new subscribers; those who have it go on',
    body: why,
  },
  reopen: {
    route: 'POST /api/admin/tools/:toolId/reopen',
    summary: 'Open a tool to new subscribers again',
    body: why,
  },
});
