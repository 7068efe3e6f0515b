import { seller } from '#shared/brand.ts';
import type { Leaver } from '#shared/schema/personal-data.ts';
import { trialIdentityOf } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';

/** What finds everything about somebody, to be exported or erased. */
export const leaverOf = (person: ActorRow): Leaver => ({
  ...person,
  trialIdentity: trialIdentityOf(person.email),
  supportMailbox: seller().supportEmail,
});
