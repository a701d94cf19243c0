import { exact, id, word } from './columns.js'

/** SIP trunks: inbound ACLs, outbound gateways, and what the edge knows of them. */
export const trunks: readonly string[] = [
  `
    CREATE TABLE inbound_acls (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      mode ${word(8)} NOT NULL,
      allowed_ips JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      unverified_callers ${word(40)} NOT NULL DEFAULT 'take',
      trusts_identity BOOLEAN NOT NULL DEFAULT FALSE,
      country ${word(2)} NOT NULL DEFAULT '',
      calling_code ${word(4)} NOT NULL DEFAULT '',
      inbound_number_format ${word(20)} NOT NULL DEFAULT 'auto',
      inbound_number_prefix ${word(8)} NOT NULL DEFAULT '',
      called_number_from ${word(20)} NOT NULL DEFAULT 'request_uri',
      KEY inbound_acls_by_created_at (workspace_id, created_at, id),
      KEY inbound_acls_by_title (workspace_id, title, id),
      CONSTRAINT inbound_acls_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Addresses as ranges, which Kamailio compares a caller's address with: 16 bytes each end, IPv4 as `::ffff:a.b.c.d`.
  // Those of an ACL of names come from DNS.
  `
    CREATE TABLE inbound_acl_addresses (
      acl_id ${id} NOT NULL,
      host ${word(253)} NOT NULL,
      first_address VARBINARY(16) NOT NULL,
      last_address VARBINARY(16) NOT NULL,
      is_wide BOOLEAN NOT NULL,
      PRIMARY KEY (acl_id, host, first_address, last_address),
      KEY inbound_acl_addresses_by_range (is_wide, first_address, last_address),
      CONSTRAINT inbound_acl_addresses_acl FOREIGN KEY (acl_id) REFERENCES inbound_acls (id) ON DELETE CASCADE
    )`,
  // When each name was resolved, and when it is next.
  `
    CREATE TABLE inbound_acl_hosts (
      acl_id ${id} NOT NULL,
      host ${word(253)} NOT NULL,
      due_at DATETIME(3) NOT NULL,
      resolved_at DATETIME(3) NULL,
      error VARCHAR(100) NULL,
      PRIMARY KEY (acl_id, host),
      KEY inbound_acl_hosts_by_host (host),
      KEY inbound_acl_hosts_by_due_at (due_at),
      CONSTRAINT inbound_acl_hosts_acl FOREIGN KEY (acl_id) REFERENCES inbound_acls (id) ON DELETE CASCADE
    )`,
  // `codecs`: best first; NULL is PCMU and PCMA.
  `
    CREATE TABLE outbound_gateways (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      outbound_caller_id VARCHAR(64) NULL,
      outbound_uris JSON NOT NULL,
      credential_username VARCHAR(64) NULL,
      credential_password ${word(512)} NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      is_signing BOOLEAN NOT NULL DEFAULT FALSE,
      is_approved BOOLEAN NOT NULL DEFAULT FALSE,
      state ${word(16)} NOT NULL DEFAULT 'active',
      short_numbers JSON NOT NULL DEFAULT ('[]'),
      options_ping BOOLEAN NOT NULL DEFAULT FALSE,
      forwarded_calls ${word(16)} NOT NULL DEFAULT 'none',
      forwarded_caller ${word(16)} NOT NULL DEFAULT 'own',
      codecs JSON NULL,
      media_encryption ${word(16)} NOT NULL DEFAULT 'none',
      from_user ${word(64)} NULL,
      from_user_approved BOOLEAN NOT NULL DEFAULT FALSE,
      from_domain ${word(253)} NULL,
      contact_host ${word(253)} NULL,
      request_domain ${word(253)} NULL,
      country ${word(2)} NOT NULL DEFAULT '',
      number_format ${word(20)} NOT NULL DEFAULT 'plus',
      number_prefix ${word(16)} NOT NULL DEFAULT '',
      caller_number_format ${word(20)} NOT NULL DEFAULT 'plus',
      register BOOLEAN NOT NULL DEFAULT FALSE,
      register_user ${word(64)} NULL,
      register_domain ${word(253)} NULL,
      register_expires INT NOT NULL DEFAULT 3600,
      registration_serial INT NOT NULL DEFAULT 0,
      UNIQUE KEY outbound_gateways_id (workspace_id, id),
      KEY outbound_gateways_by_created_at (workspace_id, created_at, id),
      KEY outbound_gateways_by_title (workspace_id, title, id),
      KEY outbound_gateways_by_state (state),
      KEY outbound_gateways_by_options_ping (options_ping, id),
      KEY outbound_gateways_register (register),
      CONSTRAINT outbound_gateways_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Hosts of gateways, and the addresses that names were seen with. A carrier that knows us by our address takes calls of
  // every workspace for its customer's, so a gateway to another workspace's carrier needs the operator's approval.
  `
    CREATE TABLE gateway_addresses (
      gateway_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      host ${word(253)} NOT NULL,
      port SMALLINT UNSIGNED NOT NULL,
      address ${word(45)} NOT NULL,
      first_seen_at DATETIME(3) NOT NULL,
      seen_at DATETIME(3) NOT NULL,
      due_at DATETIME(3) NULL,
      used_at DATETIME(3) NULL,
      approved_at DATETIME(3) NULL,
      PRIMARY KEY (gateway_id, host, port, address),
      KEY gateway_addresses_by_host (host),
      KEY gateway_addresses_by_address (address),
      KEY gateway_addresses_by_due_at (due_at),
      CONSTRAINT gateway_addresses_gateway
        FOREIGN KEY (gateway_id) REFERENCES outbound_gateways (id) ON DELETE CASCADE
    )`,
  // What a gateway answered to OPTIONS of an edge.
  `
    CREATE TABLE gateway_pings (
      gateway_id ${id} NOT NULL,
      edge ${word(64)} NOT NULL,
      host ${word(253)} NOT NULL,
      address ${word(45)} NOT NULL,
      port SMALLINT UNSIGNED NOT NULL,
      transport ${word(16)} NOT NULL,
      state ${word(16)} NOT NULL,
      status_code SMALLINT UNSIGNED NULL,
      round_trip_ms INT UNSIGNED NOT NULL,
      since DATETIME(3) NOT NULL,
      checked_at DATETIME(3) NOT NULL,
      PRIMARY KEY (gateway_id, edge, host, address, port, transport),
      KEY gateway_pings_by_checked_at (checked_at),
      CONSTRAINT gateway_pings_gateway FOREIGN KEY (gateway_id) REFERENCES outbound_gateways (id) ON DELETE CASCADE
    )`,
  // A row is one binding of a registrar; `current_of` is its gateway until the binding is taken back.
  `
    CREATE TABLE gateway_registrations (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      gateway_id ${id} NOT NULL,
      current_of ${id} NULL,
      serial INT NOT NULL,
      aor_user ${exact(64)} NOT NULL,
      aor_domain ${word(253)} NOT NULL,
      username VARCHAR(64) NOT NULL,
      password ${word(512)} NOT NULL,
      expires INT NOT NULL,
      contact_user ${word(64)} NOT NULL,
      contact_host ${word(253)} NULL,
      sip_call_id ${word(64)} NOT NULL,
      cseq INT NOT NULL DEFAULT 0,
      edge ${word(64)} NOT NULL DEFAULT '',
      target JSON NULL,
      contact ${word(400)} NULL,
      status ${word(16)} NOT NULL,
      sip_code SMALLINT NULL,
      reason VARCHAR(100) NULL,
      failures INT NOT NULL DEFAULT 0,
      since DATETIME(3) NOT NULL,
      registered_at DATETIME(3) NULL,
      registered_until DATETIME(3) NULL,
      due_at DATETIME(3) NOT NULL,
      busy_until DATETIME(3) NULL,
      UNIQUE KEY gateway_registrations_contact (contact_user),
      UNIQUE KEY gateway_registrations_current (current_of),
      KEY gateway_registrations_gateway (gateway_id),
      KEY gateway_registrations_workspace (workspace_id),
      KEY gateway_registrations_due (due_at)
    )`,
  // Workspaces are made before gateways.
  'ALTER TABLE workspaces ADD CONSTRAINT workspaces_emergency_gateway FOREIGN KEY (emergency_gateway_id) REFERENCES outbound_gateways (id) ON DELETE SET NULL',
]
