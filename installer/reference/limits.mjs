/** docs/reference/limits.md: rate limits, and what a workspace may have. */
import { settings } from '../../server/dist/src/config/config.js'
import { maxNumbers } from '../../server/dist/src/features/phone-numbers/phone-number.resource.js'
import { maxVoiceAgents } from '../../server/dist/src/features/voice-agents/voice-agent.service.js'
import { environmentName } from '../settings.mjs'
import { endpoints } from './api.mjs'
import { capitalised, code, codes, page, prose, section, table } from './markdown.mjs'

const intro = `The numbers are defaults. The operator changes them by the [settings](settings.md) named here, and some of them for
[one workspace](../operate/appliance.md#limits-of-calls).`

export function limitsPage() {
  const { default: standard, heavy, sms, auth, ...others } = settings.rate_limits
  return page('Limits', intro, [
    section(
      'Rate limits',
      'Requests are counted per tier, in fixed windows of a minute. One too many is answered 429 with `Retry-After`. The operator is not limited.',
      table(
        ['tier', 'a minute', 'counts', 'endpoints', 'setting'],
        Object.entries({ default: standard, heavy, sms, auth }).map(([tier, { help, fallback }]) => [
          ...[code(tier), String(fallback), prose(capitalised(help)), endpointsOf(tier)],
          code(environmentName(`rate_limits.${tier}`)),
        ]),
      ),
      settingsTable('rate_limits', others),
    ),
    section(
      'What a workspace may have',
      `\`GET /profile\` shows in \`limits\` how much of each there is and may be. ${maxNumbers} phone numbers and ${maxVoiceAgents} voice agents are fixed.`,
      settingsTable('limits', settings.limits),
    ),
    section('Calls', settingsTable('calls', settings.calls)),
    section('Event streams', settingsTable('stream', settings.stream)),
  ])
}

/** @param {string} tier */
function endpointsOf(tier) {
  const those = endpoints().filter((one) => one['x-rate-tier'] === tier)
  return tier === 'default' ? 'all others' : codes(those.map(({ endpoint }) => endpoint))
}

/**
 * @param {string} group
 * @param {Readonly<Record<string, {help: string, fallback: unknown}>>} entries
 */
function settingsTable(group, entries) {
  return table(
    ['limit', 'default', 'setting'],
    Object.entries(entries).map(([name, { help, fallback }]) => [
      ...[prose(capitalised(help)), String(fallback), code(environmentName(`${group}.${name}`))],
    ]),
  )
}
