import { randomUUID } from 'node:crypto';
import { sydneyDate } from '#shared/rules/dates.ts';
import {
  type EndReason,
  isOwnEvent,
  maxTestAdvisers,
  type OwnEventType,
  type TestEnding,
  type ToolEventType,
  triedOut,
} from '#shared/rules/tools/tools.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { testAdvisers } from '#server/people/service.ts';
import { findEvent, launchTool, replay, sendEvent, subjectOf } from '#server/tools/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';

/** Made-up people. Awkward names are there on purpose: one is markup, since a name may be anything. */
const people = [
  ['Alex', 'Nguyen', 'Harbour Licensee'],
  ['Siobhán </b>"&\'', 'O’Brien-Smith', 'Wattle Advice Group'],
  ['Priya', 'Ramanathan', 'Harbour Licensee'],
  ['Bo', 'Li', 'Banksia Wealth'],
  ['Maximilian', 'von der Heide', 'Self-licensed'],
] as const;

/** The tool where it is tried out: a published one at its staging twin. */
export function requireTriedOut(tool: ToolRow): ToolRow {
  const tried = triedOut(tool);
  if (!tried) throw new AppError('no_staging');
  return tried;
}

/** One more made-up person who may use the tool. */
export async function addTestAdviser(inside: Context, tool: ToolRow): Promise<void> {
  requireTriedOut(tool);
  const number = await testAdvisers.countTestAdvisers(inside.db, tool.id);
  if (number >= maxTestAdvisers) throw new AppError('test_advisers_full');
  const [firstName, lastName, dealerGroup] = people[number % people.length]!;
  // `.invalid` belongs to nobody (RFC 2606), and the tool's id keeps addresses apart.
  const email = `adviser-${number + 1}@${tool.id}.invalid`;
  await testAdvisers.insertTestAdviser(inside.db, tool.id, { firstName, lastName, email, dealerGroup }, inside.now());
}

/** The account of a test adviser who has this id at the tool. */
async function accountOf(db: Db, tool: ToolRow, id: string): Promise<string> {
  const found = (await testAdvisers.testAdvisersOf(db, tool.id)).find((one) => subjectOf(tool, one.id) === id);
  if (!found) throw new AppError('test_adviser_not_found');
  return found.id;
}

/** Opens the tool as one of its test advisers, as the dashboard opens a tool for an adviser. */
export async function launchAs(context: Context, tool: ToolRow, id: string): Promise<{ url: string }> {
  return launchTool(context, await accountOf(context.db, tool, id), requireTriedOut(tool));
}

/** Ends a test adviser's access in one of the ways access can end, or gives it back; the tool is told as in production. */
export async function endAccess(inside: Context, tool: ToolRow, id: string, ended: TestEnding | null): Promise<void> {
  requireTriedOut(tool);
  const userId = await accountOf(inside.db, tool, id);
  if (!(await testAdvisers.setEnded(inside.db, tool.id, userId, ended))) throw new AppError('test_adviser_not_found');
  await accessChanged(inside, { userId });
}

const ofTest = 'A test event: nothing has happened';
/** What a test event about the tool itself says, of something made up that begins today. */
const madeUp = (today: string): Record<OwnEventType, Record<string, unknown>> => {
  const stays = { version: null, model: null, data_location: null, sub_processors: null };
  const terms = { versions: [], from_day: today, until_day: null, wrong: ofTest, look_for: ofTest };
  return {
    'tool.changed': { announcement_id: randomUUID(), ...stays, note: ofTest, on_day: today, mends_fault: false },
    'incident.opened': { incident_id: randomUUID(), ...terms, severity: 'low', stops_new_sessions: false },
    'incident.closed': { incident_id: randomUUID(), reason: ofTest },
  };
};

/** Sends an event of any kind about a test adviser, whose access stays as it is, or about the tool itself. */
export async function sendTestEvent(
  inside: Context,
  tool: ToolRow,
  id: string,
  { type, reason }: { type: ToolEventType; reason?: EndReason | undefined },
): Promise<void> {
  if (!requireTriedOut(tool).eventsUrl) throw new AppError('no_events_address');
  const userId = await accountOf(inside.db, tool, id);
  const to = { userId, toolId: tool.id };
  if (type === 'access.ended') return sendEvent(inside, to, { type, reason: reason ?? 'cancelled' });
  if (!isOwnEvent(type)) return sendEvent(inside, to, { type });
  await sendEvent(inside, to, { type, details: madeUp(sydneyDate(inside.now()))[type] });
}

export async function replayDelivery(inside: Context, tool: ToolRow, id: string): Promise<void> {
  const event = await findEvent(inside.db, id);
  if (event?.toolId !== tool.id) throw new AppError('event_not_found');
  await replay(inside, id);
}

/** An administrator opens a tool that waits for their decision, as its first test adviser who may use it. */
export const tryOut = (context: Context, toolId: string): Promise<{ url: string; name: string }> =>
  inTransaction(context, async (inside, tx) => {
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (!tool?.ownerId) throw new AppError('tool_not_found');
    const tried = triedOut(tool);
    if (!tried || !tool.requestedAt) throw new AppError('not_requested');
    const adviser = (await openAdviser(inside, toolId)) ?? (await anotherAdviser(inside, tool));
    const name = `${adviser.firstName} ${adviser.lastName}`;
    const { url } = await launchTool(inside, adviser.id, tried);
    await audit(inside, 'admin.tool_tried', { tool: toolId, after: { name } });
    return { url, name };
  });

const openAdviser = async ({ db }: Context, toolId: string) =>
  (await testAdvisers.testAdvisersOf(db, toolId)).find(({ ended }) => ended === null);

/** For a tool whose maker has ended everybody's access. */
async function anotherAdviser(inside: Context, tool: ToolRow) {
  if ((await testAdvisers.countTestAdvisers(inside.db, tool.id)) >= maxTestAdvisers)
    throw new AppError('test_adviser_ended');
  await addTestAdviser(inside, tool);
  return (await openAdviser(inside, tool.id))!;
}
