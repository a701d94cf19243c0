/** What the operator sets while the platform runs. */
import type { Logger } from 'pino'
import { Drain } from '../../features/maintenance/drain.js'
import { LogLevels } from '../../features/maintenance/log-levels.js'
import { PlatformStates } from '../../features/maintenance/platform-states.js'
import type { Core } from './core.js'

export function wireMaintenance(log: Logger, { database, servers, edges, link }: Core) {
  const states = new PlatformStates({ database, servers, log })
  const logs = new LogLevels({ states, log, edge: edges, switch: link })
  link.on('up', () => logs.switchIsUp())
  const drain = new Drain({
    ...{ states, edge: edges, log },
    liveCalls: async () => {
      const [row] = await database.source.query<{ n: number | string }[]>(
        'SELECT COUNT(*) AS n FROM calls WHERE live = 1',
      )
      return Number(row?.n ?? 0)
    },
  })
  return { states, logs, drain }
}

export type Maintenance = ReturnType<typeof wireMaintenance>
