import { expect } from 'chai'
import { SandboxFixture } from './sandbox-fixture.js'

/** The test numbers and hosts of docs/start/sandbox.md, one by one, as FreeSWITCH 1.10.12 reports such far ends. */
describe('sandbox: test numbers', function () {
  this.timeout(10_000)
  const fixture = new SandboxFixture()
  before(async () => fixture.start())
  after(async () => fixture?.stop())

  const order = (uuid: string) =>
    fixture.client
      .names(uuid)
      .filter((name) =>
        /^CHANNEL_(PROGRESS|PROGRESS_MEDIA|ANSWER|PARK|EXECUTE_COMPLETE|HANGUP_COMPLETE)$/.test(name),
      )

  it('0100 rings, answers and stays until it is hung up', async () => {
    const uuid = await fixture.parked()
    expect(await fixture.result(uuid)).to.equal(`+OK ${uuid}\n`)
    expect(await fixture.client.api(`uuid_kill ${uuid} ALLOTTED_TIMEOUT`)).to.equal('+OK\n')
    const end = await fixture.ended(uuid)
    expect(order(uuid)).to.deep.equal([
      'CHANNEL_PROGRESS',
      'CHANNEL_ANSWER',
      'CHANNEL_PARK',
      'CHANNEL_EXECUTE_COMPLETE',
      'CHANNEL_HANGUP_COMPLETE',
    ])
    expect(end).to.include({
      'Hangup-Cause': 'ALLOTTED_TIMEOUT',
      variable_hangup_cause: 'ALLOTTED_TIMEOUT',
      variable_sip_hangup_disposition: 'send_bye',
      'Answer-State': 'hangup',
      'Channel-State': 'CS_REPORTING',
    })
    expect(end).not.to.have.property('variable_sip_invite_failure_status')
    const ring = Number(end['Caller-Channel-Answered-Time']) - Number(end['Caller-Channel-Progress-Time'])
    expect(ring / 1000).to.be.within(150, 400)
  })

  it('any other number answers too', async () => {
    const uuid = await fixture.parked('+442071838750')
    await fixture.client.api(`uuid_kill ${uuid}`)
    expect(await fixture.ended(uuid)).to.include({ 'Hangup-Cause': 'NORMAL_CLEARING' })
  })

  const refusals = [
    { number: '+12025550101', status: '486', phrase: 'Busy Here', cause: 'USER_BUSY' },
    { number: '+12025550103', status: '404', phrase: 'Not Found', cause: 'UNALLOCATED_NUMBER' },
    { number: '+12025550104', status: '603', phrase: 'Decline', cause: 'CALL_REJECTED' },
    {
      number: '+12025550105',
      status: '503',
      phrase: 'Service Unavailable',
      cause: 'NORMAL_TEMPORARY_FAILURE',
    },
    { number: '+12025550108', status: '408', phrase: 'Request Timeout', cause: 'RECOVERY_ON_TIMER_EXPIRE' },
    {
      host: 'a.dead.sandbox:5060',
      status: '408',
      phrase: 'Request Timeout',
      cause: 'RECOVERY_ON_TIMER_EXPIRE',
    },
    { host: '127.0.0.1:9', status: '408', phrase: 'Request Timeout', cause: 'RECOVERY_ON_TIMER_EXPIRE' },
    {
      host: 'b.refusing.sandbox',
      status: '503',
      phrase: 'Service Unavailable',
      cause: 'NORMAL_TEMPORARY_FAILURE',
    },
    {
      host: 'digest.sandbox',
      variables: 'sip_auth_username=sandbox,sip_auth_password=wrong',
      status: '403',
      phrase: 'Forbidden',
      cause: 'CALL_REJECTED',
    },
  ]
  for (const {
    number = '+12025550100',
    host = '127.0.0.1:5060',
    variables = '',
    status,
    phrase,
    cause,
  } of refusals) {
    it(`${number} at ${host} ${variables} is refused with ${status} ${phrase}, which is ${cause}`, async () => {
      const uuid = await fixture.originate(number, variables, host)
      expect(await fixture.ended(uuid)).to.include({
        'Hangup-Cause': cause,
        variable_sip_invite_failure_status: status,
        variable_sip_invite_failure_phrase: phrase,
        variable_sip_term_status: status,
        'Caller-Channel-Answered-Time': '0',
      })
      expect(await fixture.result(uuid)).to.equal(`-ERR ${cause}\n`)
      expect(order(uuid)).to.deep.equal(['CHANNEL_HANGUP_COMPLETE'])
    })
  }

  it('0102 rings until originate_timeout', async () => {
    const uuid = await fixture.originate('+12025550102', 'originate_timeout=1')
    expect(await fixture.ended(uuid)).to.include({
      'Hangup-Cause': 'NO_ANSWER',
      variable_sip_invite_failure_status: '487',
      variable_sip_invite_failure_phrase: 'CANCEL',
    })
    expect(order(uuid)).to.deep.equal(['CHANNEL_PROGRESS', 'CHANNEL_HANGUP_COMPLETE'])
  })

  it('0102 is cancelled while ringing with the cause of the command', async () => {
    const uuid = await fixture.originate('+12025550102')
    await fixture.client.event('CHANNEL_PROGRESS', { 'Unique-ID': uuid })
    await fixture.client.api(`uuid_kill ${uuid} ORIGINATOR_CANCEL`)
    expect(await fixture.ended(uuid)).to.include({ 'Hangup-Cause': 'ORIGINATOR_CANCEL' })
    expect(await fixture.result(uuid)).to.equal('-ERR ORIGINATOR_CANCEL\n')
  })

  it('0106 hangs up itself after two seconds', async () => {
    const uuid = await fixture.parked('+12025550106')
    const end = await fixture.ended(uuid)
    expect(end).to.include({
      'Hangup-Cause': 'NORMAL_CLEARING',
      variable_sip_hangup_disposition: 'recv_bye',
      variable_sip_term_status: '200',
    })
    expect(Number(end['variable_billmsec'])).to.be.within(1800, 2400)
  })

  it('0107 presses 1234# a second after answering', async () => {
    const uuid = await fixture.parked('+12025550107')
    await fixture.client.event('DTMF', { 'Unique-ID': uuid, 'DTMF-Digit': '#' })
    const keys = fixture.client.events.filter(
      (event) => event['Event-Name'] === 'DTMF' && event['Unique-ID'] === uuid,
    )
    expect(keys.map((event) => event['DTMF-Digit']).join('')).to.equal('1234#')
  })

  it('0109 sends early media, then answers', async () => {
    const uuid = await fixture.parked('+12025550109')
    expect(order(uuid)).to.deep.equal(['CHANNEL_PROGRESS_MEDIA', 'CHANNEL_ANSWER', 'CHANNEL_PARK'])
  })

  it('digest.sandbox lets the right credentials in and ends without any as FreeSWITCH does', async () => {
    const right = 'sip_auth_username=sandbox,sip_auth_password=sandbox'
    const uuid = await fixture.originate('+12025550100', right, 'digest.sandbox')
    await fixture.client.event('CHANNEL_PARK', { 'Unique-ID': uuid })
    const without = await fixture.originate('+12025550100', '', 'digest.sandbox')
    expect(await fixture.ended(without)).to.include({
      'Hangup-Cause': 'MANDATORY_IE_MISSING',
      variable_sip_invite_failure_status: '487',
    })
  })
})
