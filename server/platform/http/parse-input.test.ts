import { expect, it } from 'vitest';
import { contactTopics } from '#shared/rules/site.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const keys = (count: number, name = (n: number) => `k${n}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 0]));
const refused = async (path: string, body: object) => {
  const answer = await app.agent().post(path).send(body).expect(400);
  return { size: answer.text.length, fields: (answer.body as { fields: Record<string, string> }).fields };
};

const ten = Object.fromEntries(Object.keys(keys(10)).map((name) => [name, `Unknown field: ${name}`]));
const own = {
  name: 'Alex',
  email: 'alex@practice.example',
  topic: contactTopics[0],
  message: 'Hello, is anybody there?',
};

it.each([
  ['eleven unknown fields: ten', { ...own, ...keys(11) }, ten],
  ['nine hundred: ten', { ...own, ...keys(900) }, ten],
  ['nine thousand: none', { ...own, ...keys(9000) }, { body: 'At most 1,000 fields are taken.' }],
])('an answer names %s', async (_what, body, fields) => {
  const answer = await refused('/api/contact', body);
  expect(answer.fields).toEqual(fields);
  expect(answer.size).toBeLessThan(1500);
});

it('an answer names our own field before unknown ones', async () => {
  const { fields } = await refused('/api/contact', { ...own, email: 'no address', ...keys(100) });
  expect(Object.keys(fields)).toEqual(['email', ...Object.keys(keys(10))]);
});

it('an answer repeats no long name of a field', async () => {
  const { size } = await refused('/api/contact', { ...own, ...keys(5, (n) => `${n}${'x'.repeat(10_000)}`) });
  expect(size).toBeLessThan(1500);
});

it('many quotes in one text are no fields', async () => {
  const message = '":'.repeat(1200);
  await app
    .agent()
    .post('/api/contact')
    .send({ ...own, message })
    .expect(200);
});

it('JSON that is not UTF-8 is refused', async () => {
  const type = 'application/json; charset=utf-16le';
  const body = Buffer.from(JSON.stringify(own), 'utf16le');
  await app
    .agent()
    .post('/api/contact')
    .set('content-type', type)
    .serialize((bytes) => bytes)
    .send(body)
    .expect(415);
});
