/** The Node that the server runs on. */
import { messageOf } from '../failure.mjs'
import { chooseRuntime, describeRuntime } from '../runtime/choose.mjs'
import { ill, well } from './finding.mjs'

const ADVICE = 'it works, but costs more CPU a call: npm run up, or npm run setup, tries again'

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {import('../state.mjs').SupervisorState | null} state of an appliance that runs
 * @returns {import('./finding.mjs').Finding[]}
 */
export function checkRuntime(settings, state) {
  try {
    const runtime = state?.runtime ?? chooseRuntime(settings)
    const found = well(`the server runs on Node ${describeRuntime(runtime)}`)
    return [runtime.isFallback ? { ...found, advice: ADVICE } : found]
  } catch (error) {
    return [ill(messageOf(error), '')]
  }
}
