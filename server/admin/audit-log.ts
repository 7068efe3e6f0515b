import type { Reply } from '#shared/api/endpoint.ts';
import type { AuditFilters, oversightApi } from '#shared/api/oversight.ts';
import { adminPageSize, auditLimit } from '#shared/rules/admin.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { detailsOf, idsIn, labelOf, sentenceOf } from '#server/audit/service.ts';
import type { Context } from '#server/platform/context.ts';
import { csv, type Cell } from '#server/platform/csv.ts';
import { auditRows, auditRowsById, countAudit, knownActions } from './queries-audit.ts';
import { namesById } from './queries-names.ts';

type Row = Awaited<ReturnType<typeof auditRows>>[number];

type Names = Awaited<ReturnType<typeof namesById>>;

function present(row: Row, names: Names) {
  const { actorId, actorName, actorEmail, subjectType, subjectId, subjectName, subjectEmail, ...rest } = row;
  // A subscription is called by its tool.
  const name = subjectName ?? names.get(subjectId ?? '') ?? names.get(String(row.after?.['toolId'])) ?? null;
  const gone = (type: string | null) => (type === 'user' ? 'a former user' : `a ${type ?? 'thing'} that is gone`);
  const ip = row.ip?.replace(/^::ffff:/, '') ?? null;
  return {
    ...rest,
    ip,
    sentence: sentenceOf({
      ...row,
      ip,
      names,
      actor: actorId === null ? null : (actorName ?? gone('user')),
      whom: subjectId === null ? null : (name ?? gone(subjectType)),
    }),
    details: detailsOf(row.before, row.after, names),
    actor: actorId === null ? null : { id: actorId, name: actorName, email: actorEmail },
    subject: subjectId === null ? null : { type: subjectType ?? '', id: subjectId, name, email: subjectEmail },
  };
}

const named = async ({ db }: Context, rows: Row[]) => {
  const names = await namesById(
    db,
    rows.flatMap((row) => idsIn(row.before, row.after, { subject: row.subjectId })),
  );
  return rows.map((row) => present(row, names));
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
const cells = (row: Row): Cell[] => [
  row.createdAt.toISOString(),
  row.action,
  row.actorId,
  row.actorName,
  row.actorEmail,
  row.subjectType,
  row.subjectId,
  row.subjectName,
  row.subjectEmail,
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
    yield rows.map(cells);
    after = rows.at(-1);
    if (rows.length < batch) return;
  }
}

/** The whole log, or what matches the filters, as CSV. */
export const auditCsv = (context: Context, filters: AuditFilters) => ({
  name: `adviserly-audit-${sydneyDate(context.now())}.csv`,
  body: csv(header, everyRow(context, filters)),
});
