import type { ToolCall } from '#shared/rules/tools/tool-checks.ts';
import type { Context } from '#server/platform/context.ts';

/** For each tool, so that a busy one doesn't push out the calls of the others. */
const kept = 2000;

/** Keeps in memory what tools' servers asked and were answered, for whoever develops a tool. Tokens as hashes, no secrets. */
export function watchToolCalls(context: Context): (toolId: string) => ToolCall[] {
  const calls = new Map<string, ToolCall[]>();
  context.hearTool = (toolId, call) => void calls.set(toolId, [...(calls.get(toolId) ?? []), call].slice(-kept));
  return (toolId) => calls.get(toolId) ?? [];
}
