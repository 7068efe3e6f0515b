import type { ActKind } from '#shared/rules/operators/acts.ts';
import { freeMonthsKind } from '../people/free-months.ts';
import type { About, Kind } from './act-kind.ts';
import { retryKind, voidKind } from './invoices.ts';
import { changeEmailKind, freeAccessKind, makeAdminKind, setPasswordKind } from './people.ts';
import type { ActRow } from './queries.ts';
import { refundKind } from './refunds.ts';
import { cancelKind, extendKind } from './subscriptions.ts';

export const kinds: Record<ActKind, Kind> = {
  cancel: cancelKind,
  extend_trial: extendKind,
  retry_charge: retryKind,
  void_invoice: voidKind,
  refund: refundKind,
  free_access: freeAccessKind,
  free_months: freeMonthsKind,
  make_admin: makeAdminKind,
  change_email: changeEmailKind,
  set_password: setPasswordKind,
};

/** What an act that is listed asks for. */
export const aboutOf = (act: ActRow): About => kinds[act.kind].about!(act);
