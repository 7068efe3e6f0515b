import { createHash } from 'node:crypto';
import pg from 'pg';

/** Schemas that the server makes itself: the queue's and the payments sandbox's. */
const ownSchemas = ['pgboss', 'sandbox'];

/** Gives the server's schemas to its role if another role made them, as happened before there were two roles. */
const handOver = (role: string, literal = pg.escapeLiteral(role)) => `do $$
declare one record;
begin
  for one in select format('alter schema %I', nspname) as change from pg_namespace where nspname in (${list}) and nspowner <> ${literal}::regrole
    union all select format('alter table %I.%I', nspname, relname) from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname in (${list}) and relkind in ('r', 'p') and relowner <> ${literal}::regrole
    union all select format('alter function %s', p.oid::regprocedure) from pg_proc p join pg_namespace n on n.oid = pronamespace
      where nspname in (${list}) and proowner <> ${literal}::regrole
    union all select format('alter type %I.%I', nspname, typname) from pg_type join pg_namespace n on n.oid = typnamespace
      where nspname in (${list}) and typtype = 'e' and typowner <> ${literal}::regrole
  loop execute one.change || ' owner to ${role}'; end loop;
end $$`;
const list = ownSchemas.map((name) => `'${name}'`).join(', ');

/**
 * Lets the server's role read and write all rows of tables that another role owns, but only read and add to the audit log, and not
 * change the record of AI use. Not being the owner, it can't alter tables either, or take away the trigger that guards the log.
 */
export async function grantToServer(owner: pg.Client, serverUrl: string): Promise<void> {
  const { username, pathname } = new URL(serverUrl);
  const [role, database] = [username, pathname.slice(1)].map((name) => pg.escapeIdentifier(decodeURIComponent(name)));
  await owner.query('begin');
  for (const statement of [
    `grant connect, create, temporary on database ${database} to ${role}`,
    `grant usage on schema public to ${role}`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
    `grant usage, select, update on all sequences in schema public to ${role}`,
    `revoke update, delete, truncate on audit_log from ${role}`,
    // Rows of the record of AI use may still be deleted, when they are erased; its trigger watches over that.
    `revoke update, truncate on session_statements, tool_disclosures, tool_reviews, session_sign_offs, record_samples, evidence_heads, evidence_pieces, evidence_stamps from ${role}`,
    // A line may be redacted; its trigger lets nothing else change.
    `grant update (remark, client_reference, redacted_for, redacted_at, redacted_by_id) on session_statements to ${role}`,
    `grant update (remark, redacted_for, redacted_at, redacted_by_id) on session_sign_offs, tool_reviews to ${role}`,
    handOver(role!),
  ])
    await owner.query(statement);
  await owner.query('commit');
}

/** The advisory lock of whoever makes the role. */
const roleLock = 7_234_501;

/** The embedded database's address for the server, with a role of its own, which is made if it is missing. */
export async function embeddedServerUrl(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  url.username = 'server';
  url.password = createHash('sha256').update(`server ${url.password}`).digest('hex');
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [roleLock]);
    const { rowCount } = await owner.query(`select 1 from pg_roles where rolname = 'server'`);
    if (!rowCount) await owner.query(`create role server login password '${url.password}'`);
  } finally {
    await owner.end();
  }
  return url.href;
}
