import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { keeping, sessionsOfClosed } from '#server/record/service.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import {
  askForPack,
  choicesFor,
  issuedAs,
  listPacks,
  packFile,
  packManifest,
  packPeople,
  packStamp,
  redact,
  redactClosed,
} from './packs.ts';

const withdrawn = 'Evidence packs that hold it were withdrawn.';
const released = 'Anything older than seven years is deleted overnight.';

export const evidenceRoutes = (context: Context) => [
  implement(
    contract.evidence,
    {
      list: ({ actor, query }, ctx) => listPacks(ctx, actor, query),
      choices: ({ actor, query }, ctx) => choicesFor(ctx, actor, query.teamId),
      ask: ({ actor, body }, ctx) => askForPack(ctx, actor, body),
      pdf: ({ actor, params }, ctx) => packFile(ctx, actor, params.id, 'pdf'),
      csv: ({ actor, params }, ctx) => packFile(ctx, actor, params.id, 'csv'),
      manifest: ({ actor, params }, ctx) => packManifest(ctx, actor, params.id),
      stamp: ({ actor, params }, ctx) => packStamp(ctx, actor, params.id),
      people: ({ actor, params }, ctx) => packPeople(ctx, actor, params.id),
      redact: ({ actor, params, body }, ctx) => done(redact(ctx, actor, params, body), withdrawn),
      issued: ({ params }, ctx) => issuedAs(ctx, params.sha256),
    },
    context,
  ),
  implement(
    contract.closedRecord,
    {
      find: ({ params, query }, { db }) => sessionsOfClosed(db, params.teamId, query.search),
      kept: ({ params }, ctx) => keeping.keptOfClosed(ctx, params.teamId),
      redact: ({ params, body }, ctx) => done(redactClosed(ctx, params, body), withdrawn),
      release: ({ params, body }, ctx) => done(keeping.releaseAsAdmin(ctx, params, body.reason), released),
    },
    context,
  ),
];
