import * as z from 'zod';
import { brand, seller } from '#shared/brand.ts';
import type { Access, Api, Endpoint } from '#shared/api/endpoint.ts';
import { errors, type ErrorCode } from '#shared/api/errors.ts';
import { toolEvents } from '#shared/api/tool-events.ts';

type Json = Record<string, unknown>;

const security: Record<Access, Json[]> = {
  public: [],
  signedIn: [{ session: [] }],
  member: [{ session: [] }],
  admin: [{ session: [] }],
  tool: [{ tool: [] }],
};

const alwaysPossible: ErrorCode[] = ['invalid_input', 'method_not_allowed', 'rate_limited', 'busy'];
const refusals: Record<Access, ErrorCode[]> = {
  public: [],
  signedIn: ['unauthorized'],
  member: ['unauthorized', 'profile_incomplete'],
  admin: ['unauthorized', 'admin_required'],
  tool: ['invalid_tool_credentials'],
};

/**
 * The contract as OpenAPI 3.1, made from the schemas that parse requests and answers. `nouns` says what each group is for, in
 * reading order.
 */
export function openApi<N extends string>(
  contract: Record<N, Api>,
  nouns: Record<N, string>,
  serverUrl: string,
  isShown: (endpoint: Endpoint) => boolean = () => true,
): Json {
  const names = Object.keys(nouns) as N[];
  const paths: Record<string, Json> = {};
  for (const noun of names)
    for (const [name, endpoint] of Object.entries(contract[noun])) {
      if (!isShown(endpoint)) continue;
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(noun, name, endpoint) };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name} API`,
      version: '1',
      description: `How a tool receives advisers from ${brand.name} and reports what they did, and every other call of the product.`,
      contact: { email: seller().supportEmail },
    },
    servers: [{ url: serverUrl }],
    tags: names
      .filter((name) => Object.values(contract[name]).some(isShown))
      .map((name) => ({ name, description: nouns[name] })),
    paths,
    webhooks: Object.fromEntries(Object.entries(toolEvents).map(([type, one]) => [type, { post: webhook(type, one) }])),
    components: {
      securitySchemes: {
        tool: { type: 'http', scheme: 'basic', description: 'The tool’s id and its secret.' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-sid', description: 'The browser’s session.' },
      },
      schemas: { Error: errorSchema() },
    },
  };
}

function operation(noun: string, name: string, endpoint: Endpoint): Json {
  const { access, summary, params, query, body, bodyType = 'json', response, file, refuses, idempotencyKey } = endpoint;
  const types = { json: ['application/json'], form: [form], any: ['application/json', form] }[bodyType];
  const isAdminWrite = access === 'admin' && endpoint.method !== 'GET';
  const sent = body && { ...schemaOf(body, 'input'), ...(isAdminWrite && withToken(body)) };
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary,
    security: security[access],
    parameters: [
      ...fieldsOf('path', params),
      ...fieldsOf('query', query),
      ...(idempotencyKey ? [header('Idempotency-Key', { description: idempotencyKey, required: false })] : []),
    ],
    ...(sent && { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: sent }])) } }),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Done',
        content: file
          ? { [file]: { schema: { type: 'string', format: 'binary' } } }
          : { 'application/json': { schema: schemaOf(response, 'output') } },
      },
      ...(params && !refuses && missing),
      ...refused([...alwaysPossible, ...refusals[access], ...(body ? unreadable : []), ...(refuses ?? [])]),
    },
  };
}

/** An administrator's token, which may be in the header instead. */
const withToken = (body: z.ZodType): Json => ({
  properties: { ...(schemaOf(body, 'input')['properties'] as Json), _csrf: { type: 'string' } },
});

/** For calls with a body. */
const unreadable: ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
/** For calls about one thing. */
const missing = {
  404: { description: 'There is none, or it is not yours: a code that ends in `_not_found`.', content: errorContent },
};

const header = (name: string, { description, required }: { description: string; required: boolean }): Json => ({
  name,
  in: 'header',
  description,
  required,
  schema: { type: 'string' },
});

/** An event that we send to a tool's server, by Standard Webhooks. */
const webhook = (type: string, { summary, body }: { summary: string; body: z.ZodType }): Json => ({
  operationId: `event.${type}`,
  tags: ['tools'],
  summary,
  description:
    'Standard Webhooks: verify the signature before you act, and refuse what is more than five minutes away.',
  parameters: [
    header('webhook-id', { description: 'It stays the same when the event is sent again.', required: true }),
    header('webhook-timestamp', { description: 'Seconds since 1970.', required: true }),
    header('webhook-signature', {
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; several, separated by spaces, while two secrets are live.',
      required: true,
    }),
  ],
  requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'output') } } },
  responses: {
    '2XX': { description: 'Taken. Anything else, and no answer within 10 seconds, is tried again for two days.' },
    '4XX': { description: 'The signature or the timestamp is wrong.' },
  },
});

const form = 'application/x-www-form-urlencoded';

function fieldsOf(where: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: field,
  }));
}

/** One answer for each status, with its error codes. */
function refused(codes: ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errors[code][0]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => errors[code][0] === status)
          .map((code) => `\`${code}\`: ${errors[code][1]}`)
          .join('\n\n'),
        ...(status === 405 && { headers: { Allow: { description: 'What it takes.', schema: { type: 'string' } } } }),
        content: errorContent,
      },
    ]),
  );
}

const errorSchema = (): Json => ({
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { type: 'string', enum: Object.keys(errors) },
    message: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'Field → sentence' },
    requestId: { type: 'string' },
    error: {
      type: 'string',
      enum: ['invalid_client', 'invalid_request'],
      description: 'For OAuth libraries; to a tool’s server only',
    },
  },
});

/** JSON schema of a zod schema; dates are sent as ISO 8601 in UTC. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { shownAs, ...shown } = jsonSchema as Json & { shownAs?: z.ZodType };
      if (shownAs) {
        for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Json)[name];
        Object.assign(jsonSchema, shown, schemaOf(shownAs, io));
      }
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    },
  });
  return rest;
};
