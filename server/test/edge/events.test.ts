/** What Kamailio tells the server of registrations, as they come and go. */
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { EdgeEvents } from '../../src/adapters/kamailio/edge-events.js'
import { eventually } from '../support/api-client.js'
import { Child } from '../support/child.js'
import { type Transport } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { TcpCut } from '../support/tcp-cut.js'
import { type Account, EdgeWorld } from './accounts.js'

const deafReader = fileURLToPath(new URL('../../../test/support/deaf-reader.py', import.meta.url))

describe('edge: events of registrations', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let client: EdgeClient
  let events: EdgeEvents
  let told: string[]
  let connections: number
  const phones: SipPhone[] = []
  const sockets: Socket[] = []

  before(async () => {
    // else the core says nothing of connections
    world = await EdgeWorld.start({ logLevel: 'info' })
    const { rpcHost, rpcPort, rpcSecret } = world.edge.options
    client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
  })
  beforeEach(async () => {
    told = []
    connections = 0
    events = new EdgeEvents([client], pino({ level: 'silent' }))
    events.on('registration', (username, domain) => told.push(`${username}@${domain}`))
    events.on('connected', () => (connections += 1))
    events.start()
    await isTold()
  })
  afterEach(() => {
    events.stop()
    for (const phone of phones.splice(0)) phone.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(async () => world?.stop())

  const open = async (account: Account, transport: Transport = 'udp') => {
    const phone = await SipPhone.open(world.edge.options, { ...account, transport })
    phones.push(phone)
    return phone
  }
  const register = async (phone: SipPhone, options: { expires?: number } = {}) =>
    expect((await phone.register(options)).status).to.equal(200)
  const nameOf = ({ username, domain }: Account) => `${username}@${domain}`
  const toldOf = (account: Account) => told.filter((one) => one === nameOf(account)).length
  const untilTold = async (account: Account, times: number) =>
    eventually(
      async () => toldOf(account),
      (count) => count === times,
      { what: 'events', withinMs: 15_000 },
    )

  /** Waits until this client is the one that is told. */
  async function isTold(): Promise<void> {
    await eventually(
      async () => {
        const account = await world.account()
        await register(await open(account))
        return eventually(
          async () => toldOf(account),
          (count) => count > 0,
          { withinMs: 500 },
        ).catch(() => 0)
      },
      (count) => count > 0,
      { what: 'events of registrations', withinMs: 15_000 },
    )
  }

  it('tell of an address as its phone registers and unregisters, and not when it does so again', async () => {
    const account = await world.account()
    const phone = await open(account)
    await register(phone)
    await untilTold(account, 1)
    await register(phone)
    await register(phone, { expires: 0 })
    await untilTold(account, 2)
  })

  it('tell all servers', async () => {
    const another = new EdgeEvents([client], pino({ level: 'silent' }))
    const heard: string[] = []
    another.on('registration', (username, domain) => heard.push(`${username}@${domain}`))
    another.start()
    try {
      await once(another, 'connected')
      // Kamailio reads the key some time after it was sent.
      await eventually(
        async () => {
          const account = await world.account()
          await register(await open(account))
          await untilTold(account, 1)
          return heard.includes(nameOf(account))
        },
        (isHeard) => isHeard,
        { what: 'both servers told', withinMs: 10_000 },
      )
    } finally {
      another.stop()
    }
  })

  for (const transport of ['tcp', 'tls', 'ws'] as const) {
    it(`tell of a phone whose ${transport} connection is lost`, async () => {
      const account = await world.account()
      const phone = await open(account, transport)
      await register(phone)
      await untilTold(account, 1)
      phone.close()
      await untilTold(account, 2)
    })
  }

  it('are told to nobody who does not know the secret', async () => {
    const { rpcHost, rpcPort } = world.edge.options
    const heard: string[] = []
    for (const authorization of ['', 'Authorization: Bearer wrong\r\n']) {
      const socket = connect(rpcPort, rpcHost)
      sockets.push(socket)
      socket.on('data', (chunk) => heard.push(String(chunk)))
      socket.write(`GET /events HTTP/1.1\r\nHost: edge\r\n${authorization}\r\n`)
      await once(socket, 'close')
    }
    expect(heard.map((answer) => answer.split('\r\n')[0])).to.deep.equal(
      Array(2).fill('HTTP/1.1 401 Unauthorized'),
    )
  })

  it('hold nobody up for a server that takes none, whose connection is closed', async () => {
    const { rpcHost, rpcPort, rpcSecret } = world.edge.options
    const question = `GET /events HTTP/1.1\r\nHost: edge\r\nAuthorization: Bearer ${rpcSecret}\r\n\r\n`
    const deaf = await Child.start('python3', [deafReader, rpcHost, String(rpcPort), question])
    try {
      await eventually(
        async () => deaf.output,
        (output) => output.includes('connected'),
        { what: 'a server that does not read' },
      )
      // Long names fill what the system keeps for it the sooner.
      const account = await world.account('u'.repeat(30), 'w'.repeat(40))
      const phone = await open(account)
      for (let round = 0; round < 1_000; round += 1) {
        await register(phone)
        await register(phone, { expires: 0 })
        if (world.edge.log.includes('write queue full or timeout')) break
      }
      expect(world.edge.log).to.contain('write queue full or timeout')
      await register(phone)
    } finally {
      await deaf.stop()
    }
  })

  it('are asked for anew when the edge is silent, as after a loss of power', async () => {
    const { rpcPort, rpcSecret } = world.edge.options
    const cut = await TcpCut.to(rpcPort)
    const far = new EdgeEvents(
      [new EdgeClient(`http://127.0.0.1:${cut.port}/RPC`, rpcSecret)],
      pino({ level: 'silent' }),
    )
    try {
      let times = 0
      far.on('connected', () => (times += 1))
      far.start()
      await once(far, 'connected')
      cut.freeze()
      await once(far, 'connected', { signal: AbortSignal.timeout(12_000) })
      expect(times).to.equal(2)
    } finally {
      far.stop()
      await cut.close()
    }
  })

  it('are told again after a restart, which is said', async () => {
    await world.edge.restart()
    await eventually(
      async () => connections,
      (count) => count >= 2,
      { what: 'connection', withinMs: 15_000 },
    )
    await isTold()
  })
})
