import { getTableColumns, getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import type { RecordSession } from '#shared/api/recorded.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import { evidenceHeads, evidencePacks, evidencePieces } from '#shared/schema/evidence.ts';
import {
  recordSamples,
  sessionSignOffs,
  sessionStatements,
  teamTools,
  toolDisclosures,
  toolReviews,
} from '#shared/schema/record.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { recordTeams } from '#server/teams/service.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

type Page = { sessions: RecordSession[] };
const app = testApp();
const { worked, stated, packOf } = stepsOf(app);

/** What is left of a row once the account is closed: all of it, nothing, or all but these columns. */
type Remains = 'whole' | 'gone' | { without: string[] };

/** Every column of the record. A new one has to be added here, and what becomes of it below. */
const columnsOf: [PgTable, string][] = [
  [
    toolUsage,
    `id user_id tool_id session_id auth_token_id last_accessed ended_at reports duration_seconds actions bytes score_total score_count
     created_at team_id tool_version purpose purpose_from client_reference reference_from from_launch checked stated_at`,
  ],
  [
    sessionStatements,
    `id position session_id user_id checked checks remark purpose client_reference made_at late by_former recall_id recall_fault redacted_for redacted_at redacted_by_id`,
  ],
  [
    evidencePacks,
    `id asked_by_id team_id adviser_id tool_id client_reference from_day to_day state sessions_total sessions_read failed_for attempts
     claimed_until created_at recall_id`,
  ],
  [evidenceHeads, 'pack_id head pdf_sha256 manifest made_at'],
  [evidencePieces, 'pack_id file position bytes'],
  [
    sessionSignOffs,
    'id session_id team_id user_id remark sample_id sampled_from made_at redacted_for redacted_at redacted_by_id',
  ],
  [
    recordSamples,
    'id team_id user_id drawn_from session_ids from_day to_day tool_id adviser_id unreviewed_only drawn_at',
  ],
  [
    toolReviews,
    'id team_id tool_id user_id remark disclosure_version next_due made_at redacted_for redacted_at redacted_by_id',
  ],
  [
    teamTools,
    'team_id tool_id allowed allowed_at reason review_due used_for data_allowed accountable_id decided_by_id decided_at',
  ],
  [toolDisclosures, 'tool_id version answers made_by_id made_at'],
];

/** What is left of each table's rows: of those that are the adviser's alone, and of those that are the practice's as well. */
const left: [table: PgTable, own: Remains | null, practice: Remains | null][] = [
  [
    toolUsage,
    { without: ['purpose', 'purpose_from', 'client_reference', 'reference_from', 'checked', 'stated_at'] },
    'whole',
  ],
  [sessionStatements, 'gone', 'whole'],
  [evidencePacks, 'gone', 'whole'],
  [evidenceHeads, 'gone', 'whole'],
  [evidencePieces, 'gone', 'whole'],
  [sessionSignOffs, null, 'whole'],
  [recordSamples, null, 'whole'],
  [toolReviews, null, 'whole'],
  [teamTools, null, 'whole'],
  [toolDisclosures, 'whole', null],
];

it.each(columnsOf.map(([table, columns]) => [getTableName(table), table, columns] as const))(
  'every column of %s is in the table above',
  (_name, table, columns) =>
    expect(
      Object.values(getTableColumns(table))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(columns.split(/\s+/).toSorted()),
);

it('a closed account leaves what the practice needs, with who it was, and nothing of the adviser’s own', async () => {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id });
  const { agent, user } = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  const { db } = app.context;
  await db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'admin' });
  const now = app.context.now();
  const said = {
    purpose: 'risk_profile',
    purposeFrom: 'adviser',
    clientReference: 'F-1234',
    referenceFrom: 'adviser',
    checked: true,
    statedAt: now,
    toolVersion: '2.1',
  } as const;
  const line = { checked: true, remark: 'Read it', purpose: 'risk_profile', clientReference: 'F-1234' } as const;
  const own = await worked(user.id, said);
  const shared = await worked(user.id, { ...said, teamId: team.id });
  for (const { id } of [own, shared]) await stated(id, user.id, line);
  const off = { teamId: team.id, userId: user.id, remark: 'Looked at it', madeAt: now };
  await db.insert(sessionSignOffs).values({ ...off, sessionId: shared.id });
  const drawn = { teamId: team.id, userId: user.id, drawnFrom: 1, unreviewedOnly: false, drawnAt: now };
  await db.insert(recordSamples).values({ ...drawn, sessionIds: [shared.id] });
  const by = { teamId: team.id, toolId: tool };
  await db.insert(toolReviews).values({ ...by, userId: user.id, remark: 'Looked at it', madeAt: now });
  await db.insert(teamTools).values({ ...by, allowed: true, decidedById: user.id, decidedAt: now });
  const answers = { ...nothingStated, maker: 'Acme' };
  await db.insert(toolDisclosures).values({ toolId: tool, version: 1, answers, madeById: user.id, madeAt: now });
  const ownPack = await packOf(agent);
  const teamPack = await packOf(agent, { teamId: team.id });

  const idsOf = (table: PgTable, ofPractice: boolean) => {
    const session = ofPractice ? shared.id : own.id;
    const pack = ofPractice ? teamPack : ownPack;
    const name = getTableName(table);
    return (
      {
        [getTableName(toolUsage)]: `id = '${session}'`,
        [getTableName(sessionStatements)]: `session_id = '${session}'`,
        [getTableName(evidencePacks)]: `id = '${pack}'`,
        [getTableName(evidenceHeads)]: `pack_id = '${pack}'`,
        [getTableName(evidencePieces)]: `pack_id = '${pack}'`,
      }[name] ?? 'true'
    );
  };
  const read = (table: PgTable, ofPractice: boolean) =>
    rowsOf(app, `select * from ${getTableName(table)} where ${idsOf(table, ofPractice)} order by 1, 2, 3`);
  const cases = left.flatMap(([table, own, practice]) => [
    ...(own ? [{ table, ofPractice: false, remains: own }] : []),
    ...(practice ? [{ table, ofPractice: true, remains: practice }] : []),
  ]);
  const before = await Promise.all(cases.map(({ table, ofPractice }) => read(table, ofPractice)));
  for (const rows of before) expect(rows).not.toEqual([]);

  await agent.post('/api/user/close-account').send({ password }).expect(200);
  const { sessions } = (await owner.agent.get(`/api/teams/${team.id}/record/sessions`).expect(200)).body as Page;
  expect(sessions).toMatchObject([{ id: shared.id, firstName: 'Mia', lastName: 'Wong' }]);
  const who = await recordTeams.whoIsWho(db, team.id, [user.id]);
  expect(who.get(user.id)).toMatchObject({ email: user.email, joinedAt: expect.any(Date), leftAt: expect.any(Date) });
  for (const [index, { table, ofPractice, remains }] of cases.entries()) {
    const after = await read(table, ofPractice);
    const blank = typeof remains === 'object' ? Object.fromEntries(remains.without.map((name) => [name, null])) : {};
    const expected = remains === 'gone' ? [] : before[index]!.map((row) => ({ ...row, ...blank }));
    expect({ table: getTableName(table), ofPractice, after }).toEqual({
      table: getTableName(table),
      ofPractice,
      after: expected,
    });
    // What stays contains no name, but who was who in the practice's packs.
    if (ofPractice && [evidenceHeads, evidencePieces].includes(table as typeof evidenceHeads)) continue;
    expect(JSON.stringify(after)).not.toMatch(/Mia|Wong/);
    for (const bytes of after.flatMap((row) => (row['bytes'] instanceof Buffer ? [row['bytes']] : [])))
      expect(bytes.includes('Wong')).toBe(false);
  }
});
