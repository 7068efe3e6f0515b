import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type Props = {
  /** What the figures show, such as "Sessions per day". */
  label: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** The cells of a last row, which sums up the others. */
  total?: readonly ReactNode[] | false;
  /** The columns, by index, that hold words; the first always does. */
  words?: readonly number[];
  /** The columns, by index, that a phone leaves out. */
  wide?: readonly number[];
};

/** Figures in rows. Focusable, so that the keyboard can scroll it; a shadow shows where more follows. */
export const FiguresTable = ({ label, head, rows, total, words = [], wide = [] }: Props) => {
  const side = (index: number) =>
    clsx(index === 0 || words.includes(index) ? 'text-left' : 'text-right', wide.includes(index) && 'max-sm:hidden');
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={label}
      className="scroll-shadows relative mt-3 max-h-[400px] overflow-auto focus-visible:rounded-sm"
    >
      <table className="figures w-full text-sm">
        <thead className="align-bottom text-xs text-muted">
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" className={clsx('py-1 pr-4 font-medium last:pr-0 max-sm:pr-2', side(index))}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {[...rows, ...(total ? [{ key: 'total', cells: total }] : [])].map(({ key, cells: [first, ...cells] }) => (
            <tr key={key} className={clsx(key === 'total' && 'font-medium')}>
              <th scope="row" className="py-1.5 pr-4 text-left max-sm:pr-2 [font-weight:inherit] whitespace-nowrap">
                {first}
              </th>
              {cells.map((cell, index) => (
                <td key={index} className={clsx('py-1.5 pr-4 last:pr-0 max-sm:pr-2', side(index + 1))}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** What a chart's figures mean, and the figures, for those who cannot see it or its colours. */
export const FiguresBehindChart = ({ children, ...figures }: Props & { children?: ReactNode }) => (
  <details className="mt-3">
    <summary>Show the figures as a table</summary>
    {children && <div className="mt-3 space-y-3 text-sm text-muted">{children}</div>}
    <FiguresTable {...figures} />
  </details>
);
