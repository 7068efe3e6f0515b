import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { createSampleHandler, listener } from './handler.ts';

/**
 * A whole tool, from Node 22.18 on:
 * `ADVISERLY_URL=http://localhost:3000 TOOL_ID=file-note-ai TOOL_SECRET=… TOOL_SIGNING_SECRET=… PORT=8000 node tool.ts`.
 * It says where it is; its address for events ends in /events.
 */
const {
  ADVISERLY_URL: apiUrl = '',
  TOOL_ID: id = '',
  TOOL_SECRET: secret = '',
  TOOL_SIGNING_SECRET: signingSecret = '',
} = env;

const about = { id, name: 'Notes', description: 'Notes of meetings.', minutesSaved: 5, purpose: 'file_note' };
const handle = createSampleHandler({ apiUrl, toolId: id, secret, signingSecret }, about);
const server = createServer(listener(handle, (error) => process.stderr.write(`${String(error)}\n`)));
server.listen(Number(env['PORT'] ?? 8000), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${id}\n`);
});
