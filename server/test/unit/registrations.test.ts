/** Removing many registrations at several edges, one of which is dead: on a real MariaDB. */
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { OutboxJob } from '../../src/infrastructure/database/outbox.js'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { Edges } from '../../src/adapters/kamailio/edges.js'
import { entities } from '../../src/app/entities.js'
import { Registrations } from '../../src/features/sip-accounts/registrations.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'

interface Request {
  method: string
  params: string[]
}

describe('registrations that are removed', function () {
  this.timeout(60_000)
  let database: Database
  /** Removed addresses, in turn, at an edge that takes a while for each. */
  const removed: string[] = []
  /** What came to one that says nothing, until it is mended. */
  let asked = 0
  let isMute = true
  const servers: Server[] = []

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 10 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
  })
  after(async () => {
    for (const server of servers) {
      server?.close()
      server.closeAllConnections()
    }
    await database?.close()
  })

  const edge = async (take: (request: Request, answer: () => void) => void) => {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () =>
        take(JSON.parse(text) as Request, () => response.end('{"jsonrpc":"2.0","id":1,"result":{}}')),
      )
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { address: `127.0.0.1:${port}`, client: new EdgeClient(`http://127.0.0.1:${port}/RPC`, 'secret') }
  }

  it('are removed at the others soon, by one run at a time, and at a dead edge when it is back', async () => {
    const living = await edge(({ method, params }, answer) => {
      if (method === 'ul.rm') removed.push(params[1] ?? '')
      setTimeout(answer, 100)
    })
    const dead = await edge((_, answer) => {
      asked += 1
      if (!isMute) answer()
    })
    const registrations = new Registrations(database, new Edges(living, [dead]), pino({ level: 'silent' }))
    const addresses = Array.from({ length: 200 }, (_, index) => ({
      ...{ username: `phone-${index}`, domain: 'acme.sip.localhost' },
    }))
    const gone: string[] = []
    registrations.on('removed', (username) => gone.push(username))
    await database.transaction(async (tx) => registrations.removeSoon(tx, addresses))
    registrations.start()
    const began = performance.now()
    await eventually(
      async () => Promise.resolve(removed.length),
      (count) => count >= addresses.length,
      { what: 'all of them', withinMs: 30_000 },
    )
    expect(performance.now() - began, 'one after another takes 40 s').to.be.below(12_000)
    expect(new Set(removed).size, 'none twice before all were').to.equal(addresses.length)
    expect(asked, 'it is not waited for 200 times').to.be.below(25)
    isMute = false
    const jobs = async () => database.platformTable(OutboxJob).count()
    await eventually(jobs, (count) => count === 0, { what: 'the end of the job', withinMs: 30_000 })
    expect(new Set(gone).size).to.equal(addresses.length)
    await registrations.stop()
  })
})
