import type { Disclosure } from './disclosure.ts';

const sentence = (text: string) => `${text.trim().replace(/[.;,\s]+$/, '')}.`;

const listed = new Intl.ListFormat('en-AU');

/** As a practice says it to its clients. */
const kinds: Record<NonNullable<Disclosure['storedData']>[number], string | null> = {
  none: null,
  adviser: 'your adviser’s details',
  identity: 'your name and contact details',
  financial: 'your financial details',
  health: 'your health details',
  documents: 'documents',
  recordings: 'recordings',
  usage: 'how the tool is used',
};
const trains = {
  no: 'What we enter does not train artificial intelligence.',
  only_if_agreed: 'What we enter trains artificial intelligence only if we agree.',
  yes: 'What we enter may train artificial intelligence.',
} as const;
const reads = {
  nobody: 'Nobody at the supplier reads what we enter.',
  on_request: 'People at the supplier read what we enter only when we ask them for help.',
  to_mend: 'People at the supplier read what we enter only to mend a fault.',
  samples: 'People at the supplier read samples of what we enter.',
} as const;
const decidesAbout = {
  no: 'The tool gives you no score and decides nothing about you.',
  scores: 'The tool works out a score or a class about you from what we enter. A person decides.',
  decides: 'The tool makes decisions about you from what we enter.',
} as const;

/**
 * What a practice may put into its own privacy policy about a tool (Australian Privacy Principles 1.4 and 1.7), from its maker's answers;
 * null while one of those is missing.
 */
export function privacyParagraph(toolName: string, answers: Disclosure): string | null {
  const { maker, does, decides, storedData, dataLocation, retention, subProcessors, training, humanReview } = answers;
  if (!maker || !does || !decides || !storedData || !dataLocation || !retention || !subProcessors || !training)
    return null;
  const kept = storedData.flatMap((kind) => kinds[kind] ?? []);
  const others = subProcessors.map(({ name, country, purpose }) => `${name} (${country}; ${purpose})`);
  return [
    sentence(`We use ${toolName}, an artificial intelligence tool supplied by ${maker}`),
    `The supplier describes it as follows: “${sentence(does)}”`,
    ...(kept.length > 0
      ? [
          `The supplier stores ${listed.format(kept)}.`,
          sentence(`Where they are kept: ${dataLocation}`),
          sentence(`For how long: ${retention}`),
        ]
      : ['The supplier stores nothing of what we enter.']),
    others.length > 0
      ? `What we enter also goes to ${listed.format(others)}.`
      : 'What we enter goes to no other company.',
    trains[training],
    ...(humanReview ? [reads[humanReview]] : []),
    decidesAbout[decides],
  ].join(' ');
}
