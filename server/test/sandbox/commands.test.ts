import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { journalColumns } from '../../src/sandbox/journal.js'
import { SandboxFixture } from './sandbox-fixture.js'

/** A WAV file of silence, 8 kHz, 16 bits. */
function wav(ms: number): Buffer {
  const data = Buffer.alloc(ms * 16)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(16000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

describe('sandbox: commands', function () {
  this.timeout(10_000)
  const fixture = new SandboxFixture()
  const folder = mkdtempSync(join(tmpdir(), 'jackfield-sandbox-'))
  const journal = join(folder, 'Master.csv')
  const sound = join(folder, 'half a second.wav')
  const api = async (command: string) => fixture.client.api(command)
  const complete = async (id: string) =>
    fixture.client.event('CHANNEL_EXECUTE_COMPLETE', { 'Application-UUID': id })

  before(async () => {
    writeFileSync(sound, wav(500))
    return fixture.start(journal)
  })
  after(async () => {
    await fixture?.stop()
    rmSync(folder, { recursive: true })
  })

  it('plays a file for as long as it lasts', async () => {
    const uuid = await fixture.parked()
    const began = performance.now()
    await fixture.client.execute(uuid, 'playback', sound, 'Event-UUID: e1')
    expect(await complete('e1')).to.include({
      Application: 'playback',
      'Application-Response': 'FILE PLAYED',
    })
    expect(performance.now() - began).to.be.within(480, 800)
    await fixture.client.execute(uuid, 'playback', '/nowhere.wav', 'Event-UUID: e2')
    expect(await complete('e2')).to.include({ 'Application-Response': 'FILE NOT FOUND' })
  })

  it('nests executions, and with event-lock runs them in order', async () => {
    const uuid = await fixture.parked()
    const ends = (ids: string[]) =>
      fixture.client.events
        .filter(({ 'Event-Name': name }) => name === 'CHANNEL_EXECUTE_COMPLETE')
        .map((event) => event['Application-UUID'] ?? '')
        .filter((id) => ids.includes(id))
    for (const id of ['n1', 'n2', 'n3'])
      await fixture.client.execute(uuid, 'playback', 'silence_stream://60', `Event-UUID: ${id}`)
    await complete('n1')
    expect(ends(['n1', 'n2', 'n3'])).to.deep.equal(['n3', 'n2', 'n1'])
    for (const id of ['l1', 'l2', 'l3'])
      await fixture.client.execute(
        uuid,
        'playback',
        'silence_stream://60',
        `Event-UUID: ${id}\nevent-lock: true`,
      )
    await complete('l3')
    expect(ends(['l1', 'l2', 'l3'])).to.deep.equal(['l1', 'l2', 'l3'])
  })

  it('uuid_break all ends what plays and forgets what waits', async () => {
    const uuid = await fixture.parked()
    for (const id of ['b1', 'b2'])
      await fixture.client.execute(
        uuid,
        'playback',
        'tone_stream://%(1000,0,440);loops=-1',
        `Event-UUID: ${id}\nevent-lock: true`,
      )
    await fixture.client.event('CHANNEL_EXECUTE', { 'Application-UUID': 'b1' })
    expect(await api(`uuid_break ${uuid} all`)).to.equal('+OK\n')
    expect(await complete('b1')).to.include({ 'Application-Response': 'FILE PLAYED' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(fixture.client.events.some((event) => event['Application-UUID'] === 'b2')).to.equal(false)
    expect(await api(`uuid_exists ${uuid}`)).to.equal('true')
  })

  it('an unknown application hangs the channel up', async () => {
    const uuid = await fixture.parked()
    await fixture.client.execute(uuid, 'nosuchapp')
    expect(await fixture.ended(uuid)).to.include({ 'Hangup-Cause': 'DESTINATION_OUT_OF_ORDER' })
  })

  it('sets, reads and dumps variables', async () => {
    const uuid = await fixture.parked('+12025550100', "a='x y',b=c\\\\,d,jackfield_call=ca_1")
    expect(await api(`uuid_getvar ${uuid} a`)).to.equal('x y')
    expect(await api(`uuid_setvar_multi ${uuid} p=1;q=2 3`)).to.equal('+OK\n')
    expect(await api(`uuid_getvar ${uuid} q`)).to.equal('2 3')
    expect(await api(`uuid_setvar ${uuid} p`)).to.equal('+OK\n')
    expect(await api(`uuid_getvar ${uuid} p`)).to.equal('_undef_')
    const dump = JSON.parse(await api(`uuid_dump ${uuid} json`)) as Record<string, string>
    expect(dump).to.include({
      'Event-Name': 'CHANNEL_DATA',
      'Unique-ID': uuid,
      'Answer-State': 'answered',
      variable_jackfield_call: 'ca_1',
      variable_current_application: 'park',
    })
  })

  it('shows channels, without rows when there are none', async () => {
    await api('hupall NORMAL_CLEARING')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await api('show channels as json')).to.equal('{"row_count": 0}\n')
    const uuid = await fixture.parked()
    const shown = JSON.parse(await api('show channels as json')) as { row_count: number; rows: object[] }
    expect(shown.row_count).to.equal(1)
    expect(shown.rows[0]).to.include({
      uuid,
      callstate: 'ACTIVE',
      application: 'park',
      dest: '%2B12025550100',
    })
  })

  it('bridges two channels; when one goes the other parks', async () => {
    const options = 'park_after_bridge=true,hangup_after_bridge=false'
    const [a, b] = [
      await fixture.parked('+12025550100', options),
      await fixture.parked('+12025550100', options),
    ]
    expect(await api(`uuid_bridge ${a} ${b}`)).to.equal(`+OK ${b}\n`)
    expect(await fixture.client.event('CHANNEL_BRIDGE', { 'Unique-ID': a })).to.include({
      'Bridge-A-Unique-ID': a,
      'Bridge-B-Unique-ID': b,
      'Other-Leg-Unique-ID': b,
      variable_signal_bond: b,
      variable_bridge_uuid: b,
    })
    await api(`uuid_kill ${a} USER_BUSY`)
    await fixture.ended(a)
    await fixture.client.event('CHANNEL_PARK', { 'Unique-ID': b, 'Channel-State': 'CS_PARK' })
    expect(await api(`uuid_exists ${b}`)).to.equal('true')
  })

  it('parks again by uuid_transfer, hangs up by sched_hangup, not after sched_del', async () => {
    const uuid = await fixture.parked()
    const parks = () => fixture.client.names(uuid).filter((name) => name === 'CHANNEL_PARK').length
    expect(await api(`uuid_transfer ${uuid} park inline`)).to.equal('+OK\n')
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(parks()).to.equal(2)
    await api(`sched_hangup +1 ${uuid} ALLOTTED_TIMEOUT`)
    expect(await api(`sched_del ${uuid}`)).to.equal('+OK Deleted: 1\n')
    await api(`sched_hangup +1 ${uuid} ALLOTTED_TIMEOUT`)
    expect(await fixture.ended(uuid)).to.include({ 'Hangup-Cause': 'ALLOTTED_TIMEOUT' })
  })

  it('passes keys, broadcasts, and tells of itself', async () => {
    const uuid = await fixture.parked()
    expect(await api(`uuid_recv_dtmf ${uuid} 5`)).to.equal(`+OK ${uuid} received DTMF 5.\n`)
    await fixture.client.event('DTMF', { 'Unique-ID': uuid, 'DTMF-Digit': '5', 'DTMF-Source': 'APP' })
    expect(await api(`uuid_send_dtmf ${uuid} 5`)).to.equal(`+OK ${uuid} sent DTMF 5.\n`)
    expect(await api(`uuid_broadcast ${uuid} silence_stream://20 aleg`)).to.equal('+OK Message sent\n')
    await fixture.client.event('CHANNEL_EXECUTE_COMPLETE', { 'Unique-ID': uuid, Application: 'playback' })
    expect(await api(`uuid_answer ${uuid}`)).to.equal('+OK\n')
    expect(await api('status')).to.match(/^UP 0 years/)
    expect(await api('version')).to.match(/^FreeSWITCH Version .*sandbox/)
    expect(await api('create_uuid')).to.match(/^[0-9a-f-]{36}$/)
  })

  it('answers what is missing as FreeSWITCH does', async () => {
    const answers: [string, string][] = [
      ['uuid_kill', '-USAGE: <uuid> [cause]\n'],
      ['uuid_kill nobody', '-ERR No such channel!\n'],
      ['uuid_break nobody', '-ERR No such channel!\n'],
      ['uuid_bridge nobody noone', '-ERR Invalid uuid\n'],
      ['uuid_broadcast nobody x', '-ERR invalid uuid\n'],
      ['uuid_answer nobody', '-ERROR\n'],
      ['sched_del nobody', '+OK Deleted: 0\n'],
      [
        'uuid_setvar_multi nobody a=b',
        '-ERR No such channel!\n-USAGE: <uuid> <var>=<value>;<var>=<value>...\n',
      ],
      ['originate nosuch/x &park()', '-ERR CHAN_NOT_IMPLEMENTED\n'],
      ['originate sofia/other/x@y &park()', '-ERR INVALID_PROFILE\n'],
      ['originate error/USER_BUSY &park()', '-ERR USER_BUSY\n'],
      ['global_getvar nosuch', '-ERR no reply\n'],
    ]
    for (const [command, expected] of answers) expect(await api(command), command).to.equal(expected)
  })

  it('writes the journal of ended channels before their last event', async () => {
    const uuid = await fixture.originate('+12025550101', 'jackfield_call=ca_9,jackfield_role=callee')
    await fixture.ended(uuid)
    const line =
      readFileSync(journal, 'utf8')
        .split('\n')
        .find((text) => text.startsWith(uuid)) ?? ''
    const row = Object.fromEntries(line.split(',').map((value, index) => [journalColumns[index], value]))
    expect(row).to.include({
      jackfield_call: 'ca_9',
      jackfield_role: 'callee',
      hangup_cause: 'USER_BUSY',
      sip_invite_failure_status: '486',
      sip_term_status: '486',
      answer_uepoch: '0',
    })
    expect(Number(row['end_uepoch'])).to.be.at.least(Number(row['start_uepoch']))
  })

  it('carries a thousand channels and clears them all', async function () {
    this.timeout(25_000)
    await fixture.client.send('noevents')
    await fixture.client.send('event json CHANNEL_PARK CHANNEL_HANGUP_COMPLETE')
    const uuids = await Promise.all(
      Array.from({ length: 1000 }, async () => fixture.originate('+12025550100')),
    )
    const last = uuids.at(-1) ?? ''
    await fixture.client.event('CHANNEL_PARK', { 'Unique-ID': last }, 10_000)
    await api('hupall NORMAL_CLEARING')
    await fixture.ended(last, 10_000)
    expect(await api('show channels count')).to.equal('\n0 total.\n')
  })
})
