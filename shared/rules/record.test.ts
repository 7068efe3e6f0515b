import { expect, it } from 'vitest';
import { toolRefusal, type ToolRule } from './record.ts';

const rule = (change: Partial<ToolRule>): ToolRule => ({
  teamId: 'harbour',
  teamName: 'Harbour',
  newToolsAllowed: true,
  toolId: null,
  allowed: null,
  reason: null,
  ...change,
});
const decided = (allowed: boolean | null, change: Partial<ToolRule> = {}) => rule({ toolId: 'a', allowed, ...change });

it.each<[string, ToolRule[], ReturnType<typeof toolRefusal>]>([
  ['in no team', [], null],
  ['nothing decided', [rule({})], null],
  ['allowed', [decided(true)], null],
  ['not allowed', [decided(false, { reason: 'No DPA' })], { teamName: 'Harbour', reason: 'No DPA' }],
  ['only a review is due', [decided(null)], null],
  ['undecided, and new tools wait', [rule({ newToolsAllowed: false })], { teamName: 'Harbour', reason: null }],
  [
    'only a review is due, and new tools wait',
    [decided(null, { newToolsAllowed: false })],
    { teamName: 'Harbour', reason: null },
  ],
  ['allowed, and new tools wait', [decided(true, { newToolsAllowed: false })], null],
  ['another tool is not allowed', [rule({ toolId: 'b', allowed: false })], null],
  [
    'one team allows it, another of the same name does not',
    [decided(true), decided(false, { teamId: 'other' })],
    { teamName: 'Harbour', reason: null },
  ],
  [
    'one team has decided, another has new tools wait',
    [decided(true), rule({ teamId: 'other', teamName: 'Other', newToolsAllowed: false })],
    { teamName: 'Other', reason: null },
  ],
])('%s', (_name, rules, refusal) => expect(toolRefusal(rules, 'a')).toEqual(refusal));
