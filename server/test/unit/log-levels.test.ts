/** The end of a log level, for parts that are away just then. */
import { expect } from 'chai'
import { pino } from 'pino'
import type { Database } from '../../src/infrastructure/database/database.js'
import { LogLevels } from '../../src/features/maintenance/log-levels.js'
import type { PlatformState } from '../../src/features/maintenance/platform-state.entity.js'
import { PlatformStates } from '../../src/features/maintenance/platform-states.js'
import { eventually } from '../support/api-client.js'

const log = pino({ level: 'silent' })

describe('a log level whose time is over', () => {
  let rows: PlatformState[]
  let isEdgeUp: boolean
  /** What Kamailio was told. */
  let told: number[]
  /** Servers tell each other that something has changed: here that they are to read now. */
  let hear: () => void

  const table = {
    find: async () => Promise.resolve([...rows]),
    delete: async ({ name }: { name: string }) => {
      rows = rows.filter((row) => row.name !== name)
      return Promise.resolve()
    },
  }

  async function startServer(): Promise<PlatformStates> {
    const states = new PlatformStates({
      database: { platformTable: () => table } as unknown as Database,
      servers: {
        share: () => undefined,
        onShared: (_topic, changed) => {
          hear = changed
        },
      },
      log,
    })
    const levels = new LogLevels({
      ...{ states, log, switch: { isUp: false, api: async () => Promise.resolve('') } },
      edge: {
        isConfigured: true,
        setDebug: async (level) => {
          if (!isEdgeUp) throw new Error('away')
          await Promise.resolve(told.push(level))
        },
      },
    })
    await states.start()
    expect(levels.of('edge').level).to.equal('default')
    return states
  }

  it('is known until the part has been told, also to the next process', async () => {
    const over = new Date(Date.now() - 1_000)
    rows = [{ name: 'log_level.edge', value: 'debug', since: over, until: over }]
    ;[isEdgeUp, told] = [false, []]
    const first = await startServer()
    hear()
    await first.stop()
    expect(rows, 'while the edge is away').to.have.length(1)
    isEdgeUp = true
    const second = await startServer()
    const settled = await eventually(
      async () => {
        hear()
        return Promise.resolve([rows.length, ...told])
      },
      ([left]) => left === 0,
      { what: 'the row settled' },
    )
    await second.stop()
    expect(settled).to.deep.equal([0, 1])
  })
})
