import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { pinoHttp } from 'pino-http';
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

type Request = IncomingMessage & { user?: { id?: string }; ip?: string; originalUrl?: string };

/** One line per request, and `req.log` and `req.id`. The id is always ours: a client's could forge or poison the log. */
export function requestLog(log: Logger) {
  return pinoHttp<Request>({
    logger: log,
    genReqId: (_req, res) => {
      const id = randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    wrapSerializers: false,
    serializers: {
      req: (req: Request) => ({ method: req.method, url: maskUrl(req.originalUrl ?? req.url ?? ''), ip: req.ip }),
      res: (res: ServerResponse) => ({ statusCode: res.statusCode }),
      err: describeError,
    },
    customProps: (req) => (req.user?.id ? { userId: req.user.id } : {}),
    // "Busy" passes by itself; an error is for somebody to look at.
    customLogLevel: (_req, res, error) =>
      error || res.statusCode === 500 ? 'error' : res.statusCode > 500 ? 'warn' : 'info',
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
  });
}
