import { credentials, specializations } from './accounts.ts';
import { formatAbn, formatPhone, parseAbn, parsePhone, states } from '../australia.ts';

type Facts = {
  /** Its tab on My Profile; the completion page shows the tabs one below the other. */
  tab: 'personal' | 'business' | 'professional';
  /** In the privacy policy. */
  called: string;
  /** Asked at sign-up, so the completion page leaves it out, and it is never null. */
  atSignUp?: true;
  /** May be empty; then it is stored as null, or as an empty list. */
  optional?: true;
  /** One of these, or several of them; a list is stored as JSON text and travels as an array. */
  oneOf?: readonly string[];
  someOf?: readonly string[];
  /** How a form rewrites what was typed. */
  tidy?: { parse: (typed: string) => string | null; format: (stored: string) => string };
  /** The Stripe customer has it too, and is updated when it changes. */
  atStripe?: true;
};

/**
 * Every field of an adviser's profile, in the order of the forms. The contract, the forms, the draft in the browser, the
 * export and the erasure derive from this list; the compiler asks for what else a new field needs (shared/README.md).
 */
export const profile = {
  firstName: { tab: 'personal', called: 'first name', atSignUp: true, atStripe: true },
  lastName: { tab: 'personal', called: 'last name', atSignUp: true, atStripe: true },
  mobile: {
    tab: 'personal',
    called: 'mobile number',
    tidy: { parse: parsePhone, format: formatPhone },
    atStripe: true,
  },
  businessName: { tab: 'business', called: 'business name' },
  dealerGroup: { tab: 'business', called: 'dealer group' },
  businessAddress: { tab: 'business', called: 'business address' },
  businessCity: { tab: 'business', called: 'city' },
  businessState: { tab: 'business', called: 'state', oneOf: states },
  businessPostcode: { tab: 'business', called: 'postcode' },
  afslNumber: { tab: 'business', called: 'AFSL number', optional: true },
  adviserNumber: { tab: 'professional', called: 'adviser number', optional: true },
  abn: { tab: 'business', called: 'ABN', optional: true, tidy: { parse: parseAbn, format: formatAbn }, atStripe: true },
  professionalCredentials: { tab: 'professional', called: 'credentials', optional: true, someOf: credentials },
  specializationAreas: { tab: 'professional', called: 'areas of specialisation', someOf: specializations },
} as const satisfies Record<string, Facts>;

type Profile = typeof profile;
type Where<F> = { [N in keyof Profile]: Profile[N] extends F ? N : never }[keyof Profile];

export type ProfileTab = Facts['tab'];
export type ProfileField = keyof Profile;
export type ProfileList = Where<{ someOf: readonly string[] }>;
export type ProfileText = Exclude<ProfileField, ProfileList>;
type SignUpField = Where<{ atSignUp: true }>;
type Optional = Where<{ optional: true }>;

export const factsOf = (name: ProfileField): Facts => profile[name];
export const profileFields = Object.keys(profile) as ProfileField[];

const where = <N extends ProfileField>(test: (facts: Facts) => unknown) =>
  profileFields.filter((name) => test(profile[name])) as N[];

export const profileLists = where<ProfileList>(({ someOf }) => someOf);
export const signUpFields = where<SignUpField>(({ atSignUp }) => atSignUp);
/** What the completion page asks for. */
export const laterFields = where<Exclude<ProfileField, SignUpField>>(({ atSignUp }) => !atSignUp);
export const laterTexts = where<Exclude<ProfileText, SignUpField>>(({ someOf, atSignUp }) => !someOf && !atSignUp);
export const optionalTexts = where<Exclude<Optional, ProfileList>>(({ someOf, optional }) => !someOf && optional);
export const optionalLists = where<Optional & ProfileList>(({ someOf, optional }) => someOf && optional);
export const fieldsOn = <T extends ProfileTab>(tab: T) => where<Where<{ tab: T }>>((facts) => facts.tab === tab);

/** One value for each of these fields. */
export const byField = <N extends ProfileField, V>(names: readonly N[], make: (name: N) => V) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>;

/** The lists of a profile, out of the JSON text that the table has. */
export const listsOf = (stored: Record<ProfileList, string | null>) =>
  byField(profileLists, (name) => JSON.parse(stored[name] ?? '[]') as string[]);
