import type { ToolScope } from '#shared/rules/tools/tools.ts';

/** What a tool may be told of an adviser. */
export const scopeLabels: Record<ToolScope, string> = {
  name: 'Name',
  email: 'Email address',
  dealer_group: 'Dealer group',
  team: 'Team',
};
