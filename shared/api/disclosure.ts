import * as z from 'zod';
import { toolScopes } from '#shared/rules/tools/tools.ts';
import { trainingAnswers } from '#shared/rules/record/record.ts';
import { announcement } from './announcements.ts';
import { date, day, line, multiline } from './fields.ts';

const certificate = z.strictObject({
  name: line(80).min(1, { error: 'Please name the certificate' }),
  evidenceUrl: z.url({ protocol: /^https$/, error: 'Please enter an https:// address of the evidence' }).max(500),
});
const said = (max: number) =>
  multiline(max)
    .transform((text) => text || null)
    .nullable();
/** What a maker may say; null or empty means not stated. */
export const disclosureAnswers = z.strictObject({
  maker: said(120),
  does: said(500),
  model: said(200),
  version: said(40),
  dataLocation: said(300),
  training: z.enum(trainingAnswers).nullable(),
  trainingDetails: said(500),
  certificates: z.array(certificate).max(10, { error: 'At most ten certificates' }),
  reviewedOn: day.nullable(),
});

/** As they are read: a later release may have stored more of them. */
export const storedAnswers = z.object({
  ...disclosureAnswers.shape,
  certificates: z.array(z.object(certificate.shape)),
});

/** What a maker said about a tool, in the newest version or an earlier one. */
export const disclosure = z.object({
  tool: z.object({ id: z.string(), name: z.string(), description: z.string().nullable() }),
  /** Whether it is the operator's own. */
  isOurs: z.boolean(),
  /** Which of an adviser's details it is given. */
  scopes: z.array(z.enum(toolScopes)),
  version: z.int().nullable(),
  madeAt: date.nullable(),
  answers: storedAnswers,
  history: z.array(z.object({ version: z.int(), madeAt: date })),
  /** What will change, the soonest first. */
  announcements: z.array(announcement),
});
export type ToolDisclosure = z.output<typeof disclosure>;
