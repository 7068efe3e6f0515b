import { clsx } from 'clsx';
import { Circle, CircleCheck } from 'lucide-react';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import { passwordRules } from '#shared/rules/people/accounts.ts';

type Person = Parameters<typeof isGuessableFor>[1];

const rulesFor = (person: Person) => [
  ...passwordRules,
  {
    label: 'More than your name, email or a common word',
    test: (password: string) => password !== '' && !isGuessableFor(password, person),
  },
];

/** The rules, each ticked as soon as the password meets it. */
export const PasswordChecklist = ({ password, person = {} }: { password: string; person?: Person }) => (
  <ul aria-label="Password rules" className="-mt-3 grid gap-x-4 gap-y-1 text-xs sm:grid-cols-2">
    {rulesFor(person).map(({ label, test }) => {
      const met = test(password);
      const Icon = met ? CircleCheck : Circle;
      return (
        <li key={label} className={clsx('flex items-center gap-1.5', met ? 'text-success' : 'text-muted')}>
          <Icon aria-hidden className="size-3.5 shrink-0" />
          {label}
          <span className="sr-only">{met ? ', done' : ', still missing'}</span>
        </li>
      );
    })}
  </ul>
);
