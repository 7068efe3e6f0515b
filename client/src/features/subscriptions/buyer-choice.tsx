import type { Buyer } from '#client/features/subscriptions/buyer.ts';
import { RadioGroup } from '#client/ui/radio-group.tsx';

type Props = { buyer: Buyer; choices: readonly Buyer[]; onChoose: (buyer: Buyer) => void };

const valueOf = ({ teamId }: Buyer) => teamId ?? 'me';

/** "For my team": nothing for whoever owns none. */
export const BuyerChoice = ({ buyer, choices, onChoose }: Props) =>
  choices.length > 0 && (
    <div className="mb-6">
      <RadioGroup
        framed
        legend="Who is it for?"
        value={valueOf(buyer)}
        onChange={(value) => {
          const chosen = choices.find((choice) => valueOf(choice) === value);
          if (chosen) onChoose(chosen);
        }}
        options={choices.map((choice) => ({
          value: valueOf(choice),
          label: choice.teamName === null ? 'For me' : `For my team, ${choice.teamName}`,
          help: choice.teamName === null ? 'Your own subscription' : 'Every member can open it; the team pays',
        }))}
      />
    </div>
  );
