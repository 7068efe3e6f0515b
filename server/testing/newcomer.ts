/** The password of everybody that tests sign up or create. */
export const password = 'Correct-Horse-7';

/** What a newcomer sends to `/api/register`. */
export const registration = (email: string, firstName = 'Alex') => ({ email, password, firstName, lastName: 'Nguyen' });

/** And then to `/api/user/complete-profile`. */
export const profile = {
  mobile: '0412 345 678',
  businessName: 'Nguyen Advice',
  businessAddress: '1 Pitt Street',
  businessCity: 'Sydney',
  businessState: 'NSW',
  businessPostcode: '2000',
  dealerGroup: 'Independent',
  professionalCredentials: ['CFP'],
  specializationAreas: ['Retirement Planning'],
};
