import fs from 'node:fs';
import path from 'node:path';

/** Top of the project. */
export const project = path.resolve(import.meta.dirname, '../..');

/** TypeScript sources of the product, relative to the top of the project. */
export function sourceFiles(): string[] {
  return ['client/src', 'server', 'shared'].flatMap((folder) =>
    fs
      .readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter((file) => /\.tsx?$/.test(file)),
  );
}
