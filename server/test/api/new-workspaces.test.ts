/** What a workspace may call and spend before the operator says otherwise. */
import { expect } from 'chai'
import { readConfig } from '../../src/config/config.js'
import { eventually } from '../support/api-client.js'
import type { Appliance } from '../support/appliance.js'
import { newActiveNumber, startUnlimited, succeed } from './fixtures.js'
import { client, newTextingNumber, sendText } from './message-fixtures.js'

describe('new workspaces', function () {
  this.timeout(60_000)
  let appliance: Appliance
  before(async () => {
    const { countries, max_spend_per_day } = readConfig({
      JACKFIELD_OPERATOR_TOKEN: 'of-no-use-to-this-one-here',
      JACKFIELD_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...{ JACKFIELD_DATABASE_PASSWORD: 'x', JACKFIELD_SWITCH_PASSWORD: 'x' },
    }).new_workspaces
    expect([countries, max_spend_per_day], 'by default').to.deep.equal(['own', 100])
    appliance = await startUnlimited({
      JACKFIELD_NEW_WORKSPACES_COUNTRIES: countries,
      JACKFIELD_NEW_WORKSPACES_MAX_SPEND_PER_DAY: String(max_spend_per_day),
    })
  })
  after(async () => appliance?.stop())

  it('call their own country, spend a hundred dollars a day, and no premium rates', async () => {
    const workspace = await appliance.workspace()
    const path = `/workspaces/${workspace.id}`
    const made = await succeed(appliance.operator.get(path))
    expect(made).to.deep.include({
      ...{ allowed_countries: ['US'], max_spend_per_day: 100, max_spend_per_hour: null },
      allow_premium_rate: false,
    })
    const { number } = await newTextingNumber(appliance, workspace)
    const call = async (to: string) =>
      workspace.api.post('/calls/make', { to: { number: to }, from: { number }, actions: [] })
    expect((await call('+12025550101')).status).to.equal(201)
    const abroad = await call('+442071838750')
    expect(abroad.status).to.equal(403)
    expect(abroad.body.message).to.equal('The workspace may not call GB')
    expect((await sendText(workspace.api, number)).status, client).to.equal(201)
    for (const premium of ['+19005550123', '9005550123']) {
      const refused = await call(premium)
      expect(refused.status, premium).to.equal(403)
      expect(refused.body.message).to.include('allow_premium_rate')
    }
    const text = await sendText(workspace.api, number, { to: '+19005550123' })
    expect(text.status).to.equal(403)
    expect(text.body.message).to.include('may not send messages to numbers that cost their callers more')
    await succeed(appliance.operator.patch(path, { allow_premium_rate: true, allowed_countries: null }))
    const again = await appliance.startAnotherServer()
    const fresh = workspace.api.with({ port: again })
    for (const to of ['+19005550123', '+442071838750', '+449098790001'])
      expect(
        (await fresh.post('/calls/make', { to: { number: to }, from: { number }, actions: [] })).status,
        to,
      ).to.equal(201)
  })

  it('reach no premium rates by a step of a program or a SIP URI either, and the timeline says so', async () => {
    const workspace = await appliance.workspace()
    await newActiveNumber(appliance, workspace)
    await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { allowed_countries: null }))
    for (const phone_number of ['+19005550123', 'sip:449098790001@8.8.8.8']) {
      const action = { action: 'to_operator', params: { phone_number } }
      const { data } = await succeed(
        workspace.api.post('/calls/make', { to: { number: '+12025550100' }, actions: [action] }),
      )
      const [step] = await eventually(
        async () =>
          (await succeed(workspace.api.get(`/calls/${data.call_id}/events`))).data.filter(
            ({ event }: { event: string }) => event === 'call.action',
          ),
        ({ length }) => length > 0,
        { what: 'the step' },
      )
      expect(step.details).to.deep.include({ outcome: 'failed', reason: 'premium_not_allowed' })
    }
  })
})
