import { cloneElement, type ComponentProps, type ComponentType, type ReactElement, useState } from 'react';
import { keepTrying } from '#client/lib/pages/load-later.ts';

type Trigger = ReactElement<ComponentProps<'button'>>;
type Menu<P> = ComponentType<P & { trigger: Trigger }>;
type Props<P> = {
  trigger: Trigger;
  /** Loads the menu, which opens as soon as it is drawn. */
  load: () => Promise<{ default: Menu<P> }>;
  /** The menu's props, apart from its trigger. */
  give: P;
};

/**
 * A menu in the header. The button is there at once and keeps the focus; the menu's code, a sixth of the first load, is
 * fetched when the button is hovered or focused.
 */
export const LazyMenu = <P extends object>({ trigger, load, give }: Props<P>) => {
  const [Loaded, setLoaded] = useState<Menu<P>>();
  const [isOpening, setIsOpening] = useState(false);
  if (Loaded) return <Loaded {...give} trigger={trigger} />;
  const open = async () => {
    if (isOpening) return;
    setIsOpening(true);
    const { default: menu } = await keepTrying(load);
    setLoaded(() => menu);
  };
  // If this fails, opening the menu tries again and says why.
  const early = () => void load().catch(() => undefined);
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': isOpening || undefined,
    onPointerEnter: early,
    onFocus: early,
    onClick: () => void open(),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      void open();
    },
  });
};
