import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { Env } from './env.ts';
import { describeError, maskDeep, maskLine, maskUrl } from './log-redaction.ts';

/** JSON lines with UTC times, without secrets: masked by field name at any depth, and by pattern in the finished line. */
export function createLog({ logLevel }: Pick<Env, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }), log: maskFields },
    hooks: { streamWrite: maskLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The request and the answer have serializers of their own, which pick what is listed. */
function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  const { req, res, ...others } = fields;
  const masked = maskDeep(others) as Record<string, unknown>;
  return { ...masked, ...(req !== undefined && { req }), ...(res !== undefined && { res }) };
}

type Request = IncomingMessage & {
  id?: string;
  log?: Logger;
  user?: { id?: string };
  ip?: string;
  originalUrl?: string;
};

declare global {
  namespace Express {
    interface Request {
      /** Ours, and told to the caller: the thread through one request's lines. */
      id: string;
      log: Logger;
    }
  }
}

/** "Busy" passes by itself; an error is for somebody to look at. */
const levelOf = (status: number) => (status === 500 ? 'error' : status > 500 ? 'warn' : 'info');

/**
 * One line per request, and `req.log` and `req.id`. The id is always ours: a client's could forge or poison the log.
 * Our own, because pino-http makes two child loggers for every request, a fifth of what `GET /api/user` costs.
 */
export function requestLog(log: Logger) {
  return (req: Request, res: ServerResponse, next?: () => void): void => {
    const startedAt = performance.now();
    const id = randomUUID();
    Object.assign(req, { id, log });
    res.setHeader('X-Request-Id', id);
    const finished = () => {
      res.off('finish', finished).off('close', finished);
      const level = levelOf(res.statusCode);
      if (!log.isLevelEnabled(level)) return;
      const line = {
        requestId: id,
        req: { method: req.method, url: maskUrl(req.originalUrl ?? req.url ?? ''), ip: req.ip },
        ...(req.user?.id && { userId: req.user.id }),
        res: { statusCode: res.statusCode },
        responseTime: Math.round(performance.now() - startedAt),
        ...(!res.writableFinished && { aborted: true }),
      };
      log[level](line, level === 'info' ? 'request' : 'request failed');
    };
    res.once('finish', finished).once('close', finished);
    next?.();
  };
}
