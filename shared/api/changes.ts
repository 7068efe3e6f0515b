import type { Endpoint } from './endpoint.ts';
import { contract } from './index.ts';

type Contract = typeof contract;
type Read = Endpoint & { method: 'GET' };
type WritesOf<Calls> = { [K in keyof Calls as Calls[K] extends Read ? never : K]: readonly Read[] };
type Changes = {
  [N in keyof Contract as keyof WritesOf<Contract[N]> extends never ? never : N]: WritesOf<Contract[N]>;
};

const {
  accounts,
  acts,
  admin,
  analytics,
  approvals,
  billing,
  catalogue,
  developers,
  evidence,
  factors,
  notifications,
  oversight,
  publications,
  record,
  reminders,
  security,
  subscriptions,
  teams,
  tools,
} = contract;

const nothing: Read[] = [];
/** A payer's subscriptions, with what depends on them: prices, offers, card and invoices. */
const purchases = [
  subscriptions.list,
  subscriptions.listAll,
  subscriptions.quote,
  subscriptions.changes,
  subscriptions.winBackOffers,
  billing.paymentMethod,
  billing.invoices,
  billing.forecast,
  analytics.dashboard,
];
const people = [teams.my, teams.members, teams.usage];
const ownInbox = [notifications.list, notifications.unreadCount];
/** The first factor signs the other sessions out. */
const ownFactors = [factors.list, accounts.user, security.sessions];
/** What administrators read of a person. */
const ofPerson = [admin.user, admin.userTimeline, admin.team, admin.teamTimeline, oversight.audit];
const freeAccess = [
  approvals.list,
  accounts.user,
  ...purchases,
  admin.users,
  admin.subscriberStats,
  admin.userForecast,
  ...ofPerson,
];
const incidents = [oversight.incidents, oversight.audit];
const held = [admin.users, admin.apiKeys, admin.userForecast, ...ofPerson];
const ownTool = [developers.list, developers.show];
const published = [publications.list, publications.offered, tools.list, oversight.audit];
const ofCatalogue = [...published, catalogue.tool];
const ofRecord = [record.sessions, record.session, record.unstated, record.inventory, record.teamSessions];
const decided = [record.inventory, record.notAllowed];
const ofInvoices = [
  approvals.list,
  ...ofPerson,
  admin.userForecast,
  admin.teamForecast,
  acts.invoices,
  acts.teamInvoices,
  acts.invoiceOutlook,
];
const ofSubscription = [...ofInvoices, acts.subscriptionOutlook];
const priced = [...published, ...purchases, catalogue.prices, catalogue.previewPrice];
const apiKeys = [admin.apiKeys, ...ofPerson];

/**
 * The reads that each write makes out of date. The browser refetches them after the write, and lists them nowhere else.
 * A write without an entry does not compile. Calls that answer with the user or an invitation do not list it: the page
 * takes it from the answer.
 */
const changes: Changes = {
  accounts: {
    register: nothing,
    login: nothing,
    logout: nothing,
    completeProfile: nothing,
    updateProfile: people,
    // A verified address may belong to a partner, which lowers the price.
    verifyEmail: [accounts.user, ...purchases],
    resendVerification: nothing,
  },
  security: {
    forgotPassword: nothing,
    resetPassword: nothing,
    changePassword: [security.sessions],
    changeEmail: [security.emailChange],
    cancelEmailChange: [security.emailChange],
    // The partner group goes by the address, and with it the price.
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
    cancelReset: [factors.list],
    askPasskey: nothing,
    signInWithPasskey: nothing,
    signInWithCode: nothing,
    prove: nothing,
  },
  tools: {
    launch: [
      record.sessions,
      record.unstated,
      tools.myUsage,
      analytics.dashboard,
      analytics.usage,
      teams.usage,
      notifications.unreadCount,
    ],
    introspect: nothing,
    confirmErasure: nothing,
    reportUsage: nothing,
  },
  developers: {
    register: [developers.list],
    change: ownTool,
    makeSecret: ownTool,
    revokeSecret: ownTool,
    addTestAdviser: ownTool,
    launchAs: ownTool,
    endAccess: ownTool,
    replay: ownTool,
    check: ownTool,
    requestPublication: ownTool,
    disclose: [record.disclosure, record.inventory],
  },
  evidence: { ask: [evidence.list] },
  catalogue: {
    setPrice: priced,
    withdrawPrice: priced,
    addTool: published,
    changeTool: [...priced, ...purchases, catalogue.tool, tools.texts, analytics.usage],
    makeSecret: [catalogue.tool, oversight.audit],
    revokeSecret: [catalogue.tool, oversight.audit],
  },
  publications: { approve: published, refuse: published, close: ofCatalogue, reopen: ofCatalogue },
  subscriptions: {
    create: purchases,
    sync: purchases,
    cancel: purchases,
    reactivate: purchases,
    autoRenew: purchases,
    pay: purchases,
    resubscribe: purchases,
  },
  billing: {
    saveAddress: [billing.address],
    setupIntent: nothing,
    // A new card is charged for what is owed.
    savePaymentMethod: purchases,
  },
  record: {
    state: ofRecord,
    decide: decided,
    allowNewTools: decided,
    review: [record.inventory],
  },
  reminders: { save: [reminders.settings], unsubscribe: [reminders.settings] },
  teams: {
    create: [teams.my],
    rename: [teams.my, ...purchases],
    requireFactor: [teams.my, factors.list],
    transfer: [accounts.user, ...people, ...purchases],
    close: [accounts.user, teams.my, ...purchases],
    removeMember: [...people, ...purchases],
    invite: [teams.invitations],
    resendInvitation: [teams.invitations],
    revokeInvitation: [teams.invitations],
    acceptInvitation: [accounts.user, record.notAllowed, ...people, ...purchases],
    declineInvitation: nothing,
  },
  notifications: { readAll: ownInbox, read: ownInbox, remove: ownInbox },
  admin: {
    grantFreeAccess: freeAccess,
    revokeFreeAccess: freeAccess,
    resetPassword: ofPerson,
    resetFactors: ofPerson,
    suspend: [...held, publications.offered, tools.list],
    reinstate: held,
    endSessions: ofPerson,
    demandPassword: held,
    generateApiKey: apiKeys,
    revokeApiKey: apiKeys,
  },
  acts: {
    makeAdministrator: [approvals.list, ...held],
    changeEmail: [approvals.list, ...held],
    sendVerification: ofPerson,
    sendResetLink: ofPerson,
    refund: ofInvoices,
    retryCharge: ofSubscription,
    voidInvoice: ofSubscription,
    cancel: ofSubscription,
    extendTrial: ofSubscription,
  },
  approvals: {
    approve: [...freeAccess, ...ofInvoices],
    refuse: [approvals.list, ...ofPerson],
    undo: freeAccess,
  },
  oversight: { replay: incidents, settle: incidents, confirmErasure: incidents },
  site: { contact: nothing },
};

export const changedBy = (write: Endpoint): readonly Read[] => {
  const table: Record<string, Record<string, readonly Read[]>> = changes;
  for (const [noun, calls] of Object.entries<Record<string, Endpoint>>(contract))
    for (const [name, call] of Object.entries(calls)) if (call === write) return table[noun]?.[name] ?? nothing;
  return nothing;
};
