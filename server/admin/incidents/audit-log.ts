import type { Reply } from '#shared/api/endpoint.ts';
import type { AuditFilters, oversightApi } from '#shared/api/operators/oversight.ts';
import { auditLimit, auditPageSize } from '#shared/rules/operators/admin.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import {
  auditRows,
  auditRowsById,
  countAudit,
  detailsOf,
  idsIn,
  knownActions,
  labelOf,
  sentenceOf,
} from '#server/audit/service.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csv } from '#server/platform/http/csv.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { namesAndEmailsById } from '../people/queries-names.ts';

type Row = Awaited<ReturnType<typeof auditRows>>[number];

/** The ids of who did it, and of whom or what it was done to. */
const idsOf = ({ actorId, subjectId, subjectType }: Row) => [
  ...(actorId === null ? [] : [actorId]),
  ...(subjectType === 'tool' ? [subjectId ?? ''] : idsIn({ subjectId })),
];

type Known = Awaited<ReturnType<typeof namesAndEmailsById>>;

type Party = { type: string; id: string };

/** Who pays for the subscriptions among these subjects, by the subscription’s id. */
async function payersIn({ db }: Context, rows: Row[]): Promise<Map<string, Party>> {
  const ids = rows.flatMap(({ subjectType, subjectId }) => (subjectType === 'subscription' ? (subjectId ?? []) : []));
  const found = ids.length === 0 ? [] : await forAdministrators.subscriptionsKnownAs(db, ids);
  return new Map(
    found.map(({ id, userId, teamId }) => [
      id,
      teamId === null ? { type: 'user', id: userId ?? '' } : { type: 'team', id: teamId },
    ]),
  );
}

/** `besideName`: the sentences stand beside the names of who did it and of what it is about. `payer`: of the subscription that the row is about. */
function present(row: Row, { names, emails }: Known, besideName: boolean, payer: Party | undefined) {
  const { id, createdAt, action, actorId, before, after, device } = row;
  const { type: subjectType, id: subjectId } = payer ?? { type: row.subjectType, id: row.subjectId };
  // A subscription that is gone goes by the name of its tool.
  const key = subjectType === 'subscription' ? String(after?.['toolId']) : subjectId;
  const name = names.get(key ?? '') ?? null;
  const gone = (type: string | null) => (type === 'user' ? 'a former user' : `a ${type ?? 'thing'} that is gone`);
  const ip = row.ip?.replace(/^::ffff:/, '') ?? null;
  const called = (of: string) => ({ id: of, name: names.get(of) ?? null, email: emails.get(of) ?? null });
  const actor = actorId === null ? null : called(actorId);
  const told = {
    ...row,
    ip,
    names,
    actor: actor && (actor.name ?? gone('user')),
    whom: subjectId === null ? null : (name ?? gone(subjectType)),
    whose: payer ? (name ?? gone(subjectType)) : null,
  };
  return {
    id,
    createdAt,
    action,
    before,
    after,
    ip,
    device,
    sentence: sentenceOf(told, { besideName, inTeam: besideName }),
    details: detailsOf(told),
    actor,
    subject: subjectId === null ? null : { ...called(subjectId), type: subjectType ?? '', name },
  };
}

const named = async (context: Context, rows: Row[], besideName = false) => {
  const payers = await payersIn(context, rows);
  const known = await namesAndEmailsById(context.db, [
    ...rows.flatMap((row) => [...idsOf(row), ...idsIn(row.before, row.after)]),
    ...[...payers.values()].map(({ id }) => id),
  ]);
  return rows.map((row) => present(row, known, besideName, payers.get(row.subjectId ?? '')));
};

/** These rows as the log shows them. */
export const auditRowsOf = async (context: Context, ids: string[]) =>
  named(context, await auditRowsById(context.db, ids));

/** One page of the log, newest first. Pages end at a limit; filters and the CSV reach further back. */
export async function listAudit(
  context: Context,
  { page, ...filters }: AuditFilters & { page: number },
): Promise<Reply<typeof oversightApi.audit>> {
  const { db } = context;
  const start = (page - 1) * auditPageSize;
  const [rows, found, actions] = await Promise.all([
    start < auditLimit ? auditRows(db, filters, { start, limit: auditPageSize }) : [],
    countAudit(db, filters, auditLimit + 1),
    knownActions(db),
  ]);
  const total = Math.min(found, auditLimit);
  const pagination = { page, total, totalPages: Math.ceil(total / auditPageSize), more: found > auditLimit };

  return { rows: await named(context, rows, true), actions, labels: actions.map(labelOf), pagination };
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
type NamedRow = Row & { known: Known };
/** The file gives the name and address of people only. */
const columns: Columns<NamedRow> = {
  'When (UTC)': (row) => row.createdAt.toISOString(),
  Action: (row) => row.action,
  'Actor id': (row) => row.actorId,
  Actor: ({ known, actorId }) => known.names.get(actorId ?? '') ?? null,
  'Actor email': ({ known, actorId }) => known.emails.get(actorId ?? '') ?? null,
  'Subject type': (row) => row.subjectType,
  'Subject id': (row) => row.subjectId,
  Subject: ({ known, subjectType, subjectId }) =>
    subjectType === 'user' ? (known.names.get(subjectId ?? '') ?? null) : null,
  'Subject email': ({ known, subjectId }) => known.emails.get(subjectId ?? '') ?? null,
  Before: (row) => json(row.before),
  After: (row) => json(row.after),
  'IP address': (row) => row.ip,
  Device: (row) => row.device,
};

/** The whole log, or what matches the filters, as CSV. */
export const auditCsv = ({ db, now }: Context, filters: AuditFilters) => ({
  name: `adviserly-audit-${sydneyDate(now())}.csv`,
  body: csv(columns, async (limit, after?: NamedRow) => {
    const rows = await auditRows(db, filters, { limit, after });
    const known = await namesAndEmailsById(db, rows.flatMap(idsOf));
    return rows.map((row) => ({ ...row, known }));
  }),
});
