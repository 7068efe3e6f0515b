import type { Activity, UsageByDay, UsageByTool } from '#shared/api/analytics.ts';
import type { NewestRow } from '#server/usage/service.ts';
import { grouped } from '#server/platform/data/together.ts';
import type { DayRow } from './queries.ts';

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/** Scores have two decimals, so hundredths add up exactly. */
const hundredths = (decimal: string) => Math.round(Number(decimal) * 100);

type Scored = { scoreTotal: string; scoreCount: number };

/** The mean of all scores, or null without one. */
export const averageScore = (rows: readonly Scored[]): number | null => {
  const count = sum(rows, (row) => row.scoreCount);
  return count === 0 ? null : sum(rows, (row) => hundredths(row.scoreTotal)) / count / 100;
};

/** The chart's bars, one for each day, with or without usage. */
export const byDay = (rows: readonly DayRow[], days: readonly string[]): UsageByDay[] => {
  const rowsOf = grouped(
    rows.filter((row) => row.sessions > 0),
    (row) => row.day,
  );
  return days.map((date) => {
    const used = rowsOf.get(date) ?? [];
    const tools = used.map(({ toolId, sessions }) => ({ toolId, sessions }));
    return { date, sessions: sum(used, (row) => row.sessions), tools };
  });
};

/** The most used tool first. */
export const byTool = (rows: readonly DayRow[]): UsageByTool[] =>
  [...grouped(rows, (row) => row.toolId)]
    .map(([toolId, used]) => ({
      toolId,
      name: used[0]!.name,
      sessions: sum(used, (row) => row.sessions),
      durationSeconds: sum(used, (row) => row.durationSeconds),
      avgPerformance: averageScore(used),
      minutesSaved: sum(used, (row) => row.sessions * row.minutesSaved),
    }))
    .toSorted((a, b) => b.sessions - a.sessions || a.name.localeCompare(b.name));

/** One line of Recent Activity; figures that no tool reported are absent. */
export const activityOf = (row: NewestRow): Activity => {
  const score = averageScore([row]);
  return {
    id: row.id,
    toolId: row.toolId,
    date: row.createdAt,
    ...(row.reports > 0 && { sessionDuration: row.durationSeconds }),
    ...(score !== null && { performanceScore: score.toFixed(2) }),
  };
};
