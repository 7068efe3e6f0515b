import { type InvitedRole, invitedRoles } from './teams.ts';

/** One address of a list as it was pasted; `role` where its line names one, `fault` where it can't be invited. */
export type ListedAddress = { email: string; role: InvitedRole | null; fault: 'invalid' | 'twice' | null };

const address = /[^\s,;<>"'()]+@[^\s,;<>"'()]+/g;
const isAddress = /^[^\s@]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const isHeader = /\be-?mail\b/i;

/**
 * The addresses of a pasted list: one or several a line, after names (`Hugh Lang <hugh@…>`), or the rows of a CSV file, whose line may
 * name the role. A line without an address is a fault, but for the CSV's first.
 */
export function listedAddresses(text: string): ListedAddress[] {
  const listed: ListedAddress[] = [];
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const found = line.match(address);
    if (!found) {
      if (index > 0 || !isHeader.test(line)) listed.push({ email: line.trim(), role: null, fault: 'invalid' });
      continue;
    }
    const cells = line.toLowerCase().split(/[,;\t]/);
    const role = invitedRoles.find((one) => cells.some((cell) => cell.replaceAll('"', '').trim() === one)) ?? null;
    for (const written of found) {
      const email = written.toLowerCase().replace(/[.:]+$/, '');
      const isTwice = listed.some((one) => one.email === email);
      listed.push({ email, role, fault: !isAddress.test(email) ? 'invalid' : isTwice ? 'twice' : null });
    }
  }
  return listed;
}
