import type { users } from '#shared/schema/accounts.ts';

type UserRow = typeof users.$inferSelect;

/** The signed-in user as every handler sees it: the row, read fresh with each request, without the password. */
export type ActorRow = Omit<UserRow, 'password' | 'seq'>;

/** Property → column of what a request needs to know of its user. */
const columns = {
  id: 'id',
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  profileImageUrl: 'profile_image_url',
  mobile: 'mobile',
  businessName: 'business_name',
  businessAddress: 'business_address',
  businessCity: 'business_city',
  businessState: 'business_state',
  businessPostcode: 'business_postcode',
  afslNumber: 'afsl_number',
  dealerGroup: 'dealer_group',
  abn: 'abn',
  professionalCredentials: 'professional_credentials',
  specializationAreas: 'specialization_areas',
  emailVerified: 'email_verified',
  profileCompleted: 'profile_completed',
  isAdmin: 'is_admin',
  freeAccessGranted: 'free_access_granted',
  membershipType: 'membership_type',
  stripeCustomerId: 'stripe_customer_id',
  stripeSubscriptionId: 'stripe_subscription_id',
  cardBrand: 'card_brand',
  cardLast4: 'card_last4',
  cardExpMonth: 'card_exp_month',
  cardExpYear: 'card_exp_year',
  authEpoch: 'auth_epoch',
  closedAt: 'closed_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof ActorRow, string>;

const pairs = Object.entries(columns);

/** The select list for a table alias. */
export const actorColumns = (alias: string) => pairs.map(([, column]) => `${alias}.${column}`).join(', ');

/** A row of the driver, in the table's property names. */
export const toActor = (row: Record<string, unknown>) =>
  Object.fromEntries(pairs.map(([property, column]) => [property, row[column]])) as ActorRow;
