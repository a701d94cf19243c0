/** Nodes of call flows: what each type takes and refuses. */
import { expect } from 'chai'
import type { Appliance } from '../support/appliance.js'
import type { ApiClient } from '../support/api-client.js'
import { createFlow, createFlowWith, start } from './call-flow-input.js'
import { fieldsOf, startUnlimited } from './fixtures.js'

describe('call flows have nodes', () => {
  let appliance: Appliance
  let api: ApiClient
  before(async () => {
    appliance = await startUnlimited()
    api = (await appliance.workspace()).api
  })
  after(async () => appliance?.stop())

  const sound: [string, object | undefined, string[]][] = [
    ['tts', { text: 'Hello', voice: 'en', speed: 1.2 }, ['default']],
    ['ivr', {}, ['completed', 'timeout', 'error', 'default']],
    ['ivr', { timeout: 60, max_digits: 10, webhook_url: 'https://example.com/ivr?a=b' }, ['default']],
    [
      'menu',
      { text: 'Press one', timeout: 1, retries: 0 },
      ['1', '*', '#', '0', 'invalid', 'timeout', 'default'],
    ],
    ['machine_detection', undefined, ['human', 'machine', 'fax', 'unknown', 'default']],
    ['machine_detection', { mode: 'message_end', timeout: 59 }, ['machine', 'default']],
    [
      'to_operator',
      { phone_number: '+12025550100', timeout: 300 },
      ['completed', 'busy', 'no_answer', 'failed'],
    ],
    ['voicemail', undefined, ['default']],
    ['voicemail', { max_duration: 3600, beep: false }, ['default']],
    ['recording', { format: 'mp3', stereo: true, answer_call: false }, ['default']],
    [
      'stream',
      {
        ws_url: 'wss://example.com/s',
        track: 'inbound',
        sample_rate: 16000,
        bidirectional: true,
        headers: { 'X-Token': 'a b' },
      },
      ['completed', 'failed', 'default'],
    ],
    ['contact_lookup', {}, ['found', 'not_found', 'error', 'default']],
    ['contact_lookup', { url: 'HTTP://example.com' }, ['default']],
    ['json_call_action', { url: 'https://example.com:8443/x' }, ['completed', 'error']],
    ['json_call_action', { url: 'https://me:x@a.example', headers: { 'X-Api-Key': 'k' } }, ['default']],
    ['ivr', { webhook_url: 'https://me:x@a.example', webhook_headers: { 'X-Api-Key': 'k' } }, ['default']],
    [
      'business_hours',
      {
        time_zone: 'America/New_York',
        hours: [
          { days: ['mon', 'fri'], from: '09:00', to: '17:30' },
          { days: ['sat'], from: '00:00', to: '24:00' },
        ],
        holidays: [{ date: '2028-02-29', title: 'Leap day' }, { date: '2026-12-25' }],
      },
      ['open', 'closed', 'holiday', 'default'],
    ],
    [
      'condition',
      {
        match: 'any',
        conditions: [
          { subject: 'caller_number', operator: 'starts_with', value: '+1' },
          { subject: 'contact.account.tier', operator: 'equals', value: 'gold' },
          { subject: 'variable.tries', operator: 'is_set' },
          { subject: 'digits', operator: 'not_equals', value: '#' },
        ],
      },
      ['true', 'false', 'default'],
    ],
    ['set_variable', { name: 'tries', value: '' }, ['default']],
    ['set_variable', { name: 'who', value: '{{ contact.name }} ({{digits}}) {}' }, ['default']],
    [
      'split',
      {
        branches: [
          { outcome: 'a', percent: 99 },
          { outcome: 'b', percent: 1 },
        ],
      },
      ['a', 'b', 'default'],
    ],
    ['connect_client', { sub: 'zoe', timeout: 300 }, ['completed', 'busy', 'no_answer', 'offline', 'failed']],
    ['connect_client', { client: 'client:zoe' }, ['default']],
    ['go_to_extension', {}, ['completed', 'busy', 'no_answer', 'offline', 'unknown', 'failed', 'default']],
    ['hangup', { cause: 'USER_BUSY' }, []],
    ['disconnect', undefined, []],
  ]
  for (const [type, params, outcomes] of sound) {
    it(`${type} ${JSON.stringify(params) ?? ''}`.slice(0, 80), async () => {
      const next = Object.fromEntries(outcomes.map((outcome) => [outcome, 'end']))
      const end = outcomes.length > 0 ? [{ id: 'end', type: 'hangup' }] : []
      const made = await createFlow(api, [start, { id: 'it', type, ...(params && { params }), next }, ...end])
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      expect(made.body.nodes[1]).to.deep.equal({ id: 'it', type, params: params ?? {}, next })
    })
  }

  const fields: Record<string, [string, object | undefined, Record<string, string>, string[]]> = {
    'play without an audio': ['play', {}, {}, ['params.audio_id']],
    'play of no audio': ['play', { audio_id: 'au_none' }, {}, ['params.audio_id']],
    'tts in no voice': ['tts', { text: 'x', voice: 'nobody' }, {}, ['params.voice']],
    'ivr of 11 digits': ['ivr', { max_digits: 11, timeout: 0 }, {}, ['params.max_digits', 'params.timeout']],
    'ivr to a mail address': ['ivr', { webhook_url: 'mailto:me' }, {}, ['params.webhook_url']],
    'ivr to a private address': ['ivr', { webhook_url: 'http://10.0.0.1/' }, {}, ['params.webhook_url']],
    'contact_lookup at this machine': ['contact_lookup', { url: 'http://127.0.0.1/x' }, {}, ['params.url']],
    'json_call_action at this machine': ['json_call_action', { url: 'http://[::1]/' }, {}, ['params.url']],
    'contact_lookup at a mail server': [
      'contact_lookup',
      { url: 'http://mx.example:25/' },
      {},
      ['params.url'],
    ],
    'json_call_action with a password twice': [
      'json_call_action',
      { url: 'https://me:x@a.example', headers: { authorization: 'Bearer x' } },
      {},
      ['params.url'],
    ],
    'contact_lookup with headers for no server': [
      'contact_lookup',
      { headers: { 'X-Api-Key': 'k' } },
      {},
      ['params.headers'],
    ],
    'json_call_action with headers of the platform': [
      'json_call_action',
      {
        url: 'https://a.example',
        headers: { Host: 'x', 'jackfield-signature': 'x', 'X-Key': 'x', 'x-key': 'y' },
      },
      {},
      ['params.headers.Host', 'params.headers.jackfield-signature', 'params.headers.x-key'],
    ],
    'ivr with a header of the connection': [
      'ivr',
      { webhook_url: 'https://a.example', webhook_headers: { Connection: 'close' } },
      {},
      ['params.webhook_headers.Connection'],
    ],
    'menu that says nothing': ['menu', {}, { 1: 'it' }, ['params']],
    'menu that says two things': [
      'menu',
      { text: 'x', audio_id: 'au_x' },
      { 1: 'it' },
      ['params.audio_id', 'params'],
    ],
    'menu without a key': ['menu', { text: 'x' }, { timeout: 'it' }, ['next']],
    'menu with a letter': ['menu', { text: 'x' }, { 1: 'it', a: 'it' }, ['next.a']],
    'menu with a long key': ['menu', { text: 'x' }, { 1: 'it', 12: 'it' }, ['next.12']],
    'to_operator to nobody': ['to_operator', { phone_number: 'bob' }, {}, ['params.phone_number']],
    'to_operator from a stranger': [
      'to_operator',
      { phone_number: '+12025550100', from: '+12025550101', gateway_id: 'gw_x', ringback_audio_id: 'au_x' },
      {},
      ['params.from', 'params.ringback_audio_id', 'params.gateway_id'],
    ],
    'connect_agent to nobody': ['connect_agent', { agent_id: 'ag_x', timeout: 301 }, {}, ['params.timeout']],
    'connect_agent to an unknown one': ['connect_agent', { agent_id: 'ag_x' }, {}, ['params.agent_id']],
    'connect_client to nobody': ['connect_client', { timeout: 30 }, {}, ['params.sub']],
    'connect_client to two': ['connect_client', { sub: 'a', client: 'b' }, {}, ['params.sub']],
    'connect_client to what is no sub': ['connect_client', { sub: 'a@b' }, {}, ['params.sub']],
    'connect_team to an unknown one': [
      'connect_team',
      { team_id: 'te_x', strategy: 'random', queue: { music_audio_id: 'au_x' } },
      {},
      ['params.team_id', 'params.queue.music_audio_id'],
    ],
    'connect_team by guessing': [
      'connect_team',
      { team_id: 'te_x', strategy: 'guess' },
      {},
      ['params.strategy'],
    ],
    'connect_voice_agent to an unknown one': [
      'connect_voice_agent',
      { voice_agent_id: 'va_x', version: 1 },
      {},
      ['params.voice_agent_id'],
    ],
    'go_to_extension that is not there': [
      'go_to_extension',
      { extension_id: 'ex_x' },
      {},
      ['params.extension_id'],
    ],
    'stream over HTTP': ['stream', { ws_url: 'https://example.com' }, {}, ['params.ws_url']],
    'stream with eleven headers': [
      'stream',
      {
        ws_url: 'ws://x',
        headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`h${i}`, 'x'])),
      },
      {},
      ['params.headers'],
    ],
    'stream with a header of two lines': [
      'stream',
      { ws_url: 'ws://x', headers: { a: 'x\r\ny' } },
      {},
      ['params.headers.a'],
    ],
    'stream with a header of the handshake': [
      'stream',
      { ws_url: 'ws://x', headers: { 'Sec-WebSocket-Key': 'x', a: 'x', HOST: 'x' } },
      {},
      ['params.headers.Sec-WebSocket-Key', 'params.headers.HOST'],
    ],
    'stream to a private address': ['stream', { ws_url: 'wss://10.0.0.1/' }, {}, ['params.ws_url']],
    'stream of what the server says to itself': [
      'stream',
      { ws_url: 'ws://x', bidirectional: true, track: 'outbound' },
      {},
      ['params.track'],
    ],
    'stream at another rate': [
      'stream',
      { ws_url: 'ws://x', sample_rate: 44100 },
      {},
      ['params.sample_rate'],
    ],
    'json_call_action to nowhere': ['json_call_action', {}, {}, ['params.url']],
    'send_message from a stranger': [
      'send_message',
      { from: '+12025550101', body: 'x' },
      {},
      ['params.from'],
    ],
    'send_message to nobody': [
      'send_message',
      { from: '+12025550101', to: '+99912345', body: 'x' },
      {},
      ['params.from', 'params.to'],
    ],
    'send_message of what is not known': [
      'send_message',
      { from: '+12025550101', body: 'Hello {{name}}' },
      {},
      ['params.from', 'params.body'],
    ],
    'set_variable to what is not known': [
      'set_variable',
      { name: 'who', value: '{{digits}} {{contact}} {{name}}' },
      {},
      ['params.value'],
    ],
    'business_hours nowhere': [
      'business_hours',
      { time_zone: 'Mars/Base', hours: [] },
      {},
      ['params.time_zone'],
    ],
    'business_hours by offset': [
      'business_hours',
      { time_zone: '+02:00', hours: [] },
      {},
      ['params.time_zone'],
    ],
    'business_hours backwards': [
      'business_hours',
      { time_zone: 'UTC', hours: [{ days: ['mon'], from: '17:00', to: '09:00' }] },
      {},
      ['params.hours.0.to'],
    ],
    'business_hours at 25': [
      'business_hours',
      { time_zone: 'UTC', hours: [{ days: ['mon', 'mon', 'x'], from: '25:00', to: '24:01' }] },
      {},
      ['params.hours.0.days', 'params.hours.0.days.2', 'params.hours.0.from', 'params.hours.0.to'],
    ],
    'business_hours on no day': [
      'business_hours',
      { time_zone: 'UTC', hours: [], holidays: [{ date: '2027-02-29' }] },
      {},
      ['params.holidays.0.date'],
    ],
    'condition without a value': [
      'condition',
      {
        conditions: [
          { subject: 'digits', operator: 'equals' },
          { subject: 'digits', operator: 'is_set', value: 'x' },
        ],
      },
      {},
      ['params.conditions.0.value', 'params.conditions.1.value'],
    ],
    'condition on anything': [
      'condition',
      { conditions: [{ subject: 'process.env', operator: 'matches', value: 'x' }] },
      {},
      ['params.conditions.0.subject', 'params.conditions.0.operator'],
    ],
    'condition on nothing': ['condition', { conditions: [] }, {}, ['params.conditions']],
    'set_variable of a prototype': ['set_variable', { name: '__proto__', value: 'x' }, {}, ['params.name']],
    'split of 99 percent': [
      'split',
      {
        branches: [
          { outcome: 'a', percent: 50 },
          { outcome: 'a', percent: 48 },
          { outcome: 'default', percent: 1 },
        ],
      },
      {},
      ['params.branches.1.outcome', 'params.branches.2.outcome', 'params.branches'],
    ],
    'split into one': [
      'split',
      { branches: [{ outcome: 'a', percent: 100 }] },
      {},
      ['params.branches', 'params.branches.0.percent'],
    ],
    'hangup with no such cause': ['hangup', { cause: 'BOREDOM' }, {}, ['params.cause']],
    'hangup that goes on': ['hangup', {}, { default: 'it' }, ['next.default']],
    'an action of no contract': ['constructor', {}, {}, ['type']],
  }
  it('of types that are listed with all that a form needs', async () => {
    const { data } = (await api.get('/call-flows/node-types')).body
    const of = (type: string) => data.find((one: { type: string }) => one.type === type)
    expect(of('start')).to.deep.include({ group: null, outcomes: ['default'] })
    expect(of('hangup')).to.deep.include({ group: 'end', outcomes: [] })
    expect(of('send_message')).to.deep.include({
      ...{ group: 'services', summary: 'Sends a text message', outcomes: ['sent', 'failed', 'default'] },
    })
    const { required, properties } = of('send_message').params
    expect(required).to.deep.equal(['from', 'body'])
    expect(properties.from).to.include({ type: 'string', 'x-reference': 'phone_number' })
    expect(properties.body['x-field']).to.deep.equal({ kind: 'text', placeholders: true })
    expect(of('connect_team').params.properties.queue.properties.max_wait).to.deep.include({
      ...{ type: 'integer', minimum: 1, maximum: 3600, 'x-field': { default: 300 } },
    })
    // One of an action, with what only its node knows.
    expect(of('to_operator').params.properties.phone_number['x-field']).to.deep.equal({
      ...{ kind: 'operator', telephone: true },
    })
    expect(of('split').outcomes).to.deep.equal(['default'])
    expect(of('split').params.properties.branches.items.properties.outcome['x-outcome']).to.equal(true)
  })

  for (const [name, [type, params, next, expected]] of Object.entries(fields)) {
    it(`but not ${name}`, async () => {
      const found = fieldsOf(await createFlowWith(api, type, params, next)).map((field) =>
        field.replace('nodes.1.', ''),
      )
      if (!name.includes('that goes on')) expect(found).to.have.members(expected)
      else expect(found).to.include.members(expected)
    })
  }
})
