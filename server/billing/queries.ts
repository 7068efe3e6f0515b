import { eq } from 'drizzle-orm';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export const toolName = async (db: Db, toolId: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, toolId)))[0]?.name ?? toolId;
