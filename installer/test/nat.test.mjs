import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { after, before, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eslApi } from '../esl.mjs'
import { findFreeswitch, freeswitchReady, prepareFreeswitch } from '../parts/freeswitch.mjs'
import { identify, stop } from '../processes.mjs'
import { readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { freePorts } from './support.mjs'

const OUTSIDE = '203.0.113.10'

describe('a machine behind a router with 1:1 NAT', function () {
  this.timeout(60_000)

  it('listens on its own address, and tells the router’s', () => {
    const settings = readSettings({ JACKFIELD_SIP_HOST: OUTSIDE, JACKFIELD_SIP_LISTEN_HOST: '10.0.0.5' })
    expect(settings).to.include({
      ...{ 'sip.host': OUTSIDE, 'sip.listen_host': '10.0.0.5' },
      ...{ 'rtp.host': OUTSIDE, 'rtp.listen_host': '10.0.0.5' },
    })
    const apart = readSettings({
      ...{ JACKFIELD_SIP_HOST: OUTSIDE, JACKFIELD_SIP_LISTEN_HOST: '10.0.0.5' },
      JACKFIELD_RTP_HOST: '198.51.100.7',
    })
    expect(apart['rtp.listen_host'], 'audio at an address of this machine').to.equal('198.51.100.7')
    expect(readSettings({ JACKFIELD_SIP_HOST: OUTSIDE })['sip.listen_host'], 'no router').to.equal(OUTSIDE)
    expect(() => readSettings({ JACKFIELD_SIP_LISTEN_HOST: '0.0.0.0' })).to.throw(/JACKFIELD_SIP_LISTEN_HOST/)
  })

  describe('with a real FreeSWITCH', () => {
    const binary = findFreeswitch()
    /** @type {string} */
    let folder
    /** @type {import('../processes.mjs').Identity | null} */
    let running = null
    /** @type {import('../parts/freeswitch.mjs').FreeswitchOptions} */
    let options

    before(async function () {
      if (!binary) return this.skip()
      folder = mkdtempSync(join(tmpdir(), 'jackfield-nat-'))
      const [sipPort = 0, eslPort = 0, rtpStart = 0] = await freePorts(3)
      options = {
        ...{ binary, directory: folder, sipPort, eslPort, rtpStart, rtpEnd: rtpStart + 100 },
        ...{ rtpHost: OUTSIDE, rtpListenHost: '127.0.0.1' },
        ...{ eslPassword: 'a-password-of-the-tests', edgeHost: '127.0.0.2' },
      }
      const { command, args } = await prepareFreeswitch(options)
      const log = openSync(join(folder, 'freeswitch.out'), 'a')
      running = identify(spawn(command, args, { stdio: ['ignore', log, log], detached: true }).pid ?? 0)
      await freeswitchReady(options, 30_000)
    })

    after(async () => {
      await stop(running, 15_000)
      if (folder) rmSync(folder, { recursive: true })
    })

    it('offers and answers the router’s address for audio', async () => {
      const target = { host: '127.0.0.1', port: options.eslPort, password: options.eslPassword }
      const api = (/** @type {string} */ command) => eslApi(target, command)
      const near = randomUUID()
      // it calls itself: the one's offer is the other's to answer
      await api(
        `bgapi originate {origination_uuid=${near}}sofia/edge/sip:far@127.0.0.1:${options.sipPort} &park()`,
      )
      const answer = async () => {
        const { rows = [] } = JSON.parse(await api('show channels as json'))
        const far = rows.find((/** @type {{direction: string}} */ row) => row.direction === 'inbound')
        await api(`uuid_answer ${far.uuid}`)
        return Promise.all(['rtp_local_sdp_str', 'switch_r_sdp'].map(described))
      }
      const described = async (/** @type {string} */ variable) => {
        const sdp = await api(`uuid_getvar ${near} ${variable}`)
        if (!sdp.includes('c=IN IP4')) throw new Error(sdp)
        return sdp
      }
      const sdps = await until(answer, { deadlineMs: 10_000, what: 'the call being answered' })
      for (const sdp of sdps) expect(sdp).to.include(`c=IN IP4 ${OUTSIDE}`).and.not.include('127.0.0.1')
      await api(`uuid_kill ${near}`)
    })
  })
})
