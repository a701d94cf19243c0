/** The processes of a world by the part they belong to, and the CPU that each part takes. */
import { cpuMs } from '../cpu.js'

export const partNames = ['server', 'freeswitch', 'mariadb', 'kamailio'] as const
export type PartName = (typeof partNames)[number]

/** Process ids. */
export type Parts = Readonly<Record<PartName, readonly number[]>>

/** Milliseconds of CPU since the start of each part. */
export async function cpuOf(parts: Parts): Promise<Record<PartName, number>> {
  const used = await Promise.all(partNames.map(async (name) => [name, await cpuMs(parts[name])] as const))
  return Object.fromEntries(used) as Record<PartName, number>
}

/** Milliseconds of CPU that each of so many calls took. */
export async function cpuPerCall<T>(
  parts: Parts,
  work: () => Promise<T>,
  callsOf: (result: T) => number,
): Promise<{ result: T; cpu: Record<PartName, number> }> {
  const before = await cpuOf(parts)
  const result = await work()
  const after = await cpuOf(parts)
  const calls = callsOf(result)
  const each = partNames.map((name) => [name, (after[name] - before[name]) / calls] as const)
  return { result, cpu: Object.fromEntries(each) as Record<PartName, number> }
}
