/** Kamailio, by its own statistics. */
import type { Registry } from 'prom-client'
import type { EdgeClient } from '../../adapters/kamailio/edge-client.js'
import type { GatewayReach } from '../sip-trunks/gateway-reach.js'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx', '6xx']
const methods = ['ack', 'bye', 'cancel', 'info', 'invite', 'options', 'refer', 'register', 'update']

export function edgePart(
  registry: Registry,
  edge: Pick<EdgeClient, 'statistics' | 'tableSizes'>,
  reach: Pick<GatewayReach, 'counts'>,
): MeasuredPart {
  const total = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'total', { name: `edge_${name}`, help, labels })
  const now = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name: `edge_${name}`, help, labels })
  const requests = total('requests_total', 'SIP requests received, by method', 'method')
  const replies = total('replies_total', 'SIP replies received, by class', 'class')
  const transactions = total('transactions_total', 'SIP transactions that ended, by class', 'class')
  const own = total('own_replies_total', 'Stateless replies of the edge itself, by class', 'class')
  const registrations = total('registrations_total', 'REGISTER requests, by outcome', 'outcome')
  const registered = now('registered_addresses', 'Addresses of record with a registered phone')
  const contacts = now('registered_contacts', 'Registered contacts')
  const inUse = now('transactions', 'SIP transactions in progress')
  const banned = now(
    'banned_sources',
    'Sources that get no answer because they flood, scan or guess passwords',
  )
  const locked = now('guessing_sources', 'Sources that sent wrong passwords in the last minutes')
  const memory = now('shared_memory_bytes', 'Shared memory of Kamailio', 'state')
  const connections = now('tcp_connections', 'TCP connections, including TLS and WebSocket')
  const sockets = now('websocket_connections', 'WebSocket connections for SIP')
  const failed = total('tcp_failures_total', 'TCP connections that failed, by reason', 'reason')
  const database = total('database_errors_total', 'Database errors of Kamailio')
  const carriers = now(
    'carrier_addresses',
    'Addresses of gateways with `options_ping`, by whether they answer',
    'state',
  )
  const readings = [
    ...[requests, replies, transactions, own, registrations, registered, contacts, inUse, banned, locked],
    ...[memory, connections, sockets, failed, database, carriers],
  ]
  return {
    name: 'edge',
    readings,
    async ask() {
      const [seen, tables] = await Promise.all([edge.statistics(), edge.tableSizes()])
      return () => {
        for (const method of methods) requests.put(seen[`core:rcv_requests_${method}`], { method })
        for (const one of classes) {
          replies.put(seen[`core:rcv_replies_${one}`], { class: one })
          if (one !== '1xx') transactions.put(seen[`tmx:${one}_transactions`], { class: one })
          own.put(sumOf(seen, new RegExp(`^sl:${one[0]}(xx|\\d\\d)_replies$`)), { class: one })
        }
        registrations.put(seen['registrar:accepted_regs'], { outcome: 'accepted' })
        registrations.put(seen['registrar:rejected_regs'], { outcome: 'rejected' })
        registered.put(seen['usrloc:registered_users'])
        contacts.put(seen['usrloc:location_contacts'])
        inUse.put(seen['tmx:inuse_transactions'])
        banned.put(tables['banned'])
        locked.put(tables['wrong'])
        memory.put(seen['shmem:real_used_size'], { state: 'used' })
        memory.put(seen['shmem:free_size'], { state: 'free' })
        connections.put(seen['tcp:current_opened_connections'])
        sockets.put(seen['websocket:ws_current_connections'])
        for (const reason of ['con_reset', 'con_timeout', 'connect_failed', 'local_reject', 'send_timeout']) {
          failed.put(seen[`tcp:${reason}`], { reason })
        }
        database.put(seen['mysql:driver_errors'])
        for (const state of ['reachable', 'unreachable'] as const)
          carriers.put(reach.counts[state], { state })
      }
    },
  }
}

function sumOf(seen: Readonly<Record<string, number>>, names: RegExp): number {
  return Object.entries(seen).reduce((sum, [name, value]) => (names.test(name) ? sum + value : sum), 0)
}
