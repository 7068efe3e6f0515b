const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

export const brandName = (brand: string) => brands[brand] ?? 'Card';

/** "Visa •••• 4242". */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }) => `${brandName(brand)} •••• ${last4}`;
