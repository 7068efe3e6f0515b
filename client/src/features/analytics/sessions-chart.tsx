import { useState } from 'react';
import type { UsageByDay, UsageByTool } from '#shared/api/analytics.ts';
import { dayText, sessionsText, weekdayText } from '#client/features/analytics/day-text.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { BarChart, niceTop } from '#client/ui/bar-chart.tsx';
import { Panel } from '#client/ui/elements.tsx';
import { FiguresBehindChart } from '#client/ui/figures-table.tsx';

type Props = { days: readonly UsageByDay[]; tools: readonly UsageByTool[] };

const labelled = (index: number, count: number) => (count - 1 - index) % 7 === 0;

/** The tools are stacked in one order every day, the most used overall at the bottom. */
const layers = ({ tools: used }: UsageByDay, tools: readonly UsageByTool[]) =>
  tools
    .map(({ toolId, name }) => ({ toolId, name, sessions: used.find((each) => each.toolId === toolId)?.sessions ?? 0 }))
    .filter(({ sessions }) => sessions > 0);

/** The chart's figures as a table, newest day first. */
const DayTable = ({ days, tools }: Props) => (
  <FiguresBehindChart
    label="Sessions per day"
    head={['Day', 'Sessions', 'Tools']}
    words={[2]}
    rows={days.toReversed().map((day) => ({
      key: day.date,
      cells: [
        weekdayText(day.date),
        day.sessions,
        layers(day, tools)
          .map(({ name, sessions }) => `${name} ${sessions}`)
          .join(', '),
      ],
    }))}
  />
);

/**
 * Sessions per day: a bar's height shows how many, its colours which tools. The line above says both in words for the day
 * under the pointer, the table below for every day.
 */
export const SessionsChart = ({ days, tools }: Props) => {
  const lookOf = useToolLook();
  const [pointed, setPointed] = useState<UsageByDay | null>(null);
  const total = days.reduce((sum, day) => sum + day.sessions, 0);
  const most = Math.max(0, ...days.map(({ sessions }) => sessions));
  const summary = total > 0 ? `${sessionsText(total)} in the last 30 days, at most ${most} a day` : 'No sessions';
  return (
    <Panel as="h3" title="Sessions per day" description={pointed ? dayInWords(pointed, tools) : summary}>
      <BarChart
        top={niceTop(most)}
        label={`Bars of sessions per day: ${summary}. The figures are in the table below.`}
        onPoint={(key) => setPointed(days.find(({ date }) => date === key) ?? null)}
        groups={days.map((day, index) => ({
          key: day.date,
          label: labelled(index, days.length) ? dayText(day.date) : null,
          bars: [
            layers(day, tools).map(({ toolId, sessions }) => ({
              key: toolId,
              value: sessions,
              icon: lookOf(toolId).icon,
            })),
          ],
        }))}
      />
      <ul aria-label="Tools in the chart" className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {tools.map(({ toolId, name }) => (
          <li key={toolId} data-tool={lookOf(toolId).icon} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-sm bg-tool" />
            {name}
          </li>
        ))}
      </ul>
      <DayTable days={days} tools={tools} />
    </Panel>
  );
};

const dayInWords = (day: UsageByDay, tools: readonly UsageByTool[]) => {
  const parts = layers(day, tools).map(({ name, sessions }) => `${name} ${sessions}`);
  return `${dayText(day.date)}: ${sessionsText(day.sessions)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
};
