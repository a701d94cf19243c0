import { createClient, dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../lib/ask.js'
import { BaseCommand } from '../lib/base-command.js'
import { secret } from '../lib/file-fields.js'
import { deadlineMs, fetchFrom } from '../lib/http-fetch.js'
import { saveProfile } from '../lib/profiles.js'
import { usageError } from '../lib/usage-error.js'

const apiKey = secret('api_key', 'key of a workspace; or JACKFIELD_API_KEY', 'API key')
const operatorToken = secret('operator_token', 'the operator’s token', 'Operator’s token')

export default class Login extends BaseCommand {
  static override summary = 'Save an API’s URL and credential as a profile'
  static override description =
    'The URL is a workspace’s host for an API key, or the operator’s host (admin.…) for the operator’s token. The credential is checked before it is saved.'
  static override examples = [
    '<%= config.bin %> login --url https://acme.voice.example --api-key sid-….secret',
    '<%= config.bin %> login --url https://admin.voice.example --operator-token-file token --profile carrier',
  ]
  static override flags = {
    url: Flags.string({ description: 'address of the host', helpValue: '<https://…>' }),
    ...apiKey.flags('api-key'),
    ...operatorToken.flags('operator-token'),
  }

  async run() {
    const { flags } = await this.parse(Login)
    const url = addressOf(await ask(flags.url, '--url', 'Address of the workspace’s or operator’s host'))
    const [label = '', ...domain] = url.hostname.split('.')
    const operator = label === 'admin'
    const given: Record<string, unknown> = flags
    const values = { ...given, 'api-key': given['api-key'] ?? process.env['JACKFIELD_API_KEY'] }
    const credential = operator
      ? { operatorToken: String(await operatorToken.read(values, 'operator-token', true)) }
      : { apiKey: String(await apiKey.read(values, 'api-key', true)) }
    const client = createClient({
      url: url.origin,
      ...credential,
      timeoutMs: deadlineMs,
      fetch: fetchFrom(reachable(url)),
    })
    // A list that every credential of its kind may read.
    if (operator) await dataOf(client.GET('/workspaces'))
    else await dataOf(client.GET('/phone-numbers'))
    const name = flags.profile ?? 'default'
    const path = await saveProfile(name, {
      http: reachable(url),
      baseDomain: domain.join('.'),
      credential,
      ...(!operator && { workspace: label }),
    })
    this.logToStderr(`Profile ${name} is kept in ${path}.`)
    return { profile: name, url: url.origin }
  }
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) {
    throw usageError(`--url ${text} must be like https://acme.voice.example`)
  }
  return url
}

/** Names below localhost resolve to this machine. */
function reachable(url: URL): string {
  const host = url.hostname.endsWith('.localhost') ? '127.0.0.1' : url.hostname
  return `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`
}
