import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { ToolCall } from '#shared/rules/tool-checks.ts';
import { claimedTool } from '#server/platform/tool-credentials.ts';
import { hearCall } from '#server/tools/service.ts';

/** For each tool, so that a busy one doesn't push out the calls of the others. */
const kept = 2000;

/** Keeps in memory what tools' servers asked and were answered, for whoever develops a tool. Tokens as hashes, no secrets. */
export function watchToolCalls(server: Server): (toolId: string) => ToolCall[] {
  const calls = new Map<string, ToolCall[]>();
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const req = incoming as Request;
    hearCall(req, outgoing as Response, (call) => {
      const toolId = req.tool?.toolId ?? claimedTool(req)?.id ?? '';
      calls.set(toolId, [...(calls.get(toolId) ?? []), call()].slice(-kept));
      return undefined;
    });
  });
  return (toolId) => calls.get(toolId) ?? [];
}
