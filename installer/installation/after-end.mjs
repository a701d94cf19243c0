/**
 * What the unit runs when its supervisor has ended (ExecStopPost). Calls of one that was killed go on until systemd has
 * started the next, which takes its parts over; and what was left for the next version stays. All else is ended: systemd
 * itself ends the supervisor alone (KillMode=process).
 */
import { readSettings } from '../settings.mjs'
import { EXIT_CONFIG, markOrphaned, readState, stopAppliance } from '../state.mjs'

/** As systemd tells it (systemd.exec(5)): who was asked to stop, or could not in time, is not started again. */
const { SERVICE_RESULT: result = 'success', EXIT_STATUS: status } = process.env
const isStartedAgain = !['success', 'timeout'].includes(result) && status !== String(EXIT_CONFIG)

const { home } = readSettings()
const isLeft = readState(home)?.phase === 'left'
if (!isLeft && !(isStartedAgain && markOrphaned(home))) await stopAppliance(home)
