import { maxTestAdvisers, triedOut } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import { type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { testAdvisers } from '#server/people/service.ts';
import { launchTool } from '#server/tools/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { addTestAdviser } from './sandbox.ts';

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
