import fs from 'node:fs';
import path from 'node:path';
import { contract } from '#shared/api/index.ts';
import { type CheckedFile, checkPack } from '#shared/rules/record/evidence-check.ts';

/** `npm run record:verify -- FILE… [--issued-by https://…]`: checks the files of a pack; without an address it sends nothing anywhere. */
const most = 20;
const words = process.argv.slice(2);
const asked = words.indexOf('--issued-by');
const address = asked === -1 ? undefined : words[asked + 1];
const names = asked === -1 ? words : words.toSpliced(asked, 2);

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function isIssued(sum: string, from: string): Promise<string> {
  const url = new URL(contract.evidence.issued.path.replace(':sha256', sum), from);
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${url.origin} answered ${answer.status}`);
  const { issued } = contract.evidence.issued.response.parse(await answer.json());
  return issued ? `issued by ${url.host} on ${issued.madeAt.toISOString()}` : `NOT issued by ${url.host}`;
}

/** What is known of a file without asking anybody. */
function verdictOf({ kind, lines, faults, comparedWith }: CheckedFile): string {
  if (kind === 'other') return 'NOT A PACK';
  if (faults.length > 0) return kind === 'stamp' ? 'OF ANOTHER PACK' : 'CHANGED';
  if (kind === 'people' || kind === 'stamp') {
    const what = kind === 'people' ? 'a list of people' : 'a time stamp, which only openssl can verify';
    const beside = kind === 'people' ? 'give the manifest, too' : 'give the CSV or the manifest, too';
    return `${what}, ${comparedWith ? `as the ${comparedWith === 'csv' ? 'CSV' : 'manifest'} says` : `not compared: ${beside}`}`;
  }
  return lines === null ? 'no fault found in itself' : `${lines} lines, each fits`;
}

async function tell(file: CheckedFile): Promise<boolean> {
  const { name, kind, sum, faults } = file;
  say(`${name}: ${verdictOf(file)}`);
  for (const fault of faults.slice(0, most)) say(`  ${fault}`);
  if (faults.length > most) say(`  And ${faults.length - most} more.`);
  if (faults.length > 0) return false;
  if (sum === null) return true;
  say(`  ${kind === 'pdf' ? 'SHA-256' : 'Last SHA-256 of the chain'}: ${sum}`);
  if (address === undefined) {
    say('  Compare it with the PDF or the manifest, or ask who issued it: --issued-by https://…');
    return true;
  }
  const issued = await isIssued(sum, address);
  say(`  ${kind === 'manifest' ? 'The pack it names: ' : ''}${issued}`);
  return !issued.startsWith('NOT');
}

if (names.length === 0 || (asked !== -1 && address === undefined)) {
  say('npm run record:verify -- FILE… [--issued-by https://…]');
  process.exitCode = 2;
} else {
  try {
    const given = names.map((file) => ({ name: path.basename(file), bytes: new Uint8Array(fs.readFileSync(file)) }));
    for (const file of await checkPack(given)) if (!(await tell(file))) process.exitCode = 1;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}
