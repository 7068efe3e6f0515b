import type { DataGroup } from '../rules/people/data-map.ts';
import type { ProfileField } from '../rules/people/profile.ts';
import { profileFields } from '../rules/people/profile.ts';
import type { Tables } from './tables.ts';

type Row<Name extends keyof Tables> = Tables[Name]['$inferSelect'];
type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
/** For the columns of one group: their names, or the fields of the profile. */
type Names = string | readonly ProfileField[];
/** A group alone: the table is about something else, and only an id in it leads to a person. */
type Columns = Partial<Record<DataGroup, Names>> | DataGroup;
type Named<C> = C extends string
  ? never
  : { [G in keyof C]: C[G] extends readonly (infer N)[] ? N : Words<C[G]> }[keyof C];
type Linking = 'id' | `${string}Id`;

type Checked<M> = {
  [Name in keyof M]: M[Name] extends DataGroup
    ? unknown
    : Name extends keyof Tables
      ? [Exclude<keyof Row<Name>, Named<M[Name]> | Linking>] extends [never]
        ? [Exclude<Named<M[Name]>, keyof Row<Name>>] extends [never]
          ? unknown
          : { noSuchColumn: Exclude<Named<M[Name]>, keyof Row<Name>> }
        : { columnInNoSentence: Exclude<keyof Row<Name>, Named<M[Name]> | Linking> }
      : never;
};
const inGroups = <const M extends { [Name in keyof Tables]?: Columns }>(map: M & Checked<M>): M => map;

/**
 * Every table that holds something of a person: the group of the data map (rules/people/data-map.ts) that each of its columns is
 * in. A column in none doesn't compile. Ids are numbers that link rows. The export leaves out what is housekeeping.
 */
export const personalColumns = inGroups({
  users: {
    account:
      'email password firstName lastName profileImageUrl emailVerified emailProvedAt profileCompleted isAdmin freeAccessGranted membershipType hasSecondFactor mustChangePassword',
    profile: profileFields,
    card: 'cardBrand cardLast4 cardExpMonth cardExpYear creditCents',
    housekeeping:
      'billingAnchor nextBillAt authEpoch suspendedAt suspendedFor chargesPaused closedAt seq createdAt updatedAt',
  },
  reminderSettings: { account: 'emailReminders inAppNotifications reminderDays weeklyStatements updatedAt' },
  emailChanges: {
    account: 'fromEmail toEmail confirmedAt undoneAt createdAt',
    housekeeping: 'token undoToken expiresAt',
  },

  sessions: { signIn: 'device createdAt lastSeenAt', housekeeping: 'sid sess expire authEpoch destroyedAt' },
  secondFactors: {
    signIn: 'kind name createdAt lastUsedAt',
    housekeeping: 'secret lastStep publicKey signCount transports',
  },
  rememberedDevices: { signIn: 'device createdAt lastUsedAt expiresAt', housekeeping: 'token authEpoch' },
  identities: { signIn: 'provider subject tenant createdAt', housekeeping: 'issuer' },
  recoveryCodes: { signIn: 'code createdAt' },
  factorResets: { signIn: 'dueAt stopToken createdAt' },
  emailVerificationTokens: { housekeeping: 'token expiresAt createdAt' },
  passwordResetTokens: { housekeeping: 'token expiresAt used mailed createdAt' },
  auditLog: { activity: 'action ip device createdAt', housekeeping: 'subjectType before after' },

  toolSubscriptions: {
    purchases:
      'status monthlyCents autoRenew winBack freeMonths paymentProblem cancellationReason createdAt trialEndDate paidUntil endDate gracePeriodEnd cancelledAt expiredAt',
    words: 'cancellationDetails',
    housekeeping:
      'isActive subscriptionType unitCents priceNumber risesFrom periodStart quantity chosenUsers purchase prorations draft told priceTold winBackOf billingDay revision version syncedAt updatedAt',
  },
  trialUses: { purchases: 'createdAt', housekeeping: 'identity' },
  codeRedemptions: { purchases: 'createdAt' },
  bills: {
    purchases: 'kind status at until lines parts totalCents creditCents gstCents',
    housekeeping: 'attempt problem graceEnd revision checkedAt createdAt updatedAt',
  },
  adjustments: {
    purchases: 'toolName cause from to days cents state createdAt',
    housekeeping: 'person periodEnd splitOf',
  },
  toldBills: { purchases: 'toldAt kind tellsBill billAt totalCents lines parts later subject paragraphs' },
  subscriptionChanges: 'purchases',
  stripeEvents: 'housekeeping',
  invoices: {
    invoices: 'number status description totalCents gstCents amountPaidCents lines buyer dueCents issuedAt paidAt',
    housekeeping: 'createdAt updatedAt',
  },
  adjustmentNotes: { invoices: 'number totalCents gstCents reason issuedAt', housekeeping: 'createdAt' },
  yearStatements: 'housekeeping',
  bookkeepers: { invoices: 'email askedAt confirmedAt', housekeeping: 'token' },
  billingAddresses: { invoices: 'line1 line2 city state postcode updatedAt' },

  toolUsage: {
    use: 'createdAt lastAccessed endedAt toolVersion reports durationSeconds actions bytes scoreTotal scoreCount',
    record: 'purpose purposeFrom clientReference referenceFrom checked',
    housekeeping: 'statedAt fromLaunch',
  },
  usageAnalytics: {
    use: 'sessionDuration actionsPerformed dataProcessed performanceScore date',
    housekeeping: 'createdAt',
  },
  usageDays: { use: 'day sessions durationSeconds actions bytes scoreTotal scoreCount' },
  userUsage: { use: 'totalUsage lastUsed' },
  authTokens: {
    keys: 'kind lastFour expiresAt usedAt isRevoked createdAt',
    record: 'clientReference purpose',
    housekeeping: 'token exchangeKey fromCheck',
  },
  toolPeople: { keys: 'mayUse checkAt createdAt' },
  toolEvents: 'keys',
  sessionStatements: {
    record: 'checked checks remark purpose clientReference madeAt late byFormer recallFault redactedFor redactedAt',
    housekeeping: 'position',
  },
  recordPeople: { whoIsWho: 'firstName lastName email adviserNumber joinedAt leftAt' },
  recordHolds: 'decisions',
  recallSessions: {
    use: 'begunAt foundAt removedAt toldAt teamToldAt lookedAt fault',
  },
  recalls: 'maker',
  recallChanges: 'maker',
  evidencePacks: {
    record: 'clientReference fromDay toDay state sessionsTotal createdAt',
    housekeeping: 'sessionsRead failedFor attempts claimedUntil',
  },
  toolReviews: { decisions: 'remark disclosureVersion nextDue madeAt redactedFor redactedAt' },
  toolAsks: { practice: 'reason askedAt outcome answer answeredAt', housekeeping: 'wasAllowed' },
  sessionSignOffs: { decisions: 'remark sampledFrom madeAt redactedFor redactedAt' },
  recordSamples: { decisions: 'drawnFrom sessionIds fromDay toDay unreviewedOnly drawnAt' },
  teamTools: { decisions: 'allowed allowedAt reason reviewDue usedFor dataAllowed decidedAt' },

  teams: {
    practice: 'name isActive',
    card: 'cardBrand cardLast4 cardExpMonth cardExpYear creditCents',
    housekeeping:
      'membershipType maxMembers billingAnchor nextBillAt requiresFactor microsoftTenant newToolsAllowed lateAfterDays refusesLate remindsWeekly needsClient checks offeredAt createdAt updatedAt',
  },
  teamMembers: { practice: 'role joinedAt', housekeeping: 'seatedAt createdAt' },
  teamInvitations: {
    practice: 'email role expiresAt acceptedAt declinedAt isRevoked createdAt',
    housekeeping: 'token copiedToken',
  },
  notifications: { messages: 'type title message isRead createdAt', housekeeping: 'actionUrl expiresAt dedupeKey' },
  mails: {
    messages: 'kind subject toAddress createdAt sentAt',
    housekeeping: 'textBody htmlBody headers attempts lastError',
  },

  tools: 'maker',
  toolDisclosures: 'maker',
  toolAnnouncements: 'maker',
  testAdvisers: 'maker',
  acts: 'operations',
  toolPrices: 'operations',
  toolChanges: 'operations',
  tierChanges: 'operations',
  discountCodes: 'operations',
});

export type PersonalTable = keyof typeof personalColumns;
/** The columns of a table that its person may have in the export. */
export type ShownColumns<Name extends PersonalTable> = (typeof personalColumns)[Name] extends string
  ? never
  : Named<Omit<(typeof personalColumns)[Name], 'housekeeping'>> & string;

/** The columns of a table in each group. */
export const columnsOf = (name: PersonalTable): [DataGroup, readonly string[]][] => {
  const columns: Columns = personalColumns[name];
  if (typeof columns === 'string') return [[columns, []]];
  return (Object.entries(columns) as [DataGroup, Names][]).map(([group, names]) => [
    group,
    typeof names === 'string' ? names.split(' ') : names,
  ]);
};
