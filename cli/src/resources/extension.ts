import type { components } from '@jackfield/sdk'
import { text } from '../lib/fields.js'
import { usageError } from '../lib/usage-error.js'

type Extension = components['schemas']['Extension']

/** Flags of an extension's destination: the flag's name is the kind. */
const destinations = {
  agent: text('agent_id', 'agent that it rings', { helpValue: '<ag_…>' }),
  team: text('team_id', 'team that it rings', { helpValue: '<te_…>' }),
  'sip-account': text('sip_account_id', 'SIP account that it rings', { helpValue: '<si_…>' }),
  'voice-agent': text('voice_agent_id', 'voice agent that answers it', { helpValue: '<va_…>' }),
}

export const extensionFields = {
  number: text('extension_number', '3 to 6 digits', { ask: 'Number', helpValue: '<digits>' }),
  title: text('title', 'name that people read', { ask: 'Title' }),
  ...destinations,
}

/** Adds the destination from the flags. */
export function withDestination(body: Record<string, unknown>): object {
  const given = Object.entries(destinations).filter(([, { name }]) => body[name] !== undefined)
  if (given.length > 1) {
    const flags = given.map(([flag]) => `--${flag}`).join(' and ')
    throw usageError(`An extension leads to one place: not to ${flags}`)
  }
  return { ...body, ...(given[0] && { destination: given[0][0] }) }
}

/** The same for a create, which requires a destination. */
export function withNeededDestination(body: Record<string, unknown>): object {
  const complete = withDestination(body)
  if ('destination' in complete) return complete
  const flags = Object.keys(destinations).map((flag) => `--${flag}`)
  throw usageError(`Where does it lead to? Give one of ${flags.join(', ')}`)
}

/** Destination by name; the destination may have been deleted. */
export function leadsTo({ agent, team, sip_account, voice_agent }: Extension): string {
  return agent?.username ?? team?.title ?? sip_account?.username ?? voice_agent?.name ?? '(deleted)'
}

/** An extension for display: its destination once. */
export function readableExtension(extension: Extension): object {
  const { id, extension_number, is_emergency_number, title, destination, created_at, updated_at } = extension
  const target =
    extension.agent_id ?? extension.team_id ?? extension.sip_account_id ?? extension.voice_agent_id
  const to = { destination, leads_to: leadsTo(extension), target }
  return { id, extension_number, is_emergency_number, title, ...to, created_at, updated_at }
}
