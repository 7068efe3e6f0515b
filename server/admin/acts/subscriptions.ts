import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import type { actsApi } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { Forecast, PriceChange } from '#shared/rules/billing/forecast.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { subjectOf } from '#server/payers/service.ts';
import { administratorActs } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { tellPayer } from '../people/tell-payer.ts';
import type { Kind } from './act-kind.ts';
import { ask, finish } from './carry-out.ts';
import { refuseOwn } from './people.ts';

const changed = (changes: PriceChange[]) =>
  changes.map(
    ({ toolName, at, fromCents, toCents }) =>
      `${toolName} costs ${formatCents(toCents)} a month instead of ${formatCents(fromCents)} from ${formatSydneyDate(at)}.`,
  );

type Outlook = administratorActs.Outlook;
type Cancelling = NonNullable<Outlook['cancel']>['now'];
const cancelWords = ({ toolName }: Outlook, { endDate, gracePeriodEnd, changes }: Cancelling, now: Date) => [
  endDate <= now
    ? `Access to ${toolName} ends at once.`
    : `Access to ${toolName} goes on until ${formatSydneyDate(endDate)}.`,
  `Nothing more is charged for it, and nothing is refunded. It can be reactivated until ${formatSydneyDate(gracePeriodEnd)}.`,
  ...changed(changes),
];

/** What follows the trial: the bill that then has it, or that the subscription ends by itself. */
function afterTrial({ bill, endings }: Forecast, id: string): string[] {
  if (endings.some(({ subscriptionId }) => subscriptionId === id))
    return ['There is no card on file, so it ends by itself on that day.'];
  return bill ? [`The next bill is then ${formatCents(bill.totalCents)} on ${formatSydneyDate(bill.at)}.`] : [];
}

export async function subscriptionOutlook(
  context: Context,
  id: string,
  days: number,
): Promise<Reply<typeof actsApi.subscriptionOutlook>> {
  const outlook = await administratorActs.outlookOf(context, id, days);
  const { cancel, trial, row, toolName } = outlook;
  const now = context.now();
  return {
    cancel: cancel && {
      atPeriodEnd: cancelWords(outlook, cancel.atPeriodEnd, now),
      now: cancelWords(outlook, cancel.now, now),
    },
    trial: trial && {
      from: row.trialEndDate!,
      until: trial.end,
      preview: [
        `The free trial of ${toolName} ends on ${formatSydneyDate(trial.end)} instead of ${formatSydneyDate(row.trialEndDate!)}.`,
        ...afterTrial(trial.forecast, id),
        ...changed(trial.changes),
      ],
    },
  };
}

const cancelParameters = z.object({ cancelImmediately: z.boolean() });

/** Cancels for whoever pays; their mail about it starts with the reason. */
export const cancelFor = (
  context: Context,
  id: string,
  { reason, cancelImmediately }: { reason: string; cancelImmediately: boolean },
) => ask(context, { kind: 'cancel', subjectId: id, parameters: { cancelImmediately }, reason }, cancelKind);

export const cancelKind: Kind = {
  later: async (context, act) => {
    const { cancelImmediately } = cancelParameters.parse(act.parameters);
    const { reason, subjectId } = act;
    const because = `An administrator of ${brand.name} cancelled it for you. The reason: ${reason}`;
    await administratorActs.cancelForPayer(context, subjectId, {
      cancelImmediately,
      reason: 'other',
      details: reason,
      because,
      also: (within, { payer, row }) =>
        finish(within, act, (inside) =>
          audit(inside, 'admin.subscription_cancelled', {
            ...subjectOf(payer),
            after: { toolId: row.toolId, when: cancelImmediately ? 'at once' : 'at the end of what is paid', reason },
          }),
        ),
    });
  },
};

const extensionParameters = z.object({ from: z.coerce.date(), end: z.coerce.date() });

export async function extendTrialFor(
  context: Context,
  id: string,
  { reason, days, from }: { reason: string; days: number; from: Date },
): Promise<Date> {
  const { end, payer } = await administratorActs.longerTrial(context, id, { from, days });
  await refuseOwn(context, payer);
  const parameters = { from: from.toISOString(), end: end.toISOString() };
  // Checked again, now that nobody else can be extending it.
  const check = (inside: Context) => administratorActs.longerTrial(inside, id, { from, days });
  await ask(context, { kind: 'extend_trial', subjectId: id, parameters, reason, check }, extendKind);
  return end;
}

export const extendKind: Kind = {
  later: async (context, act) => {
    const { reason, subjectId: id } = act;
    const { from, end } = extensionParameters.parse(act.parameters);
    const { payer, row, toolName } = await administratorActs.extendTrial(context, id, { from, end });
    await finish(context, act, async (inside) => {
      await audit(inside, 'admin.trial_extended', {
        ...subjectOf(payer),
        before: { trialEndDate: from.toISOString() },
        after: { toolId: row.toolId, trialEndDate: end.toISOString(), reason },
      });
      await tellPayer(inside, payer, {
        kind: 'trial-extended',
        title: 'Your free trial is longer',
        sentence: (words) =>
          `An administrator of ${brand.name} extended your free trial of ${toolName}${words.whose} to ${words.on(end)}.`,
        reason,
        key: `${id}:${end.toISOString()}`,
      });
    });
  },
};
