/**
 * What the server is compared with: Koa and mysql2 and nothing else. No validation, no credentials, no
 * limits; the same rows from the same tables and the same JSON as `GET /phone-numbers`. No number has a flow or a team.
 */
import Koa from 'koa'
import { type RowDataPacket, createPool } from 'mysql2/promise'

const pageSize = 20

const workspaceId = process.env['BENCH_WORKSPACE'] ?? ''
const pool = createPool({
  host: '127.0.0.1',
  port: Number(process.env['BENCH_DATABASE_PORT']),
  user: process.env['BENCH_DATABASE_USER'] ?? '',
  password: process.env['BENCH_DATABASE_PASSWORD'] ?? '',
  database: process.env['BENCH_DATABASE_NAME'] ?? '',
  connectionLimit: Number(process.env['BENCH_DATABASE_POOL']),
  timezone: 'Z',
  decimalNumbers: true,
})

const columns =
  'id, workspace_id, title, number, country_code, dial_code, status, type, capabilities, provider, ' +
  'enable_outbound, inbound_acl_id, outbound_gateway_id, call_flow_id, record_outbound, is_verified, verified_by, verified_at, ' +
  'fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms, created_at, updated_at'

const app = new Koa()
app.use(async (ctx) => {
  const [found] = await pool.query<RowDataPacket[]>(
    `SELECT ${columns}, (SELECT COUNT(*) FROM phone_numbers WHERE workspace_id = ?) AS total FROM phone_numbers
     WHERE workspace_id = ? ORDER BY created_at DESC, id DESC LIMIT ${pageSize}`,
    [workspaceId, workspaceId],
  )
  const total = (found[0]?.['total'] ?? 0) as number
  const rows = found.map(({ total: _, ...row }): Record<string, unknown> => row)
  const [shared] = await pool.query<RowDataPacket[]>(
    'SELECT phone_number_id, team_id FROM phone_number_teams WHERE phone_number_id IN (?) ORDER BY position',
    [rows.map((row) => row['id'] as string)],
  )
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({
    data: rows.map((row) => ({
      ...row,
      capabilities: parsed(row['capabilities']),
      shared_teams_id: shared.flatMap((one) =>
        one['phone_number_id'] === row['id'] ? [one['team_id'] as string] : [],
      ),
      enable_outbound: Boolean(row['enable_outbound']),
      record_outbound: Boolean(row['record_outbound']),
      is_verified: Boolean(row['is_verified']),
      call_flow_title: null,
      shared_team_names: [],
    })),
    meta: { total, page: 1, limit: pageSize, total_pages: Math.ceil(total / pageSize) },
  })
})
app.listen(Number(process.env['BENCH_PORT']), '127.0.0.1')

/** MariaDB keeps JSON as text. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? (JSON.parse(value) as unknown) : value
}
