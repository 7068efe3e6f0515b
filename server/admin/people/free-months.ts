import * as z from 'zod';
import { brand } from '#shared/brand.ts';
import type { actsApi } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { subjectOf } from '#server/payers/service.ts';
import { administratorActs } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { asStored, type Kind, payerIn, storedPayer } from '../acts/act-kind.ts';
import { ask } from '../acts/carry-out.ts';
import { refuseOwn } from '../acts/people.ts';
import type { ActRow } from '../acts/queries.ts';
import { tellPayer } from './tell-payer.ts';

type Asked = { months: number; all: boolean };

const savedBy = ({ tools }: administratorActs.FreeMonthsOutlook) =>
  tools.flatMap(({ invoices }) => invoices).reduce((sum, { cents }) => sum + cents, 0);

const monthsWords = (months: number) => (months === 1 ? 'a month' : `${months} months`);
const listOf = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;

export async function previewFreeMonths(
  context: Context,
  id: string,
  asked: Asked,
): Promise<Reply<typeof actsApi.freeMonthsOutlook>> {
  const outlook = await administratorActs.freeMonthsOutlook(context, id, asked);
  const { tools } = outlook;
  if (tools.length === 0)
    return {
      savedCents: null,
      preview: [
        'There is no coming bill to make free: the subscription ends, costs nothing, has no card on file, or already has twelve free months.',
      ],
    };
  const saved = savedBy(outlook);
  return {
    savedCents: saved,
    preview: [
      ...tools.map(
        ({ toolName, invoices, after }) =>
          `${toolName}: ${listOf(invoices.map(({ at, cents }) => `${formatCents(cents)} on ${formatSydneyDate(at)}`))} ${invoices.length === 1 ? 'is' : 'are'} not charged. It costs ${formatCents(after.cents)} from ${formatSydneyDate(after.at)}.`,
      ),
      `In all, ${formatCents(saved)} is not charged. What is paid already stays paid, and tools bought later cost their price.`,
    ],
  };
}

const asked = ({ id, parameters }: ActRow) => {
  const { payer, ...values } = z
    .object({
      months: z.int(),
      ids: z.array(z.string()),
      /** The tools' names at the time of the request. */
      tools: z.string(),
      payer: storedPayer,
      /** What taking them back needs. */
      given: z
        .array(
          z.object({
            id: z.string(),
            begins: z.string(),
            until: z.string(),
            before: z.object({ months: z.int(), from: z.string(), until: z.string() }).nullable(),
          }),
        )
        .default([]),
    })
    .parse(parameters);
  return { ...values, payer: payerIn(payer), key: id };
};

export const freeMonthsKind: Kind = {
  about: (act) => {
    const { months, tools, payer } = asked(act);
    return {
      what: (whom) => `give ${whom} ${monthsWords(months)} free of ${tools}`,
      subject: payer,
      trail: { months, tools },
    };
  },
  execute: async (inside, act) => {
    const { payer, ids, months, tools, key } = asked(act);
    const { reason } = act;
    const given = await administratorActs.giveFreeMonths(inside, payer, { ids, months });
    await audit(inside, 'admin.free_months_given', { ...subjectOf(payer), after: { months, tools, reason } });
    const begins = new Set(given.map((tool) => new Date(tool.begins).getTime()));
    const one = given.length === 1;
    const untils = new Set(given.map(({ until }) => until));
    const over =
      untils.size === 1
        ? ` You pay for ${one ? 'it' : 'them'} again from ${formatSydneyDate(new Date([...untils][0]!))}.`
        : '';
    await tellPayer(inside, payer, {
      kind: 'free-months',
      title: `${months === 1 ? 'A month is' : `${months} months are`} free`,
      sentence: ({ whose, on }) =>
        `An administrator of ${brand.name} gave you ${monthsWords(months)} free of ${tools}${whose}, ${begins.size === 1 ? 'from' : 'the first from'} ${on(new Date(Math.min(...begins)))}.${over}`,
      reason,
      key,
    });
    return { ...(act.parameters as object), given };
  },
  /** Takes them back, with audit row and mail, as long as none of them has begun. */
  undo: async (inside, act, reason) => {
    const { payer, given, months, tools, key } = asked(act);
    await administratorActs.takeFreeMonthsBack(inside, payer, given);
    await audit(inside, 'admin.free_months_taken_back', { ...subjectOf(payer), after: { months, tools, reason } });
    await tellPayer(inside, payer, {
      kind: 'free-months-taken-back',
      title: 'No months are free after all',
      sentence: ({ whose }) =>
        `An administrator of ${brand.name} took back the ${months === 1 ? 'free month' : `${months} free months`} of ${tools}${whose} that you were told of. Nothing has been charged since.`,
      reason,
      key,
    });
  },
};

/** Gives free months of a tool, or of all its payer's tools. */
export async function giveFreeMonths(
  context: Context,
  id: string,
  { months, all, savedCents, reason }: Asked & { savedCents: number; reason: string },
): Promise<string> {
  const outlook = await administratorActs.freeMonthsOutlook(context, id, { months, all });
  const { payer, tools } = outlook;
  await refuseOwn(context, payer);
  if (tools.length === 0) throw new AppError('nothing_to_free');
  if (savedBy(outlook) !== savedCents) throw new AppError('free_months_changed');
  const subject = asStored(payer);
  const parameters = {
    months,
    ids: tools.map((tool) => tool.id),
    tools: listOf(tools.map(({ toolName }) => toolName)),
    payer: subject,
  };
  await ask(context, { kind: 'free_months', subjectId: subject.id, parameters, reason }, freeMonthsKind);
  return `${formatCents(savedCents)} will not be charged. The user is told by email.`;
}
