/** A workspace that is called over both cells: a carrier on the machine `world`, numbers, and an agent with a phone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../waiting.mjs'
import { Api } from './api.mjs'
import { BASE_DOMAIN, WORLD } from './cells.mjs'
import { Telephones } from './telephones.mjs'

/** @typedef {import('./cells.mjs').Cell} Cell */

/** USD a minute of each leg. */
export const FEE = 0.6

/** Who answers at the carrier, and stays. */
const SOMEBODY = '+12025550100'

const CARRIER_PORT = 5060

const WORKSPACE = 'acme'

/** Servers keep a workspace's settings for two seconds. */
const SETTINGS_KNOWN_MS = 2_500

/** A call that is refused is tried again, as a caller would. */
const MOST_ATTEMPTS = 3

export class World {
  /** @param {import('./cells.mjs').TwoCells} cells */
  constructor(cells) {
    this.cells = cells
    this.phones = new Telephones(cells.machines, cells.directory)
    /** An owner of the workspace, at cell one. */
    this.api = new Api('', '', '')
    this.port = 30_000
  }

  async start() {
    const operator = this.cells.operator('one')
    await operator.post('/workspaces', { id: WORKSPACE, title: 'Acme', country_code: 'US' })
    await operator.post(`/workspaces/${WORKSPACE}/credit`, { amount: 100 })
    const host = `${WORKSPACE}.${BASE_DOMAIN}`
    const asOperator = new Api(operator.door, host, operator.authorization)
    const key = await asOperator.post('/api-keys', { scope: 'full', role: 'owner' })
    this.api = new Api(operator.door, host, `ApiKey ${key.api_key}`)
    this.phones.called({ address: WORLD.carrier, port: CARRIER_PORT, name: 'carrier' })
    const acl = { title: 'Carrier', mode: 'ip', allowed_ips: [WORLD.carrier] }
    this.aclId = (await this.api.post('/sip-trunks/acls', acl)).id
  }

  /** The same owner, at a cell's server. @param {Cell} cell */
  at(cell) {
    return this.api.at(this.cells.operator(cell))
  }

  /**
   * Connects a number whose callers come to one node of a flow.
   * @param {string} national
   * @param {{type: string, params: object}} node
   */
  async number(national, node) {
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'to' } },
      { id: 'to', ...node },
    ]
    const flow = await this.api.post('/call-flows', { title: national, trigger_type: 'inbound', nodes })
    const gateway = await this.api.post('/sip-trunks/gateways', {
      ...{ title: national, outbound_caller_id: `1${national}` },
      outbound_uris: [{ uri: WORLD.carrier, port: CARRIER_PORT, protocol: 'udp', priority: 1 }],
    })
    const number = await this.api.post('/phone-numbers/connect', {
      ...{ title: national, number: national, country_code: 'US', inbound_acl_id: this.aclId },
      ...{ enable_outbound: true, outbound_gateway_id: gateway.id },
    })
    const path = `/workspaces/${WORKSPACE}/phone-numbers/${number.id}`
    await this.cells.operator('one').patch(path, { status: 'active', fee_per_mins_call: FEE })
    await this.api.patch(`/phone-numbers/${number.id}`, { call_flow_id: flow.id })
    return `+1${national}`
  }

  /** A number whose callers talk to somebody at the carrier. @param {string} national */
  async numberOfSomebody(national) {
    return this.number(national, { type: 'to_operator', params: { phone_number: SOMEBODY } })
  }

  /** Makes an agent and registers a phone of theirs. @param {string} username @param {Cell} cell whose edge */
  async agent(username, cell) {
    const password = 'a-password-of-the-tests'
    const agent = await this.api.post('/agents', { display_name: username, username, password })
    const at = { address: WORLD.phones, port: this.#nextPort(), edge: this.cells.edge(cell) }
    const phone = await this.phones.registered({ username, domain: agent.domain, password }, at)
    return { id: agent.id, phone }
  }

  /**
   * Has people in the telephone network call a number, who stay until they are hung up.
   * @param {string} number
   * @param {Cell} cell whose edge the carrier gives the calls to
   * @param {number} [calls]
   * @param {number} [rate] a second
   */
  callIn(number, cell, calls = 1, rate = 4) {
    const keys = { target: `sip:${number}@${this.cells.edge(cell)}`, caller: '+12125550123' }
    const at = { address: WORLD.carrier, port: this.#nextPort(), remote: this.cells.edge(cell) }
    return this.phones.start({ scenario: 'caller', ...at, keys, calls, rate })
  }

  /**
   * Has so many calls talked on. Who is refused calls again: a machine that does all at once may be too slow for one, and
   * says so.
   * @param {string} number
   * @param {Cell} cell whose edge the carrier gives the calls to
   * @param {number} calls
   */
  async talk(number, cell, calls) {
    let missing = calls
    for (let attempt = 1; missing > 0; attempt += 1) {
      const caller = this.callIn(number, cell, missing)
      const refused = await caller.decided(missing)
      if (refused.length === 0) return
      const reasons = refused.join('; ')
      if (attempt === MOST_ATTEMPTS) throw new Error(`refused, ${attempt} times: ${reasons}`)
      process.stdout.write(`        ${refused.length} of ${missing} calls refused: ${reasons}\n`)
      missing = refused.length
    }
  }

  #nextPort() {
    this.port += 1
    return this.port
  }

  /** The live calls that each cell drives. @param {Cell} asked */
  async liveCalls(asked) {
    return Object.fromEntries(
      (await this.cells.cells(asked)).map(({ name, live_calls }) => [name, live_calls]),
    )
  }

  /** @param {Cell} asked @param {string} [filter] @returns {Promise<import('./api.mjs').Body[]>} */
  async calls(asked, filter = '') {
    return (await this.at(asked).get(`/calls?limit=100${filter}`)).data
  }

  /** Asks one cell to hang up all calls, and waits until they have ended. @param {Cell} asked */
  async hangUpAll(asked) {
    const live = (await this.calls(asked)).filter(({ ended_at }) => ended_at === null)
    const answers = await Promise.all(
      live.map(({ call_id }) => this.at(asked).ask('POST', `/calls/${call_id}/hangup`)),
    )
    await this.eventually(
      async () => this.liveCalls(asked),
      (cells) => Object.values(cells).every((count) => count === 0),
      'no live call',
    )
    return answers.map(({ status }) => status)
  }

  /**
   * @template T
   * @param {() => Promise<T>} look
   * @param {(seen: T) => boolean} isRight
   * @param {string} what
   * @param {number} [deadlineMs]
   * @returns {Promise<T>}
   */
  async eventually(look, isRight, what, deadlineMs = 30_000) {
    return until(
      async () => {
        const seen = await look()
        if (!isRight(seen)) throw new Error(JSON.stringify(seen))
        return seen
      },
      { deadlineMs, what },
    )
  }

  /** What is wrong with the workspace's money, as `jackfield credit check` asks. @param {Cell} asked */
  async moneyProblems(asked) {
    return (await this.cells.operator(asked).get(`/workspaces/${WORKSPACE}/credit/check`)).problems
  }

  /** Sets a limit, and waits until all servers know it. @param {Cell} asked @param {number | null} max_calls_per_second */
  async limitCallsPerSecond(asked, max_calls_per_second) {
    await this.cells.operator(asked).patch(`/workspaces/${WORKSPACE}`, { max_calls_per_second })
    await sleep(SETTINGS_KNOWN_MS)
  }
}
