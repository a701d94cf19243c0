/** Cells as the table has them, and their switches, for tests of the edge alone. */
import { freePorts } from '../support/free-ports.js'
import type { KamailioOptions } from '../support/kamailio.js'
import { SipPhone } from '../support/sip-phone.js'
import type { EdgeWorld } from './accounts.js'

export interface Cell {
  readonly name: string
  /** `host:port` of its switch. */
  readonly address: string
  /** In the place of its switch; answers all with 200. */
  readonly fabric: SipPhone
  /** Methods of what came to it, but for pings. */
  heard(): string[]
  /** Ends the switch without a word. */
  die(): void
}

/** Opens a switch, and writes its cell. @param host where the switch is, and whence it calls */
export async function newCell(
  world: EdgeWorld,
  name: string,
  host: string,
  edge: KamailioOptions = world.edge.options,
): Promise<Cell> {
  const [port = 0] = await freePorts(1)
  const fabric = await SipPhone.asSwitch({ ...edge, switchHost: host, switchPort: port })
  const address = `${host}:${port}`
  await world.query(
    'INSERT INTO cells SET name = ?, switch_address = ?, server_id = ?, beat_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY, is_up = TRUE',
    [name, address, `server-of-${name}`],
  )
  let lives = true
  const heard = () =>
    fabric.requests.map((text) => text.split(' ', 1)[0] ?? '').filter((method) => method !== 'OPTIONS')
  const die = () => {
    if (lives) fabric.close()
    lives = false
  }
  return { name, address, fabric, heard, die }
}

export async function setCell(world: EdgeWorld, { name }: Pick<Cell, 'name'>, sql: string): Promise<void> {
  await world.query(`UPDATE cells SET ${sql} WHERE name = ?`, [name])
}

/** The switches that the edge gives new calls to, by their addresses. */
export async function takingCalls({ edge }: EdgeWorld): Promise<string[]> {
  const listed = (await edge.rpc('dispatcher.list').catch(() => null)) as Listed | null
  const sets = listed?.RECORDS ?? []
  return sets
    .filter(({ SET }) => SET.ID === 1)
    .flatMap(({ SET }) => SET.TARGETS.map(({ DEST }) => DEST))
    .filter(({ FLAGS }) => FLAGS.startsWith('A'))
    .map(({ URI }) => URI.replace('sip:', ''))
    .sort()
}

interface Listed {
  RECORDS: { SET: { ID: number; TARGETS: { DEST: { URI: string; FLAGS: string } }[] } }[]
}
