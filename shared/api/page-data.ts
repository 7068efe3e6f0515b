import type * as z from 'zod';
import type { Seller } from '../brand.ts';
import type { ClaimId } from '../rules/claims.ts';
import type { IdentityProvider } from '../rules/people/identities.ts';
import type { Provider } from '../rules/people/providers.ts';
import type { Disclosure } from '../rules/record/disclosure.ts';
import type { ToolTexts } from '../rules/tools/tool-texts.ts';
import type { ToolScope } from '../rules/tools/tools.ts';
import type { discountTier } from './subscriptions.ts';
import type { Tool } from './tools.ts';

/** What a tool says of itself, and which of a person's details it is given. */
export type ToolPageTexts = ToolTexts & { scopes: readonly ToolScope[] };

/** What its developer has answered for due diligence, read without a schema. */
export type Supplied = {
  /** Made by the operator. */
  isOurs: boolean;
  version: number | null;
  /** ISO. */
  madeAt: string | null;
  answers: Disclosure;
};

/**
 * What the server writes into a page's HTML, so that prices are in the first paint: the public part of `GET /api/tools`
 * and `GET /api/discounts/tiers`.
 */
export type PageData = {
  tools: Pick<Tool, 'id' | 'name' | 'description' | 'basePrice' | 'comingSoon' | 'icon'>[];
  seller: Seller;
  /** The claims that this installation makes. */
  claims: readonly ClaimId[];
  /** Who works for the seller, as far as it is configured. */
  providers: readonly Provider[];
  /** Who else signs people in. */
  signInWith: readonly IdentityProvider[];
  tiers: Pick<z.output<typeof discountTier>, 'toolCount' | 'discountPercent'>[];
  /** The tool that the page is about. */
  about?: { toolId: string; texts: ToolPageTexts; supplied: Supplied };
};
