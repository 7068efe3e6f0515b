import { teamPayer, userPayer, type Payer } from '#server/billing/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askForPrices } from './effects.ts';

/** A team has another number of members: what it pays follows after it, prorated by the provider (decisions §7). */
export const teamSizeChanged = (context: Context, teamId: string) => askForPrices(context, teamPayer(teamId));

/** The partner price or the team's begins or ends for this payer. */
export const membershipChanged = (context: Context, payer: Payer) => askForPrices(context, payer);

/** Paid subscriptions cost nothing from their next invoice (decisions §5). */
export const freeAccessGranted = (context: Context, userId: string) => askForPrices(context, userPayer(userId));

/** What was free costs again: from the next renewal, or after seven days of grace where nothing pays for it. */
export const freeAccessRevoked = (context: Context, userId: string) => askForPrices(context, userPayer(userId));
