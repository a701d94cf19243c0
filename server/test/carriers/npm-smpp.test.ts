/** Another maker's SMSC: the npm package `smpp`, whose "ASCII" is GSM 03.38 and goes with data_coding 1. */
import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { SMPP_DEFAULTS, type SmppSettings } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { SmppLink } from '../../src/adapters/sms/kinds/smpp/smpp-link.js'
import { encodedText, codingOf, decodeTexts } from '../../src/adapters/sms/text/encoded-text.js'
import { eventually } from '../support/api-client.js'
import { RecordingHolder, handset, ours, submitAll, text } from './smpp-fixture.js'

interface Pdu {
  destination_addr: string
  source_addr_ton: number
  short_message: { message: string; udh?: Buffer[] }
  data_coding: number
  response: (fields?: object) => Pdu
}

interface Session {
  on: (event: string, take: (pdu: Pdu) => void) => void
  send: (pdu: Pdu) => void
  deliver_sm: (fields: object, answered?: (pdu: { command_status: number }) => void) => void
  close: () => void
}

const smpp = createRequire(import.meta.url)('smpp') as {
  createServer: (options: object, take: (session: Session) => void) => Server
}

describe('the SMSC of npm', () => {
  const holder = new RecordingHolder()
  const submitted: Pdu[] = []
  const links: SmppLink[] = []
  let server: Server
  let session: Session | undefined

  before(async () => {
    server = smpp.createServer({}, (opened) => {
      for (const event of ['bind_transceiver', 'enquire_link'])
        opened.on(event, (pdu) => opened.send(pdu.response({ system_id: 'npm' })))
      opened.on('submit_sm', (pdu) => {
        submitted.push(pdu)
        opened.send(pdu.response({ message_id: `id-${submitted.length}` }))
      })
      opened.on('unbind', (pdu) => {
        opened.send(pdu.response())
        opened.close()
      })
      opened.on('error', () => undefined)
      session = opened
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  })
  after(async () => {
    await Promise.all(links.map(async (link) => link.stop()))
    server.close()
  })

  async function bound(settings: Partial<SmppSettings> = {}): Promise<SmppLink> {
    const { port } = server.address() as AddressInfo
    const own = { host: '127.0.0.1', port, system_id: 'jackfield', password: 'secret', ...settings }
    const link = new SmppLink({ ...SMPP_DEFAULTS, ...own }, holder, pino({ level: 'silent' }))
    links.push(link)
    link.start()
    await eventually(
      async () => link.health.state,
      (state) => state === 'up',
      { what: 'bind' },
    )
    return link
  }
  const deliver = async (fields: object): Promise<number> =>
    new Promise((answered) =>
      session?.deliver_sm({ source_addr: handset, destination_addr: ours, ...fields }, ({ command_status }) =>
        answered(command_status),
      ),
    )

  it('is read as it writes', async () => {
    await bound({ inbound_ascii_data_coding: 'gsm7' })
    expect(await deliver({ short_message: 'Grüße €{ok} @_' })).to.equal(0)
    const part = (index: number, message: string) => ({
      ...{ esm_class: 0x40, short_message: { udh: Buffer.from([5, 0, 3, 9, 2, index]), message } },
    })
    await deliver(part(1, 'part one '))
    await deliver(part(2, 'part two €'))
    await deliver({ short_message: 'Žluťoučký 😀' })
    const [whole, one, two, wide] = holder.segments
    expect(whole?.body).to.equal('Grüße €{ok} @_')
    expect(wide?.body).to.equal('Žluťoučký 😀')
    const parts = [one, two].map((each) => encodedText(each!.encoded!.octets, codingOf(each!.encoded!)))
    expect(decodeTexts(parts)).to.equal('part one part two €')
    expect([one, two].map((each) => each?.concatenation?.index)).to.eql([0, 1])
    expect(whole).to.include({ from: handset, from_type: 'unknown' })
  })

  it('reads what goes out, long texts too', async () => {
    const link = await bound()
    const bodies = ['Grüße {€}', 'Žluťoučký 😀', 'x'.repeat(200)]
    for (const body of bodies) await submitAll(link, text(body))
    expect(submitted.map(({ short_message }) => short_message.message)).to.eql([
      ...[bodies[0], bodies[1], 'x'.repeat(153), 'x'.repeat(47)],
    ])
    expect(submitted[2]?.short_message.udh).to.have.length(1)
    expect(submitted[0]).to.include({ destination_addr: handset, source_addr_ton: 1 })
  })
})
