/** The retention sweep in the benchmark’s own process: it can be begun and stopped, and its CPU is not the server’s. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { entities } from '../../../server/dist/src/app/entities.js'
import { readConfig } from '../../../server/dist/src/config/config.js'
import { agingRowsOf } from '../../../server/dist/src/features/retention/all-aging-rows.js'
import { CallRemoval } from '../../../server/dist/src/features/retention/call-removal.js'
import { MessageRemoval } from '../../../server/dist/src/features/retention/message-removal.js'
import { RetentionSweep } from '../../../server/dist/src/features/retention/retention-sweep.js'
import { SweepLease } from '../../../server/dist/src/features/retention/sweep-lease.js'
import { RetentionPolicy } from '../../../server/dist/src/features/workspaces/retention-policy.js'
import { Database } from '../../../server/dist/src/infrastructure/database/database.js'
import type { Mariadb } from '../../../server/dist/test/support/mariadb.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger

/** Where a sweep works. */
type Target = Pick<Mariadb, 'host' | 'port' | 'user' | 'password'>

/**
 * Makes a sweep of a database whose calls and messages have no files.
 * A sweep that was stopped does not begin again.
 * @returns it, and its connections, which the caller closes
 */
export async function openSweep(
  { host, port, user, password }: Target,
  name: string,
): Promise<{ database: Database; sweep: RetentionSweep }> {
  const config = readConfig({
    JACKFIELD_OPERATOR_TOKEN: 'x'.repeat(24),
    JACKFIELD_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    JACKFIELD_DATABASE_HOST: host,
    JACKFIELD_DATABASE_PORT: String(port),
    JACKFIELD_DATABASE_USER: user,
    JACKFIELD_DATABASE_PASSWORD: password,
    JACKFIELD_DATABASE_NAME: name,
    JACKFIELD_SWITCH_PASSWORD: 'bench',
  })
  const database = new Database(config.database, entities)
  await database.connect()
  return { database, sweep: sweepOf(database, new RetentionPolicy(config)) }
}

function sweepOf(database: Database, policy: RetentionPolicy): RetentionSweep {
  const none = async () => Promise.resolve(0)
  return new RetentionSweep({
    ...{ database, policy, log: silent },
    lease: new SweepLease(database, 'retention', randomUUID()),
    rows: agingRowsOf({
      database,
      calls: new CallRemoval({ database, deleteRecordings: none, captureKeptMs: 0 }),
      messages: new MessageRemoval({ database, deleteFiles: none, changed: () => undefined }),
      deleteRecordings: none,
    }),
  })
}
