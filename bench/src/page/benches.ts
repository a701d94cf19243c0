/** The benchmarks that stand on docs/reference/benchmarks.md, in its order. */

export interface Bench {
  /** Its folder in bench/src, its text in bench/pages and its result in bench/results. */
  name: string
  title: string
  /** What it starts, beside the server and MariaDB. */
  needs: string
  minutes: number
  /** Its module in bench/src; `<name>/main` by default. */
  module?: string
  /** Settings of the whole run, if those of a single run take too long. */
  settings?: Readonly<Record<string, string>>
}

export const benches: readonly Bench[] = [
  { name: 'first-call', title: 'First call', needs: 'root, debootstrap', minutes: 6 },
  { name: 'api', title: 'API', needs: '', minutes: 3 },
  {
    ...{ name: 'peer', title: 'Beside a peer', minutes: 3, module: 'api/peer' },
    needs: 'Redis, and a checkout of jambonz-api-server at BENCH_JAMBONZ',
  },
  {
    ...{ name: 'retention', title: 'Retention', needs: '', minutes: 2 },
    settings: { BENCH_CALLS: '40000', BENCH_SECONDS: '30' },
  },
  { name: 'growth', title: 'Growth of lists', needs: '', minutes: 1, module: 'api/growth' },
  { name: 'search', title: 'Searches', needs: '', minutes: 3 },
  { name: 'calls-growth', title: 'Growth of calls and messages', needs: '', minutes: 6 },
  { name: 'inbox', title: 'Inbox', needs: '', minutes: 2 },
  { name: 'console', title: 'Console', needs: 'Chromium', minutes: 8 },
  { name: 'calls', title: 'Outbound calls', needs: 'Kamailio, FreeSWITCH, SIPp', minutes: 8 },
  { name: 'soak', title: 'Soak of outbound calls', needs: 'Kamailio, FreeSWITCH, SIPp', minutes: 3 },
  { name: 'sandbox-soak', title: 'Soak of calls on the sandbox', needs: '', minutes: 5 },
  { name: 'inbound', title: 'Inbound calls', needs: 'Kamailio, FreeSWITCH, SIPp', minutes: 16 },
  {
    ...{ name: 'inbound-soak', title: 'Soak of inbound calls', needs: 'Kamailio, FreeSWITCH, SIPp' },
    ...{ minutes: 6, settings: { BENCH_MINUTES: '5' } },
  },
  { name: 'agents', title: 'Agents', needs: 'Kamailio, FreeSWITCH', minutes: 2 },
  {
    ...{ name: 'office-day', title: 'A day in a call centre', minutes: 7 },
    needs: 'Kamailio, FreeSWITCH, Chromium',
  },
  { name: 'ai', title: 'Voice agents', needs: 'Kamailio, FreeSWITCH', minutes: 2 },
  { name: 'hearing', title: 'Hearing callers', needs: 'espeak-ng, flite, sox', minutes: 2 },
  { name: 'registrar', title: 'Registrar', needs: 'Kamailio, SIPp', minutes: 2 },
  { name: 'tls-soak', title: 'TLS under attack', needs: 'Kamailio', minutes: 5 },
  { name: 'stream', title: 'Streams', needs: '', minutes: 2 },
  { name: 'messages', title: 'Messages', needs: '', minutes: 3 },
  { name: 'messages-chaos', title: 'Messages in chaos', needs: 'Net::SMPP', minutes: 4 },
]
