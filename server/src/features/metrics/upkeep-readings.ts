/** What needs attention in time: certificates, disks, backups. */
import type { Registry } from 'prom-client'
import type { UpkeepSeen } from '../platform/upkeep.js'
import { Reading } from './instruments.js'

export function upkeepReadings(registry: Registry) {
  const define = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name, help, labels })
  const certificate = define(
    'certificate_end_timestamp_seconds',
    'When the certificate of a listener (sip, https) expires, in seconds since 1970',
    'listener',
  )
  const free = define(
    'disk_free_bytes',
    'Free space on the disk that holds state, media or recordings',
    'purpose',
  )
  const size = define('disk_size_bytes', 'Size of the disk that holds state, media or recordings', 'purpose')
  const backup = define(
    'backup_timestamp_seconds',
    'When the last backup was made, in seconds since 1970; 0: never',
  )
  return {
    readings: [certificate, free, size, backup],
    put({ certificates, disks, backupAt }: UpkeepSeen): void {
      for (const [listener, end] of Object.entries(certificates))
        if (end) certificate.put(end.getTime() / 1000, { listener })
      for (const { purpose, free_bytes, total_bytes } of disks) {
        free.put(free_bytes, { purpose })
        size.put(total_bytes, { purpose })
      }
      if (backupAt !== null) backup.put(backupAt / 1000)
    },
  }
}
