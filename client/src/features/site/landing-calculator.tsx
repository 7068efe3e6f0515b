import { clsx } from 'clsx';
import { useState } from 'react';
import type { PageData } from '#shared/api/page-data.ts';
import { centsOf, formatCentsShort } from '#shared/rules/billing/money.ts';
import { teamDiscountMembers } from '#shared/rules/billing/pricing.ts';
import { monthlyPrice, paidTools, tiersOf } from '#client/features/site/landing-prices.ts';

/** What so many advisers would pay for the tools they choose. */
export const Calculator = ({ offer }: { offer: PageData }) => {
  const tools = paidTools(offer.tools);
  const [chosen, setChosen] = useState<readonly string[]>(() => tools.slice(0, 2).map((tool) => tool.id));
  const [advisers, setAdvisers] = useState(1);
  if (tools.length === 0) return null;
  const { base, saved, total, percent } = monthlyPrice(
    tools.filter((tool) => chosen.includes(tool.id)),
    tiersOf(offer),
    advisers,
  );
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <section
      aria-labelledby="calculator"
      className="mt-6 grid items-center gap-x-10 gap-y-6 rounded border bg-background p-4 sm:p-8 lg:grid-cols-[minmax(0,1fr)_16rem]"
    >
      <fieldset className="min-w-0">
        <legend id="calculator" className="text-base font-semibold">
          Work out your price
        </legend>
        <div className="mt-4 flex flex-wrap gap-2 max-sm:flex-col">
          {tools.map((tool) => (
            <label
              key={tool.id}
              className={clsx(
                'flex h-9 cursor-pointer max-sm:h-11 items-center gap-2 rounded border px-3 text-sm select-none',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
                chosen.includes(tool.id) ? 'border-primary bg-primary-subtle' : 'border-control bg-surface',
              )}
            >
              <input
                type="checkbox"
                name={tool.id}
                checked={chosen.includes(tool.id)}
                onChange={() => toggle(tool.id)}
                className="size-4 outline-none"
              />
              {tool.name}
              <span className="figures text-muted max-sm:ml-auto">{formatCentsShort(centsOf(tool.basePrice))}</span>
            </label>
          ))}
        </div>
        <label className="mt-4 flex w-fit items-center gap-3 text-sm">
          Advisers
          <select
            value={advisers}
            onChange={({ target }) => setAdvisers(Number(target.value))}
            className="figures h-9 w-18 rounded border max-sm:h-11 border-control bg-surface px-2"
          >
            {Array.from({ length: teamDiscountMembers.max }, (_, before) => (
              <option key={before}>{before + 1}</option>
            ))}
          </select>
        </label>
      </fieldset>
      <p aria-live="polite" className="lg:text-right">
        <span className="figures block text-2xl font-semibold tracking-tight">{total}</span>
        <span className="block text-sm text-muted">
          {advisers === 1 ? 'per month for one adviser' : `per month for ${advisers} advisers`}
        </span>
        <span className="figures mt-1 block min-h-5 text-sm">
          {saved > 0 && (
            <>
              <s className="text-muted">{base}</s> <span className="font-medium text-success">{percent}% off</span>
            </>
          )}
        </span>
      </p>
    </section>
  );
};
