import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { factsOf, fieldsOn, laterFields, type ProfileField } from '#shared/rules/people/profile.ts';
import { OnboardingSteps } from '#client/features/accounts/onboarding-steps.tsx';
import { BusinessInputs, overProfile, ProfileInput, shownOf } from '#client/features/accounts/profile-form.tsx';
import { useInvitation } from '#client/features/accounts/use-invitation.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { setUser, useSignedInUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Card, PageHeader } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { Form } from '#client/ui/form.tsx';

const contact = fieldsOn('personal').filter((name) => !factsOf(name).atSignUp);
const credentials = fieldsOn('professional').filter((name) => name !== 'specializationAreas');
const labels: Partial<Record<ProfileField, string>> = { mobile: 'Business phone' };

type SectionProps = { id: string; title: string; description: string; children: ReactNode };

/** A part of the form: what it is for on the left, its fields on the right. */
const Section = ({ id, title, description, children }: SectionProps) => (
  <div role="group" aria-labelledby={id} className="grid gap-x-10 gap-y-3 lg:grid-cols-[15rem_minmax(0,1fr)]">
    <div>
      <h2 id={id} className="text-base">
        {title}
      </h2>
      <p className="mt-1 text-muted">{description}</p>
    </div>
    <Card className="px-5 pt-5 pb-3">{children}</Card>
  </div>
);

const schema = overProfile(contract.accounts.completeProfile.body);

/** Lets the toast be seen before the page changes. */
const redirectDelayMs = 100;

/** What was typed survives a reload; success opens the rest of the product. */
const useCompletionForm = (user: User, practice: Practice) => {
  const queryClient = useQueryClient();
  return useKeptForm({
    schema,
    defaultValues: shownOf(begunWith(user, practice), laterFields),
    draft: 'complete-profile',
    send: (body) => api.accounts.completeProfile({ body }),
    onDone: async (completed) => {
      toast({ title: 'Profile Completed', description: 'Your account is ready.' });
      await new Promise((done) => setTimeout(done, redirectDelayMs));
      // Once the profile is complete, the routes lead on to what was asked for, else home.
      setUser(queryClient, completed);
    },
    failure: 'Failed to complete profile. Please try again.',
  });
};

type Practice = ReceivedInvitation['practice'];

/** The user, with the details of the practice that they join where they have given none. */
const begunWith = (user: User, practice: Practice): User => {
  const missing = Object.entries(practice ?? {}).filter(([name]) => !user[name as keyof User]);
  return { ...user, ...Object.fromEntries(missing) };
};

/** The only page of the app until the profile is complete. */
export default function CompleteProfilePage() {
  const invitation = useInvitation();
  useTitle('Complete your profile');
  if (invitation === undefined)
    return <Loading label="Loading your profile" className="mx-auto max-w-[64rem]" skeletons={['h-96']} />;
  return <CompleteProfile invitation={invitation} />;
}

const CompleteProfile = ({ invitation }: { invitation: ReceivedInvitation | null }) => {
  const user = useSignedInUser();
  const practice = invitation?.practice ?? null;
  const form = useCompletionForm(user, practice);
  const areas = useWatch({ control: form.control, name: 'specializationAreas' });
  const ready = Array.isArray(areas) && areas.length > 0;
  return (
    <div className="mx-auto max-w-[64rem]">
      <OnboardingSteps current={2} className="mb-6 max-w-form" />
      <PageHeader
        title={`Welcome, ${user.firstName}`}
        description={
          invitation && practice
            ? `You’re joining ${invitation.team.name}. Its details are filled in; please complete the rest.`
            : 'Complete your profile to open your dashboard. It takes about two minutes.'
        }
      />
      <Form form={form} label="Complete your profile" className="space-y-8">
        <Section id="contact" title="Contact" description="How we reach you about your account.">
          {contact.map((name) => (
            <ProfileInput key={name} form={form} name={name} label={labels[name]} className="sm:max-w-72" />
          ))}
        </Section>
        <Section id="business" title="Business" description="Your practice, as it appears on your invoices.">
          <BusinessInputs form={form} />
        </Section>
        <Section
          id="credentials"
          title="Professional credentials"
          description="Designations and registrations, if you hold any."
        >
          {credentials.map((name) => (
            <ProfileInput key={name} form={form} name={name} />
          ))}
        </Section>
        <Section
          id="specialisation"
          title="Areas of specialisation"
          description="The areas you advise on. Choose at least one."
        >
          <ProfileInput form={form} name="specializationAreas" />
        </Section>
        <div className="space-y-4 lg:pl-[17.5rem]">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <Button
              type="submit"
              size="lg"
              disabled={!ready}
              aria-describedby="submit-hint"
              pending={form.pending}
              pendingLabel="Saving…"
              className="max-sm:w-full"
            >
              Complete profile
            </Button>
            <p id="submit-hint" className="text-muted">
              {ready ? 'You can change all of this later.' : 'Please select at least one area of specialization'}
            </p>
          </div>
        </div>
      </Form>
    </div>
  );
};
