import * as z from 'zod';
import {
  emailPattern,
  normaliseEmail,
  passwordMaxLength,
  passwordRules,
  passwordTooLong,
} from '#shared/rules/people/accounts.ts';
import { maxAnalyticsDays } from '#shared/rules/record/analytics.ts';
import { clientReferenceFault } from '#shared/rules/record/client-reference.ts';
import { personalDataIn } from '#shared/rules/record/personal-numbers.ts';
import { longestReference, longestRemark, longestVersion, recordYears } from '#shared/rules/record/record.ts';
import { nameFault } from '#shared/rules/people/names.ts';
import { cleanCode, cleanLine, cleanText } from '#shared/rules/text.ts';
import { toolIdPattern } from '#shared/rules/tools/tools.ts';

/** Field schemas used by several nouns. Every string is bounded, and single-line strings refuse control characters. */

/** Half of a surrogate pair counts as one: the database can't store it. */
function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === 127) return true;
  }
  return /\p{Surrogate}/u.test(text);
}

/** A clean single-line string of at most `max` characters. */
export const line = (max: number, message?: string) =>
  z
    .string(message === undefined ? undefined : { error: message })
    .overwrite(cleanLine)
    .max(max, { error: `Please use at most ${max} characters` })
    .refine((text) => !hasControlCharacter(text), { error: 'Line breaks and control characters are not allowed' });

/** A clean text of several lines, at most `max` characters; other control characters are refused. */
export const multiline = (max: number) =>
  z
    .string()
    .overwrite(cleanText)
    .max(max, { error: `Please use at most ${max} characters` })
    .refine((text) => !hasControlCharacter(text.replace(/[\n\r\t]/g, '')), {
      error: 'Control characters are not allowed',
    });

/** A `line` that must not be blank; missing and wrongly typed answer the same `message`. */
export const requiredLine = (max: number, message: string) => line(max, message).min(1, { error: message });

/** What is read letter by letter, such as a discount code; the caller says its form. */
export const code = (message: string) => z.string({ error: message }).overwrite(cleanCode);

export const postcode = code('Postcode is required')
  .min(1, { error: 'Postcode is required' })
  .regex(/^\d{4}$/, { error: 'Postcode must be 4 digits' });

/** Why an administrator changes something that concerns nobody in particular. */
export const reason = requiredLine(300, 'Please give a reason');

/** The name of a person or team, which appears in mails to others. */
export const nameLine = (max: number, message: string) =>
  requiredLine(max, message).superRefine((text, context) => {
    const fault = nameFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });

export const email = z
  .string({ error: 'Please enter a valid email address' })
  .max(254, { error: 'Please enter a valid email address' })
  .transform(normaliseEmail)
  .pipe(z.email({ pattern: emailPattern, error: 'Please enter a valid email address' }));

/** A new password: the four rules, and a length. The server also refuses common and guessable ones. */
export const newPassword = passwordRules
  .reduce<z.ZodString>(
    (schema, rule) => schema.refine(rule.test, { error: rule.message }),
    z.string({ error: passwordRules[0].message }),
  )
  .max(passwordMaxLength, { error: passwordTooLong })
  .refine((text) => !text.includes('\0'), { error: 'Password must not contain NUL characters' });

/** A password that is only compared. */
export const currentPassword = z
  .string({ error: 'Password is required' })
  .min(1, { error: 'Password is required' })
  .max(passwordMaxLength);

/** Tokens in links are 32 random bytes in base64url. */
export const token = (message: string) =>
  z.string({ error: message }).min(1, { error: message }).max(100, { error: message });

/** The token of such a mail ends it; also in the one-click form that a mail program sends (RFC 8058). */
export function endsMails(invalidLink: string) {
  const error = { error: invalidLink };
  const token = z.string(error).min(1, error).max(200, error).optional();
  return {
    bodyType: 'any' as const,
    query: z.strictObject({ token }),
    body: z.strictObject({ token, 'List-Unsubscribe': z.literal('One-Click').optional() }),
  };
}

/** In lower case, as the database writes it, since ids are compared as text. */
export const id = z.uuid({ error: 'Not a valid id' }).toLowerCase();
export const toolId = z
  .string({ error: 'Tool ID is required' })
  .min(1, { error: 'Tool ID is required' })
  .regex(toolIdPattern, { error: 'Not a valid tool ID' });

/** What somebody remarks on a session or a tool: names may stand in it, but nobody's numbers or addresses. */
export const remark = multiline(longestRemark).superRefine((text, context) => {
  const found = personalDataIn(text);
  if (found)
    context.addIssue({
      code: 'custom',
      message: `There seems to be ${found} in it. Please leave it out: a remark is kept for ${recordYears} years.`,
    });
});

/** An adviser's own file number. */
export const clientReference = line(longestReference).superRefine((text, context) => {
  const fault = clientReferenceFault(text);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});
/** A client reference, or empty to take it back. */
export const clientReferenceOrNone = line(longestReference).superRefine((text, context) => {
  const fault = text === '' ? null : clientReferenceFault(text);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

export const toolVersion = line(longestVersion).regex(/^[A-Za-z0-9][\w .,:/()+-]*$/, {
  error: 'Please use letters, digits, spaces and . , : / ( ) + - _ only',
});

/** Mailed to many, so nothing in it may lead anywhere else. */
export const mailedText = (max: number) =>
  multiline(max).refine((text) => !/https?:|www\.|\S@\S/i.test(text), {
    error: 'Please leave web and email addresses out',
  });

/** A calendar day in Sydney. */
export const day = z.iso.date({ error: 'Please enter a day' });

/** Dates travel as ISO 8601 in UTC and are `Date` on both sides. */
export const date = z.coerce.date();
export const cents = z.int();
export const whole = (min: number, max: number, error: string) =>
  z.int({ error }).min(min, { error }).max(max, { error });
/** A whole number from a query string or an input; beyond the maximum, it may say something else. */
export const wholeText = (min: number, max: number, error: string, tooMany = error) =>
  z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error: tooMany });
/** Dollars and cents as a string, `"30.00"`. */
export const decimalString = z.string().regex(/^\d+\.\d{2}$/);
export const message = z.object({ message: z.string() });

/** Page of a list, from the query string: 1 to 100,000. */
export const page = wholeText(1, 100_000, 'Page must be a whole number from 1', 'Page must be at most 100000').default(
  1,
);
export const pagination = z.object({ page: z.int(), total: z.int(), totalPages: z.int() });
/** How many days back, from the query string. */
export const daysBack = wholeText(
  1,
  maxAnalyticsDays,
  'Days must be a whole number from 1',
  `Days must be at most ${maxAnalyticsDays}`,
);
