import type pg from 'pg';
import { trialIdentityOf } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import { together } from '#server/platform/data/together.ts';
import type { VersionOf } from './kept-answers.ts';

/** A number that changes whenever one of these rows does: PostgreSQL gives each written row a new `xmin` (transaction) and `ctid` (place). */
const rows = (of: string) =>
  `(select coalesce(bit_xor(hashtextextended(x.xmin::text || x.ctid::text, 0)), 0) from ${of})`;

/** Everybody shares it. PostgreSQL's start time is included because a machine that takes over may reuse transaction numbers. */
const ofAll = [
  'pg_postmaster_start_time()',
  ...['tools', 'tool_prices', 'discount_tiers', 'tier_changes'].map((table) => rows(`${table} x`)),
];

/** The asker's own rows, and those of teams they belong to or own. */
const ofAsker = [
  rows('users x where x.id = asked.id'),
  rows('reminder_settings x where x.user_id = asked.id'),
  rows('tool_subscriptions x where x.user_id = asked.id'),
  rows('tool_subscriptions x where x.team_id = any(mine.teams)'),
  rows('bills x where x.user_id = asked.id'),
  rows('bills x where x.team_id = any(mine.owned)'),
  rows("adjustments x where x.user_id = asked.id and x.state = 'waiting'"),
  rows("adjustments x where x.team_id = any(mine.owned) and x.state = 'waiting'"),
  rows('teams x where x.id = any(mine.teams)'),
  rows('team_tools x where x.team_id = any(mine.teams)'),
  rows('team_members x where x.user_id = asked.id'),
  rows('team_members x where x.team_id = any(mine.owned)'),
  rows('user_usage x where x.user_id = asked.id'),
  rows('user_usage x where x.user_id in (select user_id from team_members where team_id = any(mine.owned))'),
  rows('trial_uses x where x.identity = any(asked.identity || mine.owned::text[])'),
  // Another account of the same person may have a trial under way, which counts once it is confirmed.
  rows(
    'tool_subscriptions x where x.id in (select subscription_id from trial_uses where identity = any(asked.identity || mine.owned::text[]))',
  ),
];

/** Triggers write `user_usage` whenever these change (shared/schema/triggers/rank-usage.sql). */
const toldByUse = ['tool_usage', 'usage_days'];
/** The tables whose changes show in the version. */
export const versionTables = [...ofAll, ...ofAsker]
  .flatMap((part) => /from (\w+) x/.exec(part)?.[1] ?? [])
  .concat(toldByUse);

/** Keys come as JSON, whose length PostgreSQL can't estimate; with an array it plans anew each time, which takes three times as long as reading. */
const text = `
  select key, concat_ws(' ', everybody.version, ${ofAsker.join(', ')}) as version
  from (select concat_ws(' ', ${ofAll.join(', ')}) as version offset 0) everybody
  cross join (
    select key, split_part(key, ' ', 1)::uuid as id, split_part(key, ' ', 2) as identity from json_array_elements_text($1::json) key offset 0
  ) asked
  cross join lateral (
    select coalesce(array_agg(team_id), '{}') as teams, coalesce(array_agg(team_id) filter (where role = 'owner'), '{}') as owned
    from team_members where user_id = asked.id offset 0
  ) mine`;

const versions = together<string>((db) => async (keys) => {
  const pool = db.$client as pg.Pool;
  const { rows: found } = await pool.query<{ key: string; version: string }>({
    name: 'versions',
    text,
    values: [JSON.stringify(keys)],
  });
  return found.map(({ key, version }) => [key, version] as const);
});

const nobody = '00000000-0000-0000-0000-000000000000 -';

/** The version of everything a kept answer (`keeps` in the rooms' routes.ts) may be made of, for whoever asks. */
export const versionFrom =
  (db: Db): VersionOf =>
  async (asker) =>
    (await versions(db, asker ? `${asker.id} ${trialIdentityOf(asker.email)}` : nobody))!;
