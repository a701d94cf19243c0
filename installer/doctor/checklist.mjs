/** Failing steps of the server's own checklist: disk, mail, carriers. The server is asked instead of repeating its checks. */
import { messageOf } from '../failure.mjs'
import { get } from '../parts/server.mjs'
import { readSecrets } from '../secrets.mjs'
import { ill, unknown, well } from './finding.mjs'

/** Steps that the doctor checks better itself: from the settings, and without a server. */
const OURS = ['sip_address', 'media_address', 'sip_certificate', 'web_address', 'web_certificate']

/** The server queries others, each for some seconds. */
const PATIENCE_MS = 30_000

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {boolean} runs whether the server on its port is ours: the token must not be sent to a stranger
 * @returns {Promise<import('./finding.mjs').Finding[]>}
 */
export async function checkChecklist(settings, runs) {
  if (!runs) return [unknown('the server is not running')]
  const { secrets } = readSecrets(settings.home)
  const target = { host: settings['http.host'], port: settings['http.port'] }
  try {
    const headers = {
      host: `admin.${settings['base_domain']}`,
      authorization: `Operator ${secrets['operator-token']}`,
    }
    const { status, body } = await get(target, '/api/v1/operator/checklist', headers, PATIENCE_MS)
    if (status !== 200) return [unknown(`the server answers ${status}`)]
    /** @type {{items: {id: string, state: string, message: string, advice: string | null}[]}} */
    const { items } = JSON.parse(body)
    const failing = items.filter(({ id, state }) => state === 'failing' && !OURS.includes(id))
    if (failing.length > 0) return failing.map(({ message, advice }) => ill(message, advice ?? ''))
    return [well(items.find(({ id }) => id === 'disk')?.message ?? 'nothing that is set up fails')]
  } catch (error) {
    return [unknown(`the server does not answer: ${messageOf(error)}`)]
  }
}
