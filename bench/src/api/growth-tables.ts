/** The tables whose lists are measured as they grow: how rows are made, and how the list is asked. */

export interface GrowthTable {
  name: string
  /** Columns beside id, workspace_id, created_at and updated_at, each with the SQL of its value; `seq` is the row's number. */
  columns: Record<string, string>
  /** Not every table has the time of a row's last change. */
  updated?: false
  path: string
  /** What is asked of the list beside its first page. */
  queries: Record<string, string>
}

/** A word that is in no row: the worst case of a search. */
const miss = 'search=zebra'

export const growthTables: readonly GrowthTable[] = [
  {
    name: 'calls',
    columns: {
      direction: "'outbound'",
      status: "'completed'",
      from_number: "CONCAT('1202', LPAD(seq, 7, '0'))",
      from_name: "'Main'",
      to_number: "CONCAT('4930', LPAD(seq, 8, '0'))",
      to_name: "'Client'",
      max_duration: '7200',
      script: "'[]'",
      live: 'NULL',
      duration: 'seq % 600',
      search_text:
        "CONCAT_WS(CHAR(1), CONCAT('1202', LPAD(seq, 7, '0')), CONCAT('4930', LPAD(seq, 8, '0')), 'main', 'client')",
    },
    updated: false,
    path: '/calls',
    queries: { 'last page': 'page=$last', 'search, no match': miss },
  },
  {
    name: 'agents',
    columns: {
      username: "CONCAT('agent', seq)",
      display_name: "CONCAT('Agent ', seq)",
      email: "CONCAT('agent', seq, '@example.com')",
      role: "'member'",
      is_active: 'seq % 2',
      country_code: "'US'",
      password_hash: "'none'",
    },
    path: '/agents',
    queries: {
      'last page': 'page=$last',
      'by name': 'sort_field=display_name&sort_order=asc',
      'active ones': 'is_active=true',
      'search, no match': miss,
    },
  },
  {
    name: 'sip_accounts',
    columns: {
      title: "CONCAT('Desk ', seq)",
      username: "CONCAT('desk', seq)",
      domain: "'bench.sip.localhost'",
      ha1: 'MD5(seq)',
      ha1b: 'MD5(seq)',
      ha1_sha256: 'SHA2(seq, 256)',
      ha1b_sha256: 'SHA2(seq, 256)',
    },
    path: '/sip-accounts',
    queries: { 'by title': 'sort_field=title&sort_order=asc', 'search, no match': miss },
  },
  {
    name: 'contacts',
    columns: {
      name: "CONCAT('Contact ', seq)",
      numbers: "CONCAT('[\"1202', LPAD(seq, 7, '0'), '\"]')",
      email: "CONCAT('contact', seq, '@example.com')",
      custom_fields: "'{}'",
      search_text:
        "CONCAT('contact ', seq, ' contact', seq, '@example.com [\\\"1202', LPAD(seq, 7, '0'), '\\\"]')",
    },
    path: '/contacts',
    queries: {
      'last page': 'page=$last',
      'by name': 'sort_field=name&sort_order=asc',
      'search, no match': miss,
    },
  },
]
