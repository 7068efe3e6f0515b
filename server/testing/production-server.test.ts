import { afterEach, expect, it } from 'vitest';
import { killServers, launch, type Server, stopServers } from './production-server.ts';

/** Launches a command; resolves when it has printed a line. */
const printing = (command: string[], group = false) =>
  new Promise<Server>((resolve) => {
    const server = launch({ url: '' }, { command, group, onLine: () => resolve(server) });
  });

const program = (line: string, code: number) => [
  process.execPath,
  '-e',
  `process.on('SIGTERM', () => process.exit(${code})); console.log(${JSON.stringify(line)}); setInterval(() => 0, 1000)`,
];

afterEach(() => killServers());

it.each([
  ['an error in its log', '{"level":"error","msg":"it broke"}', 0, 'logged: it broke'],
  ['a line that is not a log line', 'it broke', 0, 'logged: it broke'],
  ['an exit code other than 0', '{"level":"warn","msg":"busy"}', 3, /SIGTERM ended .+ with 3/],
])('%s is a fault, also of a server that was stopped before', async (_what, line, code, fault) => {
  const early = await printing(program(line, code));
  await early.stop();
  await expect(stopServers()).rejects.toThrow(fault);
  await expect(stopServers(/it broke|with 3/)).resolves.toBeUndefined();
  await printing(program(line, code));
  await expect(stopServers()).rejects.toThrow(fault);
});

it('a log without faults and the exit code 0 are none', async () => {
  await printing(program('{"level":"warn","msg":"busy"}', 0));
  await expect(stopServers()).resolves.toBeUndefined();
});

it('kills what a group left running when it ended', async () => {
  await printing(['sh', '-c', 'sleep 600 & echo started'], true);
  // It waits until nobody can print any more.
  await killServers();
});
