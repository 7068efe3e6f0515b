import * as z from 'zod';
import type { ApprovalKind } from '#shared/rules/operators/approvals.ts';
import { membershipTypes } from '#shared/rules/people/accounts.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { makeAdministrator, moveEmailBack, moveEmailFor, removeAdministrator } from '#server/accounts/service.ts';
import { refundInvoice } from '#server/billing/service.ts';
import { type Payer, teamPayer, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { changeFreeAccess } from '../people/free-access.ts';
import { requireInvoice } from '../acts/invoices.ts';
import { carryFreeMonths, monthsWords, undoFreeMonths } from '../people/free-months.ts';
import type { ApprovalRow } from './queries.ts';

type Asked = Pick<ApprovalRow, 'id' | 'subjectId' | 'reason'>;

type Kind<P> = {
  parameters: z.ZodType<P>;
  /** What is asked for, to follow "asks to"; `whom` is the person or team it concerns. */
  what: (parameters: P, whom: string) => string;
  subject: (subjectId: string, parameters: P) => Payer;
  /** What the audit trail may hold of it: people by id only. */
  trail: (parameters: P) => Record<string, unknown>;
  /** Runs in the transaction that approves it; returns what undoing needs. */
  execute?: (inside: Context, asked: Asked, parameters: P) => Promise<P>;
  /** For what no transaction of ours can include: runs afterwards, repeated until it is done, under a key of its own. */
  later?: (context: Context, asked: Asked, parameters: P) => Promise<void>;
  undo?: (inside: Context, asked: Asked, parameters: P) => Promise<void>;
};

const nothing = z.object({});

const freeAccess: Kind<object> = {
  parameters: nothing,
  what: (_parameters, whom) => `give ${whom} free access`,
  subject: userPayer,
  trail: () => ({}),
  execute: async (inside, { subjectId, reason }) => {
    await changeFreeAccess(inside, subjectId, true, reason);
    return {};
  },
  undo: (inside, { subjectId, reason }) => changeFreeAccess(inside, subjectId, false, reason),
};

const makeAdmin: Kind<object> = {
  parameters: nothing,
  what: (_parameters, whom) => `make ${whom} an administrator`,
  subject: userPayer,
  trail: () => ({}),
  execute: async (inside, { subjectId, reason }) => {
    await makeAdministrator(inside, subjectId, reason);
    return {};
  },
  undo: (inside, { subjectId, reason }) => removeAdministrator(inside, subjectId, reason),
};

const emailParameters = z.object({
  // Erased when the account is closed.
  email: z.string().default('another address'),
  before: z.object({ email: z.string(), verified: z.boolean(), membershipType: z.enum(membershipTypes) }).optional(),
});
const changeEmail: Kind<z.output<typeof emailParameters>> = {
  parameters: emailParameters,
  what: ({ email }, whom) => `change the email address of ${whom} to ${email}`,
  subject: userPayer,
  trail: () => ({}),
  execute: async (inside, { subjectId, reason }, { email }) => ({
    email,
    before: await moveEmailFor(inside, subjectId, email, reason),
  }),
  undo: (inside, { subjectId, reason }, { email, before }) =>
    moveEmailBack(inside, subjectId, { from: email, ...before! }, reason),
};

const payer = z.object({ type: z.enum(['user', 'team']), id: z.string() });
type Stored = z.output<typeof payer>;
/** A person or team as rows and answers have it. */
export const asStored = (payer: Payer): Stored =>
  payer.kind === 'user' ? { type: 'user', id: payer.userId } : { type: 'team', id: payer.teamId };
const payerIn = ({ type, id }: Stored) => (type === 'user' ? userPayer(id) : teamPayer(id));

const refundParameters = z.object({
  cents: z.int(),
  invoice: z.string(),
  payer,
});
const refund: Kind<z.output<typeof refundParameters>> = {
  parameters: refundParameters,
  what: ({ cents, invoice }, whom) => `refund ${whom} ${formatCents(cents)} of invoice ${invoice}`,
  subject: (_invoiceId, { payer }) => payerIn(payer),
  trail: ({ cents, invoice }) => ({ amountCents: cents, invoice }),
  later: async (context, { id, subjectId, reason }, { cents }) =>
    refundInvoice(context, await requireInvoice(context, subjectId), { cents, reason, key: `approval:${id}` }),
};

const freeMonthsParameters = z.object({
  months: z.int(),
  ids: z.array(z.string()),
  /** The tools' names at the time of the request. */
  tools: z.string(),
  payer,
  /** What taking them back needs. */
  given: z
    .array(
      z.object({
        id: z.string(),
        begins: z.string(),
        until: z.string(),
        before: z.object({ months: z.int(), from: z.string(), until: z.string() }).nullable(),
      }),
    )
    .default([]),
});
const freeMonths: Kind<z.output<typeof freeMonthsParameters>> = {
  parameters: freeMonthsParameters,
  what: ({ months, tools }, whom) => `give ${whom} ${monthsWords(months)} free of ${tools}`,
  subject: (_payerId, asked) => payerIn(asked.payer),
  trail: ({ months, tools }) => ({ months, tools }),
  execute: async (inside, { id, reason }, asked) => ({
    ...asked,
    given: await carryFreeMonths(inside, payerIn(asked.payer), { ...asked, reason, key: id }),
  }),
  undo: (inside, { id, reason }, asked) => undoFreeMonths(inside, payerIn(asked.payer), { ...asked, reason, key: id }),
};

/** A kind with its parameters read from the row. */
export type Bound = {
  what: (whom: string) => string;
  subject: Payer;
  trail: Record<string, unknown>;
  execute: ((inside: Context) => Promise<object>) | null;
  later: ((context: Context) => Promise<void>) | null;
  undo: ((inside: Context, reason: string) => Promise<void>) | null;
};

function bind<P extends object>(kind: Kind<P>, asked: Asked, stored: unknown): Bound {
  const parameters = kind.parameters.parse(stored);
  const { execute, later, undo } = kind;
  return {
    what: (whom) => kind.what(parameters, whom),
    subject: kind.subject(asked.subjectId, parameters),
    trail: kind.trail(parameters),
    execute: execute ? (inside) => execute(inside, asked, parameters) : null,
    later: later ? (context) => later(context, asked, parameters) : null,
    undo: undo ? (inside, reason) => undo(inside, { ...asked, reason }, parameters) : null,
  };
}

const kinds: Record<ApprovalKind, (asked: Asked, stored: unknown) => Bound> = {
  free_access: (asked, stored) => bind(freeAccess, asked, stored),
  make_admin: (asked, stored) => bind(makeAdmin, asked, stored),
  change_email: (asked, stored) => bind(changeEmail, asked, stored),
  refund: (asked, stored) => bind(refund, asked, stored),
  free_months: (asked, stored) => bind(freeMonths, asked, stored),
};

/** What a row asks for, with its parameters checked. */
export const boundOf = (row: Asked & Pick<ApprovalRow, 'kind' | 'parameters'>): Bound =>
  kinds[row.kind](row, row.parameters);
