import type { UsageByDay } from '#shared/api/analytics.ts';
import { weekdayText } from '#client/features/analytics/day-text.ts';
import { FiguresBehindChart } from '#client/ui/figures-table.tsx';

type Layer = { toolId: string; name: string; sessions: number };
type Props = { days: readonly UsageByDay[]; layersOf: (day: UsageByDay) => Layer[] };

/** The chart's figures as a table, newest day first. */
export const DayTable = ({ days, layersOf }: Props) => (
  <FiguresBehindChart
    label="Sessions per day"
    head={['Day', 'Sessions', 'Tools']}
    words={[2]}
    rows={days.toReversed().map((day) => ({
      key: day.date,
      cells: [
        weekdayText(day.date),
        day.sessions,
        layersOf(day)
          .map(({ name, sessions }) => `${name} ${sessions}`)
          .join(', '),
      ],
    }))}
  />
);
