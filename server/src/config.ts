/**
 * Configuration: the settings table, read from the environment and an optional JSON file.
 *
 * A setting `http.port` is read from `JACKFIELD_HTTP_PORT`, else from the file that
 * `JACKFIELD_CONFIG` names (`{"http": {"port": 8080}}`), else its default. A secret may also be
 * given as a file's path: `JACKFIELD_SECRET_KEY_FILE`. The server refuses to start with a list of
 * every setting that is wrong, each named with its rule.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Network, parseNetwork } from './http-client/address-policy.js'
import {
  Setting,
  address,
  choice,
  count,
  domain,
  headerUrl,
  httpUrl,
  integer,
  list,
  nameServers,
  optionalAddress,
  port,
  price,
  setting,
  text,
} from './setting-kinds.js'

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

const isWorkspaceOrigin = (value: string) =>
  value === '' || /^https?:\/\/\{workspace\}\.[a-z0-9.-]+(:\d{1,5})?$/.test(value)

const isResetLink = (value: string) =>
  value === '' || (/^https?:\/\/[^\s/]+/.test(value) && value.includes('{token}') && !/\s/.test(value))

/** The table of all settings; docs/operate/appliance.md lists them for operators. */
export const settings = {
  disk_min_mb: integer(
    0,
    1_000_000_000,
    'megabytes that must be free on the disk for files to be accepted; otherwise the answer is 503',
    1_024,
  ),
  home: text('directory of the appliance’s state; empty for a server that runs beside an appliance', ''),
  http: {
    host: address('address the API listens on', '127.0.0.1'),
    port: port('TCP port of the API', 8080),
    tls_port: integer(0, 65535, 'TCP port of HTTPS on http.host; 0: none', 0),
    tls_certificate_file: text(
      'PEM file of the certificate and its intermediates; read again when it changes',
      '',
    ),
    tls_key_file: text('PEM file of the certificate’s key', ''),
    challenge_directory: text(
      'directory whose .well-known/acme-challenge is served to certificate authorities; empty: none',
      '',
    ),
    public_url: setting(
      'an origin with {workspace} in its host, such as https://{workspace}.example.com',
      (value) => (isWorkspaceOrigin(value) ? value : undefined),
      'address of a workspace in answers, where a proxy stands before the API; empty: <workspace>.<base_domain> and the port of HTTPS, or of HTTP where HTTPS is off',
      '',
    ),
    trusted_proxies: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'reverse proxies before the API, whose X-Forwarded-For is trusted; without them all clients share the proxy’s rate limit',
    ),
  },
  cell: setting(
    '1 to 32 of a-z, 0-9 and hyphens',
    (value) => (/^[a-z0-9-]{1,32}$/.test(value) ? value : undefined),
    'cell that this server belongs to: one switch, and the servers that may drive it',
    'one',
  ),
  base_domain: domain('workspaces are <id>.<base_domain>, the operator is admin.<base_domain>', 'localhost'),
  operator_token: setting(
    'at least 24 characters',
    (value) => (value.length >= 24 ? value : undefined),
    'token of the operator, who has all rights',
  ),
  secret_key: setting(
    '32 bytes in base64',
    (value) => {
      const key = Buffer.from(value, 'base64')
      return key.length === 32 ? key : undefined
    },
    'key that encrypts secrets in the database',
  ),
  secret_key_old: list<Buffer>(
    '32 bytes in base64 each, with commas between them',
    (value) => {
      const key = Buffer.from(value, 'base64')
      return key.length === 32 ? key : undefined
    },
    'earlier values of secret_key, which still decrypt while it is being rotated',
  ),
  database: {
    host: text('host of MariaDB or MySQL', '127.0.0.1'),
    port: port('TCP port of the database', 3306),
    socket: text('path of the database’s Unix socket, used instead of host and port', ''),
    user: text('database user', 'jackfield'),
    password: text('database password'),
    name: text('database name', 'jackfield'),
    pool: integer(2, 200, 'connections that a server keeps to the database', 20),
    read_pool: integer(2, 200, 'further connections, for reads of the API', 10),
    background_pool: integer(
      2,
      200,
      'further connections, for webhooks, jobs, sweeps and other background work',
      10,
    ),
    read_timeout: integer(
      1,
      600,
      'seconds that a statement of an API read may take; after that the answer is 503',
      10,
    ),
  },
  switch: {
    host: text('host of the switch’s Event Socket', '127.0.0.1'),
    port: port('TCP port of the switch’s Event Socket', 8021),
    password: text('password of the Event Socket'),
    journal: text('path of the switch’s journal of ended channels; empty: it writes none', ''),
    sip_address: setting(
      'host:port',
      (value) => (value === '' || (isHostAndPort(value) && value.length <= 64) ? value : undefined),
      'SIP address of the switch for Kamailio; empty with a single cell, whose Kamailio knows it',
      '',
    ),
    own_sip_address: setting(
      'host:port',
      (value) => (value === '' || isHostAndPort(value) ? value : undefined),
      'SIP address at which the server checks that the switch lives; empty: sip_address',
      '',
    ),
    app_port: integer(
      0,
      65535,
      'TCP port on 127.0.0.1 to which the switch sends the legs of apps; 0: any free port',
      0,
    ),
    drive: choice(
      ['true', 'false'],
      'whether this server may drive the switch; false for a server on another machine than the switch',
      'true',
    ),
  },
  edge: {
    sip_host: address('Kamailio’s private address, to which the switch sends calls', '127.0.0.2'),
    sip_port: port('UDP port of Kamailio’s private listener', 5060),
    sip_domain: domain('domain that our SIP messages carry in From', 'sip.localhost'),
    public_host: optionalAddress('address at which carriers and phones reach Kamailio; empty: unknown'),
    public_port: integer(0, 65535, 'UDP and TCP port of SIP at public_host; 0: unknown', 0),
    public_tls_port: integer(0, 65535, 'TCP port of SIP over TLS at public_host; 0: unknown', 0),
    public_wss_port: integer(
      0,
      65535,
      'TCP port of SIP over WebSocket with TLS at public_host; 0: unknown',
      0,
    ),
    public_rtp_host: optionalAddress('address that carriers and phones send audio to; empty: unknown'),
    database_account: setting(
      'user@host',
      (value) => (/^([\w-]+@[\w.%:-]+)?$/.test(value) ? value : undefined),
      'database user of Kamailio, to whom migrations grant the rights that it needs; empty: you grant them',
      '',
    ),
    others: list(
      'the addresses and ports of private listeners, with commas between them',
      (entry) => (isHostAndPort(entry.replace(/^\[(.*)\]/, '$1')) ? entry : undefined),
      'private listeners of the other edges, host:port, in the order in which calls use them when our own edge is down; their RPC port equals ours',
    ),
    rpc_url: text('Kamailio’s JSON-RPC address, http://host:port/RPC; empty without an edge', ''),
    rpc_secret: text('bearer token of Kamailio’s JSON-RPC and events', ''),
  },
  new_workspaces: {
    countries: choice(
      ['own', 'all'],
      'countries that a new workspace may call and text until the operator changes that: its own, or all',
      'own',
    ),
    max_spend_per_day: price(
      'USD that the calls and messages of a new workspace may cost in a day; 0: no limit. Premium-rate numbers also need allow_premium_rate of the workspace',
      100,
    ),
  },
  numbers: {
    verification_workspace: setting(
      'the id of a workspace, or nothing',
      (value) => (/^[a-z0-9-]{0,40}$/.test(value) ? value : undefined),
      'workspace of the operator whose numbers call and text customers with verification codes; empty: the operator verifies all numbers',
      '',
    ),
  },
  sip_trunks: {
    dns_servers: nameServers('name servers for names in inbound ACLs and of gateways; empty: the system’s'),
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks that gateways may lead to',
    ),
    ping_interval: integer(5, 600, 'seconds between two OPTIONS requests to a gateway with options_ping', 45),
  },
  stir: {
    certificate_file: text(
      'PEM file of the certificate that signs calls (STIR/SHAKEN), with its intermediates; read again when it changes; empty: calls are not signed',
      '',
    ),
    key_file: text('PEM file of the key of stir.certificate_file, on the curve P-256', ''),
    certificate_url: headerUrl('URL at which others fetch stir.certificate_file, without a login'),
    ca_file: text(
      'PEM file of the authorities that verify callers; read again when it changes; empty: callers are not verified',
      '',
    ),
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks from which the certificates of signed calls may be fetched',
    ),
  },
  media: {
    directory: text(
      'directory of audio, recordings, pictures and files of messages; a path without blanks',
      'var/media',
    ),
    tts_voice: text('espeak-ng voice of actions that name none', 'en'),
    storage_mb: integer(
      1,
      1_000_000_000,
      'megabytes of files (audios, recordings, files of messages, pictures of agents) that a workspace may store, unless its max_storage_mb says otherwise',
      51_200,
    ),
    tts_cache_mb: integer(
      10,
      1_000_000,
      'megabytes of rendered speech that are cached; the workspace that uses most is evicted first',
      1024,
    ),
  },
  recordings: {
    directory: text('directory of recordings; empty: recordings/kept in the media directory', ''),
    retention_days: integer(
      0,
      36_500,
      'days that recordings are kept unless the workspace says otherwise; 0: for ever',
      0,
    ),
    s3_bucket: text('S3 bucket for recordings and files of messages, instead of the disk; empty: none', ''),
    s3_endpoint: setting(
      'an http or https URL',
      (value) => (/^(https?:\/\/[^\s/]+\/?)?$/.test(value) ? value : undefined),
      'address of the S3 server, such as MinIO, Ceph or Garage; empty: Amazon',
      '',
    ),
    s3_region: text('region of the bucket', 'us-east-1'),
    s3_access_key: text('access key id of S3, which must be allowed to put, get and delete objects', ''),
    s3_secret_key: text('secret access key of S3', ''),
    s3_path_style: choice(
      ['true', 'false'],
      'whether the bucket is in the path of URLs instead of the host; false for Amazon',
      'true',
    ),
  },
  calls: {
    ring_timeout: integer(
      5,
      300,
      'seconds that an outbound call may ring, made by POST /calls/make or by a phone',
      60,
    ),
    max_concurrent: integer(1, 1_000_000, 'calls that a workspace may have at once', 100),
    max_per_second: integer(1, 10_000, 'calls that a workspace may begin in a second', 20),
    max_concurrent_per_account: integer(
      1,
      10_000,
      'calls that the phones of a SIP account may make at once',
      10,
    ),
    app_grace: integer(5, 300, 'seconds for which an app without its socket keeps its leg of a call', 30),
    default_fee_per_minute: price('USD per minute of a newly connected number', 0.01),
    credit_held_seconds: integer(1, 600, 'seconds of a call for which credit is held in advance', 60),
  },
  alerts: {
    refused_calls: integer(
      1,
      1_000_000,
      'calls refused for one reason within an hour that raise an alert',
      20,
    ),
    burst_calls: integer(1, 1_000_000, 'calls to a country within an hour that never count as a burst', 30),
    burst_times: integer(
      1,
      1_000,
      'multiple of the busiest earlier hour at which calls to a country count as a burst',
      5,
    ),
    short_calls: integer(
      1,
      1_000_000,
      'short calls to the telephone network within an hour that raise an alert',
      100,
    ),
    short_seconds: integer(1, 3_600, 'seconds up to which an answered call counts as short', 6),
  },
  messages: {
    default_fee_per_segment: price('USD per segment of a text that a newly connected number sends', 0.01),
    default_fee_per_mms: price('USD per message with files that a newly connected number sends', 0.03),
    max_media_mb: integer(1, 100, 'megabytes that the files of a message may have together', 5),
    opt_out: choice(
      ['true', 'false'],
      'whether STOP, START and HELP are obeyed and answered; false where the carriers do that',
      'true',
    ),
    give_up_after: integer(60, 604_800, 'seconds for which a message is offered to carriers', 86_400),
    failover_after: integer(
      1,
      86_400,
      'seconds that a carrier may be down before its messages go to the next carrier of their number',
      30,
    ),
    delivery_window: integer(
      60,
      2_592_000,
      'seconds after which a sent message without a receipt becomes undelivered',
      259_200,
    ),
  },
  limits: {
    api_keys: count('API keys', 100),
    inbound_acls: count('inbound ACLs', 500),
    outbound_gateways: count('outbound gateways', 500),
    audios: count('audios', 2_000),
    agents: count('agents', 10_000),
    teams: count('teams', 1_000),
    sip_accounts: count('SIP accounts', 20_000),
    extensions: count('extensions', 20_000),
    contacts: count('contacts', 100_000),
    address_books: count('address books', 100),
    call_flows: count('call flows', 500),
    webhooks: count('webhooks', 20),
    push_credentials: count('push credentials', 50),
    canned_replies: count('canned replies', 500),
    voice_agent_tools: integer(1, 1_000, 'tools that a voice agent may have, besides the built-in ones', 50),
  },
  voice_agents: {
    silence_seconds: integer(
      3,
      600,
      'seconds of silence after which a voice agent asks whether the caller is there',
      10,
    ),
    default_model: setting(
      '1 to 100 characters',
      (value) => (value.length > 0 && value.length <= 100 ? value : undefined),
      'id of the AI model of new voice agents, if a provider offers it; otherwise the first model on offer',
      'gpt-realtime',
    ),
  },
  http_client: {
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks that URLs of customers may lead to',
    ),
    dns_servers: nameServers('name servers for URLs of customers; empty: the system’s'),
  },
  client_tokens: {
    max_days: integer(1, 3_650, 'days for which the JWT of a client may be valid, counted from its use', 30),
  },
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
  webhooks: {
    timeout: integer(1, 60, 'seconds that a webhook’s server may take to answer one attempt', 10),
    first_retry: integer(1, 3_600, 'seconds before the first retry of a failed delivery', 10),
    longest_pause: integer(1, 86_400, 'longest pause between two attempts, in seconds', 21_600),
    retry_for: integer(1, 2_592_000, 'seconds for which a delivery is attempted', 259_200),
    disable_after: integer(
      1,
      7_776_000,
      'seconds without a success after which a webhook is switched off',
      432_000,
    ),
    kept_days: integer(1, 3_650, 'days that deliveries are logged unless the workspace says otherwise', 30),
  },
  redis: {
    url: setting(
      'a redis or rediss URL',
      (value) => (/^(rediss?:\/\/[^\s/]+(\/\d*)?)?$/.test(value) ? value : undefined),
      'address of the Redis that several servers share: redis://[user:password@]host[:port]; empty with a single server',
      '',
    ),
  },
  stream: {
    heartbeat: integer(1, 300, 'seconds without an event after which a stream gets a heartbeat', 15),
    max_per_person: integer(1, 10_000, 'event streams that a client may have open at once', 5),
    max_per_agent: integer(
      1,
      10_000,
      'event streams that an agent may have open at once, one for each tab',
      50,
    ),
    max_agents: integer(
      1,
      1_000_000,
      'event streams that the agents of a workspace may have open at once',
      20_000,
    ),
    max_clients: integer(
      1,
      100_000,
      'event streams that the clients of a workspace may have open at once',
      1_000,
    ),
    max_backlog_kb: integer(
      1,
      100_000,
      'kilobytes that a reader may lag behind before its stream is closed',
      256,
    ),
  },
  push: {
    apns_host: setting(
      'a host, or host:port',
      (value) => (/^([a-z0-9.-]+(:\d{1,5})?)?$/.test(value) ? value : undefined),
      'HTTP/2 server with TLS to use instead of Apple’s push service, for trials; empty: Apple',
      '',
    ),
    apns_ca_file: text('PEM file of the authority of push.apns_host; empty: a public one', ''),
    fcm_url: httpUrl('origin of a server to use instead of Google’s push service, for trials; empty: Google'),
    fcm_token_url: httpUrl('URL that issues access tokens instead of Google’s; empty: Google'),
  },
  mail: {
    host: text('SMTP server for outgoing mail; empty: no mail is sent', ''),
    port: port('TCP port of the SMTP server: 587 with STARTTLS, 465 with TLS, 25 without', 587),
    security: choice(
      ['starttls', 'tls', 'none'],
      'how the connection to the SMTP server is encrypted: by STARTTLS, by TLS from the start, or not at all',
      'starttls',
    ),
    user: text('user of the SMTP server; empty: no login', ''),
    password: text('password of the SMTP server', ''),
    from: text('sender of mail, such as Acme <no-reply@example.com>', ''),
    alerts_to: text('address that alerts are mailed to; empty: none', ''),
    reset_url: setting(
      'a URL with {token} in it, and {workspace} where pages differ',
      (value) => (isResetLink(value) ? value : undefined),
      'page on which agents set a new password; empty: the console’s',
      '',
    ),
  },
  rate_limits: {
    default: integer(
      1,
      1_000_000,
      'requests a minute of an API key, of an agent at an address, or of a client',
      100,
    ),
    heavy: integer(
      1,
      1_000_000,
      'the same for uploads, exports, rendered speech and other costly requests',
      30,
    ),
    sms: integer(1, 1_000_000, 'messages a minute of an API key or an agent', 30),
    auth: integer(
      1,
      1_000_000,
      'log-ins a minute of a username from one address, and refreshes of a session',
      10,
    ),
    per_workspace: integer(
      1,
      10_000,
      'multiple of one key’s limit that all keys of a workspace have together',
      20,
    ),
    per_address: integer(
      1,
      10_000,
      'multiple of one agent’s limit that all agents and apps at an address have together',
      50,
    ),
    pages: integer(
      1,
      100_000_000,
      'requests a minute and source without credentials: the console, health, pictures and files',
      20_000,
    ),
  },
  sip_capture: {
    port: integer(
      0,
      65535,
      'UDP port on 127.0.0.1 to which Kamailio copies SIP, as HEP 3; 0: nothing is captured',
      0,
    ),
    directory: text(
      'directory of captured SIP, readable by the server’s user only; empty: sip-capture/ in the media directory',
      '',
    ),
    max_mb: integer(
      16,
      1_000_000,
      'megabytes of captured SIP that are kept; then the oldest is deleted',
      256,
    ),
    kept_hours: integer(1, 8_760, 'hours that captured SIP is kept', 72),
    hep_address: setting(
      'host:port',
      (value) => (value === '' || isHostAndPort(value) ? value : undefined),
      'UDP address of a Homer that gets all captured SIP; its name is resolved once a minute; empty: none',
      '',
    ),
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

type Read<T> = T extends Setting<infer V> ? V : { readonly [K in keyof T]: Read<T[K]> }

/** All settings, read and checked. `operator_token` and `secret_key` are secrets. */
export type Config = Read<typeof settings>

/** Thrown when settings are wrong; `problems` has one line a setting. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings.
 * @throws {ConfigError} naming every setting that is missing or breaks its rule
 */
export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = []
  const file = readConfigFile(environment['JACKFIELD_CONFIG'], problems)
  const config = readGroup(settings, [], file, environment, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const checked = config as Config
  const { http, stir, media, recordings, mail, base_domain } = checked
  // Commands of the switch end a path at a blank.
  if (/\s/.test(resolve(media.directory))) {
    throw new ConfigError([
      `${environmentName(['media', 'directory'])} (media.directory) must be a path without blanks: ${resolve(media.directory)}`,
    ])
  }
  if (recordings.s3_bucket && !(recordings.s3_access_key && recordings.s3_secret_key)) {
    throw new ConfigError([
      'JACKFIELD_RECORDINGS_S3_ACCESS_KEY and JACKFIELD_RECORDINGS_S3_SECRET_KEY are needed with JACKFIELD_RECORDINGS_S3_BUCKET',
    ])
  }
  if (mail.host && !mail.from) {
    throw new ConfigError(['JACKFIELD_MAIL_FROM is needed with JACKFIELD_MAIL_HOST'])
  }
  if (http.tls_port > 0 && !(http.tls_certificate_file && http.tls_key_file)) {
    throw new ConfigError([
      'JACKFIELD_HTTP_TLS_CERTIFICATE_FILE and JACKFIELD_HTTP_TLS_KEY_FILE are needed with JACKFIELD_HTTP_TLS_PORT',
    ])
  }
  const signing = [stir.certificate_file, stir.key_file, stir.certificate_url]
  if (signing.some(Boolean) && !signing.every(Boolean)) {
    throw new ConfigError([
      'JACKFIELD_STIR_CERTIFICATE_FILE, JACKFIELD_STIR_KEY_FILE and JACKFIELD_STIR_CERTIFICATE_URL are needed together',
    ])
  }
  const unbounded = brokenBounds(checked.retention)
  if (unbounded.length > 0) throw new ConfigError(unbounded)
  const public_url = http.public_url || originOf(http, base_domain)
  return {
    ...checked,
    http: { ...http, public_url },
    mail: { ...mail, reset_url: mail.reset_url || `${public_url}/reset-password#{token}` },
    media: { ...media, directory: resolve(media.directory) },
    recordings: { ...recordings, directory: recordings.directory && resolve(recordings.directory) },
  }
}

/** Bounds of retention that leave no days between them. */
function brokenBounds(retention: Config['retention']): string[] {
  const kinds = ['calls', 'messages', 'recordings', 'ledger', 'webhook_deliveries', 'audit_log'] as const
  return kinds.flatMap((kind) => {
    const [min, max] = [retention[`${kind}_min_days`], retention[`${kind}_max_days`]]
    if (max === 0 || min <= max) return []
    const name = (bound: string) => environmentName(['retention', `${kind}_${bound}_days`])
    return [`${name('max')} must be 0, or at least ${name('min')} (${min})`]
  })
}

/** Where workspaces are reached when nobody stands before us. */
function originOf({ port, tls_port }: Config['http'], baseDomain: string): string {
  if (tls_port === 0) return `http://{workspace}.${baseDomain}:${port}`
  return `https://{workspace}.${baseDomain}${tls_port === 443 ? '' : `:${tls_port}`}`
}

/** The environment variable of a setting: `['http', 'port']` → `JACKFIELD_HTTP_PORT`. */
function environmentName(path: readonly string[]): string {
  return `JACKFIELD_${path.join('_').toUpperCase()}`
}

function readConfigFile(path: string | undefined, problems: string[]): unknown {
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    problems.push(`JACKFIELD_CONFIG: cannot read ${path}: ${(error as Error).message}`)
    return {}
  }
}

function readGroup(
  group: object,
  path: readonly string[],
  file: unknown,
  environment: Environment,
  problems: string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const fileGroup = typeof file === 'object' && file !== null ? (file as Record<string, unknown>) : {}
  for (const [name, entry] of Object.entries(group) as [string, Setting<unknown> | object][]) {
    const here = [...path, name]
    result[name] =
      entry instanceof Setting
        ? readSetting(entry, here, fileGroup[name], environment, problems)
        : readGroup(entry, here, fileGroup[name], environment, problems)
  }
  return result
}

function readSetting(
  entry: Setting<unknown>,
  path: readonly string[],
  inFile: unknown,
  environment: Environment,
  problems: string[],
): unknown {
  const name = environmentName(path)
  const given = environment[name] ?? readSecretFile(environment[`${name}_FILE`], name, problems)
  const value =
    given ?? (inFile === undefined || typeof inFile === 'string' ? inFile : JSON.stringify(inFile))
  if (value === undefined) {
    if (entry.fallback === undefined) problems.push(`${name} (${path.join('.')}) is missing: ${entry.help}`)
    return entry.fallback
  }
  const read = entry.read(value)
  if (read === undefined) problems.push(`${name} (${path.join('.')}) must be ${entry.rule}`)
  return read
}

function readSecretFile(path: string | undefined, name: string, problems: string[]): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${name}_FILE: cannot read ${path}: ${(error as Error).message}`)
    return undefined
  }
}

function isHostAndPort(value: string): boolean {
  const [, port] = /^[\w.:-]+:(\d{1,5})$/.exec(value) ?? []
  return Number(port) > 0 && Number(port) <= 65_535
}
