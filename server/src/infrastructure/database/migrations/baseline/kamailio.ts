import { word } from './columns.js'

/** What Kamailio reads, under the names that it knows, and the one table that it writes. Views, since copies would have to be kept
 * in sync; in the schema of the server, since rights are granted table by table all the same (edge/database-access.ts), and one
 * schema is created, backed up and moved at once. */
export const kamailio: readonly string[] = [
  // Kamailio's own table, with room for our domains and with times in seconds since 1970. The last key is for the presence of
  // a workspace's agents: a phone that registers again changes neither column.
  `
    CREATE TABLE location (
      id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      ruid VARCHAR(64) NOT NULL DEFAULT '',
      username VARCHAR(64) NOT NULL DEFAULT '',
      domain VARCHAR(190) NULL,
      contact VARCHAR(512) NOT NULL DEFAULT '',
      received VARCHAR(128) NULL,
      path VARCHAR(512) NULL,
      expires BIGINT NOT NULL DEFAULT 0,
      q FLOAT(10,2) NOT NULL DEFAULT 1.00,
      callid VARCHAR(255) NOT NULL DEFAULT '',
      cseq INT NOT NULL DEFAULT 1,
      last_modified BIGINT NOT NULL DEFAULT 0,
      flags INT NOT NULL DEFAULT 0,
      cflags INT NOT NULL DEFAULT 0,
      user_agent VARCHAR(255) NOT NULL DEFAULT '',
      socket VARCHAR(64) NULL,
      methods INT NULL,
      instance VARCHAR(255) NULL,
      reg_id INT NOT NULL DEFAULT 0,
      server_id INT NOT NULL DEFAULT 0,
      connection_id INT NOT NULL DEFAULT 0,
      keepalive INT NOT NULL DEFAULT 0,
      \`partition\` INT NOT NULL DEFAULT 0,
      UNIQUE KEY location_ruid (ruid),
      KEY location_by_address (username, domain),
      KEY location_by_expires (expires),
      KEY location_by_domain (domain, username)
    ) CHARACTER SET ascii COLLATE ascii_general_ci`,
  // Which columns of each table Kamailio expects.
  `
    CREATE TABLE version (
      table_name ${word(32)} NOT NULL PRIMARY KEY,
      table_version INT UNSIGNED NOT NULL
    )`,
  "INSERT INTO version VALUES ('location', 9), ('dispatcher', 4)",
  // Who may register. A look-up by username and domain is pushed into each part, which reads one row by a unique key.
  // Agents register at the old domain, too, as long as no SIP account has the name there: `aor_domain` is where the edge
  // stores such a registration.
  `
    CREATE SQL SECURITY DEFINER VIEW subscriber AS
      SELECT username, domain, domain AS aor_domain, workspace_id, id AS account_id, ha1, ha1b, ha1_sha256, ha1b_sha256
      FROM sip_accounts
      UNION ALL
      SELECT username, domain, domain, workspace_id, id, ha1, COALESCE(address_ha1b, ha1b),
        ha1_sha256, COALESCE(address_ha1b_sha256, ha1b_sha256)
      FROM agents WHERE is_active = 1 AND ha1 IS NOT NULL
      UNION ALL
      SELECT username, realm, domain, workspace_id, id, ha1, ha1b, ha1_sha256, ha1b_sha256
      FROM agents WHERE is_active = 1 AND ha1 IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM sip_accounts account WHERE account.username = agents.username AND account.domain = agents.realm)`,
  // What Kamailio asks for each call from a carrier: a number beside each range that may call it, and once beside none when
  // there are none.
  `
    CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW trunk_numbers AS
      SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
        a.first_address, a.last_address, a.is_wide, n.is_verified, l.trusts_identity,
        n.national_number, n.dial_code, l.calling_code, l.inbound_number_format, l.inbound_number_prefix,
        l.called_number_from
      FROM phone_numbers n LEFT JOIN inbound_acls l ON l.id = n.inbound_acl_id
        LEFT JOIN inbound_acl_addresses a ON a.acl_id = n.inbound_acl_id`,
  // The same for calls that come to the binding of a gateway that registers, or from its registrar.
  `
    CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW registered_numbers AS
      SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
        INET6_ATON(IF(a.address LIKE '%:%', a.address, CONCAT('::ffff:', a.address))) AS first_address,
        INET6_ATON(IF(a.address LIKE '%:%', a.address, CONCAT('::ffff:', a.address))) AS last_address,
        0 AS is_wide, n.is_verified, l.trusts_identity,
        n.national_number, n.dial_code, l.calling_code, l.inbound_number_format, l.inbound_number_prefix,
        l.called_number_from, r.contact_user, r.aor_user
      FROM gateway_registrations r
        JOIN outbound_gateways g ON g.id = r.gateway_id AND g.register = 1 AND g.state = 'active'
        JOIN phone_numbers n ON n.outbound_gateway_id = r.gateway_id
        LEFT JOIN inbound_acls l ON l.id = n.inbound_acl_id
        LEFT JOIN gateway_addresses a ON a.gateway_id = r.gateway_id AND a.address <> ''
          AND (a.address = a.host OR a.seen_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY)
      WHERE r.registered_until > UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE`,
  // The switches. Set 1 takes new calls; set 2 has all switches, as calls on them may be up, and none of it is pinged
  // (flag 4). A cell without a switch address has a Kamailio of its own that knows the address.
  `
    CREATE SQL SECURITY DEFINER VIEW dispatcher AS
      SELECT 1 AS setid, CONCAT('sip:', switch_address) AS destination, 0 AS flags, 0 AS priority,
        CONCAT('duid=', name) AS attrs
      FROM cells
      WHERE switch_address <> '' AND is_up AND NOT is_draining AND beat_at > UTC_TIMESTAMP(3) - INTERVAL 6 SECOND
      UNION ALL
      SELECT 2, CONCAT('sip:', switch_address), 4, 0, CONCAT('duid=', name) FROM cells WHERE switch_address <> ''`,
]
