import { useWatch } from 'react-hook-form';
import type { User } from '#shared/api/accounts.ts';
import { CredentialChoice, SpecialisationChoice } from '#client/features/accounts/profile-choices.tsx';
import { ProfileTab } from '#client/features/accounts/profile-tab.tsx';
import { useProfessionalForm } from '#client/features/accounts/profile-tab-form.ts';

export const ProfessionalTab = ({ user }: { user: User }) => {
  const form = useProfessionalForm(user);
  const areas = useWatch({ control: form.control, name: 'specializationAreas' });
  const none = !Array.isArray(areas) || areas.length === 0;
  return (
    <ProfileTab
      form={form}
      title="Professional information"
      description="Your credentials, and what you advise on."
      obstacle={none && 'Please select at least one specialization area'}
    >
      <div className="space-y-6">
        <CredentialChoice form={form} />
        <SpecialisationChoice form={form} />
      </div>
    </ProfileTab>
  );
};
