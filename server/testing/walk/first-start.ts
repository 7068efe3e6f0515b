import fs from 'node:fs';
import { parseEnv } from 'node:util';

/** "First start" of server/DEPLOYMENT.md. */
export const guide = fs.readFileSync('server/DEPLOYMENT.md', 'utf8').split('\n## First start\n')[1]!.split('\n## ')[0]!;

/** Its first block in this language. */
export const blockOf = (language: string, text = guide): string =>
  new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'm').exec(text)![1]!.replace(/^ {3}/gm, '');

/** Its variables, with their placeholders for secrets replaced. */
export const variablesOf = (secret: (placeholder: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(blockOf('sh'))).map(([name, value = '']) => [
      name,
      /^[A-Z_]+_SECRET$/.test(value) ? secret(value) : value,
    ]),
  );

/** The number of the step of this name. */
export const stepNamed = (name: string): string => {
  const number = new RegExp(`^(\\d+)\\. \\*\\*${name}`, 'm').exec(guide)?.[1];
  if (number === undefined) throw new Error(`"First start" has no step "${name}"`);
  return `${number}. ${name}`;
};

const backup = fs.readFileSync('server/DEPLOYMENT.md', 'utf8').split('\n## Backup and restore\n')[1]!;
/** The guide's command for a dump. */
export const dumpCommand = (): string => blockOf('sh', backup).trim();
/** The guide's command of this program, which stands in a sentence. */
export const commandOf = (program: string): string[] => {
  const command = new RegExp(`\`(${program} [^\`]+)\``).exec(guide + backup)?.[1];
  if (command === undefined) throw new Error(`the guide has no command ${program}`);
  return command.split(/\s+/);
};
