import type * as z from 'zod';
import { contract } from '#shared/api/index.ts';
import { brand, seller } from '#shared/brand.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { consume, consumeByAddress } from '#server/platform/http/rate-limit.ts';
import { sendMail } from '#server/platform/send-mail.ts';

export const siteRoutes = (context: Context) =>
  implement(
    contract.site,
    {
      contact: ({ actor, body }, ctx) =>
        done(contact(ctx, actor, body), 'Thank you. We have your message and will reply within 24 hours.'),
    },
    context,
  );

type ContactForm = z.output<typeof contract.site.contact.body>;

/** Mails the message to support. Nothing else is stored, and the answer doesn't reveal whether the address is known. */
async function contact(context: Context, actor: ActorRow | null, form: ContactForm) {
  await consumeByAddress(context, 'contactIp');
  await consume(context, 'contactAddress', form.email);
  const { name, email, topic, message } = form;
  const signedInAs = actor ? `Signed in as ${actor.email} (${actor.id}).` : 'Not signed in: the address is not proven.';
  await sendMail(context, {
    to: seller().supportEmail,
    kind: 'contact',
    // Without the name, since the subject is kept longer than the message.
    subject: mailSubject`Contact form: ${topic}`,
    headers: { 'Reply-To': email },
    preheader: `${name} wrote about: ${topic}`,
    heading: `${topic}: a message from ${name}`,
    paragraphs: [`From: ${name} <${email}>\nTopic: ${topic}`, message],
    footer: `Sent with the contact form of ${brand.name}. ${signedInAs} Answer to ${email}.`,
  });
}
