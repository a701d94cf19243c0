/** SIP accounts in CSV files, beside what all resources have. */
import { byCreation, exportEndpoint, importEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import type { Database } from '../../infrastructure/database/database.js'
import { sipAccountCells, sipAccountImporter } from './sip-account-csv.js'
import { presentSipAccount } from './sip-account.presenter.js'
import { sipAccountResource } from './sip-account.resource.js'
import type { SipAccountService } from './sip-account.service.js'

const csv = { path: sipAccountResource.path, tag: sipAccountResource.tag, plural: 'SIP accounts' }

export function sipAccountEndpoints({
  database,
  sipAccounts,
}: {
  database: Database
  sipAccounts: SipAccountService
}) {
  return [
    // Its path would match /sip-accounts/:id, too.
    exportEndpoint({
      ...csv,
      ...{ audited: 'sip_account', query: sipAccountResource.list.query, cells: sipAccountCells },
      cursorOf: byCreation,
      list: async (workspace, query) => sipAccounts.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace) => sipAccountImporter(sipAccounts, workspace),
      '`username`, `title`, for new accounts `password`, and where wanted `outbound_caller_id`, `max_concurrent_calls`; an account is known by the username, and keeps the password',
    ),
    ...sipAccountResource.endpoints(sipAccounts, presentSipAccount),
  ]
}
