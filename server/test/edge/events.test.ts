/** What Kamailio tells the server of registrations, as they come and go. */
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { EdgeEvents } from '../../src/edge/edge-events.js'
import { eventually } from '../support/api-client.js'
import { type Transport } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'

describe('edge: events of registrations', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let address: string
  let secret: string
  let events: EdgeEvents
  let told: string[]
  let connections: number
  const phones: SipPhone[] = []
  const sockets: Socket[] = []

  before(async () => {
    world = await EdgeWorld.start()
    const { rpcHost, eventsPort, rpcSecret } = world.edge.options
    address = `${rpcHost}:${eventsPort}`
    secret = rpcSecret
  })
  beforeEach(async () => {
    told = []
    connections = 0
    events = new EdgeEvents([address], secret, pino({ level: 'silent' }))
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
  after(async () => world.stop())

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
    const another = new EdgeEvents([address], secret, pino({ level: 'silent' }))
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
    events.stop()
    const { rpcHost, eventsPort } = world.edge.options
    const silent = connect(eventsPort, rpcHost)
    const wrong = connect(eventsPort, rpcHost)
    sockets.push(silent, wrong)
    const heard: string[] = []
    for (const socket of sockets) socket.on('data', (chunk) => heard.push(String(chunk)))
    await Promise.all([once(silent, 'connect'), once(wrong, 'connect')])
    wrong.write('5:wrong,')
    const account = await world.account()
    await register(await open(account))
    // Whoever knows it is told, and was told what the others were not.
    events = new EdgeEvents([address], secret, pino({ level: 'silent' }))
    events.on('registration', (username, domain) => told.push(`${username}@${domain}`))
    events.start()
    await isTold()
    expect(heard).to.deep.equal([])
    expect(world.edge.log).to.not.contain('5:wrong')
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
