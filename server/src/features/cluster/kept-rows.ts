/**
 * What a server keeps in memory of rows that calls and events ask for and that change seldom. A change is forgotten here
 * as soon as it is committed, and by the other servers before its request is answered: what happens next sees it.
 * A server that cannot reach the others keeps nothing; one that has lost them and does not know it yet, and one that does
 * not answer in time, keeps a value for {@link sharedLifeMs} at most.
 */
import type { DataSource } from 'typeorm'
import { onRowsChanged } from '../../infrastructure/database/row-changes.js'
import { inTime } from '../../infrastructure/http/shared-result.js'
import { KeptValues } from '../../lib/kept-values.js'
import type { Servers } from './servers.js'

/** Tables whose rows are kept. `own`: by their workspace; `common`: by all. None: listeners keep them. */
export const keptTables: Readonly<Record<string, readonly ('own' | 'common')[]>> = {
  webhooks: ['own'],
  phone_numbers: ['own'],
  inbound_acls: ['own'],
  call_flows: ['own'],
  audios: ['own'],
  outbound_gateways: ['own'],
  rate_decks: ['common'],
  workspaces: [],
  api_keys: [],
}

const bounds = { max: 20_000, maxOfOwner: 200 } as const

/** How long a value is kept where this server makes all changes, and where others make some. */
const aloneLifeMs = 30_000
const sharedLifeMs = 3_000

/** For so long after a change the nodes of a database cluster may differ. */
const settlingMs = 1_000

/** A request waits no longer for the other servers. */
const patienceMs = 1_000

const topic = 'rows-changed'

interface Changed {
  readonly table: string
  /** Null: rows of no workspace. */
  readonly workspace: string | null
}

interface Parts {
  readonly servers: Pick<Servers, 'ask' | 'onAsked' | 'share' | 'onShared' | 'on'>
  /** The other servers that live. */
  readonly others: () => readonly string[]
  /** Whether there may be other servers. */
  readonly isShared: boolean
  /** Whether they can be reached. */
  readonly isUp: () => boolean
}

export class KeptRows {
  /** By workspace: what depends on its own rows alone. */
  readonly own: KeptValues
  /** By workspace: what depends on the platform's rows, too. */
  readonly common: KeptValues
  /** What is announced to the other servers next. */
  private unannounced = new Map<string, Changed>()
  private readonly announcing = new Set<Promise<unknown>>()
  private readonly listeners: ((table: string, workspaceId: string) => void)[] = []

  constructor(private readonly parts: Parts) {
    const { servers, isShared, isUp } = parts
    const lifeMs = () => (isShared ? (isUp() ? sharedLifeMs : 0) : aloneLifeMs)
    const options = { ...bounds, lifeMs, settlingMs: isShared ? settlingMs : 0 }
    this.own = new KeptValues(options)
    this.common = new KeptValues(options)
    const forget = (changed: readonly Changed[]) => {
      for (const one of changed) this.forget(one)
    }
    servers.onShared(topic, forget)
    servers.onAsked(topic, async (changed: readonly Changed[]) => {
      forget(changed)
      return Promise.resolve()
    })
    servers.on('lost', () => this.forgetAll())
  }

  /** Follows all changes that this server makes. */
  follow(database: { readonly source: DataSource }): void {
    onRowsChanged(database, (table, workspace) => {
      if (!(table in keptTables)) return
      this.forget({ table, workspace })
      if (this.parts.isShared) this.announce({ table, workspace })
    })
  }

  /** Calls `listener` when rows of a workspace have changed, here or at another server. */
  onChanged(listener: (table: string, workspaceId: string) => void): void {
    this.listeners.push(listener)
  }

  /** Done once the other servers have forgotten what was changed here. */
  async settled(): Promise<void> {
    if (this.announcing.size > 0) await Promise.all(this.announcing)
  }

  forgetAll(): void {
    this.own.forgetAll()
    this.common.forgetAll()
  }

  private forget({ table, workspace }: Changed): void {
    for (const kept of keptTables[table] ?? []) {
      if (kept === 'own' && workspace !== null) this.own.forget(workspace)
      else this[kept].forgetAll()
    }
    if (workspace !== null) for (const listener of this.listeners) listener(table, workspace)
  }

  /** A transaction may have changed many rows: they are one message. */
  private announce(changed: Changed): void {
    const isFirst = this.unannounced.size === 0
    this.unannounced.set(`${changed.table} ${changed.workspace}`, changed)
    if (!isFirst) return
    const announced = inTime<unknown>(patienceMs, this.announceAll(), undefined).finally(() =>
      this.announcing.delete(announced),
    )
    this.announcing.add(announced)
  }

  private async announceAll(): Promise<void> {
    await Promise.resolve()
    const changed = [...this.unannounced.values()]
    this.unannounced = new Map()
    const { servers, others } = this.parts
    // A server that has just joined is not known yet, and answers nothing.
    servers.share(topic, changed)
    await Promise.all(others().map(async (id) => servers.ask(id, topic, changed).catch(() => undefined)))
  }
}
