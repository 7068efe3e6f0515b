import { formatCalendarDay } from '../dates.ts';

/** Whether what people put into a tool trains a model, the maker's or another's. */
export const trainingLabels = { no: 'No', only_if_agreed: 'Only if the practice agrees', yes: 'Yes' } as const;
export const storedDataLabels = {
  none: 'Nothing',
  adviser: 'The adviser’s own details',
  identity: 'Clients’ names and contact details',
  financial: 'Clients’ financial details',
  health: 'Clients’ health details',
  documents: 'Documents',
  recordings: 'Recordings',
  usage: 'How the tool is used',
} as const;
/** Who at the maker's reads what people put in, or what comes out. */
export const humanReviewLabels = {
  nobody: 'Nobody',
  on_request: 'Only when a user asks for help',
  to_mend: 'Only to mend a fault',
  samples: 'Samples',
} as const;
export const decidesLabels = {
  no: 'No',
  scores: 'It suggests a score or a class. The adviser decides.',
  decides: 'It decides by itself',
} as const;
export const accessibilityLabels = {
  wcag_aa: 'WCAG 2.2 AA, tested',
  partly: 'WCAG 2.2 AA in part',
  untested: 'Not tested',
} as const;

/** What a tool's maker says about it for due diligence; null: not given. */
export type Disclosure = {
  maker: string | null;
  contact: string | null;
  does: string | null;
  model: string | null;
  version: string | null;
  decides: keyof typeof decidesLabels | null;
  storedData: (keyof typeof storedDataLabels)[] | null;
  dataLocation: string | null;
  retention: string | null;
  /** Empty: none. */
  subProcessors: { name: string; country: string; purpose: string }[] | null;
  training: keyof typeof trainingLabels | null;
  trainingDetails: string | null;
  humanReview: keyof typeof humanReviewLabels | null;
  limits: string | null;
  accuracyTests: string | null;
  accessibility: keyof typeof accessibilityLabels | null;
  /** Days of notice before a change. */
  changeDays: number | null;
  /** Hours from finding an incident to telling practices. */
  incidentHours: number | null;
  exit: string | null;
  insurance: string | null;
  /** Days in Sydney. */
  certificates: { name: string; evidenceUrl: string; expiresOn: string | null }[];
  reviewedOn: string | null;
};

/** Details of training are part of the answer about training. */
export type Question = Exclude<keyof Disclosure, 'trainingDetails'>;

/** In the order of every page, form and pack. */
export const questionLabels: Record<Question, string> = {
  maker: 'Maker',
  contact: 'Contact for questions and incidents',
  does: 'What it does',
  model: 'Model',
  version: 'Version',
  decides: 'Does it score clients, or decide about them?',
  storedData: 'What the maker stores',
  dataLocation: 'Where data is kept',
  retention: 'How long data is kept, and how it is deleted',
  subProcessors: 'Sub-processors',
  training: 'Do inputs train a model?',
  humanReview: 'Who at the maker reads inputs or outputs?',
  limits: 'Known limits',
  accuracyTests: 'How its accuracy is tested',
  accessibility: 'Accessibility',
  changeDays: 'Notice before a change',
  incidentHours: 'Practices hear of an incident within',
  exit: 'How a practice takes its data when it leaves',
  insurance: 'Insurance',
  certificates: 'Certificates, with evidence',
  reviewedOn: 'Last reviewed by the maker',
};
export const questions = Object.keys(questionLabels) as Question[];

const unanswered = Object.fromEntries(questions.map((question) => [question, null])) as Record<Question, null>;
export const nothingStated: Disclosure = { ...unanswered, trainingDetails: null, certificates: [] };

/** What was stored when there were fewer questions. */
export const withAllQuestions = (stored: Partial<Disclosure>): Disclosure => ({
  ...nothingStated,
  ...stored,
  certificates: (stored.certificates ?? []).map((one) => ({ ...one, expiresOn: one.expiresOn ?? null })),
});

const listed = ([first = '', ...others]: string[]) =>
  [first, ...others.map((label) => label.charAt(0).toLowerCase() + label.slice(1))].join(', ');
const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** One answer in words; null where it is not given. */
export function answerText(answers: Disclosure, question: Question): string | null {
  const { training, trainingDetails, storedData, decides, humanReview, accessibility } = answers;
  switch (question) {
    case 'training':
      return training && [trainingLabels[training], trainingDetails].filter(Boolean).join('. ');
    case 'storedData':
      return storedData && listed(storedData.map((kind) => storedDataLabels[kind]));
    case 'decides':
      return decides && decidesLabels[decides];
    case 'humanReview':
      return humanReview && humanReviewLabels[humanReview];
    case 'accessibility':
      return accessibility && accessibilityLabels[accessibility];
    case 'subProcessors':
      if (answers.subProcessors?.length === 0) return 'None';
      return (
        answers.subProcessors?.map(({ name, country, purpose }) => `${name}, ${country}: ${purpose}`).join('\n') ?? null
      );
    case 'changeDays':
      return answers.changeDays === null ? null : counted(answers.changeDays, 'day');
    case 'incidentHours':
      return answers.incidentHours === null ? null : counted(answers.incidentHours, 'hour');
    case 'certificates':
      return answers.certificates.map(certificateText).join('\n') || null;
    case 'reviewedOn':
      return answers.reviewedOn && formatCalendarDay(answers.reviewedOn);
    default:
      return answers[question];
  }
}

const certificateText = ({ name, evidenceUrl, expiresOn }: Disclosure['certificates'][number]) =>
  `${name} (${evidenceUrl})${expiresOn ? `, expires on ${formatCalendarDay(expiresOn)}` : ''}`;

/** What a tool may do without before it is published: not every maker has a certificate. */
const mayBeMissing: readonly Question[] = ['certificates', 'reviewedOn'];
export const neededQuestions = questions.filter((question) => !mayBeMissing.includes(question));

/** Which answers a tool lacks for publication. */
export const unansweredIn = (answers: Disclosure): Question[] =>
  neededQuestions.filter((question) => !answerText(answers, question));

export type ChangedAnswer = { question: Question; before: string | null; after: string | null };

/** The answers that differ, in words. */
export const changedAnswers = (before: Disclosure, after: Disclosure): ChangedAnswer[] =>
  questions.flatMap((question) => {
    const [was, is] = [answerText(before, question), answerText(after, question)];
    return was === is ? [] : [{ question, before: was, after: is }];
  });
