import { defineConfig } from 'drizzle-kit';

// Without a name drizzle makes one up, and nobody can tell what the migration does.
if (process.argv.includes('generate') && !process.argv.some((word) => word.startsWith('--name')))
  throw new Error('Say what the migration does: npm run db:generate -- --name what_it_does');

/** `npm run db:generate -- --name what_it_does` writes the next migration from shared/schema; it needs no database. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './shared/schema/*.ts',
  out: './migrations',
  strict: true,
});
