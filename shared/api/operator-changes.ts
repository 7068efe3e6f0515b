import { actsApi as acts } from './operators/acts.ts';
import { adminApi as admin } from './operators/admin.ts';
import { approvalsApi as approvals } from './operators/approvals.ts';
import { businessApi as business } from './operators/business.ts';
import { catalogueApi as catalogue } from './operators/catalogue.ts';
import { codesApi as codes } from './operators/discount-codes.ts';
import { developersApi as developers } from './developers.ts';
import { closedRecordApi as closedRecord } from './evidence.ts';
import { offersApi as offers } from './offers.ts';
import { oversightApi as oversight } from './operators/oversight.ts';
import { publicationsApi as publications } from './operators/publications.ts';
import { adminRecallsApi as adminRecalls, toolRecallsApi as toolRecalls } from './recalls.ts';
import { declareChanges, purchases } from './changes.ts';
import { contract } from './members.ts';

const { accounts, analytics, record, tools } = contract;

const disclosed = [record.disclosure, record.inventory];

/** What administrators read about a person, or their team. */
const ofPerson = [
  admin.user,
  admin.userTimeline,
  admin.userTold,
  admin.team,
  admin.teamTimeline,
  admin.teamTold,
  oversight.audit,
];
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
const ofInvoices = [
  approvals.list,
  oversight.unpaidBills,
  ...ofPerson,
  admin.userForecast,
  admin.teamForecast,
  acts.invoices,
  acts.teamInvoices,
  acts.invoice,
  acts.invoiceOutlook,
];
const ofSubscription = [...ofInvoices, acts.subscriptionOutlook, acts.freeMonthsOutlook];
const priced = [...published, ...purchases, catalogue.prices, catalogue.previewPrice];
const volume = [oversight.audit, ...purchases, offers.tiers, offers.previewTiers];
const recalled = [adminRecalls.list, oversight.audit];
const apiKeys = [admin.apiKeys, ...ofPerson];

/** What the writes of administrators and tool makers change, on their own pages and on everybody's. */
declareChanges(
  {
    adminRecalls,
    closedRecord,
    toolRecalls,
    admin,
    acts,
    approvals,
    oversight,
    business,
    developers,
    publications,
    catalogue,
    offers,
    codes,
  },
  {
    toolRecalls: { open: [toolRecalls.list], change: [toolRecalls.list], close: [toolRecalls.list] },
    adminRecalls: { open: recalled, change: recalled, confirm: recalled, close: recalled },
    closedRecord: {
      redact: [closedRecord.find, closedRecord.kept, ...ofPerson],
      release: [closedRecord.kept, ...ofPerson],
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
      sendEvent: ownTool,
      check: ownTool,
      proposePrice: [...ownTool, developers.takings],
      requestPublication: ownTool,
      stage: ownTool,
      stageAnswers: ownTool,
      disclose: disclosed,
      announce: [developers.announcements, ...disclosed],
    },
    catalogue: {
      setPrice: priced,
      withdrawPrice: priced,
      addTool: published,
      changeTool: [...priced, ...purchases, catalogue.tool, tools.texts, analytics.usage],
      makeSecret: [catalogue.tool, oversight.audit],
      revokeSecret: [catalogue.tool, oversight.audit],
      disclose: [...disclosed, oversight.audit],
      announce: [catalogue.announcements, ...disclosed, oversight.audit],
    },
    offers: {
      setTiers: volume,
      withdrawTiers: volume,
    },
    codes: {
      make: [oversight.audit, codes.list],
      end: [oversight.audit, codes.list],
    },
    publications: {
      approve: published,
      promote: [...published, ...disclosed, catalogue.tool],
      tryOut: [oversight.audit],
      refuse: published,
      close: ofCatalogue,
      reopen: ofCatalogue,
    },
    admin: {
      grantFreeAccess: freeAccess,
      revokeFreeAccess: freeAccess,
      resetPassword: [approvals.list, ...ofPerson],
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
      refund: ofInvoices,
      retryCharge: ofSubscription,
      voidInvoice: ofSubscription,
      cancel: ofSubscription,
      extendTrial: ofSubscription,
      giveFreeMonths: ofSubscription,
    },
    approvals: {
      approve: [...freeAccess, ...ofSubscription],
      refuse: [approvals.list, ...ofPerson],
      undo: [...freeAccess, ...ofSubscription],
    },
    oversight: { replay: incidents, settle: incidents, confirmErasure: incidents },
  },
);
