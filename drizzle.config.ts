import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes the next migration from shared/schema; it needs no database. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './shared/schema/*.ts',
  out: './migrations',
  strict: true,
});
