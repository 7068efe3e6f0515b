import { describe, expect, it } from 'vitest';
import { createTeam } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const address = { line1: '12 George Street', line2: 'Level 3', city: 'Sydney', state: 'NSW', postcode: '2000' };
const path = '/api/billing/address';

/** A team whose owner is signed in. */
async function teamOf() {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id });
  return { agent, user, team };
}
const customerOf = async (table: 'users' | 'teams', id: string) => {
  const [row] = await rowsOf(app, `select stripe_customer_id from ${table} where id = $1`, [id]);
  return app.context.payments.stripe.customers.retrieve(row!.stripe_customer_id as string);
};

describe('billing address', () => {
  it('is null until one is stored, and is then what was sent', async () => {
    const { agent } = await app.signedIn();
    await agent.get(path).expect(200, 'null');
    await agent.put(path).send(address).expect(200, address);
    await agent.get(path).expect(200, address);
    const moved = { ...address, line2: '', city: 'Perth', state: 'WA', postcode: '6000' };
    await agent.put(path).send(moved).expect(200, moved);
    await agent.get(path).expect(200, moved);
  });

  it('what is left out stays as it is stored, so that a stale form undoes nothing (fleet#885)', async () => {
    const { agent } = await app.signedIn();
    await agent.put(path).send(address).expect(200);
    await agent.put(path).send({ line1: '1 Pitt Street' }).expect(200);
    await agent.put(path).send({ line2: '' }).expect(200);
    const both = { ...address, line1: '1 Pitt Street', line2: '' };
    await agent
      .put(path)
      .send({ postcode: '2001' })
      .expect(200, { ...both, postcode: '2001' });
  });

  it('a first address needs all its parts, which the answer names', async () => {
    const { agent } = await app.signedIn();
    const { body } = await agent.put(path).send({ line1: '1 Pitt Street' }).expect(400);
    expect(Object.keys((body as { fields: object }).fields).toSorted()).toEqual(['city', 'postcode', 'state']);
  });

  it('spaces around what was typed do not count', async () => {
    const { agent } = await app.signedIn();
    const { body } = await agent
      .put(path)
      .send({ ...address, line1: '  12 George Street ', postcode: ' 2000 ' })
      .expect(200);
    expect(body).toEqual(address);
  });

  it.each([
    ['postcode of three digits', { postcode: '200' }, { postcode: 'Postcode must be 4 digits' }],
    ['postcode max 4 characters', { postcode: '20000' }, { postcode: 'Postcode must be 4 digits' }],
    ['postcode of letters', { postcode: 'ABCD' }, { postcode: 'Postcode must be 4 digits' }],
    ['state none of the eight', { state: 'QC' }, { state: 'State is required' }],
    ['street missing', { line1: ' ' }, { line1: 'Street address is required' }],
    ['city missing', { city: '' }, { city: 'City is required' }],
  ])('%s is refused, and nothing is stored', async (_name, wrong, fields) => {
    const { agent } = await app.signedIn();
    const { body } = await agent
      .put(path)
      .send({ ...address, ...wrong })
      .expect(400);
    expect(body).toMatchObject({ code: 'invalid_input', fields });
    await agent.get(path).expect(200, 'null');
  });

  it.each(['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT'])('state %s is one', async (state) => {
    const { agent } = await app.signedIn();
    await agent
      .put(path)
      .send({ ...address, state })
      .expect(200);
  });

  it('a postcode of another state is accepted: border towns are served from there', async () => {
    const { agent } = await app.signedIn();
    await agent
      .put(path)
      .send({ ...address, state: 'VIC', postcode: '2640' })
      .expect(200);
  });

  it('fields that are not its own are refused', async () => {
    const { agent, user } = await app.signedIn();
    await agent
      .put(path)
      .send({ ...address, userId: user.id })
      .expect(400);
  });
});

it('reaches the customer at Stripe, an existing one and one made later', async () => {
  const early = await app.signedIn();
  await early.agent.put(path).send(address).expect(200);
  await buy(app, early.agent, 'risk-profile-ai');
  const expected = {
    address: {
      line1: '12 George Street',
      line2: 'Level 3',
      city: 'Sydney',
      state: 'NSW',
      postal_code: '2000',
      country: 'AU',
    },
  };
  expect(await customerOf('users', early.user.id)).toMatchObject(expected);

  const late = await app.signedIn();
  await buy(app, late.agent, 'risk-profile-ai');
  await late.agent.put(path).send(address).expect(200);
  await app.context.queue.drain();
  expect(await customerOf('users', late.user.id)).toMatchObject(expected);
});

it('a new name and ABN reach the customer too, and the old ABN goes', async () => {
  const { agent, user } = await app.signedIn({ abn: '51824753556' });
  await buy(app, agent, 'risk-profile-ai');
  await agent.patch('/api/user/profile').send({ firstName: 'Sam', abn: '53 004 085 616' }).expect(200);
  await app.context.queue.drain();
  const customer = await customerOf('users', user.id);
  expect(customer).toMatchObject({ name: 'Sam Nguyen' });
  const { data } = await app.context.payments.stripe.customers.listTaxIds(customer.id);
  expect(data).toMatchObject([{ type: 'au_abn', value: '53004085616' }]);
});

it('two at once: one of them stays, whole', async () => {
  const { agent, user } = await app.signedIn();
  const others = Array.from({ length: 8 }, (_, i) => ({ ...address, line1: `${i} High Street`, city: `City ${i}` }));
  await Promise.all(others.map((each) => agent.put(path).send(each).expect(200)));
  const { body } = await agent.get(path).expect(200);
  expect(others).toContainEqual(body);
  expect(await rowsOf(app, 'select id from billing_addresses where user_id = $1', [user.id])).toHaveLength(1);
});

it('a team has its own, for its owner only: its other members are refused, outsiders find no team', async () => {
  const { agent, team } = await teamOf();
  await agent
    .put(path)
    .send({ ...address, teamId: team.id })
    .expect(200, address);
  await agent.get(path).query({ teamId: team.id }).expect(200, address);
  await agent.get(path).expect(200, 'null');

  const insider = await app.signedIn();
  await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'admin')", [
    team.id,
    insider.user.id,
  ]);
  await insider.agent.get(path).query({ teamId: team.id }).expect(403);
  await insider.agent
    .put(path)
    .send({ ...address, city: 'Perth', teamId: team.id })
    .expect(403);
  const outsider = await app.signedIn();
  await outsider.agent.get(path).query({ teamId: team.id }).expect(404);
  await outsider.agent
    .put(path)
    .send({ ...address, teamId: team.id })
    .expect(404);
  await agent.get(path).query({ teamId: team.id }).expect(200, address);
});
