import { contract } from '#shared/api/members.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';

/** The payer's coming bill, what is owed and what ends: the one source of every figure about money to come. */
export const useForecast = (payer: Payer, { enabled = true } = {}) =>
  useApiQuery(contract.billing.forecast, { query: payerArgs(payer) }, { enabled });
