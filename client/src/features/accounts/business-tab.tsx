import type { User } from '#shared/api/accounts.ts';
import { BusinessFields } from '#client/features/accounts/profile-fields.tsx';
import { ProfileTab } from '#client/features/accounts/profile-tab.tsx';
import { useBusinessForm } from '#client/features/accounts/profile-tab-form.ts';

export const BusinessTab = ({ user }: { user: User }) => {
  const form = useBusinessForm(user);
  return (
    <ProfileTab form={form} title="Business information" description="Your practice, as it stands on your invoices.">
      <BusinessFields form={form} />
    </ProfileTab>
  );
};
