import { beforeEach, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { soldByOlder } from '#server/testing/older-release.ts';
import { giveCard, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { joinOneBill } from './join.ts';

const app = testApp();

/** As the release before sends them (Drizzle's text of its `updateRow`, `touchRow` and `insertRow`, from PostgreSQL's log). */
const statements = {
  update: `update "tool_subscriptions" set "auto_renew" = $1, "version" = $2, "updated_at" = now()
    where ("tool_subscriptions"."id" = $3 and "tool_subscriptions"."version" = $4) returning "id", "user_id", "team_id"`,
  touch: `update "tool_subscriptions" set "synced_at" = $1
    where ("tool_subscriptions"."id" = $2 and "tool_subscriptions"."version" = $3) returning "id", "user_id", "team_id"`,
  insert: `insert into "tool_subscriptions" ("id", "user_id", "team_id", "tool_id", "is_active", "status", "subscription_type",
      "stripe_subscription_id", "purchase", "monthly_cents", "quantity", "prorations", "draft", "told", "price_told", "auto_renew",
      "win_back_of", "win_back", "free_months", "payment_problem", "cancellation_reason", "cancellation_details", "cancelled_at",
      "paid_until", "end_date", "billing_day", "grace_period_end", "trial_end_date", "expired_at", "version", "synced_at", "created_at",
      "updated_at")
    values (default, $1, $2, $3, default, $4, $5, default, $6, $7, $8, default, default, default, default, default, $9, $10, default,
      default, default, default, default, default, default, default, default, default, default, default, default, $11, default)
    on conflict do nothing returning "id", "user_id", "team_id"`,
};
const sentence =
  'This release is too old for this database, which bills each payer once a month for all their tools: start the newer release again.';

let userId: string;
let rowId: string;
const update = (version: number) => rowsOf(app, statements.update, [false, version + 1, rowId, version]);
const insert = (toolId: string) =>
  rowsOf(app, statements.insert, [
    userId,
    null,
    toolId,
    'incomplete',
    'individual',
    '{"attempt":1,"unitCents":3000,"quantity":1}',
    3e3,
    1,
    null,
    null,
    app.context.now(),
  ]);

beforeEach(async () => {
  await rowsOf(app, 'update stripe_account set one_bill_since = null');
  await rowsOf(app, 'delete from bills');
  const { agent, user } = await app.signedIn();
  await giveCard(app, agent);
  userId = user.id;
  ({ rowId } = await soldByOlder(app, userPayer(userId), 'risk-profile-ai'));
});

it('an operator can go back to the older release until joining begins', async () => {
  expect(await update(3)).toHaveLength(1);
  expect(await insert('fact-find-ai')).toHaveLength(1);
});

it('the database refuses the older release’s changes and purchases in one sentence once joining has begun', async () => {
  await joinOneBill(app.context);
  await expect(update(3)).rejects.toThrow(sentence);
  await expect(insert('fact-find-ai')).rejects.toThrow(sentence);
  // What it only notes does no harm.
  expect(await rowsOf(app, statements.touch, [app.context.now(), rowId, 3])).toHaveLength(1);
});

it('the database refuses them, too, once anybody has a bill', async () => {
  await rowsOf(
    app,
    `insert into bills (user_id, kind, status, at, until, lines, parts, total_cents, gst_cents)
     values ($1, 'first', 'paid', now(), now() + interval '1 month', '[]', '[]', 3000, 273)`,
    [userId],
  );
  await expect(update(3)).rejects.toThrow(sentence);
  await expect(insert('fact-find-ai')).rejects.toThrow(sentence);
});
