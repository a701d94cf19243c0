/** Settings of switch, edge, trunks and captured SIP. */
import { type Network, parseNetwork } from '../../lib/networks.js'
import {
  address,
  choice,
  domain,
  headerUrl,
  integer,
  list,
  nameServers,
  optionalAddress,
  port,
  setting,
  text,
} from './kinds.js'

function isHostAndPort(value: string): boolean {
  const [, port] = /^[\w.:-]+:(\d{1,5})$/.exec(value) ?? []
  return Number(port) > 0 && Number(port) <= 65_535
}

export const telephony = {
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
      'database user of Kamailio, which gets the rights that it needs from migrations; empty: you grant them',
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
} as const
