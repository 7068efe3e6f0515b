import { closedAccount, redactedByUs } from '#shared/rules/record/record.ts';
import { recordTeams } from '#server/teams/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Db } from '#server/platform/data/database.ts';

type Named = { userId: string; teamId?: string | null; firstName: string; lastName: string };

/** Fills in the names of those who have closed their account, as the practice's record keeps them. */
export async function withNames<Row extends Named>(db: Db, rows: Row[], teamId?: string): Promise<Row[]> {
  const ofTeam = (row: Row) => (row.firstName === '' ? (teamId ?? row.teamId ?? null) : null);
  const teamIds = new Set(rows.flatMap((row) => ofTeam(row) ?? []));
  const known = new Map<string, Awaited<ReturnType<typeof recordTeams.whoIsWho>>>();
  for (const id of teamIds) {
    const closed = rows.filter((row) => ofTeam(row) === id).map(({ userId }) => userId);
    known.set(id, await recordTeams.whoIsWho(db, id, [...new Set(closed)]));
  }
  return rows.map((row) => {
    const who = known.get(ofTeam(row) ?? '')?.get(row.userId);
    return who ? { ...row, firstName: who.firstName, lastName: who.lastName } : row;
  });
}

type Redactable = { redactedAt: Date | null; redactedById: string | null };

/** Lines of the record, each with who redacted it. */
export async function withRedactors<Row extends Redactable>(db: Db, teamId: string | null, lines: Row[]) {
  const ids = lines.flatMap(({ redactedById }) => redactedById ?? []);
  const people = await recordTeams.whoIsWho(db, teamId, [...new Set(ids)]);
  return lines.map((line) => {
    const who = people.get(line.redactedById ?? '');
    const name = who ? `${who.firstName} ${who.lastName}`.trim() || closedAccount : redactedByUs;
    return { ...line, redactedBy: line.redactedAt && name };
  });
}

/** Refuses to let an administrator act in the record of a practice that is open: its owner does. */
export async function requireClosed(db: Db, teamId: string): Promise<void> {
  const closed = await recordTeams.isClosed(db, teamId);
  if (closed === null) throw new AppError('team_not_found');
  if (!closed) throw new AppError('practice_open');
}
