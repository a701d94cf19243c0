/** Where SIP URIs of customers lead. */
import { expect } from 'chai'
import { isShortNumber, numbersOf, parseSipUri } from '../../src/features/calls/model/sip-uri.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { NextHops } from '../../src/infrastructure/http-client/next-hops.js'
import { type SipHost, inOrder } from '../../src/infrastructure/http-client/sip-servers.js'
import { DnsServer, type Naptr, type Srv } from '../support/dns-server.js'

describe('SIP URIs', () => {
  const read: [text: string, uri: object][] = [
    ['sip:bob@pbx.test', { user: 'bob', host: 'pbx.test', port: null, transport: null }],
    ['sip:bob@8.8.8.8', { host: '8.8.8.8', port: null, transport: 'udp' }],
    ['sip:bob@pbx.test;transport=udp', { host: 'pbx.test', port: null, transport: 'udp' }],
    ['SIP:Bob@PBX.Test:5070', { user: 'Bob', host: 'pbx.test', port: 5070, transport: 'udp' }],
    ['sip:+1202@192.0.2.1;transport=TCP', { user: '+1202', host: '192.0.2.1', port: null, transport: 'tcp' }],
    ['sip:b_o-b.1@[2001:db8::1]:5061;transport=tls', { host: '2001:db8::1', port: 5061, transport: 'tls' }],
  ]
  for (const [text, uri] of read) {
    it(`are read: ${text}`, () => expect(parseSipUri(text)).to.include(uri))
  }

  const wrong = [
    ...[
      '',
      'bob@pbx.test',
      'sips:bob@pbx.test',
      'sip:pbx.test',
      'sip:@pbx.test',
      'sip:bob@',
      'tel:+12025550100',
    ],
    ...['sip:bob:pw@pbx.test', 'sip:bob@pbx.test:80', 'sip:bob@pbx.test:99999', 'sip:bob@pbx.test;lr'],
    ...['sip:bob@localhost', 'sip:bob@-pbx.test', 'sip:bob@pbx..test', 'sip:bob@1.2.3', 'sip:bob@0177.0.0.1'],
    ...[
      'sip:bob@pbx.test\r\nX: y',
      'sip:bob@pbx.test,sip:x@y.test',
      'sip:b%20b@pbx.test',
      'sip:bob@[pbx.test]',
    ],
  ]
  for (const text of wrong) {
    it(`are not: ${JSON.stringify(text)}`, () => expect(parseSipUri(text)).to.equal(null))
  }
})

describe('next hops of SIP URIs', () => {
  let dns: DnsServer
  let hops: NextHops

  before(async () => {
    const zone: Record<string, readonly (string | Srv | Naptr)[]> = {
      'one.test': ['192.0.2.1', '198.51.100.7', '8.8.8.8', '10.0.0.1', '127.0.0.1', '2606:4700::1111'],
      '_sip._udp.served.test': ['one.test'],
      'inside.test': ['10.0.0.1', 'fd00::1', '169.254.169.254'],
      'allowed.test': ['10.9.0.1'],
      'down.test': ['8.8.8.1', '8.8.8.2', '8.8.8.3', '8.8.8.4', '8.8.8.5'],
      '_sip._udp.ranked.test': [
        { target: 'one.test', port: 5071, priority: 20 },
        { target: 'down.test', port: 5072, priority: 10 },
      ],
      'none.test': ['8.8.8.8'],
      '_sip._udp.none.test': [{ target: '', port: 0 }],
      '_sip._udp.mail.test': [{ target: 'one.test', port: 25 }],
      '_sips._tcp.mail.test': [{ target: 'one.test', port: 443 }],
      '_sip._udp.sly.test': [
        { target: 'inside.test', port: 5060 },
        { target: '127.0.0.1', port: 5060 },
      ],
      '_sip._tcp.stream.test': [{ target: 'one.test', port: 5073 }],
      'any.test': [
        { service: 'SIP+D2U', replacement: '_sip._udp.ranked.test', order: 50, preference: 1 },
        { service: 'SIPS+D2T', replacement: '_sips._tcp.mail.test', order: 10, preference: 20 },
        { service: 'sip+d2t', replacement: '_sip._tcp.stream.test', order: 10, preference: 10, flags: 'S' },
        { service: 'SIP+D2S', replacement: '_sip._sctp.any.test', order: 1 },
        { service: 'E2U+sip', replacement: '', order: 1, flags: 'u' },
      ],
      'secured.test': [{ service: 'SIPS+D2T', replacement: '_sips._tcp.mail.test' }, '8.8.8.9'],
    }
    dns = await DnsServer.start((name) => zone[name] ?? [])
    hops = new NextHops({ allowed_networks: [parseNetwork('10.9.0.0/16')!], dns_servers: [dns.address] })
  })
  after(() => dns.close())

  const of = async (host: string, more: Partial<SipHost> = {}) =>
    (await hops.of({ host, port: 5070, transport: 'udp', ...more })).map(
      ({ address, port }) => `${address} ${port}`,
    )

  it('are the public addresses of a name, IPv4 first', async () => {
    expect(await of('one.test')).to.deep.equal(['8.8.8.8 5070', '2606:4700::1111 5070'])
  })
  it('are none of a name that leads inside, or nowhere', async () => {
    expect(await of('inside.test')).to.deep.equal([])
    expect(await of('nowhere.test')).to.deep.equal([])
  })
  it('are those that the operator allows', async () => {
    expect(await of('allowed.test')).to.deep.equal(['10.9.0.1 5070'])
  })
  it('are found by SRV when no port is named, else at the port of SIP', async () => {
    expect(await of('served.test', { port: null })).to.have.length(2)
    expect(await of('allowed.test', { port: null })).to.deep.equal(['10.9.0.1 5060'])
    expect(await of('allowed.test', { port: null, transport: 'tls' })).to.deep.equal(['10.9.0.1 5061'])
  })
  it('are tried by priority, a few of each server, so that the next one is reached in time', async () => {
    expect(await of('ranked.test', { port: null })).to.deep.equal([
      ...['8.8.8.1 5072', '8.8.8.2 5072', '8.8.8.8 5071', '2606:4700::1111 5071'],
    ])
  })
  it('are none where DNS says that there is no SIP, nor at the port of another service', async () => {
    expect(await of('none.test', { port: null })).to.deep.equal([])
    expect(await of('mail.test', { port: null })).to.deep.equal([])
    expect(await of('sly.test', { port: null }), 'SRV records lead inside').to.deep.equal([])
  })
  it('are at the port that is given for want of SRV records', async () => {
    expect(await of('allowed.test', { port: null, otherwise: 5088 })).to.deep.equal(['10.9.0.1 5088'])
  })
  it('are asked for by address alone where a port is named', async () => {
    dns.questions.length = 0
    expect(await of('none.test', { port: 5060 })).to.deep.equal(['8.8.8.8 5060'])
    expect(dns.questions).to.have.members(['A none.test', 'AAAA none.test'])
  })
  it('are found by NAPTR where no transport is named, in order and preference', async () => {
    const all = async (host: string) =>
      (await hops.found({ host, port: null, transport: null })).map(
        ({ address, port, transport, server }) => `${address} ${port} ${transport} ${server}`,
      )
    expect((await all('any.test'))[2]).to.equal('8.8.8.8 5073 tcp one.test')
    expect((await all('secured.test'))[2]).to.equal('8.8.8.8 443 tls one.test')
    expect((await all('stream.test'))[2], 'by SRV alone').to.equal('8.8.8.8 5073 tcp one.test')
    expect(await all('allowed.test'), 'by address alone').to.deep.equal(['10.9.0.1 5060 udp null'])
  })
  it('are an address itself, when it may be asked for', async () => {
    expect(await of('8.8.4.4')).to.deep.equal(['8.8.4.4 5070'])
    expect(await of('127.0.0.1')).to.deep.equal([])
    expect(hops.allows({ host: '::ffff:127.0.0.1' })).to.equal(false)
    expect(hops.allows({ host: 'any.test' })).to.equal(true)
  })
})

describe('SRV records', () => {
  const records = [
    ...[
      { name: 'spare', priority: 20, weight: 0 },
      { name: 'small', priority: 10, weight: 1 },
    ],
    ...[
      { name: 'large', priority: 10, weight: 3 },
      { name: 'idle', priority: 10, weight: 0 },
    ],
  ]
  it('are in the order of their priority, and as often first as their weight says', () => {
    const firsts = new Map<string, number>()
    for (let at = 0; at < 1; at += 1 / 500) {
      let draws = 0
      const ordered = inOrder(records, () => (draws++ === 0 ? at : 0)).map(({ name }) => name)
      expect(ordered).to.have.members(['spare', 'small', 'large', 'idle'])
      expect(ordered.at(-1)).to.equal('spare')
      firsts.set(ordered[0]!, (firsts.get(ordered[0]!) ?? 0) + 1)
    }
    expect(Object.fromEntries(firsts)).to.deep.equal({ idle: 100, small: 100, large: 300 })
  })
})

describe('numbers that a carrier may take the user part of a SIP URI for', () => {
  const cases: [user: string, numbers: string[]][] = [
    ['+442071838750', ['442071838750']],
    ['+44-207-183.8750', ['442071838750']],
    ['44.7911-123456', ['447911123456']],
    ['00447911123456', ['00447911123456', '447911123456', '0447911123456']],
    ['011447911123456', ['011447911123456', '447911123456', '11447911123456']],
    ['+00447911123456', ['00447911123456', '447911123456', '0447911123456']],
    ['+4407911123456', ['4407911123456', '447911123456']],
    ['004407911123456', ['004407911123456', '4407911123456', '447911123456', '04407911123456']],
    ['2025550106', ['2025550106']],
    ['bob', []],
    ['room-101', []],
    ['123456', []],
  ]
  for (const [user, numbers] of cases) {
    it(`are those of ${user}`, () => expect(numbersOf(user, null)).to.have.members(numbers))
  }
  it('are those that people of a country dial, too', () => {
    expect(numbersOf('2025550106', 'US')).to.have.members(['2025550106', '12025550106'])
    expect(numbersOf('07911123456', 'GB')).to.include('447911123456')
    expect(numbersOf('+2025550106', 'US'), 'it says of which country it is').to.have.members(['2025550106'])
  })
  it('are none of short ones, which are told apart', () => {
    for (const user of ['118118', '+118', '1-1-8', '0']) {
      expect(numbersOf(user, 'GB'), user).to.deep.equal([])
      expect(isShortNumber(user), user).to.equal(true)
    }
    for (const user of ['bob', 'room-101', '1181188']) expect(isShortNumber(user), user).to.equal(false)
  })
})
