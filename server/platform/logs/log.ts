import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { Env } from '../env.ts';
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

/** Masks all fields except request and answer, of which only listed properties are logged. */
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
  traceId?: string;
};

declare global {
  namespace Express {
    interface Request {
      /** In every log line of the request, and sent to the caller. */
      id: string;
      log: Logger;
    }
  }
}

/** 500 is a bug that somebody has to look at; other 5xx pass by themselves. */
const levelOf = (status: number) => (status === 500 ? 'error' : status > 500 ? 'warn' : 'info');

/**
 * Logs one line per request, and sets `req.log` and `req.id`. A request id from the client is ignored, since it could forge log
 * lines. Written by hand because pino-http makes two child loggers per request, a fifth of the cost of `GET /api/user`.
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
        ...(req.traceId && { traceId: req.traceId }),
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
