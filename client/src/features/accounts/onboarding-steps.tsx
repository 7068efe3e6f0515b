import clsx from 'clsx';
import { Check } from 'lucide-react';

const steps = ['Your account', 'Your profile', 'Your first tool'] as const;

/** How far a newcomer is on the way to the first tool; `current` counts from 1. */
export const OnboardingSteps = ({ current }: { current: 1 | 2 | 3 }) => (
  <ol aria-label="Getting started" className="flex items-center gap-2 text-xs">
    {steps.map((step, index) => {
      const number = index + 1;
      const done = number < current;
      const here = number === current;
      return (
        <li
          key={step}
          aria-current={here ? 'step' : undefined}
          className={clsx(
            'flex items-center gap-2 whitespace-nowrap',
            here ? 'font-medium text-text' : 'text-muted',
            index > 0 && 'before:h-px before:w-3 before:bg-border sm:before:w-6',
          )}
        >
          <span
            aria-hidden
            className={clsx(
              'figures flex size-5 items-center justify-center rounded-full font-medium',
              done && 'bg-primary-subtle text-primary',
              here && 'bg-primary text-primary-foreground',
              !done && !here && 'bg-surface-subtle',
            )}
          >
            {done ? <Check className="size-3" /> : number}
          </span>
          {step}
          {done && <span className="sr-only">, done</span>}
        </li>
      );
    })}
  </ol>
);
