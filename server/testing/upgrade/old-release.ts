import { day } from '#shared/rules/dates.ts';
import { liveThroughDemo } from '#server/dev/seed/practice.ts';
import { seedDemo } from '#server/dev/seed/demo.ts';
import { seedCatalogue } from '#server/catalogue/service.ts';
import { type Clock, realNow } from '#server/platform/clock.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { born, deedOf, type Life, livesOf, makeCode, raisePrice, something, tools } from './lives.ts';
import { scenes } from './scenes.ts';
import { live, openWorld, rowsOf, signIn, type World } from './world.ts';

/**
 * Runs in a checkout of the release before. `fill` fills a database with three months of its demo and of generated lives. `write` switches
 * a renewal off and on again. Each prints one line for whoever started it: how many rows there are, or how the writes were answered.
 */
const [what = 'fill', databaseUrl = ''] = process.argv.slice(2);
const count = Number(process.env['LIVES'] ?? 24);
const seed = Number(process.env['SEED'] ?? 2026);

/** Everybody's day. The demo's administrator signed in when it began, which on a slow machine is too long ago to count as proof. */
async function today(world: World, at: number, lives: Map<string, Life>): Promise<void> {
  const proven = `update sessions set sess = jsonb_set(sess::jsonb, '{provenAt}', to_jsonb($1::bigint))::json`;
  await rowsOf(world, proven, [realNow().getTime()]);
  if (at === 0) await makeCode(world);
  if (at === 80) await raisePrice(world);
  for (const [name, { acts }] of Object.entries(scenes))
    for (const act of acts) if (act[0] === at) await deedOf(world, lives.get(name)!, act);
  for (const [name, life] of lives) {
    if (!scenes[name]) await something(world, life, { isNew: at < 5 });
  }
  await world.context.queue.drain();
}

async function everybody(world: World): Promise<Map<string, Life>> {
  const lives = new Map<string, Life>();
  for (const [name, { members = 0, details }] of Object.entries(scenes))
    lives.set(name, await born(world, name, seed, members, details));
  for (let index = 0; index < count; index += 1) {
    const members = [0, 0, 0, 2, 4][index % 5]!;
    const details = index % 7 === 6 ? { membershipType: 'shaw_partners' as const } : {};
    lives.set(`life-${index}`, await born(world, `life-${index}`, seed + index, members, details));
  }
  return lives;
}

/** The demo's clock, on which the generated lives are lived as well, day by day. */
function sharedClock(world: World): Clock {
  let lives: Map<string, Life> | null = null;
  let from = 0;
  let lived = 0;
  return {
    ...world.clock,
    advance: async (ms) => {
      lives ??= await everybody(world);
      from ||= world.clock.now().getTime();
      const end = world.clock.now().getTime() + ms;
      for (; from + lived * day < end; lived += 1) {
        await live(world, Math.max(0, from + lived * day - world.clock.now().getTime()));
        await today(world, lived, lives);
        if (lived % 10 === 0) console.error(`  day ${lived}`);
      }
      await live(world, Math.max(0, end - world.clock.now().getTime()));
      return world.clock.now();
    },
  };
}

async function fill(): Promise<string> {
  await migrateDatabase(databaseUrl);
  const world = await openWorld(databaseUrl, async (context) => {
    await seedCatalogue(context.db);
    await seedDemo(context);
  });
  await liveThroughDemo({ ...world, clock: sharedClock(world) });
  const [rows] = await rowsOf(world, 'select count(*)::int as rows from tool_subscriptions where is_active');
  await world.stop();
  return JSON.stringify(rows);
}

/** A write of the older release, through its own code: auto-renew off, and on again. */
async function tryToWrite(): Promise<string> {
  const world = await openWorld(databaseUrl);
  const life = (await livesOf(world)).get('two-tools-apart')!;
  const agent = await signIn(world, life.email);
  const off = await agent.patch(`/api/subscriptions/${tools[0]}/auto-renew`).send({ autoRenew: false });
  const on = await agent.patch(`/api/subscriptions/${tools[0]}/auto-renew`).send({ autoRenew: true });
  await world.stop();
  return JSON.stringify({ off: off.status, on: on.status });
}

console.log(what === 'fill' ? await fill() : await tryToWrite());
process.exit(0);
