import { neededQuestions } from '#shared/rules/record/disclosure.ts';

const questions = `${neededQuestions.length} answers for supplier due diligence, such as where data is kept`;

/** From the account of a maker to a tool on sale. */
export const makerSteps = [
  ['Register', 'It takes a minute. You get an ID, secrets and a test adviser at once.'],
  ['Test', 'Open your tool as that adviser, and start our automatic check. It takes four minutes at most.'],
  ['Answer the questions', `${questions}. Practices read them.`],
  ['Publish', 'Propose a price. We answer within five working days, and say what is missing, if anything.'],
] as const;
