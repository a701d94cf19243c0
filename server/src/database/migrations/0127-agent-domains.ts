import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'
const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`
const hex = (length: number) => `CHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin NULL`

/** Prefix of a workspace's id in the domain of its agents (sip-accounts/sip-domains.ts). */
const prefix = 'agents--'

interface Forgotten {
  addresses: { username: string; domain: string }[]
}

/**
 * Agents get a SIP domain of their own, so that an agent and a SIP account may have one username. The old domain stays the
 * realm of their digests, and their phones register there as long as no SIP account has the name: the view `subscriber` has
 * where the edge keeps such a registration (`aor_domain`). Present registrations move there, too.
 */
export class AgentDomains1790000000127 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await refuseAmbiguousIds(runner)
    await runner.query(`
      ALTER TABLE agents
        ADD COLUMN realm ${word(190)} NULL AFTER domain,
        ADD COLUMN address_ha1b ${hex(32)} AFTER ha1b_sha256,
        ADD COLUMN address_ha1b_sha256 ${hex(64)} AFTER address_ha1b`)
    await runner.query(
      'UPDATE agents SET realm = domain, domain = CONCAT(?, domain) WHERE domain IS NOT NULL',
      [prefix],
    )
    await runner.query(`
      ALTER TABLE agents
        ADD UNIQUE KEY agents_address (username, domain), ADD UNIQUE KEY agents_realm (username, realm)`)
    await runner.query(`
      UPDATE location
      JOIN agents agent ON agent.username = location.username COLLATE ascii_bin AND agent.realm = location.domain COLLATE ascii_bin
      LEFT JOIN sip_accounts account ON account.username = agent.username AND account.domain = agent.realm
      SET location.domain = agent.domain WHERE account.id IS NULL`)
    await forgetAtBoth(runner)
    // A look-up by username and domain is pushed into each part, which reads one row by a unique key.
    await runner.query(`
      CREATE OR REPLACE SQL SECURITY DEFINER VIEW subscriber AS
        SELECT username, domain, domain AS aor_domain, workspace_id, id AS account_id, ha1, ha1b, ha1_sha256, ha1b_sha256
        FROM sip_accounts
        UNION ALL
        SELECT username, domain, domain, workspace_id, id, ha1, COALESCE(address_ha1b, ha1b),
          ha1_sha256, COALESCE(address_ha1b_sha256, ha1b_sha256)
        FROM agents WHERE is_active = 1 AND ha1 IS NOT NULL
        UNION ALL
        SELECT username, realm, domain, workspace_id, id, ha1, ha1b, ha1_sha256, ha1b_sha256
        FROM agents WHERE is_active = 1 AND ha1 IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM sip_accounts account WHERE account.username = agents.username AND account.domain = agents.realm)`)
    await runner.query('DROP TABLE sip_usernames')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sip_usernames (
        workspace_id ${id} NOT NULL,
        username ${word(30)} NOT NULL,
        domain ${word(190)} NULL,
        sip_account_id ${id} NULL,
        agent_id ${id} NULL,
        PRIMARY KEY (workspace_id, username),
        UNIQUE KEY sip_usernames_address (username, domain),
        UNIQUE KEY sip_usernames_sip_account (workspace_id, sip_account_id),
        UNIQUE KEY sip_usernames_agent (workspace_id, agent_id),
        CONSTRAINT sip_usernames_sip_account FOREIGN KEY (workspace_id, sip_account_id) REFERENCES sip_accounts (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT sip_usernames_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`
      UPDATE location
      JOIN agents agent ON agent.username = location.username COLLATE ascii_bin AND agent.domain = location.domain COLLATE ascii_bin
      SET location.domain = agent.realm`)
    await runner.query(`
      ALTER TABLE agents DROP KEY agents_address, DROP KEY agents_realm`)
    await runner.query('UPDATE agents SET domain = realm')
    await runner.query(`
      INSERT INTO sip_usernames (workspace_id, username, domain, sip_account_id)
      SELECT workspace_id, username, domain, id FROM sip_accounts`)
    await runner.query(`
      INSERT INTO sip_usernames (workspace_id, username, domain, agent_id)
      SELECT workspace_id, username, domain, id FROM agents
      WHERE (workspace_id, username) NOT IN (SELECT workspace_id, username FROM sip_accounts)`)
    await runner.query(`
      CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW subscriber AS
        SELECT name.username, name.domain, name.workspace_id,
          COALESCE(account.id, agent.id) AS account_id,
          COALESCE(account.ha1, agent.ha1) AS ha1,
          COALESCE(account.ha1b, agent.ha1b) AS ha1b,
          COALESCE(account.ha1_sha256, agent.ha1_sha256) AS ha1_sha256,
          COALESCE(account.ha1b_sha256, agent.ha1b_sha256) AS ha1b_sha256
        FROM sip_usernames name
        LEFT JOIN sip_accounts account ON account.id = name.sip_account_id
        LEFT JOIN agents agent ON agent.id = name.agent_id
        WHERE account.id IS NOT NULL OR (agent.is_active = 1 AND agent.ha1 IS NOT NULL)`)
    await runner.query(`
      ALTER TABLE agents DROP COLUMN realm, DROP COLUMN address_ha1b, DROP COLUMN address_ha1b_sha256`)
  }
}

/** The agents of `acme` and the SIP accounts of a workspace `agents--acme` would have one domain. */
async function refuseAmbiguousIds(runner: QueryRunner): Promise<void> {
  const pairs = (await runner.query(
    'SELECT one.id FROM workspaces one JOIN workspaces other ON other.id = CONCAT(?, one.id)',
    [prefix],
  )) as { id: string }[]
  if (pairs.length === 0) return
  const named = pairs.map(({ id: one }) => `${prefix}${one}`).join(', ')
  throw new Error(
    `The workspaces ${named} have the SIP domains that the agents of other workspaces get: delete them before this upgrade`,
  )
}

/** The edge may not have heard yet that it is to forget an agent's phones: by now they may be kept at the new domain. */
async function forgetAtBoth(runner: QueryRunner): Promise<void> {
  const jobs = (await runner.query(
    "SELECT id, CONCAT(payload, '') AS payload FROM outbox WHERE kind = 'edge.forget'",
  )) as {
    id: string
    payload: string
  }[]
  for (const { id: job, payload } of jobs) {
    const { addresses } = JSON.parse(payload) as Forgotten
    const both = addresses.flatMap((one) => [one, { ...one, domain: `${prefix}${one.domain}` }])
    await runner.query('UPDATE outbox SET payload = ? WHERE id = ?', [
      JSON.stringify({ addresses: both }),
      job,
    ])
  }
}
