import { unansweredIn } from '#shared/rules/record/disclosure.ts';
import { publicationDemands, type PublicationDemand } from '#shared/rules/tools/publication.ts';
import { isLocalAddress } from '#shared/rules/tools/tools.ts';
import { agreements, type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { checkRuns } from '#server/tools/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { publicLookup } from '#server/platform/http/outgoing.ts';
import { answersOf, examinedState } from './checks.ts';
import { ask } from './tool-check/http.js';

/** Whether the last check came to its end without a fault, and was of the tool as it is now. */
async function isChecked(db: Db, tool: ToolRow): Promise<boolean> {
  const [check] = await checkRuns.checksOf(db, [tool.id]);
  if (!check?.finishedAt || check.fault !== null || check.domain !== tool.domain) return false;
  if (check.examined !== (await examinedState(db, tool))) return false;
  return check.findings.length > 0 && check.findings.every(({ result }) => result !== 'wrong');
}

/** What a tool lacks for publication, or a staging twin (as `triedOut` has it) to be promoted, of what can be known without asking its server. */
export async function missingOf({ db, env }: Context, tool: ToolRow): Promise<PublicationDemand[]> {
  const answers = await answersOf(db, tool);
  const isEncrypted = new URL(tool.domain).protocol === 'https:';
  const has: Record<PublicationDemand, boolean> = {
    tool_undescribed: Boolean(tool.description?.trim()),
    tool_name_taken: !(await toolRows.isNameTaken(db, tool.name, tool.id)),
    // Where tools are developed, they are on the same machine.
    tool_unencrypted: isEncrypted || (env.mode !== 'production' && isLocalAddress(tool.domain)),
    tool_unchecked: await isChecked(db, tool),
    tool_unstated: answers !== null && unansweredIn(answers).length === 0,
    tool_unpriced: tool.isActive || (await agreements.proposalOf(db, tool.id)) !== null,
  };
  return publicationDemands.filter((demand) => !has[demand]);
}

const patienceMs = 8000;

/** Refuses a tool whose address doesn't answer now. */
export async function refuseUnanswered({ env }: Context, { domain }: { domain: string }): Promise<void> {
  const limits = { patienceMs, ...(env.mode === 'production' && { lookup: publicLookup }) };
  const answer = await ask(domain, { method: 'GET', headers: {} }, limits).catch(() => null);
  if (!answer || answer.status >= 500) throw new AppError('tool_unanswered');
}
