/** What apps have registered of a user: devices, and the tokens that pushes go to. */
import type { ErasureStep } from './erasure-run.js'

export function eraseDevices(): ErasureStep {
  return async ({ workspace, clients }, progress) => {
    // Of each there are no more than a few.
    for (const sub of clients)
      await progress.counted(async (tx) => {
        const { affectedRows } = await tx.query<{ affectedRows: number }>(
          'DELETE FROM device_registrations WHERE workspace_id = ? AND client_sub = ?',
          [workspace.id, sub],
        )
        return { device_registrations: affectedRows }
      })
  }
}
