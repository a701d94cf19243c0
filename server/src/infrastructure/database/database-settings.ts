import type { Config } from '../../config/config.js'

type SidePools = 'read_pool' | 'read_timeout' | 'background_pool' | 'call_pool'

/** Without pools of their own, reads of the API and background work share the connections of all else. */
export type DatabaseSettings = Omit<Config['database'], SidePools> &
  Partial<Pick<Config['database'], SidePools>>
