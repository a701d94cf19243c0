import { optionalNumber } from '../lib/fields.js'

/** Retention periods of a workspace; `none` leaves them to the operator. */
export const retentionFlags = {
  'calls-kept': optionalNumber('call_retention_days', 'days for which calls are kept'),
  'messages-kept': optionalNumber('message_retention_days', 'days for which messages are kept'),
  'recordings-kept': optionalNumber('recording_retention_days', 'days for which recordings are kept'),
  'ledger-kept': optionalNumber('ledger_retention_days', 'days for which the ledger keeps single entries'),
  'deliveries-kept': optionalNumber(
    'webhook_delivery_retention_days',
    'days for which webhook deliveries are kept',
  ),
  'audit-log-kept': optionalNumber('audit_log_retention_days', 'days for which the audit log is kept'),
}
