/** Settings of what workspaces may do and have, and of how they are reached. */
import { type Network, parseNetwork } from '../../lib/networks.js'
import { choice, count, httpUrl, integer, list, nameServers, port, price, setting, text } from './kinds.js'

const isResetLink = (value: string) =>
  value === '' || (/^https?:\/\/[^\s/]+/.test(value) && value.includes('{token}') && !/\s/.test(value))

export const workspaces = {
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
  client_tokens: {
    max_days: integer(1, 3_650, 'days for which the JWT of a client may be valid, counted from its use', 30),
  },
  http_client: {
    allowed_networks: list<Network>(
      'CIDR blocks with commas between them',
      parseNetwork,
      'private networks that URLs of customers may lead to',
    ),
    dns_servers: nameServers('name servers for URLs of customers; empty: the system’s'),
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
} as const
