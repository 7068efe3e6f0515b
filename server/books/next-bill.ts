import type { FileReply, Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { teamPayer } from '#server/payers/service.ts';
import { billingForecast, readBill } from '#server/subscriptions/service.ts';
import { membersOf, requireTeamRight } from '#server/teams/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csvOf } from '#server/platform/http/csv.ts';
import { billByPerson } from './by-person.ts';

/** `GET /api/teams/{teamId}/next-bill`: the forecast by person and tool, for whoever pays; null where no bill is coming. */
export async function nextBillOf(
  context: Context,
  actor: ActorRow,
  teamId: string,
): Promise<Reply<typeof contract.books.nextBill>> {
  await requireTeamRight(context.db, teamId, actor.id, 'manage');
  const { bill } = await billingForecast(context, teamPayer(teamId));
  if (!bill) return null;
  const members = (await membersOf(context.db, teamId)).filter(({ role }) => takesSeat(role));
  const people = members.map(({ userId, user }) => ({ userId, name: `${user.firstName} ${user.lastName}`.trim() }));
  const { slots } = await readBill(context, teamPayer(teamId));
  const chosen = new Map(slots.map((row) => [row.toolId, row.chosenUsers]));
  return {
    day: bill.day,
    ...billByPerson(bill, people, (toolId, userId) => chosen.get(toolId)?.includes(userId) ?? true),
  };
}

type Row = { person: string; tool: string; what: string; cents: number };
const columns: Columns<Row> = {
  Person: ({ person }) => person,
  Tool: ({ tool }) => tool,
  For: ({ what }) => what,
  'Amount with GST (AUD)': ({ cents }) => cents / 100,
};

/** As a file for spreadsheets; its last line is the total. */
export async function nextBillCsv(context: Context, actor: ActorRow, teamId: string): Promise<FileReply> {
  const bill = await nextBillOf(context, actor, teamId);
  const rows = (bill?.people ?? []).flatMap(({ name, tools }) =>
    tools.flatMap(({ toolName, monthCents, daysCents }): Row[] => [
      { person: name, tool: toolName, what: 'The month', cents: monthCents },
      { person: name, tool: toolName, what: 'Days before it', cents: daysCents },
    ]),
  );
  const others = (bill?.practice ?? []).map(({ label, cents }) => ({ person: '', tool: '', what: label, cents }));
  const total = { person: 'Total', tool: '', what: '', cents: bill?.totalCents ?? 0 };
  return {
    name: `adviserly-next-bill-${bill?.day ?? 'none'}.csv`,
    body: csvOf(columns, [...[...rows, ...others].filter(({ cents }) => cents !== 0), total]),
  };
}
