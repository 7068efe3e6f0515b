import { useWatch } from 'react-hook-form';
import { OnboardingSteps } from '#client/features/accounts/onboarding-steps.tsx';
import { CredentialChoice, SpecialisationChoice } from '#client/features/accounts/profile-choices.tsx';
import { BusinessFields, ContactFields } from '#client/features/accounts/profile-fields.tsx';
import { useProfileForm } from '#client/features/accounts/profile-form.ts';
import { ProfileSection } from '#client/features/accounts/profile-section.tsx';
import { useSignedInUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';

/** The one page of somebody whose profile is incomplete (A §2). */
export default function CompleteProfilePage() {
  const user = useSignedInUser();
  const form = useProfileForm(user);
  const areas = useWatch({ control: form.control, name: 'specializationAreas' });
  const ready = Array.isArray(areas) && areas.length > 0;
  useTitle('Complete your profile');
  return (
    <div className="mx-auto max-w-[64rem]">
      <OnboardingSteps current={2} className="mb-6 max-w-form" />
      <PageHeader
        title={`Welcome, ${user.firstName}`}
        description="Complete your profile to open your dashboard. It takes about two minutes."
      />
      <form noValidate onSubmit={form.onSubmit} aria-label="Complete your profile" className="space-y-8">
        <ProfileSection id="contact" title="Contact" description="Where we reach you about your account.">
          <ContactFields form={form} />
        </ProfileSection>
        <ProfileSection id="business" title="Business" description="Your practice, as it stands on your invoices.">
          <BusinessFields form={form} />
        </ProfileSection>
        <ProfileSection
          id="credentials"
          title="Professional credentials"
          description="Designations and registrations, if you hold any."
        >
          <CredentialChoice form={form} />
        </ProfileSection>
        <ProfileSection
          id="specialisation"
          title="Areas of specialisation"
          description="What you advise on. Choose at least one."
        >
          <SpecialisationChoice form={form} />
        </ProfileSection>
        <div className="space-y-4 pb-20 lg:pl-[17.5rem]">
          {form.formError && <Alert tone="danger">{form.formError}</Alert>}
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
      </form>
    </div>
  );
}
