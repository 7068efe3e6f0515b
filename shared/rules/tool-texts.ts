type Texts = { features: readonly string[]; benefits: readonly string[] };

/** For the screens that sell a tool; apart from the catalogue, which every page loads. */
const toolTexts: Record<string, Texts> = {
  'risk-profile-ai': {
    features: [
      'Guided client questionnaire',
      'Scored risk profile with reasons',
      'Inconsistent answers pointed out',
      'Report ready for the client file',
    ],
    benefits: ['A documented basis for every recommendation', 'The same method for every client'],
  },
  'fact-find-ai': {
    features: [
      'Online fact find the client fills in',
      'Missing answers followed up',
      'Summary of goals and circumstances',
      'Export for your planning software',
    ],
    benefits: ['Meetings start with the facts on the table', 'Nothing is typed twice'],
  },
  'file-note-ai': {
    features: [
      'Structured file notes from your points',
      'Follow-up tasks listed',
      'Compliance wording checked',
      'Search across all notes',
    ],
    benefits: ['Notes are written the same day', 'Every conversation can be found again'],
  },
  'advice-writer-ai': {
    features: [
      'Statement of Advice drafts from your file',
      'Your own templates and wording',
      'References back to the fact find',
    ],
    benefits: ['A first draft in minutes', 'Consistent documents across the practice'],
  },
  'pre-fill-ai': {
    features: [
      'PDF forms filled from client data',
      'Digital signing',
      'Provider forms kept up to date',
      'Gaps listed before sending',
    ],
    benefits: ['Forms come back less often', 'Clients sign where they are'],
  },
  'lost-money-ai': {
    features: [
      'Searches of lost money registers',
      'Lost superannuation searches',
      'Results matched to the client',
      'Free with any other subscription',
    ],
    benefits: ['A good reason to call a client', 'Found money at no cost to you'],
  },
  'share-advice-ai': {
    features: ['ASX 300 coverage', 'Summaries of announcements', 'Reasons drafted for the client file', 'Watch lists'],
    benefits: ['Research in one place', 'Documented reasons for each recommendation'],
  },
  'portfolio-ai': {
    features: [
      'Portfolio review against the risk profile',
      'Drift and concentration pointed out',
      'Client-ready report',
      'Comparison over time',
    ],
    benefits: ['Reviews prepared before the meeting', 'Clients see where they stand'],
  },
};

/** Empty for a tool that is only in the database. */
export const textsOf = (toolId: string): Texts => toolTexts[toolId] ?? { features: [], benefits: [] };
