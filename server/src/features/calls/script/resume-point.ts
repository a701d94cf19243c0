import type { ScriptState } from './script-runner.js'
import type { RecoveredBridge } from '../bridge/recovered-bridge.js'

/** Where the previous process stopped in the middle of a step. */
export interface ResumePoint extends ScriptState {
  /** The step's playback: still running, ended, or there was none. */
  playback: 'running' | 'ended' | 'none'
  /** The script leg was bridged. */
  bridge: RecoveredBridge | null
}
