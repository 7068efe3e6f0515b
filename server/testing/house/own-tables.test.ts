import fs from 'node:fs';
import path from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';

/**
 * Each table has a room that owns it. Other rooms read and write it through that room's service.ts, which exports the
 * query, or the columns to join (`person`, `catalogueTool`, `payingTeam`). So a change to a table is a change to one room.
 */
const owners: Record<string, string[]> = {
  // What the person is called, how they sign in, and how they pay.
  users: ['people', 'accounts', 'payers'],
  sessions: ['accounts'],
  email_verification_tokens: ['accounts'],
  password_reset_tokens: ['accounts'],
  email_changes: ['accounts'],
  second_factors: ['accounts'],
  recovery_codes: ['accounts'],
  remembered_devices: ['accounts'],
  factor_resets: ['accounts'],
  // Teams may ask for one of their organisation.
  identities: ['people', 'accounts'],
  // The platform counts the limits; a room only clears them away.
  rate_limits: ['accounts'],
  audit_log: ['audit'],
  notifications: ['notifications'],
  reminder_settings: ['notifications'],
  mails: ['notifications'],
  // The platform sends them.
  mail_files: [],
  tools: ['catalogue'],
  tool_changes: ['catalogue'],
  tool_prices: ['catalogue'],
  tool_agreements: ['catalogue'],
  tool_secrets: ['catalogue'],
  discount_tiers: ['catalogue'],
  tier_changes: ['catalogue'],
  discount_codes: ['catalogue'],
  tool_usage: ['usage'],
  usage_analytics: ['usage'],
  session_sign_offs: ['record'],
  session_statements: ['record'],
  tool_disclosures: ['record'],
  tool_announcements: ['record'],
  tool_reviews: ['record'],
  tool_asks: ['record'],
  record_holds: ['record'],
  record_samples: ['record'],
  record_people: ['teams'],
  recalls: ['recalls'],
  recall_changes: ['recalls'],
  recall_sessions: ['recalls'],
  evidence_packs: ['evidence'],
  evidence_heads: ['evidence'],
  evidence_pieces: ['evidence'],
  evidence_stamps: ['evidence'],
  auth_tokens: ['access-tokens'],
  tool_people: ['tools'],
  tool_refusals: ['tools'],
  tool_checks: ['tools'],
  test_advisers: ['people'],
  tool_events: ['tools'],
  // A team pays, with a card and members that decide its price; the teams room says who is in it.
  teams: ['payers', 'teams'],
  team_members: ['payers', 'teams'],
  // What a practice allows decides about purchases, in rooms below the record.
  team_tools: ['payers'],
  billing_addresses: ['payers'],
  team_invitations: ['teams'],
  bookkeepers: ['books'],
  mailed_copies: ['books'],
  year_statements: ['books'],
  invoices: ['invoices'],
  adjustment_notes: ['invoices'],
  sellers: ['invoices'],
  tool_subscriptions: ['subscriptions'],
  trial_uses: ['subscriptions'],
  bills: ['subscriptions'],
  adjustments: ['subscriptions'],
  told_bills: ['subscriptions'],
  code_redemptions: ['subscriptions'],
  stripe_events: ['billing'],
  stripe_account: ['stripe'],
  usage_days: ['analytics'],
  tool_metrics: ['analytics'],
  user_usage: ['admin'],
  told_incidents: ['admin'],
  // A trigger writes it with each change of a subscription.
  subscription_changes: ['developers', 'admin'],
  acts: ['admin'],
  // Written by the platform alone.
  app_clock: [],
};

/** Files that may use any table, each with its reason. */
const exceptions: Record<string, string> = {
  'admin/people/queries-timeline.ts':
    'a page of what happened to a person or team is one union over the tables of seven rooms',
  'developers/queries-takings.ts':
    'what is due to a maker is one sum over invoices, their notes and the bills they charge',
  'accounts/queries-export.ts': 'a person may have everything that is stored about them, so this reads every table',
};

const server = path.resolve(import.meta.dirname, '../..');
const rooms = fs
  .readdirSync(server, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['platform', 'dev', 'testing', 'commands'].includes(entry.name))
  .map(({ name }) => name);
const files = rooms.flatMap((room) =>
  fs
    .readdirSync(path.join(server, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)(queries[a-z-]*|service)\.ts$/.test(file))
    .map((file) => ({ room, file: `${room}/${file}`, source: fs.readFileSync(path.join(server, room, file), 'utf8') })),
);

/** Schema file → exported name → table's name in SQL. */
const schema = new Map(
  Object.entries(import.meta.glob<Record<string, unknown>>('../../../shared/schema/*.ts', { eager: true })).map(
    ([file, exported]) => {
      const tables = Object.entries(exported).flatMap(([name, value]) =>
        is(value, PgTable) ? [[name, getTableName(value)] as const] : [],
      );
      return [path.basename(file), new Map(tables)] as const;
    },
  ),
);
const tableNames = [...schema.values()].flatMap((tables) => [...tables.values()]);

/** The tables a file imports from the schema, and those it names in SQL of its own. */
function tablesOf(source: string): string[] {
  const imported = [...source.matchAll(/import \{([^}]*)\} from '#shared\/schema\/([\w.-]+)'/g)].flatMap(
    ([, names = '', file = '']) =>
      names.split(',').flatMap((name) => schema.get(file)?.get(name.trim().split(' ')[0] ?? '') ?? []),
  );
  const code = source.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const written = [...code.matchAll(/\b(?:from|join|into|update) ([a-z_]+)\b/g)].flatMap(([, name = '']) =>
    tableNames.includes(name) ? [name] : [],
  );
  return [...new Set([...imported, ...written])];
}

const foreignTo = (room: string, source: string) => tablesOf(source).filter((table) => !owners[table]?.includes(room));

describe('the law of tables', () => {
  it('gives every table an owner that is a room', () => {
    expect(tableNames.toSorted()).toEqual(Object.keys(owners).toSorted());
    expect(Object.values(owners).flatMap((owner) => owner.filter((room) => !rooms.includes(room)))).toEqual([]);
  });

  it('lets a room reach other tables through the room that owns them', () => {
    const faults = files
      .filter(({ file }) => exceptions[file] === undefined)
      .flatMap(({ room, file, source }) =>
        foreignTo(room, source).map(
          (table) =>
            `server/${file} uses ${table}, which belongs to ${owners[table]?.join(' and ')}: ` +
            `move the query there and export it by service.ts, or export the columns to join.`,
        ),
      );
    expect(faults).toEqual([]);
  });

  it('has no exception that nobody needs', () => {
    const needed = files.filter(({ room, source }) => foreignTo(room, source).length > 0).map(({ file }) => file);
    expect(Object.keys(exceptions).filter((file) => !needed.includes(file))).toEqual([]);
  });

  it('sees imports and SQL text, and no comments', () => {
    expect(tablesOf("import { users, type X } from '#shared/schema/accounts.ts';")).toEqual(['users']);
    expect(tablesOf('sql`select 1 from team_members member join teams team on true`')).toEqual([
      'team_members',
      'teams',
    ]);
    expect(tablesOf('/** Deletes from mails. */ // from tools')).toEqual([]);
    expect(foreignTo('analytics', 'sql`select 1 from users`')).toEqual(['users']);
  });
});
