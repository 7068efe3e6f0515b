import { issueSecret } from '#server/developers/service.ts';
import type { TestApp } from './test-app.ts';

/** Makes a secret of a tool as its page does. */
export const makeSecret = ({ context }: TestApp, toolId: string, kind: 'call' | 'signing' = 'call'): Promise<string> =>
  issueSecret(context, { id: toolId }, kind, 'Test');
