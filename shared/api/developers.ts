import * as z from 'zod';
import { checkStates, findingResults } from '#shared/rules/tools/tool-checks.ts';
import { publicationDemands } from '#shared/rules/tools/publication.ts';
import {
  domainFault,
  draftStates,
  endReasons,
  refusalKinds,
  testEndings,
  toolEventTypes,
  toolScopes,
} from '#shared/rules/tools/tools.ts';
import { defineApi } from './endpoint.ts';
import { announcementsOfTool, announcing } from './announcements.ts';
import { disclosureAnswers, storedAnswers } from './disclosure.ts';
import { cents, date, line, multiline, nameLine } from './fields.ts';
import { figures, takings } from './figures.ts';

const address = line(500).superRefine((text, context) => {
  const fault = domainFault(text);
  if (fault) context.addIssue({ code: 'custom', message: `The address ${fault}` });
});

export const toolSettingsInput = {
  name: nameLine(60, 'Please give the tool a name'),
  description: multiline(300),
  domain: address,
  /** Empty: the tool takes no events. */
  eventsUrl: z.union([z.literal(''), address]),
  scopes: z.array(z.enum(toolScopes)).max(toolScopes.length),
};

export const ownTool = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  domain: z.string(),
  eventsUrl: z.string().nullable(),
  scopes: z.array(z.enum(toolScopes)),
  state: z.enum(draftStates),
  refusedFor: z.string().nullable(),
  /** Since when it is closed to new subscribers, and why. */
  closedAt: date.nullable(),
  closedFor: z.string().nullable(),
  /** The staging twin of a published tool: its addresses, the answers that wait with it, and whether we are asked to promote it. */
  staging: z
    .object({
      domain: z.string(),
      eventsUrl: z.string().nullable(),
      answers: storedAnswers.nullable(),
      requested: z.boolean(),
    })
    .nullable(),
  createdAt: date,
});
export type OwnTool = z.output<typeof ownTool>;

export const secretKind = z.enum(['call', 'signing']);
export const secret = z.object({
  id: z.string(),
  kind: secretKind,
  name: z.string().nullable(),
  createdAt: date,
  lastUsedAt: date.nullable(),
});
export type ToolSecret = z.output<typeof secret>;
const testAdviser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  ended: z.enum(testEndings).nullable(),
});
export type TestAdviser = z.output<typeof testAdviser>;
/** One launch, from the press of the button to the report. */
const launch = z.object({
  id: z.string(),
  /** A test adviser's name; for anybody else, the id that the tool knows them by. */
  who: z.string(),
  createdAt: date,
  exchangedAt: date.nullable(),
  /** One of our own, made to examine the tool. */
  fromCheck: z.boolean(),
  reports: z.int(),
  durationSeconds: z.int(),
  /** The session that it opened; null where its token was not exchanged. */
  sessionId: z.string().nullable(),
  /** Our answer to the exchange, without the person’s details, then the newest reports: JSON. */
  bodies: z.array(z.string()),
});
export type ToolLaunch = z.output<typeof launch>;
const refusal = z.object({
  id: z.string(),
  kind: z.enum(refusalKinds),
  message: z.string(),
  /** A report that was refused: JSON, without what may say something of a client. */
  body: z.string().nullable(),
  times: z.int(),
  /** Happened while the tool was being examined. */
  duringCheck: z.boolean(),
  createdAt: date,
});
const delivery = z.object({
  id: z.string(),
  type: z.enum(toolEventTypes),
  reason: z.enum(endReasons).nullable(),
  /** Null where it is about the tool itself. */
  who: z.string().nullable(),
  createdAt: date,
  attempts: z.int(),
  deliveredAt: date.nullable(),
  nextAttemptAt: date.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  confirmedAt: date.nullable(),
  /** What was sent: JSON. */
  body: z.string(),
});
export type ToolDelivery = z.output<typeof delivery>;

export const toolCheck = z.object({
  state: z.enum(checkStates),
  /** The address that was examined. */
  domain: z.string(),
  page: z.string().nullable(),
  finish: z.string().nullable(),
  requestedAt: date,
  finishedAt: date.nullable(),
  /** Why it broke off. */
  fault: z.string().nullable(),
  findings: z.array(
    z.object({ id: z.string(), check: z.string(), result: z.enum(findingResults), advice: z.string() }),
  ),
  /** How many checks there are. */
  total: z.int(),
  /** How many tools are ahead of it while it waits. */
  ahead: z.int(),
});
export type ToolCheck = z.output<typeof toolCheck>;

const details = z.object({
  tool: ownTool,
  check: toolCheck.nullable(),
  /** What it lacks for publication. */
  missing: z.array(z.enum(publicationDemands)),
  secrets: z.array(secret),
  testAdvisers: z.array(testAdviser),
  launches: z.array(launch),
  refusals: z.array(refusal),
  deliveries: z.array(delivery),
});
export type OwnToolDetails = z.output<typeof details>;

/** A path at the tool's address; empty where there is none. */
const ownPath = line(500).regex(/^$|^\/(?!\/)/, { error: 'Please enter a path that begins with /' });

/** The makers of tools: what they register, try out and have published. */
export const developersApi = defineApi('signedIn', {
  list: {
    route: 'GET /api/developers/tools',
    summary: 'The tools that I registered',
    response: z.array(ownTool),
  },
  register: {
    route: 'POST /api/developers/tools',
    proof: 'always',
    summary: 'Register a tool; its secrets are in this answer only',
    status: 201,
    body: z.strictObject(toolSettingsInput),
    response: z.object({ tool: ownTool, secret: z.string(), signingSecret: z.string() }),
  },
  show: {
    route: 'GET /api/developers/tools/:toolId',
    summary: 'A tool of mine with its secrets, test advisers, newest launches, refusals and deliveries',
    response: details,
  },
  change: {
    route: 'PATCH /api/developers/tools/:toolId',
    proof: 'always',
    summary: 'Change a tool of mine; once it is published, only where its events go',
    body: z.strictObject(toolSettingsInput).partial(),
    response: ownTool,
  },
  makeSecret: {
    route: 'POST /api/developers/tools/:toolId/secrets',
    proof: 'always',
    summary: 'Make a secret, which is in this answer only',
    status: 201,
    body: z.strictObject({ kind: secretKind, name: nameLine(60, 'Please name the secret') }),
    response: z.object({ secret: z.string() }),
  },
  revokeSecret: {
    route: 'DELETE /api/developers/tools/:toolId/secrets/:id',
    proof: 'always',
    summary: 'Revoke a secret at once',
  },
  addTestAdviser: {
    route: 'POST /api/developers/tools/:toolId/test-advisers',
    summary: 'Make up one more person to try the tool with',
    status: 201,
  },
  launchAs: {
    route: 'POST /api/developers/tools/:toolId/test-advisers/:id/launch',
    summary: 'Open the tool as a test adviser',
    response: z.object({ url: z.string() }),
  },
  endAccess: {
    route: 'POST /api/developers/tools/:toolId/test-advisers/:id/access',
    summary: 'End the access of a test adviser in one of the ways it can end, or give it back',
    body: z.strictObject({ ended: z.enum(testEndings).nullable() }),
  },
  sendEvent: {
    route: 'POST /api/developers/tools/:toolId/test-advisers/:id/events',
    summary: 'Send an event of any kind about a test adviser, or the tool itself; nothing else changes',
    body: z.strictObject({ type: z.enum(toolEventTypes), reason: z.enum(endReasons).optional() }),
  },
  replay: {
    route: 'POST /api/developers/tools/:toolId/deliveries/:id/replay',
    summary: 'Send an event again',
  },
  check: {
    route: 'POST /api/developers/tools/:toolId/check',
    summary:
      'Examine a tool of mine, or its staging twin, as its test advisers’ browsers and an attacker would; show tells what was found',
    body: z.strictObject({ page: ownPath, finish: ownPath }),
  },
  disclose: {
    route: 'POST /api/developers/tools/:toolId/disclosure',
    summary: 'Say what practices ask of a tool of mine: a new version, beside the earlier ones',
    body: disclosureAnswers,
    response: z.object({ version: z.int() }),
  },
  announcements: {
    route: 'GET /api/developers/tools/:toolId/announcements',
    summary: 'What I announced of a tool of mine, and the versions that its sessions reported',
    response: announcementsOfTool,
  },
  announce: {
    route: 'POST /api/developers/tools/:toolId/announcements',
    summary: 'Announce what will change about a tool of mine; everybody who uses it is told',
    proof: 'always',
    status: 201,
    body: announcing,
    response: z.object({ id: z.string() }),
  },
  proposePrice: {
    route: 'POST /api/developers/tools/:toolId/price',
    summary: 'Propose what a subscriber pays a month, GST included; an administrator accepts it',
    body: z.strictObject({ priceCents: cents.min(100, { error: 'Please enter a price from $1.00' }).max(1_000_000) }),
  },
  figures: {
    route: 'GET /api/developers/tools/:toolId/figures',
    summary: 'How a tool of mine does: counts alone, and none about fewer than five people',
    response: figures,
  },
  takings: {
    route: 'GET /api/developers/tools/:toolId/takings',
    summary: 'What was agreed on for a tool of mine, and what is due to me for each month',
    response: takings,
  },
  stage: {
    route: 'PUT /api/developers/tools/:toolId/staging',
    proof: 'always',
    summary: 'Say where the staging twin of a published tool of mine is; it has the id and secrets of the tool',
    body: z.strictObject({ domain: address, eventsUrl: toolSettingsInput.eventsUrl }),
    response: ownTool,
  },
  stageAnswers: {
    route: 'POST /api/developers/tools/:toolId/staging/answers',
    summary:
      'Say what practices ask, as it is true of the staging twin; it stands on the tool’s page once that is promoted',
    body: disclosureAnswers,
    response: ownTool,
  },
  requestPublication: {
    route: 'POST /api/developers/tools/:toolId/publication',
    summary: 'Ask for the tool to be published, or for its staging twin to be promoted',
    response: ownTool,
  },
});
