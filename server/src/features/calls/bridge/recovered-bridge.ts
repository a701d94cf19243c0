import type { AnsweredLeg } from '../model/answered-leg.js'
import type { FoundBridge } from './bridge.js'
import type { Consulted } from './transfer.js'
import type { TransferRequest } from './transfer-target.js'

/** A bridge of the previous process. */
export interface RecoveredBridge {
  /** The leg that is not the primary one; it may have left during a transfer. */
  other: AnsweredLeg
  found: FoundBridge
  transfer: { request: TransferRequest; consulted: Consulted | null } | null
}
