import { seller } from '#shared/brand.ts';
import { type Disclosure, nothingStated } from '#shared/rules/record/disclosure.ts';

const made = {
  ...nothingStated,
  maker: seller().name,
  dataLocation: 'Australia (Sydney)',
  training: 'no',
} as const;
/** Complete, as publication demands. */
const complete: Disclosure = {
  ...made,
  contact: seller().supportEmail,
  model: 'A language model, hosted in Sydney',
  version: '2026.11',
  decides: 'no',
  storedData: ['identity', 'financial'],
  retention: 'For 30 days, then deleted. A practice may ask for it earlier.',
  subProcessors: [{ name: 'Model Host (made up)', country: 'Australia', purpose: 'Language model' }],
  humanReview: 'on_request',
  limits: 'It may leave out what was said only once. It knows no law after its training.',
  accuracyTests: 'A set of 200 made-up cases before every version; 96 of 100 facts were right in the last one.',
  accessibility: 'wcag_aa',
  changeDays: 14,
  incidentHours: 24,
  exit: 'A practice takes its documents along as PDF and CSV within 30 days of leaving.',
  insurance: 'Professional indemnity and cyber, $5 million each',
};
const evidence = (name: string) => ({
  name,
  evidenceUrl: 'https://certificates.example/made-up',
  expiresOn: '2027-06-30',
});

/** `isReviewed`: the maker has reviewed the tool shortly before it answers. */
type MadeUp = { toolId: string; daysAgo: number; isReviewed?: true; answers: Disclosure };

/** What the demo's makers say about their tools, made up. About other tools nothing is stated, which the pages have to show too. */
export const madeUpAnswers: readonly MadeUp[] = [
  {
    toolId: 'fact-find-ai',
    daysAgo: 60,
    answers: { ...made, does: 'Writes a fact find from what the adviser and the client fill in.' },
  },
  {
    toolId: 'risk-profile-ai',
    daysAgo: 50,
    answers: {
      ...complete,
      does: 'Scores a questionnaire and drafts the explanation of the profile.',
      model: 'A language model and fixed scoring rules',
      decides: 'scores',
      certificates: [evidence('ISO/IEC 27001 (made up)')],
    },
  },
  {
    toolId: 'file-note-ai',
    daysAgo: 45,
    isReviewed: true,
    answers: {
      ...complete,
      does: 'Turns a recording or notes of a meeting into a file note.',
      model: 'A speech model and a language model',
      version: '2026.10',
      storedData: ['identity', 'financial', 'recordings'],
      dataLocation: 'Australia (Sydney). Recordings go to Singapore, where they become text.',
      subProcessors: [
        { name: 'Model Host (made up)', country: 'Australia', purpose: 'Language model' },
        { name: 'Speech Host (made up)', country: 'Singapore', purpose: 'Speech to text' },
      ],
      training: 'only_if_agreed',
      trainingDetails: 'A practice agrees in writing, and may withdraw at any time.',
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
    isReviewed: true,
    answers: {
      ...complete,
      does: 'Writes a fact find from what the adviser and the client fill in.',
      certificates: [evidence('SOC 2 Type II (made up)')],
    },
  },
];
