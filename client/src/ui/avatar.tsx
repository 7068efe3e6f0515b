import { clsx } from 'clsx';
import { useState } from 'react';

type Person = { firstName?: string | null; lastName?: string | null; profileImageUrl?: string | null };
type Props = { person: Person; className?: string };

/** Initials of first and last name, else 'U'. */
export const initialsOf = ({ firstName, lastName }: Person) =>
  [firstName, lastName]
    .map((name) => /./u.exec(name?.trim() ?? '')?.[0] ?? '')
    .join('')
    .toLocaleUpperCase('en-AU') || 'U';

/** Profile image or initials. Hidden from assistive technology: the name is always beside it or on its button. */
export const Avatar = ({ person, className }: Props) => {
  const [broken, setBroken] = useState<string>();
  const image = person.profileImageUrl;
  const shape = clsx('size-8 shrink-0 rounded-full', className);
  if (image && image !== broken) {
    return <img src={image} alt="" onError={() => setBroken(image)} className={clsx(shape, 'object-cover')} />;
  }
  return (
    <span
      aria-hidden
      className={clsx(
        shape,
        'inline-flex items-center justify-center bg-primary-subtle text-xs font-semibold text-primary select-none',
      )}
    >
      {initialsOf(person)}
    </span>
  );
};
