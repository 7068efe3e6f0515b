import { day, hour } from '#shared/rules/dates.ts';

export type Usage = { toolId: string; createdAt: Date; lastAccessed: Date };

export type ToolUsage = { sessions: number; lastUsed: Date | null };

const latest = (one: Date | null, other: Date) => (one && one > other ? one : other);

export const usageByTool = (records: readonly Usage[]): Map<string, ToolUsage> => {
  const byTool = new Map<string, ToolUsage>();
  for (const { toolId, lastAccessed } of records) {
    const { sessions, lastUsed } = byTool.get(toolId) ?? { sessions: 0, lastUsed: null };
    byTool.set(toolId, { sessions: sessions + 1, lastUsed: latest(lastUsed, lastAccessed) });
  }
  return byTool;
};

/** "less than 1 hour ago", "N hours ago", "N days ago" or "Never". */
export const lastUsedText = (lastUsed: Date | null, now: Date) => {
  if (!lastUsed) return 'Never';
  const ms = now.getTime() - lastUsed.getTime();
  const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  if (ms < hour) return 'less than 1 hour ago';
  return ms < day ? ago(Math.floor(ms / hour), 'hour') : ago(Math.floor(ms / day), 'day');
};
