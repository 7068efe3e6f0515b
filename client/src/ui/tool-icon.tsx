import { clsx } from 'clsx';
import {
  Calculator,
  ChartLine,
  ChartPie,
  ClipboardList,
  FilePen,
  Gauge,
  Landmark,
  type LucideIcon,
  MessageSquare,
  NotebookPen,
  RectangleEllipsis,
  Scale,
  SearchCheck,
  Umbrella,
  Wrench,
} from 'lucide-react';

const icons = {
  gauge: Gauge,
  'clipboard-list': ClipboardList,
  'notebook-pen': NotebookPen,
  'file-pen': FilePen,
  'form-input': RectangleEllipsis,
  'search-check': SearchCheck,
  'line-chart': ChartLine,
  'pie-chart': ChartPie,
  calculator: Calculator,
  landmark: Landmark,
  scale: Scale,
  umbrella: Umbrella,
  'message-square': MessageSquare,
  wrench: Wrench,
} as const satisfies Record<string, LucideIcon>;

type Props = { icon: keyof typeof icons; className?: string };

/** A tool's icon in its hue. `data-tool` on a parent gives the hue to anything inside it (`text-tool`, `bg-tool-subtle`). */
export const ToolIcon = ({ icon, className }: Props) => {
  const Icon = icons[icon];
  return (
    <span
      aria-hidden
      data-tool={icon}
      className={clsx('flex size-10 shrink-0 items-center justify-center rounded bg-tool-subtle text-tool', className)}
    >
      <Icon className="size-5" />
    </span>
  );
};
