import type { Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { minute } from '#shared/rules/dates.ts';
import { tokensOf } from '#server/access-tokens/service.ts';
import { toolSecrets, toolRows } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { memoOf } from '#server/platform/memo.ts';
import type { ToolActor } from '#server/platform/crypto/tool-credentials.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import type { UsageEvent } from './usage-event.ts';
import { addWrongSecrets, insertRefusals } from './queries-refusals.ts';

/** A refused exchange or secret goes by its hash, and its reason is looked up when it is written; a report brings its reason. */
type Refusal = { toolId: string; duringCheck: boolean } & (
  { kind: 'exchange' | 'secret'; hash: string } | { kind: 'report'; message: string; body: string }
);

/** Written once a second, so that a flood of refused calls doesn't cost a write each; what exceeds the bound is dropped. */
const writeEveryMs = 1000;
const mostKept = 500;

type KeptRefusals = { waiting: Refusal[]; timer: NodeJS.Timeout | null };
const keptOf = memoOf((_pool: Db['$client']): KeptRefusals => ({ waiting: [], timer: null }));

function note({ db, log, now }: Context, refusals: Refusal[]): void {
  const kept = keptOf(db.$client);
  if (refusals.length === 0 || kept.waiting.length >= mostKept) return;
  kept.waiting.push(...refusals);
  kept.timer ??= setTimeout(() => {
    const refused = kept.waiting;
    Object.assign(kept, { waiting: [], timer: null });
    write(db, refused, now()).catch((error: unknown) => log.warn({ err: error }, 'refusals could not be noted'));
  }, writeEveryMs).unref();
}

/** Notes an exchange that was answered `active: false`, so that the tool's maker sees why. */
export const noteExchange = (
  context: Context,
  { toolId, examined }: ToolActor,
  token: string,
  { active }: { active: boolean },
) => note(context, active ? [] : [{ toolId, duringCheck: examined, kind: 'exchange', hash: hashToken(token) }]);

export const noteReports = (
  context: Context,
  { toolId, examined }: ToolActor,
  sent: unknown[],
  { events }: Reply<typeof toolsApi.reportUsage>,
) =>
  note(
    context,
    events.flatMap(({ accepted, reason, field, message }, index) =>
      accepted
        ? []
        : [
            {
              toolId,
              duringCheck: examined,
              kind: 'report' as const,
              message: `${reason ?? 'invalid'}${field ? `, ${field}` : ''}: ${message ?? ''}`.slice(0, 300),
              body: keptBody(sent[index]),
            },
          ],
    ),
  );

const keptFields = new Set<string>([
  'event_id',
  'session_id',
  'duration_seconds',
  'actions_performed',
  'data_processed',
  'performance_score',
  'version',
  'purpose',
] satisfies (keyof UsageEvent)[]);
const mostFields = 20;

/** A refused report for its tool's log. Fields that may say something of a client are named, and their values left out. */
function keptBody(sent: unknown): string {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return '…';
  const entries = Object.entries(sent).slice(0, mostFields);
  const kept = entries.map(([name, value]: [string, unknown]) => {
    const isPlain = keptFields.has(name) && (typeof value !== 'object' || value === null);
    return [name.slice(0, 40), !isPlain ? '…' : typeof value === 'string' ? value.slice(0, 100) : value];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** Notes a call with this tool's id and a secret that was refused. */
export const noteWrongSecret = (context: Context, toolId: string, secret: string) =>
  note(context, [{ toolId, duringCheck: false, kind: 'secret', hash: hashToken(secret) }]);

async function write(db: Db, all: Refusal[], now: Date): Promise<void> {
  const refused = all.filter(({ kind }) => kind !== 'secret');
  await writeWrongSecrets(
    db,
    all.flatMap((one) => (one.kind === 'secret' ? [one] : [])),
    now,
  );
  if (refused.length === 0) return;
  const hashes = refused.flatMap((one) => (one.kind === 'exchange' ? [one.hash] : []));
  const tokens = hashes.length > 0 ? await tokensOf(db, [...new Set(hashes)]) : [];
  const known = new Map(tokens.map((token) => [token.hash, token]));
  const rows = new Map<string, Parameters<typeof insertRefusals>[1][number]>();
  for (const one of refused) {
    const message = one.kind === 'report' ? one.message : whyInactive(known.get(one.hash), one.toolId, now);
    const { toolId, kind, duringCheck } = one;
    const body = one.kind === 'report' ? one.body : null;
    const key = `${toolId} ${kind} ${duringCheck} ${message}`;
    const row = rows.get(key) ?? { toolId, kind, duringCheck, message, body, times: 0, createdAt: now };
    rows.set(key, { ...row, times: row.times + 1 });
  }
  await insertRefusals(db, [...rows.values()]);
}

/** Guesses add to one row a minute for each tool, and to none where there is no such tool. */
async function writeWrongSecrets(db: Db, refused: { toolId: string; hash: string }[], now: Date): Promise<void> {
  if (refused.length === 0) return;
  const revoked = await toolSecrets.revokedSecretsAmong(db, [...new Set(refused.map(({ hash }) => hash))]);
  const tools = await toolRows.toolsAmong(db, [...new Set(refused.map(({ toolId }) => toolId))]);
  const rows = new Map<string, Parameters<typeof addWrongSecrets>[1][number]>();
  for (const { toolId, hash } of refused) {
    if (!tools.has(toolId)) continue;
    const message = revoked.get(hash) === toolId ? 'The secret was revoked.' : 'The secret is none of your tool.';
    const row = rows.get(toolId + message) ?? { toolId, message, times: 0 };
    rows.set(toolId + message, { ...row, times: row.times + 1 });
  }
  await addWrongSecrets(db, [...rows.values()], new Date(Math.floor(now.getTime() / minute) * minute));
}

type Token = Awaited<ReturnType<typeof tokensOf>>[number];

/** For the tool's maker alone; of another tool's token it says only that it isn't theirs. */
function whyInactive(token: Token | undefined, toolId: string, now: Date): string {
  if (!token || token.toolId !== toolId) return 'No token of your tool.';
  if (token.isRevoked) return 'The token was revoked, such as by signing out.';
  if (token.expiresAt <= now) return 'The token had expired: exchange it within five minutes.';
  if (token.usedAt) return 'The token had been used: each works once.';
  return 'The person may not use the tool any more.';
}
