import express, { Router, type Request } from 'express';
import * as z from 'zod';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { consolePage, consoleScript, mailboxPage, mailPage, type ConsoleData } from './console-page.ts';
import { paymentsData, paymentsRoutes } from './console-payments.ts';
import { moveClock } from './move-clock.ts';
import type { Sandbox } from './payments-sandbox/index.ts';
import { filesOfMail, forgetProofs, mailById, mailFileById, newestMails } from './queries.ts';

type ConsoleParts = {
  context: Context;
  clock: Clock;
  sandbox: Sandbox | null;
  accounts: ConsoleData['accounts'];
  tools: () => Promise<ConsoleData['tools']>;
};

const addressee = ({ query: { to } }: Request) => (typeof to === 'string' ? to.trim().toLowerCase() : null);

/** /dev and its JSON forms, which exist in development only. */
export function consoleRoutes({ context, clock, sandbox, accounts, tools }: ConsoleParts): Router {
  const router = Router();
  const { db } = context;
  router.get('/dev', async (req, res) => {
    const [mails, toolRows, payments] = await Promise.all([
      newestMails(db, null, 50),
      tools(),
      paymentsData(sandbox, req.query['said']),
    ]);
    res.type('html').send(consolePage({ now: context.now(), accounts, mails, payments, tools: toolRows }));
  });
  router.get('/dev/console.js', (_req, res) => res.type('text/javascript').send(consoleScript));
  router.get('/dev/accounts.json', (_req, res) =>
    res.json(accounts.map(({ email, password, role }) => ({ email, password, role }))),
  );
  router.get('/dev/tools.json', async (_req, res) => res.json(await tools()));
  router.get('/dev/mailbox.json', async (req, res) => {
    const mails = await newestMails(db, addressee(req), 100);
    res.json(
      mails.map((mail) => ({ to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, at: mail.at })),
    );
  });
  router.get('/dev/mailbox', async (req, res) => {
    const to = addressee(req);
    res.type('html').send(mailboxPage(to, await newestMails(db, to, 100)));
  });
  router.get('/dev/mailbox/:id', async (req, res) => {
    const id = z.uuid().safeParse(req.params.id);
    const mail = id.success ? await mailById(db, id.data) : null;
    if (!mail) throw new AppError('not_found');
    res.type('html').send(mailPage({ ...mail, files: await filesOfMail(db, mail.id) }));
  });
  router.get('/dev/mail-files/:id', async (req, res) => {
    const id = z.uuid().safeParse(req.params.id);
    const file = id.success ? await mailFileById(db, id.data) : null;
    if (!file) throw new AppError('not_found');
    res.attachment(file.name).type(file.contentType).send(file.body);
  });
  router.post('/dev/clock', express.json({ limit: '1kb' }), async (req, res) => {
    const advance = (req.body as { advance?: unknown } | undefined)?.advance;
    res.json({ now: await moveClock(context, clock, sandbox, advance) });
  });
  router.post('/dev/forget-proofs', async (_req, res) => {
    await forgetProofs(db);
    res.redirect(303, '/dev');
  });
  router.use(paymentsRoutes(sandbox));
  return router;
}
