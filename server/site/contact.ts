import type { Request } from 'express';
import type * as z from 'zod';
import type { contract } from '#shared/api/index.ts';
import { brand } from '#shared/brand.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { renderMail } from '#server/platform/mail-layout.ts';
import { consume, consumeByAddress } from '#server/platform/rate-limit.ts';

type Letter = z.output<typeof contract.site.contact.body>;

/** Puts a letter into the support mailbox. Nothing else is stored of it, and nobody is told whether the address is known. */
export async function contact(context: Context, actor: ActorRow | null, letter: Letter, request: Request) {
  await consumeByAddress(context, 'contactIp', request);
  await consume(context, 'contactAddress', letter.email);
  const { name, email, topic, message } = letter;
  const signedInAs = actor ? `Signed in as ${actor.email} (${actor.id}).` : 'Not signed in: the address is not proven.';
  const body = renderMail({
    preheader: `${name} wrote about: ${topic}`,
    heading: `${topic}: a message from ${name}`,
    paragraphs: [`From: ${name} <${email}>\nTopic: ${topic}`, message],
    footer: `Sent with the contact form of ${brand.name}. ${signedInAs} Answer to ${email}.`,
  });
  // Without the name: a subject is kept longer than the letter.
  const subject = `Contact form: ${topic}`;
  const mail = { to: brand.supportEmail, subject, ...body, kind: 'contact', headers: { 'Reply-To': email } };
  await context.mailer.send(context.db, mail);
}
