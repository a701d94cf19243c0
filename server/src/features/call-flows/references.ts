/** Objects to which flows refer: found in their parameters, looked up in the workspace, and protected by foreign keys. */
import type { TSchema } from 'typebox'
import { type EntityManager, In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { idsAmong } from '../../infrastructure/database/ids-among.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { WorkspaceNumbers } from '../phone-numbers/workspace-numbers.js'
import { namedUsers } from '../../infrastructure/resources/in-use.js'
import { CallFlow, CallFlowReference } from './call-flow.entity.js'

/** Kinds of things that a flow may name, and their tables. */
const tables = {
  audio: 'audios',
  team: 'teams',
  agent: 'agents',
  voice_agent: 'voice_agents',
  outbound_gateway: 'outbound_gateways',
  phone_number: 'phone_numbers',
  extension: 'extensions',
} as const
export type ReferenceKind = keyof typeof tables
const referenceKinds = Object.keys(tables) as ReferenceKind[]

/** A value that names something: an id, or a phone number as it is written. */
export interface Reference {
  readonly field: string
  readonly kind: ReferenceKind
  readonly value: string
}

/** Finds all that a value names, by the `x-reference` of its schema. The value fits the schema. */
export function referencesIn(schema: TSchema, value: unknown, field: string): Reference[] {
  if (value === undefined || value === null) return []
  const { properties, items, 'x-reference': kind } = schema as SchemaParts
  if (kind && typeof value === 'string') return [{ field, kind, value }]
  if (properties) {
    return Object.entries(properties).flatMap(([name, property]) =>
      referencesIn(property, (value as Record<string, unknown>)[name], `${field}.${name}`),
    )
  }
  return items && Array.isArray(value)
    ? value.flatMap((item, index) => referencesIn(items, item, `${field}.${index}`))
    : []
}

interface SchemaParts {
  properties?: Record<string, TSchema>
  items?: TSchema
  'x-reference'?: ReferenceKind
}

/** The result of a look-up: the ids that exist, and the references without an object. */
export interface FoundReferences {
  readonly ids: ReadonlyMap<ReferenceKind, ReadonlySet<string>>
  readonly missing: readonly Reference[]
}

export class FlowReferences {
  constructor(
    private readonly database: Database,
    private readonly numbers: WorkspaceNumbers,
  ) {}

  /** Looks up everything at once, one query a kind. */
  async find(workspace: Owner, references: readonly Reference[]): Promise<FoundReferences> {
    const ids = new Map<ReferenceKind, Set<string>>()
    const missing: Reference[] = []
    for (const kind of referenceKinds) {
      const ofKind = references.filter((one) => one.kind === kind)
      if (ofKind.length === 0) continue
      const keys = await Promise.all(ofKind.map(async ({ value }) => this.keyOf(workspace, kind, value)))
      const known = await this.lookUp(workspace, kind, keys)
      ids.set(kind, new Set(known.values()))
      missing.push(...ofKind.filter((_, index) => !known.has(keys[index] ?? '')))
    }
    return { ids, missing }
  }

  /** Writes what a flow names, in place of what it named before. */
  async replace(tx: EntityManager, flow: CallFlow, { ids }: FoundReferences): Promise<void> {
    const owner = { workspace_id: flow.workspace_id, call_flow_id: flow.id }
    await tx.delete(CallFlowReference, owner)
    const rows = [...ids].flatMap(([kind, named]) =>
      [...named].map((id): CallFlowReference => ({ ...owner, [`${kind}_id`]: id })),
    )
    if (rows.length > 0) await tx.insert(CallFlowReference, rows)
  }

  /** Names the flows that name something. */
  async flowsNaming(workspace: Owner, kind: ReferenceKind, id: string): Promise<string[]> {
    const flows = await this.database
      .platformTable(CallFlow)
      .createQueryBuilder('flow')
      .select(['flow.id', 'flow.title'])
      .innerJoin(CallFlowReference, 'named', 'named.call_flow_id = flow.id')
      .where(`named.workspace_id = :owner AND named.${kind}_id = :id`, { owner: workspace.id, id })
      .limit(namedUsers + 1)
      .getMany()
    return flows.map(({ title }) => `the call flow ${title}`)
  }

  /** Forgets what the flows of a workspace name: it is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.delete(CallFlowReference, { workspace_id: workspace.id })
  }

  private async lookUp(
    workspace: Owner,
    kind: ReferenceKind,
    written: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const keys = [...new Set(written)]
    if (kind !== 'phone_number') {
      const known = await idsAmong(this.database, tables[kind], workspace, keys)
      return new Map([...known].map((id) => [id, id]))
    }
    const rows = await this.database
      .platformTable(PhoneNumber)
      .find({ select: { id: true, number: true }, where: { workspace_id: workspace.id, number: In(keys) } })
    return new Map(rows.map(({ id, number }) => [number, id]))
  }

  /** Numbers are looked up by their digits, all else by its id. */
  private async keyOf(workspace: Owner, kind: ReferenceKind, value: string): Promise<string> {
    return kind === 'phone_number' ? ((await this.numbers.read(workspace, value))?.digits ?? '') : value
  }
}
