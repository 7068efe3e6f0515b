import type { PackReview } from '#server/record/service.ts';
import type { PackContent, WrittenSession } from './pack-content.ts';

/** In which other versions a tool ran from a review of it to the next one; empty where it ran in none. */
export function versionsText(
  review: PackReview,
  { reviews, disclosures }: Pick<PackContent, 'reviews' | 'disclosures'>,
  written: readonly WrittenSession[],
): string {
  const { toolId, madeAt } = review;
  const about = versionOf(review, disclosures);
  const next = reviews.find((one) => one.toolId === toolId && one.madeAt > madeAt)?.madeAt;
  const ran = written.flatMap(({ session }) =>
    session.toolId === toolId && session.createdAt >= madeAt && (next === undefined || session.createdAt < next)
      ? (session.toolVersion ?? [])
      : [],
  );
  const others = [...new Set(ran)].filter((version) => version !== about).toSorted();
  return others.length === 0
    ? ''
    : `Sessions after this review ran in version ${others.join(', ')}, which it is not about.`;
}

/** The version that a review of a tool was about; null where it is not known. */
export const versionOf = (
  { toolId, disclosureVersion }: PackReview,
  disclosures: PackContent['disclosures'],
): string | null =>
  disclosures.find((one) => one.toolId === toolId && one.version === disclosureVersion)?.answers.version ?? null;

/** What a review of a tool was about: "supplier due diligence 2, version 2026.11". */
export function reviewedOf(review: PackReview, disclosures: PackContent['disclosures']): string {
  if (review.disclosureVersion === null) return 'without supplier due diligence';
  const version = versionOf(review, disclosures);
  return `supplier due diligence ${review.disclosureVersion}, ${version === null ? 'which names no version' : `version ${version}`}`;
}
