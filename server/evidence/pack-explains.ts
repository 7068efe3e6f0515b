import { brand } from '#shared/brand.ts';
import type { PackAbout } from './pack-content.ts';
import { dayCount } from './pack-words.ts';

/** What the reader compares: the chain's head, and how many lines the CSV has. */
export type Sum = { head: string; lines: number };

/** What is in a pack, and what is not; whose time each time is. */
export const introductionTo = ({ practice }: Pick<PackAbout, 'practice'>): string[] => [
  `This pack lists the sessions with AI tools that were opened ${
    practice === null ? `through ${brand.name}` : 'through the practice’s subscriptions'
  }, and those that ${practice === null ? 'the adviser' : 'its members'} recorded by hand. Use that nobody recorded is not in it. What was put into a tool, and what came out, is not kept.`,
  'Each session names the adviser, the tool, how long it lasted, what it was for, and for which client reference. What the adviser said of the output stands below it, with each later change.',
  'A session’s time is when it began. The times of sessions and statements are in the time zone of the adviser’s business. All other times are Sydney’s. The CSV file has each time in UTC, too.',
];

/** The words of a pack that a reader may not know. */
export const meaningsFor = ({ practice, rules, checks }: PackMeans): [word: string, meaning: string][] => [
  [
    'Statement',
    `What an adviser said of a session. A correction is a new statement, so a session may have several.${
      practice === null
        ? ''
        : ' One by somebody else says what they found when they looked again for a recall: it is no review.'
    }`,
  ],
  ['Reviewed', 'The adviser’s last word is that they checked the output: “Output checked”.'],
  ['Not checked', 'The adviser’s last word is that they did not check the output: “Output not checked”.'],
  ['Not reviewed', 'The adviser has not said whether they checked the output.'],
  ...(practice === null ? [] : ofPractice(rules?.lateAfterDays ?? 0, checks)),
  [
    '(from the tool)',
    'The tool sent this purpose or client reference. Without these words, the adviser entered it. Version and length come from the tool. A session outside Adviserly has neither: the adviser entered it by hand, on the day that it says. Only the adviser says when it was.',
  ],
  [
    'Supplier due diligence',
    'What the tool’s maker, its supplier, said about it, as it stood when the session began. Each set of answers has a number. The CSV calls it Tool answers.',
  ],
  ['Line', 'Where it stands in the CSV file. A session’s statements and sign-offs follow it there, a line for each.'],
  [
    'Actions',
    'A column of the CSV: how many actions of the adviser the tool counted. Each tool decides what it counts. The column is empty where the tool reported nothing.',
  ],
  ['A bar beside a line', 'It points out what is not reviewed, not checked, or late.'],
];
type PackMeans = Pick<PackAbout, 'practice' | 'rules' | 'checks'>;

const ofPractice = (lateAfterDays: number, checks: readonly string[]): [string, string][] => [
  [
    'What was checked',
    `What the adviser ticked, in the words that the practice offered then. Now it offers${checks.length > 0 ? `: ${checks.join('; ')}` : ' nothing to tick'}. What they compared it with is not kept.`,
  ],
  [
    'Signed off',
    'The owner, an admin or a reviewer of the practice has looked at this record of the session, which is not the output. Nobody can sign off their own.',
  ],
  [
    'A sample',
    `Sessions that ${brand.name} drew at random for a supervisor, and kept. “Samples” says from which sessions, and how many of them were signed off.`,
  ],
  [
    'Review of the tool',
    'How the practice looked at a tool. The CSV calls it Review. The maker’s own review is part of the supplier due diligence.',
  ],
  [
    'Legal hold',
    `${brand.name} deletes nothing about this client reference until the practice releases it. The hold does not reach what the tools’ makers keep.`,
  ],
  ['[late]', `Said later than the practice then allowed. Now it allows ${dayCount(lateAfterDays)}.`],
];

/** How a stranger verifies the files, with us and without us. */
export const waysToVerify = (
  { verifyUrl, stamps, practice }: Pick<PackAbout, 'verifyUrl' | 'stamps' | 'practice'>,
  { lines }: Pick<Sum, 'lines'>,
): [way: string, text: string][] => [
  [
    'On our page',
    `Open ${verifyUrl} and choose the PDF, the CSV and the manifest (JSON) together.${
      practice === null ? '' : ' The list of people (CSV) may go with them.'
    }${stamps ? ' The time stamp (TSR) may, too: the page says whether it is of this pack.' : ''} They stay on your computer.`,
  ],
  [
    'The PDF',
    `Compute its SHA-256. On a Mac or Linux, the command is: shasum -a 256 FILE.pdf. On Windows, it is: certutil -hashfile FILE.pdf SHA256. ${brand.name} has the result on file, and says on that page when it issued the PDF. The manifest has it, too, at files, pdf, sha256.`,
  ],
  [
    'The CSV',
    `It has ${lines.toLocaleString('en-AU')} lines. The first is the heading. Each other line ends with a checksum, which depends on all lines before it. The last one is the final checksum on the first page. ${brand.name} has it on file.`,
  ],
  [
    'The CSV, without us',
    'Line by line, compute the SHA-256 of three things: the checksum of the line before (64 characters), a line feed, and the line without its last comma and what follows. The result has to be what follows that comma. For line 2, the checksum of the line before is the SHA-256 of the heading. Leave out the byte order mark at the start of the file (EF BB BF) and the CR LF that ends each line.',
  ],
  [
    'What this shows',
    `The final checksum covers the CSV, and the SHA-256 of the PDF covers the PDF. Nothing covers the manifest. A spreadsheet that saves the CSV anew changes it. Only ${brand.name}, or somebody who noted both checksums at the time, can confirm that these files are the ones that were issued.`,
  ],
  [
    `Without ${brand.name}`,
    `If ${brand.name} no longer exists, you can still check that the CSV agrees with itself. That it is the one that was issued, only somebody who noted both checksums can say. Note them now, or lodge them with a third party.`,
  ],
  [
    'Before this pack',
    `The checksums were computed when this pack was made. They do not show that the record was unchanged before. ${brand.name}’s database refuses to change a statement${
      practice === null ? '' : ', a sign-off, a sample or a review of a tool, and to delete one within seven years'
    }. The words of one can be taken out, and this pack says where. A tool can correct what it said of a session, until 48 hours after its last report. For all of this, there is only ${brand.name}’s word.`,
  ],
  [
    'The time',
    stamps
      ? 'A time-stamping authority vouches for the final checksum (RFC 3161), once it has answered. With its file, and the certificate of the authority’s issuer: openssl ts -verify -digest CHECKSUM -in FILE.tsr -CAfile ISSUER.pem'
      : `No time-stamping authority vouches for this pack. When it was made, and when sessions and statements happened, only ${brand.name} says.`,
  ],
  ...(practice === null
    ? []
    : ([
        [
          'The list of people',
          'The list repeats “Who is who”. The CSV has that, too, and its checksums cover it there. The manifest has the SHA-256 of the list, at files, people, sha256. Our page compares what the list says with the manifest.',
        ],
      ] satisfies [string, string][])),
];
