import { Blocks, Clock, Gauge, MousePointerClick } from 'lucide-react';
import type { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { performanceScale, spentText } from '#shared/rules/record/analytics.ts';
import { Card } from '#client/ui/card.tsx';
import { Skeleton } from '#client/ui/query-view.tsx';
import { Tile } from '#client/ui/tile.tsx';

export type Figures = Reply<typeof contract.analytics.dashboard>;

export const cardGrid = 'grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-4';

const Performance = ({ value, known }: { value: number; known: boolean }) => (
  <Tile
    label="Avg Performance"
    icon={<Gauge />}
    value={known ? value.toFixed(1) : '–'}
    note={
      <>
        <span
          role="progressbar"
          aria-label="Average performance"
          aria-valuemin={0}
          aria-valuemax={performanceScale}
          aria-valuenow={Number(value.toFixed(1))}
          aria-valuetext={known ? `${value.toFixed(1)} out of 10.0` : 'No scores yet'}
          className="mt-1 mb-1.5 block h-1.5 w-32 max-w-full overflow-hidden rounded-full bg-surface-subtle"
        >
          <span className="block h-full bg-primary" style={{ width: `${Math.min(100, value * 10)}%` }} />
        </span>
        Out of 10.0
      </>
    }
  />
);

export const FigureCards = ({ figures }: { figures: Figures }) => (
  <div className={cardGrid}>
    <Tile label="Total Sessions" icon={<MousePointerClick />} value={figures.totalSessions} note="Across all tools" />
    <Tile label="Total Time" icon={<Clock />} value={spentText(figures.totalDuration)} note="Time spent using tools" />
    <Performance value={figures.avgPerformance} known={figures.scores > 0} />
    <Tile label="Active Tools" icon={<Blocks />} value={figures.activeSubscriptions} note="Subscribed tools" />
  </div>
);

export const CardPlaceholders = () => (
  <div className={cardGrid}>
    {[0, 1, 2, 3].map((card) => (
      <Card key={card} className="space-y-2.5 p-5">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-7 w-16" />
        <Skeleton className="h-3.5 w-32" />
      </Card>
    ))}
  </div>
);
