import path from 'node:path';
import express, { Router } from 'express';
import * as z from 'zod';
import { listTools } from '#server/catalogue/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { addCheckAdvisers, expireToken } from './queries.ts';
import { demoPassword } from './seed/demo.ts';
import { developmentTools } from './seed/development-secrets.ts';
import type { ToolCall } from '#shared/rules/tools/tool-checks.ts';

const check = path.join(import.meta.dirname, '../developers/tool-check/cli.js');
const asked = z.strictObject({ tool: z.string().max(64) });
const token = z.strictObject({ token: z.string().max(500) });

/** What `npm run tools:check` needs beyond a browser: two advisers, secrets, an expired token, and what the tool asked. */
export function toolCheckRoutes(context: Context, callsOf: (toolId: string) => ToolCall[]): Router {
  const router = Router();
  const json = express.json({ limit: '1kb' });
  router.post('/dev/tool-check', json, async (req, res) => {
    const { tool } = asked.parse(req.body);
    const tools = await developmentTools(context);
    const found = tools.find(({ id }) => id === tool);
    if (!found) throw new AppError('tool_not_found');
    const hash = await context.passwords.hash(demoPassword);
    const advisers = await addCheckAdvisers(context.db, hash, context.now());
    const offered = await listTools(context);
    const openIds = offered.filter(({ comingSoon, closed }) => !comingSoon && !closed).map(({ id }) => id);
    const other = tools.find(({ id }) => id !== tool && openIds.includes(id));
    res.json({ tool: found, other, accounts: advisers.map((email) => ({ email, password: demoPassword })) });
  });
  router.post('/dev/tool-check/expire', json, async (req, res) => {
    await expireToken(context.db, hashToken(token.parse(req.body).token), context.now());
    res.status(204).end();
  });
  router.get('/dev/tool-check.mjs', async (_req, res) => {
    const { build } = await import('esbuild');
    const options = { bundle: true, platform: 'node', target: 'node20', format: 'esm', write: false } as const;
    const { outputFiles } = await build({ entryPoints: [check], ...options });
    res.type('text/plain; charset=utf-8').send(outputFiles[0]!.text);
  });
  router.get('/dev/tool-calls.json', (req, res) => res.json(callsOf(asked.parse(req.query).tool)));
  return router;
}
