import clsx from 'clsx';

const steps = ['Account', 'Profile', 'First tool'] as const;

/** How far a newcomer has come on the way to the first tool; `current` counts from 1. */
export const OnboardingSteps = ({ current, className }: { current: 1 | 2 | 3; className?: string }) => (
  <ol aria-label="Getting started" className={clsx('grid grid-cols-3 gap-2 text-xs', className)}>
    {steps.map((step, index) => {
      const number = index + 1;
      const here = number === current;
      return (
        <li key={step} aria-current={here ? 'step' : undefined} className="min-w-0">
          <span
            aria-hidden
            className={clsx('mb-2 block h-1 rounded-full', number <= current ? 'bg-primary' : 'bg-border')}
          />
          <span className={clsx('block truncate', here ? 'font-medium text-text' : 'text-muted')}>
            <span className="figures">{number}</span> {step}
            {number < current && <span className="sr-only">, done</span>}
          </span>
        </li>
      );
    })}
  </ol>
);
