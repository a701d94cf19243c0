/** docs/reference/commands.md: every command of the command line. */
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { ROOT } from '../settings.mjs'
import { capitalised, code, codes, page, prose, section, table } from './markdown.mjs'

/** Pages that have the prose, by topic. @type {Readonly<Record<string, string>>} */
const links = {
  '': '[Install on Debian](../install/debian.md), [Backup, restore, upgrade](../operate/backup.md)',
  'ai-provider': '[AI providers](../voice-agents/ai-providers.md)',
  carrier: '[SMS carriers](../messages/sms-carriers.md)',
  credit: '[Prices](../operate/prices.md)',
  flow: '[Call flows](../calls/flows.md)',
  message: '[SMS and MMS](../messages/sms-and-mms.md)',
  number: '[SIP trunks](../calls/trunks.md), [SMS carriers](../messages/sms-carriers.md)',
  operator: '[The appliance](../operate/appliance.md), [Maintenance](../operate/maintenance.md)',
  'operator:cells': '[Several cells](../operate/cells.md)',
  'rate-deck': '[Rate decks](../operate/prices.md#rate-decks)',
  recording: '[Recordings and voicemail](../calls/recordings.md)',
  sandbox: '[The sandbox](../start/sandbox.md)',
  secret: '[Secrets](../operate/secrets.md)',
  trunk: '[SIP trunks](../calls/trunks.md)',
  'voice-agent': '[Voice agents](../voice-agents/voice-agents.md)',
  webhook: '[Webhooks](../integrate/webhooks.md)',
  workspace: '[The appliance](../operate/appliance.md#limits-of-calls)',
}

const intro = `\`npx jackfield <command> --help\` explains the flags and shows examples. [The command line](../start/command-line.md)
has profiles, lists, imports and exit codes. All commands take \`--json\`, and those of the API \`--profile\`.`

export async function commandsPage() {
  const config = await Config.load(join(ROOT, 'cli'))
  const commands = config.commands
    .filter(({ pluginName, hidden }) => pluginName === 'jackfield-cli' && hidden !== true)
    .sort((one, other) => one.id.localeCompare(other.id))
  const topics = [...new Set(commands.map(({ id }) => topicOf(id)))]
  const given = new Map(
    commands.flatMap(({ flags }) => Object.values(flags)).map(({ name, env }) => [env, name]),
  )
  const stand = [...given].flatMap(([env, name]) =>
    env === undefined ? [] : [`${code(env)} for ${code(`--${name}`)}`],
  )
  return page(
    'Commands',
    `${intro}\n\nThe environment can stand in: ${stand.join(', ')}.`,
    topics.map((topic) =>
      section(
        topic.replaceAll(':', ' ') || 'By themselves',
        capitalised(config.topics.find(({ name }) => name === topic)?.description ?? ''),
        links[topic] ? `See ${links[topic]}.` : '',
        table(
          ['command', 'does', 'flags'],
          commands
            .filter(({ id }) => topicOf(id) === topic)
            .map((one) => [code(lineOf(one)), prose(one.summary ?? ''), flagsOf(one)]),
        ),
      ),
    ),
  )
}

/** @param {string} id */
const topicOf = (id) => id.split(':').slice(0, -1).join(':')

/** @param {import('@oclif/core').Command.Loadable} command */
function lineOf({ id, args }) {
  const places = Object.values(args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
  return ['jackfield', id.replaceAll(':', ' '), ...places].join(' ')
}

/** @param {import('@oclif/core').Command.Loadable} command */
function flagsOf({ flags }) {
  const own = Object.values(flags).filter(
    ({ helpGroup, hidden }) => helpGroup !== 'GLOBAL' && hidden !== true,
  )
  return codes(own.map(({ name }) => `--${name}`))
}
