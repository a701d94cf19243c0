import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { after, before, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eslApi } from '../esl.mjs'
import {
  JOURNAL_COLUMNS,
  findFreeswitch,
  freeswitchReady,
  journalOf,
  prepareFreeswitch,
  tidyFreeswitch,
} from '../parts/freeswitch.mjs'
import { identify, stop } from '../processes.mjs'
import { until } from '../waiting.mjs'
import { freePorts } from './support.mjs'

describe('the journal of ended channels, on a real FreeSWITCH', function () {
  this.timeout(60_000)
  const binary = findFreeswitch()
  /** @type {string} */
  let folder
  /** @type {import('../processes.mjs').Identity | null} */
  let running = null
  /** @type {import('../parts/freeswitch.mjs').FreeswitchOptions} */
  let options
  let journal = ''

  before(async function () {
    if (!binary || !journalOf(binary, '.')) return this.skip()
    folder = mkdtempSync(join(tmpdir(), 'jackfield-journal-'))
    const [sipPort = 0, eslPort = 0, rtpStart = 0] = await freePorts(3)
    options = {
      ...{ binary, directory: folder, sipPort, eslPort, rtpStart, rtpEnd: rtpStart + 100 },
      ...{ eslPassword: 'a-password-of-the-tests', edgeHost: '127.0.0.2' },
    }
    const prepared = await prepareFreeswitch(options)
    journal = prepared.journal
    const log = openSync(join(folder, 'freeswitch.out'), 'a')
    const child = spawn(prepared.command, prepared.args, { stdio: ['ignore', log, log], detached: true })
    running = identify(child.pid ?? 0)
    await freeswitchReady(options, 30_000)
  })

  after(async () => {
    await stop(running, 15_000)
    if (folder) rmSync(folder, { recursive: true })
  })

  /** @param {string} command */
  const api = (command) =>
    eslApi({ host: '127.0.0.1', port: options.eslPort, password: options.eslPassword }, command)

  /**
   * Calls this same FreeSWITCH, which parks the call as its own far end.
   * @returns {Promise<{near: string, far: string}>} the channels' ids
   */
  async function call() {
    const near = randomUUID()
    const variables = `origination_uuid=${near},jackfield_call=call-1,jackfield_role=callee,origination_caller_id_name='a,b'`
    await api(`bgapi originate {${variables}}sofia/edge/sip:far-${near}@127.0.0.1:${options.sipPort} &park()`)
    const far = await until(
      async () => {
        const { rows = [] } = JSON.parse(await api('show channels as json'))
        const found = rows.find(
          (/** @type {{dest: string, uuid: string, direction: string, state: string}} */ row) => {
            return row.direction === 'inbound' && row.dest === `far-${near}` && row.state === 'CS_EXECUTE'
          },
        )
        if (!found) throw new Error('the far end is not there')
        return String(found.uuid)
      },
      { deadlineMs: 5000, what: 'the far end parking' },
    )
    return { near, far }
  }

  /**
   * @param {string} uuid
   * @returns {Promise<Record<string, string>>} its one line, by column
   */
  async function lineOf(uuid) {
    const lines = await until(
      async () => {
        const text = existsSync(journal) ? readFileSync(journal, 'utf8') : ''
        const found = text.split('\n').filter((line) => line.startsWith(uuid))
        if (found.length === 0) throw new Error('there is no line yet')
        return found
      },
      { deadlineMs: 2000, pauseMs: 10, what: 'a line in the journal' },
    )
    expect(lines).to.have.lengthOf(1)
    const cells = lines[0]?.split(',') ?? []
    expect(cells).to.have.lengthOf(JOURNAL_COLUMNS.length)
    return Object.fromEntries(JOURNAL_COLUMNS.map((name, index) => [name, cells[index] ?? '']))
  }

  /** @param {string | undefined} text microseconds since 1970 */
  const seconds = (text) => Number(text) / 1e6

  it('tells of a call that was answered and hung up', async () => {
    const { near, far } = await call()
    await api(`uuid_answer ${far}`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await api(`uuid_kill ${near} NORMAL_CLEARING`)
    const line = await lineOf(near)
    expect(line).to.include({
      jackfield_call: 'call-1',
      jackfield_role: 'callee',
      hangup_cause: 'NORMAL_CLEARING',
    })
    expect(line['sip_invite_failure_status']).to.equal('')
    expect(seconds(line['end_uepoch']) - seconds(line['answer_uepoch'])).to.be.closeTo(1, 0.2)
    expect(seconds(line['end_uepoch'])).to.be.closeTo(Date.now() / 1000, 1)
  })

  it('tells of a call that was busy, with the SIP status', async () => {
    const { near, far } = await call()
    await api(`uuid_kill ${far} USER_BUSY`)
    expect(await lineOf(near)).to.include({
      hangup_cause: 'USER_BUSY',
      sip_invite_failure_status: '486',
      answer_uepoch: '0',
    })
  })

  it('tells of a call that was hung up while it rang', async () => {
    const { near } = await call()
    await api(`uuid_kill ${near} ORIGINATOR_CANCEL`)
    expect(await lineOf(near)).to.include({ hangup_cause: 'ORIGINATOR_CANCEL', answer_uepoch: '0' })
  })

  it('is rotated when it grows too large, and goes on', async () => {
    expect(await tidyFreeswitch(options), 'a small one stays').to.equal(false)
    expect(await tidyFreeswitch(options, 10)).to.equal(true)
    expect(readdirSync(dirname(journal))).to.have.lengthOf(2)
    const { near } = await call()
    await api(`uuid_kill ${near} NORMAL_CLEARING`)
    await lineOf(near)
    await new Promise((resolve) => setTimeout(resolve, 1100)) // old ones are named by the second
    expect(await tidyFreeswitch(options, 10)).to.equal(true)
    expect(readdirSync(dirname(journal)), 'one old one is kept').to.have.lengthOf(2)
  })
})
