import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { sendResetLinkFor, sendVerificationFor } from '#server/accounts/service.ts';
import { teamPayer, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { invoiceOutlook } from './acts/invoice-outlook.ts';
import { invoicesOf, retry, voidFor } from './acts/invoices.ts';
import { cancelFor, extendTrialFor, subscriptionOutlook } from './acts/subscriptions.ts';
import { approve, refuse, undo } from './acts/decide.ts';
import { listApprovals } from './acts/list.ts';
import { askForAdministrator, askForEmail } from './acts/people.ts';
import { askForRefund } from './acts/refunds.ts';
import { openAccount } from './people/person.ts';
import { giveFreeMonths, previewFreeMonths } from './people/free-months.ts';
import { requireTeam } from './people/team.ts';

export const actRoutes = (context: Context): RequestHandler =>
  implement(
    contract.acts,
    {
      sendVerification: async ({ params, body }, ctx) => {
        await sendVerificationFor(ctx, { userId: params.id, reason: body.reason });
        return { message: 'The verification link was sent.' };
      },
      sendResetLink: async ({ params, body }, ctx) => {
        await sendResetLinkFor(ctx, { userId: params.id, reason: body.reason });
        return { message: 'The link to choose a new password was sent.' };
      },
      makeAdministrator: async ({ params, body }, ctx) => ({
        message: await askForAdministrator(ctx, params.id, body.reason),
      }),
      changeEmail: async ({ params, body }, ctx) => ({ message: await askForEmail(ctx, params.id, body) }),
      invoices: async ({ params }, ctx) => {
        const { id } = await openAccount(ctx, params.id);
        return invoicesOf(ctx, userPayer(id));
      },
      teamInvoices: async ({ params }, ctx) => {
        const { id } = await requireTeam(ctx, params.id);
        return invoicesOf(ctx, teamPayer(id));
      },
      invoiceOutlook: ({ params }, ctx) => invoiceOutlook(ctx, params.id),
      refund: async ({ params, body }, ctx) => {
        return { message: await askForRefund(ctx, params.id, body) };
      },
      retryCharge: async ({ params, body }, ctx) => {
        await retry(ctx, params.id, body);
        return { message: `${formatCents(body.charge.cents)} was charged.` };
      },
      voidInvoice: async ({ params, body }, ctx) => {
        await voidFor(ctx, params.id, body);
        return { message: `${formatCents(body.dueCents)} will not be charged.` };
      },
      subscriptionOutlook: ({ params, query }, ctx) => subscriptionOutlook(ctx, params.id, query.days),
      cancel: async ({ params, body }, ctx) => {
        await cancelFor(ctx, params.id, body);
        return { message: 'The subscription was cancelled.' };
      },
      freeMonthsOutlook: ({ params, query }, ctx) => previewFreeMonths(ctx, params.id, query),
      giveFreeMonths: async ({ params, body }, ctx) => ({ message: await giveFreeMonths(ctx, params.id, body) }),
      extendTrial: async ({ params, body }, ctx) => {
        const end = await extendTrialFor(ctx, params.id, body);
        return { message: `The trial ends on ${formatSydneyDate(end)}.` };
      },
    },
    context,
  );

export const approvalRoutes = (context: Context): RequestHandler =>
  implement(
    contract.approvals,
    {
      list: (_input, ctx) => listApprovals(ctx),
      approve: async ({ params }, ctx) => {
        await approve(ctx, params.id);
        return { message: 'Approved, and done.' };
      },
      refuse: async ({ params, body }, ctx) => {
        await refuse(ctx, params.id, body.reason);
        return { message: 'It was refused.' };
      },
      undo: async ({ params, body }, ctx) => {
        await undo(ctx, params.id, body.reason);
        return { message: 'It was undone.' };
      },
    },
    context,
  );
