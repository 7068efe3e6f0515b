import type { ActKind } from '#shared/rules/operators/acts.ts';
import type { Context } from '#server/platform/context.ts';
import { type Carry, finishAct } from './carry-out.ts';
import { carryRetry, carryVoid } from './invoices.ts';
import { carryRefund } from './refunds.ts';
import { carryCancel, carryExtension } from './subscriptions.ts';

const carries: Record<ActKind, Carry> = {
  cancel: carryCancel,
  extend_trial: carryExtension,
  retry_charge: carryRetry,
  void_invoice: carryVoid,
  refund: carryRefund,
};

/** Continues what a request left unfinished, whatever kind of act it is. */
export const finishLater = (context: Context, id: string): Promise<void> =>
  finishAct(context, id, (kind) => carries[kind]);
