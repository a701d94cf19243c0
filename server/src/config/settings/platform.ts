/** Settings of the server itself: its addresses, secrets, database and Redis. */
import { type Network, parseNetwork } from '../../lib/networks.js'
import { address, domain, integer, list, port, setting, text } from './kinds.js'

const isWorkspaceOrigin = (value: string) =>
  value === '' || /^https?:\/\/\{workspace\}\.[a-z0-9.-]+(:\d{1,5})?$/.test(value)

export const platform = {
  home: text('directory of the appliance’s state; empty for a server that runs beside an appliance', ''),
  disk_min_mb: integer(
    0,
    1_000_000_000,
    'megabytes that must be free on the disk for files to be accepted; otherwise the answer is 503',
    1_024,
  ),
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
      'address of a workspace in answers, if a proxy is in front of the API; empty: <workspace>.<base_domain> and the port of HTTPS, or of HTTP where HTTPS is off',
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
    pool: integer(2, 200, 'connections that a server keeps to the database', 14),
    call_pool: integer(2, 200, 'further connections, for what every call writes', 6),
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
  redis: {
    url: setting(
      'a redis or rediss URL',
      (value) => (/^(rediss?:\/\/[^\s/]+(\/\d*)?)?$/.test(value) ? value : undefined),
      'address of the Redis that several servers share: redis://[user:password@]host[:port]; empty with a single server',
      '',
    ),
  },
} as const
