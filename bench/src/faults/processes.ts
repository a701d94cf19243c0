/** The processes of a part, and what they are connected with. */
import { readFile, readdir } from 'node:fs/promises'
import { run } from './command.js'

/** All processes of a group. */
export async function processesOf(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const own = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // The name in brackets may hold spaces: fields are counted from behind it.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group
    }),
  )
  return pids.filter((_, index) => own[index])
}

/** Local ports of the TCP connections that a group has to a port of this machine. */
export async function portsTo(group: number, port: number): Promise<number[]> {
  const pids = new Set(await processesOf(group))
  const lines = (await run('ss', ['-tnpH', 'state', 'established', `( dport = :${port} )`])).split('\n')
  return lines.flatMap((line) => {
    const isOwn = [...line.matchAll(/pid=(\d+)/g)].some(([, pid]) => pids.has(Number(pid)))
    const local = /:(\d+)\s/.exec(line)?.[1]
    return isOwn && local !== undefined ? [Number(local)] : []
  })
}

/** Bytes of address space of a process; null when it has ended meanwhile. */
export async function addressSpace(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  if (status === null) return null
  return Number(/VmSize:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** Whose rights a process has; the owner of its folder in /proc may be another. */
export async function ownerOf(pid: number): Promise<{ uid: number; gid: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const idOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { uid: idOf('Uid'), gid: idOf('Gid') }
}
