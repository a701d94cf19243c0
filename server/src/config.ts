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
  disk_min_mb: integer(0, 1_000_000_000, 'megabytes that must be free for files to be taken', 1_024),
  home: text('directory of the appliance’s state; empty: this server is beside one', ''),
  http: {
    host: address('address the API listens on', '127.0.0.1'),
    port: port('TCP port of the API', 8080),
    tls_port: integer(0, 65535, 'TCP port of the API over HTTPS; 0: none', 0),
    tls_certificate_file: text(
      'PEM file of its certificate and those between; read anew when it changes',
      '',
    ),
    tls_key_file: text('PEM file of the certificate’s key', ''),
    challenge_directory: text(
      'directory whose .well-known/acme-challenge answers those who issue certificates; empty: none',
      '',
    ),
    public_url: setting(
      'an origin with {workspace} in its host, such as https://{workspace}.example.com',
      (value) => (isWorkspaceOrigin(value) ? value : undefined),
      'address under which clients reach a workspace; empty means <workspace>.<base_domain> and the port, with HTTPS where there is any',
      '',
    ),
    trusted_proxies: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'reverse proxies before the API, whose X-Forwarded-For tells the addresses of clients',
    ),
  },
  cell: setting(
    '1 to 32 of a-z, 0-9 and hyphens',
    (value) => (/^[a-z0-9-]{1,32}$/.test(value) ? value : undefined),
    'the cell that this server belongs to: one switch, and the servers that may drive it',
    'one',
  ),
  base_domain: domain('workspaces are <id>.<base_domain>, the operator is admin.<base_domain>', 'localhost'),
  operator_token: setting(
    'at least 24 characters',
    (value) => (value.length >= 24 ? value : undefined),
    'the operator’s bearer of all rights',
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
    'keys before secret_key, which are still read with while it is being replaced',
  ),
  database: {
    host: text('host of MariaDB or MySQL', '127.0.0.1'),
    port: port('TCP port of the database', 3306),
    socket: text('path of the database’s Unix socket; used instead of host and port when set', ''),
    user: text('database user', 'jackfield'),
    password: text('database password'),
    name: text('database name', 'jackfield'),
    pool: integer(2, 200, 'connections kept to the database', 20),
    read_pool: integer(2, 200, 'connections beside them, for what the API reads', 10),
    background_pool: integer(2, 200, 'connections beside them, for webhooks, jobs and sweeps', 10),
    read_timeout: integer(1, 600, 'seconds that a statement of such a read may take', 10),
  },
  switch: {
    host: text('host of the switch’s Event Socket', '127.0.0.1'),
    port: port('TCP port of the switch’s Event Socket', 8021),
    password: text('password of the Event Socket'),
    journal: text('path of the switch’s journal of ended channels; empty where it keeps none', ''),
    sip_address: setting(
      'host:port',
      (value) => (value === '' || (isHostAndPort(value) && value.length <= 64) ? value : undefined),
      'where Kamailio reaches the switch’s SIP, host:port; empty where there is one cell, whose Kamailio knows it',
      '',
    ),
    own_sip_address: setting(
      'host:port',
      (value) => (value === '' || isHostAndPort(value) ? value : undefined),
      'where the server asks the switch’s SIP whether it lives, host:port; empty: at sip_address',
      '',
    ),
    app_port: integer(
      0,
      65535,
      'TCP port on 127.0.0.1 to which the switch sends the legs of apps; 0 takes any free one',
      0,
    ),
    drive: choice(
      ['true', 'false'],
      'whether this server may drive the switch; one of several servers that is not on its machine must not',
      'true',
    ),
  },
  edge: {
    sip_host: address('Kamailio’s private address, to which the switch sends calls', '127.0.0.2'),
    sip_port: port('UDP port of Kamailio’s private listener', 5060),
    sip_domain: domain('domain that our SIP messages carry in From', 'sip.localhost'),
    public_host: optionalAddress('address on which carriers and phones reach Kamailio; empty: not known'),
    public_port: integer(0, 65535, 'UDP and TCP port of SIP there; 0: not known', 0),
    public_tls_port: integer(0, 65535, 'TCP port of SIP over TLS there; 0: not known', 0),
    public_wss_port: integer(0, 65535, 'TCP port of SIP over WebSocket with TLS there; 0: not known', 0),
    public_rtp_host: optionalAddress('address that carriers and phones send audio to; empty: not known'),
    database_account: setting(
      'user@host',
      (value) => (/^([\w-]+@[\w.%:-]+)?$/.test(value) ? value : undefined),
      'Kamailio’s user of the database, who is given the rights it needs when tables are made; empty where the database’s keeper does that',
      '',
    ),
    others: list(
      'the addresses and ports of private listeners, with commas between them',
      (entry) => (isHostAndPort(entry.replace(/^\[(.*)\]/, '$1')) ? entry : undefined),
      'private listeners of the other edges, host:port, in the order in which calls go through them when ours is down; their RPC is on the same port as ours',
    ),
    rpc_url: text('Kamailio’s JSON-RPC address, http://host:port/RPC; empty without an edge', ''),
    rpc_secret: text('bearer token of Kamailio’s JSON-RPC and events', ''),
  },
  new_workspaces: {
    countries: choice(
      ['own', 'all'],
      'countries that a new workspace may call and text before the operator says otherwise: its own, or all',
      'own',
    ),
    max_spend_per_day: price(
      'USD that the calls and messages of a new workspace may cost in a day; 0: no limit',
      100,
    ),
  },
  numbers: {
    verification_workspace: setting(
      'the id of a workspace, or nothing',
      (value) => (/^[a-z0-9-]{0,40}$/.test(value) ? value : undefined),
      'workspace of the operator whose numbers call and text customers’ numbers with codes that verify them; empty: the operator verifies all',
      '',
    ),
  },
  sip_trunks: {
    dns_servers: nameServers(
      'name servers for the names in inbound ACLs and of gateways, in place of the system’s',
    ),
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks that gateways may lead to',
    ),
    ping_interval: integer(5, 600, 'seconds from one OPTIONS to the next, of gateways with options_ping', 45),
  },
  stir: {
    certificate_file: text(
      'PEM file of the certificate that calls are signed with (STIR/SHAKEN); read anew when it changes; empty: none are',
      '',
    ),
    key_file: text('PEM file of that certificate’s key, on P-256', ''),
    certificate_url: headerUrl('https URL at which others fetch that certificate and those between'),
    ca_file: text(
      'PEM file of the authorities that callers are verified with; read anew when it changes; empty: none are',
      '',
    ),
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks from which the certificates of those who sign calls may be fetched',
    ),
  },
  media: {
    directory: text('directory of audio files and rendered speech', 'var/media'),
    tts_voice: text('espeak-ng voice used when an action names none', 'en'),
    storage_mb: integer(
      1,
      1_000_000_000,
      'megabytes of files that a workspace may keep where its own limit does not say',
      51_200,
    ),
    tts_cache_mb: integer(10, 1_000_000, 'size of the cache of rendered speech, in megabytes', 1024),
  },
  recordings: {
    directory: text(
      'directory that recordings are kept in; empty means recordings/kept in the media directory',
      '',
    ),
    retention_days: integer(
      0,
      36_500,
      'days for which recordings are kept where the workspace does not say; 0 means for ever',
      0,
    ),
    s3_bucket: text(
      'bucket that recordings and the files of messages are kept in, in place of the disk; empty means none',
      '',
    ),
    s3_endpoint: setting(
      'an http or https URL',
      (value) => (/^(https?:\/\/[^\s/]+\/?)?$/.test(value) ? value : undefined),
      'address of a server that speaks S3; empty means Amazon’s',
      '',
    ),
    s3_region: text('region of the bucket', 'us-east-1'),
    s3_access_key: text('access key id of S3', ''),
    s3_secret_key: text('secret access key of S3', ''),
    s3_path_style: choice(
      ['true', 'false'],
      'whether the bucket stands in the path of URLs, not in the host',
      'true',
    ),
  },
  calls: {
    ring_timeout: integer(5, 300, 'seconds a call may ring, made by POST /calls/make or by a phone', 60),
    max_concurrent: integer(1, 1_000_000, 'calls of a workspace that may live at once', 100),
    max_per_second: integer(1, 10_000, 'calls of a workspace that may begin in a second', 20),
    max_concurrent_per_account: integer(
      1,
      10_000,
      'calls that the phones of a SIP account may make at once',
      10,
    ),
    app_grace: integer(
      5,
      300,
      'seconds for which an app keeps its part in a call after its connection was lost',
      30,
    ),
    default_fee_per_minute: price('USD per minute of a newly connected number', 0.01),
    credit_held_seconds: integer(1, 600, 'seconds of a call for which credit is held ahead', 60),
  },
  alerts: {
    refused_calls: integer(1, 1_000_000, 'calls refused for one reason in an hour that are told', 20),
    burst_calls: integer(1, 1_000_000, 'calls to a country in an hour that are never told of as a burst', 30),
    burst_times: integer(1, 1_000, 'times the busiest hour before that calls to a country are a burst at', 5),
    short_calls: integer(1, 1_000_000, 'short calls to the telephone network in an hour that are told', 100),
    short_seconds: integer(1, 3_600, 'seconds up to which a call that was answered is a short one', 6),
  },
  messages: {
    default_fee_per_segment: price(
      'USD for each segment of a text that a newly connected number sends',
      0.01,
    ),
    default_fee_per_mms: price('USD for each message with attachments that it sends', 0.03),
    max_media_mb: integer(1, 100, 'megabytes that all files of a message may have together', 5),
    opt_out: choice(
      ['true', 'false'],
      'whether STOP, START and HELP of clients are heeded and answered; false where the carriers do that',
      'true',
    ),
    give_up_after: integer(60, 604_800, 'seconds for which carriers are tried with a message', 86_400),
    failover_after: integer(
      1,
      86_400,
      'seconds for which a carrier may be down before its messages go to the next one of their number',
      30,
    ),
    delivery_window: integer(
      60,
      2_592_000,
      'seconds after which a sent message without a receipt counts as undelivered',
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
    voice_agent_tools: integer(1, 1_000, 'tools that a voice agent may have beside those built in', 50),
  },
  voice_agents: {
    silence_seconds: integer(
      3,
      600,
      'seconds without a word after which a voice agent asks whether the caller is there',
      10,
    ),
    default_model: setting(
      '1 to 100 characters',
      (value) => (value.length > 0 && value.length <= 100 ? value : undefined),
      'id of the AI model that new voice agents get where a provider offers it; the first model that is offered otherwise',
      'gpt-realtime',
    ),
  },
  http_client: {
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks that the URLs of customers may lead to',
    ),
    dns_servers: nameServers('name servers for the URLs of customers, in place of the system’s'),
  },
  client_tokens: {
    max_days: integer(1, 3_650, 'days for which a JWT of a client may hold, from when it is used', 30),
  },
  retention: {
    calls_days: integer(
      0,
      36_500,
      'days for which calls are kept where the workspace does not say; 0: for ever',
      0,
    ),
    calls_min_days: integer(1, 36_500, 'least days of calls that a workspace may choose', 1),
    calls_max_days: integer(0, 36_500, 'days after which all calls are deleted; 0: no bound', 0),
    messages_days: integer(
      0,
      36_500,
      'days for which messages are kept where the workspace does not say; 0: for ever',
      0,
    ),
    messages_min_days: integer(1, 36_500, 'least days of messages that a workspace may choose', 1),
    messages_max_days: integer(0, 36_500, 'days after which all messages are deleted; 0: no bound', 0),
    recordings_min_days: integer(1, 36_500, 'least days of recordings that a workspace may choose', 1),
    recordings_max_days: integer(0, 36_500, 'days after which all recordings are deleted; 0: no bound', 0),
    ledger_days: setting(
      '0, or 90 to 36500',
      (value) => wholeDays(value, 90),
      'days for which the ledger keeps single entries where the workspace does not say; 0: for ever',
      0,
    ),
    ledger_min_days: integer(90, 36_500, 'least days of the ledger that a workspace may choose', 90),
    ledger_max_days: setting(
      '0, or 90 to 36500',
      (value) => wholeDays(value, 90),
      'days after which all entries are carried forward as one sum; 0: no bound',
      0,
    ),
    webhook_deliveries_min_days: integer(
      1,
      3_650,
      'least days of webhook deliveries that a workspace may choose',
      1,
    ),
    webhook_deliveries_max_days: integer(
      0,
      3_650,
      'days after which all webhook deliveries are deleted; 0: no bound',
      0,
    ),
    audit_log_min_days: integer(1, 36_500, 'least days of the audit log that a workspace may choose', 90),
    audit_log_max_days: integer(
      0,
      36_500,
      'days after which all of the audit log is deleted; 0: no bound',
      0,
    ),
  },
  audit_log: {
    kept_days: integer(1, 36_500, 'days for which the audit log is kept', 365),
  },
  webhooks: {
    timeout: integer(1, 60, 'seconds that a webhook’s server may take to answer', 10),
    first_retry: integer(1, 3_600, 'seconds before a failed delivery is tried again', 10),
    longest_pause: integer(1, 86_400, 'seconds between two attempts, at most', 21_600),
    retry_for: integer(1, 2_592_000, 'seconds for which a delivery is tried', 259_200),
    disable_after: integer(
      1,
      7_776_000,
      'seconds without a success until a webhook is switched off',
      432_000,
    ),
    kept_days: integer(1, 3_650, 'days for which deliveries are logged', 30),
  },
  redis: {
    url: setting(
      'a redis or rediss URL',
      (value) => (/^(rediss?:\/\/[^\s/]+(\/\d*)?)?$/.test(value) ? value : undefined),
      'address of the Redis that several servers share: redis://[user:password@]host[:port]; empty for a single server',
      '',
    ),
  },
  stream: {
    heartbeat: integer(1, 300, 'seconds without an event after which a stream is sent a heartbeat', 15),
    max_per_person: integer(1, 10_000, 'streams that a client may have open at once', 5),
    max_per_agent: integer(1, 10_000, 'streams that an agent may have open at once: one for each tab', 50),
    max_agents: integer(1, 1_000_000, 'streams that the agents of a workspace may have open at once', 20_000),
    max_clients: integer(1, 100_000, 'streams that the clients of a workspace may have open at once', 1_000),
    max_backlog_kb: integer(1, 100_000, 'kilobytes that a reader may be behind before it is cut', 256),
  },
  push: {
    apns_host: setting(
      'a host, or host:port',
      (value) => (/^([a-z0-9.-]+(:\d{1,5})?)?$/.test(value) ? value : undefined),
      'address of an HTTP/2 server with TLS in place of Apple’s push service; empty means Apple’s',
      '',
    ),
    apns_ca_file: text(
      'PEM file of the authority behind that server’s certificate; empty means a public one',
      '',
    ),
    fcm_url: httpUrl('origin of a server in place of Google’s push service; empty means Google’s'),
    fcm_token_url: httpUrl('URL that gives access tokens in place of Google’s; empty means Google’s'),
  },
  mail: {
    host: text('SMTP server that takes our mail; empty means that none is sent', ''),
    port: port('its TCP port: 587 with STARTTLS, 465 with TLS, 25 without', 587),
    security: choice(
      ['starttls', 'tls', 'none'],
      'whether the connection to it becomes TLS, is TLS from its beginning, or never is',
      'starttls',
    ),
    user: text('user of the SMTP server; empty where it asks for none', ''),
    password: text('password of the SMTP server', ''),
    from: text('sender of our mail, such as Acme <no-reply@example.com>', ''),
    alerts_to: text('address that alerts are mailed to; empty means that none is', ''),
    reset_url: setting(
      'a URL with {token} in it, and {workspace} where pages differ',
      (value) => (isResetLink(value) ? value : undefined),
      'page on which agents set a new password; empty means the console’s',
      '',
    ),
  },
  rate_limits: {
    default: integer(1, 1_000_000, 'requests per minute and identity on standard endpoints', 100),
    heavy: integer(1, 1_000_000, 'the same on uploads and rendering', 30),
    sms: integer(1, 1_000_000, 'the same on sending messages', 30),
    auth: integer(1, 1_000_000, 'the same on logging in', 10),
    per_workspace: integer(
      1,
      10_000,
      'times the limit of a key that all keys of a workspace have together',
      20,
    ),
    per_address: integer(
      1,
      10_000,
      'times the limit of an agent that all agents and apps at an address have together',
      50,
    ),
    pages: integer(
      1,
      100_000_000,
      'requests per minute and source for what needs no credentials: the console, health, pictures and files',
      20_000,
    ),
  },
  sip_capture: {
    port: integer(0, 65535, 'UDP port on 127.0.0.1 to which Kamailio copies SIP, as HEP 3; 0: none', 0),
    directory: text('directory it is kept in; empty means sip-capture/ in the media directory', ''),
    max_mb: integer(16, 1_000_000, 'megabytes that are kept of it', 256),
    kept_hours: integer(1, 8_760, 'hours for which it is kept', 72),
    hep_address: setting(
      'host:port',
      (value) => (value === '' || isHostAndPort(value) ? value : undefined),
      'UDP address of a Homer that it is passed on to, host:port; empty: none',
      '',
    ),
  },
  metrics: {
    host: address('address on which measurements are read without a token', '127.0.0.1'),
    port: integer(0, 65535, 'TCP port there; 0: none', 0),
  },
  traces: {
    otlp_endpoint: httpUrl(
      'address of the collector that traces are sent to with OTLP/HTTP, without /v1/traces; empty: none are made',
    ),
    headers: list(
      'name=value with commas between them',
      headerOf,
      'headers of those requests, such as the key of a service that keeps traces',
    ),
    sample_ratio: setting(
      'a number from 0 to 1',
      (value) => (/^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(value) ? Number(value) : undefined),
      'share of the traces that are made',
      1,
    ),
    callers_continued: choice(
      ['true', 'false'],
      'whether a request with the header traceparent belongs to the trace that it names, which whoever asks then decides on; else a trace of its own links to it',
      'false',
    ),
    shown_to_customers: choice(
      ['true', 'false'],
      'whether webhooks and callbacks carry the header traceparent',
      'false',
    ),
  },
  log: {
    security_file: text('file of the security log; empty: it is part of the server’s log', ''),
    security_max_mb: integer(
      1,
      10_000,
      'megabytes at which that file is rotated; nine old ones are kept',
      20,
    ),
    level: choice(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'least level that is logged',
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
