import { type ComponentType, Suspense, useState } from 'react';
import { later } from '#client/lib/pages/load-later.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A dialog whose code loads when it is first opened, and a function that loads it early, for example on hover. It stays
 * mounted afterwards, so that it can animate its closing. If an early load fails, opening the dialog tries again, and says why.
 */
export const lazyDialog = <Props extends { open: boolean }>(load: Load<Props>) => {
  const Dialog = later(load as Load<{ open: boolean }>);
  const LazyDialog = (props: Props) => {
    const [opened, setOpened] = useState(props.open);
    if (props.open && !opened) setOpened(true);
    return (
      opened && (
        <Suspense>
          <Dialog {...props} />
        </Suspense>
      )
    );
  };
  return [LazyDialog, () => void Dialog.load().catch(() => undefined)] as const;
};
