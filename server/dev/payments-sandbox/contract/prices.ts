import { sum, tenDaysIn } from './changes.ts';
import { invoiceOf, periodOf, type Case } from './scene.ts';

/** Another price for a subscription that is already running. */
export const prices: Case[] = [
  {
    name: 'another price that is not to be prorated costs nothing until the next invoice',
    async run(scene) {
      const { subscription, item } = await tenDaysIn(scene);
      const price = (await scene.newPrice(3100)).id;
      const after = await item({ price, quantity: 1, proration_behavior: 'none' });
      const waiting = (await scene.waiting()).length;
      const sameEnd = periodOf(after).end === periodOf(subscription).end;
      const { total } = await scene.stripe.invoices.createPreview({ subscription: subscription.id });
      return [waiting, sameEnd, total, invoiceOf(await scene.renewed(subscription)).total];
    },
    is: [0, true, 3100, 3100],
  },
  {
    name: 'seats of the old price, and the new price again: only the seats are prorated',
    async run(scene) {
      const { rest, item, subscription } = await tenDaysIn(scene);
      const price = (await scene.newPrice(3100)).id;
      await item({ price, quantity: 1, proration_behavior: 'none' });
      await item({ price: subscription.items.data[0]!.price.id, quantity: 1, proration_behavior: 'none' });
      await item({ quantity: 2 });
      await item({ price, quantity: 2, proration_behavior: 'none' });
      const share = sum(await scene.waiting()) - (rest(5000) - rest(2500));
      const { total } = await scene.stripe.invoices.createPreview({ subscription: subscription.id });
      return [share, total - sum(await scene.waiting())];
    },
    is: [0, 6200],
  },
];
