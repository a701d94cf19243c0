/** The baseline and the migrations that it replaces make the same database: on a real MariaDB. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { beforeBaseline } from '../../src/infrastructure/database/migrations/before-baseline.js'
import { Baseline1790000001000 as Baseline } from '../../src/infrastructure/database/migrations/1000-baseline.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { entities } from '../../src/app/entities.js'
import { loadBeforeBaseline } from '../support/before-baseline.js'
import { Child } from '../support/child.js'
import { type Mariadb, sharedMariadb } from '../support/mariadb.js'
import { serverProgram } from '../support/paths.js'

/** What information_schema knows of a database, but for names of databases and times. */
const views: Record<string, string> = {
  tables: `SELECT table_name, table_type, engine, row_format, table_collation, create_options, table_comment
    FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1`,
  columns: `SELECT table_name, ordinal_position, column_name, column_default, is_nullable, column_type, character_set_name,
      collation_name, extra, is_generated, generation_expression, column_comment
    FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, 2`,
  indexes: `SELECT table_name, index_name, seq_in_index, column_name, non_unique, collation, sub_part, index_type
    FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, 3`,
  constraints: `SELECT table_name, constraint_name, constraint_type
    FROM information_schema.table_constraints WHERE table_schema = DATABASE() ORDER BY 1, 2, 3`,
  keys: `SELECT table_name, constraint_name, ordinal_position, column_name, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage WHERE table_schema = DATABASE() ORDER BY 1, 2, 3`,
  references: `SELECT table_name, constraint_name, unique_constraint_name, update_rule, delete_rule
    FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() ORDER BY 1, 2`,
  checks: `SELECT table_name, constraint_name, check_clause
    FROM information_schema.check_constraints WHERE constraint_schema = DATABASE() ORDER BY 1, 2`,
  views: `SELECT table_name, REPLACE(view_definition, CONCAT('\`', DATABASE(), '\`.'), '') AS definition, check_option,
      is_updatable, security_type, algorithm
    FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY 1`,
  triggers: `SELECT trigger_name, event_object_table, action_statement
    FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY 1`,
  routines: `SELECT routine_name, routine_definition
    FROM information_schema.routines WHERE routine_schema = DATABASE() ORDER BY 1`,
}

describe('the baseline of the database', function () {
  this.timeout(120_000)
  let mariadb: Mariadb

  before(async () => {
    mariadb = await sharedMariadb()
  })

  const open = async (
    name: string,
    list: typeof migrations | (typeof Baseline)[] = [],
  ): Promise<Database> => {
    const { host, port, user, password } = mariadb
    const database = new Database({ host, port, user, password, name, socket: '', pool: 1 }, entities, list)
    await database.connect()
    return database
  }
  const migrate = async (name: string) => {
    const child = await Child.start(process.execPath, serverProgram('bin/migrate'), {
      env: {
        ...{ JACKFIELD_OPERATOR_TOKEN: 'of-no-use-to-a-migration', JACKFIELD_SWITCH_PASSWORD: '' },
        JACKFIELD_SECRET_KEY: Buffer.alloc(32).toString('base64'),
        ...{ JACKFIELD_DATABASE_HOST: mariadb.host, JACKFIELD_DATABASE_PORT: String(mariadb.port) },
        ...{ JACKFIELD_DATABASE_USER: mariadb.user, JACKFIELD_DATABASE_PASSWORD: mariadb.password },
        ...{ JACKFIELD_DATABASE_NAME: name, JACKFIELD_EDGE_DATABASE_ACCOUNT: 'kamailio@127.0.0.1' },
      },
    })
    return { code: await child.exitCode(60_000), output: child.output }
  }
  const former = async (): Promise<{ name: string; database: Database }> => {
    const name = await mariadb.createDatabase()
    await loadBeforeBaseline(mariadb, name)
    return { name, database: await open(name) }
  }
  const schemaOf = async ({ source }: Database) => {
    const found: Record<string, object[]> = {}
    for (const [view, sql] of Object.entries(views)) found[view] = await source.query<object[]>(sql)
    return found
  }
  const namesOf = async ({ source }: Database) =>
    (await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp')).map(
      ({ name }) => name,
    )
  const columnsOf = async ({ source }: Database) =>
    source.query<{ name: string; columns: string }[]>(
      `SELECT tables.table_name AS name,
         GROUP_CONCAT(CONCAT('\`', column_name, '\`') ORDER BY columns.ordinal_position) AS columns
       FROM information_schema.tables tables JOIN information_schema.columns columns USING (table_schema, table_name)
       WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND table_name <> 'migrations'
       GROUP BY tables.table_name`,
    )
  /** Without those that a later migration drops, as other columns say the same. */
  const dropped = new Set(['`searched`'])
  const rowsOf = async ({ source }: Database, tables: Awaited<ReturnType<typeof columnsOf>>) => {
    const rows: Record<string, string[]> = {}
    for (const { name, columns } of tables)
      rows[name] = (await source.query<object[]>(`SELECT ${columns} FROM \`${name}\``))
        .map((row) => JSON.stringify(row))
        .sort()
    return rows
  }

  it('makes what the migrations before it made', async () => {
    const { database } = await former()
    const name = await mariadb.createDatabase()
    const fresh = await open(name, [Baseline])
    await fresh.source.runMigrations()
    const [before, after] = [await schemaOf(database), await schemaOf(fresh)]
    for (const view of Object.keys(views)) expect(after[view], view).to.deep.equal(before[view])
    expect(before['columns']).to.have.length.above(900)
    const seeds = 'SELECT * FROM version ORDER BY table_name'
    expect(await fresh.source.query(seeds)).to.deep.equal(await database.source.query(seeds))
    await database.close()
    await fresh.close()
  })

  it('takes a database over that they made, with every row, once', async () => {
    const { name, database } = await former()
    expect(await namesOf(database)).to.deep.equal(beforeBaseline)
    const tables = (await columnsOf(database)).map(({ name: table, columns }) => ({
      name: table,
      columns: columns
        .split(',')
        .filter((column) => !dropped.has(column))
        .join(','),
    }))
    const rows = await rowsOf(database, tables)
    for (const [table, found] of Object.entries(rows)) expect(found, table).to.have.length.above(0)
    const { code, output } = await migrate(name)
    expect(code, output).to.equal(0)
    expect(output).to.include('the tables are those of the baseline already')
    expect(await namesOf(database)).to.deep.equal(migrations.map((migration) => migration.name))
    const again = await migrate(name)
    expect(again).to.deep.equal({ code: 0, output: '' })
    const legs = (rows['call_legs'] ?? []).map((leg) =>
      leg.replace('"role":"operator"', '"role":"destination"'),
    )
    expect(legs.join()).to.include('"role":"destination"')
    expect(await rowsOf(database, tables)).to.deep.equal({ ...rows, call_legs: legs.sort() })
    const anew = await mariadb.createDatabase()
    expect((await migrate(anew)).code).to.equal(0)
    const fresh = await open(anew)
    expect(await schemaOf(database)).to.deep.equal(await schemaOf(fresh))
    await fresh.close()
    for (const entity of entities) {
      // Later tables are empty.
      if (!(database.source.getMetadata(entity).tableName in rows)) continue
      const [row] = await database.source.getRepository<object>(entity).find({ take: 1 })
      expect(row, entity.name).to.be.instanceOf(entity)
    }
    await database.close()
  })

  it('lets Kamailio read it as before', async () => {
    const { name, database } = await former()
    expect((await migrate(name)).code).to.equal(0)
    const { host, port } = mariadb
    const login = { host, port, user: mariadb.kamailio.user, password: mariadb.kamailio.password, name }
    const kamailio = new Database({ ...login, socket: '', pool: 1 }, [])
    await kamailio.connect()
    const grants = await kamailio.source.query<Record<string, string>[]>('SHOW GRANTS')
    const accounts = await kamailio.source.query('SELECT account_id FROM subscriber')
    await kamailio.close()
    expect(accounts).to.have.length.above(0)
    const own = grants.flatMap((row) => Object.values(row)).filter((grant) => grant.includes(`\`${name}\``))
    expect(
      own.map((grant) => grant.replace(/^GRANT (.*) ON `\w+`\.`(\w+)`.*$/, '$2: $1')).sort(),
    ).to.deep.equal([
      'dispatcher: SELECT',
      'location: SELECT, INSERT, UPDATE, DELETE',
      'registered_numbers: SELECT',
      'subscriber: SELECT',
      'trunk_numbers: SELECT',
      'version: SELECT',
    ])
    await database.close()
  })

  it('refuses a database that has seen some of them only, and says how to upgrade it', async () => {
    const { name, database } = await former()
    await database.source.query('DELETE FROM migrations ORDER BY timestamp DESC LIMIT 2')
    const { code, output } = await migrate(name)
    expect(code).to.equal(1)
    expect(output).to.include(
      'the database is too old for this version (its last migration is TrunkSpellings1790000000179): upgrade it to commit 1b0ff627d4d0 first, then to this version',
    )
    expect(await namesOf(database)).to.deep.equal(beforeBaseline.slice(0, -2))
    await database.close()
  })
})
