import { brand } from '#shared/brand.ts';
import { type Disclosure, nothingStated } from '#shared/rules/record/record.ts';

const made = {
  ...nothingStated,
  maker: `${brand.name} (made up for the demonstration)`,
  dataLocation: 'Australia (Sydney)',
  training: 'no',
} as const;
const evidence = (name: string) => ({ name, evidenceUrl: 'https://certificates.example/made-up' });

/** What the demo's makers say about their tools, made up. About other tools nothing is stated, which the pages have to show too. */
export const madeUpAnswers: readonly { toolId: string; daysAgo: number; answers: Disclosure }[] = [
  {
    toolId: 'fact-find-ai',
    daysAgo: 60,
    answers: { ...made, does: 'Writes a fact find from what the adviser and the client fill in.' },
  },
  {
    toolId: 'risk-profile-ai',
    daysAgo: 50,
    answers: {
      ...made,
      does: 'Scores a questionnaire and drafts the explanation of the profile.',
      model: 'A language model and fixed scoring rules',
      version: '2026.11',
      certificates: [evidence('ISO/IEC 27001 (made up)')],
    },
  },
  {
    toolId: 'file-note-ai',
    daysAgo: 45,
    answers: {
      ...made,
      does: 'Turns a recording or notes of a meeting into a file note.',
      model: 'A speech model and a language model',
      version: '2026.10',
      training: 'only_if_agreed',
      trainingDetails: 'Recordings are deleted after 30 days.',
    },
  },
  {
    toolId: 'pre-fill-ai',
    daysAgo: 40,
    answers: { ...made, does: 'Fills in provider forms from the fact find.', dataLocation: null },
  },
  {
    toolId: 'share-advice-ai',
    daysAgo: 30,
    answers: {
      ...made,
      does: 'Summarises announcements of ASX 300 companies and drafts reasons for the client file.',
      dataLocation: 'Australia (Sydney), with copies in Singapore',
    },
  },
  {
    toolId: 'fact-find-ai',
    daysAgo: 6,
    answers: {
      ...made,
      does: 'Writes a fact find from what the adviser and the client fill in.',
      model: 'A language model, hosted in Sydney',
      version: '2026.11',
      certificates: [evidence('SOC 2 Type II (made up)')],
    },
  },
];
