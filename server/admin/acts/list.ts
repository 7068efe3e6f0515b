import type { approvalsApi } from '#shared/api/operators/approvals.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { errors } from '#shared/api/errors.ts';
import { mayUndo, stateOf, undoableKinds, undoUntil } from '#shared/rules/operators/acts.ts';
import { day, formatSydneyDate, plus, sydneyTime } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { namesById } from '../people/queries-names.ts';
import { asStored } from './act-kind.ts';
import { approverOf, whyNot } from './decide.ts';
import { aboutOf } from './kinds.ts';
import { hadTwo } from './people.ts';
import { type ActRow, newestActs } from './queries.ts';

const shownDays = 30;
const shownRows = 100;

const alone =
  'You’re the only admin. Add another: they can approve requests after seven days. Requests expire after a week.';
const leftAlone =
  'You’re the only admin left. Requests expire after a week. Whoever runs the server can make a second admin: see “An administrator’s account” in its runbook.';

const on = (date: Date) => `on ${formatSydneyDate(date)} at ${sydneyTime(date)}`;

/** What became of the request; null while it waits. */
function outcomeOf(row: ActRow, now: Date, nameOf: (id: string | null) => string): string | null {
  const { decidedAt, decidedBy, doneAt, failure, undoneAt, undoneBy, kind } = row;
  if (undoneAt) return `${nameOf(undoneBy)} undid it ${on(undoneAt)}.`;
  if (failure !== null) return `${nameOf(decidedBy)} approved it, but it could not be done: ${failure}`;
  switch (stateOf(row, now)) {
    case 'waiting':
      return null;
    case 'expired':
      return 'Nobody decided it within a week.';
    case 'refused':
      return decidedBy ? `${nameOf(decidedBy)} refused it ${on(decidedAt!)}.` : `It was taken back ${on(decidedAt!)}.`;
    case 'approved': {
      const how = decidedBy ? `${nameOf(decidedBy)} approved it` : 'It needed no second administrator, and was done';
      const done = doneAt ? '' : ' It is being done.';
      const stays = undoableKinds.includes(kind) ? '' : ' It can’t be undone.';
      return `${how} ${on(decidedAt ?? doneAt!)}.${done}${stays}`;
    }
  }
}

export async function listApprovals(context: Context): Promise<Reply<typeof approvalsApi.list>> {
  const { db, env } = context;
  const now = context.now();
  const [rows, approver] = await Promise.all([
    newestActs(db, plus(now, -shownDays * day), shownRows),
    approverOf(context, context.caller!.actorId!),
  ]);
  const subjects = rows.map((row) => asStored(aboutOf(row).subject).id);
  const people = rows.flatMap(({ askedBy, decidedBy, undoneBy }) => [askedBy, decidedBy, undoneBy]);
  const names = await namesById(
    db,
    [...subjects, ...people].filter((id) => id !== null),
  );
  const nameOf = (id: string | null) => names.get(id ?? '') ?? 'A former administrator';
  return {
    fourEyes: env.fourEyes,
    note: env.fourEyes && approver.administrators.length < 2 ? ((await hadTwo(db)) ? leftAlone : alone) : null,
    approvals: rows.map((row) => {
      const about = aboutOf(row);
      const subject = asStored(about.subject);
      const state = stateOf(row, now);
      const refusal = state === 'waiting' ? whyNot(row, approver) : null;
      const { id, kind, reason, askedAt, expiresAt } = row;
      return {
        id,
        kind,
        state,
        reason,
        subject,
        askedAt,
        expiresAt,
        sentence: `${nameOf(row.askedBy)} asks to ${about.what(names.get(subject.id) ?? 'a former user')}.`,
        outcome: outcomeOf(row, now, nameOf),
        mayApprove: state === 'waiting' && refusal === null,
        whyNot: refusal && errors[refusal][1],
        mayUndo: mayUndo(row, now),
        undoUntil: undoUntil(row),
      };
    }),
  };
}
