import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { brand } from '#shared/brand.ts';
import { project, sourceFiles } from '#server/testing/source-files.ts';
import { heading, mailSubject, subjectLength } from './mail-subject.ts';

/** Names as makers and practices choose them. */
const long = ['Superannuation Contribution Strategy AI', 'Montgomery & Featherstone Wealth Partners'] as const;

describe('the subject of a mail', () => {
  it.each([
    [
      'stays as it is where it fits',
      mailSubject`Receipt: ${'$94.50'} for ${'three tools'}`,
      'Receipt: $94.50 for three tools',
    ],
    [
      'cuts a long name after a word',
      mailSubject`Your trial of ${long[0]} has begun`,
      'Your trial of Superannuation… has begun',
    ],
    [
      'cuts two long names alike, and no amount',
      mailSubject`${long[0]}: ${'$1,234.50'} for ${long[1]}`,
      'Superannuati…: $1,234.50 for Montgomery &…',
    ],
    [
      'cuts a long word within',
      mailSubject`${'Superannuationcontributionstrategyplanning'} is published`,
      'Superannuationcontributionstra… is published',
    ],
    [
      'leaves a name out where nothing of it fits',
      mailSubject`This subject is exactly forty-five letters ok${long[1]}`,
      'This subject is exactly forty-five letters ok',
    ],
  ])('%s', (_what, subject, expected) => {
    expect(subject).toBe(expected);
    expect(subject.length).toBeLessThanOrEqual(subjectLength);
  });

  it('has the whole as its title', () => {
    expect(heading`${long[1]} has stopped ${long[0]}`).toEqual({
      title: 'Montgomery & Featherstone Wealth Partners has stopped Superannuation Contribution Strategy AI',
      subject: 'Montgomery &… has stopped Superannuation…',
    });
  });
});

/** What stands in a template at an expression: an amount, a day, a card, for whom something is paid, or else a long name. */
function realistic(expression: string, index: number): string {
  if (/cents|total|amount|due$|owed|month$|^laterMonth/i.test(expression)) return '$1,234.50';
  if (/^on\(|until|day|from$|ends$/i.test(expression)) return '26 Dec 2026';
  if (/whose/i.test(expression)) return ` for ${long[1]}`;
  const fixed = [...expression.matchAll(/'([^']*)'/g)].map(([, text]) => text!);
  if (fixed.length > 0) return fixed.toSorted((a, b) => b.length - a.length)[0]!;
  if (/brand\.name/.test(expression)) return brand.name;
  if (/^counted|^String\(/.test(expression)) return 'at least 100 sessions';
  if (expression === 'noCard') return ', no card';
  if (expression === 'when') return 'In 7 days';
  return expression === 'card' ? 'American Express 1001' : long[index % 2]!;
}

/** Every template that the product makes subjects of: its place, its texts, and what stands between them. */
const templates = sourceFiles()
  .filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
  .map((file) => [file, fs.readFileSync(path.join(project, file), 'utf8')] as const)
  .filter(([, text]) => /(mailSubject|heading)`/.test(text))
  .flatMap(([file, text]) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const found: [string, string[], string[]][] = [];
    const visit = (node: ts.Node) => {
      if (ts.isTaggedTemplateExpression(node) && ['mailSubject', 'heading'].includes(node.tag.getText(source))) {
        const { template } = node;
        const place = `${path.basename(file)}: ${template.getText(source)}`;
        if (ts.isNoSubstitutionTemplateLiteral(template)) found.push([place, [template.text], []]);
        else {
          const spans = template.templateSpans.map(({ expression, literal }) => [
            expression.getText(source),
            literal.text,
          ]);
          const values = spans.map(([expression], index) => realistic(expression!, index));
          found.push([place, [template.head.text, ...spans.map(([, after]) => after!)], values]);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });

describe('each subject of the product, with long names in it', () => {
  it.each(templates)('%s', (_place, texts, values) => {
    const subject = mailSubject(texts as unknown as TemplateStringsArray, ...values);
    expect(subject.length, subject).toBeLessThanOrEqual(subjectLength);
    // What is not a name is whole, and enough of each name is left to know it by.
    for (const value of values)
      expect(subject).toContain(long.some((name) => value.includes(name)) ? value.slice(0, 5) : value);
  });
});
