/** Gateways that register at their carriers, on a real FreeSWITCH and Kamailio. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { freePorts } from '../support/free-ports.js'
import { InboundBench } from '../support/inbound-bench.js'
import { startKamailio } from '../support/kamailio.js'
import { PhoneBench } from '../support/phone-bench.js'
import { Registrar } from '../support/registrar.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

const credential = { username: 'acme77', password: 'pass, "word"' }

describe('gateways that register on the freeswitch', function () {
  this.timeout(90_000)
  let bench: CallBench
  let inbound: InboundBench
  let registrar: Registrar
  /** Another edge, which is not there at first. */
  let other: string
  const opened: Registrar[] = []

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    const [second = 0] = await freePorts(1)
    other = `127.0.0.53:${second}`
    bench = await CallBench.start('freeswitch', { settings: { JACKFIELD_EDGE_OTHERS: other } })
    inbound = InboundBench.on(bench)
  })
  beforeEach(async () => {
    registrar = await open('127.0.0.91')
  })
  afterEach(() => {
    for (const one of opened.splice(0)) one.close()
  })
  after(async () => inbound?.stop())

  const open = async (host: string, transport: 'udp' | 'tcp' = 'udp') => {
    const one = await Registrar.open(host, transport)
    one.passwords[credential.username] = credential.password
    opened.push(one)
    return one
  }
  const uriOf = ({ host, port }: Registrar, priority = 1, protocol: 'udp' | 'tcp' = 'udp') => ({
    ...{ uri: host, port, protocol, priority },
  })
  const make = async (more: object = {}): Promise<string> => {
    const { status, body } = await bench.api.post('/sip-trunks/gateways', {
      ...{ title: 'Carrier', outbound_uris: [uriOf(registrar)], credential, register: true, ...more },
    })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body.id as string
  }
  const shown = async (id: string) => (await bench.api.get(`/sip-trunks/gateways/${id}`)).body
  const reaches = async (id: string, status: string) =>
    eventually(
      async () => (await shown(id)).registration,
      (one) => one?.status === status,
      { withinMs: 20_000, what: `registration that is ${status}` },
    )
  const change = async (id: string, changes: object) => {
    const { status, body } = await bench.api.patch(`/sip-trunks/gateways/${id}`, changes)
    expect(status, JSON.stringify(body)).to.equal(200)
  }
  const connect = async (national: string, outbound_gateway_id: string): Promise<string> => {
    const { status, body } = await bench.api.post('/phone-numbers/connect', {
      ...{ title: 'Trunk', number: national, country_code: 'US', enable_outbound: true },
      ...{ inbound_acl_id: await emptyAcl(), outbound_gateway_id },
    })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body.id as string
  }
  const emptyAcl = async (): Promise<string> =>
    (await bench.api.post('/sip-trunks/acls', { title: 'Nobody', mode: 'ip', allowed_ips: [] })).body.id
  const userOf = (contact: string): string => /^sip:([^@]+)@/.exec(contact)?.[1] ?? ''
  const statusOf = async (phone: Telephone, user: string) => phone.call(user).answered()

  it('answer the challenge, ask for what they are set to, and are shown as registered until what is granted', async () => {
    registrar.mostExpires = 100
    registrar.algorithm = 'SHA-256'
    const id = await make({ register_user: 'pbx', register_domain: 'carrier.example', register_expires: 300 })
    const registration = await reaches(id, 'registered')
    expect(registration).to.include({ sip_code: 200, reason: 'OK' })
    const left = Date.parse(registration.registered_until) - Date.now()
    expect(left).to.be.within(60_000, 100_000)
    const [first, second] = registrar.requests.map(({ text }) => ({ text }))
    expect(first!.text).to.match(/^REGISTER sip:carrier\.example SIP/)
    expect(header(first!, 'To')).to.equal('<sip:pbx@carrier.example>')
    expect(header(first!, 'From')).to.match(/^<sip:pbx@carrier\.example>;tag=/)
    expect(header(first!, 'Expires')).to.equal('300')
    expect(header(first!, 'Authorization')).to.equal(undefined)
    expect(header(second!, 'Authorization')).to.include('username="acme77"').and.include('algorithm=SHA-256')
    expect(header(second!, 'Call-ID')).to.equal(header(first!, 'Call-ID'))
    const { sipHost, sipPort } = bench.appliance.kamailio!.options
    expect(header(second!, 'Contact')).to.match(new RegExp(`^<sip:jf[0-9a-f]{40}@${sipHost}:${sipPort}>$`))
    for (const { text } of registrar.requests) expect(text).not.to.match(/X-Edge|pass, /)
    expect(JSON.stringify(await shown(id))).not.to.include(userOf(await registrar.contact()))
  })

  it('refresh in time, are asked for longer (423), and answer a stale nonce with the same password', async () => {
    registrar.mostExpires = 6
    registrar.minExpires = 90
    const id = await make({ register_expires: 60 })
    await reaches(id, 'registered')
    const contact = await registrar.contact()
    expect(registrar.requests.map(({ text }) => header({ text }, 'Expires'))).to.deep.equal(
      ['60', '60', '90'].concat(registrar.requests.length > 3 ? ['90'] : []),
    )
    registrar.stale.add(registrar.nonce)
    let spoilt = 0
    registrar.answerTo = (text) => {
      // the nonce of the first answer is too old by the time it is used
      if (header({ text }, 'Authorization') && spoilt++ === 0) registrar.stale.add(registrar.nonce)
      return undefined
    }
    const before = registrar.requests.length
    await eventually(
      async () => registrar.requests.length - before,
      (more) => more >= 3,
      { withinMs: 10_000, what: 'a refresh that is challenged twice' },
    )
    const refresh = registrar.requests.slice(before, before + 3).map(({ text }) => ({ text }))
    expect(refresh.map((one) => header(one, 'Expires'))).to.deep.equal(['90', '90', '90'])
    await reaches(id, 'registered')
    expect([...registrar.bindings]).to.deep.equal([contact])
  })

  it('do not try a wrong password, or what is forbidden, again and again', async () => {
    registrar.passwords[credential.username] = 'another'
    const id = await make()
    expect(await reaches(id, 'refused')).to.include({
      sip_code: 403,
      reason: 'Forbidden',
      registered_until: null,
    })
    expect(registrar.requests).to.have.length(2)
    const rows = await dueOf(id)
    expect(rows).to.be.within(55_000, 80_000)
    registrar.passwords[credential.username] = credential.password
    await change(id, { credential })
    await reaches(id, 'registered')
  })

  it('go to the next address when one is silent or answers 5xx', async () => {
    const second = await open('127.0.0.92')
    registrar.answerTo = () => null
    const third = await open('127.0.0.93')
    third.answerTo = (text) => third.reply(text, 503, 'Busy')
    const uris = [uriOf(registrar), uriOf(third, 2), uriOf(second, 3)]
    const id = await make({ outbound_uris: uris, register_domain: 'carrier.example' })
    await reaches(id, 'registered')
    expect(second.bindings.size).to.equal(1)
    expect(third.requests).to.have.length(1)
    await change(id, { outbound_uris: [uriOf(third)] })
    expect(await reaches(id, 'unreachable')).to.include({ sip_code: 503, reason: 'Busy' })
    expect(await dueOf(id)).to.be.within(5_000, 12_000)
  })

  it('register over TCP, over one connection', async () => {
    const stream = await open('127.0.0.96', 'tcp')
    await reaches(await make({ outbound_uris: [uriOf(stream, 1, 'tcp')] }), 'registered')
    expect(await stream.contact()).to.match(/;transport=tcp$/)
    expect(stream.connections).to.have.length(1)
  })

  it('are taken back when they are changed, do not register any more, or are deleted', async () => {
    const id = await make()
    const first = await registrar.contact()
    await change(id, { register_user: 'other' })
    const second = await registrar.contact([first])
    await eventually(
      async () => registrar.bindings.has(first),
      (held) => !held,
      { what: 'no old binding' },
    )
    const taken = registrar.requests.findLast(({ text }) => header({ text }, 'Expires') === '0')!
    expect(header(taken, 'To')).to.equal(`<sip:acme77@${registrar.host}>`)
    await change(id, { register: false })
    await eventually(
      async () => registrar.bindings.size,
      (left) => left === 0,
      { what: 'no binding' },
    )
    expect(userOf(second)).not.to.equal(userOf(first))
    expect((await shown(id)).registration).to.equal(null)
    await change(id, { register: true })
    await registrar.contact()
    expect((await bench.api.delete(`/sip-trunks/gateways/${id}`)).status).to.equal(200)
    await eventually(
      async () => registrar.bindings.size,
      (left) => left === 0,
      { what: 'no binding' },
    )
  })

  it('are registered again once the edge has restarted', async () => {
    const id = await make()
    await reaches(id, 'registered')
    const contact = await registrar.contact()
    const before = registrar.requests.length
    await bench.appliance.kamailio!.restart()
    await eventually(
      async () => registrar.requests.length,
      (count) => count >= before + 2,
      { withinMs: 20_000, what: 'registration after the restart' },
    )
    expect([...registrar.bindings]).to.deep.equal([contact])
  })

  it('are registered by another edge once theirs is gone, in the place of the old Contact', async () => {
    const id = await make()
    await reaches(id, 'registered')
    const own = bench.appliance.kamailio!
    const [privateHost = '', port] = other.split(':')
    const second = await startKamailio({
      ...{ database: own.options.database, switchPort: own.options.switchPort },
      ...{ privateHost, privatePort: Number(port), rpcHost: privateHost, rpcPort: own.options.rpcPort },
    })
    try {
      await own.restart(async () => {
        const [old = ''] = registrar.bindings
        const fresh = await registrar.contact([old])
        expect(fresh).to.equal(old.replace(/:\d+$/, `:${second.options.sipPort}`))
        expect([...registrar.bindings]).to.deep.equal([fresh])
      })
    } finally {
      await second.stop()
    }
  })

  describe('and are called', () => {
    const numbers = ['2025550161', '2025550162'] as const
    let phones: PhoneBench
    let desk: Telephone
    let id: string
    let contact: string

    before(async () => {
      phones = PhoneBench.on(bench)
      const account = await phones.account('desk')
      desk = await phones.phone(account)
      const extension_id = await phones.extension('101', account)
      await inbound.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id } }])
      // The server may still call phones through the other edge, which is gone: it asks the edges every two seconds.
      const colleague = await phones.phone(await phones.account('colleague'))
      await eventually(
        async () => {
          const dialog = colleague.call('101')
          const status = await dialog.answered()
          if (status === 200) colleague.bye(dialog)
          return status
        },
        (status) => status === 200,
        { what: 'phone that is called through the edge that is back' },
      )
    })
    const callable = async (from = registrar) => {
      id = await make({ outbound_uris: [uriOf(from)] })
      contact = userOf(await from.contact())
      await reaches(id, 'registered')
    }
    const flowOf = async (): Promise<string> =>
      (await bench.api.get(`/phone-numbers/${bench.numberId}`)).body.call_flow_id

    it('ring a phone at the Contact, from any address, by To or P-Called-Party-ID', async () => {
      await callable()
      const first = await connect(numbers[0], id)
      await inbound.takesTo(await flowOf(), first)
      const caller = await inbound.caller({ host: '127.0.0.94' })
      // one number: it is called, whatever To says of the account
      const had = desk.incoming.length
      const dialog = caller.call(contact)
      expect(await dialog.answered()).to.equal(200)
      await desk.called(had)
      caller.bye(dialog)
      expect(await inbound.lastCall()).to.include({ to: `+1${numbers[0]}`, from: '+12125550123' })

      const second = await connect(numbers[1], id)
      await inbound.takesTo(await flowOf(), second)
      // of two it must be said
      expect(await statusOf(caller, contact)).to.equal(403)
      const named = await inbound.caller({
        ...{ host: '127.0.0.94', headers: { 'P-Called-Party-ID': `<sip:+1${numbers[1]}@carrier.example>` } },
      })
      const called = named.call(contact)
      expect(await called.answered()).to.equal(200)
      named.bye(called)
      expect(await inbound.lastCall()).to.include({ to: `+1${numbers[1]}` })

      // a carrier that writes the number in the place of the Contact's user calls from where it is
      const registrars = await inbound.caller({ host: registrar.host })
      const plain = registrars.call(numbers[0])
      expect(await plain.answered()).to.equal(200)
      registrars.bye(plain)
      expect(await statusOf(caller, numbers[0])).to.equal(403)
      // neither a number of another gateway, nor a Contact that nobody has
      const others = await inbound.caller({
        ...{ host: '127.0.0.94', headers: { 'P-Called-Party-ID': '<sip:+12025550199@x>' } },
      })
      expect(await statusOf(others, contact)).to.equal(403)
      expect(await statusOf(caller, `jf${'0'.repeat(40)}`)).to.equal(403)
    })

    it('refuse the Contact once the gateway registers no more', async () => {
      await callable()
      const number = await connect('2025550163', id)
      await inbound.takesTo(await flowOf(), number)
      const caller = await inbound.caller({ host: '127.0.0.95' })
      expect(await statusOf(caller, contact)).to.equal(200)
      await change(id, { register: false })
      expect(await statusOf(caller, contact)).to.equal(403)
    })
  })

  const dueOf = async (id: string): Promise<number> => {
    const [row] = await query(
      bench.appliance,
      `SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), due_at) / 1000 AS ms
       FROM gateway_registrations WHERE current_of = ?`,
      [id],
    )
    return Number(row.ms)
  }
})
