import { teamPayer, userPayer } from '#server/billing/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askForPrices } from './effects.ts';

/*
 * What changes a price from outside. The change and its job stand or fall together in the caller's transaction; the job
 * works by what it then finds.
 */

/** A team has another number of members: what it pays follows after it, prorated by the provider (decisions §7). */
export const teamSizeChanged = (context: Context, teamId: string) => askForPrices(context, teamPayer(teamId));

/** The partner price begins or ends for this adviser. */
export const membershipChanged = (context: Context, userId: string) => askForPrices(context, userPayer(userId));

/**
 * Granted: paid subscriptions cost nothing from their next invoice. Revoked: they cost their price again from the next
 * renewal, or are in grace for seven days where nothing pays for them (decisions §5).
 */
export const freeAccessChanged = (context: Context, userId: string) => askForPrices(context, userPayer(userId));
