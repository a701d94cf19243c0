/** Secrets that customers put into headers and URLs: whoever may not write sees masks, and a mask sent back keeps them. */
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { insertCall } from './call-center-fixtures.js'
import { query } from './database.js'
import {
  callFlow,
  customTool,
  fieldsOf,
  keyWith,
  newPerson,
  newVoiceAgent,
  startUnlimited,
  succeed,
  webhook,
} from './fixtures.js'

const secret = 'TOP-SECRET-CRM'
const mask = '********'
const url = `https://user:${secret}@hooks.invalid/path?token=${secret}&x=${secret}#${secret}`
const maskedUrl = `https://${mask}@hooks.invalid/path?token=${mask}&x=${mask}#${mask}`

describe('secrets of customers', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  let readers: ApiClient[]
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    api = workspace.api
    const rights = [
      { scope: 'any', role: 'owner' },
      { scope: 'any', role: 'viewer' },
      { scope: 'full', role: 'viewer' },
    ]
    readers = await Promise.all(rights.map(async (right) => keyWith(workspace, right)))
  })
  after(async () => appliance?.stop())

  const expectMasked = async (path: string, shown: (body: any) => unknown, masked: unknown) => {
    for (const reader of readers) {
      const body = await succeed(reader.get(path))
      expect(JSON.stringify(body), path).not.to.include(secret)
      expect(shown(body)).to.deep.equal(masked)
    }
    expect(JSON.stringify(await succeed(api.get(path))), 'whoever may write').to.include(secret)
  }

  it('in tools of voice agents are masked, and kept by a change that sends the masks back', async () => {
    const path = `/voice-agents/${await newVoiceAgent(api)}/tools`
    const webhook_headers = { Authorization: `Bearer ${secret}`, 'X-Tenant': secret }
    const toolUrl = `https://hooks.invalid/path?token=${secret}`
    const tool = await succeed(api.post(path, { ...customTool, webhook_headers, webhook_url: toolUrl }))
    const own = `${path}/${tool.id}`
    const masked = { Authorization: mask, 'X-Tenant': mask }
    await expectMasked(own, (shown) => shown.webhook_headers, masked)
    await expectMasked(path, ({ data }) => data.at(-1).webhook_headers, masked)
    const seen = await succeed(readers[0]!.get(own))
    const sent = { webhook_url: seen.webhook_url, webhook_headers: { ...seen.webhook_headers, 'X-New': '1' } }
    const kept = await succeed(api.patch(own, sent))
    expect(kept.webhook_headers).to.deep.equal({ ...webhook_headers, 'X-New': '1' })
    expect(kept.webhook_url).to.equal(toolUrl)
    const unknown = { webhook_headers: { 'X-Other': mask }, webhook_url: `https://else.invalid/?a=${mask}` }
    expect(fieldsOf(await api.patch(own, { webhook_headers: unknown.webhook_headers }))).to.deep.equal([
      'webhook_headers.X-Other',
    ])
    expect(fieldsOf(await api.patch(own, { webhook_url: unknown.webhook_url }))).to.deep.equal([
      'webhook_url',
    ])
    expect(fieldsOf(await api.post(path, { ...customTool, name: 'other', ...unknown }))).to.have.length(1)
    const renamed = await succeed(api.patch(own, { webhook_headers: { 'x-tenant': mask } }))
    expect(renamed.webhook_headers).to.deep.equal({ 'x-tenant': secret })
  })

  it('in URLs of webhooks and of what was delivered', async () => {
    const hook = `https://hooks.invalid/path?token=${secret}`
    const { id } = await succeed(api.post('/webhooks', { ...webhook, url: hook }))
    const masked = `https://hooks.invalid/path?token=${mask}`
    await expectMasked(`/webhooks/${id}`, (shown) => shown.url, masked)
    await expectMasked('/webhooks', ({ data }) => data[0].url, masked)
    const delivery = await succeed(api.post(`/webhooks/${id}/test`))
    await expectMasked(`/webhooks/${id}/deliveries/${delivery.id}`, (shown) => shown.request.url, masked)
    expect((await succeed(api.patch(`/webhooks/${id}`, { url: masked, title: 'Other' }))).url).to.equal(hook)
    expect(
      fieldsOf(await api.patch(`/webhooks/${id}`, { url: `https://x.invalid/?a=${mask}` })),
    ).to.deep.equal(['url'])
    expect(fieldsOf(await api.post('/webhooks', { ...webhook, url: masked }))).to.deep.equal(['url'])
    const [owner] = readers
    const { data } = await succeed(owner!.get(`/audit-log?target_id=${id}`))
    expect(JSON.stringify(data)).not.to.include(secret)
  })

  it('in nodes of call flows and their versions', async () => {
    const nodes = [
      { id: 'start', type: 'start', params: {}, next: { default: 'ask' } },
      {
        id: 'ask',
        type: 'json_call_action',
        params: { url: `https://hooks.invalid/?k=${secret}` },
        next: { error: 'media' },
      },
      {
        id: 'media',
        type: 'stream',
        params: { ws_url: `wss://hooks.invalid/?k=${secret}`, headers: { Authorization: secret } },
        next: { default: 'bye' },
      },
      { id: 'bye', type: 'hangup', params: {}, next: {} },
    ]
    const flow = await succeed(api.post('/call-flows', { ...callFlow, nodes }))
    const paramsOf = (shown: { nodes: { id: string; params: unknown }[] }, id: string) =>
      shown.nodes.find((node) => node.id === id)?.params
    const maskedStream = { ws_url: `wss://hooks.invalid/?k=${mask}`, headers: { Authorization: mask } }
    for (const path of [`/call-flows/${flow.id}`, `/call-flows/${flow.id}/versions/1`]) {
      await expectMasked(path, (shown) => paramsOf(shown, 'ask'), { url: `https://hooks.invalid/?k=${mask}` })
      await expectMasked(path, (shown) => paramsOf(shown, 'media'), maskedStream)
    }
    const seen = await succeed(readers[1]!.get(`/call-flows/${flow.id}`))
    const kept = await succeed(api.patch(`/call-flows/${flow.id}`, { nodes: seen.nodes }))
    expect(kept.nodes).to.deep.equal(flow.nodes)
    expect(fieldsOf(await api.post('/call-flows', { ...callFlow, nodes: seen.nodes }))).to.have.members([
      'nodes.1.params.url',
      'nodes.2.params.ws_url',
      'nodes.2.params.headers.Authorization',
    ])
  })

  it('on timelines of calls, for keys that may not write and for agents', async () => {
    const id = await insertCall(appliance, workspace, [])
    const response = JSON.stringify({
      actions: [
        { action: 'stream', params: { ws_url: url, headers: { Authorization: secret, X: `a"${secret}` } } },
      ],
    })
    const details = { kind: 'json_call_action', url, request: '{}', response, error: null, message: null }
    await query(
      appliance,
      `INSERT INTO call_events (id, workspace_id, call_id, event, direction, details, created_at)
       VALUES (?, ?, ?, 'call.callback', 'outbound', ?, NOW(3))`,
      ['evt_masked', workspace.id, id, JSON.stringify(details)],
    )
    const callback = ({ data }: { data: { event: string; details?: { url: string } }[] }) =>
      data.find(({ event }) => event === 'call.callback')?.details?.url
    await expectMasked(`/calls/${id}/events`, callback, maskedUrl)
    const supervisor = await newPerson(workspace, 'supervisor')
    const answer = await supervisor.api.get(`/call-center/calls/${id}`)
    expect(JSON.stringify(answer.body)).not.to.include(secret)
  })
})
