import { cloneElement, type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';

type Trigger = ReactElement<ComponentProps<'button'>>;
type Props = {
  /** A button. */
  trigger: Trigger;
  /** Loads the code of `children`. */
  prepare: () => Promise<unknown>;
  /** Shown until it is there. */
  fallback: ReactNode;
  children: ReactNode;
};

const load = () => import('#client/ui/menu.tsx');
const Menu = lazy(async () => ({ default: (await load()).Menu }));

/**
 * A menu in the header. The button is there at once; the menu's code, a sixth of the first load, is fetched when the
 * button is hovered or focused.
 */
export const LazyMenu = ({ trigger, prepare, fallback, children }: Props) => {
  const [opened, setOpened] = useState(false);
  const early = () => {
    // If this fails, opening the menu tries again and shows the error.
    Promise.all([load(), prepare()]).catch(() => undefined);
  };
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: early,
    onFocus: early,
    onClick: () => setOpened(true),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      setOpened(true);
    },
  });
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu trigger={trigger}>
        <Suspense fallback={fallback}>{children}</Suspense>
      </Menu>
    </Suspense>
  );
};
