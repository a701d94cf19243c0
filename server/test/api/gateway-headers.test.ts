import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, gateway, newActiveNumber, startUnlimited, succeed } from './fixtures.js'

const unset = {
  ...{ from_user: null, from_domain: null, contact_host: null, request_domain: null },
  ...{ forwarded_calls: 'none', forwarded_caller: 'own' },
  ...{ country: '', number_format: 'plus', number_prefix: '', caller_number_format: 'plus' },
}

describe('headers and numbers of outbound gateways', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const asOperator = () => appliance.operator.with({ host: `${workspace.id}.localhost` })
  const create = async (changes: object) => api.post('/sip-trunks/gateways', { ...gateway, ...changes })

  it('are the platform’s own until they are set, and are kept', async () => {
    const made = await succeed(create({}))
    expect(made).to.include(unset)
    const set = {
      ...{ from_user: 'acme-trunk', from_domain: 'acme.example', contact_host: 'sbc.acme.example' },
      ...{ request_domain: 'carrier.example', country: 'GB', number_format: 'prefix', number_prefix: '99*#' },
      caller_number_format: 'national',
    }
    const path = `/sip-trunks/gateways/${made.id}`
    expect(await succeed(api.patch(path, set))).to.include(set)
    expect(await succeed(api.get(path)))
      .to.include(set)
      .and.not.have.property('from_user_approved')
    expect(await succeed(api.patch(path, { title: 'Other' }))).to.include(set)
    expect(await succeed(api.patch(path, unset))).to.include(unset)
    expect(await succeed(create(set))).to.include(set)
  })

  it('are refused by the field and the rule', async () => {
    const made = await succeed(create({}))
    for (const [field, value] of [
      ...['a@b', 'a b', '', 'x'.repeat(65), 'a;b', 'a%0d', '"a"', 'ä', 5].map((user) => ['from_user', user]),
      ...['from_domain', 'request_domain', 'contact_host'].flatMap((host) =>
        ['', 'a b', 'a;b', 'sip:a', 'a\r\nb', '${x}', '1.2.3', 'a..b', 5].map((value) => [host, value]),
      ),
      ['contact_host', '2001:db8::1'],
      ...['us', 'USA', 'XX', 5].map((country) => ['country', country]),
      ['number_format', 'e164'],
      ['caller_number_format', 'prefix'],
      ['number_prefix', '12a'],
      ['number_prefix', '1'.repeat(17)],
    ] as [string, unknown][]) {
      const hint = `${field} ${String(value)}`
      expect(fieldsOf(await create({ [field]: value })), hint).to.deep.equal([field])
      const changed = await api.patch(`/sip-trunks/gateways/${made.id}`, { [field]: value })
      expect(fieldsOf(changed), hint).to.deep.equal([field])
    }
    expect(fieldsOf(await create({ number_format: 'prefix' }))).to.deep.equal(['number_prefix'])
    expect(await succeed(api.get(`/sip-trunks/gateways/${made.id}`))).to.include(unset)
  })

  it('name no number in From but a verified one of the workspace, unless the operator sets it', async () => {
    const credential = { username: '1001', password: 'x' }
    expect(await succeed(create({ from_user: '1001', credential }))).to.include({ from_user: '1001' })
    const refused = ['+19115550100', '19115550100', '1.911.555-0100', '911', '1002', '112', '+1', '~112~']
    for (const from_user of refused)
      expect(fieldsOf(await create({ from_user, credential })), from_user).to.deep.equal(['from_user'])
    const username = '12025550100'
    expect(
      fieldsOf(await create({ from_user: username, credential: { ...credential, username } })),
    ).to.deep.equal(['from_user'])

    const { number, id } = await newActiveNumber(appliance, workspace)
    const mine = await succeed(create({ from_user: `+${number}` }))
    expect(mine.from_user).to.equal(`+${number}`)
    await query(appliance, 'UPDATE phone_numbers SET is_verified = 0 WHERE id = ?', [id])
    expect(fieldsOf(await create({ from_user: `+${number}` }))).to.deep.equal(['from_user'])

    const path = `/sip-trunks/gateways/${mine.id}`
    const from_user = '+4930901820'
    expect(await succeed(asOperator().patch(path, { from_user }))).to.include({ from_user })
    expect(await succeed(api.patch(path, { title: 'Renamed' }))).to.include({ from_user })
    expect(fieldsOf(await api.patch(path, { from_user: '+4930901821' }))).to.deep.equal(['from_user'])
  })

  it('of calls that are handed on name who called by the operator’s word alone', async () => {
    expect(fieldsOf(await create({ forwarded_calls: 'P-Charge-Info' }))).to.deep.equal(['forwarded_calls'])
    expect((await create({ forwarded_caller: 'original' })).status).to.equal(403)
    const { id } = await succeed(create({ forwarded_calls: 'diversion' }))
    const path = `/sip-trunks/gateways/${id}`
    expect((await api.patch(path, { forwarded_caller: 'original' })).status).to.equal(403)
    expect(await succeed(asOperator().patch(path, { forwarded_caller: 'original' }))).to.include({
      ...{ forwarded_calls: 'diversion', forwarded_caller: 'original' },
    })
    expect((await api.patch(path, { forwarded_caller: 'original' })).status, 'it is so').to.equal(200)
    await succeed(api.patch(path, { forwarded_caller: 'own' }))
    expect((await api.patch(path, { forwarded_caller: 'original' })).status).to.equal(403)
  })
})
