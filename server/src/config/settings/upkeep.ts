/** Settings of retention, metrics, traces and logs. */
import { address, choice, httpUrl, integer, list, setting, text } from './kinds.js'

/** `name=value`, the value escaped as in URLs where it has a comma. */
function headerOf(entry: string): readonly [string, string] | undefined {
  const [, name, value] = /^([\w-]+)=([\x20-\x7e]+)$/.exec(entry) ?? []
  if (!name || !value) return undefined
  try {
    return [name.toLowerCase(), decodeURIComponent(value)]
  } catch {
    return undefined
  }
}

/** A number of days, or 0. */
function wholeDays(value: string, least: number): number | undefined {
  const days = Number(value)
  if (!/^\d{1,5}$/.test(value) || days > 36_500) return undefined
  return days === 0 || days >= least ? days : undefined
}

export const upkeep = {
  retention: {
    calls_days: integer(
      0,
      36_500,
      'days that calls are kept unless the workspace says otherwise; 0: for ever',
      0,
    ),
    calls_min_days: integer(1, 36_500, 'fewest days of calls that a workspace may choose', 1),
    calls_max_days: integer(0, 36_500, 'days after which all calls are deleted; 0: no limit', 0),
    messages_days: integer(
      0,
      36_500,
      'days that messages are kept unless the workspace says otherwise; 0: for ever',
      0,
    ),
    messages_min_days: integer(1, 36_500, 'fewest days of messages that a workspace may choose', 1),
    messages_max_days: integer(0, 36_500, 'days after which all messages are deleted; 0: no limit', 0),
    recordings_min_days: integer(1, 36_500, 'fewest days of recordings that a workspace may choose', 1),
    recordings_max_days: integer(0, 36_500, 'days after which all recordings are deleted; 0: no limit', 0),
    ledger_days: setting(
      '0, or 90 to 36500',
      (value) => wholeDays(value, 90),
      'days that the ledger keeps single entries unless the workspace says otherwise; 0: for ever',
      0,
    ),
    ledger_min_days: integer(90, 36_500, 'fewest days of the ledger that a workspace may choose', 90),
    ledger_max_days: setting(
      '0, or 90 to 36500',
      (value) => wholeDays(value, 90),
      'days after which all entries are carried forward as one sum; 0: no limit',
      0,
    ),
    webhook_deliveries_min_days: integer(
      1,
      3_650,
      'fewest days of webhook deliveries that a workspace may choose',
      1,
    ),
    webhook_deliveries_max_days: integer(
      0,
      3_650,
      'days after which all webhook deliveries are deleted; 0: no limit',
      0,
    ),
    audit_log_min_days: integer(1, 36_500, 'fewest days of the audit log that a workspace may choose', 90),
    audit_log_max_days: integer(0, 36_500, 'days after which the audit log is deleted; 0: no limit', 0),
  },
  audit_log: {
    kept_days: integer(1, 36_500, 'days that the audit log is kept unless the workspace says otherwise', 365),
  },
  metrics: {
    host: address('address on which metrics are read without a token', '127.0.0.1'),
    port: integer(0, 65535, 'TCP port of metrics.host; 0: none', 0),
  },
  traces: {
    otlp_endpoint: httpUrl(
      'address of the collector of traces, without /v1/traces; spans go there by OTLP over HTTP, in JSON; empty: no traces',
    ),
    headers: list(
      'name=value with commas between them',
      headerOf,
      'headers of requests to the collector, such as the key of a hosted service; values are escaped as in URLs (%2C)',
    ),
    sample_ratio: setting(
      'a number from 0 to 1',
      (value) => (/^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(value) ? Number(value) : undefined),
      'share of traces that are sampled',
      1,
    ),
    callers_continued: choice(
      ['true', 'false'],
      'whether a request with the header traceparent joins that trace, and its sampling decision; otherwise it starts a trace that links to it',
      'false',
    ),
    shown_to_customers: choice(
      ['true', 'false'],
      'whether webhooks, callbacks and tools carry the header traceparent',
      'false',
    ),
  },
  log: {
    security_file: text('file of the security log; empty: its lines are in the server’s log', ''),
    security_max_mb: integer(
      1,
      10_000,
      'megabytes at which the security log is rotated; nine old files are kept',
      20,
    ),
    level: choice(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'lowest level that is logged',
      'info',
    ),
  },
} as const
