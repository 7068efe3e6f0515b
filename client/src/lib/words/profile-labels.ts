import type { ProfileField } from '#shared/rules/people/profile.ts';

export const profileLabels: Record<ProfileField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  mobile: 'Mobile',
  businessName: 'Business name',
  dealerGroup: 'Dealer group',
  businessAddress: 'Business address',
  businessCity: 'City',
  businessState: 'State',
  businessPostcode: 'Postcode',
  afslNumber: 'AFSL number',
  adviserNumber: 'Adviser number (Financial Advisers Register)',
  abn: 'ABN',
  professionalCredentials: 'Credentials',
  specializationAreas: 'Areas of advice',
};
