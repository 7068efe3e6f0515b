import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { seller } from '#shared/brand.ts';
import { mails } from '#shared/schema/notifications.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

let number = 0;
const from = () => `192.0.2.${(number += 1)}`;
const letter = (change: object = {}) => ({
  name: 'Mia Wong',
  email: `mia-${(number += 1)}@practice.example`,
  topic: 'Billing and plans',
  message: 'Where is my invoice?\n\nThe one of June.',
  ...change,
});
const send = (body: object, ip = from(), agent: Agent = app.agent()) =>
  agent.post('/api/contact').set('x-forwarded-for', ip).send(body);
const received = () =>
  app.context.db.select().from(mails).where(eq(mails.toAddress, seller().supportEmail)).orderBy(desc(mails.createdAt));

describe('the contact form', () => {
  it('puts the message into the support mailbox, with the address to answer to', async () => {
    const body = letter({ email: ' Mia.Wong@Practice.Example ', name: '<b>Mia' });
    const answer = await send(body).expect(200);
    expect(answer.body).toEqual({ message: expect.stringContaining('within 24 hours') as string });
    const [mail] = await received();
    expect(mail).toMatchObject({
      subject: 'Contact form: Billing and plans',
      kind: 'contact',
      headers: { 'Reply-To': 'mia.wong@practice.example' },
    });
    expect(mail!.textBody).toContain('From: <b>Mia <mia.wong@practice.example>');
    expect(mail!.textBody).toContain('Where is my invoice?\n\nThe one of June.');
    expect(mail!.textBody).toContain('the address is not proven');
    expect(mail!.htmlBody).not.toContain('<b>Mia');
  });

  it('says who was signed in, whatever address was typed', async () => {
    const { agent, user } = await app.signedIn();
    await send(letter(), from(), agent).expect(200);
    expect((await received())[0]!.textBody).toContain(`Signed in as ${user.email} (${user.id}).`);
  });

  it.each([
    [{ name: ' ' }, { name: 'Your name is required' }],
    [{ name: 'Mia\r\nBcc: everyone@practice.example' }, { name: 'Line breaks and control characters are not allowed' }],
    [{ email: 'mia@' }, { email: 'Please enter a valid email address' }],
    [{ topic: 'Gossip' }, { topic: 'Please choose a topic' }],
    [{ message: ' \n ' }, { message: 'A message is required' }],
    [{ message: 'x'.repeat(5001) }, { message: 'Please use at most 5000 characters' }],
    [{ to: 'everyone@practice.example' }, { to: 'Unknown field: to' }],
  ])('names the fault of %j', async (change, fields) => {
    const before = (await received()).length;
    expect((await send(letter(change)).expect(400)).body).toMatchObject({ fields });
    expect(await received()).toHaveLength(before);
  });

  it('takes three messages an hour from an address, and ten from an IP', async () => {
    const email = 'eager@practice.example';
    for (let i = 0; i < 3; i += 1) await send(letter({ email })).expect(200);
    const answer = await send(letter({ email: email.toUpperCase() })).expect(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    const ip = from();
    for (let i = 0; i < 10; i += 1) await send(letter(), ip).expect(200);
    await send(letter(), ip).expect(429);
    await send(letter()).expect(200);
  });
});
