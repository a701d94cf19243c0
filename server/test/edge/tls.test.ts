import { expect } from 'chai'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from 'node:tls'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { Carrier } from '../support/sipp.js'
import { selfSigned } from '../support/tls-relay.js'
import { placeCall } from './calls.js'

describe('edge: TLS', function () {
  this.timeout(30_000)
  let directory: string
  let carrier: Carrier
  let certificate: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-tls-'))
    const tls = await selfSigned(directory)
    certificate = tls.certificate
    carrier = await Carrier.start({ transport: 'tls', tls })
  })
  after(async () => {
    await carrier?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('does not call a carrier whose certificate nobody signed', async () => {
    await withEdge({}, async (edge) => {
      const call = await placeCall(edge, carrier.uri('+12025550100'))
      expect(call.status).to.equal(408)
      expect((await carrier.messages()).filter(({ method }) => method === 'INVITE')).to.have.length(0)
    })
  })

  it('calls it when told not to verify', async () => {
    await withEdge({ tlsVerify: false }, async (edge) => {
      expect((await placeCall(edge, carrier.uri('+12025550100'))).status).to.equal(200)
    })
  })

  it('calls it when its authority is trusted, by its name, over connections that it keeps', async () => {
    await withEdge({ tlsCaFile: certificate }, async (edge) => {
      const before = carrier.connections
      // Kamailio asks DNS only, never /etc/hosts
      await edge.rpc('dns.add_a', ['carrier.test', 600, '127.0.0.1', 2])
      const target = `sip:+12025550100@carrier.test:${carrier.port};transport=tls`
      const call = await placeCall(edge, target, { calls: 10 })
      expect(
        call.messages.filter(({ status }) => status === 200),
        edge.log,
      ).to.have.length(20)
      expect(carrier.connections - before).to.be.within(1, 2)
      expect(carrier.serverName).to.equal('carrier.test')
    })
  })

  it('calls it when its authority is the only one that is trusted, whatever name its certificate is for', async () => {
    await withEdge({ tlsCaFile: certificate, tlsOnlyCaFile: true }, async (edge) => {
      const written = await readFile(join(edge.options.directory, 'tls.cfg'), 'utf8')
      expect(written).not.to.match(/^ca_path/m)
      expect(written).to.match(/^ca_list/m)
      await edge.rpc('dns.add_a', ['other.test', 600, '127.0.0.1', 2])
      const target = `sip:+12025550100@other.test:${carrier.port};transport=tls`
      // What docs/calls/trunks.md says: Kamailio compares no names.
      expect((await placeCall(edge, target)).status).to.equal(200)
    })
  })

  it('speaks TLS 1.2 and later only', async () => {
    await withEdge({ tlsVerify: false }, async ({ options }) => {
      const target = {
        host: options.sipHost,
        port: options.tlsPort,
        rejectUnauthorized: false,
        ciphers: 'ALL:@SECLEVEL=0',
      }
      expect(await tlsVersion({ ...target, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).to.equal('refused')
      expect(await tlsVersion({ ...target, maxVersion: 'TLSv1.2' })).to.equal('TLSv1.2')
      expect(await tlsVersion(target)).to.equal('TLSv1.3')
    })
  })
})

async function withEdge(
  overrides: Parameters<typeof startKamailio>[0],
  work: (edge: Kamailio) => Promise<void>,
): Promise<void> {
  const edge = await startKamailio(overrides)
  try {
    await work(edge)
  } finally {
    await edge.stop()
  }
}

async function tlsVersion(options: ConnectionOptions): Promise<string> {
  return new Promise((answer) => {
    const socket = connect(options, () => {
      answer(socket.getProtocol() ?? '')
      socket.destroy()
    })
    socket.on('error', () => answer('refused'))
  })
}
