import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { sendVerificationFor } from '#server/accounts/service.ts';
import { anyInvoicePdf } from '#server/invoices/service.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { invoiceOutlook } from './acts/invoice-outlook.ts';
import { invoicesOf, retry, voidFor } from './acts/invoices.ts';
import { openInvoice } from './acts/open-invoice.ts';
import { cancelFor, extendTrialFor, subscriptionOutlook } from './acts/subscriptions.ts';
import { approve, refuse, undo } from './acts/decide.ts';
import { listApprovals } from './acts/list.ts';
import { askForAdministrator, askForEmail } from './acts/people.ts';
import { askForRefund } from './acts/refunds.ts';
import { openPayer } from './people/person.ts';
import { giveFreeMonths, previewFreeMonths } from './people/free-months.ts';
import { anyTeamPayer } from './people/team.ts';

export const actRoutes = (context: Context): RequestHandler =>
  implement(
    contract.acts,
    {
      sendVerification: ({ params, body }, ctx) =>
        done(sendVerificationFor(ctx, { userId: params.id, reason: body.reason }), 'The verification link was sent.'),
      makeAdministrator: async ({ params, body }, ctx) => ({
        message: await askForAdministrator(ctx, params.id, body.reason),
      }),
      changeEmail: async ({ params, body }, ctx) => ({ message: await askForEmail(ctx, params.id, body) }),
      invoices: async ({ params }, ctx) => invoicesOf(ctx, await openPayer(ctx, params.id)),
      teamInvoices: async ({ params }, ctx) => invoicesOf(ctx, await anyTeamPayer(ctx, params.id)),
      invoice: ({ params }, ctx) => openInvoice(ctx, params.id),
      invoicePdf: ({ actor, params }, ctx) => anyInvoicePdf(ctx, actor.id, params.id),
      invoiceOutlook: ({ params }, ctx) => invoiceOutlook(ctx, params.id),
      refund: async ({ params, body }, ctx) => ({ message: await askForRefund(ctx, params.id, body) }),
      retryCharge: ({ params, body }, ctx) =>
        done(retry(ctx, params.id, body), `${formatCents(body.charge.cents)} was charged.`),
      voidInvoice: ({ params, body }, ctx) =>
        done(voidFor(ctx, params.id, body), `${formatCents(body.dueCents)} will not be charged.`),
      subscriptionOutlook: ({ params, query }, ctx) => subscriptionOutlook(ctx, params.id, query.days),
      cancel: ({ params, body }, ctx) => done(cancelFor(ctx, params.id, body), 'The subscription was cancelled.'),
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
      approve: ({ params }, ctx) => done(approve(ctx, params.id), 'Approved, and done.'),
      refuse: ({ params, body }, ctx) => done(refuse(ctx, params.id, body.reason), 'It was refused.'),
      undo: ({ params, body }, ctx) => done(undo(ctx, params.id, body.reason), 'It was undone.'),
    },
    context,
  );
