import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { sendResetLinkFor, sendVerificationFor } from '#server/accounts/service.ts';
import { userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { cancelFor, extendTrialFor, subscriptionOutlook } from './acts.ts';
import { invoiceOutlook, refund, retry, voidFor } from './invoice-acts.ts';
import { openAccount } from './person.ts';
import { newestInvoices } from './queries-invoices.ts';

const shownInvoices = 50;

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
      invoices: async ({ params }, ctx) => {
        const { id } = await openAccount(ctx, params.id);
        return newestInvoices(ctx.db, userPayer(id), shownInvoices);
      },
      invoiceOutlook: ({ params }, ctx) => invoiceOutlook(ctx, params.id),
      refund: async ({ params, body }, ctx) => {
        await refund(ctx, params.id, body);
        return { message: `${formatCents(body.cents)} goes back to the card. The user is told by email.` };
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
      extendTrial: async ({ params, body }, ctx) => {
        const end = await extendTrialFor(ctx, params.id, body);
        return { message: `The trial ends on ${formatSydneyDate(end)}.` };
      },
    },
    context,
  );
