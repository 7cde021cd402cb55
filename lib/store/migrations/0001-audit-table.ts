const buildAuditTable = (seq: string): string[] => [
  // `prev` and `hash` chain the rows. `intent`: the number of the row that announced what this one is the outcome of.
  `create table audit (
    seq ${seq},
    at bigint not null,
    actor_id text not null,
    actor_name text not null,
    via text not null,
    action text not null,
    subject text not null,
    instance_id text,
    outcome text not null,
    details text not null,
    prev text not null,
    hash text not null,
    role text,
    address text,
    session text,
    intent bigint
  )`,
  'create index audit_actor_name on audit (actor_name, seq)',
  'create index audit_action on audit (action, seq)',
  'create index audit_instance_id on audit (instance_id, seq)',
  'create index audit_at on audit (at)',
  'create index audit_intent on audit (intent) where intent is not null',
];

/**
 * Who did what. On PostgreSQL `lib/access/audit` numbers the rows, because a sequence leaves gaps, and a gap would look
 * like a removed row.
 */
export const AUDIT_TABLE = {
  sqlite: buildAuditTable('integer primary key autoincrement'),
  postgres: buildAuditTable('bigint primary key'),
};

/** Rows that a checkpoint replaces may be removed: those up to the number in the setting `audit_cut`. */
const AFTER_CUT = (number: string) =>
  `old.seq > coalesce((select ${number} from settings where name = 'audit_cut'), 0)`;

/** The triggers prevent mistakes. Tampering is detected by the chain of hashes (lib/access/audit/chain.ts). */
export const AUDIT_TRIGGERS = {
  sqlite: [
    `create trigger audit_no_update before update on audit
    begin select raise(abort, 'the audit log is append-only'); end`,
    `create trigger audit_no_delete before delete on audit when ${AFTER_CUT('cast(value as integer)')}
    begin select raise(abort, 'the audit log is append-only'); end`,
  ],
  postgres: [
    `create function audit_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is append-only'; end $$`,
    `create function audit_only_cut() returns trigger language plpgsql as $$ begin
    if ${AFTER_CUT('value::bigint')} then
      raise exception 'the audit log is append-only';
    end if;
    return old;
  end $$`,
    'create trigger audit_no_update before update on audit execute function audit_append_only()',
    'create trigger audit_no_truncate before truncate on audit execute function audit_append_only()',
    'create trigger audit_no_delete before delete on audit for each row execute function audit_only_cut()',
  ],
};
