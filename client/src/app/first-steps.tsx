import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import type { Launching } from '#client/features/tools/use-launch.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { chosenTool } from '#client/lib/pages/chosen-tool.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, ButtonLink, Panel } from '#client/ui/elements.tsx';

type Step = { title: string; text: string; done: boolean; action?: ReactNode };

export const useFirstSteps = ({ launch, openingId }: Launching): Step[] | null => {
  const tools = useApiQuery(contract.tools.list).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const analytics = useApiQuery(contract.analytics.dashboard).data;
  const owes = Boolean(useForecast({}).data?.owed);
  // Paying comes before opening. They stay hidden until it is known whether they have used a tool, and for good once they have.
  if (!tools || !subscriptions || !analytics || analytics.everUsed || owes) return null;
  // The free tool comes with any other.
  const held = subscriptions.filter(({ hasAccess, toolId }) => hasAccess && toolId !== lostMoneyTool);
  // Who subscribed before knows the way, and may not get another trial.
  if (subscriptions.length > 0 && held.length === 0) return null;
  const looked = chosenTool().read();
  const chosen = held.find(({ toolId }) => toolId === looked)?.toolId ?? held[0]?.toolId ?? looked;
  const tool = tools.find(({ id }) => id === chosen);
  return [
    {
      title: tool ? `Try ${tool.name}` : 'Choose a tool',
      text: `Free for ${trialDays.individual} days, no card needed.`,
      done: held.length > 0,
      action: tool && (
        <ButtonLink href={paths.subscribe(tool.id)} size="sm">
          Start your trial
        </ButtonLink>
      ),
    },
    {
      title: `Open ${tool?.name ?? 'it'}`,
      text: 'It opens in its own window, already signed in.',
      done: false,
      action: tool && (
        <Button size="sm" pending={openingId === tool.id} pendingLabel="Opening…" onClick={() => launch(tool)}>
          Open it now
        </Button>
      ),
    },
  ];
};

/** Leads a new adviser to their first session; gone once they have used a tool. */
export const FirstSteps = ({ steps: all }: { steps: Step[] }) => {
  const steps = all.filter(({ done }) => !done);
  return (
    <Panel title="Get started" bodyClassName="pt-3!">
      <ol aria-label="First steps" className="grid auto-cols-fr gap-4 sm:grid-flow-col">
        {steps.map(({ title, text, action }, index) => (
          <li key={title} aria-current={index === 0 ? 'step' : undefined} className="flex min-w-0 gap-3">
            <span
              aria-hidden
              className={clsx(
                'figures flex size-7 shrink-0 items-center justify-center rounded-full text-xs font-semibold',
                index === 0 ? 'bg-primary text-primary-foreground' : 'bg-surface-subtle text-muted',
              )}
            >
              {index + 1}
            </span>
            <div className="min-w-0">
              <h3 className={clsx('text-sm', index > 0 && 'text-muted')}>{title}</h3>
              <p className="mt-0.5 text-xs text-muted">{text}</p>
              {index === 0 && action && <div className="mt-2">{action}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
