import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocuments } from '#server/platform/pages/page-documents.ts';
import { codeOf } from '#server/platform/pages/first-views.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createOwnAnswers } from './own-answers.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({}, undefined, {
    pages: (pages, _server, context, reads) => {
      const answer = createDocuments({
        template: '<html><head><!--head--></head><body><div id="root"><!--page--></div><!--data--></body></html>',
        env: context.env,
        render: () => Promise.resolve('rendered'),
        data: () =>
          Promise.resolve({
            tools: [],
            tiers: [],
            seller: context.env.seller,
            claims: [],
            providers: [],
            signInWith: [],
          }),
        own: createOwnAnswers(context, reads, 60_000),
        log: context.log,
      });
      pages.get('/{*path}', (req, res) => answer(req, res, (req.headers.cookie ?? '').includes('sid=')));
      return Promise.resolve(undefined);
    },
  });
});
afterAll(() => app.stop());

type Browser = Awaited<ReturnType<TestApp['signedIn']>>['agent'];
const cookieOf = (agent: Browser) =>
  agent.jar.getCookies({ path: '/', domain: '127.0.0.1', secure: false, script: false }).toValueString();

const visit = async (path: string, cookie: string) => {
  const { text, headers } = await request(app.url).get(path).set('cookie', cookie).expect(200);
  const block = /id="own-answers">(.*?)<\/script>/s.exec(text)?.[1];
  return {
    text,
    headers,
    own: block === undefined ? null : (JSON.parse(block) as { answers: Record<string, unknown> }).answers,
  };
};

describe('a page that brings answers along', () => {
  it('has those that the calls would answer to this person, and nobody keeps them', async () => {
    const { agent, user } = await app.signedIn({ firstName: '</script><b>Alex' });
    const { own, headers, text } = await visit('/?tab=billing', cookieOf(agent));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['vary']).toContain('Cookie');
    expect(headers['etag']).toBeUndefined();
    expect(text).not.toContain('</script><b>');
    expect(own).toMatchObject({ '/api/user': { id: user.id, firstName: '</script><b>Alex' } });
    expect(Object.keys(own!).length).toBeGreaterThan(10);
    for (const [address, answer] of Object.entries(own!)) {
      const { body } = await agent.get(address).expect(200);
      expect(answer, address).toEqual(body);
    }
  });

  it('brings the price of the tool that it is about', async () => {
    const { agent } = await app.signedIn();
    const { own } = await visit('/subscribe/pre-fill-ai', cookieOf(agent));
    expect(own).toHaveProperty(['/api/pricing/quote?toolId=pre-fill-ai']);
    expect(own).toHaveProperty(['/api/tools/pre-fill-ai/texts']);
    expect((await visit('/subscribe/no-such-tool', cookieOf(agent))).own).not.toHaveProperty([
      '/api/pricing/quote?toolId=no-such-tool',
    ]);
  });

  it('keeps to the rights of whoever asks', async () => {
    const { agent } = await app.signedIn({ profileCompleted: false });
    const { own } = await visit('/', cookieOf(agent));
    expect(own).toHaveProperty(['/api/user']);
    expect(own).not.toHaveProperty(['/api/user/subscriptions']);
    expect((await visit('/', 'sid=made-up')).own).toBeNull();
  });

  it('brings none once the session is over', async () => {
    const { agent } = await app.signedIn();
    const cookie = cookieOf(agent);
    await agent.post('/api/logout').expect(200);
    expect((await visit('/', cookie)).own).toBeNull();
  });
});

it('a page names its file, what that imports, and what every page begins with, each once', () => {
  const manifest = {
    'src/app/home-page.tsx': { file: 'assets/home.js', imports: ['_common.js'] },
    'src/app/signed-in-shell.tsx': { file: 'assets/shell.js', imports: ['_common.js'] },
    '_common.js': { file: 'assets/common.js' },
  };
  expect(codeOf(manifest, '/dashboard', undefined)).toEqual([
    '/assets/shell.js',
    '/assets/common.js',
    '/assets/home.js',
  ]);
  expect(codeOf(manifest, '/help', undefined)).toEqual([]);
});
