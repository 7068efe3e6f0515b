import type { Context } from '#server/platform/context.ts';
import { activeTools } from './queries.ts';
import type { ToolRow } from './queries-tools.ts';

/** A tool's address until the operator sets one. It is under a reserved TLD, which nobody can register. */
export const placeholder = (toolId: string) => `https://${toolId}.adviserly.example`;

type Tool = Pick<ToolRow, 'id' | 'domain' | 'comingSoon'>;
/** Whether it still has the address that nobody can register. */
export const leadsNowhere = ({ id, domain }: Tool) => new URL(domain).hostname === new URL(placeholder(id)).hostname;

/** Whether it can't be bought yet: an administrator says so, or in production a launch would lead nowhere. */
export const isComingSoon = ({ env }: Pick<Context, 'env'>, tool: Tool): boolean =>
  tool.comingSoon || (env.mode === 'production' && leadsNowhere(tool));

/** The tools as visitors and advisers see them. */
export const shown = <One extends Tool>(context: Pick<Context, 'env'>, tools: One[]): One[] =>
  tools.map((tool) => ({ ...tool, comingSoon: isComingSoon(context, tool) }));

/** A sentence for the operator about the tools that have no address yet; null if all have one. */
export async function missing({ db }: Pick<Context, 'db'>): Promise<string | null> {
  const without = (await activeTools(db)).filter((tool) => !tool.comingSoon && leadsNowhere(tool));
  if (without.length === 0) return null;
  return `No address, so not for sale: ${without.map(({ id }) => id).join(', ')}. Set each on /admin/tools/ID, or by tools:domain.`;
}
