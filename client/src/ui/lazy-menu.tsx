import { cloneElement, type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';

type Trigger = ReactElement<ComponentProps<'button'>>;
type Props = {
  /** One button. */
  trigger: Trigger;
  /** Begins to fetch what is in it; its code is in `children`. */
  prepare: () => void;
  children: ReactNode;
};

const load = () => import('#client/ui/menu.tsx');
const Menu = lazy(async () => ({ default: (await load()).Menu }));

/**
 * A menu of the header. The button is there at once; the menu's code, a sixth of the first load, comes when the button is
 * near being pressed.
 */
export const LazyMenu = ({ trigger, prepare, children }: Props) => {
  const [opened, setOpened] = useState(false);
  const early = () => {
    prepare();
    // A failure is met again, and shown, when the menu is opened.
    void load().catch(() => undefined);
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
      <Menu defaultOpen trigger={trigger}>
        {children}
      </Menu>
    </Suspense>
  );
};
