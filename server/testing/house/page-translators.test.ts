import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { project, sourceFiles } from '../source-files.ts';

/** What an expression between tags may come to, by its form: nothing, a text, an element, or what only its type says. */
type Kind = 'nothing' | 'text' | 'element' | 'unknown';

function kindsOf(node: ts.Expression): Kind[] {
  if (ts.isParenthesizedExpression(node)) return kindsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...kindsOf(node.whenTrue), ...kindsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return ['nothing', ...kindsOf(node.right)];
  if (ts.isBinaryExpression(node)) return [...kindsOf(node.left), ...kindsOf(node.right)];
  if (ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return ['text'];
  if (node.kind === ts.SyntaxKind.NullKeyword) return ['nothing'];
  const isElement = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);
  const isList = ts.isCallExpression(node) && node.expression.getText().endsWith('.map');
  return [isElement || isList ? 'element' : 'unknown'];
}

/** The children of an element that draw something, each with what it may come to. */
const childrenOf = (node: ts.JsxElement | ts.JsxFragment): Kind[][] =>
  node.children.flatMap((child): Kind[][] => {
    if (ts.isJsxText(child)) return child.containsOnlyTriviaWhiteSpaces ? [] : [['text']];
    if (!ts.isJsxExpression(child)) return [['element']];
    return child.expression ? [kindsOf(child.expression)] : [];
  });

const has = (kinds: Kind[], kind: Kind) => kinds.includes(kind);
const changes = (kinds: Kind[]) => kinds.length > 1;

/** A text that comes and goes beside something else, or that follows an element which does. */
const breaks = (children: Kind[][]): boolean =>
  children.length > 1 &&
  children.some((kinds, at) => {
    if (has(kinds, 'text') && (has(kinds, 'nothing') || has(kinds, 'element'))) return true;
    const next = children.slice(at + 1).find((one) => !changes(one) || has(one, 'text'));
    return changes(kinds) && has(kinds, 'element') && next !== undefined && has(next, 'text');
  });

/** In `ui`, what a page passes stands beside something that comes and goes only as a `Part` or in an element. */
function passedBare(node: ts.JsxElement | ts.JsxFragment, file: ts.SourceFile): boolean {
  const names = node.children
    .filter((child) => ts.isJsxExpression(child) && child.expression && has(kindsOf(child.expression), 'unknown'))
    .map((child) => /(\w+)\}$/.exec(child.getText(file))?.[1])
    .filter((name) => name !== undefined);
  const isPart = (name: string) => new RegExp(String.raw`\b${name}\??: Parts?\b`).test(file.text);
  if (childrenOf(node).length < 2) return false;
  const comesAndGoes = names.some(isPart) || childrenOf(node).some(changes);
  return comesAndGoes && names.some((name) => !isPart(name));
}

function faultsIn(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const inUi = name.startsWith('client/src/ui/');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isParent =
      ts.isJsxFragment(node) || (ts.isJsxElement(node) && node.openingElement.tagName.getText(file) !== 'Text');
    if (isParent && (breaks(childrenOf(node)) || (inUi && passedBare(node, file))))
      found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

it('no bare text stands beside what comes and goes: a page translator would make React crash', () => {
  const files = sourceFiles().filter((file) => /^client\/src\/.*\.tsx$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const faults = files.flatMap((file) => faultsIn(file, fs.readFileSync(path.join(project, file), 'utf8')));
  expect(faults, 'put the text into <Text> of client/src/ui/elements.tsx').toEqual([]);
});

it.each([
  ['a spinner before a label', '<button>{pending && <Spinner />} Save</button>'],
  ['a text that goes away', '<p>{name}{more && `, ${more}`}</p>'],
  ['a text that becomes an element', "<p><b>Now</b> {link ? <a>there</a> : 'here'}</p>"],
  ['a line break before a text', '<address>{line2 && <br />}in {city}</address>'],
  ['one icon or another before a label', '<li>{busy ? <Spinner /> : <Door />} Sign Out</li>'],
  ['a label that a page passes', '<label>{label}{optional && <i />}</label>', 'client/src/ui/x.tsx'],
])('the rule refuses %s', (_what, text, name = 'client/src/features/x.tsx') => {
  expect(faultsIn(name, `const x = ${text};`)).toHaveLength(1);
});

it.each([
  ['a label in an element', '<button>{pending && <Spinner />}<Text>Save</Text></button>'],
  ['one text', "<p>{more ? 'more' : null}</p>"],
  ['a text before an element that comes', '<p>Name{optional && <i />}</p>'],
])('the rule accepts %s', (_what, text) => {
  expect(faultsIn('client/src/features/x.tsx', `const x = ${text};`)).toEqual([]);
});
