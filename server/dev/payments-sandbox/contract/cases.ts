import { acts } from './acts.ts';
import { adjustments } from './adjustments.ts';
import { arrears } from './arrears.ts';
import { bills } from './bills.ts';
import { cards } from './cards.ts';
import { changes } from './changes.ts';
import { corrections } from './corrections.ts';
import { oneOffs } from './one-offs.ts';
import { prices } from './prices.ts';
import { purchases } from './purchases.ts';
import { renewals } from './renewals.ts';
import { requests } from './requests.ts';
import type { Case } from './scene.ts';

/** Everything about Stripe that the product relies on. */
export const cases: readonly Case[] = [
  ...requests,
  ...purchases,
  ...renewals,
  ...arrears,
  ...changes,
  ...cards,
  ...corrections,
  ...prices,
  ...acts,
  ...bills,
  ...adjustments,
  ...oneOffs,
];
