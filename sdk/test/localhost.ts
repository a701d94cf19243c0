/**
 * Preloaded where a test's program reaches a workspace by its name: Node asks the system for names below localhost, and
 * many a system does not know them (browsers do by themselves: RFC 6761, 6.3).
 */
import dns from 'node:dns'

type Lookup = (host: string, options: dns.LookupOptions, done: (...found: unknown[]) => void) => void

const lookup = dns.lookup as Lookup
const near: Lookup = (host, options, done) =>
  lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, options, done)
dns.lookup = near as typeof dns.lookup
