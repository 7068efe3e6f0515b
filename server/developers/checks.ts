import type { ToolCheck } from '#shared/api/developers.ts';
import type { Disclosure } from '#shared/rules/record/disclosure.ts';
import { checkStateOf } from '#shared/rules/tools/tool-checks.ts';
import type { ToolRow } from '#server/catalogue/service.ts';
import { findDisclosure } from '#server/record/service.ts';
import { checkRuns } from '#server/tools/service.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/data/database.ts';
import { checksFor } from './tool-check/checks.js';

const stopped = 'The check was cut off, such as by a restart of our server. Please run it again.';

export async function lastCheckOf(db: Db, toolId: string): Promise<ToolCheck | null> {
  const [row] = await checkRuns.checksOf(db, [toolId]);
  if (!row) return null;
  const state = checkStateOf(row, realNow());
  const total = checksFor(row.finish !== null).length;
  const ahead = state === 'waiting' ? await checkRuns.countAhead(db, row, realNow()) : 0;
  return { ...row, state, fault: state === 'stopped' ? (row.fault ?? stopped) : null, total, ahead };
}

type Examined = Pick<ToolRow, 'id' | 'domain' | 'eventsUrl' | 'scopes' | 'isActive' | 'stagingAnswers'>;

/** What a maker says of the tool that is tried out: what waits with a staging twin, else what stands on the tool's page. */
export const answersOf = async (db: Db, { id, isActive, stagingAnswers }: Examined): Promise<Disclosure | null> =>
  (isActive && stagingAnswers) || ((await findDisclosure(db, id))?.answers ?? null);

/** What an examination holds for: the tool's addresses, what it is told of people, and the version that its maker states. */
export async function examinedState(db: Db, tool: Examined): Promise<string> {
  const { domain, eventsUrl, scopes } = tool;
  const version = (await answersOf(db, tool))?.version ?? null;
  return hashToken(JSON.stringify([domain, eventsUrl, scopes.toSorted(), version]));
}
