import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Logo } from '#client/app/logo.tsx';
import { Loading } from '#client/ui/query-view.tsx';

const cards = ['mt-6 h-40 w-full', 'mt-4 h-40 w-full'];

/** It stands in while a page's code loads: a heading and two cards. */
export const PageSkeleton = () => <Loading label="Loading page" skeletons={['h-8 w-56', ...cards]} />;

type Props = {
  /** In the document itself, before any code has arrived. The skeleton fades in late: on a fast line the page is there first. */
  inDocument?: boolean;
  /** The part of the page that can be read already, in its final place. */
  intro?: ReactNode;
};

/** A page's frame, shown until it is known who is asking: header and content in their final places. */
export const Frame = ({ inDocument = false, intro = null }: Props) => (
  <div data-frame className="flex min-h-dvh flex-col">
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-content items-center px-4 sm:px-6">
        <Logo />
      </div>
    </header>
    <main id="main" className="mx-auto w-full max-w-content flex-1 px-4 py-6 sm:px-6 sm:py-8">
      {intro}
      <div className={clsx(inDocument && 'animate-fade-in-late')}>
        {intro ? <Loading label="Loading page" skeletons={cards} /> : <PageSkeleton />}
      </div>
    </main>
  </div>
);
