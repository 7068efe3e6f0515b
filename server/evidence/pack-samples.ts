import type { PackSample, WrittenSession } from './pack-content.ts';
import { counted, foundText, type NameIn, periodText } from './pack-words.ts';

function ofSample({ sessionIds }: PackSample, written: readonly WrittenSession[]): WrittenSession[] {
  const ids = new Set(sessionIds);
  return written.filter(({ session }) => ids.has(session.id));
}

const isOpen = ({ drawnAt }: PackSample, { signOffs }: WrittenSession) =>
  !signOffs.some(({ madeAt }) => madeAt >= drawnAt);

/** The sessions of this pack that are of a sample, and that nobody has signed off since it was drawn. */
export function openInSamples(samples: readonly PackSample[], written: readonly WrittenSession[]): WrittenSession[] {
  const open = samples.flatMap((sample) => ofSample(sample, written).filter((one) => isOpen(sample, one)));
  return [...new Set(open)].toSorted((a, b) => a.line - b.line);
}

export const samplesWith = (samples: readonly PackSample[], sessionIds: ReadonlySet<string>): PackSample[] =>
  samples.filter((sample) => sample.sessionIds.some((id) => sessionIds.has(id)));

type Said = { nameIn: NameIn; nameOf: (toolId: string) => string; written: readonly WrittenSession[] };

/** "10 sessions drawn at random from 69: those of everybody but Liam Walker (f0f89d70), up to and including 26 Nov 2026. …" */
export function sampleText(sample: PackSample, { nameIn, nameOf, written }: Said): string {
  const { userId, adviserId, fromDay, toDay, toolId, unreviewedOnly, sessionIds, drawnFrom } = sample;
  const period = periodText(fromDay, toDay);
  const narrowed = [
    adviserId === null ? `those of everybody but ${nameIn(userId)}` : `those of ${nameIn(adviserId)}`,
    ...(period ? [period] : []),
    ...(toolId === null ? [] : [`with ${nameOf(toolId)}`]),
    ...(unreviewedOnly ? ['not reviewed by then'] : []),
  ].join(', ');
  const inPack = ofSample(sample, written);
  const open = inPack.filter((one) => isOpen(sample, one));
  return [
    `${counted(sessionIds.length, 'session')} drawn at random from ${drawnFrom.toLocaleString('en-AU')}: ${narrowed}.`,
    `In this pack: ${inPack.length} of them.`,
    `Signed off since: ${inPack.length - open.length}.`,
    `Not signed off since: ${foundText(open)}.`,
  ].join(' ');
}
