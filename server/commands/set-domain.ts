import { newTool } from '#shared/schema/tools.ts';
import { audit } from '#server/audit/service.ts';
import { toolSettings, toolRows } from '#server/catalogue/service.ts';
import { transaction, type Db } from '#server/platform/data/database.ts';

/** Shown to the operator in place of a result. */
export class OperatorError extends Error {}

/** Sets a tool's address, for the command `tools:domain`; returns it as stored. */
export async function setDomain(db: Db, toolId: string, address: string, now: Date): Promise<string> {
  const checked = newTool.shape.domain.safeParse(address);
  if (!checked.success) throw new OperatorError(`The address ${checked.error.issues[0]!.message}.`);
  const domain = new URL(checked.data).href;
  await transaction(db, async (tx) => {
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (!tool) throw new OperatorError(`There is no tool "${toolId}".`);
    const inside = { db: tx, now: () => now };
    await toolSettings.writeSettings(
      inside,
      tool,
      { domain },
      { reason: 'By the command tools:domain', changedBy: null },
    );
    await audit(inside, 'tool.domain_set', {
      tool: toolId,
      actorId: null,
      before: { domain: tool.domain },
      after: { domain },
    });
  });
  return domain;
}
