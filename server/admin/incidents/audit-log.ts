import type { Reply } from '#shared/api/endpoint.ts';
import type { AuditFilters, oversightApi } from '#shared/api/oversight.ts';
import { adminPageSize, auditLimit } from '#shared/rules/operators/admin.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { detailsOf, idsIn, labelOf, sentenceOf } from '#server/audit/service.ts';
import type { Context } from '#server/platform/context.ts';
import { csv, type Cell } from '#server/platform/http/csv.ts';
import { auditRows, auditRowsById, countAudit, knownActions } from './queries-audit.ts';
import { namesAndEmailsById } from '../people/queries-names.ts';

type Row = Awaited<ReturnType<typeof auditRows>>[number];

/** The ids of who did it, and of whom or what it was done to. */
const idsOf = ({ actorId, subjectId }: Row) => [...(actorId === null ? [] : [actorId]), ...idsIn({ subjectId })];

type Known = Awaited<ReturnType<typeof namesAndEmailsById>>;

function present(row: Row, { names, emails }: Known) {
  const { id, createdAt, action, actorId, subjectType, subjectId, before, after, device } = row;
  // A subscription goes by the name of its tool.
  const name = names.get(subjectId ?? '') ?? names.get(String(after?.['toolId'])) ?? null;
  const gone = (type: string | null) => (type === 'user' ? 'a former user' : `a ${type ?? 'thing'} that is gone`);
  const ip = row.ip?.replace(/^::ffff:/, '') ?? null;
  const called = (of: string) => ({ id: of, name: names.get(of) ?? null, email: emails.get(of) ?? null });
  const actor = actorId === null ? null : called(actorId);
  return {
    id,
    createdAt,
    action,
    before,
    after,
    ip,
    device,
    sentence: sentenceOf({
      ...row,
      ip,
      names,
      actor: actor && (actor.name ?? gone('user')),
      whom: subjectId === null ? null : (name ?? gone(subjectType)),
    }),
    details: detailsOf(before, after, names),
    actor,
    subject: subjectId === null ? null : { ...called(subjectId), type: subjectType ?? '', name },
  };
}

const named = async ({ db }: Context, rows: Row[]) => {
  const known = await namesAndEmailsById(
    db,
    rows.flatMap((row) => [...idsOf(row), ...idsIn(row.before, row.after)]),
  );
  return rows.map((row) => present(row, known));
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
  const start = (page - 1) * adminPageSize;
  const [rows, found, actions] = await Promise.all([
    start < auditLimit ? auditRows(db, filters, { start, limit: adminPageSize }) : [],
    countAudit(db, filters, auditLimit + 1),
    knownActions(db),
  ]);
  const total = Math.min(found, auditLimit);
  const pagination = { page, total, totalPages: Math.ceil(total / adminPageSize), more: found > auditLimit };

  return { rows: await named(context, rows), actions, labels: actions.map(labelOf), pagination };
}

const header = [
  'When (UTC)',
  'Action',
  'Actor id',
  'Actor',
  'Actor email',
  'Subject type',
  'Subject id',
  'Subject',
  'Subject email',
  'Before',
  'After',
  'IP address',
  'Device',
];
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
/** The file gives the name and address of people only. */
const cells = (row: Row, { names, emails }: Known): Cell[] => [
  row.createdAt.toISOString(),
  row.action,
  row.actorId,
  names.get(row.actorId ?? '') ?? null,
  emails.get(row.actorId ?? '') ?? null,
  row.subjectType,
  row.subjectId,
  row.subjectType === 'user' ? (names.get(row.subjectId ?? '') ?? null) : null,
  emails.get(row.subjectId ?? '') ?? null,
  json(row.before),
  json(row.after),
  row.ip,
  row.device,
];

const batch = 1000;

/** Reads batch by batch, so that no connection is held while the browser downloads. */
async function* everyRow({ db }: Context, filters: AuditFilters) {
  for (let after: Row | undefined; ;) {
    const rows: Row[] = await auditRows(db, filters, { limit: batch, after });
    const known = await namesAndEmailsById(db, rows.flatMap(idsOf));
    yield rows.map((row) => cells(row, known));
    after = rows.at(-1);
    if (rows.length < batch) return;
  }
}

/** The whole log, or what matches the filters, as CSV. */
export const auditCsv = (context: Context, filters: AuditFilters) => ({
  name: `adviserly-audit-${sydneyDate(context.now())}.csv`,
  body: csv(header, everyRow(context, filters)),
});
