import { type ReactNode, useState } from 'react';
import type { BusinessMonth } from '#shared/api/operators/business.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { BarChart, type BarPart, barTones, niceTop } from '#client/ui/bar-chart.tsx';
import { Panel } from '#client/ui/elements.tsx';
import { FiguresBehindChart } from '#client/ui/figures-table.tsx';

/** One bar per month: its name, height and colour. */
type Series = { name: string; of: (month: BusinessMonth) => number; tone: NonNullable<BarPart['tone']> };
type Column = { name: string; of: (month: BusinessMonth) => ReactNode };

type Props = {
  title: string;
  definition: string;
  months: readonly BusinessMonth[];
  /** The month that is not over yet, where the bars count what happened in a month. */
  now?: string;
  series: readonly Series[];
  /** The bars are cents; otherwise counts. */
  money?: boolean;
  /** Said where there is nothing to draw, such as "No trials". */
  none?: string;
  /** Further columns of the table, without bars. */
  more?: readonly Column[];
};

const whole = (dollars: number) => `$${dollars.toLocaleString('en-AU')}`;

/** Every third month of many is named, the first of a year with it. */
const labelOf = (months: readonly BusinessMonth[], index: number) => {
  const isNamed = (at: number) => months.length <= 4 || (months.length - 1 - at) % 3 === 0;
  if (!isNamed(index)) return null;
  const { month } = months[index]!;
  const before = months.slice(0, index).findLast((_, at) => isNamed(at));
  return before?.month.slice(0, 4) === month.slice(0, 4) ? monthName(month) : shortMonthText(month);
};

/** Twelve months as bars; the month under the pointer in words, and all the figures in a table. */
export const MonthChart = ({
  title,
  definition,
  months,
  now,
  series,
  money = false,
  none = 'Nothing',
  more = [],
}: Props) => {
  const [pointed, setPointed] = useState<string | null>(null);
  const shown = months.find(({ month }) => month === pointed) ?? months.at(-1)!;
  const text = (value: number) => (money ? formatCents(value) : value.toLocaleString('en-AU'));
  const during = `${monthText(shown.month)}${shown.month === now ? ' so far' : ''}`;
  const [only] = series;
  const sentence =
    series.length === 1
      ? `${text(only!.of(shown))} in ${during}`
      : `${during}: ${series.map(({ name, of }) => `${name[0]!.toLowerCase()}${name.slice(1)} ${text(of(shown))}`).join(', ')}`;
  const unit = money ? 100 : 1;
  const most = Math.max(0, ...months.flatMap((month) => series.map(({ of }) => of(month))));
  // One bar says nothing that the sentence does not.
  const isDrawn = months.filter((month) => series.some(({ of }) => of(month) !== 0)).length > 1;
  if (most === 0)
    return (
      <Panel title={title} bodyClassName="pt-0.5">
        <p className="text-sm text-muted">{`${none} in these twelve months.`}</p>
      </Panel>
    );
  return (
    <Panel title={title} description={sentence}>
      {isDrawn && (
        <BarChart
          top={niceTop(most / unit) * unit}
          tick={(value) => (money ? whole(value / unit) : value.toLocaleString('en-AU'))}
          label={`Bars of ${title.toLowerCase()} per month. ${sentence}. The figures are in the table below.`}
          onPoint={setPointed}
          groups={months.map((month, index) => ({
            key: month.month,
            label: labelOf(months, index),
            bars: series.map(({ name, of, tone }) => [{ key: name, value: of(month), tone }]),
          }))}
        />
      )}
      {isDrawn && (
        <ul aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {series.map(({ name, tone }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className={`size-2.5 rounded-sm ${barTones[tone]}`} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <FiguresBehindChart
        label={`${title} per month`}
        head={['Month', ...series.map(({ name }) => name), ...more.map(({ name }) => name)]}
        rows={months.toReversed().map((month) => ({
          key: month.month,
          cells: [
            monthText(month.month),
            ...series.map(({ of }) => text(of(month))),
            ...more.map(({ of }) => of(month)),
          ],
        }))}
      >
        <p>{definition}</p>
      </FiguresBehindChart>
    </Panel>
  );
};

const long = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en-AU', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const first = (month: string) => new Date(`${month}-01T12:00:00Z`);

/** `2026-11` as `November 2026`. */
export const monthText = (month: string) => long.format(first(month));
/** `2026-11` as `Nov 2026`. */
export const shortMonthText = (month: string) => short.format(first(month));
/** `2026-11` as `Nov`. */
export const monthName = (month: string) => shortMonthText(month).split(' ')[0]!;
