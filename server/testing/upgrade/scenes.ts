import type { NewUser } from '../factories.ts';
import { type Act, repricedTool, toolB, toolC } from './lives.ts';

/** What happens on which day, counted from the beginning; the new release begins on day 92. */
export type Scene = { members?: number; details?: NewUser; acts: Act[] };
export const scenes: Record<string, Scene> = {
  'two-tools-apart': {
    acts: [
      [10, 'buy'],
      [30, 'buy', toolB],
    ],
  },
  'ends-soon': { acts: [[63, 'buy']] },
  'ends-soon-and-late': {
    acts: [
      [64, 'buy'],
      [80, 'buy', toolB],
    ],
  },
  'trial-with-card': {
    acts: [
      [40, 'buy'],
      [70, 'trial', toolB],
    ],
  },
  'trial-ends-soon': {
    acts: [
      [50, 'buy'],
      [66, 'trial', toolB],
    ],
  },
  'trial-and-card-alone': {
    acts: [
      [75, 'trial'],
      [80, 'goodCard'],
    ],
  },
  'trial-without-card': { acts: [[80, 'trial']] },
  practice: {
    members: 2,
    acts: [
      [20, 'buy'],
      [45, 'buy', toolB],
      [85, 'memberJoins'],
      [88, 'memberLeaves'],
      [90, 'memberJoins'],
      [104, 'memberJoins'],
      [117, 'memberLeaves'],
    ],
  },
  'practice-of-six': {
    members: 5,
    acts: [
      [33, 'buy'],
      [47, 'buy', toolC],
      [91, 'memberJoins'],
      [93, 'memberJoins'],
      [99, 'memberLeaves'],
    ],
  },
  arrears: {
    acts: [
      [60, 'buy'],
      [85, 'badCard'],
    ],
  },
  'arrears-paid': {
    acts: [
      [60, 'buy'],
      [75, 'buy', toolB],
      [85, 'badCard'],
      [94, 'goodCard'],
    ],
  },
  cancelled: {
    acts: [
      [70, 'buy'],
      [75, 'buy', toolB],
      [85, 'cancel'],
    ],
  },
  'renewal-off': {
    acts: [
      [72, 'buy'],
      [86, 'autoRenewOff'],
      [95, 'autoRenewOn'],
    ],
  },
  'won-back': {
    acts: [
      [5, 'buy'],
      [6, 'cancelNow'],
      [60, 'comeBack'],
    ],
  },
  'with-a-code': { acts: [[55, 'buyWithCode']] },
  'free-month': {
    acts: [
      [65, 'buy'],
      [80, 'freeMonth'],
    ],
  },
  repriced: {
    acts: [
      [20, 'buy', repricedTool],
      [50, 'buy', toolB],
    ],
  },
  unpaid: { acts: [[91, 'leaveUnpaid']] },
  'free-access': {
    acts: [
      [50, 'buy'],
      [75, 'grant'],
    ],
  },
  suspended: {
    acts: [
      [60, 'buy'],
      [85, 'suspend'],
    ],
  },
  partner: {
    details: { membershipType: 'shaw_partners' },
    acts: [
      [12, 'buy'],
      [25, 'buy', toolB],
    ],
  },
  'reactivated-later': {
    acts: [
      [75, 'buy'],
      [88, 'cancel'],
      [93, 'reactivate'],
    ],
  },
  'cancels-meanwhile': {
    acts: [
      [40, 'buy'],
      [52, 'buy', toolB],
      [97, 'cancel'],
      [98, 'reactivate'],
      [110, 'cancel', toolB],
    ],
  },
};
