import type pg from 'pg'

export interface WholeCatalogue {
  /** One line for each thing the database consists of, with all that PostgreSQL knows about it; sorted. */
  lines: string[]
  /** The columns of each table in their order, which the lines leave out. */
  columnOrder: Map<string, string[]>
}

/** Everything in a database but its rows and what PostgreSQL itself brings, without the numbers it gave to things. */
export const readWholeCatalogue = async (client: pg.Client): Promise<WholeCatalogue> => {
  // Names are written with their schema, whatever the search path is.
  await client.query(`set search_path = ''`)
  const lines: string[] = []
  for (const [kind, text] of Object.entries(KINDS)) {
    const { rows } = await client.query<{ thing: object }>(`select to_jsonb(things) as thing from (${text}) things`)
    lines.push(...rows.map(({ thing }) => `${kind} ${JSON.stringify(thing).replaceAll(NUMBERED_NAME, '$1_#')}`))
  }
  const { rows: columns } = await client.query<{ relation: string; names: string[] }>(COLUMN_ORDER)
  await client.query('reset search_path')
  return { lines: lines.toSorted(), columnOrder: new Map(columns.map(({ relation, names }) => [relation, names])) }
}

/** The triggers by which PostgreSQL keeps constraints have a number in their name. */
const NUMBERED_NAME = /(RI_ConstraintTrigger_[ac]|Unique_ConstraintTrigger)_\d+/g

const OURS = `nspname !~ '^pg_' and nspname <> 'information_schema'`

const notOfAnExtension = (catalogue: string, id: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${id} and deptype = 'e')`

const COLUMN_ORDER = `
  select c.oid::regclass::text as relation, array_agg(attname::text order by attnum) as names
  from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = c.oid
  where ${OURS} and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped group by c.oid`

const KINDS: Record<string, string> = {
  schema: `select nspname, nspowner::regrole, nspacl from pg_namespace where ${OURS}`,

  extension: `select extname, extversion, extnamespace::regnamespace, extconfig from pg_extension`,

  relation: `
    select c.oid::regclass, c.relkind, c.relowner::regrole, c.relpersistence, c.reloptions, toast.reloptions as toast_options,
      c.relacl, c.relrowsecurity, c.relforcerowsecurity, c.relreplident, c.relispartition, amname, c.reltablespace,
      case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as view
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_class toast on toast.oid = c.reltoastrelid left join pg_am on pg_am.oid = c.relam
    where ${OURS}`,

  column: `
    select attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid) as value,
      attidentity, attgenerated, attcollation::regcollation, attstorage, attcompression, attstattarget, attoptions,
      attfdwoptions, attacl
    from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${OURS} and attnum > 0 and not attisdropped`,

  constraint: `
    select coalesce(conrelid::regclass::text, contypid::regtype::text) as owner, conname, contype, pg_get_constraintdef(c.oid),
      condeferrable, condeferred, convalidated, connoinherit, conislocal, conindid::regclass
    from pg_constraint c join pg_namespace n on n.oid = connamespace where ${OURS}`,

  index: `
    select indexrelid::regclass, pg_get_indexdef(indexrelid), indisunique, indnullsnotdistinct, indisprimary, indisexclusion,
      indimmediate, indisclustered, indisvalid, indisready, indisreplident
    from pg_index join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace where ${OURS}`,

  function: `
    select p.oid::regprocedure, case when prokind in ('f', 'p') then pg_get_functiondef(p.oid) end as definition, prokind,
      prosrc, proowner::regrole, lanname, provolatile, proparallel, proisstrict, prosecdef, proleakproof, procost, prorows,
      prosupport, proconfig, proacl
    from pg_proc p join pg_namespace n on n.oid = pronamespace join pg_language l on l.oid = prolang
    where ${OURS} and ${notOfAnExtension('pg_proc', 'p.oid')}`,

  trigger: `
    select tgrelid::regclass, pg_get_triggerdef(t.oid), tgenabled, tgisinternal, tgdeferrable, tginitdeferred
    from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace where ${OURS}`,

  sequence: `
    select seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle
    from pg_sequence`,

  type: `
    select t.oid::regtype, typtype, typcategory, typowner::regrole, typnotnull, typbasetype::regtype, typdefault, typacl,
      array(select enumlabel::text from pg_enum where enumtypid = t.oid order by enumsortorder) as labels
    from pg_type t join pg_namespace n on n.oid = typnamespace
    where ${OURS} and ${notOfAnExtension('pg_type', 't.oid')}`,

  rule: `
    select ev_class::regclass, rulename, pg_get_ruledef(r.oid), ev_enabled
    from pg_rewrite r join pg_class c on c.oid = ev_class join pg_namespace n on n.oid = relnamespace where ${OURS}`,

  policy: `select * from pg_policies`,
  statistics: `select stxname, pg_get_statisticsobjdef(oid), stxowner::regrole from pg_statistic_ext`,
  'event trigger': `select evtname, evtevent, evtfoid::regprocedure, evtenabled, evttags from pg_event_trigger`,
  publication: `select pubname, puballtables from pg_publication`,
  'default privileges': `select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl from pg_default_acl`,
  setting: `
    select setrole::regrole, setconfig from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())`,

  comment: `
    select type, identity, description
    from pg_description, pg_identify_object(classoid, objoid, objsubid) where objoid >= 16384`,

  // Whatever has no query of its own above is here at least by its name, and so is what a thing would take with it.
  dependency: `
    select thing.type, thing.identity, deptype, other.type as other_type, other.identity as other, count(*)
    from pg_depend, pg_identify_object(classid, objid, objsubid) thing,
      pg_identify_object(refclassid, refobjid, refobjsubid) other
    where objid >= 16384 and thing.schema is distinct from 'pg_toast' and other.schema is distinct from 'pg_toast'
    group by 1, 2, 3, 4, 5`,
}
