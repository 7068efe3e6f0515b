import type { FileReply } from '#shared/api/endpoint.ts';
import { financialYearText, sydneyDate } from '#shared/rules/dates.ts';
import { listTools } from '#server/catalogue/service.ts';
import { columnsOf, onFile, type Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askerOf } from '#server/platform/http/rate-limit.ts';
import { drawn } from './drawings.ts';
import { documentsIn, rangeOf, sellerOn } from './queries-documents.ts';
import { type Statement, statementOf } from './statement.ts';

export { statementOf, type Statement };

export async function readStatement(context: Context, payer: Payer, financialYear: number): Promise<Statement> {
  const names = new Map((await listTools(context)).map(({ id, name }) => [id, name] as const));
  const documents = await documentsIn(context.db, payer, rangeOf(financialYear));
  return statementOf(documents, {
    financialYear,
    madeOn: sydneyDate(context.now()),
    nameOf: (toolId) => names.get(toolId) ?? toolId,
  });
}

export async function drawStatement(context: Context, payer: Payer, statement: Statement): Promise<FileReply> {
  const buyer = await onFile.buyerOf(context.db, payer);
  const seller = (await sellerOn(context.db, context.now())) ?? context.env.seller;
  const { userId, teamId } = columnsOf(payer);
  const year = financialYearText(statement.financialYear).replace('–', '-');
  return {
    name: `adviserly-statement-${year}.pdf`,
    body: await drawn({ statement, buyer, seller }, askerOf(context, context.caller?.actorId ?? userId ?? teamId)),
  };
}

export const statementPdf = async (context: Context, payer: Payer, financialYear: number): Promise<FileReply> =>
  drawStatement(context, payer, await readStatement(context, payer, financialYear));
