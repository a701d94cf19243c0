/** Every parameter of every call action: what it takes, up to its limits, and what it refuses. */
import { expect } from 'chai'
import { allActions } from '../../src/features/calls/script/actions/index.js'
import { hangupCauses } from '../../src/adapters/freeswitch/hangup-causes.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import {
  fieldsOf,
  newActiveNumber,
  newAgent,
  newAudio,
  newGateway,
  newNumber,
  newTeam,
  newVoiceAgent,
  startUnlimited,
} from './fixtures.js'

/** What a parameter takes and refuses, beside those that the action must have. */
type Values = Record<string, { good: unknown[]; wrong: unknown[] }>

interface Things {
  audio: string
  agent: string
  team: string
  voiceAgent: string
  gateway: string
  number: string
  inactive: string
}

describe('parameters of call actions', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  let own: Things
  /** The same of another workspace: here they are as good as unknown. */
  let foreign: Things

  before(async () => {
    appliance = await startUnlimited()
    const things = async (): Promise<[TestWorkspace, Things]> => {
      const workspace = await appliance.workspace()
      const inactive = await workspace.api.get(`/phone-numbers/${await newNumber(workspace.api)}`)
      return [
        workspace,
        {
          ...{ audio: await newAudio(workspace.api), agent: await newAgent(workspace.api) },
          ...{ team: await newTeam(workspace.api), gateway: await newGateway(workspace.api) },
          voiceAgent: await newVoiceAgent(workspace.api),
          number: `+${(await newActiveNumber(appliance, workspace)).number}`,
          inactive: `+${inactive.body.number}`,
        },
      ]
    }
    const [workspace, mine] = await things()
    api = workspace.api
    own = mine
    foreign = (await things())[1]
  })
  after(async () => appliance?.stop())

  const flag = { good: [true, false], wrong: ['yes', 1] }
  const whole = (least: number, most: number) => ({
    good: [least, most],
    wrong: [least - 1, most + 1, least + 0.5, String(least)],
  })
  const id = (name: 'audio' | 'agent' | 'team' | 'gateway' | 'voiceAgent') => ({
    good: [own[name]],
    wrong: [foreign[name], 'unknown', '', 7],
  })
  const ringback = () => ({ timeout: whole(1, 300), ringback_audio_id: id('audio') })

  /** By action: the parameters that it must have, and all that it may have. */
  const table: Record<string, () => { needs?: object; values: Values }> = {
    play: () => ({
      needs: { audio_id: own.audio },
      values: { audio_id: id('audio'), answer_call: flag, continue_on_play: flag },
    }),
    tts: () => ({
      needs: { text: 'Hello' },
      values: {
        text: { good: ['x', 'x'.repeat(3_000), '"Grüße", €'], wrong: ['', 'x'.repeat(3_001), '\ud800', 7] },
        voice: { good: ['en', 'de', 'en+f3'], wrong: ['nobody', '', 'en+nobody', 'x'.repeat(101)] },
        speed: { good: [0.5, 1, 1.25, 2], wrong: [0.49, 2.01, '1'] },
      },
    }),
    ivr: () => ({
      needs: { webhook_url: 'https://customer.test/' },
      values: {
        timeout: whole(1, 60),
        max_digits: whole(1, 10),
        webhook_url: {
          good: [
            'https://customer.test/keys?a=b',
            'http://customer.test:8080',
            'https://me:pw@customer.test/',
          ],
          wrong: [
            'ftp://customer.test/',
            'customer.test',
            'https://me:a:b%ff@customer.test/',
            'http://127.0.0.1/',
            '',
            7,
          ],
        },
        webhook_headers: {
          good: [{}, { Authorization: 'Bearer x', 'X-Api-Key': 'k' }],
          wrong: ['X-A: x', 7, []],
        },
      },
    }),
    to_operator: () => ({
      needs: { phone_number: '+12025550106' },
      values: {
        phone_number: { good: ['12025550106', 'sip:bob@pbx.example'], wrong: ['+1', 'nobody', '', 7] },
        from: {
          good: [own.number, { number: own.number }, { number: own.number, name: 'x'.repeat(64) }],
          wrong: [foreign.number, own.inactive, 'nobody', 7],
        },
        gateway_id: id('gateway'),
        ...ringback(),
      },
    }),
    connect_agent: () => ({
      needs: { agent_id: own.agent },
      values: { agent_id: id('agent'), ...ringback() },
    }),
    connect_client: () => ({
      needs: { sub: 'zoe' },
      values: {
        // Nobody knows the users of customers' apps: who is not there is offline.
        sub: {
          good: ['x', 'x'.repeat(64), 'Zoe_1-a.b', 'client:zoe'],
          wrong: ['', 'x'.repeat(65), 'a b', 'zoe@acme', 'client:', 'client:client:zoe', 'operator:', 7],
        },
        ...ringback(),
      },
    }),
    connect_team: () => ({
      needs: { team_id: own.team },
      values: {
        team_id: id('team'),
        strategy: {
          good: ['ring-all', 'round-robin', 'sequential', 'random'],
          wrong: ['loudest', '', 'RANDOM'],
        },
        ...ringback(),
        queue: { good: [{}], wrong: [true, []] },
      },
    }),
    connect_voice_agent: () => ({
      needs: { voice_agent_id: own.voiceAgent },
      values: {
        voice_agent_id: id('voiceAgent'),
        version: { good: [1], wrong: [0, 2, 1.5, '1'] },
        max_duration_seconds: whole(1, 7200),
        ...ringback(),
      },
    }),
    recording: () => ({
      values: {
        format: { good: ['wav', 'mp3'], wrong: ['ogg', 'WAV'] },
        stereo: flag,
        answer_call: flag,
      },
    }),
    voicemail: () => ({
      values: { greeting_audio_id: id('audio'), max_duration: whole(1, 3600), beep: flag },
    }),
    machine_detection: () => ({
      values: {
        mode: { good: ['detect', 'message_end'], wrong: ['both', '', 1] },
        timeout: whole(3, 59),
        machine_actions: { good: [[{ action: 'hangup' }]], wrong: ['hangup', 7, {}] },
      },
    }),
    stream: () => ({
      needs: { ws_url: 'wss://customer.test/stream' },
      values: {
        ws_url: {
          good: ['wss://customer.test:8443/a?b=c'],
          wrong: ['https://customer.test/', 'customer.test', 'wss://127.0.0.1/', '', 7],
        },
        track: { good: ['both', 'inbound', 'outbound'], wrong: ['caller', '', 1] },
        sample_rate: { good: [8000, 16000], wrong: [44_100, '8000', 0] },
        bidirectional: flag,
        answer_call: flag,
        headers: { good: [{}, { 'X-Token': 'k' }], wrong: ['X-A: x', 7, []] },
      },
    }),
    hangup: () => ({ values: { cause: { good: [...hangupCauses], wrong: ['BOREDOM', 17] } } }),
    disconnect: () => ({ values: { cause: { good: [...hangupCauses], wrong: ['normal_clearing', ''] } } }),
  }

  const make = async (...actions: object[]) =>
    api.post('/calls/make', { to: { number: '+12025550100' }, actions })

  it('are in the table of this suite', () => {
    expect(Object.keys(table)).to.have.members(allActions.map(({ name }) => name))
  })

  for (const [action, row] of Object.entries(table)) {
    it(`${action} takes and refuses`, async () => {
      const { needs = {}, values } = row()
      const good = Object.entries(values).flatMap(([name, one]) =>
        one.good.map((value) => ({ action, params: { ...needs, [name]: value } })),
      )
      // The call is over before any of them begins.
      const taken = await make({ action: 'hangup' }, { action, params: needs }, ...good)
      expect(taken.status, JSON.stringify(taken.body.errors)).to.equal(201)
      for (const [name, { wrong }] of Object.entries(values)) {
        for (const value of wrong) {
          const answer = await make({ action, params: { ...needs, [name]: value } })
          const told = JSON.stringify({ [name]: value })
          expect(fieldsOf(answer), told).to.deep.equal([`actions.0.params.${name}`])
        }
        const unset = await make({ action: 'hangup' }, { action, params: { ...needs, [name]: null } })
        if (name in needs) expect(fieldsOf(unset), name).to.deep.equal([`actions.1.params.${name}`])
        else expect(unset.status, `${name} of null`).to.equal(201)
      }
      for (const name of Object.keys(needs)) {
        const { [name]: _without, ...others } = needs as Record<string, unknown>
        expect(fieldsOf(await make({ action, params: others }))).to.deep.equal([`actions.0.params.${name}`])
      }
      const odd = await make({ action, params: { ...needs, colour: 'red' } })
      expect(fieldsOf(odd)).to.deep.equal(['actions.0.params.colour'])
    })
  }

  it('connect_client takes client in place of sub, and one of both', async () => {
    const params = (...some: object[]) => some.map((one) => ({ action: 'connect_client', params: one }))
    const taken = await make({ action: 'hangup' }, ...params({ client: 'zoe' }, { client: 'client:zoe' }))
    expect(taken.status, JSON.stringify(taken.body.errors)).to.equal(201)
    for (const [wrong, field] of [
      [{}, 'sub'],
      [{ sub: 'zoe', client: 'zoe' }, 'sub'],
      [{ client: 'a b' }, 'client'],
    ] as const) {
      expect(fieldsOf(await make(...params(wrong)))).to.deep.equal([`actions.0.params.${field}`])
    }
  })

  it('to_operator takes the address of a client, in both forms', async () => {
    const to = (...some: object[]) => some.map((params) => ({ action: 'to_operator', params }))
    const taken = await make(
      { action: 'hangup' },
      ...to({ phone_number: 'client:zoe' }, { to: { number: `client:${'x'.repeat(64)}`, name: 'Zoe' } }),
    )
    expect(taken.status, JSON.stringify(taken.body.errors)).to.equal(201)
    for (const number of [
      'client:',
      'client:a b',
      `client:${'x'.repeat(65)}`,
      'Client:zoe',
      'client:operator:',
    ]) {
      expect(fieldsOf(await make(...to({ phone_number: number }))), number).to.deep.equal([
        'actions.0.params.phone_number',
      ])
      const answer = await api.post('/calls/make', { to: { number } })
      expect(fieldsOf(answer), number).to.deep.equal(['to.number'])
    }
  })

  it('queues of connect_team take and refuse', async () => {
    const values: Values = {
      max_wait: whole(1, 3600),
      max_length: whole(1, 1000),
      music_audio_id: id('audio'),
      announce_position: flag,
    }
    const withQueue = (queue: object) => ({ action: 'connect_team', params: { team_id: own.team, queue } })
    for (const [name, { good, wrong }] of Object.entries(values)) {
      const taken = await make({ action: 'hangup' }, ...good.map((value) => withQueue({ [name]: value })))
      expect(taken.status, name).to.equal(201)
      expect((await make({ action: 'hangup' }, withQueue({ [name]: null }))).status, name).to.equal(201)
      for (const value of wrong) {
        const answer = await make(withQueue({ [name]: value }))
        expect(fieldsOf(answer), String(value)).to.deep.equal([`actions.0.params.queue.${name}`])
      }
    }
  })

  it('continue and auto_answer of every action are flags', async () => {
    for (const name of ['continue', 'auto_answer']) {
      const flags = [true, false].map((value) => ({ action: 'hangup', [name]: value }))
      expect((await make(...flags)).status).to.equal(201)
      expect((await make({ action: 'hangup', [name]: null })).status).to.equal(201)
      for (const value of ['yes', 1]) {
        const answer = await make({ action: 'hangup', [name]: value })
        expect(fieldsOf(answer)).to.deep.equal([`actions.0.${name}`])
      }
    }
  })
})
