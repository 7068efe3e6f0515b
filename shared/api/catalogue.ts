import * as z from 'zod';
import { csrf } from './csrf.ts';
import { toolSettings } from '../rules/tools/tool-settings.ts';
import { toolIconNames } from '../rules/tools/tools.ts';
import { ofTool, secret, secretKind, toolSettingsInput } from './developers.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, id, line, message, multiline, nameLine, reason, requiredLine, whole } from './fields.ts';

const priceCents = whole(100, 1_000_000, 'Please enter a price from $1.00 to $10,000.00');

/** A price that was set; if it has a number, existing subscribers were told. */
const toolPrice = z.object({
  id: z.string(),
  number: z.int().nullable(),
  unitCents: cents,
  beforeCents: cents,
  startsAt: date.nullable(),
  withdraws: z.int().nullable(),
  reason: z.string(),
  createdAt: date,
  isWithdrawn: z.boolean(),
  mayWithdraw: z.boolean(),
});
export type ToolPrice = z.output<typeof toolPrice>;

const { name, domain, eventsUrl } = toolSettingsInput;
const points = z.array(requiredLine(100, 'Please leave no line empty')).max(8, { error: 'Please use at most 8 lines' });
const settings = {
  name,
  description: multiline(300).min(1, { error: 'Please say what the tool does' }),
  about: multiline(2000),
  audience: line(300),
  features: points,
  benefits: points,
  icon: z.enum(toolIconNames, { error: 'Please choose an icon' }),
  minutesSaved: z
    .int({ error: 'Please enter whole minutes' })
    .min(0, { error: 'Please enter whole minutes' })
    .max(600, { error: 'Please enter at most 600 minutes' }),
  domain,
  eventsUrl,
};
const shown = z.object({ ...settings, comingSoon: z.boolean(), domain: z.string(), eventsUrl: z.string() });

/** One setting that was changed, in words. */
const changed = z.object({ setting: z.enum(toolSettings), before: z.string(), after: z.string() });
const managedTool = z.object({
  id: z.string(),
  version: z.int(),
  settings: shown,
  /** Null for a tool of our own. */
  ownerName: z.string().nullable(),
  closedAt: date.nullable(),
  closedFor: z.string().nullable(),
  secrets: z.array(secret),
  /** The newest first. */
  history: z.array(
    z.object({ id: z.string(), by: z.string(), reason: z.string(), createdAt: date, changes: z.array(changed) }),
  ),
});
export type ManagedTool = z.output<typeof managedTool>;
const ofSecret = z.strictObject({ toolId: ofTool.shape.toolId, id });

/** What administrators set in the catalogue. */
export const catalogueApi = defineApi({
  tool: {
    method: 'GET',
    path: '/api/admin/tools/:toolId',
    access: 'admin',
    summary: 'A tool of the catalogue: settings, secrets, and what was changed',
    params: ofTool,
    response: managedTool,
  },
  addTool: {
    method: 'POST',
    path: '/api/admin/tools',
    access: 'admin',
    proof: 'always',
    summary: 'Add a tool of our own, which is coming soon at first',
    status: 201,
    body: z.strictObject({ ...settings, priceCents, reason, ...csrf }),
    response: z.object({ id: z.string() }),
  },
  changeTool: {
    method: 'PATCH',
    path: '/api/admin/tools/:toolId',
    access: 'admin',
    proof: 'always',
    summary: 'Change what is said of a tool; 409 says what somebody else has changed since `version`',
    params: ofTool,
    body: z
      .strictObject({ ...settings, comingSoon: z.boolean() })
      .partial()
      .extend({ version: z.int().min(0), reason, ...csrf }),
    response: message,
  },
  makeSecret: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/secrets',
    access: 'admin',
    proof: 'always',
    summary: 'Make a secret of a tool of our own, which is in this answer only',
    status: 201,
    params: ofTool,
    body: z.strictObject({ kind: secretKind, name: nameLine(60, 'Please name the secret'), ...csrf }),
    response: z.object({ secret: z.string() }),
  },
  revokeSecret: {
    method: 'DELETE',
    path: '/api/admin/tools/:toolId/secrets/:id',
    access: 'admin',
    proof: 'always',
    summary: 'Revoke a secret of a tool at once',
    params: ofSecret,
    body: z.strictObject(csrf),
    response: message,
  },
  prices: {
    method: 'GET',
    path: '/api/admin/tools/:toolId/prices',
    access: 'admin',
    summary: 'A tool’s price, and those that were set, the newest first',
    params: ofTool,
    response: z.object({ id: z.string(), name: z.string(), unitCents: cents, prices: z.array(toolPrice) }),
  },
  previewPrice: {
    method: 'GET',
    path: '/api/admin/tools/:toolId/price-preview',
    access: 'admin',
    summary: 'Whom another price of a tool would reach',
    params: ofTool,
    query: z.strictObject({ priceCents: z.coerce.number({ error: 'Please enter a price' }).pipe(priceCents) }),
    response: z.object({
      beforeCents: cents,
      /** Subscriptions that go on, at a higher, lower or the same price; of those whose price changes, how many are trials or unpaid. */
      dearer: z.int(),
      cheaper: z.int(),
      same: z.int(),
      trials: z.int(),
      unpaid: z.int(),
      /** There are more than were counted. */
      more: z.boolean(),
    }),
  },
  setPrice: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/price',
    access: 'admin',
    proof: 'always',
    summary: 'Set what a tool costs new subscribers, and from which day those who have it',
    params: ofTool,
    body: z.strictObject({
      priceCents,
      /** The price that was on the page. */
      currentCents: cents,
      /** A day in Sydney; if left out, existing subscribers keep their price. */
      startsOn: z.iso.date({ error: 'Please choose a day' }).optional(),
      reason,
      ...csrf,
    }),
    response: message,
  },
  withdrawPrice: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/price/withdraw',
    access: 'admin',
    proof: 'always',
    summary: 'Take back a higher price that was announced and has not begun',
    params: ofTool,
    body: z.strictObject({ number: z.int().min(1), reason, ...csrf }),
    response: message,
  },
});
