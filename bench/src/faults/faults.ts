/** The rows of the table: what is done to which part. */
import { run } from './command.js'
import { Crowd, DatabaseCrowd } from './crowd.js'
import { cut, join, ofConnections, ofTcp, ofUdp } from './cuts.js'
import type { Disk } from './disk.js'
import type { PartName, Plant } from './plant.js'
import { addressSpace, ownerOf, portsTo, processesOf } from './processes.js'
import { parts } from './watch.js'

export interface Fault {
  name: string
  part: string
  what: string
  /** How long it lasts; 0 for what is over at once. */
  seconds: number
  /** @returns how it is lifted */
  strike(plant: Plant): Promise<() => Promise<string | undefined>>
}

const seconds = 10

export const titles: Readonly<Record<PartName, string>> = {
  server: 'server',
  switch: 'FreeSWITCH',
  kamailio: 'Kamailio',
  mariadb: 'MariaDB',
}
const names: Readonly<Record<PartName, string>> = {
  server: 'server',
  switch: 'switch',
  kamailio: 'edge',
  mariadb: 'database',
}
/** Beyond what a part has, before it is limited. */
const headroomBytes = 4e6

const nothing = async () => undefined

const killed = (part: PartName): Fault => ({
  ...{ name: `${names[part]}-killed`, part: titles[part], what: 'killed with -9', seconds: 0 },
  strike: async (plant) => {
    plant.signal(part, 'SIGKILL')
    return nothing
  },
})

const paused = (part: PartName): Fault => ({
  ...{ name: `${names[part]}-paused`, part: titles[part], what: 'stopped (SIGSTOP)', seconds },
  strike: async (plant) => {
    plant.signal(part, 'SIGSTOP')
    return async () => {
      plant.signal(part, 'SIGCONT')
      return undefined
    }
  },
})

const cutOff = (
  name: string,
  part: string,
  what: string,
  rules: (plant: Plant) => Promise<string[]>,
): Fault => ({
  ...{ name, part, what, seconds },
  strike: async (plant) => {
    await cut(await rules(plant))
    return async () => {
      await join()
      return undefined
    }
  },
})

const fromDatabase = (part: PartName) =>
  cutOff(`${names[part]}-database-cut`, titles[part], 'cut off from MariaDB', async (plant) => {
    const port = plant.ports.DATABASE_PORT
    return ofConnections(await portsTo(plant.pid(part), port), port)
  })

const full = (name: string, what: string, diskOf: (plant: Plant) => Disk): Fault => ({
  ...{ name, part: 'disk', what, seconds },
  strike: async (plant) => {
    await diskOf(plant).fill()
    return async () => {
      await diskOf(plant).free()
      return undefined
    }
  },
})

/** Of each of its processes: what is in use now, and little more. */
const outOfMemory = (part: PartName): Fault => ({
  ...{ name: `${names[part]}-memory`, part: titles[part], what: 'gets no more memory (RLIMIT_AS)', seconds },
  strike: async (plant) => {
    const pid = plant.pid(part)
    const limited = new Set<number>()
    for (const one of await processesOf(pid)) {
      const bytes = await addressSpace(one)
      if (bytes === null) continue // it had only a moment's work
      limited.add(one)
      await limit(one, bytes + headroomBytes)
    }
    return async () => {
      for (const one of limited) await limit(one, 'unlimited').catch(nothing) // it ended of it
      return plant.pid(part) === pid ? 'lived on' : 'ended of it'
    }
  },
})

async function limit(pid: number, bytes: number | 'unlimited'): Promise<void> {
  // Only who owns a process, and MariaDB's is not root, may always set its limits.
  await run('prlimit', ['--pid', String(pid), `--as=${bytes}:`], await ownerOf(pid))
}

const crowded = (
  name: string,
  part: string,
  what: string,
  port: (plant: Plant) => number,
  count: number,
): Fault => ({
  ...{ name, part, what: `${count.toLocaleString('en')} idle connections ${what}`, seconds },
  strike: async (plant) => {
    const crowd = new Crowd()
    crowd.gather(port(plant), count)
    return async () => {
      const { size } = crowd
      crowd.disperse()
      return `${size} of them were up`
    }
  },
})

const databaseCrowded: Fault = {
  ...{ name: 'database-connections', part: 'MariaDB', what: 'all its connections taken', seconds },
  strike: async (plant) => {
    const crowd = await DatabaseCrowd.gather({
      port: plant.ports.DATABASE_PORT,
      user: 'jackfield',
      password: plant.secret('db-password'),
    })
    return async () => {
      crowd.disperse()
      return `${crowd.size} were left to take`
    }
  },
}

/** A part that is killed twice within a minute is started again ever more slowly: kinds of faults take turns with parts. */
export const faults: readonly Fault[] = [
  ...parts.map(killed),
  ...parts.map(paused),
  fromDatabase('server'),
  cutOff('server-switch-cut', 'server', 'cut off from FreeSWITCH', async ({ ports }) =>
    ofTcp(ports.SWITCH_PORT),
  ),
  cutOff('server-edge-cut', 'server', 'cut off from Kamailio', async ({ ports }) => [
    ...ofTcp(ports.EDGE_RPC_PORT),
  ]),
  fromDatabase('kamailio'),
  cutOff('edge-switch-cut', 'Kamailio', 'cut off from FreeSWITCH', async ({ ports }) =>
    ofUdp(ports.SIP_PORT, ports.SWITCH_SIP_PORT),
  ),
  full('disk-full', 'of all state full', ({ home }) => home),
  full('recordings-disk-full', 'of recordings full', ({ recordings }) => recordings),
  ...parts.map(outOfMemory),
  crowded('server-connections', 'server', 'to the API', ({ ports }) => ports.HTTP_PORT, 5_000),
  crowded('switch-connections', 'FreeSWITCH', 'to the Event Socket', ({ ports }) => ports.SWITCH_PORT, 500),
  crowded('edge-connections', 'Kamailio', 'by TCP', ({ ports }) => ports.SIP_PORT, 3_000),
  databaseCrowded,
]
