import { expect } from 'chai'
import { addressOf, outboundUris } from '../src/lib/gateway-uris.js'
import { fields, table } from '../src/lib/table.js'
import { nearest } from '../src/lib/texts.js'

describe('what the command line reads and writes', () => {
  it('aligns columns, and lets no text steer the terminal', () => {
    const rows = [
      { id: 'a', title: 'Long title' },
      { id: 'bcd', title: '\u001b[2Jx' },
    ]
    const drawn = table(rows, { id: ({ id }) => id, title: ({ title }) => title, none: () => null })
    expect(drawn.split('\n')).to.deep.equal([
      'ID   TITLE       NONE',
      'a    Long title  -',
      'bcd  \ufffd[2Jx       -',
    ])
    expect(fields({ id: 'a', allowed: ['x', 'y'] })).to.equal('id       a\nallowed  x, y')
    const nested = {
      acl: { id: 'b', none: {} },
      nodes: [{ id: 'c', next: { yes: 'd' } }],
      on: true,
      text: 'e\nf',
    }
    expect(fields(nested).split('\n')).to.deep.equal([
      'acl.id            b',
      'acl.none          -',
      'nodes.0.id        c',
      'nodes.0.next.yes  d',
      'on                yes',
      'text              e ↵ f',
    ])
  })

  it('reads gateway addresses as it writes them', () => {
    const texts = ['a.example:5060', '[2001:db8::1]:5070;transport=tcp', 'b.example:5061;transport=tls']
    const byDns = ['c.example', 'd.example;transport=udp', 'e.example;transport=tls']
    expect(outboundUris(byDns).map(addressOf)).to.deep.equal(byDns)
    expect(outboundUris(texts).map(addressOf)).to.deep.equal(texts)
    expect(outboundUris(['a', 'b;transport=tls'])).to.deep.equal([
      { uri: 'a', port: 5060, protocol: 'udp', priority: 1, lookup: 'naptr' },
      { uri: 'b', port: 5061, protocol: 'tls', priority: 2, lookup: 'srv' },
    ])
    expect(outboundUris(['192.0.2.1;transport=tls'])).to.deep.equal([
      { uri: '192.0.2.1', port: 5061, protocol: 'tls', priority: 1 },
    ])
    for (const text of ['', 'a b', 'a;transport=sctp', 'a:b'])
      expect(() => outboundUris([text])).to.throw('--uri')
  })

  it('finds the command that was meant', () => {
    const known = ['call make', 'call list', 'number list']
    expect(nearest('cal make', known)).to.equal('call make')
    expect(nearest('numbr lst', known)).to.equal('number list')
    expect(nearest('titel', ['text', 'title'])).to.equal('title')
    expect(nearest('something else', known)).to.equal(undefined)
    expect(nearest('bogus', ['login'])).to.equal(undefined)
  })
})
