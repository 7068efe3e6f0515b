import { contract } from '#shared/api/index.ts';
import { statements } from '#server/invoices/service.ts';
import { payerFor, practices } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { nextBillCsv, nextBillOf } from './next-bill.ts';
import { askBookkeeper, bookkeeperOf, confirmBookkeeper, removeBookkeeper, stopBookkeeper } from './bookkeeper.ts';

export const booksRoutes = (context: Context) =>
  implement(
    contract.books,
    {
      bookkeeper: async ({ actor, query }, ctx) => bookkeeperOf(ctx, await payerFor(ctx, actor, query.teamId)),
      askBookkeeper: ({ actor, body }, ctx) => askBookkeeper(ctx, actor, body),
      removeBookkeeper: async ({ actor, body }, ctx) => {
        await removeBookkeeper(ctx, await payerFor(ctx, actor, body.teamId));
        return { message: 'Copies are no longer sent.' };
      },
      statementPdf: async ({ actor, query }, ctx) =>
        statements.statementPdf(ctx, await practices.payerOfInvoices(ctx, actor, query.teamId), query.financialYear),
      nextBill: ({ actor, params }, ctx) => nextBillOf(ctx, actor, params.teamId),
      nextBillCsv: ({ actor, params }, ctx) => nextBillCsv(ctx, actor, params.teamId),
      confirmBookkeeper: ({ body }, ctx) => confirmBookkeeper(ctx, body.token),
      stopBookkeeper: ({ query, body }, ctx) => stopBookkeeper(ctx, body.token ?? query.token),
    },
    context,
  );
