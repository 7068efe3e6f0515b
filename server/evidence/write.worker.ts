import { createHash } from 'node:crypto';
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { mostPackLines } from '#shared/rules/record/evidence.ts';
import { newChain } from './chain.ts';
import { drawPack } from './draw.ts';
import { writeLines } from './lines.ts';
import type { PackContent } from './pack-content.ts';
import type { PackPart, WrittenPack } from './write-pack.ts';

// On Linux the priority is the thread's own: writing gives way to the threads that answer requests.
if (os.platform() === 'linux') os.setPriority(10);

const content: PackContent = {
  about: null!,
  sessions: [],
  statements: [],
  touches: [],
  recalls: [],
  signOffs: [],
  disclosures: [],
  reviews: [],
  decided: [],
  decisions: [],
  samples: [],
  announcements: [],
  holds: [],
  people: [],
};
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function write(): Promise<WrittenPack> {
  const chain = newChain();
  const parts = [chain.begin()];
  const written = writeLines(content, chain, (bytes) => void parts.push(bytes));
  if (chain.lines > mostPackLines) return { tooLong: true };
  const csv = Buffer.concat(parts);
  const { head, lines } = chain;
  const pdf = await drawPack(content, written, { head, lines });
  const { sessions, statements } = content;
  return {
    tooLong: false,
    csv: { bytes: new Uint8Array(csv), sha256: hash(csv) },
    pdf: { bytes: new Uint8Array(pdf), sha256: hash(pdf) },
    head,
    lines,
    sessions: sessions.length,
    statements: statements.length,
  };
}

/** A thread that writes one pack: it is given the content in parts, and answers with the files. */
parentPort?.on('message', (given: PackPart) => {
  // If the reading starts again, it replaces what was read before.
  if ('about' in given)
    Object.assign(content, { about: given.about, sessions: [], statements: [], touches: [], signOffs: [] });
  if ('sessions' in given) {
    content.sessions.push(...given.sessions);
    content.statements.push(...given.statements);
    content.touches.push(...given.touches);
    content.signOffs.push(...given.signOffs);
  }
  if (!('disclosures' in given)) return;
  Object.assign(content, given);
  write().then(
    (result) => {
      const files = result.tooLong
        ? []
        : [result.csv.bytes.buffer as ArrayBuffer, result.pdf.bytes.buffer as ArrayBuffer];
      parentPort?.postMessage({ result }, files);
    },
    (error: unknown) => parentPort?.postMessage({ fault: String(error) }),
  );
});
