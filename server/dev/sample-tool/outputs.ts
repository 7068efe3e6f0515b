import { html, type Html } from './html.ts';

type Output = { title: string; facts: [string, string][]; points: [string, string[]] };

/** What the sample of each tool hands over at the end of a session, about made-up clients. */
const outputs: Record<string, Output> = {
  'risk-profile-ai': {
    title: 'Risk profile, file F-10234',
    facts: [
      ['Score', '62 of 100'],
      ['Profile', 'Balanced'],
      ['Time frame', '9 years'],
    ],
    points: [
      'Reasons',
      [
        'Would hold after a fall of 15%, and would worry at 25%.',
        'Needs income from 2035; cash for two years is set aside.',
        'Answers 4 and 11 don’t agree: please ask about borrowing.',
      ],
    ],
  },
  'fact-find-ai': {
    title: 'Fact find summary, file F-10225',
    facts: [
      ['Answered', '46 of 48 questions'],
      ['Household', 'Couple, two children'],
      ['Main goal', 'Retire at 62'],
    ],
    points: [
      'Before the meeting',
      [
        'Missing: expiry of the fixed home loan rate.',
        'Missing: beneficiaries of the second super account.',
        'Changed since 2025: one income is now part time.',
      ],
    ],
  },
  'file-note-ai': {
    title: 'File note, file F-10241',
    facts: [
      ['Meeting', '24 Nov 2026, by phone'],
      ['Length', '35 minutes'],
      ['Topic', 'Annual review'],
    ],
    points: [
      'Follow-up',
      [
        'Send the fee consent for 2027 by Friday.',
        'Ask the fund for the insurance statement.',
        'Book a meeting about the estate plan in February.',
      ],
    ],
  },
  'pre-fill-ai': {
    title: 'Rollover request, file F-10207',
    facts: [
      ['Filled in', '31 of 33 fields'],
      ['Form', 'Version of Oct 2026'],
      ['Signatures', 'Sent to 2 clients'],
    ],
    points: [
      'Before you send',
      [
        'Missing: member number of the fund it leaves.',
        'Missing: date of the trust deed.',
        'The address differs from the one on the last form.',
      ],
    ],
  },
  'lost-money-ai': {
    title: 'Search result, file F-10218',
    facts: [
      ['Registers searched', '9'],
      ['Likely matches', '2'],
      ['Amount', '$1,486.20'],
    ],
    points: [
      'Found',
      [
        'Unclaimed bank account, Ballarat branch: $612.05.',
        'Super from a former employer: $874.15.',
        'One more match has another date of birth.',
      ],
    ],
  },
  'share-advice-ai': {
    title: 'Share advice notes, file F-10229',
    facts: [
      ['Holdings', '12 of the ASX 300'],
      ['Announcements', '4 this week'],
      ['To review', '2 holdings'],
    ],
    points: [
      'Reasons for the file',
      [
        'Two banks are 31% of the portfolio; the limit is 25%.',
        'One holding cut its dividend on 18 Nov 2026.',
        'The watch list has one company near its price target.',
      ],
    ],
  },
  'portfolio-ai': {
    title: 'Portfolio review, file F-10212',
    facts: [
      ['Against', 'Balanced profile'],
      ['Growth assets', '71%, target 60%'],
      ['Since last year', '+6.4%'],
    ],
    points: [
      'For the meeting',
      [
        'Growth assets are above their range after the rise.',
        'Cash covers seven months of payments, not twelve.',
        'Fees fell by 0.12 points since the last review.',
      ],
    ],
  },
};

/** The page's part with it; nothing for a tool without a sample. */
export function outputOf(toolId: string): Html | undefined {
  const output = outputs[toolId];
  if (!output) return undefined;
  const [heading, points] = output.points;
  return html`<article>
    <h2>${output.title}</h2>
    <dl>
      ${output.facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <h3>${heading}</h3>
    <ul>
      ${points.map((point) => html`<li>${point}</li>`)}
    </ul>
  </article>`;
}
