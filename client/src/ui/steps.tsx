type Props = { steps: readonly (readonly [title: string, text: string])[]; as?: 'h3' | 'p' };

/** What comes one after the other, numbered. */
export const Steps = ({ steps, as: Title = 'p' }: Props) => (
  <ol className="grid gap-y-5">
    {steps.map(([title, text], at) => (
      <li key={title} className="flex gap-4">
        <span
          aria-hidden
          className="figures flex size-8 shrink-0 items-center justify-center rounded-full bg-primary-subtle text-sm font-semibold text-primary"
        >
          {at + 1}
        </span>
        <div>
          <Title className="pt-1 text-base font-semibold">{title}</Title>
          <p className="mt-1 text-sm text-pretty text-muted">{text}</p>
        </div>
      </li>
    ))}
  </ol>
);
