import { expect, it } from 'vitest';
import { changedBy } from './changes.ts';
import { contract } from './index.ts';

it('a write that changes a person’s timeline also changes what they were told', () => {
  const { admin, acts, approvals } = contract;
  const writes = [admin, acts, approvals].flatMap((calls) => Object.values(calls));
  const told = [admin.userTold, admin.teamTold];
  const ofPerson = writes.filter((write) => changedBy(write).includes(admin.userTimeline));
  expect(ofPerson.length).toBeGreaterThan(10);
  for (const write of ofPerson) expect(changedBy(write), write.path).toEqual(expect.arrayContaining(told));
});
