import { clsx } from 'clsx';

export type Picture = { src: string; srcSet?: string; width: number; height: number };
export type Shot = {
  /** What is to be seen, for those who cannot see it. */
  alt: string;
  wide: { light: Picture; dark: Picture };
  /** For narrow screens; the wide one where there is none. */
  narrow?: { light: Picture; dark: Picture };
};

type Props = { shot: Shot; sizes?: string; className?: string };

/**
 * A picture of the product in the page's theme. Only the one that shows is loaded: a browser leaves lazy pictures alone
 * that take no room.
 */
export const ProductShot = ({ shot, sizes = '(min-width: 1200px) 1152px, 100vw', className }: Props) => {
  const wide = shot.narrow ? 'hidden' : '';
  const variants = [
    [shot.wide.light, shot.narrow ? 'hidden sm:block dark:hidden' : 'dark:hidden'],
    [shot.wide.dark, clsx('hidden', shot.narrow ? 'dark:sm:block' : 'dark:block', wide)],
    [shot.narrow?.light, 'sm:hidden dark:hidden'],
    [shot.narrow?.dark, 'hidden dark:max-sm:block'],
  ] as const;
  return (
    <div className={clsx('w-full overflow-hidden rounded border bg-surface shadow-popover', className)}>
      {variants.map(
        ([picture, visible]) =>
          picture && (
            <img
              key={picture.src}
              {...picture}
              sizes={picture.srcSet && sizes}
              alt={shot.alt}
              loading="lazy"
              decoding="async"
              className={clsx('h-auto w-full', visible)}
            />
          ),
      )}
    </div>
  );
};
