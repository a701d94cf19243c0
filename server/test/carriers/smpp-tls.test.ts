/** SMPP over TLS: to whom a link gives its password. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { TlsRelay, selfSigned } from '../support/tls-relay.js'
import { SmppWorld, submitAll, text } from './smpp-fixture.js'

describe('SMPP over TLS', function () {
  this.timeout(30_000)
  let directory: string
  let world: SmppWorld
  let relay: TlsRelay
  let authority: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-smpp-'))
    const files = await selfSigned(directory)
    authority = await readFile(files.certificate, 'utf8')
    world = await SmppWorld.start()
    relay = await TlsRelay.start('127.0.0.1', world.smsc.port, files)
  })

  after(async () => {
    await world.end()
    await relay?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('binds to an SMSC whose certificate is from the authority of the settings', async () => {
    const link = await world.bound({ tls: true, tls_ca: authority, port: relay.port })
    const [id] = await submitAll(link, text('in secret'))
    await world.smsc.until('submission', () => world.smsc.submits.length === 1)
    expect(world.smsc.submits[0]).to.include({ id, text: 'in secret' })
    await link.stop()
    await world.bound({ tls: true, tls_ca: authority, tls_server_name: 'localhost', port: relay.port })
    expect(relay.serverName).to.equal('localhost')
  })

  const refusals = [
    ['whose certificate is from another authority', { tls: true, tls_ca: '' }, /self-signed certificate/],
    [
      'whose certificate has another name',
      { tls: true, tls_server_name: 'smsc.example.com' },
      /does not match/,
    ],
    ['that expects TLS without it', { tls: false }, /closed the connection|ECONNRESET/],
  ] as const
  for (const [what, settings, reason] of refusals) {
    it(`does not bind to an SMSC ${what}`, async () => {
      const binds = world.smsc.binds.length
      const link = world.link({ tls_ca: authority, ...settings, port: relay.port })
      await world.smsc.until('refusal', () => link.health.last_error !== null)
      expect(link.health.state).to.equal('down')
      expect(link.health.last_error).to.match(reason)
      await link.stop()
      expect(world.smsc.binds).to.have.length(binds)
    })
  }

  it('tells of an SMSC that does not speak TLS', async () => {
    const link = world.link({ tls: true, tls_ca: authority })
    await world.smsc.until('refusal', () => link.health.last_error !== null)
    expect(link.health.state).to.equal('down')
  })
})
