import type { UsageByDay } from '#shared/api/analytics.ts';
import { weekdayText } from '#client/features/analytics/chart-scale.ts';

type Layer = { toolId: string; name: string; sessions: number };
type Props = { days: readonly UsageByDay[]; layersOf: (day: UsageByDay) => Layer[] };

/** The chart's figures as a table, newest day first, for those who cannot see it or its colours. */
export const DayTable = ({ days, layersOf }: Props) => (
  <details className="mt-3">
    <summary className="w-fit cursor-pointer rounded-sm text-primary underline underline-offset-4">
      Show the figures as a table
    </summary>
    <div
      tabIndex={0}
      role="group"
      aria-label="Sessions per day"
      className="relative mt-3 max-h-[400px] overflow-auto rounded-sm"
    >
      <table className="figures w-full text-left">
        <thead className="text-xs text-muted">
          <tr>
            {['Day', 'Sessions', 'Tools'].map((name) => (
              <th key={name} scope="col" className="py-1 pr-4 font-medium last:pr-0 nth-2:text-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row" className="py-1.5 pr-4 font-normal whitespace-nowrap">
                {weekdayText(day.date)}
              </th>
              <td className="py-1.5 pr-4 text-right">{day.sessions}</td>
              <td className="py-1.5">
                {layersOf(day)
                  .map(({ name, sessions }) => `${name} ${sessions}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
