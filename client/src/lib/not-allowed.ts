import { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { useApiQuery } from '#client/lib/query.ts';

export type NotAllowed = Reply<typeof contract.record.notAllowed>[number];

/** Which practice of the reader doesn't allow this tool, and why; null where none objects, or it isn't known yet. */
export const useNotAllowed = (toolId: string): NotAllowed | null =>
  useApiQuery(contract.record.notAllowed).data?.find((one) => one.toolId === toolId) ?? null;
