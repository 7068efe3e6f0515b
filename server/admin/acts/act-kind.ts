import * as z from 'zod';
import { type Payer, teamPayer, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { ActRow } from './queries.ts';

/** What a kind of act does. Each reads the parameters of its kind from the row. */
export type Kind = {
  /** For kinds that are listed. */
  about?: (act: ActRow) => About;
  /** Runs in the transaction that approves the act; returns what undoing needs, which replaces the parameters. */
  execute?: (inside: Context, act: ActRow) => Promise<object | void>;
  /** Asks Stripe, then ends the act by `finish`. Run again, it finds what is already done and does the rest. */
  later?: (context: Context, act: ActRow) => Promise<void>;
  undo?: (inside: Context, act: ActRow, reason: string) => Promise<void>;
};

export type About = {
  /** What was asked for, to follow "asks to"; `whom` is the person or team it concerns. */
  what: (whom: string) => string;
  subject: Payer;
  /** What the audit trail may hold of it: people by id only. */
  trail?: Record<string, unknown>;
};

/** A person or team as rows and answers have it. */
export const storedPayer = z.object({ type: z.enum(['user', 'team']), id: z.string() });
type Stored = z.output<typeof storedPayer>;
export const asStored = (payer: Payer): Stored =>
  payer.kind === 'user' ? { type: 'user', id: payer.userId } : { type: 'team', id: payer.teamId };
export const payerIn = ({ type, id }: Stored): Payer => (type === 'user' ? userPayer(id) : teamPayer(id));
