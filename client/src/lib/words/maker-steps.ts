import { neededQuestions } from '#shared/rules/record/disclosure.ts';

/** From the account of a maker to a tool on sale. */
export const makerSteps = [
  ['Register', 'It takes a minute. You get an id, secrets and a test adviser at once.'],
  [
    'Test',
    'Open your tool as that adviser, and start our automatic check, which takes four minutes at most. Your tool needs a working https:// address.',
  ],
  [
    'Answer the questions',
    `${neededQuestions.length} answers for supplier due diligence, such as where data is kept, who else gets it, and whether inputs train a model. Practices read them.`,
  ],
  [
    'Publish',
    'Propose a price and ask us. We try your tool and answer within five working days. If something is missing, we say what.',
  ],
] as const;
