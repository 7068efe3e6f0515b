import { minute } from '#shared/rules/dates.ts';
import { type ThreadAnswer, startThread } from '#server/platform/threads.ts';
import type { PackAbout, PackContent } from './pack-content.ts';

type File = { bytes: Uint8Array; sha256: string };
export type WrittenPack =
  | { tooLong: true }
  | { tooLong: false; csv: File; pdf: File; head: string; lines: number; sessions: number; statements: number };

export type PackPage = Pick<PackContent, 'sessions' | 'statements' | 'touches' | 'signOffs'>;
/** What the thread is given: first what the pack says about itself, then the sessions page by page, finally the rest. */
export type PackPart = { about: PackAbout } | PackPage | Omit<PackContent, 'about' | keyof PackPage>;

/** The thread gives way to all others: a busy server may let it have a tenth of a core. */
export const longestWritingMs = 10 * minute;

/** Gives a thread of its own what to write, as it is read, and returns the files. The thread ends with the pack. */
export async function writePack(give: (to: (given: PackPart) => void) => Promise<void>): Promise<WrittenPack> {
  const worker = startThread('evidence/write.worker', 'evidence pack', { maxOldGenerationSizeMb: 768 });
  const limit = setTimeout(() => void worker.terminate(), longestWritingMs);
  const written = new Promise<WrittenPack>((resolve, reject) => {
    worker.on('message', (answer: ThreadAnswer<WrittenPack>) => {
      if ('result' in answer) resolve(answer.result);
      else reject(new Error(`An evidence pack could not be written: ${answer.fault}`));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The thread of an evidence pack ended')));
  });
  // If the thread ends while it is still being given its content, that is not an unhandled rejection.
  written.catch(() => undefined);
  try {
    await give((given) => worker.postMessage(given, []));
    return await written;
  } finally {
    clearTimeout(limit);
    await worker.terminate();
  }
}
