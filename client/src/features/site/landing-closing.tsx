import { trialDays } from '#shared/rules/subscriptions.ts';
import { paths } from '#client/lib/paths.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';

/** The last word (A §2). */
export const Closing = () => (
  <section aria-labelledby="closing" className="border-t bg-primary-subtle px-4 py-16 text-center sm:px-6 sm:py-24">
    <h2 id="closing" className="text-xl sm:text-2xl">
      Give your afternoons back to your clients
    </h2>
    <p className="mx-auto mt-3 max-w-[40rem] text-muted">
      Pick the tool for the paperwork you like least. You have {trialDays.individual} days to see whether it helps.
    </p>
    <ButtonLink href={paths.signUp} size="lg" className="mt-8 max-sm:w-full">
      Start Free Trial Today
    </ButtonLink>
  </section>
);
