/** Calls that the API makes to phones of the workspace. */
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'

const sentence = { action: 'tts', params: { text: 'Thank you for calling.' } }

describe('calls to phones of the workspace on the sandbox', function () {
  this.timeout(60_000)
  let bench: CallBench
  let account: { id: string; domain: string }

  before(async () => {
    bench = await CallBench.start('sandbox')
    account = await newAccount(bench, 'reception')
    await extension('101', 'sip-account', account.id)
    const team = await bench.api.post('/teams', { name: 'Sales' })
    await extension('102', 'team', team.body.id as string)
  })
  after(async () => bench?.stop())

  async function newAccount(of: CallBench, username: string): Promise<{ id: string; domain: string }> {
    const body = { title: `Phone ${username}`, username, password: 'a password of the tests' }
    const { status, body: made } = await of.api.post('/sip-accounts', body)
    expect(status).to.equal(201)
    return made as { id: string; domain: string }
  }

  async function extension(number: string, destination: string, id: string): Promise<void> {
    const to = destination === 'team' ? { team_id: id } : { sip_account_id: id }
    const input = { title: `Desk ${number}`, extension_number: number, destination, ...to }
    expect((await bench.api.post('/extensions', input)).status).to.equal(201)
  }

  for (const [what, to] of [
    ['an extension', '101'],
    ['a username', 'reception'],
  ] as const) {
    it(`reach ${what}, run their actions, and cost nothing`, async () => {
      const id = await bench.call(to, [sentence])
      const record = await bench.ended(id)
      expect(record).to.include({ status: 'completed', direction: 'outbound', to, cost: 0 })
      expect(record).to.include({ from: '+12025550199', sip_account_id: null })
      expect(record.legs).to.have.length(1)
      expect(record.legs[0]).to.include({
        role: 'called',
        number: 'reception',
        gateway_id: null,
        sip_account_id: account.id,
        uri: `sip:reception@${account.domain}`,
      })
    })
  }

  it('need no credit and no number of the workspace', async () => {
    const poor = await CallBench.start('sandbox', { credit: 0 })
    try {
      await newAccount(poor, 'desk')
      const path = `/workspaces/${poor.workspace.id}/phone-numbers/${poor.numberId}`
      await poor.appliance.operator.patch(path, { status: 'inactive' })
      const record = await poor.ended(await poor.call('desk', [sentence]))
      expect(record).to.include({ status: 'completed', from: 'anonymous', to: 'desk' })
    } finally {
      await poor.stop()
    }
  })

  it('are refused where nobody is, or what cannot be called yet', async () => {
    const other = await bench.appliance.workspace()
    await other.api.post('/sip-accounts', {
      ...{ title: 'Strange', username: 'strange', password: 'a password of the tests' },
    })
    for (const [number, rule] of [
      [
        '999',
        /neither a possible number, in E.164 or of the workspace’s country, nor an extension, agent or SIP account/,
      ],
      ['nobody', /neither/],
      ['strange', /neither/],
      ['sip:reception@elsewhere.test', /neither/],
      ["x' OR '1'='1", /neither/],
      ['102', /leads to a team, not to one phone/],
    ] as const) {
      if (number !== '102') {
        const { status, body } = await bench.api.post('/calls/make', { to: { number } })
        expect(status, number).to.equal(400)
        expect(JSON.stringify(body), number).to.match(rule)
      }
      const action = { action: 'to_operator', params: { phone_number: number } }
      // Outside there may well be somebody.
      if (number.startsWith('sip:')) continue
      const scripted = await bench.api.post('/calls/make', {
        to: { number: '+12025550100' },
        actions: [action],
      })
      expect(scripted.status, number).to.equal(400)
      expect(JSON.stringify(scripted.body))
        .to.match(rule)
        .and.to.match(/actions\.0\.params\.phone_number/)
    }
  })

  it('connect a call with a phone by to_operator', async () => {
    for (const phone_number of ['101', 'reception', `sip:reception@${account.domain}`]) {
      const action = { action: 'to_operator', params: { phone_number } }
      const id = await bench.call('+12025550106', [action])
      const record = await bench.ended(id)
      expect(record.status).to.equal('completed')
      expect(record.legs[1]).to.include({
        role: 'destination',
        number: 'reception',
        sip_account_id: account.id,
      })
    }
  })
})
