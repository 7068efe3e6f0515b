import type { User } from '#shared/api/accounts.ts';

/** A page's heading and the sentence below it, shown in its document before its code arrives (app/prerender.tsx). */
type Intro = { title: string; description?: string };

export const homeIntro = ({ firstName }: Pick<User, 'firstName'>): Intro => ({
  title: `Welcome back, ${firstName.trim() || 'Professional'}`,
});

export const profileIntro: Intro = {
  title: 'My Profile',
  description: 'Your details, your practice, how you sign in, and what we hold about you.',
};
