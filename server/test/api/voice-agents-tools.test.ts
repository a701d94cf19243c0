import { expect } from 'chai'
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { customTool, fieldsOf, newVoiceAgent, startUnlimited, succeed } from './fixtures.js'

const limit = 5

describe('tools of voice agents', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let api: ApiClient
  let agent: string
  let path: string
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_VOICE_AGENT_TOOLS: String(limit) })
  })
  beforeEach(async () => {
    api = (await appliance.workspace()).api
    agent = `/voice-agents/${await newVoiceAgent(api)}`
    path = `${agent}/tools`
  })
  after(async () => appliance?.stop())

  const create = async (changes: object = {}) => api.post(path, { ...customTool, ...changes })
  const list = async (): Promise<any[]> => (await succeed(api.get(path))).data
  const builtin = async (name: string) => (await list()).find((tool) => tool.name === name)
  const enable = async (...functions: string[]) => api.patch(`${agent}/settings`, { version: 1, functions })

  /** Makes a tool, tells what came of it, and makes room for the next one. */
  async function attempt(changes: object): Promise<Answer> {
    const answer = await create(changes)
    if (answer.status === 201) await succeed(api.delete(`${path}/${answer.body.id}`))
    return answer
  }

  it('are there from the beginning: those built in', async () => {
    const tools = await list()
    expect(tools.map(({ name, required_params }) => [name, required_params])).to.deep.equal([
      ['transfer_call', ['to']],
      ['end_call', []],
      ['hold_call', ['action']],
      ['collect_digits', []],
    ])
    for (const tool of tools) {
      expect(tool.id).to.match(/^vat_/)
      expect(tool).to.deep.include({
        ...{ tool_type: 'builtin', webhook_url: null, webhook_headers: {}, is_active: true },
      })
      expect(await succeed(api.get(`${path}/${tool.id}`))).to.deep.equal(tool)
      for (const [name, parameter] of Object.entries<any>(tool.parameters)) {
        expect(parameter.required).to.equal(tool.required_params.includes(name))
      }
    }
    const [transfer, end, hold] = tools
    expect(transfer.parameters).to.have.all.keys('to', 'reason')
    expect(end.parameters).to.have.all.keys('reason')
    expect(hold.parameters.action).to.deep.include({ type: 'string', enum: ['hold', 'resume'] })
    expect(await list()).to.deep.equal(tools)
  })

  it('are switched on and off when built in, and nothing else', async () => {
    const { id } = await builtin('end_call')
    const off = await succeed(api.patch(`${path}/${id}`, { is_active: false }))
    expect(off.is_active).to.equal(false)
    expect(await builtin('end_call')).to.deep.equal(off)
    const { is_active: _, ...others } = customTool
    const refused = await api.patch(`${path}/${id}`, { ...others, is_active: true })
    expect(fieldsOf(refused)).to.have.members(Object.keys(others))
    expect((await builtin('end_call')).is_active).to.equal(false)
    const kept = await api.delete(`${path}/${id}`)
    expect(kept.status).to.equal(400)
    expect(kept.body.message).to.include('built in')
  })

  it('are made with the defaults of the contract', async () => {
    const { name, description, webhook_url } = customTool
    const made = await succeed(api.post(path, { name, description, webhook_url }))
    expect(made.id).to.match(/^vat_/)
    expect(made).to.deep.include({ name, description, webhook_url, tool_type: 'custom', is_active: true })
    expect(made).to.deep.include({
      webhook_method: 'POST',
      webhook_headers: {},
      parameters: {},
      required_params: [],
    })
    expect(await succeed(api.get(`${path}/${made.id}`))).to.deep.equal(made)
    expect((await list()).at(-1)).to.deep.equal(made)
    expect(fieldsOf(await api.post(path, {}))).to.have.members(['name', 'description', 'webhook_url'])
    expect((await attempt({ tool_type: 'custom', name: 'other' })).status).to.equal(201)
    expect(fieldsOf(await create({ tool_type: 'builtin' }))).to.deep.equal(['tool_type'])
  })

  it('change in what is sent, and go', async () => {
    const made = await succeed(create())
    const changed = await succeed(api.patch(`${path}/${made.id}`, { name: 'renamed', is_active: false }))
    expect(changed).to.deep.equal({
      ...{ ...made, name: 'renamed', is_active: false },
      updated_at: changed.updated_at,
    })
    expect(await succeed(api.delete(`${path}/${made.id}`))).to.deep.equal(changed)
    expect((await api.get(`${path}/${made.id}`)).status).to.equal(404)
    const entries = await query(appliance, 'SELECT action FROM audit_log WHERE target_id = ? ORDER BY id', [
      made.id,
    ])
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'voice_agent_tool.create',
      'voice_agent_tool.update',
      'voice_agent_tool.delete',
    ])
  })

  it('have names of lowercase letters, digits and underscores, unique in the voice agent', async () => {
    for (const name of ['a', '_', '0', 'look_up_2', 'x'.repeat(64)]) {
      expect((await attempt({ name })).status, name).to.equal(201)
    }
    for (const name of ['', 'x'.repeat(65), 'Look', 'look-up', 'look up', 'é', 'a\n']) {
      expect(fieldsOf(await create({ name })), name).to.deep.equal(['name'])
    }
    const { id } = await succeed(create({ name: 'one' }))
    const two = await succeed(create({ name: 'two' }))
    for (const name of ['one', 'end_call']) expect((await create({ name })).status).to.equal(409)
    expect((await api.patch(`${path}/${two.id}`, { name: 'one' })).status).to.equal(409)
    expect((await api.patch(`${path}/${id}`, { name: 'one' })).status).to.equal(200)
    const elsewhere = `/voice-agents/${await newVoiceAgent(api)}/tools`
    expect((await api.post(elsewhere, { ...customTool, name: 'one' })).status).to.equal(201)
  })

  it('are called at an http or https URL', async () => {
    const long = `https://example.com/${'x'.repeat(2048 - 'https://example.com/'.length)}`
    for (const webhook_url of [
      'http://example.com',
      'HTTPS://example.com:8443/a?b=c#d',
      'http://[2606:4700::1111]/',
      long,
    ]) {
      expect((await attempt({ webhook_url })).body.webhook_url).to.equal(webhook_url)
    }
    const wrong = ['', 'example.com', 'ftp://example.com', 'javascript:alert(1)', 'http://', 'http://a b']
    const inside = [
      'http://127.0.0.1/',
      'http://10.0.0.1:8080/a',
      'https://[::1]/',
      'http://169.254.169.254/',
    ]
    const refused = [
      ...wrong,
      ...inside,
      `${long}x`,
      'https://me:secret@example.com',
      'http://example.com:25',
      null,
    ]
    for (const webhook_url of refused) {
      expect(fieldsOf(await create({ webhook_url })), String(webhook_url)).to.deep.equal(['webhook_url'])
    }
    for (const webhook_method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await attempt({ webhook_method })).body.webhook_method).to.equal(webhook_method)
    }
    expect(fieldsOf(await create({ webhook_method: 'TRACE' }))).to.deep.equal(['webhook_method'])
  })

  it('keep the headers of their requests encrypted, and show them', async () => {
    const webhook_headers = { Authorization: 'Bearer not-to-be-kept-in-clear', 'X-Tenant': '42' }
    const made = await succeed(create({ webhook_headers }))
    expect(made.webhook_headers).to.deep.equal(webhook_headers)
    expect(await succeed(api.get(`${path}/${made.id}`))).to.deep.equal(made)
    expect(await tablesHolding(appliance, 'not-to-be-kept-in-clear')).to.deep.equal([])
    const other = { 'X-Key': 'nor-this-one' }
    const changed = await succeed(api.patch(`${path}/${made.id}`, { webhook_headers: other }))
    expect(changed.webhook_headers).to.deep.equal(other)
    expect(await tablesHolding(appliance, 'nor-this-one')).to.deep.equal([])
    expect(
      (await succeed(api.patch(`${path}/${made.id}`, { webhook_headers: {} }))).webhook_headers,
    ).to.deep.equal({})
  })

  it('send 20 headers at most, each well formed', async () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Header-${index}`, 'x'.repeat(1024)]))
    expect((await attempt({ webhook_headers: headers(20) })).body.webhook_headers).to.deep.equal(headers(20))
    expect(fieldsOf(await create({ webhook_headers: headers(21) }))).to.deep.equal(['webhook_headers'])
    for (const name of ['X', "!#$%&'*+.^`|~-a_b", 'x'.repeat(100), 'constructor']) {
      expect((await attempt({ webhook_headers: { [name]: '' } })).body.webhook_headers).to.deep.equal({
        [name]: '',
      })
    }
    for (const name of ['', 'X Y', 'X:', 'X\r\nY', 'é', 'x'.repeat(101)]) {
      const answer = await create({ webhook_headers: { [name]: 'x' } })
      expect(fieldsOf(answer), name).to.deep.equal([`webhook_headers.${name}`])
    }
    for (const value of ['a\r\nX-Injected: 1', 'a\u0000', 'é', ' a', 'a ', 'x'.repeat(1025), 1, null]) {
      expect(fieldsOf(await create({ webhook_headers: { X: value } })), String(value)).to.deep.equal([
        'webhook_headers.X',
      ])
    }
    for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Content-Type']) {
      expect(fieldsOf(await create({ webhook_headers: { [name]: 'x' } }))).to.deep.equal([
        `webhook_headers.${name}`,
      ])
    }
    expect(fieldsOf(await create({ webhook_headers: { 'X-A': '1', 'x-a': '2' } }))).to.deep.equal([
      'webhook_headers.x-a',
    ])
  })

  it('say what the model fills in', async () => {
    const trying = async (parameters: unknown) => attempt({ parameters, required_params: [] })
    for (const type of ['string', 'number', 'integer', 'boolean', 'array', 'object']) {
      const { parameters } = (await trying({ x: { type, description: 'Of this type' } })).body
      expect(parameters).to.deep.equal({ x: { type, description: 'Of this type', required: false } })
    }
    const described = { type: 'string', description: '' }
    const problemsOf = async (parameters: unknown) => fieldsOf(await trying(parameters))
    expect(await problemsOf({ x: { ...described, type: 'date' } })).to.deep.equal(['parameters.x.type'])
    expect(await problemsOf({ x: {} })).to.deep.equal(['parameters.x.type'])
    expect(await problemsOf({ x: { ...described, default: 1 } })).to.deep.equal(['parameters.x.default'])
    expect(await problemsOf({ x: { ...described, required: 'yes' } })).to.deep.equal([
      'parameters.x.required',
    ])
    expect(await problemsOf({ 'a b': described })).to.deep.equal(['parameters.a b'])
    expect(await problemsOf([])).to.deep.equal(['parameters'])
    expect((await trying({ x: { ...described, enum: ['a', 'b'] } })).status).to.equal(201)
    for (const values of [[], ['a', 'a'], ['']]) {
      const [field] = await problemsOf({ x: { ...described, enum: values } })
      expect(field).to.match(/^parameters\.x\.enum/)
    }
    expect(await problemsOf({ x: { type: 'integer', description: '', enum: ['1'] } })).to.deep.equal([
      'parameters.x.enum',
    ])
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, described]))
    expect((await trying(many(50))).status).to.equal(201)
    expect(await problemsOf(many(51))).to.deep.equal(['parameters'])
  })

  it('say in both places alike what is required', async () => {
    const parameters = {
      a: { type: 'string', description: '' },
      b: { type: 'string', description: '', required: true },
      constructor: { type: 'string', description: '' },
    }
    const made = await succeed(create({ parameters, required_params: ['a'] }))
    const requiredOf = (tool: any) =>
      Object.keys(tool.parameters).filter((name) => tool.parameters[name].required === true)
    expect(made.required_params).to.have.members(['a', 'b'])
    expect(requiredOf(made)).to.have.members(['a', 'b'])
    const patch = async (changes: object) => succeed(api.patch(`${path}/${made.id}`, changes))
    const only = await patch({ required_params: ['constructor'] })
    expect(only.required_params).to.deep.equal(['constructor'])
    expect(requiredOf(only)).to.deep.equal(['constructor'])
    const flagged = await patch({ parameters: { c: { type: 'number', description: '', required: true } } })
    expect(flagged.required_params).to.deep.equal(['c'])
    for (const name of ['a', 'toString', '__proto__']) {
      const refused = await api.patch(`${path}/${made.id}`, { required_params: ['c', name] })
      expect(fieldsOf(refused), name).to.deep.equal(['required_params.1'])
    }
    expect(fieldsOf(await create({ name: 'other', parameters, required_params: ['x'] }))).to.deep.equal([
      'required_params.0',
    ])
  })

  it('are as many as the operator allows, beside those built in', async () => {
    const port = await appliance.startAnotherServer()
    const clients = [api, api.with({ port })]
    const tool = (index: number) => ({ ...customTool, name: `tool_${index}` })
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => clients[index % 2]!.post(path, tool(index))),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).to.have.length(limit)
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201, 403]))
    expect(await list()).to.have.length(limit + 4)
    await succeed(api.delete(`${path}/${made[0]!.body.id}`))
    const twins = await Promise.all(clients.map(async (client) => client.post(path, tool(99))))
    expect(twins.filter(({ status }) => status === 201)).to.have.length(1)
  })

  it('are enabled version by version, and not deleted while they are', async () => {
    const { id } = await succeed(create())
    const end = await builtin('end_call')
    const { settings } = await succeed(enable(end.id, id))
    expect(settings.tools_id).to.deep.equal([end.id, id])
    expect((await succeed(api.post(`${agent}/version`))).version).to.equal(2)
    await succeed(enable())
    const refused = await api.delete(`${path}/${id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal('The tool look_up_order is used by version 2')
    await succeed(api.patch(`${agent}/settings`, { version: 2, functions: [end.id] }))
    expect((await succeed(api.delete(`${path}/${id}`))).id).to.equal(id)
    expect(fieldsOf(await enable(id, 'vat_unknown'))).to.deep.equal(['functions.0', 'functions.1'])
    expect(fieldsOf(await enable(end.id, end.id))).to.deep.equal(['functions'])
  })

  it('are those of one voice agent', async () => {
    const other = `/voice-agents/${await newVoiceAgent(api)}`
    const { id } = await succeed(create())
    const foreign = await succeed(
      (await appliance.workspace()).api.post('/voice-agents', {
        name: 'Foreign',
        instructions: 'Say hello and goodbye.',
      }),
    )
    for (const elsewhere of [other, `/voice-agents/${foreign.id}`, '/voice-agents/va_unknown']) {
      const at = `${elsewhere}/tools/${id}`
      expect((await api.get(at)).status).to.equal(404)
      expect((await api.patch(at, { is_active: false })).status).to.equal(404)
      expect((await api.delete(at)).status).to.equal(404)
    }
    const answer = await api.patch(`${other}/settings`, { version: 1, functions: [id] })
    expect(fieldsOf(answer)).to.deep.equal(['functions.0'])
    expect((await succeed(api.get(`${path}/${id}`))).is_active).to.equal(true)
  })

  it('never end enabled and deleted, when both are asked at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await succeed(create())
      const [enabling, deleting] = await Promise.all([enable(id), api.delete(`${path}/${id}`)])
      expect(
        [enabling.status, deleting.status],
        JSON.stringify([enabling.body, deleting.body]),
      ).to.be.deep.oneOf([
        [200, 409],
        [400, 200],
      ])
      await succeed(enable())
      await api.delete(`${path}/${id}`)
    }
  })
})
