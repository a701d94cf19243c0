/** Simulated callers, as FreeSWITCH 1.10.12 reports those that come in from the edge. */
import { expect } from 'chai'
import { SandboxFixture } from './sandbox-fixture.js'

describe('sandbox: calls that come in', function () {
  this.timeout(10_000)
  const fixture = new SandboxFixture()
  before(async () => fixture.start())
  after(async () => fixture?.stop())

  const api = async (command: string) => fixture.client.api(command)
  /** Calls in; resolves with the channel's id and its event once it is parked. */
  async function callIn(options = '') {
    const answer = await api(
      `sandbox_call {sip_h_X-Edge-Source=trunk${options && `,${options}`}}+12025550199 +12025550123`,
    )
    const uuid = /^\+OK ([0-9a-f-]{36})\n$/.exec(answer)?.[1] ?? ''
    return { uuid, park: await fixture.client.event('CHANNEL_PARK', { 'Unique-ID': uuid }) }
  }
  const names = (uuid: string) =>
    fixture.client.names(uuid).filter((name) => !/CHANNEL_(STATE|CALLSTATE|EXECUTE)/.test(name))

  it('are parked unanswered by the dialplan, with all that the edge says of them', async () => {
    const { uuid, park } = await callIn('caller_name=Jane Roe,sip_h_X-Edge-Number=pn_1')
    expect(park).to.include({
      'Call-Direction': 'inbound',
      'Answer-State': 'ringing',
      'Channel-State': 'CS_EXECUTE',
      'Channel-Call-State': 'RINGING',
      'Channel-Read-Codec-Name': 'PCMU',
      'Caller-Caller-ID-Number': '+12025550123',
      'Caller-Caller-ID-Name': 'Jane Roe',
      'Caller-Destination-Number': '+12025550199',
      'Caller-Network-Addr': '127.0.0.2',
      'Caller-Channel-Answered-Time': '0',
      variable_sip_network_ip: '127.0.0.2',
      'variable_sip_h_X-Edge-Source': 'trunk',
      'variable_sip_h_X-Edge-Number': 'pn_1',
      variable_park_after_bridge: 'true',
      variable_hangup_after_bridge: 'false',
      variable_endpoint_disposition: 'RECEIVED',
      variable_current_application: 'park',
    })
    expect(fixture.client.names(uuid)).to.deep.equal([
      ...['CHANNEL_STATE', 'CHANNEL_CREATE', 'CHANNEL_CALLSTATE', 'CHANNEL_STATE', 'CHANNEL_STATE'],
      ...['CHANNEL_EXECUTE', 'CHANNEL_EXECUTE_COMPLETE', 'CHANNEL_EXECUTE', 'CHANNEL_EXECUTE_COMPLETE'],
      ...['CHANNEL_EXECUTE', 'CHANNEL_PARK'],
    ])
    expect(await api(`sched_del ${uuid}`), 'the deadline of the dialplan').to.equal('+OK Deleted: 1\n')
    const rows = (JSON.parse(await api('show channels as json')) as { rows: Record<string, string>[] }).rows
    expect(rows.find((row) => row['uuid'] === uuid)).to.include({
      ...{ direction: 'inbound', cid_num: '+12025550123', dest: '+12025550199', ip_addr: '127.0.0.2' },
    })
  })

  it('ring, hear early media and are answered, each once', async () => {
    const { uuid } = await callIn()
    for (const command of ['uuid_ring_ready', 'uuid_pre_answer', 'uuid_answer']) {
      expect(await api(`${command} ${uuid}`)).to.equal('+OK\n')
      expect(await api(`${command} ${uuid}`)).to.equal('+OK\n')
      expect(await api(`${command} 00000000-0000-0000-0000-000000000000`)).to.equal('-ERROR\n')
    }
    expect(names(uuid).slice(-3)).to.deep.equal([
      ...['CHANNEL_PROGRESS', 'CHANNEL_PROGRESS_MEDIA', 'CHANNEL_ANSWER'],
    ])
    const answer = await fixture.client.event('CHANNEL_ANSWER', { 'Unique-ID': uuid })
    expect(answer).to.include({ 'Answer-State': 'answered', 'Channel-Call-State': 'EARLY' })
    await api(`uuid_kill ${uuid}`)
    const end = await fixture.ended(uuid)
    expect(end).to.include({ variable_sip_hangup_disposition: 'send_bye', 'Answer-State': 'hangup' })
  })

  it('are refused by a hang-up or by respond', async () => {
    const killed = await callIn()
    await api(`uuid_kill ${killed.uuid} USER_BUSY`)
    const end = await fixture.ended(killed.uuid)
    expect(end).to.include({
      ...{ 'Hangup-Cause': 'USER_BUSY', variable_sip_hangup_disposition: 'send_refuse' },
      'Caller-Channel-Answered-Time': '0',
    })
    expect(end).not.to.have.property('variable_sip_invite_failure_status')
    const { uuid } = await callIn()
    await fixture.client.execute(uuid, 'respond', '486 Busy Here')
    expect(await fixture.ended(uuid)).to.include({ 'Hangup-Cause': 'USER_BUSY' })
  })

  it('give up when nobody answers, and hang up after a while', async () => {
    const { uuid } = await callIn('patience=0.2')
    expect(await fixture.ended(uuid)).to.include({
      'Hangup-Cause': 'ORIGINATOR_CANCEL',
      variable_sip_hangup_disposition: 'recv_cancel',
      variable_sip_invite_failure_status: '487',
      variable_sip_term_status: '487',
    })
    const answered = await callIn('patience=0.2,stays=0.3')
    await api(`uuid_answer ${answered.uuid}`)
    const end = await fixture.ended(answered.uuid)
    expect(end).to.include({ 'Hangup-Cause': 'NORMAL_CLEARING', variable_sip_hangup_disposition: 'recv_bye' })
    expect(Number(end['variable_billmsec'])).to.be.at.least(280)
  })

  it('press their keys once they hear something, with pauses', async () => {
    const { uuid } = await callIn('keys=1WW2#')
    await fixture.client.execute(uuid, 'answer')
    const last = await fixture.client.event('DTMF', { 'Unique-ID': uuid, 'DTMF-Digit': '#' })
    const keys = fixture.client.events.filter(
      (event) => event['Event-Name'] === 'DTMF' && event['Unique-ID'] === uuid,
    )
    expect(keys.map((event) => event['DTMF-Digit']).join('')).to.equal('12#')
    expect(last).to.include({ 'DTMF-Source': 'RTP' })
    const [first, second] = keys.map((event) => Number(event['Event-Date-Timestamp']) / 1000)
    expect(second! - first!, 'two seconds between').to.be.at.least(1_000)
  })

  it('are bridged with a leg that we dialled, and come back when it leaves', async () => {
    const { uuid } = await callIn()
    await api(`uuid_answer ${uuid}`)
    const operator = await fixture.parked('+12025550100')
    expect(await api(`uuid_bridge ${uuid} ${operator}`)).to.equal(`+OK ${operator}\n`)
    await fixture.client.event('CHANNEL_BRIDGE', { 'Bridge-A-Unique-ID': uuid })
    await api(`uuid_kill ${operator}`)
    await fixture.client.event('CHANNEL_UNBRIDGE', { 'Unique-ID': uuid })
    expect(fixture.client.names(uuid).filter((name) => name === 'CHANNEL_PARK')).to.have.length(2)
    expect(await api(`uuid_exists ${uuid}`)).to.equal('true')
  })

  it('are of one form only', async () => {
    for (const wrong of ['', '+12025550199', '{keys=1x}1 2', '{stays=0}1 2', '{patience=x}1 2', '{keys=1}'])
      expect(await api(`sandbox_call ${wrong}`), wrong).to.match(/^-USAGE: /)
  })
})
