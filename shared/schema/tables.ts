import type { PgTable } from 'drizzle-orm/pg-core';
import * as accounts from './accounts.ts';
import * as actTables from './acts.ts';
import * as admin from './admin.ts';
import * as analytics from './analytics.ts';
import * as billing from './billing.ts';
import * as books from './books.ts';
import * as business from './business.ts';
import * as discountChanges from './discount-changes.ts';
import * as discountCodeTables from './discount-codes.ts';
import * as evidence from './evidence.ts';
import * as factors from './factors.ts';
import * as notices from './notifications.ts';
import * as platform from './platform.ts';
import * as purchases from './subscriptions.ts';
import * as recallTables from './recalls.ts';
import * as record from './record.ts';
import * as teamTables from './teams.ts';
import * as changesOfTools from './tool-changes.ts';
import * as prices from './tool-prices.ts';
import * as catalogue from './tools.ts';
import * as use from './usage.ts';

export const schema = {
  ...accounts,
  ...actTables,
  ...admin,
  ...analytics,
  ...billing,
  ...books,
  ...business,
  ...discountChanges,
  ...discountCodeTables,
  ...evidence,
  ...factors,
  ...notices,
  ...platform,
  ...purchases,
  ...recallTables,
  ...record,
  ...teamTables,
  ...changesOfTools,
  ...prices,
  ...catalogue,
  ...use,
};
type Schema = typeof schema;
export type Tables = { [Name in keyof Schema as Schema[Name] extends PgTable ? Name : never]: Schema[Name] };
