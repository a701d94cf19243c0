/** Phones and carriers that insist on SRTP, called and calling, on a real FreeSWITCH and Kamailio. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { freePortRun } from '../support/free-ports.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { selfSigned } from '../support/tls-relay.js'

const deskHz = 500
const carrierHz = 1500

describe('encrypted media on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let desk: Telephone
  let directory: string
  let tls: { certificate: string; key: string }

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    directory = await mkdtemp(join(tmpdir(), 'jackfield-tls-'))
    tls = await selfSigned(directory)
    phones = await PhoneBench.start({ edge: { tlsCaFile: tls.certificate } })
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
  })
  after(async () => {
    await phones?.stop()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const kamailio = () => phones.bench.appliance.kamailio!

  const proxy = (transport: 'udp' | 'tls') => {
    const { sipHost, sipPort, tlsPort } = kamailio().options
    return `sip:${sipHost}:${transport === 'tls' ? tlsPort : sipPort};transport=${transport}`
  }

  const strict = async (
    account: Account,
    transport: 'udp' | 'tls',
    more: { dial?: string; toneHz?: number } = {},
  ): Promise<Baresip> => {
    const baresip = await Baresip.start(
      { ...account, password, proxy: proxy(transport) },
      { codec: 'g711', encrypts: 'srtp-mand', ...more },
    )
    await eventually(
      async () =>
        kamailio()
          .rpc('ul.lookup', ['location', `${account.username}@${account.domain}`])
          .catch(() => null),
      (found) => found !== null,
      { what: `registration of ${account.username}` },
    )
    return baresip
  }

  /** A call of the desk; returns how many legs it needed. */
  const bridge = async (to: string, far: Baresip, hz: number): Promise<number> => {
    const call = desk.call(to)
    expect(await call.answered(), far.output).to.equal(200)
    expect(call.statuses.filter((status) => status >= 300)).to.deep.equal([])
    await eventually(
      async () => hears(call, hz),
      (level) => level > 0.8,
      { what: 'its tone' },
    )
    await far.hears(deskHz)
    await call.hangUp()
    const { legs, status } = await phones.lastCall()
    expect(status).to.equal('completed')
    return legs.filter(({ role }) => role === 'called').length
  }

  for (const [transport, calls] of [
    ['tls', [1, 1]],
    ['udp', [2, 1]],
  ] as const) {
    it(`a desk phone without it calls one over ${transport} that insists: both hear`, async () => {
      const account = await phones.account(`called${transport}`)
      const baresip = await strict(account, transport, { toneHz: 900 })
      try {
        for (const legs of calls) expect(await bridge(account.username, baresip, 900)).to.equal(legs)
      } finally {
        await baresip.stop()
      }
    })
  }

  it('the API calls one over UDP that insists', async () => {
    const account = await phones.account('byapi')
    const baresip = await strict(account, 'udp', { toneHz: 900 })
    try {
      const id = await phones.bench.call(account.username, [
        { action: 'tts', params: { text: 'Thank you for calling.' } },
      ])
      const { status, legs } = await phones.bench.ended(id)
      expect(status, baresip.output).to.equal('completed')
      expect(legs.map(({ sip_code }) => sip_code)).to.deep.equal([488, null])
    } finally {
      await baresip.stop()
    }
  })

  it('a plain phone over UDP gets one INVITE, of plain RTP alone', async () => {
    const plain = await phones.phone(await phones.account('plain'))
    const call = desk.call('plain')
    expect(await call.answered()).to.equal(200)
    const { received } = await plain.called(0)
    expect(received.filter((text) => text.startsWith('INVITE'))).to.have.length(1)
    expect(received[0]).to.match(/^m=audio \d+ RTP\/AVP /m)
    expect(received[0]).to.not.match(/SAVP|a=crypto/)
    await call.hangUp()
  })

  it('a phone that refuses both is called twice, and its caller hears 488', async () => {
    const picky = await phones.phone(await phones.account('picky'), { onCall: 488 })
    const call = desk.call('picky')
    expect(await call.answered()).to.equal(488)
    const offers = picky.incoming.map(({ received }) => /RTP\/S?AVP/.exec(received[0] ?? '')?.[0])
    expect(offers).to.deep.equal(['RTP/AVP', 'RTP/SAVP'])
    const record = await phones.lastCall()
    expect(record.legs.filter(({ role }) => role === 'called').map(({ sip_code }) => sip_code)).to.deep.equal(
      [488, 488],
    )
  })

  it('two phones that insist on it hear each other', async () => {
    const bob = await phones.account('bob')
    const bobs = await strict(bob, 'tls', { toneHz: 1300 })
    const alice = await phones.account('alice')
    const alices = await strict(alice, 'tls', { toneHz: 900, dial: 'bob' })
    try {
      await phones.lastCallIs('active')
      await Promise.all([bobs.hears(900), alices.hears(1300)])
    } finally {
      await alices.stop()
      await bobs.stop()
    }
    expect(await phones.lastCall()).to.include({ status: 'completed' })
  })

  describe('a carrier over TLS', () => {
    /** Connects a number whose calls go out over it. */
    const over = async (port: number, national: string, media_encryption: string) => {
      const uris = [{ uri: '127.0.0.1', port, protocol: 'tls' as const, priority: 1 }]
      const number = await phones.bench.connectNumber(national, uris)
      const { body } = await phones.api.get(`/phone-numbers/${number}`)
      const path = `/sip-trunks/gateways/${body.outbound_gateway_id as string}`
      const changed = await phones.api.patch(path, { media_encryption })
      expect(changed.body).to.include({ media_encryption })
      const caller = await phones.account(`out${national}`, `1${national}`)
      return phones.phone(caller, { toneHz: deskHz })
    }

    const cases = [
      ['required', 'srtp-mand', [null]],
      ['optional', 'srtp-mand', [null]],
      ['optional', undefined, [488, null]],
      ['required', undefined, [488]],
      ['none', 'srtp-mand', [488]],
      ['none', undefined, [null]],
    ] as const
    for (const [index, [media_encryption, encrypts, legs]] of cases.entries()) {
      const title = encrypts ? 'that insists on SRTP' : 'without SRTP'
      it(`${title}, over a gateway where it is ${media_encryption}: ${legs.join(', ')}`, async () => {
        const port = (await freePortRun(2)) + 1
        const carrier = await Baresip.carrier('+12025550106', port, tls, {
          ...{ codec: 'g711', toneHz: carrierHz },
          ...(encrypts && { encrypts }),
        })
        try {
          const national = `20255501${String(30 + index)}`
          const caller = await over(port, national, media_encryption)
          const call = caller.call('+12025550106')
          const isReached = legs.at(-1) === null
          expect(await call.answered(), carrier.output).to.equal(isReached ? 200 : 488)
          if (isReached) {
            await eventually(
              async () => hears(call, carrierHz),
              (level) => level > 0.8,
              { what: 'its tone' },
            )
            await carrier.hears(deskHz)
            await call.hangUp()
          }
          const record = await phones.lastCall()
          const called = record.legs.filter(({ role }) => role === 'called')
          expect(called.map(({ sip_code }) => sip_code)).to.deep.equal(legs)
        } finally {
          await carrier.stop()
        }
      })
    }
  })
})
