/** Prints the path of a trial call through a flow. */
import type { components } from '@jackfield/sdk'
import { table, textOf } from './table.js'

type Simulation = components['schemas']['Simulation']
type Step = Simulation['path'][number]

/** One line for each node, with its outcome. */
export function pathOf({ path, ended }: Simulation): string {
  const steps = table(path, {
    node: ({ node_id }) => node_id,
    type: ({ type }) => type,
    outcome: ({ outcome }) => outcome,
    details: detailsOf,
  })
  return `${steps}\n\n${endOf(ended, path.length)}`
}

function endOf({ reason, cause }: Simulation['ended'], steps: number): string {
  if (reason === 'too_many_steps') return `The call was still going on after ${String(steps)} steps.`
  const where = reason === 'hangup' ? 'by the flow' : 'as nothing follows'
  return `The call is hung up ${where}: ${cause ?? 'NORMAL_CLEARING'}.`
}

/** `text=Press one., pressed=9 1`; references are shown by name. */
function detailsOf({ details }: Step): string {
  const { names, ...rest } = details
  const named = isRecord(names) ? names : {}
  return Object.entries(rest)
    .map(([field, value]) => `${field}=${shown(named[field] ?? value)}`)
    .join(', ')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(' ')
  if (!isRecord(value)) return textOf(value)
  return `{${Object.entries(value)
    .map(([field, inner]) => `${field}=${shown(inner)}`)
    .join(', ')}}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
