import { brand } from '#shared/brand.ts';
import { approvalLifeMs } from '#shared/rules/operators/admin.ts';
import type { ApprovalKind } from '#shared/rules/operators/approvals.ts';
import { plus } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { subjectOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { namesById } from '../people/queries-names.ts';
import { asStored, boundOf } from './kinds.ts';
import { type ApprovalRow, changeApproval, endExpired, insertApproval } from './queries.ts';

type Request = {
  kind: ApprovalKind;
  subjectId: string;
  parameters?: object;
  reason: string;
  /** Locks the subject and refuses what makes no sense. */
  check?: (inside: Context) => Promise<void>;
};

/**
 * Does what an administrator asks, or has it wait for a second one. The only administrator may make another one alone, since nobody
 * could approve that; a new administrator's approval counts only after a day. Returns the row that waits, or null if it was done.
 */
export async function ask(context: Context, request: Request): Promise<ApprovalRow | null> {
  const { kind, subjectId, reason, parameters = {} } = request;
  const askedBy = context.caller!.actorId!;
  const now = context.now();
  return transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await request.check?.(inside);
    const others = (await administratorIds(tx)).filter((id) => id !== askedBy);
    const waits = context.env.fourEyes && !(kind === 'make_admin' && others.length === 0);
    await endExpired(tx, kind, subjectId, now);
    const row = await insertApproval(tx, {
      kind,
      subjectId,
      parameters,
      reason,
      askedBy,
      askedAt: now,
      expiresAt: plus(now, approvalLifeMs),
      ...(!waits && { state: 'approved' as const, decidedAt: now, executedAt: now }),
    });
    if (!row) throw new AppError('approval_waits');
    const bound = boundOf(row);
    if (!waits) {
      const done = await bound.execute?.(inside);
      if (done) await changeApproval(tx, row.id, { parameters: done });
      return null;
    }
    await audit(inside, 'admin.approval_asked', {
      ...subjectOf(bound.subject),
      after: { kind, ...bound.trail, reason },
    });
    await tellOthers(inside, row, others);
    return row;
  });
}

/** Tells the other administrators, in the app and by mail, that a request waits for one of them. */
async function tellOthers(inside: Context, row: ApprovalRow, others: string[]): Promise<void> {
  const bound = boundOf(row);
  const { id } = asStored(bound.subject);
  const names = await namesById(inside.db, [row.askedBy, id]);
  const sentence = `${names.get(row.askedBy) ?? 'An administrator'} asks to ${bound.what(names.get(id) ?? 'somebody')}.`;
  for (const userId of others)
    await notify(inside, {
      userId,
      type: 'system_alert',
      title: 'A second administrator is needed',
      message: sentence,
      actionUrl: '/admin',
      dedupeKey: `approval:${row.id}`,
      mail: {
        kind: 'approval-waits',
        subject: `${brand.name}: a second administrator is needed`,
        paragraphs: [
          sentence,
          `The reason: ${row.reason}`,
          'Ask them before you approve it, another way than by email. It waits for a week.',
        ],
        actionLabel: 'Open approvals',
      },
    });
}

/** What an administrator is told whose request waits. */
export async function waitsFor(context: Context): Promise<string> {
  const others = (await administratorIds(context.db)).filter((id) => id !== context.caller?.actorId);
  return others.length > 0
    ? 'It waits for a second administrator, who was told by email.'
    : 'It waits for a second administrator, and there is none yet: make somebody one, who can approve it after a day.';
}
