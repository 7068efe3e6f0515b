import { catalogue, seededTiers } from '#shared/rules/tools.ts';
import { newTool } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';
import { insertFirstTiers, insertMissingTools } from './queries-operate.ts';

/** Where a tool lives until the operator says otherwise: an address under the reserved TLD, which can belong to nobody. */
const placeholder = (toolId: string) => `https://${toolId}.adviserly.example`;

/**
 * Adds the tools that are missing, and the volume discounts where there are none at all; what the operator changed
 * (prices, domains, tiers switched off) stays. Any number of replicas may do this at once.
 */
export async function seedCatalogue(db: Db, domainOf: (toolId: string) => string = placeholder): Promise<void> {
  await insertMissingTools(
    db,
    catalogue.map(({ id, name, description, basePrice, comingSoon = false, minutesSaved }) =>
      newTool.parse({ id, name, description, basePrice, comingSoon, minutesSaved, domain: domainOf(id) }),
    ),
  );
  await insertFirstTiers(db, [...seededTiers]);
}
