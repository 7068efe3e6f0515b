import { sydneyDate } from '#shared/rules/dates.ts';
import { differencesFrom } from '#shared/rules/record/announcements.ts';
import type { Db } from '#server/platform/data/database.ts';
import { allDisclosures, announcementsOf, knownVersions } from './queries-announcements.ts';

type Seen = {
  /** The practice's last review. */
  review: { madeAt: Date; disclosureVersion: number | null } | undefined;
  allowedAt: Date | null;
  /** In use now. */
  version: string | null;
};

/** What is new about these tools to a practice, by what it has seen of each. */
export async function newsOfTools(db: Db, toolIds: string[]) {
  const disclosures = await allDisclosures(db, toolIds);
  const announced = await announcementsOf(db, toolIds);
  const known = await knownVersions(db, toolIds);
  return (toolId: string, { review, allowedAt, version }: Seen) => {
    const said = disclosures.filter((one) => one.toolId === toolId);
    const [newest] = said;
    const reviewed = review ? said.find((one) => one.version === review.disclosureVersion) : newest;
    const decidedAt = Math.max(review?.madeAt.getTime() ?? 0, allowedAt?.getTime() ?? 0);
    // Newer answers say what was announced before them, unless its day comes later.
    const since = newest?.madeAt ?? new Date(0);
    const open = announced.filter(
      (one) => one.toolId === toolId && (one.announcedAt > since || one.onDay > sydneyDate(since)),
    );
    return {
      disclosedAt: newest?.madeAt ?? null,
      differences: differencesFrom(reviewed?.answers ?? null, newest?.answers ?? null, open),
      toDecide: announced.some((one) => one.toolId === toolId && one.announcedAt.getTime() > decidedAt),
      version,
      announced: version === null || known.has(`${toolId} ${version}`),
    };
  };
}
