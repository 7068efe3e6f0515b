import type Stripe from 'stripe';
import { freeId } from './catalogue.ts';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { mergeMetadata, newId, type Objects } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';

export const createTaxRate = handle<Stripe.TaxRateCreateParams>(
  [
    'display_name',
    'percentage',
    'inclusive',
    'country',
    'state',
    'jurisdiction',
    'description',
    'tax_type',
    'active',
    'metadata',
  ],
  async (store, params) => {
    const rate: Objects['tax_rate'] = {
      id: newId('tax_rate'),
      object: 'tax_rate',
      active: params.active ?? true,
      country: params.country ?? null,
      created: store.at,
      description: params.description ?? null,
      display_name: params.display_name,
      effective_percentage: null,
      flat_amount: null,
      inclusive: params.inclusive,
      jurisdiction: params.jurisdiction ?? null,
      jurisdiction_level: null,
      livemode: false,
      metadata: mergeMetadata({}, params.metadata),
      percentage: params.percentage,
      rate_type: 'percentage',
      state: params.state ?? null,
      tax_type: params.tax_type ?? null,
    };
    await store.save(rate);
    await store.emit('tax_rate.created', rate);
    return rate;
  },
);
export const retrieveTaxRate = handle<Stripe.TaxRateRetrieveParams>([], (store, _params, id) =>
  store.get('tax_rate', id),
);
export const listTaxRates = handle<Stripe.TaxRateListParams>(
  ['active', 'inclusive', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) =>
    listPage(
      store,
      'tax_rate',
      params,
      { equal: given({ active: params.active, inclusive: params.inclusive }) },
      '/v1/tax_rates',
    ),
);

export const createCoupon = handle<Stripe.CouponCreateParams>(
  [
    'id',
    'name',
    'percent_off',
    'amount_off',
    'currency',
    'duration',
    'duration_in_months',
    'max_redemptions',
    'redeem_by',
    'metadata',
  ],
  async (store, params) => {
    const { percent_off: percent, amount_off: amount, duration = 'once' } = params;
    if ((percent === undefined) === (amount === undefined))
      throw new SandboxError('You must pass either percent_off or amount_off.', {
        code: 'parameter_missing',
        param: 'percent_off',
      });
    if (percent !== undefined && !(percent > 0 && percent <= 100))
      throw new SandboxError('Invalid percent_off: must be greater than 0 and at most 100.', { param: 'percent_off' });
    if ((duration === 'repeating') !== (params.duration_in_months !== undefined))
      throw new SandboxError('duration_in_months goes with duration "repeating" and only with it.', {
        param: 'duration_in_months',
      });
    const coupon: Objects['coupon'] = {
      id: await freeId(store, params.id, 'coupon'),
      object: 'coupon',
      amount_off: amount ?? null,
      created: store.at,
      currency: params.currency ?? null,
      duration,
      duration_in_months: params.duration_in_months ?? null,
      livemode: false,
      max_redemptions: params.max_redemptions ?? null,
      metadata: mergeMetadata({}, params.metadata),
      name: params.name ?? null,
      percent_off: percent ?? null,
      redeem_by: params.redeem_by ?? null,
      times_redeemed: 0,
      valid: true,
    };
    await store.save(coupon);
    await store.emit('coupon.created', coupon);
    return coupon;
  },
);
export const retrieveCoupon = handle<Stripe.CouponRetrieveParams>([], (store, _params, id) => store.get('coupon', id));
export const listCoupons = handle<Stripe.CouponListParams>(
  ['created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => listPage(store, 'coupon', params, {}, '/v1/coupons'),
);
