/** The generated pages of docs/reference. */
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { ROOT } from '../settings.mjs'
import { actionsPage } from './actions.mjs'
import { commandsPage } from './commands.mjs'
import { endpointsPage } from './endpoints.mjs'
import { errorsPage } from './errors.mjs'
import { eventsPage } from './events.mjs'
import { limitsPage } from './limits.mjs'
import { logEventsPage } from './log-events.mjs'
import { metricsPage } from './metrics.mjs'
import { nodesPage } from './nodes.mjs'
import { settingsPage } from './settings.mjs'

/** @type {Readonly<Record<string, () => string | Promise<string>>>} */
const makers = {
  'actions.md': actionsPage,
  'commands.md': commandsPage,
  'endpoints.md': endpointsPage,
  'errors.md': errorsPage,
  'events.md': eventsPage,
  'limits.md': limitsPage,
  'log-events.md': logEventsPage,
  'metrics.md': metricsPage,
  'nodes.md': nodesPage,
  'settings.md': settingsPage,
}

/** @returns {Promise<{path: string, text: string}[]>} as they must be in the repository */
export async function pages() {
  return Promise.all(
    Object.entries(makers).map(async ([name, make]) => {
      const path = join(ROOT, 'docs/reference', name)
      return {
        path,
        text: await format(await make(), { ...(await resolveConfig(path)), parser: 'markdown' }),
      }
    }),
  )
}
