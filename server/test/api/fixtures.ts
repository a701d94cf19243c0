/** What tests of the API need before they can begin: resources of each kind, made through the API itself. */
import jwt from 'jsonwebtoken'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import type { Answer, ApiClient } from '../support/api-client.js'

/** An appliance whose callers may ask as often as they like. */
export async function startUnlimited(settings: Record<string, string> = {}): Promise<Appliance> {
  return Appliance.start({
    switch: 'sandbox',
    settings: {
      JACKFIELD_RATE_LIMITS_DEFAULT: '1000000',
      JACKFIELD_RATE_LIMITS_HEAVY: '1000000',
      JACKFIELD_RATE_LIMITS_AUTH: '1000000',
      JACKFIELD_RATE_LIMITS_SMS: '1000000',
      JACKFIELD_LIMITS_WEBHOOKS: '1000',
      JACKFIELD_CALLS_MAX_PER_SECOND: '10000',
      JACKFIELD_LIMITS_API_KEYS: '1000',
      ...{ JACKFIELD_STREAM_MAX_PER_PERSON: '1000', JACKFIELD_STREAM_MAX_PER_AGENT: '1000' },
      JACKFIELD_NUMBERS_VERIFICATION_WORKSPACE: 'platform',
      ...mailSettings(9),
      ...settings,
    },
  })
}

/** A server that sends its mail to a port. */
export function mailSettings(port: number): Record<string, string> {
  return {
    JACKFIELD_MAIL_HOST: '127.0.0.1',
    JACKFIELD_MAIL_PORT: String(port),
    JACKFIELD_MAIL_SECURITY: 'none',
    JACKFIELD_MAIL_FROM: 'Jackfield <no-reply@example.com>',
    JACKFIELD_MAIL_RESET_URL: 'https://{workspace}.example.com/reset#{token}',
  }
}

export const acl = { title: 'Office', mode: 'ip', allowed_ips: ['192.0.2.1'] }

export const gateway = {
  title: 'Carrier',
  outbound_caller_id: '+12025550199',
  outbound_uris: [{ uri: 'carrier.example', port: 5060, protocol: 'udp', priority: 1 }],
}

/** A gateway to a carrier of a workspace's own: another's is the operator's to share. */
export function gatewayInput({ host }: ApiClient) {
  return { ...gateway, outbound_uris: [{ ...gateway.outbound_uris[0], uri: `carrier.${host}` }] }
}

export const audio = { title: 'Greeting', text: 'Hello' }

export const contact = { name: 'Zoe', numbers: ['+12025550142'] }

export const callFlow = {
  title: 'Main menu',
  trigger_type: 'inbound',
  nodes: [
    { id: 'start', type: 'start', params: {}, next: { default: 'bye' } },
    { id: 'bye', type: 'hangup', params: { cause: 'NORMAL_CLEARING' }, next: {} },
  ],
}
export const webhook = { title: 'Backend', url: 'https://hooks.invalid/jackfield', events: ['call.ended'] }

export const voiceAgent = { name: 'Reception', instructions: 'Greet the caller and ask what it is about.' }

export const customTool = {
  name: 'look_up_order',
  description: 'Finds an order by its number',
  webhook_url: 'https://shop.example/orders',
  webhook_method: 'GET',
  webhook_headers: { Authorization: 'Bearer x' },
  parameters: { number: { type: 'string', description: 'The order’s number', required: true } },
  required_params: ['number'],
  is_active: true,
}

export const keyRights = { scope: 'full', role: 'owner' }

let lastNumber = 2025550200

/** A national number of the USA that no test has used. */
export function newNationalNumber(): string {
  lastNumber += 1
  return String(lastNumber)
}

/** Sends a request that has to succeed, and returns what it answered. */
export async function succeed(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

export async function newAcl(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/sip-trunks/acls', acl))).id
}

export async function newGateway(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/sip-trunks/gateways', gatewayInput(api)))).id
}

export async function newWebhook(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/webhooks', webhook))).id
}

/** A delivery of a test event. */
export async function newDelivery(api: ApiClient): Promise<{ id: string; delivery_id: string }> {
  const id = await newWebhook(api)
  const delivery = await succeed(api.post(`/webhooks/${id}/test`))
  return { id, delivery_id: delivery.id }
}

export async function newAudio(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/audios', audio))).id
}

export async function newContact(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/contacts', contact))).id
}

export async function newAddressBook(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/address-books', { title: 'Customers' }))).id
}

export async function newCallFlow(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/call-flows', callFlow))).id
}

export async function newVoiceAgent(api: ApiClient, changes: object = {}): Promise<string> {
  return (await succeed(api.post('/voice-agents', { ...voiceAgent, ...changes }))).id
}

/** What `POST /phone-numbers/connect` takes; its ACL and gateway are made for it. */
export async function numberInput(api: ApiClient, number = newNationalNumber()) {
  return {
    title: 'Main line',
    number,
    country_code: 'US',
    inbound_acl_id: await newAcl(api),
    enable_outbound: true,
    outbound_gateway_id: await newGateway(api),
  }
}

/** Connects a number that is still pending; returns its id. */
export async function newNumber(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/phone-numbers/connect', await numberInput(api)))).id
}

/** Connects and activates a number, so that the workspace can call. */
export async function newActiveNumber(
  appliance: Appliance,
  { id, api }: TestWorkspace,
): Promise<{ id: string; number: string }> {
  const number = await newNumber(api)
  return succeed(appliance.operator.post(`/workspaces/${id}/phone-numbers/${number}/activate`))
}

const lines = new WeakMap<Appliance, Promise<TestWorkspace>>()

/** The workspace whose number calls others with codes that verify them. */
export async function verificationLine(appliance: Appliance): Promise<TestWorkspace> {
  const made = async () => {
    const platform = await appliance.workspace({ id: 'platform', credit: 1000 })
    await newActiveNumber(appliance, platform)
    return platform
  }
  const line = lines.get(appliance) ?? made()
  lines.set(appliance, line)
  return line
}

let lastName = 0

/** A username that no test has used. */
export function newName(): string {
  lastName += 1
  return `name${lastName}`
}

/** What `POST /sip-accounts` takes. */
export function sipAccountInput() {
  return { title: 'Desk phone', username: newName(), password: 'correct horse' }
}

export async function newSipAccount(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/sip-accounts', sipAccountInput()))).id
}

let lastExtension = 100

/** An extension number that no test has used. */
export function newExtensionNumber(): string {
  lastExtension += 1
  return String(lastExtension)
}

/** What `POST /extensions` takes; it leads to a SIP account that is made for it. */
export async function extensionInput(api: ApiClient) {
  return {
    title: 'Front desk',
    extension_number: newExtensionNumber(),
    destination: 'sip-account',
    sip_account_id: await newSipAccount(api),
  }
}

export async function newExtension(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/extensions', await extensionInput(api)))).id
}

/** Makes a call of a workspace that has an active number; it lives until it is hung up. */
export async function newCall(api: ApiClient): Promise<string> {
  const made = await succeed(api.post('/calls/make', { to: { number: '+12025550102' } }))
  return made.data.call_id
}

/** A key of the workspace, as a client. */
export async function keyWith(
  { api }: TestWorkspace,
  rights: { scope: string; role: string },
): Promise<ApiClient> {
  const { api_key } = await succeed(api.post('/api-keys', rights))
  return api.with({ authorization: `ApiKey ${api_key}` })
}

/** What `POST /agents` takes. */
export function agentInput() {
  return { username: newName(), password: 'correct horse', display_name: 'Jane Doe' }
}

export async function newAgent(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/agents', agentInput()))).id
}

export type AgentRole = 'member' | 'leader' | 'supervisor'

/** An agent who is logged in. */
export interface Person {
  id: string
  username: string
  password: string
  device_id: string
  /** Speaks with their access token. */
  api: ApiClient
  refresh_token: string
}

/** Makes an agent and logs them in. */
export async function newPerson(workspace: TestWorkspace, role: AgentRole = 'member'): Promise<Person> {
  return loggedIn(workspace, { role })
}

/** Makes an agent who is an admin, and logs them in. */
export async function newAdmin(workspace: TestWorkspace): Promise<Person> {
  return loggedIn(workspace, { is_admin: true })
}

async function loggedIn(
  { api }: TestWorkspace,
  rights: { role?: AgentRole; is_admin?: boolean },
): Promise<Person> {
  const { username, password, display_name } = agentInput()
  const { id } = await succeed(api.post('/agents', { username, password, display_name, ...rights }))
  const device_id = `device-${username}`
  const { tokens } = await succeed(
    api.with({ authorization: undefined }).post('/auth/login', { username, password, device_id }),
  )
  const { access_token, refresh_token } = tokens as Record<string, string>
  const own = api.with({ authorization: `Bearer ${access_token}` })
  return { id, username, password, device_id, api: own, refresh_token: refresh_token ?? '' }
}

const people = new Map<string, Promise<Person>>()

/** The one logged-in agent of a role that tests of all endpoints speak with, in a workspace. */
export async function personOf(workspace: TestWorkspace, role: AgentRole): Promise<Person> {
  const key = `${workspace.sid} ${role}`
  const known = people.get(key) ?? newPerson(workspace, role)
  people.set(key, known)
  return known
}

/** The JWT of a user of a customer's app. */
export function clientToken({ id, sid, secret }: TestWorkspace, claims: object = {}, key = secret): string {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    ...{ iss: sid, aud: 'client-api', sub: 'user-1', domain: `${id}.localhost`, exp: now + 600 },
    ...{ call_flow_id: 'cf_1', ...claims },
  }
  return jwt.sign(payload, key, { algorithm: 'HS256' })
}

export function teamInput() {
  return { name: `Team ${newName()}` }
}

export async function newTeam(api: ApiClient): Promise<string> {
  return (await succeed(api.post('/teams', teamInput()))).id
}

/** The fields that a 400 names. */
export function fieldsOf({ status, body }: Answer): string[] {
  if (status !== 400) throw new Error(`expected a 400, got ${status}: ${JSON.stringify(body)}`)
  return ((body.errors ?? []) as { field: string }[]).map(({ field }) => field)
}
