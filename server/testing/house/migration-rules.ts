import { loadModule, parse } from 'libpg-query';

/** Tables that stay small however many people there are. Any other may have millions of rows. */
const smallTables = ['tools', 'tool_secrets', 'discount_tiers', 'stripe_account', 'app_clock', 'acts', 'approvals'];

/** Functions that give each row a different value: as a column's default they rewrite the whole table. */
const volatile = /^(gen_random_uuid|uuidv[47]|random|nextval|clock_timestamp|timeofday)$/;

/** PostgreSQL's own tree of a statement. */
type Tree = { [key: string]: unknown };
type Migration = {
  sql: string;
  /** Whether a table or column it drops ("users", "users.email") has already been out of use for a release. */
  isForgotten?: (name: string) => boolean;
};

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const treesIn = (value: unknown): Tree[] => (Array.isArray(value) ? value : []).filter(isTree);
const at = (tree: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((value, key) => (isTree(value) ? value[key] : undefined), tree);
/** Everything of one kind within a tree. */
const within = (tree: unknown, kind: string): Tree[] =>
  isTree(tree)
    ? Object.entries(tree).flatMap(([key, value]) => [
        ...(key === kind && isTree(value) ? [value] : []),
        ...within(value, kind),
      ])
    : [];
const tableOf = (tree: unknown) => String(at(tree, 'relation', 'relname'));

/**
 * What is wrong with running a migration beside servers of the release before, as sentences: what rewrites a large table, reads it
 * whole under a lock, or drops what the older release still uses.
 */
export async function migrationFaults({ sql, isForgotten = () => false }: Migration): Promise<string[]> {
  await loadModule();
  const { stmts = [] } = await parse(sql);
  const statements = stmts.flatMap(({ stmt }) => Object.entries(stmt as unknown as Tree));
  const made = statements.flatMap(([kind, tree]) =>
    kind === 'CreateStmt'
      ? [tableOf(tree)]
      : kind === 'CreateTableAsStmt'
        ? [String(at(tree, 'into', 'rel', 'relname'))]
        : [],
  );
  const isLarge = (table: string) => !made.includes(table) && !smallTables.includes(table);
  const faults = statements.flatMap(([kind, tree]) => statementFaults(kind, tree as Tree, isLarge, isForgotten));
  const alone = statements.filter(([, tree]) => at(tree, 'concurrent') === true).length;
  if (alone > 0 && alone < statements.length)
    faults.push('indexes made or dropped concurrently need a migration of their own: it has no transaction');
  const isOfView = ([kind, tree]: [string, unknown]) =>
    ['CreateTableAsStmt', 'IndexStmt'].includes(kind) || at(tree, 'removeType') === 'OBJECT_MATVIEW';
  if (statements.some(([kind]) => kind === 'CreateTableAsStmt') && !statements.every(isOfView))
    faults.push('a materialized view needs a migration of its own: other locks would last as long as it reads');
  const commands = within(statements, 'AlterTableCmd').map((command) => command['subtype']);
  if (commands.includes('AT_ValidateConstraint') && commands.some((command) => command !== 'AT_ValidateConstraint'))
    faults.push('validate constraint needs a migration of its own: it would read the table under the other lock');
  return faults;
}

type Asked = (name: string) => boolean;

function statementFaults(kind: string, tree: Tree, isLarge: Asked, isForgotten: Asked): string[] {
  const table = tableOf(tree);
  switch (kind) {
    case 'CreateStmt':
    case 'CreateFunctionStmt':
    case 'CreateTrigStmt':
    case 'CommentStmt':
    case 'GrantStmt':
      return [];
    case 'CreateTableAsStmt':
      return tree['objtype'] === 'OBJECT_MATVIEW' ? [] : ['create table as: a job in batches fills a table'];
    case 'IndexStmt':
      if (tree['concurrent'] === true)
        return tree['if_not_exists'] === true ? [] : [`index ${String(tree['idxname'])}: write "if not exists"`];
      return isLarge(table) ? [`index on ${table} without concurrently: nobody could write until it is made`] : [];
    case 'DropStmt':
      return dropFaults(tree, isForgotten);
    case 'RenameStmt':
      return [`rename in ${table}: the older release knows the old name. Add the new one, and drop the old one later`];
    case 'InsertStmt':
      return within(tree['selectStmt'], 'RangeVar').some((from) => isLarge(String(from['relname'])))
        ? [`insert into ${table} from a large table: a job in batches instead`]
        : [];
    case 'UpdateStmt':
    case 'DeleteStmt':
      return isLarge(table) ? [`${kind.slice(0, 6).toLowerCase()} of ${table}: a job in batches instead`] : [];
    case 'AlterTableStmt':
      return treesIn(tree['cmds']).flatMap((command) =>
        commandFaults(table, command['AlterTableCmd'] as Tree, isLarge, isForgotten),
      );
    default:
      return [`${kind} is not among what a migration may do (server/testing/house/migration-rules.ts)`];
  }
}

function dropFaults(tree: Tree, isForgotten: Asked): string[] {
  const names = treesIn(tree['objects']).map((object) => String(within(object, 'String').at(-1)?.['sval']));
  if (tree['removeType'] === 'OBJECT_INDEX' && tree['concurrent'] !== true)
    return [`drop index ${names.join(', ')} without concurrently`];
  if (tree['removeType'] !== 'OBJECT_TABLE') return [];
  return names.filter((name) => !isForgotten(name)).map((name) => tooEarly(`table ${name}`));
}

const tooEarly = (what: string) => `drop ${what}: the release before still uses it. Drop it a release later`;

function commandFaults(table: string, command: Tree, isLarge: Asked, isForgotten: Asked): string[] {
  const name = String(command['name']);
  switch (command['subtype']) {
    case 'AT_ColumnDefault':
    case 'AT_DropNotNull':
    case 'AT_DropConstraint':
    case 'AT_ValidateConstraint':
      return [];
    case 'AT_AddColumn':
      return isLarge(table) ? columnFaults(table, at(command, 'def', 'ColumnDef') as Tree) : [];
    case 'AT_AddConstraint':
      return isLarge(table) ? constraintFaults(table, at(command, 'def', 'Constraint') as Tree) : [];
    case 'AT_DropColumn':
      return isForgotten(`${table}.${name}`) ? [] : [tooEarly(`column ${table}.${name}`)];
    case 'AT_AlterColumnType':
      return [
        `type of ${table}.${name}: it rewrites the table. Add a column, fill it by a job, drop the old one later`,
      ];
    case 'AT_SetNotNull':
      return isLarge(table)
        ? [`not null for ${table}.${name}: it reads the table under a lock. Add a check (… is not null) not valid`]
        : [];
    default:
      return isLarge(table) ? [`${String(command['subtype'])} on ${table} is not among what a migration may do`] : [];
  }
}

function columnFaults(table: string, column: Tree): string[] {
  const what = `column ${table}.${String(column['colname'])}`;
  const constraints = treesIn(column['constraints']).map((one) => one['Constraint'] as Tree);
  const kinds = constraints.map((one) => String(one['contype']));
  const serial = within(column['typeName'], 'String').some(({ sval }) => /serial/.test(String(sval)));
  const calls = within(constraints, 'FuncCall').flatMap((call) => within(call['funcname'], 'String'));
  const faults: string[] = [];
  if (serial || kinds.includes('CONSTR_IDENTITY') || calls.some(({ sval }) => volatile.test(String(sval))))
    faults.push(`${what} has another value in every row: that rewrites the table. Add it empty, fill it by a job`);
  if (constraints.some((one) => one['contype'] === 'CONSTR_GENERATED' && one['generated_kind'] !== 'v'))
    faults.push(`${what} is generated and stored: that rewrites the table`);
  if (kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT'))
    faults.push(`${what} is not null without a default: the older release can't write rows any more`);
  if (kinds.some((kind) => ['CONSTR_UNIQUE', 'CONSTR_PRIMARY'].includes(kind)))
    faults.push(`${what} is unique: make the index concurrently`);
  if (kinds.some((kind) => ['CONSTR_FOREIGN', 'CONSTR_CHECK'].includes(kind)))
    faults.push(`${what} has a constraint: add it apart, not valid`);
  return faults;
}

function constraintFaults(table: string, constraint: Tree): string[] {
  const what = `constraint ${String(constraint['conname'])} on ${table}`;
  if (constraint['skip_validation'] === true || constraint['indexname'] !== undefined) return [];
  return ['CONSTR_FOREIGN', 'CONSTR_CHECK'].includes(String(constraint['contype']))
    ? [`${what}: add it not valid, and validate it in a migration of its own`]
    : [`${what}: make the unique index concurrently, then add the constraint using it`];
}
