import { expect } from 'chai'
import { clientAddress, sourceOf } from '../../src/infrastructure/http/client-address.js'
import { type Network, parseNetwork } from '../../src/lib/networks.js'

const networks = (...blocks: string[]) => blocks.map((block) => parseNetwork(block) as Network)

describe('the address of a client', () => {
  it('is the peer’s, whatever it says, unless that is a proxy of ours', () => {
    const proxies = networks('10.0.0.0/8')
    expect(clientAddress('192.0.2.1', '198.51.100.7', proxies)).to.equal('192.0.2.1')
    expect(clientAddress('10.0.0.1', '198.51.100.7', proxies)).to.equal('198.51.100.7')
    expect(clientAddress('10.0.0.1', '198.51.100.7', [])).to.equal('10.0.0.1')
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.7', proxies)).to.equal('198.51.100.7')
  })

  it('is the last that no proxy of ours has, not what a client has made up before it', () => {
    const proxies = networks('10.0.0.0/8', 'fd00::/8')
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.7, fd00::2', proxies)).to.equal('198.51.100.7')
    expect(clientAddress('10.0.0.1', '198.51.100.7, unknown', proxies)).to.equal('10.0.0.1')
    expect(clientAddress('10.0.0.1', '', proxies)).to.equal('10.0.0.1')
    expect(clientAddress('10.0.0.1', '10.0.0.2', proxies)).to.equal('10.0.0.2')
  })

  it('counts as one source with all of its /64', () => {
    expect(sourceOf('2001:db8:1:2:3::4')).to.equal(sourceOf('2001:db8:1:2:ffff::1'))
    expect(sourceOf('2001:db8:1:2:3::4')).not.to.equal(sourceOf('2001:db8:1:3::4'))
    expect(sourceOf('192.0.2.1')).to.equal('192.0.2.1')
  })
})
