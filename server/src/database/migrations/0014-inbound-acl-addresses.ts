import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Addresses of inbound ACLs as ranges, which Kamailio compares a caller's address with: 16 bytes each end, IPv4 as
 * `::ffff:a.b.c.d`. Those of an ACL of names come from DNS; `inbound_acl_hosts` says of each name when it was resolved
 * and when it is again. `trunk_numbers` is what Kamailio asks for each call from a carrier: a number beside each range
 * that may call it, and once beside none when there are none.
 */
export class InboundAclAddresses1790000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inbound_acl_addresses (
        acl_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        first_address VARBINARY(16) NOT NULL,
        last_address VARBINARY(16) NOT NULL,
        is_wide TINYINT(1) NOT NULL,
        PRIMARY KEY (acl_id, host, first_address, last_address),
        KEY inbound_acl_addresses_by_range (is_wide, first_address, last_address),
        CONSTRAINT inbound_acl_addresses_acl FOREIGN KEY (acl_id) REFERENCES inbound_acls (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE inbound_acl_hosts (
        acl_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        due_at DATETIME(3) NOT NULL,
        resolved_at DATETIME(3) NULL,
        error VARCHAR(100) NULL,
        PRIMARY KEY (acl_id, host),
        KEY inbound_acl_hosts_by_host (host),
        KEY inbound_acl_hosts_by_due_at (due_at),
        CONSTRAINT inbound_acl_hosts_acl FOREIGN KEY (acl_id) REFERENCES inbound_acls (id) ON DELETE CASCADE
      )`)
    await fill(runner)
    await runner.query('CREATE INDEX phone_numbers_by_number ON phone_numbers (number)')
    await runner.query(`
      CREATE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW trunk_numbers AS
        SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
          a.first_address, a.last_address, a.is_wide
        FROM phone_numbers n LEFT JOIN inbound_acl_addresses a ON a.acl_id = n.inbound_acl_id`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW trunk_numbers')
    await runner.query('DROP INDEX phone_numbers_by_number ON phone_numbers')
    await runner.query('DROP TABLE inbound_acl_hosts, inbound_acl_addresses')
  }
}

interface Acl {
  id: string
  mode: 'ip' | 'domain'
  /** JSON, which MariaDB returns as text and MySQL as an array. */
  allowed_ips: string | string[]
}

/** What the ACLs that there are hold; names are due at once. */
async function fill(runner: QueryRunner): Promise<void> {
  const acls = (await runner.query('SELECT id, mode, allowed_ips FROM inbound_acls')) as Acl[]
  for (const { id, mode, allowed_ips } of acls) {
    const entries = typeof allowed_ips === 'string' ? (JSON.parse(allowed_ips) as string[]) : allowed_ips
    for (const entry of entries) {
      if (mode === 'domain') {
        const values = [id, entry.toLowerCase(), new Date()]
        await runner.query('INSERT IGNORE INTO inbound_acl_hosts VALUES (?, ?, ?, NULL, NULL)', values)
      } else {
        const values = [id, ...(await rangeOf(runner, entry))]
        await runner.query(`INSERT IGNORE INTO inbound_acl_addresses VALUES (?, '', ?, ?, ?)`, values)
      }
    }
  }
}

const mappedIpv4 = { first: 0xffff_0000_0000n, last: 0xffff_ffff_ffffn }

/** The first and last address of a block, and whether it is wider than an IPv4 /16 or an IPv6 /32. */
async function rangeOf(runner: QueryRunner, entry: string): Promise<[Buffer, Buffer, boolean]> {
  const [address = '', prefix] = entry.split('/')
  const isIpv6 = address.includes(':')
  const sql = 'SELECT HEX(INET6_ATON(?)) AS hex'
  const [row] = (await runner.query(sql, [isIpv6 ? address : `::ffff:${address}`])) as [{ hex: string }]
  const fixed = prefix === undefined ? 128 : Number(prefix) + (isIpv6 ? 0 : 96)
  const rest = (1n << BigInt(128 - fixed)) - 1n
  const value = BigInt(`0x${row.hex}`)
  const [first, last] = [value & ~rest, value | rest]
  const holdsIpv4 = first <= mappedIpv4.last && last >= mappedIpv4.first
  return [bytes(first), bytes(last), fixed < (holdsIpv4 ? 112 : 32)]
}

function bytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex')
}
