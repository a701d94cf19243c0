/** SIPp on the machine `world`: the carrier, its callers, and telephones. Scenarios: server/test/support/sipp. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../settings.mjs'
import { until } from '../../waiting.mjs'

const SCENARIOS = join(ROOT, 'server/test/support/sipp')

/** A message as SIPp writes it down: a line with the time, one that says which way it went, and the message. */
const MESSAGE = /^-{20,} (\d{4}-\d\d-\d\d [\d:.]+)\n.*\n\n((?:.+\r?\n)+)/gm

/** @typedef {{began: number, answered: number | null, refused: string | null}} SeenCall */

/**
 * @typedef {object} SippOptions
 * @property {string} scenario name of its file
 * @property {string} address of the machine, which it speaks from
 * @property {number} port
 * @property {Record<string, string>} [values] for the scenario's `@@NAMES@@`
 * @property {Record<string, string | number>} [keys] for its `[keywords]`
 * @property {string} [remote] `host:port` that it calls; without one it is called
 * @property {number} [calls] that it makes [1]
 * @property {number} [rate] and how many a second [4]
 */

export class Telephones {
  #count = 0

  /**
   * @param {import('./machines.mjs').Machines} machines
   * @param {string} directory for scenarios and traces
   */
  constructor(machines, directory) {
    this.machines = machines
    this.directory = directory
  }

  /** Starts one. @param {SippOptions} options */
  start({ scenario, address, port, values = {}, keys = {}, remote, calls = 1, rate = 4 }) {
    this.#count += 1
    const file = join(this.directory, `sipp-${this.#count}`)
    const text = readFileSync(join(SCENARIOS, `${scenario}.xml`), 'utf8')
    const filled = text.replace(/@@(\w+)@@/g, (whole, name) => values[name] ?? whole)
    writeFileSync(`${file}.xml`, filled)
    const output = openSync(`${file}.out`, 'w')
    const media = 20_000 + this.#count * 10
    const child = this.machines.spawn(
      'world',
      [
        ...[
          'sipp',
          ...(remote ? [remote, '-m', String(calls), '-l', String(calls), '-r', String(rate)] : []),
          '-sf',
          `${file}.xml`,
        ],
        ...['-i', address, '-p', String(port), '-t', 'u1', '-mi', address, '-mp', String(media), '-rtp_echo'],
        ...['-cp', String(media + 8), '-nostdin', '-aa', '-trace_msg', '-message_file', `${file}.messages`],
        ...['-trace_err', '-error_file', `${file}.errors`],
        ...Object.entries({ ear_host: address, ear_port: media, keys_port: media, ...keys }).flatMap(
          ([name, value]) => ['-key', name, String(value)],
        ),
      ],
      { env: { ...process.env, TERM: 'dumb' }, stdio: ['ignore', output, output] },
    )
    closeSync(output)
    return new Telephone(child, file)
  }

  /**
   * Registers an account's phone at an edge, which then answers there.
   * @param {{username: string, domain: string, password: string}} account
   * @param {{address: string, port: number, edge: string}} at
   */
  async registered({ username, domain, password }, { address, port, edge }) {
    const values = { USERNAME: username, DOMAIN: domain, PASSWORD: password }
    await this.start({ scenario: 'register', address, port, values, remote: edge }).finished()
    return this.called({ address, port, name: username })
  }

  /** One that answers what comes. @param {{address: string, port: number, name: string}} at */
  called({ address, port, name }) {
    const keys = { contact: `sip:${name}@${address}:${port};transport=udp` }
    return this.start({ scenario: 'carrier', address, port, keys })
  }
}

export class Telephone {
  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} file beginning of the names of its files
   */
  constructor(child, file) {
    this.child = child
    this.file = file
    /** @type {Promise<number | null>} */
    this.ended = new Promise((resolve) => child.once('exit', resolve))
  }

  /**
   * Its calls, in the order in which they began: when their INVITE was first seen and when a 200 to it was, milliseconds
   * since 1970; or what they were refused with.
   * @returns {SeenCall[]}
   */
  get calls() {
    /** @type {Map<string, SeenCall>} */
    const calls = new Map()
    for (const [, time = '', head = ''] of this.#trace.matchAll(MESSAGE)) {
      const id = /^call-id: *(\S+)/im.exec(head)?.[1] ?? ''
      const at = Date.parse(time.replace(' ', 'T'))
      if (head.startsWith('INVITE ') && !calls.has(id))
        calls.set(id, { began: at, answered: null, refused: null })
      const call = calls.get(id)
      if (!call || !/^cseq: *\d+ INVITE/im.test(head)) continue
      const [, line = '', status = ''] = /^SIP\/2\.0 ((\d{3}) .*)/.exec(head) ?? []
      if (status === '200') call.answered ??= at
      if (status >= '300')
        call.refused ??= [line.trim(), ...(/^reason: .*/im.exec(head) ?? [])].join(', ').trim()
    }
    return [...calls.values()]
  }

  get #trace() {
    try {
      return readFileSync(`${this.file}.messages`, 'latin1')
    } catch {
      return '' // nothing yet
    }
  }

  /** Waits until it has made its calls. @throws when one was not as its scenario says */
  async finished() {
    const code = await this.ended
    if (code !== 0) throw new Error(`SIPp ended with ${code}: ${this.errors}`)
  }

  /** Waits until so many calls of it are answered. @param {number} count @param {number} [deadlineMs] */
  async answered(count, deadlineMs = 30_000) {
    await until(
      () => {
        const found = this.calls.filter(({ answered }) => answered !== null).length
        return found >= count ? Promise.resolve() : Promise.reject(new Error(`${found}: ${this.errors}`))
      },
      { deadlineMs, what: `${count} answered calls` },
    )
  }

  /** Waits until so many calls of it are answered or refused. @param {number} count @returns {Promise<string[]>} what those were refused with */
  async decided(count) {
    return until(
      () => {
        const decided = this.calls.filter(({ answered, refused }) => answered !== null || refused !== null)
        return decided.length >= count
          ? Promise.resolve(
              decided.flatMap(({ answered, refused }) => (answered === null ? [refused ?? ''] : [])),
            )
          : Promise.reject(new Error(`${decided.length}: ${this.errors}`))
      },
      { deadlineMs: 60_000, what: `${count} calls answered or refused` },
    )
  }

  get errors() {
    try {
      return readFileSync(`${this.file}.errors`, 'utf8').slice(0, 2000)
    } catch {
      return ''
    }
  }

  hangUpAll() {
    this.child.kill('SIGKILL')
  }
}
