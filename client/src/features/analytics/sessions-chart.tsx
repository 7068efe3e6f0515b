import { useState } from 'react';
import type { UsageByDay, UsageByTool } from '#shared/api/analytics.ts';
import { DayTable } from '#client/features/analytics/day-table.tsx';
import { dayText, niceTop, sessionsText } from '#client/features/analytics/chart-scale.ts';
import { Panel } from '#client/ui/card.tsx';

type Props = { days: readonly UsageByDay[]; tools: readonly UsageByTool[] };

const labelled = (index: number, count: number) => (count - 1 - index) % 7 === 0;

/** Stacked in the same order every day, the tool most used overall at the bottom. */
const layers = ({ tools: used }: UsageByDay, tools: readonly UsageByTool[]) =>
  tools
    .map(({ toolId, name }) => ({ toolId, name, sessions: used.find((each) => each.toolId === toolId)?.sessions ?? 0 }))
    .filter(({ sessions }) => sessions > 0);

const Bar = ({ day, tools, top }: { day: UsageByDay; tools: Props['tools']; top: number }) => (
  <span
    className="flex w-full flex-col-reverse gap-px overflow-hidden rounded-t-sm"
    style={{ height: `${(day.sessions / top) * 100}%` }}
  >
    {layers(day, tools).map(({ toolId, sessions }) => (
      <span key={toolId} data-tool={toolId} className="w-full bg-tool" style={{ flexGrow: sessions }} />
    ))}
  </span>
);

/**
 * Sessions per day: a bar's height shows how many, its colours which tools. The line above says both in words for the day
 * under the pointer, the table below for every day.
 */
export const SessionsChart = ({ days, tools }: Props) => {
  const [pointed, setPointed] = useState<UsageByDay | null>(null);
  const total = days.reduce((sum, day) => sum + day.sessions, 0);
  const busiest = days.reduce<UsageByDay | null>(
    (best, day) => (best && best.sessions >= day.sessions ? best : day),
    null,
  );
  const top = niceTop(busiest?.sessions ?? 0);
  const summary =
    busiest && total > 0
      ? `${sessionsText(total)}, most on ${dayText(busiest.date)} (${busiest.sessions})`
      : 'No sessions';
  return (
    <Panel as="h3" title="Sessions per day" description={pointed ? told(pointed, tools) : summary}>
      <div className="flex gap-2" onPointerLeave={() => setPointed(null)}>
        <div aria-hidden className="figures flex h-40 flex-col justify-between text-right text-xs text-muted">
          {[top, top / 2, 0].map((tick) => (
            <span key={tick} className="-my-2">
              {tick}
            </span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <div
            role="img"
            aria-label={`Bars of sessions per day: ${summary}. The figures are in the table below.`}
            className="relative flex h-40 items-end gap-px border-b sm:gap-1"
          >
            <span aria-hidden className="absolute inset-x-0 top-0 border-t border-dashed" />
            <span aria-hidden className="absolute inset-x-0 top-1/2 border-t border-dashed" />
            {days.map((day) => (
              <span
                key={day.date}
                className="relative flex h-full min-w-0 flex-1 items-end hover:bg-surface-subtle"
                onPointerEnter={() => setPointed(day)}
              >
                <Bar day={day} tools={tools} top={top} />
              </span>
            ))}
          </div>
          <div aria-hidden className="flex gap-px text-xs text-muted sm:gap-1">
            {days.map(({ date }, index) => (
              <span key={date} className="relative h-5 min-w-0 flex-1">
                {labelled(index, days.length) && (
                  <span
                    className={`absolute top-1 whitespace-nowrap ${index === days.length - 1 ? 'right-0' : 'left-1/2 -translate-x-1/2'}`}
                  >
                    {dayText(date)}
                  </span>
                )}
              </span>
            ))}
          </div>
        </div>
      </div>
      <DayTable days={days} layersOf={(day) => layers(day, tools)} />
    </Panel>
  );
};

const told = (day: UsageByDay, tools: readonly UsageByTool[]) => {
  const parts = layers(day, tools).map(({ name, sessions }) => `${name} ${sessions}`);
  return `${dayText(day.date)}: ${sessionsText(day.sessions)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
};
