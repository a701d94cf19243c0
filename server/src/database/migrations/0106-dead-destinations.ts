import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What leads to an extension's destination. */
const destinations = {
  agent: 'agents',
  team: 'teams',
  sip_account: 'sip_accounts',
  voice_agent: 'voice_agents',
}
/** What flows name and may be deleted all the same. */
const named = {
  agent: 'agents',
  team: 'teams',
  voice_agent: 'voice_agents',
  extension: 'extensions',
  phone_number: 'phone_numbers',
}

/**
 * An agent, a SIP account, a team, a voice agent, an extension or a number can be deleted although others refer to it:
 * extensions keep the id of their destination, and the references of flows to it are deleted with it.
 */
export class DeadDestinations1790000000106 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const kind of Object.keys(destinations)) {
      await runner.query(`ALTER TABLE extensions DROP FOREIGN KEY extensions_${kind}`)
    }
    for (const [kind, table] of Object.entries(named))
      await references(runner, kind, table, 'ON DELETE CASCADE')
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [kind, table] of Object.entries(named)) await references(runner, kind, table, '')
    for (const [kind, table] of Object.entries(destinations)) {
      await runner.query(`
        DELETE FROM extensions WHERE ${kind}_id IS NOT NULL AND ${kind}_id NOT IN (SELECT id FROM ${table})`)
      await runner.query(`
        ALTER TABLE extensions ADD CONSTRAINT extensions_${kind} FOREIGN KEY (workspace_id, ${kind}_id)
          REFERENCES ${table} (workspace_id, id)`)
    }
  }
}

async function references(runner: QueryRunner, kind: string, table: string, rule: string): Promise<void> {
  const key = `call_flow_references_${kind}_id`
  await runner.query(`ALTER TABLE call_flow_references DROP FOREIGN KEY ${key}`)
  await runner.query(`
    ALTER TABLE call_flow_references ADD CONSTRAINT ${key} FOREIGN KEY (workspace_id, ${kind}_id)
      REFERENCES ${table} (workspace_id, id) ${rule}`)
}
