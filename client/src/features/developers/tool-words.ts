import type { DraftState, EndReason, RefusalKind, TestEnding, ToolEventType } from '#shared/rules/tools/tools.ts';
import type { Tone } from '#client/ui/elements.tsx';

export const states: Record<DraftState, { label: string; tone: Tone }> = {
  draft: { label: 'Not published', tone: 'neutral' },
  requested: { label: 'Waiting for us', tone: 'info' },
  refused: { label: 'Not accepted', tone: 'warning' },
  published: { label: 'Published', tone: 'success' },
};

const reasons: Record<EndReason, string> = {
  cancelled: 'cancelled',
  ended: 'ran out',
  payment_failed: 'payment failed',
  suspended: 'suspended',
  second_factor: 'two-step verification missing',
  not_allowed: 'not allowed by the practice',
};

export const endings: Record<TestEnding, string> = {
  cancelled: 'The subscription is cancelled',
  ended: 'The subscription runs out',
  payment_failed: 'A payment fails for good',
  suspended: 'The account is suspended',
  second_factor: 'The team asks for two-step verification',
  not_allowed: 'The practice does not allow the tool',
  'member.removed': 'They leave the team that pays',
  'account.closed': 'The account is closed and erased',
};

export const eventLabel = (type: ToolEventType, reason: EndReason | null) =>
  reason ? `${type} (${reasons[reason]})` : type;

export const refusalKinds: Record<RefusalKind, string> = { exchange: 'Exchange', report: 'Report', secret: 'Secret' };
