import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { PageData } from '#shared/api/page-data.ts';
import type { Env } from '../env.ts';
import { isPassing } from '../http/error-handler.ts';
import { offeredIn } from '../env-sign-in.ts';
import { codeOf, type Manifest } from './first-views.ts';
import { type Head, landingHead, pageHeads, signUpHead, toolHead } from './page-head.ts';
import { fillTemplate, type OwnAnswers } from './page-html.ts';

/** Rendered here for visitors, besides the landing page. */
const renderedPaths = ['/auth', '/developers', '/help', '/privacy', '/record/verify', '/security', '/terms'];

/** The visitor's page at this address, as HTML. */
export type RenderPage = (at: { path: string; search: string; data: PageData }) => Promise<string>;

/** What a page of somebody signed in shows until its code has arrived; `answers` are those to its calls, `at` an ISO date. */
export type RenderFrame = (path: string, answers: Record<string, unknown>) => string;

type PageVariant = { name: string; head: Head; render?: { path: string; search: string } };
type PageDocument = { html: Buffer; br: Buffer; gzip: Buffer; tag: string };

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

async function documentOf(text: string): Promise<PageDocument> {
  const html = Buffer.from(text);
  // 9 of 11: within two per cent of the smallest, and fast enough to redo when a price has changed.
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 };
  const [br, gz] = await Promise.all([brotli(html, { params }), gzip(html, { level: 9 })]);
  return { html, br, gzip: gz, tag: createHash('sha256').update(html).digest('base64url').slice(0, 20) };
}

/** For visitors, every path without a page of its own shows the landing page. */
export function headOf({ path, query }: Pick<Request, 'path' | 'query'>): Head {
  const at = path.replace(/\/+$/, '') || '/';
  return at === '/auth' && query['tab'] === 'sign-up' ? signUpHead : (pageHeads[at] ?? landingHead);
}

/**
 * Picks the page to send to a visitor: the landing page, both tabs of /auth and pages of text are rendered here, the others are a frame. A
 * browser with a session cookie always gets a frame (`sendOwn`), so that nobody who is signed in sees the landing page flash.
 */
function variantOf(req: Request): PageVariant {
  const head = headOf(req);
  const search = head === signUpHead ? '?tab=sign-up' : '';
  const name = head.path + search;
  // If the address asks for more, such as a tab, the browser renders the page.
  const asksMore = head.path === '/help' && ('tab' in req.query || 'q' in req.query);
  const rendered = head === landingHead || (renderedPaths.includes(head.path) && !asksMore);
  return rendered ? { name, head, render: { path: head.path, search } } : { name: `frame ${name}`, head };
}

type Options = {
  template: string;
  env: Pick<Env, 'appUrl' | 'keepsDemo' | 'seller' | 'claims' | 'providers' | 'identityClients'>;
  render: RenderPage;
  frame?: (...of: Parameters<RenderFrame>) => Promise<string>;
  /** `toolId`: with what that tool's page needs, if it is on offer. */
  data: (toolId?: string) => Promise<PageData>;
  /** The answers to this page's calls for whoever is signed in; null if nobody is. */
  own?: (req: Request, res: Response) => Promise<OwnAnswers | null>;
  /** Lists the built files. */
  manifest?: Manifest;
  log: Logger;
};

/** Answers with pages. Each is rendered once, and again when its data, such as a price, has changed. */
export function createDocuments(options: Options) {
  const { template, env, render, frame, data, own, manifest = {}, log } = options;
  const { appUrl, keepsDemo, seller, claims, providers, identityClients } = env;
  const site = { appUrl, keepsDemo, seller, claims, providers, signInWith: offeredIn(identityClients) };
  const made = new Map<string, { shows: string; document: Promise<PageDocument> }>();

  const make = async ({ head, render: at }: PageVariant, shown: PageData | undefined) =>
    documentOf(
      fillTemplate(
        template,
        at && shown ? { ...site, head, data: shown, body: await render({ ...at, data: shown }) } : { ...site, head },
      ),
    );

  const documentFor = (variant: PageVariant, shown: PageData | undefined): Promise<PageDocument> => {
    const shows = JSON.stringify(shown ?? null);
    const known = made.get(variant.name);
    if (known?.shows === shows) return known.document;
    const document = make(variant, shown);
    made.set(variant.name, { shows, document });
    document.catch(() => made.delete(variant.name));
    return document;
  };

  /** The rendered page; if rendering fails, the empty frame, in which the browser renders it. */
  const documentOrFrame = async (variant: PageVariant): Promise<PageDocument> => {
    const frame = { name: `frame ${variant.name}`, head: variant.head };
    if (!variant.render) return documentFor(variant, undefined);
    try {
      return await documentFor(variant, await data());
    } catch (error) {
      log[isPassing(error) ? 'warn' : 'error']({ err: error, page: variant.name }, 'page could not be rendered');
      return documentFor(frame, undefined);
    }
  };

  /** A tool's page is rendered here only while it is on offer: otherwise the browser says that there is none. */
  const documentAt = async (req: Request): Promise<PageDocument> => {
    const toolId = /^\/tools\/([a-z0-9-]{1,64})\/?$/.exec(req.path)?.[1];
    if (!toolId) return documentOrFrame(variantOf(req));
    const frame = { name: 'frame of a tool', head: landingHead };
    try {
      const shown = await data(toolId);
      const tool = shown.about && shown.tools.find(({ id }) => id === toolId);
      if (!tool) return await documentFor(frame, undefined);
      const head = toolHead(tool);
      return await documentFor({ name: head.path, head, render: { path: head.path, search: '' } }, shown);
    } catch (error) {
      log[isPassing(error) ? 'warn' : 'error']({ err: error, page: req.path }, 'page could not be rendered');
      return documentFor(frame, undefined);
    }
  };

  /** Sends the frame with what is this person's alone, so no cache may keep it. */
  const sendOwn = async (req: Request, res: Response): Promise<void> => {
    const answers = (await own?.(req, res)) ?? null;
    const code = codeOf(manifest, req.path, req.query['tab']);
    const shown = answers && code.length > 0;
    const parts = {
      own: answers,
      code,
      ...(shown && { frame: await frame?.(req.path, answers.answers) }),
    };
    res
      .vary('Cookie')
      .type('html')
      .set('cache-control', 'no-store')
      .send(fillTemplate(template, { ...site, head: headOf(req), ...parts }));
  };

  return async (req: Request, res: Response, holdsSession: boolean): Promise<void> => {
    if (holdsSession) return sendOwn(req, res);
    const document = await documentAt(req);
    const encoding = req.acceptsEncodings('br', 'gzip') as 'br' | 'gzip' | false;
    if (encoding) res.set('content-encoding', encoding);
    res
      .vary('Accept-Encoding, Cookie')
      .type('html')
      .set('cache-control', 'no-cache')
      .set('etag', `"${document.tag}${encoding ? `-${encoding}` : ''}"`)
      .send(encoding ? document[encoding] : document.html);
  };
}
