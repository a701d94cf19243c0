/** The names that phones register with: agents and SIP accounts of a workspace share one namespace. */
import type { EntityManager } from 'typeorm'
import { isDuplicate } from '../database/database.js'
import { conflict } from '../http/errors.js'
import { SipUsername } from './sip-username.entity.js'

interface Owner {
  id: string
  workspace_id: string
  username: string
  domain: string | null
}

/**
 * Takes the name of a SIP account that the transaction has written.
 * @throws 409 when it is an agent's
 */
export async function nameSipAccount(tx: EntityManager, account: Owner): Promise<void> {
  const { id, workspace_id, username, domain } = account
  await refusing(`The username ${username} is that of an agent of this workspace`, async () =>
    tx.insert(SipUsername, { workspace_id, username, domain, sip_account_id: id }),
  )
}

/**
 * Takes the name of an agent that the transaction has written, in place of the one that it had.
 * @throws 409 when it is a SIP account's
 */
export async function nameAgent(tx: EntityManager, agent: Owner): Promise<void> {
  const { id, workspace_id, username, domain } = agent
  await refusing(`The username ${username} is that of a SIP account of this workspace`, async () => {
    await tx.delete(SipUsername, { workspace_id, agent_id: id })
    await tx.insert(SipUsername, { workspace_id, username, domain, agent_id: id })
  })
}

/**
 * Tells where an agent registers who has its name already. One whose name was a SIP account's before the two had to
 * differ gets it when it has become free, and registers nowhere until then.
 */
export async function placeAgent(tx: EntityManager, agent: Owner): Promise<void> {
  const { id, workspace_id, username, domain } = agent
  await tx.query(
    `INSERT INTO sip_usernames (workspace_id, username, domain, agent_id) VALUES (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE domain = IF(agent_id = ?, ?, domain)`,
    [workspace_id, username, domain, id, id, domain],
  )
}

async function refusing(message: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isDuplicate(error) ? conflict(message) : error
  }
}
