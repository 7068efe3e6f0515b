import { paths } from '#client/lib/pages/paths.ts';
import { Text, TextLink } from '#client/ui/elements.tsx';

/** The words at each button that buys, as the law on subscriptions asks; `trial`: of what is free until then. */
export const HowToCancel = ({ trial = false }: { trial?: boolean }) => (
  <>
    {trial && <Text> Cancel before the trial ends and you won’t pay.</Text>}
    <Text> To cancel, press Cancel beside the tool under </Text>
    <TextLink href={`${paths.dashboard}?tab=billing`}>Billing</TextLink>
    <Text> and choose a reason.</Text>
  </>
);
