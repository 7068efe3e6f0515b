import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnToolDetails } from '#shared/api/developers.ts';
import { testApp } from '#server/testing/test-app.ts';

const run = promisify(execFile);
const app = testApp();
let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'snippets-'));
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const letters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const has = (...command: [string, string]) => spawnSync(command[0], [command[1]]).status === 0;

/** A snippet as the guide shows it. */
async function snippetOf(language: string): Promise<string> {
  const page = await (await fetch(`${app.url}/api/docs/guide`)).text();
  const code = page.split(`<code class="language-${language}">`)[1]!.split('</code>')[0]!;
  return code.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (letter) => letters[letter]!);
}

/** Each program gets a token, an event's headers and its body, and prints four lines. */
const languages = [
  {
    name: 'Node',
    language: 'mjs',
    missing: false,
    command: 'node',
    files: (snippet: string) => ({
      'adviserly.mjs': snippet,
      'try.mjs': `import { exchange, isOurs, report } from './adviserly.mjs';
        const [token, id, at, signature, body] = process.argv.slice(2);
        const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
        const who = await exchange(token);
        console.log(JSON.stringify(who));
        console.log(await exchange(token));
        console.log(JSON.stringify(await report({ event_id: 'Node', session_id: who.session_id, duration_seconds: 60 })));
        console.log([isOurs(headers, Buffer.from(body)), isOurs(headers, Buffer.from(body + ' ')), isOurs({}, Buffer.from(body))].join());`,
    }),
  },
  {
    name: 'Python',
    language: 'py',
    missing: !has('python3', '--version'),
    command: 'python3',
    files: (snippet: string) => ({
      'adviserly.py': snippet,
      'try.py': `import json, sys
from adviserly import exchange, is_ours, report
token, id, at, signature, body = sys.argv[1:]
headers = {"webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature}
who = exchange(token)
print(json.dumps(who))
print("null" if exchange(token) is None else "open")
print(json.dumps(report({"event_id": "Python", "session_id": who["session_id"], "duration_seconds": 60})))
print(*(str(one).lower() for one in (is_ours(headers, body.encode()), is_ours(headers, body.encode() + b" "), is_ours({}, body.encode()))), sep=",")
`,
    }),
  },
  {
    name: 'Java',
    language: 'java',
    missing: !has('java', '--version'),
    command: 'java',
    files: (snippet: string) => ({
      // The first class of a file is the one that runs.
      'Try.java': snippet.replace(
        'final class Adviserly',
        () => `class Try {
          public static void main(String[] given) throws Exception {
            var body = given[4].getBytes(UTF_8);
            var who = Adviserly.exchange(given[0]);
            System.out.println(who);
            System.out.println(Adviserly.exchange(given[0]));
            var session = who.replaceAll(".*\\"session_id\\":\\"([^\\"]*)\\".*", "$1");
            System.out.println(Adviserly.report(
                "{\\"event_id\\":\\"Java\\",\\"session_id\\":\\"" + session + "\\",\\"duration_seconds\\":60}"));
            System.out.println(Adviserly.isOurs(given[1], given[2], given[3], body) + ","
                + Adviserly.isOurs(given[1], given[2], given[3], (given[4] + " ").getBytes(UTF_8)) + ","
                + Adviserly.isOurs("", "", "", body));
          }
        }
        final class Adviserly`,
      ),
    }),
  },
];

describe('a snippet of the guide', () => {
  for (const { name, language, missing, command, files } of languages)
    it.skipIf(missing)(`in ${name} exchanges a token once, reports, and knows our events`, async () => {
      const { agent } = await app.signedIn();
      const settings = {
        name: `In ${name}`,
        description: '',
        domain: 'http://localhost:1/',
        eventsUrl: '',
        scopes: ['name'],
      };
      const { body: made } = await agent.post('/api/developers/tools').send(settings).expect(201);
      const { tool, secret, signingSecret } = made as { tool: { id: string }; secret: string; signingSecret: string };
      const of = `/api/developers/tools/${tool.id}`;
      const { testAdvisers } = (await agent.get(of).expect(200)).body as OwnToolDetails;
      const launch = await agent.post(`${of}/test-advisers/${testAdvisers[0]!.id}/launch`).expect(200);
      const token = new URL((launch.body as { url: string }).url).searchParams.get('auth_token')!;
      const now = new Date();
      const event = JSON.stringify({ type: 'access.ended', data: { sub: 'Siobhán' } });
      const signature = new Webhook(signingSecret).sign('event-1', now, event);

      const written = files(await snippetOf(language));
      for (const [file, text] of Object.entries(written)) await fs.writeFile(path.join(folder, file), text);
      const seconds = String(Math.floor(now.getTime() / 1000));
      // As while two secrets are live.
      const signatures = `v1,${Buffer.from('another').toString('base64')} ${signature}`;
      const program = Object.keys(written).at(-1)!;
      const { stdout } = await run(command, [program, token, 'event-1', seconds, signatures, event], {
        cwd: folder,
        env: {
          ...process.env,
          ADVISERLY: app.url,
          TOOL_ID: tool.id,
          TOOL_SECRET: secret,
          TOOL_SIGNING_SECRET: signingSecret,
        },
      });
      const [who, again, reported, ours] = stdout.trim().split(/\r?\n/);
      expect(JSON.parse(who!)).toMatchObject({ active: true, tool_id: tool.id, name: 'Alex Nguyen' });
      expect(again).toBe('null');
      expect(JSON.parse(reported!)).toMatchObject({ events: [{ event_id: name, accepted: true }] });
      expect(ours).toBe('true,false,false');
    });
});
