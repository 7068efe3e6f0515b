import { formatCents } from '#shared/rules/billing/money.ts';
import { sentences } from '#shared/rules/operators/admin.ts';
import { checkMove, checkNewAdministrator } from '#server/accounts/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { lockOpenPerson } from '#server/people/service.ts';
import { freeMonths } from '#server/subscriptions/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { requireInvoice } from '../acts/invoices.ts';
import { readRefund, refundAlone, type RefundRequest } from '../acts/refunds.ts';
import { listOf, savedBy } from '../people/free-months.ts';
import { ask, waitsFor } from './ask.ts';
import { asStored } from './kinds.ts';

/** The reply: that it was done, or that it waits. */
const answer = async (context: Context, row: object | null, done: string) => (row === null ? done : waitsFor(context));

/** Gives free access, or has it wait for a second administrator. */
export async function grantFreeAccess(context: Context, userId: string, reason: string | undefined): Promise<string> {
  if (context.env.fourEyes && !reason) throw fieldError('reason', sentences.reason);
  const row = await ask(context, {
    kind: 'free_access',
    subjectId: userId,
    reason: reason ?? '',
    check: async ({ db }) => {
      const user = await lockOpenPerson(db, userId);
      if (!user) throw new AppError('user_not_found');
      if (user.freeAccessGranted) throw new AppError('already_free');
    },
  });
  return answer(context, row, 'Free access granted');
}

export const askForAdministrator = async (context: Context, userId: string, reason: string): Promise<string> => {
  const check = async (inside: Context) => void (await checkNewAdministrator(inside, userId));
  const row = await ask(context, { kind: 'make_admin', subjectId: userId, reason, check });
  return answer(context, row, 'The user is an administrator now.');
};

export const askForEmail = async (
  context: Context,
  userId: string,
  { email, reason }: { email: string; reason: string },
): Promise<string> => {
  const check = async (inside: Context) => void (await checkMove(inside, userId, email));
  const row = await ask(context, { kind: 'change_email', subjectId: userId, parameters: { email }, reason, check });
  return answer(context, row, 'The address was changed. Both addresses were told.');
};

/** Gives free months of a tool, or of all its payer's tools, or has that wait for a second administrator. */
export async function askForFreeMonths(
  context: Context,
  id: string,
  { months, all, savedCents, reason }: { months: number; all: boolean; savedCents: number; reason: string },
): Promise<string> {
  const outlook = await freeMonths.freeMonthsOutlook(context, id, { months, all });
  const { payer, tools } = outlook;
  if (tools.length === 0) throw new AppError('nothing_to_free');
  if (savedBy(outlook) !== savedCents) throw new AppError('free_months_changed');
  const subject = asStored(payer);
  const parameters = {
    months,
    ids: tools.map((tool) => tool.id),
    tools: listOf(tools.map(({ toolName }) => toolName)),
    payer: subject,
  };
  const row = await ask(context, { kind: 'free_months', subjectId: subject.id, parameters, reason });
  return answer(context, row, `${formatCents(savedCents)} will not be charged. The user is told by email.`);
}

/** Refunds at once if one administrator may; otherwise the refund waits for a second one. */
export async function askForRefund(context: Context, id: string, request: RefundRequest): Promise<string> {
  const invoice = await requireInvoice(context, id);
  const state = await readRefund(context, invoice, request);
  const { cents, reason } = request;
  if (await refundAlone(context, invoice, state, request))
    return `${formatCents(cents)} goes back to the card. The user is told by email.`;
  const payer = asStored(payerOf(invoice));
  const parameters = { cents, invoice: invoice.number ?? invoice.stripeInvoiceId, payer };
  await ask(context, { kind: 'refund', subjectId: invoice.id, parameters, reason });
  return waitsFor(context);
}
