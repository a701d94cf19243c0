/**
 * One connection beside the pool, for statements that must not wait behind others and are useless later. It is made when it
 * is needed, and again after any error: what a hung connection still answers is ignored.
 */
import type { DatabaseSettings } from './database-settings.js'
import { type Connection, createConnection } from 'mysql2/promise'

export class OwnConnection {
  private connection: Promise<Connection> | undefined

  /** @param deadlineMs of the connection being made, and of each statement */
  constructor(
    private readonly config: DatabaseSettings,
    private readonly deadlineMs: number,
  ) {}

  /** @throws when the database is away, refuses, or has not answered in time */
  async query<T>(sql: string, values: readonly unknown[] = []): Promise<T> {
    this.connection ??= this.connect()
    const { connection } = this
    try {
      const [result] = await (await connection).query({ sql, values: [...values], timeout: this.deadlineMs })
      return result as T
    } catch (error) {
      if (this.connection === connection) this.close()
      throw error
    }
  }

  close(): void {
    const { connection } = this
    this.connection = undefined
    connection?.then(
      (made) => made.destroy(),
      () => undefined,
    )
  }

  private async connect(): Promise<Connection> {
    const { config, deadlineMs } = this
    const connection = await createConnection({
      ...(config.socket ? { socketPath: config.socket } : { host: config.host, port: config.port }),
      user: config.user,
      password: config.password,
      database: config.name,
      charset: 'utf8mb4_unicode_ci',
      timezone: 'Z',
      connectTimeout: deadlineMs,
      enableKeepAlive: true,
    })
    // What it says between two statements, the next one finds out.
    connection.on('error', () => this.close())
    return connection
  }
}
