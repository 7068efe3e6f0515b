import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Redirect } from 'wouter';
import type { ToConnect } from '#shared/api/identities.ts';
import { type IdentityProvider, identityProviderNames } from '#shared/rules/people/identities.ts';
import { finishAt, onwardFromProvider, type ProviderAnswer } from '#client/features/accounts/at-provider.ts';
import SecondStep from '#client/features/accounts/second-step.tsx';
import { SignInForm, useGoOn } from '#client/features/accounts/sign-in-form.tsx';
import { SignUpForm } from '#client/features/accounts/sign-up-form.tsx';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { onwardFrom, paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { cachedUser, setUser, useUser } from '#client/lib/session/session.ts';
import { Alert, ButtonLink, Card } from '#client/ui/elements.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';
import { Loading } from '#client/ui/query-view.tsx';

type State = ProviderAnswer | { fault: string } | null;

function useAnswer(provider: IdentityProvider): State {
  const [state, setState] = useState<State>(null);
  const queryClient = useQueryClient();
  const goOn = useRef(useGoOn());
  useEffect(() => {
    finishAt(provider).then(
      (answer) => {
        if ('id' in answer && cachedUser(queryClient)?.id === answer.id) setUser(queryClient, answer);
        else if ('id' in answer || 'newPassword' in answer) goOn.current(answer);
        setState(answer);
      },
      (error: unknown) => setState({ fault: sentenceOf(error) }),
    );
  }, [provider, queryClient]);
  return state;
}

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card className="mx-auto w-full max-w-[27rem] p-5 text-sm sm:p-8">
    <h1 className="mb-4 text-xl">{title}</h1>
    {children}
  </Card>
);

type ConnectProps = { name: string; connect: ToConnect; returnTo: string | null };

/** Nobody's yet: a sign-in with its address, or a registration, connects it. */
const Connect = ({ name, connect: { email, firstName, lastName, hasAccount }, returnTo }: ConnectProps) => {
  const [typed, setTyped] = useState({ email, firstName, lastName });
  const [signingIn, setSigningIn] = useState(hasAccount);
  return signingIn ? (
    <Panel title={`Connect ${name}`}>
      <Alert className="mb-4">
        {email} has an account here. Sign in to it once, and {name} will sign you in from then on.
      </Alert>
      <SignInForm email={email} onEmail={() => undefined} />
    </Panel>
  ) : (
    <Panel title="Create your account">
      <Alert>
        {name} will sign you in as {email}. You can always use your password, too.
      </Alert>
      <SignUpForm
        typed={typed}
        onType={setTyped}
        onSignIn={() => setSigningIn(true)}
        onRegistered={() => undefined}
        returnTo={returnTo}
      />
    </Panel>
  );
};

/** /auth/microsoft and /auth/google: what follows from their answer. */
export default function ProviderPage({ params }: { params: Record<string, string> }) {
  const provider = params['provider'] as IdentityProvider;
  const name = identityProviderNames[provider];
  const answer = useAnswer(provider);
  const goOn = useGoOn();
  const { user } = useUser();
  const returnTo = onwardFromProvider();
  useTitle(`Sign in with ${name}`);
  if (!answer)
    return <Loading label={`Signing in with ${name}…`} className="mx-auto max-w-[27rem]" skeletons={['h-64']} />;
  if ('fault' in answer)
    return (
      <OutcomePanel
        tone="danger"
        title={`Not signed in with ${name}`}
        action={
          <ButtonLink href={user ? paths.security : paths.auth}>
            {user ? 'Back to Security' : 'Back to sign in'}
          </ButtonLink>
        }
      >
        {answer.fault}
      </OutcomePanel>
    );
  if (user) return <Redirect to={onwardFrom(returnTo, user)} replace />;
  if ('secondFactor' in answer)
    return (
      <Panel title={`Sign in with ${name}`}>
        <SecondStep step={answer.secondFactor} onDone={goOn} onBack={() => window.location.assign(paths.auth)} />
      </Panel>
    );
  if ('connect' in answer) return <Connect name={name} {...answer} returnTo={returnTo} />;
  return null;
}
