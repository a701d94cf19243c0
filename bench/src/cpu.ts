/** CPU time of the processes of an appliance, read from /proc. */
import { readFile, readdir } from 'node:fs/promises'

/** Linux counts in hundredths of a second on every architecture that we run on. */
const msPerTick = 10

/** Milliseconds of CPU, user and system, that processes have used since their start; 0 for a process that is gone. */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // The name in brackets may hold spaces: fields are counted from behind it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return stat ? Number(fields[11]) + Number(fields[12]) : 0
    }),
  )
  return ticks.reduce((sum, own) => sum + own, 0) * msPerTick
}

/** Processes whose command line holds a text, such as the folder they were given. */
export async function processesWith(text: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const matching = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return line.includes(text)
    }),
  )
  return pids.filter((_, index) => matching[index])
}

/** Resident memory of a process in MB. */
export async function residentMb(pid: number): Promise<number> {
  return Math.round((await residentKb(pid)) / 1024)
}

/** The same in KB. */
export async function residentKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
}
