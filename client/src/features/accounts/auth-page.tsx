import { Blocks, CalendarCheck, Layers, Undo2 } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { brand } from '#shared/brand.ts';
import { trialDays, trialEnds } from '#shared/rules/billing/trial-days.ts';
import { usualSharePercent } from '#shared/rules/tools/publication.ts';
import { OnboardingSteps } from '#client/features/accounts/onboarding-steps.tsx';
import { Or, ProviderButtons } from '#client/features/accounts/provider-buttons.tsx';
import { SignInForm } from '#client/features/accounts/sign-in-form.tsx';
import { SignUpForm } from '#client/features/accounts/sign-up-form.tsx';
import { useInvitation } from '#client/features/accounts/use-invitation.ts';
import { isMaker, onwardFrom, paths, safeReturnTo } from '#client/lib/pages/paths.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { hasDrafts } from '#client/lib/forms/draft-storage.ts';
import { signedOutNote, useUser } from '#client/lib/session/session.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Alert, Card } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;

const advisersPoints = [
  [CalendarCheck, `Free for ${trialDays.individual} days`, `Try any tool. ${trialEnds}`],
  [Layers, 'Only the tools you use', 'Each tool has its own monthly price, in Australian dollars with GST included.'],
  [Undo2, 'Cancel any time', 'Cancel online, without a call. No lock-in.'],
] as const;

const makersPoints = [
  [Blocks, 'Tried out at once', 'Register a tool, and you get its ID, its secrets and a test adviser.'],
  [Layers, 'A price that you propose', `Your share is ${usualSharePercent}% of what advisers pay for your tool.`],
  [CalendarCheck, 'Bills that we send', 'We collect from advisers, and show what is due to you each month.'],
] as const;

/** What an account brings, beside the forms on wide screens. */
const Pitch = ({ toMakers }: { toMakers: boolean }) => (
  <div className="hidden max-w-form pt-8 lg:block">
    <p className="text-2xl font-semibold tracking-tight text-balance">
      {toMakers ? 'Sell your tool to advisers' : 'Less paperwork, more time with your clients'}
    </p>
    <ul className="mt-10 space-y-7">
      {(toMakers ? makersPoints : advisersPoints).map(([Icon, title, text]) => (
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

const never = () => () => undefined;

/** False in a page that the server rendered, until React has hydrated it. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

const whyHere = (returnTo: string | null): string | null => {
  if (signedOutNote.read() === null) return returnTo && 'Sign in to open the page you asked for.';
  return hasDrafts()
    ? 'You were signed out, but what you typed is kept. Sign in to carry on.'
    : 'You were signed out. Sign in to carry on where you were.';
};

/** /auth: both tabs. The address holds the open one, and where to go afterwards. */
export default function AuthPage() {
  const { user, loading } = useUser();
  const [search] = useSearchParams();
  const [tab, open] = useTabInAddress(tabs, { keep: ['returnTo'], replace: true });
  const [typed, setTyped] = useState({ firstName: '', lastName: '', email: '' });
  const [registered, setRegistered] = useState(false);
  const hydrated = useHydrated();
  const returnTo = safeReturnTo(search.get('returnTo'));
  // The page that the server rendered knows nothing of it.
  const toMakers = hydrated && isMaker(returnTo);
  const why = useSyncExternalStore(
    never,
    () => whyHere(returnTo),
    () => null,
  );
  const invitation = useInvitation();
  const invited = invitation?.state === 'pending' && returnTo === paths.acceptInvitation ? invitation : null;
  // It is masked unless the link came by mail.
  const invitedEmail = invited && !invited.email.includes('•') ? invited.email : '';
  const known = { ...typed, email: typed.email || invitedEmail };
  useTitle(tab === 'sign-up' ? 'Create your account' : 'Sign in');

  // A new registration leaves this page itself, after its toast.
  if (user && !registered) {
    const target = onwardFrom(returnTo, user);
    return <Redirect to={target} replace />;
  }
  // Only somebody who may be signed in waits: a visitor is known at once.
  if (loading) return <Loading label="Loading…" className="mx-auto max-w-[27rem]" skeletons={['h-96']} />;
  return (
    <div className="mx-auto grid max-w-[64rem] grid-cols-[minmax(0,1fr)] items-start gap-16 lg:grid-cols-[minmax(0,1fr)_27rem]">
      <Pitch toMakers={toMakers} />
      <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
        <h1 className="text-xl">{tab === 'sign-up' ? 'Create your account' : `Sign in to ${brand.name}`}</h1>
        {invited ? (
          <Alert className="mt-4">
            You’re joining {invited.team.name}. {tab === 'sign-up' ? 'Create your account' : 'Sign in'} with{' '}
            {invited.email}.
          </Alert>
        ) : (
          why && !(toMakers && tab === 'sign-up') && <Alert className="mt-4">{why}</Alert>
        )}
        {/* Disabled until hydrated, because anything typed before that would be lost. The key then makes new elements,
            which password managers fill in. */}
        <fieldset
          key={String(hydrated)}
          disabled={!hydrated}
          className="min-w-0 [&:disabled_button]:opacity-100 [&:disabled_input]:bg-surface"
        >
          <Tabs fill label="Sign in or sign up" tabs={tabs} value={tab} onValueChange={open} className="mt-5">
            <TabPanel value="sign-in">
              <SignInForm
                email={known.email}
                invitedEmail={invitedEmail}
                onEmail={(email) => setTyped({ ...typed, email })}
              >
                <ProviderButtons returnTo={returnTo} />
              </SignInForm>
            </TabPanel>
            <TabPanel value="sign-up">
              {!toMakers && <OnboardingSteps current={1} />}
              {/* One press, before a form of five fields. */}
              <div className="mt-6">
                <ProviderButtons verb="Continue" returnTo={returnTo} />
              </div>
              {signInWith().length > 0 && <Or />}
              <SignUpForm
                typed={known}
                invitedEmail={invitedEmail}
                onType={setTyped}
                onSignIn={() => open('sign-in')}
                onRegistered={() => setRegistered(true)}
                returnTo={returnTo}
              />
            </TabPanel>
          </Tabs>
        </fieldset>
      </Card>
    </div>
  );
}
