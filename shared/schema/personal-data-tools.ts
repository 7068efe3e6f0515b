import { eq, or, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { erase, type Handling, keep } from './keep-or-erase.ts';
import * as why from './keep-reasons.ts';
import { schema, type Tables } from './tables.ts';

export type PersonalData = { [Name in keyof Tables]: Handling<Tables[Name]['$inferSelect']> };

/** A session opened through a practice's subscription is in the practice's record too; any other is the adviser's alone. */
const unlessOfPractice = (column: AnyPgColumn) =>
  erase(sql`case when ${schema.toolUsage.teamId} is not null then ${column} end`);

/** What becomes of somebody's use of the tools; the rest is in personal-data.ts. */
export const ofTools = {
  toolUsage: {
    rows: ({ id }) => eq(schema.toolUsage.userId, id),
    columns: {
      clientReference: unlessOfPractice(schema.toolUsage.clientReference),
      referenceFrom: unlessOfPractice(schema.toolUsage.referenceFrom),
      purpose: unlessOfPractice(schema.toolUsage.purpose),
      purposeFrom: unlessOfPractice(schema.toolUsage.purposeFrom),
      checked: unlessOfPractice(schema.toolUsage.checked),
      statedAt: unlessOfPractice(schema.toolUsage.statedAt),
      ...keep(
        why.use,
        ...(['id', 'userId', 'toolId', 'sessionId', 'authTokenId', 'lastAccessed', 'endedAt', 'createdAt'] as const),
        ...(['reports', 'durationSeconds', 'actions', 'bytes', 'scoreTotal', 'scoreCount'] as const),
        ...(['teamId', 'toolVersion'] as const),
      ),
    },
    exported: 'toolSessions',
  },
  sessionStatements: {
    delete: ({ id }) =>
      sql`${schema.sessionStatements.userId} = ${id}
        and ${schema.sessionStatements.sessionId} in (select id from tool_usage where user_id = ${id} and team_id is null)`,
    others: why.practiceRecord,
    exported: 'statements',
  },
  evidencePacks: {
    // Nobody could open an adviser's own packs any more; a practice's packs name advisers by id only.
    delete: ({ id }) => sql`${schema.evidencePacks.askedById} = ${id} and ${schema.evidencePacks.teamId} is null`,
    others: why.practiceRecord,
    notExported: 'files made of toolSessions and statements, to be downloaded before the account is closed',
  },
  evidenceHeads: { holds: 'sums of the files of evidencePacks, with which they go' },
  evidencePieces: { holds: 'the files of evidencePacks, with which they go; a practice’s name people by id only' },
  toolReviews: {
    rows: ({ id }) => eq(schema.toolReviews.userId, id),
    columns: keep(
      why.practiceRecord,
      ...(['id', 'teamId', 'toolId', 'userId', 'remark', 'disclosureVersion', 'nextDue', 'madeAt'] as const),
    ),
    exported: 'toolReviews',
  },
  teamTools: {
    rows: ({ id }) => eq(schema.teamTools.decidedById, id),
    columns: keep(
      { keep: 'the practice’s decision about a tool; who decided is named by id only', until: why.forGood },
      ...(['teamId', 'toolId', 'allowed', 'reason', 'reviewDue', 'decidedById', 'decidedAt'] as const),
    ),
    notExported: 'decisions of the practice, which its team page shows; activity tells who made them',
  },
  toolDisclosures: {
    rows: ({ id }) => eq(schema.toolDisclosures.madeById, id),
    columns: keep(
      { keep: 'what a maker said of a tool, on which others relied; by id only', until: why.forGood },
      ...(['toolId', 'version', 'answers', 'madeById', 'madeAt'] as const),
    ),
    notExported: 'what the tool’s page shows with its history',
  },
  toolPeople: {
    rows: ({ id }) => eq(schema.toolPeople.userId, id),
    columns: keep(
      { keep: 'the tools that have to be told', until: 'they are, at once' },
      ...(['userId', 'toolId', 'teamId', 'mayUse', 'checkAt', 'createdAt'] as const),
    ),
    notExported: 'the tools of toolSessions',
  },
  toolEvents: {
    rows: ({ id }) => eq(schema.toolEvents.userId, id),
    columns: keep(
      { keep: 'what a tool was told, such as to erase the person; by id only', until: 'a year after it was told' },
      ...(['id', 'position', 'toolId', 'userId', 'type', 'reason', 'attempts', 'nextAttemptAt'] as const),
      ...(['claimedUntil', 'deliveredAt', 'lastStatus', 'lastError', 'confirmedAt', 'confirmedFor'] as const),
      ...(['overdueAt', 'createdAt'] as const),
    ),
    notExported: 'messages to a tool’s server, which say no more than that access ended',
  },
  usageAnalytics: {
    rows: ({ id }) => eq(schema.usageAnalytics.userId, id),
    columns: keep(
      why.use,
      ...(['id', 'userId', 'toolId', 'usageId', 'eventId', 'date', 'createdAt'] as const),
      ...(['sessionDuration', 'actionsPerformed', 'dataProcessed', 'performanceScore'] as const),
    ),
    exported: 'usage',
  },
  usageDays: {
    rows: ({ id }) => eq(schema.usageDays.userId, id),
    columns: keep(
      why.use,
      ...(['userId', 'day', 'toolId', 'sessions'] as const),
      ...(['durationSeconds', 'actions', 'bytes', 'scoreTotal', 'scoreCount'] as const),
    ),
    notExported: 'sums of toolSessions and usage',
  },
  authTokens: {
    rows: ({ id }) => eq(schema.authTokens.userId, id),
    columns: {
      isRevoked: erase(true),
      ...keep(
        why.token,
        'id',
        'userId',
        'token',
        'toolId',
        'kind',
        'lastFour',
        'expiresAt',
        'usedAt',
        'exchangeKey',
        'fromCheck',
        'createdAt',
      ),
    },
    exported: 'accessTokens',
  },
  tools: {
    rows: ({ id }) => eq(schema.tools.ownerId, id),
    columns: keep(
      { keep: 'a tool goes on without its maker', until: 'it is withdrawn' },
      ...(['id', 'name', 'description', 'basePrice', 'domain', 'eventsUrl', 'isActive', 'comingSoon'] as const),
      ...(['minutesSaved', 'ownerId', 'scopes', 'requestedAt', 'refusedFor', 'closedAt', 'closedFor'] as const),
      ...(['icon', 'about', 'audience', 'features', 'benefits', 'version', 'priceNumber', 'createdAt'] as const),
    ),
    notExported: 'the maker’s own tools, which /developers shows',
  },
  toolPrices: {
    rows: ({ id }) => eq(schema.toolPrices.changedBy, id),
    columns: keep(
      why.evidence,
      ...(['id', 'toolId', 'number', 'unitCents', 'beforeCents', 'startsAt', 'withdraws'] as const),
      ...(['reason', 'changedBy', 'createdAt'] as const),
    ),
    notExported: 'prices of tools, which administrators set',
  },
  toolChanges: {
    rows: ({ id }) => eq(schema.toolChanges.changedBy, id),
    columns: keep(
      why.evidence,
      ...(['id', 'toolId', 'version', 'before', 'after', 'reason', 'changedBy', 'createdAt'] as const),
    ),
    notExported: 'settings of tools, which administrators change',
  },
  tierChanges: {
    rows: ({ id }) => eq(schema.tierChanges.changedBy, id),
    columns: keep(
      why.evidence,
      ...(['number', 'before', 'after', 'startsAt', 'withdraws', 'reason', 'changedBy', 'createdAt'] as const),
    ),
    notExported: 'volume discounts, which administrators set',
  },
  discountCodes: {
    rows: ({ id }) => or(eq(schema.discountCodes.madeBy, id), eq(schema.discountCodes.endedBy, id))!,
    columns: keep(
      why.evidence,
      ...(['id', 'code', 'percent', 'months', 'toolIds', 'startsAt', 'endsAt', 'mostRedemptions', 'reason'] as const),
      ...(['madeBy', 'createdAt', 'endedAt', 'endedBy', 'endReason'] as const),
    ),
    notExported: 'discount codes, which administrators make',
  },
  testAdvisers: {
    rows: ({ id }) => eq(schema.testAdvisers.userId, id),
    columns: keep({ keep: 'a made-up person', until: why.forGood }, 'userId', 'toolId', 'ended', 'createdAt'),
    notExported: 'made-up people',
  },
  toolRefusals: { holds: 'what tools were refused, without people' },
  toolChecks: { holds: 'what an examination of a tool found, with made-up people' },
  toolSecrets: { holds: 'secrets of tools, as hashes or sealed' },
  toolMetrics: { holds: 'sums per tool and day' },
} satisfies Partial<PersonalData>;
