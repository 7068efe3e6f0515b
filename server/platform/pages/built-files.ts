import fs from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler } from 'express';

/** Extensions of the compressed twins that the build writes beside its text files; the better one first. */
const twins = { br: '.br', gzip: '.gz' } as const;
const encodings = Object.keys(twins) as (keyof typeof twins)[];

/** Serves a folder's files, compressed where the browser takes it: those in `assets` for a year, the others revalidated each time. */
export function builtFiles(folder: string): RequestHandler {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const known = new Set(names.map((name) => `/${name.replaceAll(path.sep, '/')}`));
  const send = express.static(folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (res, file) => {
      const encoding = encodings.find((one) => file.endsWith(twins[one]));
      const name = encoding ? file.slice(0, -twins[encoding].length) : file;
      const isAsset = path.relative(folder, name).startsWith(`assets${path.sep}`);
      res.type(path.extname(name)).vary('accept-encoding');
      res.set('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (encoding) res.set('content-encoding', encoding);
    },
  });
  return (req, res, next) => {
    const { url, path: name } = req;
    const encoding = encodings.find((one) => known.has(name + twins[one]) && req.acceptsEncodings(one));
    if (encoding) req.url = name + twins[encoding];
    send(req, res, (fault) => {
      req.url = url;
      next(fault);
    });
  };
}
