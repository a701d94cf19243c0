/**
 * Limits and uniqueness between two servers on one database: whoever comes first, there is never one too
 * many. The counts of `limits` are small here, so that each is reached; those of the contract are the true ones.
 */
import { expect } from 'chai'
import { settings } from '../../src/config/config.js'
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import {
  type AgentRole,
  acl,
  agentInput,
  audio,
  callFlow,
  contact,
  customTool,
  gateway,
  keyRights,
  newAcl,
  newAddressBook,
  newAgent,
  newCallFlow,
  newGateway,
  newNationalNumber,
  newNumber,
  newPerson,
  newSipAccount,
  newTeam,
  newVoiceAgent,
  numberInput,
  sipAccountInput,
  startUnlimited,
  succeed,
  teamInput,
  voiceAgent,
  webhook,
} from './fixtures.js'
import { androidCredential, iosCredential } from './push-fixtures.js'

const small = 4

interface Counted {
  path: string | ((api: ApiClient) => Promise<string>)
  max: number
  /** Whose they are to make; a key's by default. */
  by?: AgentRole
  /** A body for each of the racers; none may be refused for any other reason than the limit. */
  bodies: (api: ApiClient, racers: number) => Promise<object[]>
}

const each = (make: (index: number) => object) => async (_: ApiClient, racers: number) =>
  Array.from({ length: racers }, (_one, index) => make(index))

/** What is counted, by its setting or, for the contract's own limits, by its table. */
const counted: Record<string, Counted> = {
  api_keys: { path: '/api-keys', max: small, bodies: each(() => keyRights) },
  inbound_acls: { path: '/sip-trunks/acls', max: small, bodies: each(() => acl) },
  outbound_gateways: { path: '/sip-trunks/gateways', max: small, bodies: each(() => gateway) },
  audios: { path: '/audios', max: small, bodies: each(() => audio) },
  agents: { path: '/agents', max: small, bodies: each(() => agentInput()) },
  teams: { path: '/teams', max: small, bodies: each(() => teamInput()) },
  sip_accounts: { path: '/sip-accounts', max: small, bodies: each(() => sipAccountInput()) },
  extensions: {
    path: '/extensions',
    max: small,
    bodies: async (api, racers) => {
      const sip_account_id = await newSipAccount(api)
      return Array.from({ length: racers }, (_, index) => ({
        ...{ title: 'Desk', destination: 'sip-account', sip_account_id },
        extension_number: String(100 + index),
      }))
    },
  },
  contacts: { path: '/contacts', max: small, bodies: each(() => contact) },
  address_books: {
    path: '/address-books',
    max: small,
    bodies: each((index) => ({ title: `Book ${index}` })),
  },
  call_flows: {
    path: '/call-flows',
    max: small,
    bodies: each((index) => ({ ...callFlow, title: `F${index}` })),
  },
  webhooks: { path: '/webhooks', max: small, bodies: each(() => webhook) },
  push_credentials: {
    path: '/push-credentials',
    max: small,
    bodies: async (api) => {
      // One key may have two, and the workspace may hold few keys.
      const inputs = []
      for (let key = 0; key < small - 1; key++) {
        const { sid } = await succeed(api.post('/api-keys', keyRights))
        for (const credential of [iosCredential, androidCredential]) {
          inputs.push({ ...credential, api_key_sid: sid as string })
        }
      }
      return inputs
    },
  },
  canned_replies: {
    path: '/call-center/canned-replies',
    max: small,
    by: 'leader',
    bodies: each((index) => ({ title: `Reply ${index}`, body: 'Thanks' })),
  },
  voice_agent_tools: {
    path: async (api) => `/voice-agents/${await newVoiceAgent(api)}/tools`,
    // Four are built in.
    max: small + 4,
    bodies: each((index) => ({ ...customTool, name: `tool_${index}` })),
  },
  phone_numbers: {
    path: '/phone-numbers/connect',
    max: 100,
    bodies: async (api, racers) => {
      const input = await numberInput(api)
      return Array.from({ length: racers }, () => ({ ...input, number: newNationalNumber() }))
    },
  },
  voice_agents: {
    path: '/voice-agents',
    max: 30,
    bodies: each(() => voiceAgent),
  },
}

interface Unique {
  path: string
  /** The same body for all. */
  body: (api: ApiClient) => Promise<object>
  /** What only one of them may be changed to; undefined where nothing unique can be changed. */
  change?: object
  /** Bodies of things that differ, to be made alike by the change. */
  others?: (api: ApiClient) => Promise<object>
}

const unique: Record<string, Unique> = {
  'an agent’s username': {
    path: '/agents',
    body: async () => agentInput(),
    others: async () => agentInput(),
    change: { username: 'racer' },
  },
  'an agent’s e-mail address': {
    path: '/agents',
    body: async () => ({ ...agentInput(), email: 'first@example.com' }),
    others: async () => agentInput(),
    change: { email: 'Racer@example.com' },
  },
  'a team’s name': {
    path: '/teams',
    body: async () => teamInput(),
    others: async () => teamInput(),
    change: { name: 'Racers' },
  },
  'a SIP account’s username': { path: '/sip-accounts', body: async () => sipAccountInput() },
  'an extension’s number': {
    path: '/extensions',
    body: async (api) => extensionInput(api, '100'),
    others: async (api) => extensionInput(api, newExtensionNumber()),
    change: { extension_number: '777' },
  },
  'a phone number': { path: '/phone-numbers/connect', body: async (api) => numberInput(api) },
  'a push credential’s key and platform': {
    path: '/push-credentials',
    body: async (api) => {
      const { sid } = await succeed(api.post('/api-keys', keyRights))
      return { ...androidCredential, api_key_sid: sid as string }
    },
  },
}

interface Use {
  used: (api: ApiClient) => Promise<string>
  remove: string
  /** Begins to use it. */
  use: (api: ApiClient, id: string) => Promise<() => Promise<Answer>>
  /** The object in an extension that shows what was deleted: the extension outlives it. */
  outlivedBy?: string
}

/** What may not be deleted and taken into use at once. */
const uses: Record<string, Use> = {
  'an ACL and a number': {
    used: newAcl,
    remove: '/sip-trunks/acls/',
    use: async (api, inbound_acl_id) => {
      const number = await newNumber(api)
      return async () => api.patch(`/phone-numbers/${number}`, { inbound_acl_id })
    },
  },
  'a gateway and a number': {
    used: newGateway,
    remove: '/sip-trunks/gateways/',
    use: async (api, outbound_gateway_id) => {
      const number = await newNumber(api)
      return async () => api.patch(`/phone-numbers/${number}`, { outbound_gateway_id })
    },
  },
  'a team and a number': {
    used: newTeam,
    remove: '/teams/',
    use: async (api, team) => {
      const number = await newNumber(api)
      return async () => api.patch(`/phone-numbers/${number}`, { shared_teams_id: [team] })
    },
  },
  'a flow and a number': {
    used: newCallFlow,
    remove: '/call-flows/',
    use: async (api, call_flow_id) => {
      const number = await newNumber(api)
      return async () => api.patch(`/phone-numbers/${number}`, { call_flow_id })
    },
  },
  'a SIP account and an extension': extensionOf(
    'sip-account',
    'sip_account_id',
    newSipAccount,
    '/sip-accounts/',
  ),
  'a team and an extension': extensionOf('team', 'team_id', newTeam, '/teams/'),
  'an agent and an extension': extensionOf('agent', 'agent_id', newAgent, '/agents/'),
  'a voice agent and an extension': extensionOf(
    'voice-agent',
    'voice_agent_id',
    newVoiceAgent,
    '/voice-agents/',
  ),
  'an address book and a contact': {
    used: newAddressBook,
    remove: '/address-books/',
    use: async (api, address_book_id) => async () => api.post('/contacts', { ...contact, address_book_id }),
  },
}

let lastExtension = 1_000

function newExtensionNumber(): string {
  lastExtension += 1
  return String(lastExtension)
}

async function extensionInput(api: ApiClient, extension_number: string) {
  const sip_account_id = await newSipAccount(api)
  return { title: 'Desk', destination: 'sip-account', sip_account_id, extension_number }
}

function extensionOf(
  destination: string,
  field: string,
  used: (api: ApiClient) => Promise<string>,
  remove: string,
): Use {
  return {
    ...{ used, remove, outlivedBy: field.replace(/_id$/, '') },
    use: async (api, id) => async () =>
      api.post('/extensions', {
        ...{ title: 'Desk', extension_number: newExtensionNumber(), destination },
        [field]: id,
      }),
  }
}

describe('two servers that race', function () {
  this.timeout(60_000)
  const racers = 12
  let few: Appliance
  let many: Appliance

  before(async () => {
    const limits = Object.keys(settings.limits).map((name) => [
      `JACKFIELD_LIMITS_${name.toUpperCase()}`,
      String(small),
    ])
    few = await startUnlimited(Object.fromEntries(limits))
    many = await startUnlimited()
  })
  after(async () => {
    await few?.stop()
    await many?.stop()
  })

  const ports = new Map<Appliance, Promise<number>>()
  /** The workspace on one server and on another. */
  const both = async (appliance: Appliance): Promise<{ workspace: TestWorkspace; apis: ApiClient[] }> => {
    const workspace = await appliance.workspace()
    if (!ports.has(appliance)) ports.set(appliance, appliance.startAnotherServer())
    return { workspace, apis: [workspace.api, workspace.api.with({ port: (await ports.get(appliance))! })] }
  }
  const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

  it('have every limit of the settings in the table of this suite', () => {
    for (const name of Object.keys(settings.limits)) expect(counted, name).to.have.property(name)
  })

  for (const [name, { path: given, max, by, bodies }] of Object.entries(counted)) {
    it(`never make more ${name} than ${max}`, async () => {
      const isContracts = !(name in settings.limits)
      const { workspace, apis: ofKey } = await both(isContracts ? many : few)
      const authorization = by ? (await newPerson(workspace, by)).api.authorization : undefined
      const apis = authorization ? ofKey.map((api) => api.with({ authorization })) : ofKey
      const path = typeof given === 'string' ? given : await given(workspace.api)
      const list = path.replace('/connect', '')
      const inputs = await bodies(workspace.api, isContracts ? max + racers : racers)
      // Those that prepare the race count too, such as the key that asks.
      let { total } = (await succeed(apis[0]!.get(list))).meta as { total: number }
      while (total < max - small) {
        await succeed(apis[0]!.post(path, inputs.pop()))
        total += 1
      }
      const free = max - total
      const answers = await Promise.all(
        inputs.map(async (input, index) => apis[index % 2]!.post(path, input)),
      )
      const made = answers.filter(({ status }) => status === 201 || status === 200)
      const refused = answers.filter(({ status }) => status === 403)
      expect(made.length, JSON.stringify(answers.map(({ body }) => body))).to.equal(free)
      expect(refused.length).to.equal(inputs.length - free)
      expect(refused[0]?.body.message).to.match(/ (holds|has) \d+ /)
      expect((await succeed(apis[0]!.get(list))).meta.total).to.equal(max)
    })
  }

  for (const [name, { path, body, change, others }] of Object.entries(unique)) {
    it(`never give ${name} twice`, async () => {
      const { workspace, apis } = await both(many)
      const input = await body(workspace.api)
      const answers = await Promise.all(
        Array.from({ length: racers }, async (_, index) => apis[index % 2]!.post(path, input)),
      )
      const statuses = statusesOf(answers)
      expect(statuses[0], JSON.stringify(answers[0]?.body)).to.be.oneOf([200, 201])
      expect(statuses.slice(1)).to.deep.equal(Array(racers - 1).fill(409))
      if (!change || !others) return
      const made: { id: string }[] = []
      for (let index = 0; index < 6; index++) {
        made.push(await succeed(workspace.api.post(path, await others(workspace.api))))
      }
      const changes = await Promise.all(
        made.map(async ({ id }, index) => apis[index % 2]!.patch(`${path}/${id}`, change)),
      )
      expect(statusesOf(changes)).to.deep.equal([200, 409, 409, 409, 409, 409])
    })
  }

  it('never give a workspace’s id twice', async () => {
    const port = await ports.get(many)!
    const input = { id: 'race-for-it', title: 'Race', country_code: 'US' }
    const operators = [many.operator, many.operator.with({ port })]
    const answers = await Promise.all(
      Array.from({ length: racers }, async (_, index) => operators[index % 2]!.post('/workspaces', input)),
    )
    expect(statusesOf(answers)).to.deep.equal([201, ...Array(racers - 1).fill(409)])
  })

  for (const [name, { used, remove, use, outlivedBy }] of Object.entries(uses)) {
    it(`never delete one and use it: ${name}`, async () => {
      const { workspace, apis } = await both(many)
      for (let round = 0; round < 8; round++) {
        const id = await used(workspace.api)
        const begin = await use(apis[1]!, id)
        const [removed, begun] = await Promise.all([apis[0]!.delete(remove + id), begin()])
        const hint = JSON.stringify([removed.body, begun.body])
        if (begun.status === 400) expect(removed.status, hint).to.equal(200)
        else if (outlivedBy) {
          // An extension keeps a dead destination (contract: DELETE works at once), and shows none.
          expect([removed.status, begun.status], hint).to.deep.equal([200, 201])
          const { id: extension } = begun.body as { id: string }
          expect(await succeed(apis[1]!.get(`/extensions/${extension}`))).not.to.have.property(outlivedBy)
        } else {
          expect(begun.status, hint).to.be.oneOf([200, 201])
          expect(removed.status, hint).to.equal(409)
        }
      }
    })
  }
})
