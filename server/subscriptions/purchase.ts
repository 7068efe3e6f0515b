import type { Quote, Subscription } from '#shared/api/subscriptions.ts';
import { attemptReuseMs, isLive } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { clientSecretOf, payerFor, payerOf, type Payer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { advance, withdraw } from './attempt.ts';
import { asksTheSame, orderFor, type Order } from './order.ts';
import { openPlace } from './place.ts';
import type { PlaceRow, SubscriptionRow } from './queries.ts';
import { offerFor, trialDaysOf, type Offer } from './quote.ts';
import { repriceNow } from './reprice.ts';
import { carriesFreeTool, shownTo } from './rights.ts';
import { settle } from './settle.ts';

type Request = { toolId: string; trial: boolean; teamId?: string | undefined };
export type Purchased = {
  clientSecret: string | null;
  includesLostMoney: boolean;
  intent: 'payment' | 'setup' | 'none';
  subscription: Subscription | null;
  quote: Quote;
};

/** How often somebody else's simultaneous purchase of the same tool may come in between. */
const rounds = 5;

/** `POST /api/create-subscription`: opens a purchase or offers the open one again, starts a trial, or adds what is free. */
export async function purchase(context: Context, actor: ActorRow, request: Request): Promise<Purchased> {
  await consume(context, 'purchaseUser', actor.id);
  const payer = await payerFor(context, actor, request.teamId);
  for (let round = 1; round <= rounds; round += 1) {
    const done = await tryPurchase(context, actor, payer, request);
    if (done) return done;
  }
  throw new AppError('conflict');
}

/** One try on what the rows say now; null where they changed meanwhile. */
async function tryPurchase(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  request: Request,
): Promise<Purchased | null> {
  const offer = await offerFor(context, payer, request.toolId);
  const { cardOnFile, trialIdentity } = offer.facts;
  const place = offer.places.find((row) => row.toolId === request.toolId) ?? null;
  if (place && place.status !== 'incomplete') {
    if (isLive({ ...place, cardOnFile }, context.now()) && !(await isLeftOver(context, place)))
      throw new AppError('already_subscribed');
    if (place.stripeSubscriptionId) return settle(context, place).then(() => null);
  }
  await refuse(context, actor, payer, offer, request);

  const order = orderFor(offer, request.trial ? trialDaysOf(payer) : null);
  const open = place?.status === 'incomplete' ? place : null;
  if (open && order && open.winBackOf === null && canReuse(open, order, context.now()))
    return finish(context, actor, offer, open);
  if (open && !(await withdraw(context, open))) return null;
  const row = await openPlace(context, {
    payer,
    toolId: offer.tool.id,
    actorId: actor.id,
    before: place,
    order,
    comeback: null,
    trialIdentity,
  });
  return row && finish(context, actor, offer, row);
}

/** The free tool's row may outlast by a moment the subscription that carried it. */
const isLeftOver = async (context: Context, place: PlaceRow) =>
  place.toolId === lostMoneyTool && !(await carriesFreeTool(context, payerOf(place)));

async function refuse(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  { tool, price }: Offer,
  { trial }: Request,
): Promise<void> {
  if (tool.id === lostMoneyTool && !(await carriesFreeTool(context, payer))) throw new AppError('lost_money_gate');
  if (!trial) return;
  if (price.totalCents === 0) throw new AppError('trial_not_needed');
  if (!actor.emailVerified) throw new AppError('email_unverified');
  if (tool.trialUsed) throw new AppError('trial_used');
}

/** The open attempt is offered again while it asks for the same and can't run out under the adviser's hands. */
export const canReuse = (open: SubscriptionRow, order: Order, now: Date): boolean =>
  open.purchase !== null &&
  now.getTime() - open.createdAt.getTime() <= attemptReuseMs &&
  asksTheSame(open.purchase, order);

/** Has the provider do its part, where it has one, and answers. */
async function finish(
  context: Context,
  actor: ActorRow,
  offer: Offer,
  row: SubscriptionRow,
): Promise<Purchased | null> {
  const advanced = row.status === 'incomplete' ? await advance(context, row) : { row, provider: null };
  if (!advanced) return null;
  const { intent, clientSecret } = advanced.provider
    ? clientSecretOf(advanced.provider)
    : { intent: 'none' as const, clientSecret: null };
  const started = advanced.row.status !== 'incomplete';
  const payer = payerOf(row);
  if (started) await repriceNow(context, payer);
  const hadFreeTool = offer.places.some((place) => place.toolId === lostMoneyTool);
  return {
    clientSecret,
    intent,
    includesLostMoney: offer.tool.id !== lostMoneyTool && !hadFreeTool,
    subscription: started ? await shownTo(context, actor.id, payer, offer.tool.id) : null,
    quote: advanced.row.status === 'trial' ? startedTrial(offer.quote, advanced.row) : offer.quote,
  };
}

/** The same price, with nothing due today and no second trial on offer. */
const startedTrial = (quote: Quote, { trialEndDate }: SubscriptionRow): Quote => ({
  ...quote,
  trialDays: null,
  dueTodayCents: 0,
  nextChargeAt: trialEndDate,
});
