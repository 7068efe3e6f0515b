import { isDeepStrictEqual } from 'node:util';
import type { Input } from '#shared/api/endpoint.ts';
import type { catalogueApi } from '#shared/api/operators/catalogue.ts';
import { textsOf } from '#shared/rules/tools/tool-texts.ts';
import {
  settingsListed,
  settingText,
  type ToolSetting,
  type ToolSettings,
  toolSettings,
} from '#shared/rules/tools/tool-settings.ts';
import { iconOf, lostMoneyTool, toolIdOf } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { namesOf } from '#server/people/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { pick } from '#server/platform/data/database.ts';
import {
  insertToolChange,
  insertToolNamed,
  isNameTaken,
  lockToolRow,
  toolChangesAfter,
  type ToolRow,
  updateTool,
} from './queries-tools.ts';

/** As they are shown: what an administrator set, else what the release says. */
export const settingsOf = (tool: ToolRow): ToolSettings => ({
  name: tool.name,
  description: tool.description ?? '',
  ...textsOf(tool),
  icon: iconOf(tool),
  minutesSaved: tool.minutesSaved,
  comingSoon: tool.comingSoon,
  domain: tool.domain,
  eventsUrl: tool.eventsUrl ?? '',
});

type Settings = Partial<ToolSettings>;
type Why = { reason: string; changedBy: string | null };

/** Changes a tool that the caller has locked, and adds a row to its history. */
export async function writeSettings(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tool: ToolRow,
  after: Settings,
  why: Why,
): Promise<void> {
  const version = tool.version + 1;
  const { eventsUrl, ...rest } = after;
  await updateTool(db, tool.id, {
    ...rest,
    ...(eventsUrl !== undefined && { eventsUrl: eventsUrl || null }),
    version,
  });
  const before = pick(settingsOf(tool), ...namesIn(after));
  await insertToolChange(db, { toolId: tool.id, version, before, after, ...why, createdAt: now() });
}

const namesIn = (settings: Settings): ToolSetting[] => toolSettings.filter((name) => settings[name] !== undefined);

const inWords = (from: Settings, names: ToolSetting[]) =>
  Object.fromEntries(names.map((name) => [name, settingText(from[name])]));

function stored({ env }: Pick<Context, 'env'>, wished: Settings): Settings {
  const address = (name: 'domain' | 'eventsUrl') => {
    const text = wished[name];
    if (!text) return text === undefined ? {} : { [name]: '' };
    const url = new URL(text);
    if (env.mode === 'production' && url.protocol !== 'https:')
      throw fieldError(name, 'The address must begin with https://');
    return { [name]: url.href };
  };
  return { ...wished, ...address('domain'), ...address('eventsUrl') };
}

const nameTaken = () => fieldError('name', 'There is a tool of this name already. Please choose another.');

type Change = Input<typeof catalogueApi.changeTool>['body'];

/**
 * `PATCH /api/admin/tools/:toolId`: an administrator changes what is said about a tool, on every replica at once. A setting that
 * somebody else has changed since `version` is refused, with its value now; changes to different settings don't clash.
 */
export const changeSettings = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  { version, reason, ...wished }: Change,
): Promise<ToolSetting[]> =>
  inTransaction(context, async (inside, tx) => {
    const tool = await lockToolRow(tx, toolId);
    if (!tool?.isActive) throw new AppError('tool_not_found');
    const now = settingsOf(tool);
    const to = stored(context, wished);
    const names = namesIn(to).filter((name) => !isDeepStrictEqual(to[name], now[name]));
    await refuseOverwriting(inside, tool, version, names);
    if (names.length === 0) throw new AppError('same_settings');
    if (to.comingSoon && toolId === lostMoneyTool)
      throw fieldError('comingSoon', 'The free tool comes with any other, so it can’t be coming soon');
    const after: Settings = pick(to, ...names);
    if (after.name !== undefined && (await isNameTaken(tx, after.name, tool.id))) throw nameTaken();
    await writeSettings(inside, tool, after, { reason, changedBy: actor.id });
    await audit(inside, 'admin.tool_changed', {
      tool: tool.id,
      before: inWords(now, names),
      after: { ...inWords(after, names), changed: settingsListed(names), reason },
    });
    // Its product at Stripe takes the new name.
    if (after.name !== undefined) await context.queue.send(tx, 'name-product', { toolId });
    await tellMaker(inside, tool, {
      heading: heading`We changed ${tool.name}`,
      paragraphs: [`We changed its ${settingsListed(names)}. The reason: ${reason}`],
      dedupeKey: `tool-changed:${tool.id}:${tool.version + 1}`,
    });
    return names;
  });

/** Refuses settings that somebody else has changed meanwhile, naming who, and the value now. */
async function refuseOverwriting(inside: Context, tool: ToolRow, version: number, names: ToolSetting[]): Promise<void> {
  const since = await toolChangesAfter(inside.db, tool.id, version);
  const fields: Record<string, string> = {};
  for (const { after, changedBy } of since) {
    const touched = namesIn(after).filter((name) => names.includes(name));
    if (touched.length === 0) continue;
    const who = (changedBy && (await namesOf(inside.db, [changedBy]))[0]) || 'An operator';
    for (const name of touched)
      fields[name] =
        `${who} has changed this in the meantime, to “${settingText(after[name])}”. Please look at it again.`;
  }
  if (Object.keys(fields).length > 0) throw new AppError('tool_changed', { fields });
}

export type MakersNews = { heading: Heading; paragraphs: [string, ...string[]]; dedupeKey: string };

/** Tells a tool's maker, if it has one, what an administrator has done with it: the notice holds the first paragraph, the mail all. */
export async function tellMaker(
  inside: Context,
  { id, ownerId }: ToolRow,
  { heading: title, paragraphs, dedupeKey }: MakersNews,
): Promise<void> {
  if (!ownerId) return;
  await notify(inside, {
    userId: ownerId,
    title,
    message: paragraphs[0],
    actionUrl: `/developers?tool=${id}`,
    dedupeKey,
    mail: { kind: 'tool-decided', paragraphs, actionLabel: 'See your tool' },
  });
}

type NewTool = Input<typeof catalogueApi.addTool>['body'];

/** `POST /api/admin/tools`: one more tool of our own. It is coming soon until an administrator opens it. */
export const addTool = (
  context: Context,
  actor: ActorRow,
  { reason, priceCents, ...wished }: NewTool,
): Promise<string> =>
  inTransaction(context, async (inside, tx) => {
    const createdAt = inside.now();
    const settings = { ...stored(context, wished), comingSoon: true };
    const basePrice = (priceCents / 100).toFixed(2);
    const tool = await insertToolNamed(tx, {
      ...wished,
      id: toolIdOf(wished.name),
      domain: settings.domain ?? wished.domain,
      eventsUrl: settings.eventsUrl || null,
      comingSoon: true,
      basePrice,
      version: 1,
      createdAt,
    });
    if (!tool || (await isNameTaken(tx, tool.name, tool.id))) throw nameTaken();
    const written = { toolId: tool.id, version: 1, before: {}, after: settings };
    await insertToolChange(tx, { ...written, reason, changedBy: actor.id, createdAt });
    await audit(inside, 'admin.tool_added', {
      tool: tool.id,
      after: { ...inWords(settings, namesIn(settings)), priceCents, reason },
    });
    await context.queue.send(tx, 'name-product', { toolId: tool.id });
    return tool.id;
  });
