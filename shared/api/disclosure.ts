import * as z from 'zod';
import {
  accessibilityLabels,
  decidesLabels,
  humanReviewLabels,
  storedDataLabels,
  trainingLabels,
} from '#shared/rules/record/disclosure.ts';
import { toolScopes } from '#shared/rules/tools/tools.ts';
import { announcement } from './announcements.ts';
import { date, day, email, line, multiline, whole } from './fields.ts';

const certificate = z.strictObject({
  name: line(80).min(1, { error: 'Please name the certificate' }),
  evidenceUrl: z.url({ protocol: /^https$/, error: 'Please enter an https:// address of the evidence' }).max(500),
  expiresOn: day.nullable(),
});
const subProcessor = z.strictObject({
  name: line(120).min(1, { error: 'Please name the company' }),
  country: line(60).min(1, { error: 'Please name the country' }),
  purpose: line(200).min(1, { error: 'Please say what it does with the data' }),
});
const said = (max: number) =>
  multiline(max)
    .transform((text) => text || null)
    .nullable();
const chosen = <Labels extends Record<string, string>>(labels: Labels) =>
  z.enum(Object.keys(labels) as (keyof Labels & string)[]).nullable();

/** What a maker may say; null or empty means not given. */
export const disclosureAnswers = z.strictObject({
  maker: said(120),
  contact: z.union([z.literal('').transform(() => null), email]).nullable(),
  does: said(500),
  model: said(200),
  version: said(40),
  decides: chosen(decidesLabels),
  storedData: z
    .array(z.enum(Object.keys(storedDataLabels) as (keyof typeof storedDataLabels)[]))
    .max(Object.keys(storedDataLabels).length)
    .transform((kinds) => (kinds.length > 0 ? [...new Set(kinds)] : null))
    .refine((kinds) => !kinds?.includes('none') || kinds.length === 1, {
      error: 'Please choose either “Nothing” or what is stored',
    })
    .nullable(),
  dataLocation: said(300),
  retention: said(300),
  subProcessors: z.array(subProcessor).max(20, { error: 'At most twenty sub-processors' }).nullable(),
  training: chosen(trainingLabels),
  trainingDetails: said(500),
  humanReview: chosen(humanReviewLabels),
  limits: said(1000),
  accuracyTests: said(1000),
  accessibility: chosen(accessibilityLabels),
  changeDays: whole(0, 365, 'Please enter 0 to 365 days').nullable(),
  incidentHours: whole(1, 720, 'Please enter 1 to 720 hours').nullable(),
  exit: said(500),
  insurance: said(300),
  certificates: z.array(certificate).max(10, { error: 'At most ten certificates' }),
  reviewedOn: day.nullable(),
});

/** As they are read: a later release may have stored more of them. */
export const storedAnswers = z.object({
  ...disclosureAnswers.shape,
  certificates: z.array(z.object(certificate.shape)),
  subProcessors: z.array(z.object(subProcessor.shape)).nullable(),
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
  /** An earlier version to compare with: the one before, unless another was asked for. */
  earlier: z.object({ version: z.int(), answers: storedAnswers }).nullable(),
  history: z.array(z.object({ version: z.int(), madeAt: date })),
  /** What will change, the soonest first. */
  announcements: z.array(announcement),
});
export type ToolDisclosure = z.output<typeof disclosure>;
