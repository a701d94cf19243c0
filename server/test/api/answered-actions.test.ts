/** Which actions a customer's server may answer with (contract, Call-flow webhooks, 2): tried without a call. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { agentInput, newActiveNumber, newAudio, newTeam, startUnlimited, succeed } from './fixtures.js'

describe('actions that a server answers', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  let flow: string
  const ids: Record<string, string> = {}

  before(async () => {
    appliance = await startUnlimited()
    const workspace = await appliance.workspace()
    api = workspace.api
    await newActiveNumber(appliance, workspace)
    const [number] = (await succeed(api.get('/phone-numbers'))).data
    Object.assign(ids, {
      ...{ number: `+${number.number}`, gateway: number.outbound_gateway_id },
      ...{ audio: await newAudio(api), team: await newTeam(api) },
      agent: (await succeed(api.post('/agents', agentInput()))).id,
    })
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'ask' } },
      { id: 'ask', type: 'json_call_action', params: { url: 'https://shop.example/' } },
    ]
    flow = (await succeed(api.post('/call-flows', { title: 'Ask', trigger_type: 'inbound', nodes }))).id
  })
  after(async () => appliance?.stop())

  /** What is wrong with one of the actions of an answer; undefined when nothing is. */
  async function problemOf(...actions: object[]): Promise<string | undefined> {
    const { outcome, details } = await answeredWith(...actions)
    expect(outcome).to.equal('completed')
    const found = details.actions.filter((one: { outcome?: string }) => one.outcome === 'failed')
    return found[0]?.problem as string | undefined
  }

  async function answeredWith(...actions: object[]) {
    const { path } = await succeed(api.post(`/call-flows/${flow}/simulate`, { actions: { ask: actions } }))
    return path.find(({ node_id }: { node_id: string }) => node_id === 'ask')
  }

  it('are those of the contract, with all their parameters', async () => {
    const to = { number: '+12025550100', name: 'Sales' }
    const good: [string, object?][] = [
      ['play', { audio_id: ids['audio'], answer_call: false, continue_on_play: true }],
      ['tts', { text: 'x'.repeat(1_000), voice: 'en', speed: 1.5 }],
      ['ivr', { timeout: 10, max_digits: 10 }],
      ['ivr', { webhook_url: 'https://shop.example/keys' }],
      ['to_operator', { phone_number: '+12025550100', from: ids['number'], ringback_audio_id: ids['audio'] }],
      [
        'to_operator',
        { to, from: { number: ids['number'], name: 'Us' }, gateway_id: ids['gateway'], timeout: 300 },
      ],
      ['connect_agent', { agent_id: ids['agent'], timeout: 10 }],
      ...['ring-all', 'round-robin', 'sequential', 'random'].map((strategy): [string, object] => [
        'connect_team',
        { team_id: ids['team'], strategy },
      ]),
      ['voicemail', { greeting_audio_id: ids['audio'], max_duration: 30, beep: false }],
      ['recording', { format: 'mp3', stereo: true }],
    ]
    for (const [action, params] of good) {
      expect(await problemOf({ action, ...(params && { params }) }), JSON.stringify(params)).to.equal(
        undefined,
      )
    }
    const flags = { continue: true, auto_answer: false }
    expect(await problemOf({ action: 'tts', params: { text: 'Hello' }, ...flags })).to.equal(undefined)
  })

  it('fail alone when they are wrong, and the others run', async () => {
    const bad: [string, object, string][] = [
      ['dance', {}, 'actions.1.action must be one of'],
      ['tts', { text: 'x'.repeat(1_001) }, 'actions.1.params.text must NOT have more than 1000 characters'],
      ['ivr', { max_digits: 11 }, 'actions.1.params.max_digits must be <= 10'],
      ['to_operator', {}, 'phone_number is required'],
      [
        'to_operator',
        { phone_number: '+12025550100', timeout: 301 },
        'actions.1.params.timeout must be <= 300',
      ],
      [
        'to_operator',
        { phone_number: '+12025550100', gateway_id: 'gw_x' },
        'gateway_id is not an outbound gateway',
      ],
      [
        'connect_team',
        { team_id: ids['team'], strategy: 'loudest' },
        'actions.1.params.strategy must be one of',
      ],
      ['connect_agent', { agent_id: 'ag_x' }, 'agent_id is not an agent of this workspace'],
      ['play', { audio_id: 'au_x' }, 'audio_id is not an audio of this workspace'],
      ['hangup', { cause: 'BORED' }, 'actions.1.params.cause must be one of'],
    ]
    const fine = { action: 'tts', params: { text: 'Hello' } }
    for (const [action, params, message] of bad) {
      expect(await problemOf(fine, { action, params }), action).to.include(message)
      const { details } = await answeredWith(fine, { action, params }, fine)
      const done = details.actions.map((one: { action: string }) => one.action)
      expect(done, action).to.deep.equal(['tts', action, 'tts'])
    }
  })

  it('run without the fields that are not known, which are told', async () => {
    const params = { text: 'x', loud: true, voice: null }
    const { details } = await answeredWith({ action: 'tts', params })
    expect(details.ignored).to.deep.equal(['actions.0.params.loud'])
    expect(details.actions).to.deep.equal([{ action: 'tts', text: 'x' }])
  })
})
