import { describe, expect, it } from 'vitest';
import { answerText, changedAnswers, type Disclosure, nothingStated, type Question } from './disclosure.ts';
import { privacyParagraph } from './privacy-paragraph.ts';

const given: Disclosure = {
  ...nothingStated,
  maker: 'Tan Software Pty Ltd',
  does: 'Writes file notes.',
  decides: 'no',
  storedData: ['identity', 'recordings'],
  dataLocation: 'Australia (Sydney)',
  retention: '30 days, then deleted',
  subProcessors: [],
  training: 'no',
};

describe('an answer in words', () => {
  it.each<[Question, Partial<Disclosure>, string | null]>([
    [
      'training',
      { training: 'only_if_agreed', trainingDetails: 'In writing.' },
      'Only if the practice agrees. In writing.',
    ],
    ['training', { training: null, trainingDetails: 'In writing.' }, null],
    ['storedData', {}, 'Clients’ names and contact details, recordings'],
    ['subProcessors', { subProcessors: null }, null],
    ['subProcessors', {}, 'None'],
    [
      'subProcessors',
      { subProcessors: [{ name: 'Host', country: 'Japan', purpose: 'Backups' }] },
      'Host, Japan: Backups',
    ],
    ['changeDays', { changeDays: 0 }, '0 days'],
    ['incidentHours', { incidentHours: 1 }, '1 hour'],
    ['certificates', {}, null],
    [
      'certificates',
      { certificates: [{ name: 'ISO 27001', evidenceUrl: 'https://a.example', expiresOn: '2027-05-01' }] },
      'ISO 27001 (https://a.example), expires on 1 May 2027',
    ],
  ])('%s of %j is %j', (question, answers, text) => {
    expect(answerText({ ...given, ...answers }, question)).toBe(text);
  });
});

it('names the answers that differ, also those that are taken back', () => {
  const after = { ...given, dataLocation: null, subProcessors: null, trainingDetails: 'Never.' };
  expect(changedAnswers(given, given)).toEqual([]);
  expect(changedAnswers(given, after)).toEqual([
    { question: 'dataLocation', before: 'Australia (Sydney)', after: null },
    { question: 'subProcessors', before: 'None', after: null },
    { question: 'training', before: 'No', after: 'No. Never.' },
  ]);
});

describe('the paragraph for a practice’s own privacy policy', () => {
  it('says what is stored, where, for how long, who gets it, and what is decided', () => {
    expect(privacyParagraph('Note AI', given)).toBe(
      'We use Note AI, an artificial intelligence tool supplied by Tan Software Pty Ltd. The supplier describes it as follows: “Writes file notes.” ' +
        'The supplier stores your name and contact details and recordings. Where they are kept: Australia (Sydney). ' +
        'For how long: 30 days, then deleted. What we enter goes to no other company. What we enter does not train artificial intelligence. ' +
        'The tool gives you no score and decides nothing about you.',
    );
  });
  it.each<[Partial<Disclosure>, string]>([
    [{ storedData: ['none'] }, 'The supplier stores nothing of what we enter. What we enter goes to no other company.'],
    [
      { subProcessors: [{ name: 'Host', country: 'Japan', purpose: 'backups' }] },
      'What we enter also goes to Host (Japan; backups).',
    ],
    [{ training: 'yes' }, 'What we enter may train artificial intelligence.'],
    [{ humanReview: 'samples' }, 'People at the supplier read samples of what we enter.'],
    [{ decides: 'decides' }, 'The tool makes decisions about you from what we enter.'],
  ])('says of %j: %s', (answers, sentence) => {
    expect(privacyParagraph('Note AI', { ...given, ...answers })).toContain(sentence);
  });
  it.each([
    'maker',
    'does',
    'decides',
    'storedData',
    'dataLocation',
    'retention',
    'subProcessors',
    'training',
  ] as const)('is not there while the maker leaves %s out', (question) => {
    expect(privacyParagraph('Note AI', { ...given, [question]: null })).toBeNull();
  });
});
