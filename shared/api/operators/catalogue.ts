import * as z from 'zod';
import { type TypedSetting, toolSettings } from '../../rules/tools/tool-settings.ts';
import { toolIconNames } from '../../rules/tools/tools.ts';
import { secret, secretKind, toolSettingsInput } from '../developers.ts';
import { defineAdminApi } from '../endpoint.ts';
import { announcementsOfTool, announcing } from '../announcements.ts';
import { disclosureAnswers } from '../disclosure.ts';
import { cents, date, id, line, multiline, nameLine, reason, requiredLine, whole } from '../fields.ts';

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
} satisfies Record<TypedSetting, z.ZodType>;
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

/** What administrators set in the catalogue. */
export const catalogueApi = defineAdminApi({
  tool: {
    route: 'GET /api/admin/tools/:toolId',
    summary: 'A tool of the catalogue: settings, secrets, and what was changed',
    response: managedTool,
  },
  addTool: {
    route: 'POST /api/admin/tools',
    summary: 'Add a tool of our own, which is coming soon at first',
    status: 201,
    body: z.strictObject({ ...settings, priceCents, reason }),
    response: z.object({ id: z.string() }),
  },
  changeTool: {
    route: 'PATCH /api/admin/tools/:toolId',
    summary: 'Change what is said of a tool; 409 says what somebody else has changed since `version`',
    body: z
      .strictObject({ ...settings, comingSoon: z.boolean() })
      .partial()
      .extend({ version: z.int().min(0), reason }),
  },
  makeSecret: {
    route: 'POST /api/admin/tools/:toolId/secrets',
    summary: 'Make a secret of a tool of our own, which is in this answer only',
    status: 201,
    body: z.strictObject({ kind: secretKind, name: nameLine(60, 'Please name the secret') }),
    response: z.object({ secret: z.string() }),
  },
  revokeSecret: {
    route: 'DELETE /api/admin/tools/:toolId/secrets/:id',
    summary: 'Revoke a secret of a tool at once',
  },
  disclose: {
    route: 'POST /api/admin/tools/:toolId/disclosure',
    summary: 'Say what practices ask of a tool of our own: a new version, beside the earlier ones',
    body: disclosureAnswers,
    response: z.object({ version: z.int() }),
  },
  announcements: {
    route: 'GET /api/admin/tools/:toolId/announcements',
    summary: 'What was announced of a tool, and the versions that its sessions reported',
    response: announcementsOfTool,
  },
  announce: {
    route: 'POST /api/admin/tools/:toolId/announcements',
    summary: 'Announce what will change about a tool of our own; everybody who uses it is told',
    status: 201,
    body: announcing,
    response: z.object({ id: z.string() }),
  },
  prices: {
    route: 'GET /api/admin/tools/:toolId/prices',
    summary: 'A tool’s price, and those that were set, the newest first',
    response: z.object({ id: z.string(), name: z.string(), unitCents: cents, prices: z.array(toolPrice) }),
  },
  previewPrice: {
    route: 'GET /api/admin/tools/:toolId/price-preview',
    summary: 'Whom another price of a tool would reach',
    query: z.strictObject({
      priceCents: z.coerce.number({ error: 'Please enter a price' }).pipe(priceCents),
      after: id.optional(),
    }),
    response: z.object({
      beforeCents: cents,
      /** Subscriptions that go on, at a higher, lower or the same price; of those whose price changes, how many are trials or unpaid. */
      dearer: z.int(),
      cheaper: z.int(),
      same: z.int(),
      trials: z.int(),
      unpaid: z.int(),
      /** Where there are more payers: the `after` that counts the next ones. */
      next: id.nullable(),
    }),
  },
  setPrice: {
    route: 'POST /api/admin/tools/:toolId/price',
    summary: 'Set what a tool costs new subscribers, and from which day those who have it',
    body: z.strictObject({
      priceCents,
      /** The price that was on the page. */
      currentCents: cents,
      /** A day in Sydney; if left out, existing subscribers keep their price. */
      startsOn: z.iso.date({ error: 'Please choose a day' }).optional(),
      reason,
    }),
  },
  withdrawPrice: {
    route: 'POST /api/admin/tools/:toolId/price/withdraw',
    summary: 'Take back a higher price that was announced and has not begun',
    body: z.strictObject({ number: z.int().min(1), reason }),
  },
});
