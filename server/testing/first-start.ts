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

/** The guide's command for a dump. */
export const dumpCommand = (): string =>
  blockOf('sh', fs.readFileSync('server/DEPLOYMENT.md', 'utf8').split('\n## Backup and restore\n')[1]).trim();
