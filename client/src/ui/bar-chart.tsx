import { clsx } from 'clsx';

/** One coloured part of a bar: in a tone, or in a tool's hue, by its icon. */
export type BarPart = {
  key: string;
  value: number;
  icon?: string;
  tone?: 'primary' | 'success' | 'info' | 'danger' | 'muted' | undefined;
};
type BarGroup = {
  key: string;
  /** Under the axis; null where there is no room for one. */
  label: string | null;
  /** Bars side by side, each a stack of parts. */
  bars: readonly (readonly BarPart[])[];
};

type Props = {
  groups: readonly BarGroup[];
  /** The highest figure of the axis. */
  top: number;
  tick?: (value: number) => string;
  /** Says in words what is drawn, and where to find the figures. */
  label: string;
  /** The group under the pointer; null as it leaves. */
  onPoint: (key: string | null) => void;
};

export const barTones = {
  primary: 'bg-primary',
  success: 'bg-success',
  info: 'bg-info',
  danger: 'bg-danger',
  muted: 'bg-muted',
} as const;

const sumOf = (parts: readonly BarPart[]) => parts.reduce((sum, { value }) => sum + value, 0);

const Bar = ({ parts, top }: { parts: readonly BarPart[]; top: number }) => (
  <span
    className="flex w-full max-w-14 flex-col-reverse gap-px overflow-hidden rounded-t-sm"
    style={{ height: `${(Math.max(0, sumOf(parts)) / top) * 100}%` }}
  >
    {parts.map(({ key, value, icon, tone }) => (
      <span
        key={key}
        data-tool={tone ? undefined : icon}
        className={clsx('w-full', tone ? barTones[tone] : 'bg-tool')}
        style={{ flexGrow: value }}
      />
    ))}
  </span>
);

/** Bars over days or months. It is one picture; a table beside it has the figures for those who cannot see it. */
export const BarChart = ({ groups, top, tick = String, label, onPoint }: Props) => (
  <div className="flex gap-2" onPointerLeave={() => onPoint(null)}>
    <div aria-hidden className="figures flex h-40 flex-col justify-between text-right text-xs text-muted">
      {[top, top / 2, 0].map((value) => (
        <span key={value} className="-my-2">
          {tick(value)}
        </span>
      ))}
    </div>
    <div className="min-w-0 flex-1">
      <div role="img" aria-label={label} className="relative flex h-40 items-end gap-px border-b sm:gap-1">
        <span aria-hidden className="absolute inset-x-0 top-0 border-t border-dashed" />
        <span aria-hidden className="absolute inset-x-0 top-1/2 border-t border-dashed" />
        {groups.map(({ key, bars }) => (
          <span
            key={key}
            className={clsx(
              'relative flex h-full min-w-0 flex-1 items-end justify-center gap-px hover:bg-surface-subtle',
              bars.length > 1 && groups.length <= 12 && 'px-1 sm:px-3',
            )}
            onPointerEnter={() => onPoint(key)}
          >
            {bars.map((parts, index) => (
              <Bar key={index} parts={parts} top={top} />
            ))}
          </span>
        ))}
      </div>
      <div aria-hidden className="flex gap-px text-xs text-muted sm:gap-1">
        {groups.map(({ key, label: text }, index) => (
          <span key={key} className="relative h-5 min-w-0 flex-1">
            {text !== null && (
              <span
                className={clsx(
                  'absolute top-1 whitespace-nowrap',
                  index === groups.length - 1 && groups.length > 12 ? 'right-0' : 'left-1/2 -translate-x-1/2',
                )}
              >
                {text}
              </span>
            )}
          </span>
        ))}
      </div>
    </div>
  </div>
);

/** The top of an axis whose top and middle are whole numbers: 2, 4, 6, 10, 20, 40 … */
export const niceTop = (most: number) => {
  const steps = [2, 4, 6, 10];
  for (let scale = 1; ; scale *= 10) {
    const top = steps.find((step) => step * scale >= most);
    if (top) return top * scale;
  }
};
