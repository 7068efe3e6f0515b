import fs from 'node:fs';
import path from 'node:path';

type Instruction = { name: string; rest: string };
export type Stage = Instruction[];

/** The Dockerfile's stages; each instruction has to be on one line, as ours are. */
export function readDockerfile(): Stage[] {
  const stages: Stage[] = [];
  for (const line of fs.readFileSync('Dockerfile', 'utf8').split('\n')) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    if (name) stages.at(-1)!.push({ name, rest });
  }
  return stages;
}

export const of = (stage: Stage, name: string): string[] =>
  stage.filter((one) => one.name === name).map(({ rest }) => rest);

/** The commands with which a stage starts and checks its health, as program and arguments. */
export function commandsOf(stage: Stage): { start: string[]; health: string[] } {
  const list = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[];
  return { start: list(of(stage, 'CMD')[0]!), health: list(of(stage, 'HEALTHCHECK')[0]!) };
}

/** Lays out a stage's files in an empty folder, with node_modules as a link. */
export function layOut(stage: Stage, folder: string): void {
  for (const copied of of(stage, 'COPY')) {
    const [, from = '', to = ''] = /^--from=build \/app\/(\S+) (\S+)$/.exec(copied) ?? [];
    const target = path.join(folder, to, to.endsWith('/') ? path.basename(from) : '');
    fs.mkdirSync(path.dirname(target), { recursive: true });
    if (from === 'node_modules') fs.symlinkSync(path.resolve(from), target);
    else fs.cpSync(from, target, { recursive: true });
  }
}
