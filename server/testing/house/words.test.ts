import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { project, sourceFiles } from '../source-files.ts';

/** What no screen, mail or document says: words that readers stumbled over, each with what is said in its place. */
const banned: [RegExp, string][] = [
  [/\bstated\b|\bnot yet said\b|sessions to state/i, 'review: "7 sessions to review", "I reviewed the output"'],
  [/said by the tool/i, 'from the tool'],
  [/GST in it/i, 'GST'],
  [/second factor/i, 'two-step verification'],
  [/\be-mail/i, 'email'],
  [/due diligence (stated|of its maker)/i, 'supplier due diligence'],
  [/A correction is a new line|as files that can be checked later/i, 'Corrections are added as new entries.'],
  [/A record, not a legal opinion/i, 'This is a record, not legal advice.'],
  [/Your tools, the time they save you/i, 'nothing'],
  [/Save with more tools|a month on what you have today/i, "You're saving $21 a month (15%)."],
  [/applies to this tool straight away/i, 'This tool gets it today, your others from their next renewal.'],
  [
    /ends on its own|trial ends automatically|Only if a card is on your account/i,
    'You need no card: without one, the trial simply ends.',
  ],
  [/it continues, and \$|The trial then continues|It then continues automatically/i, 'After your trial we’ll charge:'],
  [/By subscribing you agree to these terms/i, 'You authorise … to charge'],
  [/Know before you pay|Leave when you like|Open it straight away/i, 'Start straight away'],
  [/What is missing is followed up|Inconsistent answers pointed out|Gaps listed before/i, 'Flags gaps before you send'],
  [/Clients sign where they are|Meetings start with the facts|Nothing is typed twice/i, 'No double entry'],
  [/from then until|nothing has been paid for it/i, "Change your mind by 26 Jan and it's free."],
  [/The next period begins once/i, 'Your new month starts today.'],
  [/From now on this card pays|will be used from now on/i, 'This card will replace Visa 3184 for all your tools.'],
  [/Confirm it is you|Your bank asks for authentication/i, "Confirm it's you"],
  [/cannot be subscribed to yet|This tool does not exist/i, "We couldn't find that tool."],
  [/There is no such discount code/i, "That code isn't valid. Check the spelling."],
  [/One payer, one card|See who uses what|A price for your number/i, 'One card for the whole team'],
  [/Give your afternoons back|Pick the tool for the paperwork/i, 'Get your afternoons back'],
  [/Tell us how many you are/i, 'Tell us your team size and tools.'],
  [
    /those of your practice and your sign-in|Your practice together/i,
    'Your details, your practice, how you sign in, and what we hold about you.',
  ],
  [/One click and you can start/i, 'Confirm your email to start free trials.'],
  [/More than your name, email/i, 'Hard to guess'],
  [/Someone else is in your account|one of us will write to you/i, "Send us a message and we'll reply by email."],
  [/Your emails don.t arrive|The window of a tool does not open/i, "A tool won't open"],
  [/There are no recordings yet|Yours is missing\?/i, "Can't find an answer? Contact us."],
  [/What else is done stands on|and we name the places|Have you found a weakness/i, 'Report a vulnerability'],
  [/is not a certificate|Elsewhere we say|does not encrypt the/i, 'what we do, without taking a claim back'],
  [/We kept what you had typed/i, 'We saved your draft.'],
  [/Every line is a taxable supply|\bOwing\b/, 'Amount due'],
  [/(is|are) waiting for you|is due from|Together \$/i, 'Action needed: confirm your $94.50 payment'],
  [/because the number of your tools/i, 'because you now have three tools'],
  [/You get this because/i, "You're receiving this because"],
  [/it takes two clicks|there is nothing to do/i, 'no action is needed'],
  [/The tax invoice is on your Billing tab/i, 'Thanks, we’ve received $22.50'],
  [/Your first session, in/i, 'Get started'],
  [/the days from when they join/i, "We'll add a pro-rata charge for the rest of this month."],
  [/tools are closed to|Nobody in the practice can open or buy/i, 'Everyone in the practice loses access now.'],
  [/of which .*Credit for/i, 'Ben Adams left 13 Dec (File Note AI): −$10.83'],
  [/What is put in trains a model/i, 'Are inputs used to train a model?'],
  [/Tools without a decision/i, "Allow tools we haven't assessed"],
  [/also by people who have left/i, 'Includes sessions by people who have since left.'],
  [/People stand by number|the list of people says/i, 'Advisers are shown by ID.'],
  [/It is a record of what happened at|SHA-256 made from it/i, 'Every line carries a checksum'],
  [/\basked for by\b/i, 'requested by'],
  [/Whoever owns the team is told/i, "We'll remind the team owner on the due date."],
  [/places are taken|to make room, then/i, "You've used all 19 seats."],
  [/was closed, and its tools with it/i, 'Logan Wealth has been closed, so you no longer have access to its tools.'],
  [/bulk pricing|volume (pricing|discount)/i, 'bulk discount'],
  [/\bby chance\b/i, 'at random'],
  [/loses it then/i, 'Everyone at Riverside Advice loses access on that date.'],
];

/** Parts of the product that people outside it don't read. */
const unread = /\.(test|spec)\.tsx?$|^server\/(testing|commands)\/|\/testing\/|^server\/dev\/payments-sandbox\//;

/** The texts of a source: strings, the fixed parts of templates, and what stands between tags. */
function textsOf(file: string): string[] {
  const source = fs.readFileSync(path.join(project, file), 'utf8');
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    if (ts.isJsxText(node)) texts.push(node.text.replace(/\s+/g, ' ').trim());
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      file,
      source,
      ts.ScriptTarget.Latest,
      false,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  );
  return texts;
}

it('nobody reads a banned word or sentence on a screen, in a mail or in a document', () => {
  const found = sourceFiles()
    .filter((file) => !unread.test(file))
    .flatMap((file) => textsOf(file).map((text) => [file, text] as const))
    .flatMap(([file, text]) =>
      banned
        .filter(([pattern]) => pattern.test(text.replaceAll('&apos;', "'")))
        .map(([, better]) => `${file}: "${text}"; say: ${better}`),
    );
  expect(found).toEqual([]);
});
