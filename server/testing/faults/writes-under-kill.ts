import { countStored, newReports, openSession, report, startReporting, type Report } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, until } from '../until.ts';

const total = 10_000;
const batch = 40;
const kills = 6;

/** A tool's server reports and repeats each batch until it is acknowledged, while ours is killed again and again. */
export const writesUnderKill: Scenario = {
  name: 'writes-under-kill',
  expected: 'kill -9 at random during 10,000 acknowledged writes: 0 lost, 0 duplicate',
  run: async ({ cluster, database, say }) => {
    const { server: first, adviser, tool } = await startReporting(database);
    const { port, base } = first;
    let server = first;
    const batches: Report[][] = [];
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(database, adviser, tool.id)));
    while (batches.length < total / batch) batches.push(newReports(sessions[batches.length % 20]!, batch));
    const queue = [...batches];
    let acknowledged = 0;
    let cut = 0;
    let wrong = '';

    const worker = async () => {
      for (let events = queue.pop(); events; events = queue.pop()) {
        const { value } = await until('a batch is acknowledged', 60_000, async () => {
          const answer = await report({ base }, tool, events);
          if (answer.status === 0 && answer.text !== 'ECONNREFUSED') cut += 1;
          if (![0, 200, 503].includes(answer.status)) wrong = `${answer.status}: ${answer.text}`;
          return answer.status === 200 && answer;
        });
        if (value.accepted !== events.length) wrong = value.text;
        acknowledged += value.accepted;
      }
    };
    const client = Promise.all(Array.from({ length: 8 }, worker));
    const marks = Array.from({ length: kills }, (_, kill) => ((kill + Math.random()) * total) / kills);
    for (const [index, mark] of marks.entries()) {
      await until('the next kill is due', 60_000, () => acknowledged >= Math.min(mark, total - 8 * batch), 1);
      await server.kill();
      server = await startServer(database, { port });
      if (index === 3) cluster.crash(); // and once PostgreSQL itself
    }
    await client;

    const stored = await database.count('select count(*) from usage_analytics');
    const distinct = await countStored(database, batches.flat());
    say(`${acknowledged} acknowledged, ${kills} kills and a crash of PostgreSQL, ${cut} requests cut and repeated`);
    expect(wrong === '', `wrong answer ${wrong.slice(0, 300)}`);
    expect(cut > 0, 'no kill met a request in flight');
    expect(acknowledged === total, `${acknowledged} events acknowledged`);
    expect(distinct === total, `${total - distinct} of ${total} acknowledged events lost`);
    expect(stored === total, `${stored - total} rows too many`);
    return `${total} acknowledged over ${kills} kills and a crash of PostgreSQL (${cut} requests cut in flight): ${stored} rows, 0 lost, 0 duplicate`;
  },
};
