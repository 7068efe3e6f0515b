import { createHash } from 'node:crypto';
import type { PackFile, PackManifest } from '#shared/rules/record/evidence.ts';
import { peopleColumns, peopleRows } from '#shared/rules/record/pack-people.ts';
import { csvHeader, csvRows } from '#server/platform/http/csv.ts';
import { numberOf } from './pack-words.ts';

export const peopleFileName = (packId: string) => `adviserly-evidence-${numberOf(packId)}-people.csv`;

/** The list of people as a file; null where the manifest names nobody. */
export function peopleFile(manifest: Pick<PackManifest, 'practice' | 'people'>): string | null {
  const rows = peopleRows(manifest);
  return rows && csvHeader(peopleColumns) + csvRows(rows);
}

/** What the manifest says of that file. */
export function peopleOfFiles(
  packId: string,
  manifest: Pick<PackManifest, 'practice' | 'people'>,
): { people?: PackFile } {
  const text = peopleFile(manifest);
  if (text === null) return {};
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { people: { name: peopleFileName(packId), bytes: bytes.length, sha256 } };
}
