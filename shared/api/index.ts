import { actsApi } from './acts.ts';
import { adminApi } from './admin.ts';
import { approvalsApi } from './approvals.ts';
import { businessApi } from './business.ts';
import { catalogueApi } from './catalogue.ts';
import { csrfApi } from './csrf.ts';
import { codesApi } from './discount-codes.ts';
import { developersApi } from './developers.ts';
import { closedRecordApi } from './evidence.ts';
import { offersApi } from './offers.ts';
import { oversightApi } from './oversight.ts';
import { publicationsApi } from './publications.ts';
import { adminRecallsApi, toolRecallsApi } from './recalls.ts';
import { contract as members } from './members.ts';
import './operator-changes.ts';

/** Every call, by noun. */
export const contract = {
  ...members,
  admin: { ...csrfApi, ...adminApi },
  acts: actsApi,
  approvals: approvalsApi,
  offers: offersApi,
  codes: codesApi,
  oversight: oversightApi,
  business: businessApi,
  developers: developersApi,
  publications: publicationsApi,
  catalogue: catalogueApi,
  toolRecalls: toolRecallsApi,
  adminRecalls: adminRecallsApi,
  closedRecord: closedRecordApi,
};
