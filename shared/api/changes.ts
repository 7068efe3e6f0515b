import type { Api, Endpoint } from './endpoint.ts';
import { contract } from './members.ts';

type ReadEndpoint = Endpoint & { method: 'GET' };
type WritesOf<Calls> = { [K in keyof Calls as Calls[K] extends ReadEndpoint ? never : K]: readonly ReadEndpoint[] };
type Changes<Contract> = {
  [N in keyof Contract as keyof WritesOf<Contract[N]> extends never ? never : N]: WritesOf<Contract[N]>;
};

const readsOf = new Map<Endpoint, readonly ReadEndpoint[]>();

/** Every write of these nouns with the reads that it makes out of date. A write without an entry does not compile. */
export const declareChanges = <Contract extends Record<string, Api>>(nouns: Contract, changes: Changes<Contract>) => {
  const table: Record<string, Record<string, readonly ReadEndpoint[]>> = changes;
  for (const [noun, calls] of Object.entries(nouns))
    for (const [name, call] of Object.entries(calls)) readsOf.set(call, [...new Set(table[noun]?.[name])]);
};

export const changedBy = (write: Endpoint): readonly ReadEndpoint[] => readsOf.get(write) ?? [];

const {
  accounts,
  analytics,
  asks,
  billing,
  books,
  evidence,
  factors,
  identities,
  notifications,
  recalls,
  record,
  reminders,
  security,
  subscriptions,
  teams,
  toolUsers,
  tools,
} = contract;

const nothing: ReadEndpoint[] = [];
/** A payer's subscriptions and what depends on them: prices, offers, card and invoices. */
export const purchases = [
  subscriptions.list,
  subscriptions.listAll,
  subscriptions.quote,
  subscriptions.changes,
  subscriptions.winBackOffers,
  billing.paymentMethod,
  billing.invoices,
  billing.forecast,
  billing.told,
  books.nextBill,
  toolUsers.list,
  asks.ofTeam,
  analytics.dashboard,
];
const people = [teams.my, teams.members, teams.usage, toolUsers.list];
/** What depends on the practice that somebody is in, or names it. */
const practice = [teams.my, record.notAllowed, record.outside, factors.list, identities.list, ...purchases];
/** Whoever leaves it also loses the keys to its tools. */
const membership = [accounts.user, security.apiKeys, ...practice];
const ownInbox = [notifications.list, notifications.unreadCount];
/** The first factor signs the other sessions out. */
const ownFactors = [factors.list, accounts.user, security.sessions];
const ofRecord = [record.sessions, record.session, record.unstated, record.inventory, record.teamSessions];
const decided = [record.inventory, record.notAllowed, asks.ofTeam, asks.own];

/**
 * The browser refetches these reads after the write, and lists them nowhere else. Calls that answer with the user or an
 * invitation do not list it: the page takes it from the answer.
 */
declareChanges(contract, {
  accounts: {
    register: nothing,
    login: nothing,
    logout: nothing,
    completeProfile: nothing,
    // Their name is on the practice's lists.
    updateProfile: [...people, teams.invitations, books.nextBill, record.holds],
    // A verified address may belong to a partner, which lowers the price, or be the one that was invited.
    verifyEmail: [accounts.user, teams.invitation, ...purchases],
    resendVerification: nothing,
  },
  security: {
    forgotPassword: nothing,
    resetPassword: nothing,
    // Remembered devices end as well.
    changePassword: [security.sessions, factors.list],
    changeEmail: [security.emailChange],
    cancelEmailChange: [security.emailChange],
    // The address decides who is in the partner group, and with it the price.
    confirmEmailChange: [accounts.user, security.emailChange, teams.members, ...purchases],
    undoEmailChange: nothing,
    endSession: [security.sessions],
    revokeApiKey: [security.apiKeys],
    closeAccount: nothing,
    setupAdmin: nothing,
  },
  factors: {
    beginApp: nothing,
    addApp: ownFactors,
    beginPasskey: nothing,
    addPasskey: ownFactors,
    remove: ownFactors,
    renewCodes: [factors.list],
    forgetDevice: [factors.list],
    stopReset: [factors.list],
    askPasskey: nothing,
    signInWithPasskey: nothing,
    signInWithCode: nothing,
    prove: nothing,
  },
  identities: {
    begin: nothing,
    finish: [identities.list],
    connect: nothing,
    remove: [identities.list],
  },
  tools: {
    launch: [
      record.sessions,
      record.unstated,
      tools.myUsage,
      analytics.dashboard,
      analytics.usage,
      teams.usage,
      evidence.choices,
      notifications.unreadCount,
    ],
    introspect: nothing,
    testLaunch: nothing,
    confirmErasure: nothing,
    reportUsage: nothing,
  },
  evidence: { ask: [evidence.list], redact: [...ofRecord, evidence.list] },
  subscriptions: {
    create: purchases,
    sync: purchases,
    cancel: purchases,
    reactivate: purchases,
    autoRenew: purchases,
    resubscribe: purchases,
  },
  billing: {
    saveAddress: [billing.address],
    setupIntent: nothing,
    pay: purchases,
    // A new card is charged for what is owed.
    savePaymentMethod: purchases,
  },
  books: {
    askBookkeeper: [books.bookkeeper],
    removeBookkeeper: [books.bookkeeper],
    confirmBookkeeper: [books.bookkeeper],
    stopBookkeeper: [books.bookkeeper],
  },
  record: {
    state: ofRecord,
    decide: [...decided, record.outside],
    addTool: [...decided, record.outside],
    recordByHand: [...ofRecord, evidence.choices],
    drawSample: [],
    signOff: ofRecord,
    stateMany: ofRecord,
    allowNewTools: decided,
    // Whether tools open for a client only, and what can be ticked.
    setRules: [record.inventory, record.outside, subscriptions.list, subscriptions.listAll],
    hold: [record.holds],
    release: [record.holds],
    review: [record.inventory],
  },
  asks: { ask: [asks.own, asks.ofTeam], answer: decided },
  recalls: { look: [recalls.list, recalls.reach, recalls.sessions, ...ofRecord] },
  reminders: { save: [reminders.settings], unsubscribe: [reminders.settings] },
  teams: {
    create: [teams.my],
    rename: practice,
    requireFactor: [teams.my, factors.list],
    requireMicrosoft: [teams.my, identities.list],
    transfer: [teams.handOver],
    acceptHandOver: [accounts.user, teams.handOver, ...people, ...purchases],
    endHandOver: [teams.handOver],
    close: membership,
    changeRole: [...people, ...purchases],
    removeMember: [...people, ...purchases],
    invite: [teams.invitations],
    inviteMany: [teams.invitations],
    resendInvitation: [teams.invitations],
    revokeInvitation: [teams.invitations],
    // An invitation of another one can be accepted then.
    leave: [teams.invitation, ...membership, ...people],
    acceptInvitation: [...membership, ...people],
    declineInvitation: nothing,
  },
  toolUsers: { choose: [teams.usage, ...purchases] },
  notifications: { readAll: ownInbox, read: ownInbox, remove: ownInbox },
  site: { contact: nothing },
});
