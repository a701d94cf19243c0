/** Reads the telephone numbers of a form as people of the viewer's country write them. */
import { sessionNow } from '../session/session'
import { meQuery } from './me'
import { queryClient } from './query-client'
import { workspaceQuery } from './workspace'

/** @param fields that hold a number, or a list of numbers; what is no number stays for the API to refuse */
export async function withWrittenNumbers<Values extends Record<string, unknown>>(
  values: Values,
  fields: readonly (keyof Values & string)[],
): Promise<Values> {
  const read = fields.map(async (field) => [field, await inE164(values[field])] as const)
  return { ...values, ...Object.fromEntries(await Promise.all(read)) }
}

async function inE164(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(inE164))
  if (typeof value !== 'string') return value
  const { e164Of, isNational } = await import('./numbering')
  return e164Of(value, isNational(value) ? await ownCountry() : undefined)
}

/** The agent's own country, or else the workspace's; the operator has none. */
async function ownCountry(): Promise<string | undefined> {
  const kind = sessionNow()?.kind
  if (kind === 'api_key') return (await queryClient.query(workspaceQuery)).country_code
  if (kind !== 'agent') return undefined
  const { country_code, workspace_country } = await queryClient.query(meQuery)
  return country_code || workspace_country
}
