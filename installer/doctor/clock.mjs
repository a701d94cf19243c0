/** Whether this machine's clock is right: certificates, signed requests and call times depend on it. */
import { messageOf } from '../failure.mjs'
import { ill, unknown, well } from './finding.mjs'

/** The header has whole seconds, and the network adds delay. */
const MOST_DRIFT_MS = 5000
const PATIENCE_MS = 5000

/**
 * @param {string} url of a server with a correct clock
 * @returns {Promise<import('./finding.mjs').Finding[]>}
 */
export async function checkClock(url) {
  try {
    const before = Date.now()
    const { headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const here = (before + Date.now()) / 2
    const there = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(there)) return [unknown(`${url} does not tell the time`)]
    const drift = here - (there + 500)
    if (Math.abs(drift) <= MOST_DRIFT_MS) return [well(`within ${MOST_DRIFT_MS / 1000} s of ${url}`)]
    const seconds = Math.round(Math.abs(drift) / 1000)
    return [
      ill(
        `${seconds} s ${drift > 0 ? 'ahead of' : 'behind'} ${url}`,
        'apt-get install chrony, or see why timedatectl says that the clock is not synchronized',
      ),
    ]
  } catch (error) {
    return [unknown(`${url} cannot be asked: ${messageOf(error)}`)]
  }
}
