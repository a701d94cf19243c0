/** Cuts between parts: packets on the loopback that are dropped, by rules in an nftables table of their own. */
import { run, runAtExit } from './command.js'

const table = ['inet', 'jackfield_faults'] as const

let isTold = false

/** @param rules what is dropped, as conditions of nft */
export async function cut(rules: readonly string[]): Promise<void> {
  if (!isTold) process.once('exit', () => runAtExit('nft', ['delete', 'table', ...table]))
  isTold = true
  const chain = `${table.join(' ')} out`
  // In one step: all of it holds from one moment on, or none.
  await run('nft', [
    [
      `add table ${table.join(' ')}`,
      `add chain ${chain} { type filter hook output priority 0; }`,
      ...rules.map((rule) => `add rule ${chain} ${rule} drop`),
    ].join('; '),
  ])
}

export async function join(): Promise<void> {
  await run('nft', ['delete', 'table', ...table])
}

/** All that passes over a port of TCP, both ways. */
export const ofTcp = (port: number) => [`tcp dport ${port}`, `tcp sport ${port}`]

/** Datagrams between two ports, both ways. */
export const ofUdp = (one: number, other: number) => [
  `udp sport ${one} udp dport ${other}`,
  `udp sport ${other} udp dport ${one}`,
]

/** Connections from these ports to a port, and new ones from wherever. */
export function ofConnections(from: readonly number[], port: number): string[] {
  const ports = `{ ${from.join(', ')} }`
  const standing = [`tcp sport ${ports} tcp dport ${port}`, `tcp dport ${ports} tcp sport ${port}`]
  return [...(from.length > 0 ? standing : []), `tcp dport ${port} tcp flags & (syn | ack) == syn`]
}
