import type { ReleasedTool } from './tools.ts';

export type ToolTexts = {
  /** What it does, in a paragraph or two, and for whom; empty where nothing is said. */
  about: string;
  audience: string;
  features: string[];
  benefits: string[];
};

/** What a release says about its tools, until an administrator says otherwise. For the server only: pages ask it for a tool's texts. */
const releasedTexts: Record<ReleasedTool, Partial<ToolTexts>> = {
  'risk-profile-ai': {
    about:
      'Your client answers a guided questionnaire. You get a scored profile with the reasons behind it, flags on inconsistent answers, and a report for the file.',
    audience: 'Advisers who recommend investments and must show why a recommendation suits the client.',
    features: [
      'Guided client questionnaire',
      'Scored risk profile with reasons',
      'Flags inconsistent answers',
      'Report ready for the client file',
    ],
    benefits: ['A documented basis for every recommendation', 'One method for every client'],
  },
  'fact-find-ai': {
    about:
      'Your client fills in the fact find online, before you meet. It chases missing answers and gives you a summary of goals and circumstances before the meeting.',
    audience: 'Advisers who take on new clients or prepare annual reviews.',
    features: [
      'Online fact find the client fills in',
      'Chases missing answers',
      'Summary of goals and circumstances',
      'Export for your planning software',
    ],
    benefits: ['Walk in prepared', 'No double entry'],
  },
  'file-note-ai': {
    about:
      'You give it the points of a conversation. It writes a structured file note, lists the follow-up tasks and checks the wording.',
    audience: 'Advisers and support staff who document client conversations every day.',
    features: [
      'Structured file notes from your points',
      'Lists follow-up tasks',
      'Checks compliance wording',
      'Search across all notes',
    ],
    benefits: ['Finish notes the same day', 'Find any conversation again'],
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
    about:
      'It fills provider forms from client data you already have, lists what is missing before you send them, and lets clients sign digitally.',
    audience: 'Practices that send applications and change forms to product providers.',
    features: [
      'PDF forms filled from client data',
      'Digital signing',
      'Provider forms kept up to date',
      'Flags gaps before you send',
    ],
    benefits: ['Fewer forms come back', 'Clients sign online'],
  },
  'lost-money-ai': {
    about: 'It searches the registers of lost money and lost superannuation, and matches what it finds to your client.',
    audience: 'Advisers who want a good reason to call a client, at no cost to either.',
    features: [
      'Searches of lost money registers',
      'Lost superannuation searches',
      'Matches results to your client',
      'Free with any other subscription',
    ],
    benefits: ['A good reason to call a client', 'Found money at no cost to you'],
  },
  'share-advice-ai': {
    audience: 'Advisers who recommend Australian shares.',
    features: ['ASX 300 coverage', 'Summaries of announcements', 'Drafts reasons for the client file', 'Watch lists'],
    benefits: ['Research in one place', 'Documented reasons for each recommendation'],
  },
  'portfolio-ai': {
    audience: 'Advisers who review portfolios with their clients.',
    features: [
      'Portfolio review against the risk profile',
      'Flags drift and concentration',
      'Client-ready report',
      'Comparison over time',
    ],
    benefits: ['Walk into reviews prepared', 'Clients see where they stand'],
  },
};

const textsById: Record<string, Partial<ToolTexts> | undefined> = releasedTexts;

type KeptTexts = { [Name in keyof ToolTexts]: ToolTexts[Name] | null };

/** A tool's texts: those that an administrator set, else those of the release. */
export const textsOf = (tool: { id: string } & KeptTexts): ToolTexts => {
  const released = textsById[tool.id];
  return {
    about: tool.about ?? released?.about ?? '',
    audience: tool.audience ?? released?.audience ?? '',
    features: tool.features ?? released?.features ?? [],
    benefits: tool.benefits ?? released?.benefits ?? [],
  };
};
