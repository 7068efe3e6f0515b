import { beforeEach, describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { ensureCustomer } from '#server/stripe/customers.ts';
import { createAdmin } from '#server/testing/factories.ts';
import {
  buy,
  collected,
  DAY,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
  type Shown,
  shown,
} from '#server/testing/purchases.ts';
import { faultyApp } from '#server/testing/replica.ts';
import type { Agent } from '#server/testing/test-app.ts';
import { finishAct } from './carry-out.ts';
import { kinds } from './kinds.ts';

const { app, line, replica } = faultyApp();
/** Posts as an administrator, to a server that may lose Stripe. */
let post: (path: string, values: object) => ReturnType<Agent['post']>;

beforeEach(async () => {
  const { email } = await createAdmin(app.context);
  const agent = await replica.agent(email);
  const { body } = await agent.get('/api/admin/csrf-token').expect(200);
  post = (path, values) => agent.post(path).send({ ...values, _csrf: (body as { csrfToken: string }).csrfToken });
});

const tool = 'risk-profile-ai';
const reason = 'Agreed on the telephone';
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};

/** Makes the database refuse our rows of the act after Stripe has done it. Returns a function that mends it. */
async function loseRows(action: string): Promise<() => Promise<void>> {
  await rowsOf(
    app,
    `create function dies() returns trigger language plpgsql as $$ begin raise 'the power is out'; end $$`,
  );
  await rowsOf(
    app,
    `create trigger dies before insert on audit_log for each row when (new.action = '${action}') execute function dies()`,
  );
  return async () => {
    await rowsOf(app, 'drop trigger dies on audit_log');
    await rowsOf(app, 'drop function dies');
  };
}

async function adviser() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  await settle();
  const [invoice] = await rowsOf(app, 'select id from invoices where user_id = $1', [user.id]);
  return { agent, user, invoice: String(invoice!['id']), row: (await shown(agent, tool))! };
}

/** Gives a card at Stripe only, so that nothing of ours charges it. */
async function giveCard(userId: string, method: string) {
  const { customers, paymentMethods } = app.context.payments.stripe;
  const customer = await ensureCustomer(app.context, userPayer(userId));
  const { id } = await paymentMethods.attach(method, { customer });
  await customers.update(customer, { invoice_settings: { default_payment_method: id } });
  await settle();
}

/** Somebody whose bill is to begin with this trial in half a day: Stripe has its subscription already. */
async function onTrial() {
  const { agent, user } = await app.signedIn();
  await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
  await giveCard(user.id, 'pm_card_visa');
  await passTo(app, (await shown(agent, tool))!.trialEndDate!, -DAY / 2);
  return { agent, user, row: (await shown(agent, tool))!, invoice: '' };
}

async function inArrears() {
  const { agent, user, row } = await adviser();
  const give = (method: string) => giveCard(user.id, method);
  await give('pm_card_chargeCustomerFail');
  await pass(app, 32 * DAY);
  await give('pm_card_visa');
  const [open] = await rowsOf(app, "select id from invoices where user_id = $1 and status = 'open'", [user.id]);
  return { agent, user, row, invoice: String(open!['id']) };
}

type Scene = { agent: Agent; user: { id: string; email: string }; row: Shown; invoice: string };
type Case = {
  action: string;
  mail: string;
  scene: () => Promise<Scene>;
  act: (scene: Scene) => Promise<{ path: string; values: object }>;
  /** Expects Stripe and our rows to show the act, once. */
  done: (scene: Scene) => Promise<void>;
};

const cases: Record<string, Case> = {
  cancel: {
    action: 'admin.subscription_cancelled',
    mail: 'cancelled',
    scene: adviser,
    act: async ({ row }) => ({ path: `subscriptions/${row.id}/cancel`, values: {} }),
    done: async ({ agent, user }) => {
      expect(await shown(agent, tool)).toMatchObject({ status: 'cancelled' });
      const [atStripe] = await providerSubscriptions(app, user.id);
      expect(atStripe!.cancel_at_period_end || atStripe!.cancel_at !== null).toBe(true);
    },
  },
  'extend a trial': {
    action: 'admin.trial_extended',
    mail: 'trial-extended',
    scene: onTrial,
    act: async ({ agent, row }) => ({
      path: `subscriptions/${row.id}/extend-trial`,
      values: { days: 14, from: (await shown(agent, tool))!.trialEndDate },
    }),
    done: async ({ agent, user, row }) => {
      const end = new Date(row.trialEndDate!).getTime() + 14 * DAY;
      expect(new Date((await shown(agent, tool))!.trialEndDate!).getTime()).toBe(end);
      const [atStripe, ...others] = await providerSubscriptions(app, user.id);
      expect([atStripe!.trial_end, others]).toEqual([Math.floor(end / 1000), []]);
    },
  },
  'retry a charge': {
    action: 'admin.charge_retried',
    mail: 'charge-retried',
    scene: inArrears,
    act: async ({ invoice }) => ({
      path: `invoices/${invoice}/retry`,
      values: { charge: { cents: 3000, last4: '4242' } },
    }),
    done: async ({ agent, user }) => {
      expect(await shown(agent, tool)).toMatchObject({ status: 'active', paymentProblem: null });
      expect(await collected(app, user.id)).toBe(6000);
    },
  },
  'void an invoice': {
    action: 'admin.invoice_voided',
    mail: 'invoice-voided',
    scene: inArrears,
    act: async ({ invoice }) => ({ path: `invoices/${invoice}/void`, values: { dueCents: 3000 } }),
    done: async ({ agent, user }) => {
      expect(await shown(agent, tool)).toMatchObject({ status: 'active', paymentProblem: null });
      expect(await collected(app, user.id)).toBe(3000);
    },
  },
  refund: {
    action: 'admin.refund_asked',
    mail: 'refund',
    scene: adviser,
    act: async ({ invoice }) => ({ path: `invoices/${invoice}/refund`, values: { cents: 1000, leftCents: 3000 } }),
    done: async ({ invoice }) => {
      const notes = await rowsOf(app, 'select total_cents from adjustment_notes where invoice_id = $1', [invoice]);
      expect(notes).toEqual([{ total_cents: 1000 }]);
    },
  },
};

const actOf = async (subjectId: string) =>
  (
    await rowsOf(app, 'select id, done_at, failure from acts where subject_id = $1 order by asked_at desc', [subjectId])
  )[0]!;

async function told({ user }: Scene, { action, mail }: Case) {
  const trail = await rowsOf(app, 'select 1 from audit_log where action = $1 and subject_id = $2', [action, user.id]);
  const mails = await rowsOf(app, 'select 1 from mails where kind = $1 and to_address = $2', [mail, user.email]);
  return [trail.length, mails.length];
}

describe.each(Object.entries(cases))('an act (%s)', (name, one) => {
  const subject = ({ row, invoice }: Scene) => (name === 'cancel' || name.startsWith('extend') ? row.id : invoice);

  /** Runs the job twice at once and once more. */
  async function finished(scene: Scene) {
    const id = String((await actOf(subject(scene)))['id']);
    await Promise.allSettled([finishAct(app.context, id, kinds), finishAct(app.context, id, kinds)]);
    await finishAct(app.context, id, kinds);
    await settle();
    expect(await actOf(subject(scene))).toMatchObject({ failure: null, done_at: expect.any(Date) });
    await one.done(scene);
    expect(await told(scene, one)).toEqual([1, 1]);
  }

  it.each([false, true])('is finished by the job, once, when Stripe is silent (it acted: %s)', async (lost) => {
    const scene = await one.scene();
    const { path, values } = await one.act(scene);
    line.cutAt(1, lost);
    await post(`/api/admin/${path}`, { ...values, reason }).expect(503);
    // Until then, nobody else can act on the same subject.
    line.set('none');
    const { body } = await post(`/api/admin/${path}`, { ...values, reason }).expect(409);
    expect(body).toMatchObject({ code: expect.any(String) });
    await finished(scene);
  });

  it.skipIf(name === 'refund')('is written by the job when the server dies after Stripe acted', async () => {
    const scene = await one.scene();
    const { path, values } = await one.act(scene);
    const back = await loseRows(one.action);
    try {
      await post(`/api/admin/${path}`, { ...values, reason }).expect(500);
      expect(await told(scene, one)).toEqual([0, 0]);
    } finally {
      await back();
    }
    await finished(scene);
  });

  it('is not tried again where it is refused', async () => {
    const scene = await one.scene();
    const { path, values } = await one.act(scene);
    await post(`/api/admin/${path}`, { ...values, reason }).expect(200);
    await settle();
    await post(`/api/admin/${path}`, { ...values, reason }).expect(409);
    const acts = await rowsOf(app, 'select 1 from acts where subject_id = $1 and done_at is null and failure is null', [
      subject(scene),
    ]);
    expect(acts).toEqual([]);
    expect(await told(scene, one)).toEqual([1, 1]);
  });
});

describe('an act is done all the same, once, where Stripe keeps a 500 under its key', () => {
  const paths = {
    'retry a charge': /^\/v1\/invoices\/\w+\/pay$/,
    'void an invoice': /^\/v1\/invoices\/\w+\/void$/,
    refund: /^\/v1\/credit_notes$/,
  };
  it.each(Object.entries(paths).flatMap(([name, path]) => [false, true].map((made) => [name, path, made] as const)))(
    '%s, %s (done before the fault: %s)',
    async (name, path, made) => {
      const one = cases[name]!;
      const scene = await one.scene();
      const act = await one.act(scene);
      line.spoilNext(path, { made });
      await post(`/api/admin/${act.path}`, { ...act.values, reason }).expect(200);
      await settle();
      await one.done(scene);
      expect(await told(scene, one)).toEqual([1, 1]);
    },
  );
});
