import { type PackManifest, packFormat } from './evidence.ts';
import { packHeaders, readChain, sha256 } from './evidence-chain.ts';
import { isPeopleList, peopleFaults, peopleRows } from './pack-people.ts';

export type CheckedFile = {
  name: string;
  kind: 'csv' | 'pdf' | 'manifest' | 'people' | 'stamp' | 'other';
  /** What we may have issued: the head of the chain, or the SHA-256 of the PDF; null where the file says none. */
  sum: string | null;
  /** Including the heading; null unless it is a CSV. */
  lines: number | null;
  /** What is wrong, in plain words, the first fault first. */
  faults: string[];
  /** Of a list of people or a time stamp: what it was compared with; null where the files with it tell nothing. */
  comparedWith?: 'manifest' | 'csv' | null;
};
type GivenFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

const begins = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));

function manifestIn(bytes: Uint8Array): PackManifest | null {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as PackManifest;
    return value.format === packFormat && value.files.csv.sha256 && value.files.pdf.sha256 ? value : null;
  } catch {
    return null;
  }
}

/** The heading of a list of people is shorter. */
const longestStart = 1000;

const latin1 = new TextDecoder('latin1');
/** Whatever was changed in a CSV or a manifest, the heading or some SHA-256 is still there. */
const isOfPack = (bytes: Uint8Array) => {
  // A spreadsheet may have saved it with two bytes per letter.
  const text = latin1.decode(bytes).replaceAll('\0', '');
  return packHeaders.some((header) => text.includes(header)) || /[\da-f]{64}/i.test(text);
};

/** As DER has it: the kind of content that a time stamp is (RFC 3161), and what comes before the SHA-256 that it vouches for. */
const stampMark = '060b2a864886f70d0109100104';
const sumMark = '0420';
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
/** No time stamp is longer. */
const longestStamp = 100_000;
const isStamp = (bytes: Uint8Array) =>
  bytes[0] === 0x30 && bytes.length < longestStamp && hexOf(bytes).includes(stampMark);

/** Checks any of the files of one pack, each on its own and against the others. It sends nothing anywhere. */
export async function checkPack(given: readonly GivenFile[]): Promise<CheckedFile[]> {
  const manifests = given.flatMap(({ bytes }) => (begins(bytes, '{') ? (manifestIn(bytes) ?? []) : []));
  const manifest = manifests.length === 1 ? manifests[0]! : null;
  const checked = await Promise.all(given.map((one) => checkOne(one, manifest)));
  const chains = checked.filter(({ kind }) => kind === 'csv');
  const head = manifest?.head ?? (chains.length === 1 ? chains[0]!.sum : null);
  return checked.map((one, index) => (one.kind === 'stamp' ? checkStamp(one, given[index]!, { manifest, head }) : one));
}

/** Whether a time stamp is about this pack. Whose it is, and whether it holds, only openssl says. */
function checkStamp(
  file: CheckedFile,
  { bytes }: GivenFile,
  { manifest, head }: { manifest: PackManifest | null; head: string | null },
): CheckedFile {
  if (head === null) return { ...file, comparedWith: null };
  const isOf = hexOf(bytes).includes(`${sumMark}${head}`);
  const faults = isOf ? [] : ['This time stamp is for the final checksum of another pack.'];
  return { ...file, faults, comparedWith: manifest ? 'manifest' : 'csv' };
}

async function checkOne({ name, bytes }: GivenFile, manifest: PackManifest | null): Promise<CheckedFile> {
  if (isStamp(bytes)) return { name, kind: 'stamp', sum: null, lines: null, faults: [] };
  const text = new TextDecoder().decode(bytes.subarray(0, longestStart));
  if (isPeopleList(text)) {
    const faults = peopleFaults(new TextDecoder().decode(bytes), manifest);
    const isCompared = manifest !== null && peopleRows(manifest) !== null;
    return { name, kind: 'people', sum: null, lines: null, faults, comparedWith: isCompared ? 'manifest' : null };
  }
  if (!begins(bytes, '%PDF') && !isOfPack(bytes))
    return { name, kind: 'other', sum: null, lines: null, faults: ['This is not a file of an evidence pack.'] };
  if (begins(bytes, '{')) {
    const own = manifestIn(bytes);
    const faults = own ? [] : ['This is not the manifest of an evidence pack, or it was changed.'];
    return { name, kind: 'manifest', sum: own?.head ?? null, lines: null, faults };
  }
  const sum = await sha256(bytes);
  if (begins(bytes, '%PDF')) {
    const isOther = manifest !== null && manifest.files.pdf.sha256 !== sum;
    const faults = isOther ? ['The PDF was changed, or belongs to a different pack from the manifest.'] : [];
    return { name, kind: 'pdf', sum, lines: null, faults };
  }
  const { faults, head, lines } = await readChain(bytes);
  const says = faults.map((fault) => fault.says);
  if (says.length === 0 && manifest !== null && manifest.head !== head)
    says.push('The lines fit each other, but not the manifest: they were rewritten, or it belongs to another pack.');
  return { name, kind: 'csv', sum: head, lines, faults: says };
}
