/** Whether the switch keeps a journal of calls that end while the server is down. */
import { chooseSwitch } from '../appliance.mjs'
import { messageOf } from '../failure.mjs'
import { switchJournal } from '../part-options.mjs'
import { NO_JOURNAL } from '../parts/freeswitch.mjs'
import { ill, well } from './finding.mjs'

/**
 * @param {import('../settings.mjs').Settings} settings
 * @returns {import('./finding.mjs').Finding[]}
 */
export function checkSwitch(settings) {
  try {
    const chosen = chooseSwitch(settings)
    if (chosen.kind === 'sandbox') return []
    if (switchJournal(settings, chosen) === '') return [ill(NO_JOURNAL.message, NO_JOURNAL.advice)]
    return [well(`FreeSWITCH at ${chosen.binary} keeps a journal of ended channels`)]
  } catch (error) {
    return [ill(messageOf(error), '')]
  }
}
