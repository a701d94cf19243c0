import { expect } from 'chai'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import { SipPhone } from '../support/sip-phone.js'
import { selfSigned } from '../support/tls-relay.js'
import { EdgeWorld } from './accounts.js'

describe('edge: a renewed certificate', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let directory: string

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
    directory = await mkdtemp(join(tmpdir(), 'jackfield-renewal-'))
  })
  after(async () => {
    fabric?.close()
    const { obituary } = world.edge
    await world?.stop()
    await rm(directory, { recursive: true, force: true })
    expect(obituary).to.equal(undefined)
  })

  for (const transport of ['tls', 'wss'] as const) {
    it(`is shown to new connections, while a call over ${transport} goes on over its own`, async () => {
      const { options } = world.edge
      const account = await world.account()
      const phone = await SipPhone.open(options, { ...account, transport })
      const uri = `sip:100@${account.domain}`
      fabric.requests.length = 0
      const answer = await phone.authorised('INVITE', uri, { to: uri })
      expect(answer.status, answer.text).to.equal(200)
      const dialog = SipDialog.calling(phone, answer)
      await dialog.acknowledge()

      const pair = await selfSigned(directory)
      const fresh = new X509Certificate(await readFile(pair.certificate)).fingerprint256
      const port = transport === 'tls' ? options.tlsPort : options.wssPort
      expect(await shown(port)).not.to.equal(fresh)
      await copyFile(pair.key, join(options.directory, 'tls/server.key'))
      await copyFile(pair.certificate, join(options.directory, 'tls/server.crt'))
      await world.edge.rpc('tls.reload')
      await eventually(
        async () => shown(port),
        (seen) => seen === fresh,
        { withinMs: 5000, what: 'the new one' },
      )

      expect((await dialog.request('INVITE')).status, 'from the phone').to.equal(200)
      const back = SipDialog.called(fabric, fabric.requests[0] ?? '')
      expect((await back.request('INVITE')).status, 'to the phone').to.equal(200)
      expect((await dialog.request('BYE')).status).to.equal(200)
      phone.close()
    })
  }
})

/** @returns the fingerprint of the certificate that a new connection is shown */
async function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}
