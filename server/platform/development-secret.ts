import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Development's session secret: made at the first start and kept, so that a restart signs nobody out. */
export function developmentSecret(dataDir: string): string {
  const file = path.join(dataDir, 'session-secret');
  fs.mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    fs.linkSync(draft, file); // fails where one exists, and never shows a half-written one
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return fs.readFileSync(file, 'utf8');
}
