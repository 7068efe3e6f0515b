import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { ResendVerification } from '#client/features/accounts/resend-verification.tsx';
import { chosenTool } from '#client/lib/pages/chosen-tool.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { ButtonLink, Panel } from '#client/ui/elements.tsx';

type Step = { title: string; text: string; done: boolean; action?: ReactNode };

/** Links to a section of the tools below. */
const Anchor = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="rounded-sm text-sm font-medium text-primary underline underline-offset-4">
    {children}
  </a>
);

const useSteps = (): Step[] | null => {
  const { email, emailVerified } = useSignedInUser();
  const lookOf = useToolLook();
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const analytics = useApiQuery(contract.analytics.dashboard).data;
  // They stay hidden until it is known whether they have used a tool, and for good once they have.
  if (!subscriptions || !analytics || analytics.everUsed) return null;
  const looked = chosenTool().read();
  // The free tool comes with any other.
  const held = subscriptions.filter(({ hasAccess, toolId }) => hasAccess && toolId !== lostMoneyTool);
  // Who subscribed before knows the way, and may not get another trial.
  if (subscriptions.length > 0 && held.length === 0) return null;
  const subscribed = held.find(({ toolId }) => toolId === looked) ?? held[0];
  const chosen = subscribed?.toolId ?? looked;
  const name = chosen ? lookOf(chosen).name : 'your tool';
  return [
    {
      title: 'Verify your email',
      text: `Open the link we sent to ${email}.`,
      done: emailVerified,
      action: <ResendVerification size="sm" />,
    },
    {
      title: 'Choose a tool',
      text: 'Start with the one that saves you the most paperwork.',
      done: chosen !== null,
      action: <Anchor href="#more-tools">See the tools</Anchor>,
    },
    {
      title: `Try ${name}`,
      text: 'Free for 30 days, no card needed.',
      done: subscribed !== undefined,
      action: chosen && (
        <ButtonLink href={paths.subscribe(chosen)} size="sm">
          Start your trial
        </ButtonLink>
      ),
    },
    {
      title: `Open ${name}`,
      text: 'It opens in its own window, already signed in.',
      done: false,
      action: <Anchor href="#my-tools">Go to your tools</Anchor>,
    },
  ];
};

/** Leads a new adviser to their first session; gone once they have used a tool. */
export const FirstSteps = ({ className }: { className?: string }) => {
  const steps = useSteps();
  if (!steps) return null;
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Panel title="Get started" className={className} bodyClassName="pt-4!">
      <ol aria-label="First steps" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text, done, action }, index) => (
          <li key={index} aria-current={index === next ? 'step' : undefined} className="flex min-w-0 gap-3">
            <span
              aria-hidden
              className={clsx(
                'figures flex size-7 shrink-0 items-center justify-center rounded-full text-xs font-semibold [&_svg]:size-4',
                done && 'bg-success-subtle text-success',
                !done && (index === next ? 'bg-primary text-primary-foreground' : 'bg-surface-subtle text-muted'),
              )}
            >
              {done ? <Check /> : index + 1}
            </span>
            <div className="min-w-0">
              <h3 className={clsx('text-sm', !done && index !== next && 'text-muted')}>
                {title}
                {done && <span className="sr-only">, done</span>}
              </h3>
              {!done && <p className="mt-0.5 text-xs text-muted">{text}</p>}
              {!done && index === next && action && <div className="mt-2">{action}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
