import { brand } from '#shared/brand.ts';
import { verificationTokenHours } from '#shared/rules/accounts.ts';
import type { Context } from '#server/platform/context.ts';
import { renderMail } from '#server/platform/mail-layout.ts';

/** The link that proves an address; its page has a button, so that a mail scanner's visit changes nothing. */
export const sendVerificationMail = (context: Context, user: { email: string; firstName: string }, token: string) =>
  context.mailer.send(context.db, {
    to: user.email,
    kind: 'verify-email',
    subject: `Verify your email address for ${brand.name}`,
    ...renderMail({
      preheader: 'One click, and your free trials are open to you.',
      heading: 'Verify your email address',
      paragraphs: [
        `Hello ${user.firstName},`,
        `welcome to ${brand.name}. Please confirm that this address is yours. It lets you start free trials without a card.`,
        `The link works once, for ${verificationTokenHours} hours.`,
      ],
      action: { label: 'Verify email address', url: `${context.env.appUrl}/verify-email?token=${token}` },
      footer: `You get this mail because this address was used to register at ${brand.name}. If that was not you, ignore it.`,
    }),
  });
