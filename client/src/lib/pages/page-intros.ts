import type { User } from '#shared/api/accounts.ts';
import { hour } from '#shared/rules/dates.ts';

/** A page's heading and the sentence below it, shown in its document before its code arrives (app/prerender.tsx). */
type Intro = { title: string; description: string };

export const homeIntro = ({ firstName, createdAt }: Pick<User, 'firstName' | 'createdAt'>, now: Date): Intro => ({
  title: `${now.getTime() - createdAt.getTime() < hour ? 'Welcome' : 'Welcome back'}, ${firstName.trim() || 'Professional'}`,
  description: 'Your tools, the time they save you and what they cost.',
});

export const profileIntro: Intro = {
  title: 'My Profile',
  description: 'Your details, those of your practice and your sign-in.',
};
