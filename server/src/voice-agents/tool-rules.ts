/** What a custom tool must be like beyond the shape of its fields. */
import { brokenUrlRule } from '../http-client/urls.js'
import { ValidationError, invalidField } from '../http/errors.js'
import type { ToolParameter } from './voice-agent-tool.entity.js'

type Parameters = Record<string, ToolParameter>

/** Headers that belong to the connection or that our own client writes (RFC 9110, 7.6.1). */
const ownHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive', 'proxy-authenticate'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/**
 * Where the URL leads is checked when it is called.
 * @throws 400
 */
export function checkWebhookUrl(url: string): void {
  const broken = brokenUrlRule(url)
  if (broken) throw invalidField('webhook_url', `webhook_url must ${broken}`)
}

/** @throws 400 naming each header that may not be set, or that is there twice */
export function checkHeaders(headers: Record<string, string>): void {
  const seen = new Set<string>()
  const problems = Object.keys(headers).flatMap((name) => {
    const key = name.toLowerCase()
    const field = `webhook_headers.${name}`
    if (ownHeaders.has(key)) return [{ field, messages: [`${field} is set by the platform itself`] }]
    if (seen.has(key)) return [{ field, messages: [`${field} is there twice`] }]
    seen.add(key)
    return []
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/** @throws 400 naming each parameter whose values are listed though it is no string */
function checkEnums(parameters: Parameters): void {
  const problems = Object.entries(parameters).flatMap(([name, parameter]) => {
    if (!parameter.enum || parameter.type === 'string') return []
    const field = `parameters.${name}.enum`
    return [{ field, messages: [`${field} is for parameters of type string`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/**
 * Makes the two places that say what is required say the same: what is sent counts, and of both the
 * union.
 * @throws 400 when a required name is no parameter, or values are listed of what is no string
 */
export function parametersOf(
  sent: { parameters?: Parameters; required_params?: string[] },
  current: { parameters: Parameters } = { parameters: {} },
): { parameters: Parameters; required_params: string[] } {
  const parameters = sent.parameters ?? current.parameters
  checkEnums(parameters)
  for (const [index, name] of (sent.required_params ?? []).entries()) {
    const field = `required_params.${index}`
    if (!Object.hasOwn(parameters, name)) throw invalidField(field, `${field} is not the name of a parameter`)
  }
  const listed = new Set(sent.required_params)
  const isRequired = (name: string, { required }: ToolParameter) =>
    listed.has(name) || (sent.parameters !== undefined && required)
  const entries = Object.entries(parameters).map(([name, one]): [string, ToolParameter] => [
    name,
    { ...one, required: isRequired(name, one) },
  ])
  return {
    parameters: Object.fromEntries(entries),
    required_params: entries.filter(([, { required }]) => required).map(([name]) => name),
  }
}
