import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';

/** For tests: tools of the catalogue, and an adviser's subscriptions to them. */
export const now = new Date('2026-11-21T05:00:00Z');
export const later = new Date('2026-11-28T05:00:00Z');

export const tool = (id: string): Tool => {
  const {
    name,
    description,
    basePrice,
    icon,
    minutesSaved,
    comingSoon = false,
  } = catalogue.find((each) => each.id === id)!;
  const domain = 'https://tool.example';
  return {
    id,
    name,
    description,
    basePrice,
    icon,
    minutesSaved,
    comingSoon,
    domain,
    isActive: true,
    closed: false,
    createdAt: now,
  };
};
export const sub = (toolId: string, details: Partial<Subscription> = {}): Subscription => ({
  id: `${toolId}-row`,
  toolId,
  teamId: null,
  teamName: null,
  tool: tool(toolId),
  status: 'active',
  subscriptionType: 'individual',
  autoRenew: true,
  quantity: 1,
  baseCents: 3000,
  discounts: [],
  winBack: null,
  afterOfferCents: null,
  freeUntil: null,
  nextPrice: null,
  paymentProblem: null,
  cardOnFile: true,
  canManage: true,
  monthlyCents: 3000,
  nextBillAt: later,
  paidMonthCents: 3000,
  createdAt: now,
  endDate: later,
  gracePeriodEnd: null,
  trialEndDate: null,
  cancelledAt: null,
  paidUntil: null,
  hasAccess: true,
  needsClient: false,
  ...details,
});
