import { CalendarCheck, Layers, Undo2 } from 'lucide-react';

const points = [
  [CalendarCheck, 'Free for 30 days', 'Try any tool with no credit card. A trial ends by itself.'],
  [Layers, 'Only the tools you use', 'Each tool has its own monthly price, in Australian dollars with GST included.'],
  [Undo2, 'Leave when you like', 'Cancel where you subscribed, in two clicks. No lock-in.'],
] as const;

/** What an account brings, beside the forms on wide screens. */
export const AuthPitch = () => (
  <div className="hidden max-w-form pt-8 lg:block">
    <p className="text-2xl font-semibold tracking-tight text-balance">Less paperwork, more time with your clients</p>
    <ul className="mt-10 space-y-7">
      {points.map(([Icon, title, text]) => (
        <li key={title} className="flex gap-4">
          <span
            aria-hidden
            className="flex size-10 shrink-0 items-center justify-center rounded bg-primary-subtle text-primary"
          >
            <Icon className="size-5" />
          </span>
          <div>
            <p className="font-medium">{title}</p>
            <p className="mt-0.5 text-sm text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </div>
);
