/** The SIP of real calls, captured at the edge, as Wireshark reads it. */
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { freePorts } from '../support/free-ports.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'

const sentence = { action: 'tts', params: { text: 'Thank you.' } }

/** Far more than the edge takes of a stranger in two seconds. */
const floodSize = 2_000

interface SipLine {
  method: string
  status: string
  callId: string
  source: string
  destination: string
}

describe('captured SIP', function () {
  this.timeout(90_000)
  let bench: InboundBench
  let directory: string
  const homer = createSocket('udp4')
  const passedOn: Buffer[] = []

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    directory = await mkdtemp(join(tmpdir(), 'jackfield-pcap-'))
    homer.on('message', (datagram) => passedOn.push(datagram))
    homer.bind(0, '127.0.0.1')
    await once(homer, 'listening')
    const [capturePort = 0] = await freePorts(1)
    bench = await InboundBench.start({
      edge: { capturePort },
      settings: {
        JACKFIELD_SIP_CAPTURE_PORT: String(capturePort),
        JACKFIELD_SIP_CAPTURE_HEP_ADDRESS: `127.0.0.1:${homer.address().port}`,
      },
    })
  })
  after(async () => {
    homer.close()
    await bench?.stop()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const pathOf = (callId: string) => `/workspaces/${bench.bench.workspace.id}/calls/${callId}/sip.pcap`

  const download = async (callId: string) => bench.bench.appliance.operator.get(pathOf(callId))

  /** The messages of a call, once it is captured to its end. */
  async function linesOf(callId: string): Promise<SipLine[]> {
    return eventually(
      async () => read((await download(callId)).body as Buffer),
      (lines) => lines.some(({ method }) => method === 'BYE'),
      { what: 'a BYE in the pcap' },
    )
  }

  async function read(pcap: Buffer): Promise<SipLine[]> {
    const path = join(directory, 'call.pcap')
    await writeFile(path, pcap)
    const fields = ['sip.Method', 'sip.Status-Code', 'sip.Call-ID', 'udp.srcport', 'udp.dstport']
    const checks = ['ip.check_checksum:TRUE', 'udp.check_checksum:TRUE'].flatMap((option) => ['-o', option])
    const bad = ['-Y', '_ws.malformed || ip.checksum.status == 0 || udp.checksum.status == 0']
    // Else it guesses by the port, and ours are any.
    const asSip = ['-d', 'udp.port==1024-65535,sip']
    const tshark = async (...args: string[]) => promisify(execFile)('tshark', ['-r', path, ...asSip, ...args])
    expect((await tshark(...checks, ...bad)).stdout).to.equal('')
    const { stdout } = await tshark('-T', 'fields', ...fields.flatMap((name) => ['-e', name]))
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [method = '', status = '', callId = '', source = '', destination = ''] = line.split('\t')
        return { method, status, callId, source, destination }
      })
  }

  it('has both sides of a call that went out over a carrier, from INVITE to BYE', async () => {
    const id = await bench.bench.call('+12025550100', [sentence])
    await bench.bench.ended(id)
    const lines = await linesOf(id)
    const { sipPort, privatePort } = bench.bench.appliance.kamailio!.options
    const invites = lines.filter(({ method }) => method === 'INVITE')
    expect(invites.map(({ destination }) => Number(destination))).to.include(privatePort)
    expect(invites.map(({ source }) => Number(source))).to.include(sipPort)
    expect(new Set(lines.map(({ callId }) => callId)).size).to.equal(1)
    expect(lines.map(({ status }) => status)).to.include.members(['180', '200'])
    expect(lines.map(({ method }) => method)).to.include.members(['ACK', 'BYE'])
    expect(passedOn.length).to.be.greaterThan(5)
    expect(passedOn[0]!.toString('latin1', 0, 4)).to.equal('HEP3')
  })

  it('has that of a call that came in, and of those it was connected with, and of no other', async () => {
    await bench.runs([
      { id: 'out', type: 'to_operator', params: { phone_number: '+12025550100', from: bench.number } },
    ])
    const phone = await bench.caller()
    const dialog = await bench.answeredCall(phone)
    await dialog.hangUp()
    const { call_id } = await bench.lastCall()
    const lines = await linesOf(call_id)
    expect(lines.filter(({ method }) => method === 'INVITE').length).to.be.greaterThan(3)
    expect(new Set(lines.map(({ callId }) => callId)).size).to.equal(2)
  })

  it('has little of a flood that the edge drops', async () => {
    const { sipHost, sipPort } = bench.bench.appliance.kamailio!.options
    const invite = (index: number) =>
      [
        `INVITE sip:100@${sipHost} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.9:5099;branch=z9hG4bKflood${index}`,
        ...['Max-Forwards: 70', 'From: <sip:a@127.0.0.9>;tag=1', `To: <sip:100@${sipHost}>`],
        ...[`Call-ID: flood-${index}`, 'CSeq: 1 INVITE', 'Contact: <sip:a@127.0.0.9:5099>'],
        ...['Content-Length: 0', '', ''],
      ].join('\r\n')
    const flood = createSocket('udp4')
    flood.bind(0, '127.0.0.9')
    await once(flood, 'listening')
    for (let index = 0; index < floodSize; index++) {
      await new Promise((sent) => flood.send(invite(index), sipPort, sipHost, sent))
    }
    flood.close()
    const id = await bench.bench.call('+12025550100', [sentence])
    await bench.bench.ended(id)
    await linesOf(id)
    const copied = passedOn.filter((datagram) => datagram.includes('Call-ID: flood-')).length
    expect(copied).to.be.within(1, floodSize / 8)
  })

  it('is for the operator of this workspace’s call alone', async () => {
    const { call_id } = await bench.lastCall()
    expect((await bench.api.get(pathOf(call_id))).status).to.equal(404)
    const other = await bench.bench.appliance.workspace()
    const elsewhere = await bench.bench.appliance.operator.get(
      `/workspaces/${other.id}/calls/${call_id}/sip.pcap`,
    )
    expect(elsewhere.status).to.equal(404)
  })

  it('loses the calls of a person who is erased, and keeps those of others', async () => {
    const { appliance } = bench.bench
    const erased = await bench.bench.call('+12025550100', [sentence])
    await bench.bench.ended(erased)
    const kept = await bench.bench.call('+12025550106', [sentence])
    await bench.bench.ended(kept)
    const [gone, stays] = [(await linesOf(erased))[0]!.callId, (await linesOf(kept))[0]!.callId]
    const captures = join(appliance.mediaDirectory, 'sip-capture')
    const holding = async (callId: string) => {
      const files = await Promise.all(
        (await readdir(captures)).map(async (name) => readFile(join(captures, name))),
      )
      return files.filter((content) => content.includes(callId)).length
    }
    expect(await holding(gone)).to.be.above(0)
    await succeed(bench.api.post('/erasures', { number: '+12025550100' }))
    await eventually(
      async () => holding(gone),
      (files) => files === 0,
      { withinMs: 40_000, what: 'captures without the person' },
    )
    expect(await holding(stays)).to.be.above(0)
    expect((await linesOf(kept)).length).to.be.above(4)
  })

  it('is kept over a restart of the server', async () => {
    const { call_id } = await bench.lastCall()
    const before = (await download(call_id)).body as Buffer
    await bench.bench.appliance.stopServer()
    await bench.bench.appliance.startServer()
    expect((await download(call_id)).body).to.deep.equal(before)
  })
})
