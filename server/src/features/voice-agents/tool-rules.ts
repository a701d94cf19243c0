/** What a custom tool must be like beyond the shape of its fields. */
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { ValidationError, invalidField } from '../../infrastructure/http/errors.js'
import type { ToolParameter } from './voice-agent-tool.entity.js'

type Parameters = Record<string, ToolParameter>

/**
 * Where a name in the URL leads is seen when it is called.
 * @throws 400
 */
export function checkWebhookUrl(url: string, client: Pick<GuardedClient, 'brokenRule'>): void {
  const broken = client.brokenRule(url)
  if (broken) throw invalidField('webhook_url', `webhook_url must ${broken}`)
}

/** @throws 400 naming each parameter that has an enum and is not a string */
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
