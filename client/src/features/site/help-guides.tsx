import { Clock } from 'lucide-react';
import { paths } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { Badge, ButtonLink, Panel } from '#client/ui/elements.tsx';

type Guide = {
  title: string;
  description: string;
  minutes: number;
  difficulty: 'Beginner' | 'Intermediate';
  steps: readonly string[];
  start: { label: string; href: string };
};

const guides: readonly Guide[] = [
  {
    title: 'Set up your account',
    description: 'From the first visit to your own dashboard.',
    minutes: 5,
    difficulty: 'Beginner',
    steps: [
      'Choose Sign Up, and enter your name, email and a password.',
      'Complete your profile: phone, business, dealer group, and what you advise on.',
      'Open the verification link we email you, and press Verify email.',
      'Check your name, business and ABN in My Profile: they go on your tax invoices.',
    ],
    start: { label: 'Open My Profile', href: paths.profile },
  },
  {
    title: 'Try your first tool',
    description: 'A free trial, without a card.',
    minutes: 3,
    difficulty: 'Beginner',
    steps: [
      'On My Tools, choose Subscribe on the tool you want to try.',
      'Read what it does and what it costs after the trial, then start the free trial.',
      'Back on My Tools, press Open. The tool opens in its own window, already signed in.',
      'After your first session, see it on the Analytics tab.',
    ],
    start: { label: 'Open My Tools', href: paths.dashboard },
  },
  {
    title: 'Bring in your practice',
    description: 'One team, one bill, tools for every member.',
    minutes: 10,
    difficulty: 'Intermediate',
    steps: [
      'Open the team page and create your team.',
      'Invite your colleagues by email. Each link works for 7 days, for that address only.',
      'On a tool’s subscribe page, choose For my team. Every member can open it, unless you choose who uses it under Tools on the team page.',
      "Add the team's card, under Billing on the team page. You pay for everyone who may open a tool.",
      'On the same page, see how often each member uses each tool.',
    ],
    start: { label: 'Open your team', href: paths.teams },
  },
  {
    title: 'Keep your billing in order',
    description: 'Card, address, invoices, reminders, and how to leave.',
    minutes: 5,
    difficulty: 'Intermediate',
    steps: [
      'On the Billing tab, choose Add a card or Update Payment, and enter your card. It pays your whole bill.',
      'Enter your billing address, which is printed on your tax invoices.',
      'Under Renewal reminders, choose how many days before your bill we email you.',
      'Download your invoices as PDFs, for your books.',
      'To stop a tool, turn off Auto-renew or cancel it, in the list of your subscriptions.',
    ],
    start: { label: 'Open Billing', href: `${paths.dashboard}?tab=billing` },
  },
];

export const HelpGuides = () => {
  const { user } = useUser();
  return (
    <ul className="grid gap-6 md:grid-cols-2">
      {guides.map(({ title, description, minutes, difficulty, steps, start }) => (
        <li key={title}>
          <Panel
            title={title}
            description={description}
            className="flex h-full flex-col"
            bodyClassName="flex flex-1 flex-col text-sm"
          >
            <p className="flex items-center gap-1.5 text-muted">
              <Clock aria-hidden className="size-4" />
              About {minutes} minutes
              <Badge tone={difficulty === 'Beginner' ? 'success' : 'info'} className="ml-2">
                {difficulty}
              </Badge>
            </p>
            <ol className="mt-4 flex-1 space-y-3">
              {steps.map((step, index) => (
                <li key={step} className="flex gap-3">
                  <span
                    aria-hidden
                    className="figures flex size-5 shrink-0 items-center justify-center rounded-full bg-primary-subtle text-xs font-medium text-primary"
                  >
                    {index + 1}
                  </span>
                  {step}
                </li>
              ))}
            </ol>
            <p className="mt-5">
              {user ? (
                <ButtonLink href={start.href} variant="secondary">
                  {start.label}
                </ButtonLink>
              ) : (
                <ButtonLink href={paths.signUp} variant="secondary">
                  Create an account
                </ButtonLink>
              )}
            </p>
          </Panel>
        </li>
      ))}
    </ul>
  );
};
