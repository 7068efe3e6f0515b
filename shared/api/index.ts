import { actsApi } from './operators/acts.ts';
import { adminApi } from './operators/admin.ts';
import { approvalsApi } from './operators/approvals.ts';
import { businessApi } from './operators/business.ts';
import { catalogueApi } from './operators/catalogue.ts';
import { csrfApi } from './csrf.ts';
import { codesApi } from './operators/discount-codes.ts';
import { developersApi } from './developers.ts';
import { closedRecordApi } from './evidence.ts';
import { offersApi } from './offers.ts';
import { oversightApi } from './operators/oversight.ts';
import { publicationsApi } from './operators/publications.ts';
import { adminRecallsApi, toolRecallsApi } from './recalls.ts';
import { contract as members } from './members.ts';
import './operator-changes.ts';

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
