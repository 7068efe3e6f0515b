import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ToolSettings } from '../rules/tools/tool-settings.ts';
import { users } from './accounts.ts';
import { createdAt, generatedId } from './columns.ts';
import { ofTool } from './tools.ts';

/** Every change of a tool's settings: what it was, and what it became. */
export const toolChanges = pgTable(
  'tool_changes',
  {
    id: generatedId(),
    toolId: ofTool(),
    /** The tool's version afterwards. */
    version: integer('version').notNull(),
    before: jsonb('before').$type<Partial<ToolSettings>>().notNull(),
    after: jsonb('after').$type<Partial<ToolSettings>>().notNull(),
    reason: text('reason').notNull(),
    /** Null: an operator's command. */
    changedBy: uuid('changed_by').references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('tool_changes_version').on(t.toolId, t.version),
    index('tool_changes_changed_by').on(t.changedBy),
    check('tool_changes_counted', sql`${t.version} > 0`),
  ],
);
