import { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

export type NotAllowed = Reply<typeof contract.record.notAllowed>[number];

/** What practices of the reader don't allow; nothing until it is known. */
export const useNotAllowedTools = (): readonly NotAllowed[] => useApiQuery(contract.record.notAllowed).data ?? [];

/** Which practice of the reader doesn't allow this tool, and why; null where none objects. */
export const useNotAllowed = (toolId: string): NotAllowed | null =>
  useNotAllowedTools().find((one) => one.toolId === toolId) ?? null;
