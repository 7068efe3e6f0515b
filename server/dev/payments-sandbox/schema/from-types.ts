import ts from 'typescript';
import type { JsonSchema } from './schema.ts';

/** Ways to pay other than by card: their details are nowhere in this product. */
export function otherPaymentMethods(checker: ts.TypeChecker, paymentMethod: ts.Type): Set<string> {
  const type = paymentMethod.getProperty('type');
  const declared = type && checker.getTypeOfSymbol(type);
  const names = declared?.isUnion()
    ? declared.types.flatMap((part) => (part.isStringLiteral() ? [part.value] : []))
    : [];
  return new Set(names.filter((name) => name !== 'card'));
}

const listOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['object', 'data', 'has_more', 'url'],
  properties: {
    object: { enum: ['list'] },
    data: { type: 'array', items },
    has_more: { type: 'boolean' },
    url: { type: 'string' },
  },
});

/** TypeScript types to JSON schema; `leftOut` names properties that are not described at all. */
export function createTypeConverter(checker: ts.TypeChecker, resources: string[], leftOut: Set<string>) {
  const definitions: Record<string, JsonSchema> = {};
  const owned = new Set([
    ...resources.map((name) => name.replace(/s$/, '')),
    'Discount',
    'TaxId',
    'CreditNoteLineItem',
    'CustomerBalanceTransaction',
    'SubscriptionItem',
    'InvoiceLineItem',
    'Plan',
    'Price',
  ]);

  function unite(parts: ts.Type[]): JsonSchema | null {
    const literals: (string | number | boolean)[] = [];
    const branches: JsonSchema[] = [];
    let open = false;
    for (const part of parts) {
      if (part.isStringLiteral() || part.isNumberLiteral()) literals.push(part.value);
      else if (part.isIntersection() && part.types.some((inner) => inner.flags & ts.TypeFlags.String)) open = true;
      else {
        const branch = convert(part);
        if (branch?.enum) literals.push(...branch.enum);
        else if (branch) branches.push(branch);
      }
    }
    if (literals.includes(true) && literals.includes(false)) {
      branches.push({ type: 'boolean' });
      literals.splice(0, literals.length, ...literals.filter((literal) => typeof literal !== 'boolean'));
    }
    if (literals.length) branches.push({ enum: literals.toSorted((a, b) => String(a).localeCompare(String(b), 'en')) });
    else if (open) branches.push({ type: 'string' });
    // the order decides what a form's text becomes where several types fit: a listed word, then text, then the rest
    const rank = (branch: JsonSchema) => (branch.enum ? 0 : branch.type === 'string' ? 1 : 2);
    branches.sort((a, b) => rank(a) - rank(b));
    return branches.length > 1 ? { anyOf: branches } : (branches[0] ?? null);
  }

  function objectOf(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    let pruned = false;
    for (const property of checker.getPropertiesOfType(type)) {
      const schema = leftOut.has(property.name) ? null : convert(checker.getTypeOfSymbol(property));
      pruned ||= leftOut.has(property.name);
      if (!schema) continue;
      properties[property.name] = schema;
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const others = index ? (convert(index.type) ?? true) : pruned;
    return { type: 'object', properties, ...(required.length ? { required } : {}), additionalProperties: others };
  }

  /** A Stripe resource that this product never reads: its id is enough. */
  const isForeign = (type: ts.Type, name: string) => {
    const kind = type.getProperty('object');
    const literal = kind && checker.getTypeOfSymbol(kind);
    return !!literal?.isStringLiteral() && !owned.has(name.replace(/^Deleted/, ''));
  };

  function convert(type: ts.Type): JsonSchema | null {
    const is = (flag: ts.TypeFlags) => (type.flags & flag) !== 0;
    if (is(ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return null;
    if (is(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (is(ts.TypeFlags.Null)) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] };
    if (is(ts.TypeFlags.BooleanLiteral)) return { enum: [checker.typeToString(type) === 'true'] };
    if (is(ts.TypeFlags.String)) return { type: 'string' };
    if (is(ts.TypeFlags.Number)) return { type: 'number' };
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const name = symbol?.getName() ?? '';
    if (name === 'Event' && type.isUnion()) return define('Event', type.types[0]!);
    if (type.isUnion()) return unite(type.types);
    if (type.isIntersection())
      return checker.typeToString(type).includes('Decimal') ? { type: ['string', 'number'] } : { type: 'string' };
    if (name.startsWith('Decimal')) return { type: ['string', 'number'] };
    const [argument] = checker.getTypeArguments(type as ts.TypeReference);
    if (checker.isArrayType(type) && argument) return { type: 'array', items: convert(argument) ?? {} };
    if (name === 'ApiList' && argument) return listOf(convert(argument) ?? {});
    if (isForeign(type, name)) return { type: 'object', required: ['id', 'object'] };
    if (symbol && symbol.flags & ts.SymbolFlags.Interface) return define(qualified(symbol), type);
    return objectOf(type);
  }

  const qualified = (symbol: ts.Symbol) =>
    checker
      .getFullyQualifiedName(symbol)
      .replace(/^".*"\.?/, '')
      .replace(/\W/g, '_');

  function define(name: string, type: ts.Type): JsonSchema {
    if (!definitions[name]) {
      definitions[name] = {};
      definitions[name] = name === 'Event' ? eventOf(type) : objectOf(type);
    }
    return { $ref: `#/definitions/${name}` };
  }
  /** Only the envelope of an event: what it carries is checked as the object it is. */
  function eventOf(type: ts.Type): JsonSchema {
    const whole = objectOf(type);
    return {
      ...whole,
      properties: { ...whole.properties, type: { type: 'string' }, data: { type: 'object', required: ['object'] } },
    };
  }

  return {
    definitions,
    params: (type: ts.Type): JsonSchema => convert(checker.getNonNullableType(type)) ?? {},
    /** Promise<Response<T>> or ApiListPromise<T> */
    answer(node: ts.TypeReferenceNode): JsonSchema {
      const [first] = node.typeArguments ?? [];
      if (!first) throw new Error(`no answer type in ${node.getText()}`);
      if (node.typeName.getText().startsWith('ApiList'))
        return listOf(convert(checker.getTypeFromTypeNode(first)) ?? {});
      const inner = ts.isTypeReferenceNode(first) ? first.typeArguments?.[0] : undefined;
      if (!inner) throw new Error(`no answer type in ${node.getText()}`);
      return convert(checker.getTypeFromTypeNode(inner)) ?? {};
    },
  };
}
