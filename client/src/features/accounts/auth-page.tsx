import { useState } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { brand } from '#shared/brand.ts';
import { AuthPitch } from '#client/features/accounts/auth-pitch.tsx';
import { OnboardingSteps } from '#client/features/accounts/onboarding-steps.tsx';
import { SignInForm } from '#client/features/accounts/sign-in-form.tsx';
import { SignUpForm } from '#client/features/accounts/sign-up-form.tsx';
import { useHydrated } from '#client/lib/hydrated.ts';
import { paths, safeReturnTo, withReturnTo } from '#client/lib/paths.ts';
import { useUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { Card } from '#client/ui/card.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;
type TabName = (typeof tabs)[number]['value'];

/** /auth (A §2): both tabs, the open one in the URL beside the place to go to afterwards. */
export default function AuthPage() {
  const { user, loading } = useUser();
  const [search, setSearch] = useSearchParams();
  const [email, setEmail] = useState('');
  const [registered, setRegistered] = useState(false);
  const hydrated = useHydrated();
  const tab: TabName = search.get('tab') === 'sign-up' ? 'sign-up' : 'sign-in';
  const returnTo = safeReturnTo(search.get('returnTo'));
  useTitle(tab === 'sign-up' ? 'Create your account' : 'Sign in');

  const open = (next: TabName) =>
    setSearch(
      (old) => {
        const changed = new URLSearchParams(old);
        if (next === 'sign-up') changed.set('tab', next);
        else changed.delete('tab');
        return changed;
      },
      { replace: true },
    );

  // A fresh registration leaves by itself, after its toast.
  if (user && !registered) {
    const target = user.profileCompleted ? (returnTo ?? paths.home) : withReturnTo(paths.completeProfile, returnTo);
    return <Redirect to={target} replace />;
  }
  // Only somebody who may be signed in waits: a visitor is known at once.
  if (loading) return <PageSpinner />;
  return (
    <div className="mx-auto grid max-w-[64rem] grid-cols-[minmax(0,1fr)] items-start gap-16 max-sm:pb-20 lg:grid-cols-[minmax(0,1fr)_27rem]">
      <AuthPitch />
      <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
        <h1 className="text-xl">{tab === 'sign-up' ? 'Create your account' : `Sign in to ${brand.name}`}</h1>
        {/* Nothing can be typed or pressed until the app is here: it would be lost. Then the forms are new elements, which
            password managers fill in. */}
        <fieldset
          key={String(hydrated)}
          disabled={!hydrated}
          className="min-w-0 [&:disabled_button]:opacity-100 [&:disabled_input]:bg-surface"
        >
          <Tabs fill label="Sign in or sign up" tabs={tabs} value={tab} onValueChange={open} className="mt-5">
            <TabPanel value="sign-in">
              <SignInForm email={email} onEmail={setEmail} />
            </TabPanel>
            <TabPanel value="sign-up">
              <OnboardingSteps current={1} />
              <SignUpForm
                email={email}
                onEmail={setEmail}
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
