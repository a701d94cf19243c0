/** Whether a call has audio in both directions: the switch calls a test phone through the SIP edge. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eslApi } from '../esl.mjs'
import { messageOf } from '../failure.mjs'
import { freeswitchOptions } from '../part-options.mjs'
import { readSecrets } from '../secrets.mjs'
import { ill, unknown, well } from './finding.mjs'
import { openTelephone } from './telephone.mjs'
import { samplesOfWav, shareOf } from './tones.mjs'

/** @typedef {import('./finding.mjs').Finding} Finding */

/** Each end plays its own tone, so that an echo cannot be mistaken for the other one. */
const SWITCH_HZ = 1100
const TELEPHONE_HZ = 700

/** A tone through one phone line has nearly all of the power. */
const LEAST_SHARE = 0.5

const TALK_MS = 3000
const ANSWER_S = 10

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {import('../appliance.mjs').Switch['kind'] | null} kind of the switch; null while the appliance is stopped
 * @returns {Promise<Finding[]>}
 */
export async function checkCall(settings, kind) {
  if (kind === null) return [unknown('no call: Jackfield is not running')]
  if (kind === 'sandbox')
    return [
      unknown('no call: the sandbox’s lines are simulated', 'install FreeSWITCH: docs/operate/appliance.md'),
    ]
  const options = freeswitchOptions(settings, readSecrets(settings.home).secrets)
  const host = settings['sip.listen_host']
  // a router need not support hairpinning
  const reach = { [settings['rtp.host']]: settings['rtp.listen_host'] }
  const telephone = await openTelephone({ host, hz: TELEPHONE_HZ, reach })
  const call = randomUUID()
  const recording = join(options.directory, 'temp', `doctor-${call}.wav`)
  const target = { host: '127.0.0.1', port: options.eslPort, password: options.eslPassword }
  try {
    const dialled = dialString(settings, { call, recording, host, port: telephone.port })
    const tone = `&playback(tone_stream://%(${2 * TALK_MS},0,${SWITCH_HZ}))`
    const answer = await eslApi(target, `originate ${dialled} ${tone}`, (ANSWER_S + 5) * 1000)
    if (!answer.startsWith('+OK'))
      return [
        ill(
          `a call to this machine itself does not come about: ${answer.replace(/^-ERR */, '')}, ${telephone.progress()}`,
          'log/kamailio.log and log/switch.log say more',
        ),
      ]
    await sleep(TALK_MS)
    await eslApi(target, `uuid_kill ${call}`)
    await sleep(500) // the recording is closed at the end of the call
    const said = existsSync(recording) ? samplesOfWav(readFileSync(recording)) : []
    return verdict(shareOf(telephone.heard(), SWITCH_HZ), shareOf(said, TELEPHONE_HZ), settings)
  } catch (error) {
    return [unknown(`a call to this machine itself: ${messageOf(error)}`)]
  } finally {
    await telephone.close()
    await eslApi(target, `uuid_kill ${call}`).catch(() => undefined)
    rmSync(recording, { force: true })
  }
}

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {{call: string, recording: string, host: string, port: number}} leg
 */
function dialString(settings, { call, recording, host, port }) {
  const address = (/** @type {string} */ name) => (isIPv6(name) ? `[${name}]` : name)
  const edge = `${address(settings['edge.sip_host'])}:${settings['edge.sip_port']}`
  const variables = [
    ...[`origination_uuid=${call}`, 'origination_caller_id_number=doctor', `originate_timeout=${ANSWER_S}`],
    // only the phone's own SIP, not what it receives
    ...[
      'RECORD_READ_ONLY=true',
      `execute_on_answer=record_session:${recording}`,
      'absolute_codec_string=PCMU',
    ],
  ].join(',')
  const route = encodeURIComponent(`<sip:${edge};lr>`)
  return `{${variables}}sofia/edge/sip:doctor@${address(host)}:${port};fs_path=${route}`
}

/**
 * @param {number} outward share of the switch's tone in what the telephone heard
 * @param {number} inward share of the telephone's tone in what the switch heard
 * @param {import('../settings.mjs').Settings} settings
 * @returns {Finding[]}
 */
export function verdict(outward, inward, settings) {
  const ports = `UDP ports ${settings['rtp.start']} to ${settings['rtp.end']} of ${settings['rtp.listen_host']}`
  const findings = []
  if (outward < LEAST_SHARE)
    findings.push(
      ill(
        'in a call the far end is deaf: what the switch plays does not come out',
        `let out UDP from ${settings['rtp.listen_host']}, and see that JACKFIELD_RTP_LISTEN_HOST is this machine’s`,
      ),
    )
  if (inward < LEAST_SHARE)
    findings.push(
      ill(
        'in a call the switch is deaf: what the far end says does not come in',
        `let in ${ports}: jackfield firewall prints rules`,
      ),
    )
  return findings.length > 0 ? findings : [well('a call to this machine itself is heard on both ends')]
}
