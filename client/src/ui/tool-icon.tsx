import { clsx } from 'clsx';
import {
  ChartLine,
  ChartPie,
  ClipboardList,
  FilePen,
  Gauge,
  type LucideIcon,
  NotebookPen,
  RectangleEllipsis,
  SearchCheck,
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
} as const satisfies Record<string, LucideIcon>;

type Props = { toolId: string; icon: keyof typeof icons | undefined; className?: string };

/** The tool's icon in its hue. `data-tool` on a parent gives the hue to anything inside it (`text-tool`, `bg-tool-subtle`). */
export const ToolIcon = ({ toolId, icon, className }: Props) => {
  const Icon = icon ? icons[icon] : Wrench;
  return (
    <span
      aria-hidden
      data-tool={toolId}
      className={clsx('flex size-10 shrink-0 items-center justify-center rounded bg-tool-subtle text-tool', className)}
    >
      <Icon className="size-5" />
    </span>
  );
};
