import type { User } from '#shared/api/accounts.ts';
import { hour } from '#shared/rules/dates.ts';
import { paths } from '#client/lib/paths.ts';

/** A page's heading and the sentence below it. */
export type Intro = { title: string; description: string };

export const homeIntro = ({ firstName, createdAt }: Pick<User, 'firstName' | 'createdAt'>, now: Date): Intro => ({
  title: `${now.getTime() - createdAt.getTime() < hour ? 'Welcome' : 'Welcome back'}, ${firstName.trim() || 'Professional'}`,
  description: 'Your tools, the time they save you and what they cost.',
});

/** What the document of a page shows before its code has arrived; null where it says nothing in advance. */
export const introAt = (path: string, user: Pick<User, 'firstName' | 'createdAt'>, now: Date): Intro | null =>
  path === paths.home || path === paths.dashboard ? homeIntro(user, now) : null;
