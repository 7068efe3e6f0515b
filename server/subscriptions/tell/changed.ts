import { payerOf } from '#server/payers/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { SubscriptionRow as Row } from '../queries.ts';
import { tellOf } from './events.ts';
import { membersKeep, membersLose } from './members.ts';
import { endingText } from './tell.ts';
import { askFirst, on, refused } from './words.ts';

/** One change of a row: each is told once. */
const changeOf = ({ id, revision }: Row) => `${id}:${revision}`;

/** Whoever pays has cancelled, or an administrator for them; `because` begins the mail then. */
export async function tellCancelled(inside: Context, row: Row, { because }: { because?: string } = {}): Promise<void> {
  const isOver = row.endDate !== null && row.endDate <= inside.now();
  const name = await tellOf(inside, row, ({ words, refusals }, product, tool) => {
    const [refusal, last] = [refusals(row.toolId), on(row.gracePeriodEnd)];
    const message = `Your subscription to ${product} is cancelled. ${isOver ? 'Access has ended.' : `You keep access until ${on(row.endDate)}.`}`;
    return {
      key: `subscription:${row.id}:cancelled:${row.cancelledAt?.toISOString() ?? ''}`,
      title: `Subscription cancelled: ${product}`,
      message,
      kind: 'cancelled',
      subject: mailSubject`Cancelled: ${tool}${words.whose}`,
      says: [
        ...(because === undefined ? [] : [because]),
        `${message} You will not be charged for it again.`,
        refusal
          ? `${refused(tool, refusal)}, so it can’t be reactivated. ${askFirst(refusal, last)}`
          : `If you change your mind, reactivate it under ${words.toolsTab} by ${last}.`,
      ],
      coming: 'add',
    };
  });
  await membersLose(inside, payerOf(row), changeOf(row), [{ ...row, toolName: name }], isOver ? null : row.endDate);
}

export async function tellAutoRenew(inside: Context, row: Row): Promise<void> {
  const name = await tellOf(inside, row, ({ words, refusals, forecast }, product, tool) => {
    const refusal = refusals(row.toolId);
    const ending = forecast.endings.find(({ subscriptionId }) => subscriptionId === row.id);
    const ends = on(ending?.at ?? row.endDate);
    const off = ending ? endingText(ending, words.whose, refusal) : `${product} no longer renews.`;
    const keep = refusal
      ? `${refused(tool, refusal)}. ${askFirst(refusal, ends)}`
      : `To keep it, switch Auto-renew on under ${words.toolsTab} before that day.`;
    return {
      key: `subscription:${row.id}:auto-renew:${row.revision}`,
      title: row.autoRenew ? 'Auto-renewal is on' : 'Auto-renewal is off',
      message: row.autoRenew ? `${product} renews each month again.` : off,
      kind: 'auto-renew',
      subject: row.autoRenew
        ? mailSubject`${tool}${words.whose} renews again`
        : mailSubject`${tool}${words.whose} ends on ${ends}`,
      ...(!row.autoRenew && { says: [off, keep] }),
      coming: { without: row.id },
    };
  });
  if (row.autoRenew) await membersKeep(inside, payerOf(row), changeOf(row), { ...row, toolName: name });
  else
    await membersLose(
      inside,
      payerOf(row),
      changeOf(row),
      [{ ...row, toolName: name }],
      row.endDate ?? row.trialEndDate,
    );
}

export async function tellReactivated(inside: Context, row: Row): Promise<void> {
  const name = await tellOf(inside, row, ({ words }, product, tool) => ({
    key: `subscription:${row.id}:reactivated:${row.revision}`,
    title: `Subscription reactivated: ${product}`,
    message: `Your subscription to ${product} continues.`,
    kind: 'reactivated',
    subject: mailSubject`${tool}${words.whose} continues`,
    coming: 'add',
  }));
  await membersKeep(inside, payerOf(row), changeOf(row), { ...row, toolName: name });
}
